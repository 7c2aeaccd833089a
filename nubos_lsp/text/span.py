"""A stretch of text.

The core counts in code points, from 0, with an exclusive end. Lines and columns exist only at the edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Span(NamedTuple):
    """From `start` up to, not including, `end`; both are code-point offsets into one text."""

    start: int
    end: int

    def shift(self, by: int) -> Span:
        """The same stretch in a text that begins `by` code points earlier."""
        return Span(self.start + by, self.end + by)

    def contains(self, offset: int) -> bool:
        """Whether a cursor at `offset` is in the span or at one of its two ends."""
        return self.start <= offset <= self.end

    def touches(self, other: Span) -> bool:
        """Whether the two share an offset; an empty span touches what it stands in or beside."""
        return self.start <= other.end and other.start <= self.end

    def of(self, text: str) -> str:
        """The text that the span covers."""
        return text[self.start : self.end]


def outermost(spans: Iterable[Span]) -> Iterator[Span]:
    """Those of the spans, which are in order of their starts and nest, that lie in no other."""
    end = 0
    for span in spans:
        if span.end > end:
            yield span
            end = span.end
