"""The YAML at the head of a plan, for the editor and the live rules.

It may follow a BOM, an HTML comment and blank lines. Whether it is right is told without PyYAML where that is plain to see,
as importing it takes longer than a lint. Source: plan-format.md (A slice plan); the gate is stricter about the place
(gate-details 19).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from nubos_lsp.text.span import Span

_OPENING = re.compile(r"---[ \t]*(?:\r\n|\n|\r|\Z)")
_CLOSING_OR_TAG = re.compile(r"(?:^|(?<=\r))(?:(---)[ \t]*(?=[\r\n]|\Z)|<[A-Za-z/!])", re.MULTILINE)
_WHITE = re.compile(r"\s*")


class Problem(NamedTuple):
    """Something wrong with the frontmatter, in one sentence."""

    span: Span
    message: str


class Frontmatter:
    """The head of a plan. `span` has the fences in it, `body` is the YAML text between them."""

    def __init__(self, text: str, span: Span, body: Span, *, closed: bool) -> None:
        self.span = span
        self.body = body
        self._yaml = body.of(text)
        self._closed = closed

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with it, in order."""
        if not self._closed:
            return (Problem(self.span, "the frontmatter is never closed; end it with a line `---`"),)
        if is_plain(self._yaml):
            return ()
        return tuple(Problem(fault.span.shift(self.body.start), fault.message) for fault in self._loaded[1])

    @cached_property
    def values(self) -> Mapping[str, object]:
        """The values by key: text, numbers, booleans, None, lists and mappings. Dates are text. Empty when not valid."""
        return self._loaded[0]

    @cached_property
    def _loaded(self) -> tuple[Mapping[str, object], tuple[Problem, ...]]:
        from nubos_lsp.syntax.yaml_values import load  # PyYAML takes 15 ms to import, and most plans do not need it

        values, faults = load(self._yaml)
        return values, tuple(Problem(span, message) for span, message in faults)


def read_frontmatter(text: str) -> Frontmatter | None:
    """The frontmatter of `text`; None without one. One that is never closed has its first line only."""
    start = _start(text)
    opening = _OPENING.match(text, start)
    if not opening or (start and text[start - 1] not in "\r\n\ufeff"):
        return None
    closing = _CLOSING_OR_TAG.search(text, opening.end())
    if closing and closing[1]:
        return Frontmatter(text, Span(start, closing.end(1)), Span(opening.end(), closing.start()), closed=True)
    return Frontmatter(text, Span(start, start + 3), Span(start + 3, start + 3), closed=False)


def frontmatter_span(text: str) -> Span | None:
    """Where the frontmatter of `text` stands, its fences included; None without one, or when it is never closed."""
    frontmatter = read_frontmatter(text)
    return frontmatter.span if frontmatter and frontmatter.body.start > frontmatter.span.start + 3 else None


def _start(text: str) -> int:
    """Behind what may stand before the frontmatter."""
    start = _behind_white(text, 1 if text.startswith("\ufeff") else 0)
    if text.startswith("<!--", start):
        end = text.find("-->", start + 4)
        start = _behind_white(text, end + 3) if end >= 0 else start
    return start


def _behind_white(text: str, start: int) -> int:
    match = _WHITE.match(text, start)
    return match.end() if match else start


_ODD = re.compile("[^\n\r -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_TEXT = r"(?:[^:#]|:(?=[^ ])|(?<=[^ ])#)*"
_WORDS = rf"(?:[^\W\d]|/|\.(?=[A-Za-z/])){_TEXT}"
_NUMBER = rf"[0-9]{{1,9}}(?:[ -]+[^\W\d]{_TEXT})?"
_QUOTED = r"""(?:"[^"\\]*"|'[^']*')"""
_TRAILING = r"(?: +#.*| *)"
_PLAIN_KEY = re.compile(rf"([A-Za-z_][A-Za-z0-9_-]{{0,63}}):(?: +({_WORDS}|{_NUMBER}|{_QUOTED}|\[.*\]))?{_TRAILING}")
_PLAIN_ITEM = re.compile(rf"( *)- +(?:{_WORDS}|{_NUMBER}|{_QUOTED}){_TRAILING}")
_FLOW_ITEM = re.compile(r"""[^\W\d][\w ./()-]*|[0-9]{1,9}|"[^"\\]*"|'[^']*'""")


def is_plain(yaml: str) -> bool:
    """Whether `yaml` is without doubt valid: distinct keys with a plain value or a list of such.

    False says nothing. The lists are `[a, b]` or lines `- a` of one indent below their key.
    """
    if _ODD.search(yaml):
        return False
    keys: set[str] = set()
    indent: str | None = None
    takes_items = False
    for line in yaml.split("\n"):
        line = line.removesuffix("\r")
        content = line.lstrip(" ")
        if not content or content.startswith("#"):
            continue
        item = _PLAIN_ITEM.fullmatch(line) if takes_items else None
        if item and indent in (None, item[1]):
            indent = item[1]
            continue
        key = _PLAIN_KEY.fullmatch(line)
        if not key or key[1] in keys or not _is_plain_value(key[2] or ""):
            return False
        keys.add(key[1])
        indent, takes_items = None, not key[2]
    return True


def _is_plain_value(value: str) -> bool:
    if not value.startswith("["):
        return True
    items = value[1:-1].split(",")
    return items == [""] or all(_FLOW_ITEM.fullmatch(item.strip(" ")) for item in items)
