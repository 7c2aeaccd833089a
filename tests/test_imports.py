"""The house of ARCHITECTURE.md: who may import whom, and what the core never touches."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import nubos_lsp

PACKAGE = Path(nubos_lsp.__file__).parent

BELOW = {
    "text": set[str](),
    "syntax": {"text"},
    "prose": {"text"},
    "plan": {"text", "syntax", "prose"},
    "workspace": {"text", "syntax", "prose", "plan"},
    "rules": {"text", "syntax", "prose", "plan", "workspace"},
    "ide": {"text", "syntax", "prose", "plan", "workspace", "rules"},
    "host": {"text", "syntax", "prose", "plan", "workspace", "rules"},
    "world": {"text", "syntax", "prose", "plan", "workspace"},
    "lsp": {"text", "syntax", "prose", "plan", "workspace", "rules", "ide", "host", "world"},
    "cli": {"text", "syntax", "prose", "plan", "workspace", "rules", "ide", "host", "world"},
    "__main__": {"cli"},
}
"""For each layer those that it may import, besides itself and the version in `nubos_lsp`."""

EDGES = {"world", "lsp", "cli", "__main__"}
"""The layers that may touch the world; the others are the core."""

IMPURE = {
    *("asyncio", "builtins", "concurrent", "ctypes", "datetime", "fcntl", "glob", "http", "io", "logging", "mmap"),
    *("multiprocessing", "os", "pathlib", "platform", "queue", "random", "sched", "secrets", "select", "selectors"),
    *("shutil", "signal", "socket", "socketserver", "sqlite3", "ssl", "subprocess", "tempfile", "threading", "time"),
    *("uuid", "warnings", "zipfile", "_thread", "urllib.request"),
}
IMPURE_CALLS = {"breakpoint", "exec", "eval", "input", "open", "print"}
"""Functions that need no import; the core calls none of them."""

PURE_AFTER_ALL = {"pathlib.PurePosixPath"}
"""A path as text, which reads nothing."""

PROTOCOL = {"pygls", "lsprotocol"}
SLOW = {"yaml", "markdown_it", "nubos_lsp.syntax.yaml_values"}
"""Imported in the function that needs them: a cold lint of a plan pays for none. One may import another at its top."""

WHEN_RUN, WHEN_CALLED, FOR_TYPES = "when the module is imported", "when a function is called", "for types"


class Import(NamedTuple):
    """One name that a module imports: `from a import b` is `a.b`."""

    name: str
    line: int
    when: str


MODULES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_keep_to_the_house(path: Path) -> None:
    assert not breaches(module_name(path), path.read_text(encoding="utf-8"), path.name == "__init__.py")


def test_every_layer_has_its_place() -> None:
    found = {module_name(path).split(".")[1] for path in MODULES if path != PACKAGE / "__init__.py"}
    assert found == set(BELOW)


@pytest.mark.parametrize(
    ("module", "source", "reason"),
    [
        ("plan.ids", "from nubos_lsp.rules import base", "plan may not import rules"),
        ("plan.ids", "from nubos_lsp import rules", "plan may not import rules"),
        ("plan.ids", "import nubos_lsp.rules.base", "plan may not import rules"),
        ("plan.ids", "from ..rules.base import Rule", "plan may not import rules"),
        ("plan.ids", "from .. import rules", "plan may not import rules"),
        ("plan.ids", "def f():\n    from nubos_lsp.rules import base", "plan may not import rules"),
        ("plan.ids", "if TYPE_CHECKING:\n    from nubos_lsp.rules import base", "plan may not import rules"),
        ("plan.ids", "import importlib\nimportlib.import_module('nubos_lsp.rules')", "plan may not import rules"),
        ("syntax.tree", "import nubos_lsp.prose.phrases", "syntax may not import prose"),
        ("ide.definition", "from nubos_lsp.host import Host", "ide may not import host"),
        ("world.files", "from nubos_lsp.rules.base import Rule", "world may not import rules"),
        ("lsp.server", "from nubos_lsp.cli import main", "lsp may not import cli"),
        ("cli.lint", "from nubos_lsp.lsp import server", "cli may not import lsp"),
        ("cli.lint", "def f():\n    from nubos_lsp.lsp import server", "cli may not import lsp"),
        ("cli.serve", "from nubos_lsp.lsp import server", "cli may not import lsp"),
        ("cli.serve", "def f():\n    import asyncio", "cli may not import asyncio"),
        ("cli.lint", "from asyncio import run", "cli may not import asyncio"),
        ("cli.lint", "if TYPE_CHECKING:\n    import lsprotocol.types", "only lsp may import lsprotocol"),
        ("world.files", "import pygls", "only lsp may import pygls"),
        ("text.span", "import os", "the core may not import os"),
        ("text.span", "import os.path", "the core may not import os"),
        ("text.span", "def f():\n    from time import monotonic", "the core may not import time"),
        ("host", "try:\n    import threading\nexcept ImportError:\n    pass", "the core may not import threading"),
        ("host", "class A:\n    import logging", "the core may not import logging"),
        ("ide.target", "from pathlib import Path", "the core may not import pathlib"),
        ("ide.target", "import pathlib", "the core may not import pathlib"),
        ("ide.target", "from urllib import request", "the core may not import urllib.request"),
        ("ide.target", "__import__('socket')", "the core may not import socket"),
        ("rules.engine", "def f():\n    print('found')", "the core may not call print"),
        ("rules.engine", "text = open('plan').read()", "the core may not call open"),
        ("syntax.frontmatter", "import yaml", "yaml is imported when the module is imported"),
        ("syntax.markdown", "from markdown_it.token import Token", "markdown_it is imported when the module"),
        ("syntax.frontmatter", "from nubos_lsp.syntax import yaml_values", "yaml_values is imported when the module"),
        ("lsp.session", "if True:\n    import yaml", "yaml is imported when the module is imported"),
    ],
)
def test_a_breach_is_found(module: str, source: str, reason: str) -> None:
    (found,) = breaches(f"nubos_lsp.{module}", source)
    assert reason in found


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("plan.ids", "import re\nfrom nubos_lsp.plan import layout\nfrom nubos_lsp.text.span import Span"),
        ("plan.ids", "from . import layout\nfrom .layout import PlanKind"),
        ("ide.target", "from pathlib import PurePosixPath"),
        ("ide.target", "from urllib.parse import quote"),
        ("ide.target", "def f(reader):\n    reader.open()"),
        ("lsp.server", "import asyncio, os, pygls\nfrom lsprotocol import types\nfrom nubos_lsp import __version__"),
        ("cli.serve", "def f():\n    from nubos_lsp.lsp import server"),
        ("world.files", "import os\nfrom nubos_lsp.workspace.facts import SourceFile"),
        ("syntax.frontmatter", "def f():\n    import yaml"),
        ("syntax.frontmatter", "def f():\n    from nubos_lsp.syntax.yaml_values import load"),
        ("syntax.yaml_values", "import yaml"),
        ("syntax.frontmatter", "if TYPE_CHECKING:\n    import yaml"),
        ("syntax.frontmatter", "if typing.TYPE_CHECKING:\n    from yaml import Node"),
    ],
)
def test_what_is_allowed_passes(module: str, source: str) -> None:
    assert breaches(f"nubos_lsp.{module}", source) == []


def test_a_package_resolves_relative_imports_from_itself() -> None:
    assert breaches("nubos_lsp.plan", "from .ids import parse", is_package=True) == []
    (found,) = breaches("nubos_lsp.plan", "from ..ide import target", is_package=True)
    assert "plan may not import ide" in found


def module_name(path: Path) -> str:
    """The dotted name of a file of the package."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def breaches(module: str, source: str, is_package: bool = False) -> list[str]:
    """What `source`, as the module called `module`, imports or calls against the rules; one sentence each."""
    tree = ast.parse(source)
    layer = _layer(module)
    package = module if is_package else module.rpartition(".")[0]
    found = [
        f"{module}:{one.line}: {reason}"
        for one in imports(tree, package)
        for reason in [_own_breach(module, layer, one) or _foreign_breach(layer, one) or _slow_breach(module, one)]
        if reason
    ]
    if layer in BELOW.keys() - EDGES:
        found += [f"{module}:{line}: the core may not call {name}" for name, line in _impure_calls(tree)]
    return found


def _own_breach(module: str, layer: str, one: Import) -> str:
    if not _is_in(one.name, "nubos_lsp"):
        return ""
    target = _layer(one.name)
    if target not in BELOW or target == layer or target in BELOW.get(layer, ()):
        return ""
    if (module, target, one.when) == ("nubos_lsp.cli.serve", "lsp", WHEN_CALLED):
        return ""
    return f"{layer} may not import {target} ({one.when})"


def _foreign_breach(layer: str, one: Import) -> str:
    for name in PROTOCOL:
        if _is_in(one.name, name) and layer != "lsp":
            return f"only lsp may import {name}"
    if _is_in(one.name, "asyncio") and layer == "cli":
        return "cli may not import asyncio"
    for name in IMPURE if layer not in EDGES and one.name not in PURE_AFTER_ALL else ():
        if _is_in(one.name, name):
            return f"the core may not import {name}"
    return ""


def _slow_breach(module: str, one: Import) -> str:
    if one.when != WHEN_RUN or module in SLOW:
        return ""
    return next((f"{name} is imported {one.when}" for name in SLOW if _is_in(one.name, name)), "")


def _layer(name: str) -> str:
    """`ide` for `nubos_lsp.ide.target`; empty for the package itself."""
    return f"{name}.".split(".")[1]


def _is_in(name: str, package: str) -> bool:
    return f"{name}.".startswith(f"{package}.")


def imports(tree: ast.Module, package: str) -> Iterator[Import]:
    """Every import below `tree`, wherever it stands; relative ones are resolved from `package`."""
    stack: list[tuple[ast.AST, str]] = [(tree, WHEN_RUN)]
    while stack:
        node, when = stack.pop()
        for name in _imported(node, package):
            yield Import(name, getattr(node, "lineno", 0), when)
        if isinstance(node, ast.If) and _is_for_types(node.test):
            stack += [(child, FOR_TYPES if when == WHEN_RUN else when) for child in node.body]
            stack += [(child, when) for child in node.orelse]
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            stack += [(child, WHEN_CALLED) for child in ast.iter_child_nodes(node)]
        else:
            stack += [(child, when) for child in ast.iter_child_nodes(node)]


def _imported(node: ast.AST, package: str) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = _base(package, node.level, node.module)
        return [f"{base}.{alias.name}" for alias in node.names]
    if isinstance(node, ast.Call) and _called(node) in ("import_module", "__import__"):
        return [one.value for one in node.args[:1] if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return []


def _base(package: str, level: int, module: str | None) -> str:
    if level == 0:
        return module or ""
    parts = package.split(".")
    return ".".join([*parts[: len(parts) - level + 1], *([module] if module else [])])


def _is_for_types(test: ast.expr) -> bool:
    return ast.unparse(test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def _called(node: ast.Call) -> str:
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _impure_calls(tree: ast.Module) -> list[tuple[str, int]]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    return [(_called(call), call.lineno) for call in calls if _called(call) in IMPURE_CALLS]
