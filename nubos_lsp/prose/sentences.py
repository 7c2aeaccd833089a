"""Where sentences end.

A sentence ends after `.`, `!` or `?` before white space, `<` or the end; after a closing tag; or at a blank line.
A closing tag reaches to the next `>`, however far. Source: ADR-0032 section 3 (granularity), rules.md G1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from nubos_lsp.prose.ecmascript import SPACE, WHITE_SPACE

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


class SentenceEnds:
    """The sentence ends of a text, to be read from any place on."""

    def __init__(self, text: str) -> None:
        self._text = text
        # Behind the last `>` no closing tag can end, so none is looked for there: that keeps the cost linear.
        self._last = text.rfind(">") + 1

    def read(self, start: int = 0) -> Iterator[Boundary]:
        """The ends in order, from `start` on, which is no place inside white space or a closing tag."""
        text, last = self._text, max(start, self._last)
        for match in _END.finditer(text, start, last):
            yield Boundary(match.end(), text[match.start()] == "\n")
        for match in _END_WITHOUT_TAG.finditer(text, last):
            yield Boundary(match.end(), text[match.start()] == "\n")

    def safe_start(self, low: int, high: int) -> int:
        """A place near `high`, not behind it, from which reading finds the same ends as from `low`, where it may start.

        Such is a character that is no white space, unless a closing tag is open there: then where that begins.
        """
        place = low + max(0, len(self._text[low:high].rstrip(WHITE_SPACE)) - 1)
        behind_tags = max(low, self._text.rfind(">", low, place) + 1)
        # The character may be the slash of a tag, whose letter then stands behind it.
        tag = _CLOSING_TAG.search(self._text, behind_tags, place + 2)
        return tag.start() if tag else place

    @property
    def open_tag(self) -> int | None:
        """Where a `</name` stands that no `>` follows, None without one. A `>` typed behind it ends a sentence."""
        match = _CLOSING_TAG.search(self._text, self._last)
        return match.start() if match else None
