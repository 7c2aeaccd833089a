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
from nubos_lsp.prose.sentences import SentenceEnds
from nubos_lsp.text.encoding import Columns, PositionEncoding
from nubos_lsp.text.lines import line_starts
from nubos_lsp.text.span import Span

T = TypeVar("T")

_NOT_LINE_FEED = re.compile(r"[^\n]")
_REST_OF_LINE = re.compile(r"[ \t\r]*\n")
_SHORTEST = 768  # Code points. Shorter units cost more to keep than they save.


class Unit:
    """A piece of a plan; never changed once it is read.

    `lead` is the white space before it that its first sentence begins with, `tail` that which its last one leaves over.
    `blocks` are its `<pattern_refs>` blocks. `open_block` and `open_tag` tell that it has a `<pattern_refs>` or a
    `</name` whose end is nowhere behind it: only then can a later edit change its meaning.
    """

    __slots__ = (
        "_columns",
        "_derived",
        "_line_starts",
        "blocks",
        "lead",
        "line_breaks",
        "newlines",
        "open_block",
        "open_tag",
        "tail",
        "text",
    )

    def __init__(self, text: str, lead: str, tail: str, blocks: tuple[Span, ...]) -> None:
        self.text = text
        self.lead = lead
        self.tail = tail
        self.blocks = blocks
        self.open_block = False
        self.open_tag = False
        self.newlines = text.count("\n")
        self.line_breaks = self.newlines if "\r" not in text else len(line_starts(text)) - 1
        self._line_starts: tuple[int, ...] | None = None
        self._derived: dict[Callable[[Unit], Any], Any] = {}
        self._columns: dict[str, Columns] | None = None

    def derived(self, function: Callable[[Unit], tuple[T, ...]]) -> tuple[T, ...]:
        """`function(self)`, computed once."""
        value: tuple[T, ...] | None = self._derived.get(function)
        if value is None:
            value = self._derived[function] = function(self)
        return value

    def columns(self, encoding: PositionEncoding) -> Columns:
        """The lengths of the text's beginnings; made once for an encoding."""
        if self._columns is None:
            self._columns = {}
        columns = self._columns.get(encoding.value)
        if columns is None:
            columns = self._columns[encoding.value] = Columns(self.text, encoding)
        return columns

    @property
    def line_starts(self) -> tuple[int, ...]:
        """The offset at which each line begins, one more behind every line end; made when first asked for."""
        if self._line_starts is None:
            self._line_starts = line_starts(self.text)
        return self._line_starts

    def newlines_before(self, offset: int) -> int:
        """The line feeds before `offset`."""
        if self.newlines == self.line_breaks:  # Each line end has a line feed, so the lines tell.
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
    prose = SentenceEnds(blank(lead + text, (block.shift(by) for block in blocks)))
    open_tag = None if prose.open_tag is None else prose.open_tag - by
    opens = [offset for offset in (open_block, open_tag) if offset is not None]
    limit = len(text) if final or not opens else min(opens)
    cutter = _Cutter(lead, text, blocks, prose)
    while cutter.cut(limit):
        pass
    if final:
        cutter.finish()
        _mark(cutter.units, open_block, open_tag)
    return cutter.units, cutter.start


def _mark(units: list[Unit], open_block: int | None, open_tag: int | None) -> None:
    """Tell the units in which something is open that they depend on what follows."""
    end = 0
    for unit in units if (open_block, open_tag) != (None, None) else ():
        start, end = end, end + len(unit.text)
        unit.open_block = open_block is not None and start <= open_block < end
        unit.open_tag = open_tag is not None and start <= open_tag < end


class _Cutter:
    """Cuts one unit after the other from a text; `prose` is the text behind `lead`, without its blocks."""

    def __init__(self, lead: str, text: str, blocks: tuple[Span, ...], prose: SentenceEnds) -> None:
        self.units: list[Unit] = []
        self.start = 0
        self._by = len(lead)
        self._lead = lead
        self._text = text
        self._blocks = blocks
        self._first_block = 0  # Of the unit to come.
        self._next_block = 0  # Behind the place at which was last tried to cut.
        self._prose = prose

    def cut(self, limit: int) -> bool:
        """Cut the next unit at the first good place; False when there is none before a sentence that passes `limit`.

        Inside a block nothing is cut, and nothing that would leave a short unit, but for the end of the text: there an
        old unit may follow that needs no reading. So only the sentences behind the shortest length are read.
        """
        good = self.start + _SHORTEST
        begin = self.start - len(self._lead) + self._by
        if good < len(self._text):
            begin = self._prose.safe_start(begin, good + self._by)
        for boundary in self._prose.read(begin):
            end = boundary.end - self._by
            if end > limit:
                return False
            line_end = end if boundary.blank else self._rest_of_line(end)
            if line_end is not None and (line_end >= good or line_end == len(self._text)) and self._add(line_end, end):
                return True
        return False

    def finish(self) -> None:
        """End the last unit at the end of the text."""
        if self.start < len(self._text) or not (self.units or self._text):
            self._keep(len(self._text), "", len(self._blocks))

    def _rest_of_line(self, start: int) -> int | None:
        """Behind the line end at or behind `start`, when only white space stands before it."""
        match = _REST_OF_LINE.match(self._text, start)
        return match.end() if match else None

    def _add(self, line_end: int, end: int) -> bool:
        """End a unit at `line_end`, its last sentence at `end`; False in a block, or when the unit would be empty."""
        blocks = self._blocks
        while self._next_block < len(blocks) and blocks[self._next_block].end <= line_end:
            self._next_block += 1
        in_block = self._next_block < len(blocks) and blocks[self._next_block].start < line_end
        if in_block or line_end <= self.start:
            return False
        self._keep(line_end, self._text[end:line_end], self._next_block)
        return True

    def _keep(self, end: int, tail: str, next_block: int) -> None:
        start = self.start
        blocks = tuple([block.shift(-start) for block in self._blocks[self._first_block : next_block]])
        self.units.append(Unit(self._text[start:end], self._lead, tail, blocks))
        self.start, self._lead, self._first_block = end, tail, next_block
