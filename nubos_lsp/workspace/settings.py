"""The user's settings, `nubos.*`, checked once at the door.

A wrong value is told and the default stands in for it; nothing that a client sends can stop the linting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from nubos_lsp.plan.layout import PlanKind, plan_kind


class Setting(NamedTuple):
    """One setting: the field of `Settings`, its name below `nubos.`, and its description."""

    field: str
    key: str
    doc: str


SETTINGS = (
    Setting(
        "include",
        "plans.include",
        "Further files to treat as slice plans: globs, matched against the path below the project root.",
    ),
    Setting("select", "rules.select", "Report only these rules or categories; empty means all."),
    Setting("ignore", "rules.ignore", "Do not report these rules or categories."),
)
"""All settings. Each is a list of strings."""


class Settings(NamedTuple):
    """What a user has set."""

    include: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, value: object) -> tuple[Settings, tuple[str, ...]]:
        """The settings that a client or a file gives, and what is wrong with them, a sentence each.

        `{"nubos": {...}}` and `{...}` both work, nested or with dotted keys. None means the defaults.
        """
        if value is None:
            return cls(), ()
        if not isinstance(value, Mapping):
            return cls(), (f"the nubos settings must be an object, not {_name(value)}; the defaults are used",)
        flat = dict(_flat(value.get("nubos", value)))
        values: dict[str, tuple[str, ...]] = {}
        problems: list[str] = []
        for setting in SETTINGS:
            given = flat.get(setting.key)
            if isinstance(given, list) and all(isinstance(item, str) for item in given):
                values[setting.field] = tuple(given)
            elif given is not None:
                problems.append(f"nubos.{setting.key} must be a list of strings; it is ignored")
        return cls(**values), tuple(problems)

    def kind_of(self, path: str) -> PlanKind | None:
        """The kind of plan at `path` (`/` separators), by its name or by `include`; None when it is no plan."""
        kind = plan_kind(path.rsplit("/", 1)[-1])
        if kind is None and any(glob_matches(glob, path) for glob in self.include):
            return PlanKind.SLICE
        return kind

    def reports(self, rule: str, category: str) -> bool:
        """Whether findings of this rule are wanted."""
        wanted = not self.select or rule in self.select or category in self.select
        return wanted and rule not in self.ignore and category not in self.ignore


def _flat(value: object, prefix: str = "") -> Iterator[tuple[str, object]]:
    if not isinstance(value, Mapping):
        return
    for key, inner in value.items():
        name = f"{prefix}{key}"
        yield name, inner
        yield from _flat(inner, name + ".")


def _name(value: object) -> str:
    return {bool: "a boolean", str: "a string", int: "a number", float: "a number", list: "a list"}.get(
        type(value), type(value).__name__
    )


_MEMBER = re.compile(r".-.|.", re.DOTALL)
_GLOB = re.compile(r"(?:\*\*/)+|\*\*+|\*|\?|\[[^\]/]+\]|\{[^{}]*\}|.", re.DOTALL)


def glob_matches(glob: str, path: str) -> bool:
    """Whether `path` matches an LSP-style glob: `*`, `?`, `[…]` in a segment, `**` across them, `{a,b}` alternatives.

    A glob without `/` is matched against the base name.
    """
    if "/" not in glob:
        path = path.rsplit("/", 1)[-1]
    return re.fullmatch("".join(map(_glob_part, _GLOB.findall(glob.removeprefix("/")))), path, re.DOTALL) is not None


def _glob_part(part: str) -> str:
    if part.startswith("{") and len(part) > 1:
        return "(?:" + "|".join(map(_alternative, part[1:-1].split(","))) + ")"
    if part.startswith("[") and len(part) > 1:
        return _character_class(part[1:-1])
    if part.startswith("**"):  # Any number of them in a row means what one means.
        return "(?:[^/]+/)*" if part.endswith("/") else ".*"
    return {"*": "[^/]*", "?": "[^/]"}.get(part, re.escape(part))


def _character_class(inner: str) -> str:
    """`[…]` as an expression: characters and ranges such as `a-z`; a range that runs backwards is three characters."""
    negated = inner.startswith("!") and len(inner) > 1
    members = _MEMBER.findall(inner[1:] if negated else inner)
    escaped = (
        f"{re.escape(each[0])}-{re.escape(each[2])}" if len(each) == 3 and each[0] <= each[2] else re.escape(each)
        for each in members
    )
    return f"[{'^/' if negated else ''}{''.join(escaped)}]"


def _alternative(text: str) -> str:
    return "".join(map(_glob_part, _GLOB.findall(text)))
