"""A unit: a piece of a plan that is read and checked as one, and how a text is cut into units.

A unit is a run of whole lines at whose end a sentence ends and no `<pattern_refs>` block is open. So what a unit says
does not depend on its neighbours, but for the white space that the sentence before left over. The cuts follow from the
text: after an edit the cutting starts at the touched unit and stops as soon as it meets an old cut. Where exactly the
cuts lie may differ from those of a fresh reading; what the units say together never does.

All offsets in a unit are relative to it; `plan.sequence` gives the absolute ones.
Source of the boundaries: prose.sentences, plan.references.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from nubos_lsp.plan.references import find_blocks
from nubos_lsp.prose.sentences import boundaries, open_closing_tag
from nubos_lsp.text.encoding import Columns, PositionEncoding
from nubos_lsp.text.lines import line_starts
from nubos_lsp.text.span import Span

T = TypeVar("T")

_NOT_LINE_FEED = re.compile(r"[^\n]")
_REST_OF_LINE = re.compile(r"[ \t\r]*\n")
_SHORTEST = 512  # Code points. Shorter units cost more to keep than they save.


class Unit:
    """A piece of a plan; never changed once it is read.

    `lead` is the white space before it that its first sentence begins with, `tail` that which its last one leaves over.
    `blocks` are its `<pattern_refs>` blocks, `sentence_ends` the ends of its sentences: the first begins with `lead`,
    what stands behind the last end is the last. `open_block` and `open_tag` tell that it has a `<pattern_refs>` or a
    `</name` whose end is nowhere behind it: only then can a later edit change its meaning.
    """

    __slots__ = (
        "_columns",
        "_derived",
        "blocks",
        "lead",
        "line_starts",
        "newlines",
        "open_block",
        "open_tag",
        "sentence_ends",
        "tail",
        "text",
    )

    def __init__(
        self, text: str, lead: str, tail: str, blocks: tuple[Span, ...], sentence_ends: tuple[int, ...]
    ) -> None:
        self.text = text
        self.lead = lead
        self.tail = tail
        self.blocks = blocks
        self.sentence_ends = sentence_ends
        self.open_block = False
        self.open_tag = False
        self.line_starts = line_starts(text)
        self.newlines = text.count("\n")
        self._derived: dict[Callable[[Unit], Any], Any] = {}
        self._columns: dict[str, Columns] = {}

    def derived(self, function: Callable[[Unit], T]) -> T:
        """`function(self)`, computed once."""
        try:
            value: T = self._derived[function]
        except KeyError:
            value = self._derived[function] = function(self)
        return value

    def columns(self, encoding: PositionEncoding) -> Columns:
        """The lengths of the text's beginnings; made once for an encoding."""
        columns = self._columns.get(encoding.value)
        if columns is None:
            columns = self._columns[encoding.value] = Columns(self.text, encoding)
        return columns

    def newlines_before(self, offset: int) -> int:
        """The line feeds before `offset`."""
        if self.newlines == len(self.line_starts) - 1:  # Each line end has a line feed, so the lines tell.
            return self.line_of(offset)
        return self.text.count("\n", 0, offset)

    def line_of(self, offset: int) -> int:
        """The line of the unit, from 0, in which `offset` lies."""
        return bisect_right(self.line_starts, offset) - 1

    @property
    def prose(self) -> str:
        """The text with everything in blocks as spaces; line feeds and offsets are kept."""
        return blank(self.text, self.blocks)


def blank(text: str, blocks: Iterable[Span]) -> str:
    """`text` with every character of `blocks` but line feeds replaced by a space; `blocks` are in order."""
    pieces: list[str] = []
    end = 0
    for block in blocks:
        pieces += [text[end : block.start], _NOT_LINE_FEED.sub(" ", block.of(text))]
        end = block.end
    return "".join((*pieces, text[end:])) if pieces else text


def segment(lead: str, text: str, *, final: bool) -> tuple[list[Unit], int]:
    """Cut `text`, which follows the white space `lead` of a sentence already begun, into units.

    Returns them and the offset up to which they reach. The rest is not decided: what follows `text` is needed for it.
    With `final` nothing follows, and all of it is cut; an empty text then gives one empty unit.
    """
    by = len(lead)
    blocks, open_block = find_blocks(text)
    prose = blank(lead + text, (block.shift(by) for block in blocks))
    open_tag = open_closing_tag(prose)
    opens = [offset for offset in (open_block, None if open_tag is None else open_tag - by) if offset is not None]
    cutter = _Cutter(lead, text, blocks)
    for boundary in boundaries(prose):
        end = boundary.end - by
        if not final and (any(end > offset for offset in opens) or (end == len(text) and not boundary.blank)):
            break
        cutter.end_sentence(end, end if boundary.blank else _rest_of_line(text, end))
    if final:
        cutter.finish()
        _mark(cutter.units, open_block, opens)
    return cutter.units, cutter.start


def _mark(units: list[Unit], open_block: int | None, opens: list[int]) -> None:
    """Tell the units in which something is open that they depend on what follows."""
    end = 0
    for unit in units if opens else ():
        start, end = end, end + len(unit.text)
        unit.open_block = open_block is not None and start <= open_block < end
        unit.open_tag = any(start <= offset < end for offset in opens if offset != open_block)


def _rest_of_line(text: str, start: int) -> int | None:
    """Behind the line end at or behind `start`, when only white space stands before it."""
    match = _REST_OF_LINE.match(text, start) if start >= 0 else None
    return match.end() if match else None


class _Cutter:
    """Collects units while the sentence ends of a text go by."""

    def __init__(self, lead: str, text: str, blocks: tuple[Span, ...]) -> None:
        self.units: list[Unit] = []
        self.start = 0
        self._lead = lead
        self._text = text
        self._blocks = blocks
        self._next_block = 0
        self._sentence_ends: list[int] = []

    def end_sentence(self, end: int, line_end: int | None) -> None:
        """Note a sentence end, and end a unit at `line_end` when that is given and a good place.

        Inside a block nothing is cut, and nothing that would leave a short unit, but for the end of the text: there an
        old unit may follow that needs no reading.
        """
        self._sentence_ends.append(end)
        if line_end is None or (line_end - self.start < _SHORTEST and line_end < len(self._text)):
            return
        index = self._next_block
        while index < len(self._blocks) and self._blocks[index].end <= line_end:
            index += 1
        if line_end > self.start and not (index < len(self._blocks) and self._blocks[index].start < line_end):
            self._add(line_end, self._text[end:line_end], index)

    def finish(self) -> None:
        """End the last unit at the end of the text."""
        if self.start < len(self._text) or not (self.units or self._text):
            self._add(len(self._text), "", len(self._blocks))

    def _add(self, end: int, tail: str, next_block: int) -> None:
        start = self.start
        blocks = tuple(block.shift(-start) for block in self._blocks[self._next_block : next_block])
        ends = tuple(sentence_end - start for sentence_end in self._sentence_ends)
        self.units.append(Unit(self._text[start:end], self._lead, tail, blocks, ends))
        self.start, self._lead, self._next_block = end, tail, next_block
        self._sentence_ends = []
