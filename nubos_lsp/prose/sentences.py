"""Where sentences end.

A sentence ends after `.`, `!` or `?` before white space, `<` or the end; after a closing tag; or at a blank line.
A closing tag reaches to the next `>`, however far. Source: ADR-0032 section 3 (granularity), rules.md G1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from nubos_lsp.prose.ecmascript import SPACE

# One leading class, the rest looks back: the matcher then skips to candidates by a table instead of trying each place.
_STOP = rf"(?<=[.!?])(?={SPACE}|<|\Z)"
_BLANK_LINE = r"(?<=\n)[ \t]*\n"
_END = re.compile(rf"[.!?<\n](?:{_STOP}|(?<=<)/[A-Za-z][^>]*>|{_BLANK_LINE})")
_END_WITHOUT_TAG = re.compile(rf"[.!?\n](?:{_STOP}|{_BLANK_LINE})")
_CLOSING_TAG = re.compile(r"</[A-Za-z]")


class Boundary(NamedTuple):
    """The end of a sentence; `blank` tells that a blank line makes it."""

    end: int
    blank: bool


def boundaries(text: str) -> Iterator[Boundary]:
    """The sentence ends of `text` in order.

    Behind the last `>` no closing tag can end, so none is looked for there: that keeps the cost linear.
    """
    last = text.rfind(">") + 1
    for match in _END.finditer(text, 0, last):
        yield Boundary(match.end(), text[match.start()] == "\n")
    for match in _END_WITHOUT_TAG.finditer(text, last):
        yield Boundary(match.end(), text[match.start()] == "\n")


def open_closing_tag(text: str) -> int | None:
    """Where a `</name` stands that no `>` follows, None without one. A `>` typed behind it ends a sentence there."""
    match = _CLOSING_TAG.search(text, text.rfind(">") + 1)
    return match.start() if match else None
