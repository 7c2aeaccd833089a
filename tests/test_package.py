"""What someone gets who installs the package."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import nubos_lsp

PACKAGE = Path(nubos_lsp.__file__).parent

IMPORT_EACH_AFRESH = """
import importlib, sys
for module in sys.argv[1:]:
    for loaded in [name for name in sys.modules if name.partition(".")[0] == "nubos_lsp"]:
        del sys.modules[loaded]
    importlib.import_module(module)
"""

LOADED = """
import importlib, sys
importlib.import_module(sys.argv[1])
print(*(name for name in sys.argv[2:] if name in sys.modules))
"""


def test_every_module_can_be_the_first_one_imported() -> None:
    """No import depends on another's having come before, and none warns or prints."""
    paths = sorted(PACKAGE.rglob("*.py"))
    modules = [".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in paths]
    assert python(IMPORT_EACH_AFRESH, *(module.removesuffix(".__init__") for module in modules)) == ""


def test_the_command_line_loads_nothing_slow() -> None:
    """A lint costs milliseconds; pygls and lsprotocol alone would cost half a second."""
    assert python(LOADED, "nubos_lsp.cli.main", "pygls", "lsprotocol", "asyncio", "yaml", "markdown_it") == ""


def test_the_door_loads_nothing_before_it_is_opened() -> None:
    assert python(LOADED, "nubos_lsp.__main__", "nubos_lsp.cli") == ""


def test_the_version_is_stated_once() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", nubos_lsp.__version__)
    assert importlib.metadata.version("nubos-lsp") == nubos_lsp.__version__


def test_the_package_says_that_it_is_typed() -> None:
    assert (files("nubos_lsp") / "py.typed").is_file()


def test_the_command_tells_its_version() -> None:
    command = [sys.executable, "-W", "error", "-m", "nubos_lsp", "--version"]
    process = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert process.stdout.split()[-1] == nubos_lsp.__version__
    assert process.stderr == ""


def python(script: str, *arguments: str) -> str:
    """Run `script` in a new interpreter that treats warnings as errors; everything that it printed."""
    command = [sys.executable, "-W", "error", "-c", script, *arguments]
    process = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert process.returncode == 0, process.stderr
    return process.stdout.strip() + process.stderr
