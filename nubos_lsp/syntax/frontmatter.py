"""The YAML at the head of a plan, for the editor and the live rules.

It may follow a BOM, an HTML comment and blank lines. Whether it is right is told without PyYAML where that is plain to
see, as importing it takes longer than a lint. Source: plan-format.md (A slice plan); the gate is stricter about the
place (gate-details 19).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from nubos_lsp.syntax.plain_yaml import is_plain
from nubos_lsp.text.span import Span

_OPENING = re.compile(r"---[ \t]*(?:\r\n|\n|\r|\Z)")
_CLOSING_OR_TAG = re.compile(r"(?:^|(?<=\r))(?:(---)[ \t]*(?=[\r\n]|\Z)|<[A-Za-z/!])", re.MULTILINE)
_MAYBE_OPENING = re.compile(r"-{0,3}[ \t]*")
_BLANK = re.compile(r"[ \t]*")
_WHITE = re.compile(r"\s*")


class Problem(NamedTuple):
    """Something wrong with the frontmatter, in one sentence."""

    span: Span
    message: str


class Frontmatter:
    """The head of a plan. `span` has the fences in it, `body` is the YAML text between them; `closed` tells of both."""

    def __init__(self, text: str, span: Span, body: Span, *, closed: bool) -> None:
        self.span = span
        self.body = body
        self._yaml = body.of(text)
        self.closed = closed

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with it, in order."""
        if not self.closed:
            return (Problem(self.span, "the frontmatter is never closed; end it with a line `---`"),)
        if is_plain(self._yaml):
            return ()
        return tuple(Problem(fault.span.shift(self.body.start), fault.message) for fault in self._loaded[1])

    @cached_property
    def values(self) -> Mapping[str, object]:
        """The values by key: text, numbers, booleans, None, lists, mappings. Dates are text. Empty when not valid."""
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


def decided_until(text: str, frontmatter: Frontmatter | None) -> int:
    """Up to where the text decides about its frontmatter: an edit that begins behind that offset changes nothing."""
    if frontmatter is None:
        start = _start(text)
        match = _MAYBE_OPENING.match(text, start)
        return len(text) if text.startswith("<!--", start) else match.end() + 1 if match else start
    if frontmatter.closed:
        return _behind(_BLANK, text, frontmatter.span.end) + 1
    end = _CLOSING_OR_TAG.search(text, frontmatter.span.end)
    return end.end() if end else len(text)


def frontmatter_span(text: str) -> Span | None:
    """Where the frontmatter of `text` stands, its fences included; None without one, or when it is never closed."""
    frontmatter = read_frontmatter(text)
    return frontmatter.span if frontmatter and frontmatter.closed else None


def _start(text: str) -> int:
    """Behind what may stand before the frontmatter."""
    start = _behind(_WHITE, text, 1 if text.startswith("\ufeff") else 0)
    if text.startswith("<!--", start):
        end = text.find("-->", start + 4)
        start = _behind(_WHITE, text, end + 3) if end >= 0 else start
    return start


def _behind(pattern: re.Pattern[str], text: str, start: int) -> int:
    match = pattern.match(text, start)
    return match.end() if match else start
