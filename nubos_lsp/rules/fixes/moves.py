"""Edits made, and where a place of the text before them is in the text behind them, and the other way round."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate, pairwise

from nubos_lsp.text.edit import TextEdit, apply_edits, plain
from nubos_lsp.workspace.document import Document

_MANY = 8  # Edits, from which on it is cheaper to read the whole text again.


def edited(document: Document, edits: Iterable[TextEdit]) -> Document:
    """The document with the plain form of `edits` made, which do not overlap."""
    ordered = sorted(edits, key=lambda edit: edit.span)
    if len(ordered) > _MANY:
        return document.replace(document.version, apply_edits(document.text, ordered))
    for edit in ordered[::-1]:
        document = document.edit(document.version, *edit.span, plain(edit.insert))
    return document


class Moves:
    """What edits do to offsets; `edits` are in order. A look costs little however many there are."""

    def __init__(self, edits: Iterable[TextEdit]) -> None:
        self.edits = tuple(sorted(edits, key=lambda edit: edit.span))
        self.overlap = any(one.span.end > other.span.start for one, other in pairwise(self.edits))
        lengths = [len(plain(edit.insert)) for edit in self.edits]
        grown = (length - (edit.span.end - edit.span.start) for length, edit in zip(lengths, self.edits, strict=True))
        self._by = (0, *accumulate(grown))
        self._old_ends = [edit.span.end for edit in self.edits]
        self._starts = [edit.span.start + by for edit, by in zip(self.edits, self._by, strict=False)]
        self._ends = [start + length for start, length in zip(self._starts, lengths, strict=True)]

    def forward(self, offset: int) -> int:
        """Where the character at `offset` is after the edits."""
        return offset + self._by[bisect_right(self._old_ends, offset)]

    def back_to_end(self, offset: int) -> int:
        """Where `offset` of the changed text was; in what was inserted, the end of what that replaced."""
        index = bisect_right(self._starts, offset)
        inside = index > 0 and offset < self._ends[index - 1]
        return self.edits[index - 1].span.end if inside else offset - self._by[index]

    def back_to_start(self, offset: int) -> int:
        """Where `offset` of the changed text was; in what was inserted, the start of what that replaced."""
        index = bisect_left(self._starts, offset)
        inside = index > 0 and offset <= self._ends[index - 1]
        return self.edits[index - 1].span.start if inside else offset - self._by[index]
