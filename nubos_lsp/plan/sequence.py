"""A plan as a sequence of units: the pieces that are read and checked again when an edit touches them.

The sequence is persistent: an edit gives a new one that shares all units but the touched. It keeps sums of lengths and
lines over chunks of units, so that neither an edit nor a look-up has to pass over all of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import accumulate, chain
from typing import Any, NamedTuple, TypeVar

from nubos_lsp.plan.references import BLOCK_END
from nubos_lsp.plan.units import Unit, segment

T = TypeVar("T")

_CHUNK = 48  # Units; an edit passes over one chunk and over the list of chunks.


class Place(NamedTuple):
    """Where a unit stands: its chunk, its number there, its first offset, its first line, the line feeds before it."""

    chunk: int
    number: int
    offset: int
    line: int
    newlines: int


class _Chunk:
    """Some neighbouring units with their sums, so that no edit has to touch all units of a plan."""

    def __init__(self, units: tuple[Unit, ...]) -> None:
        self.units = units
        self.offsets = (0, *accumulate(len(unit.text) for unit in units))
        self.lines = (0, *accumulate(unit.line_breaks for unit in units))
        self.newlines = (0, *accumulate(unit.newlines for unit in units))
        self._derived: dict[Callable[[Unit], Any], Any] = {}

    @cached_property
    def open_index(self) -> int | None:
        """The first unit that a later edit can change, if any."""
        return next((index for index, unit in enumerate(self.units) if unit.open_block or unit.open_tag), None)

    @cached_property
    def _with_blocks(self) -> tuple[tuple[int, Unit], ...]:
        return tuple((offset, unit) for offset, unit in zip(self.offsets, self.units, strict=False) if unit.blocks)

    def derived(self, function: Callable[[Unit], tuple[T, ...]], *, in_blocks: bool) -> tuple[tuple[int, T], ...]:
        """The values of all units, or of those with blocks, each with the offset of its unit in the chunk; kept."""
        values: tuple[tuple[int, T], ...] | None = self._derived.get(function)
        if values is None:
            units = self._with_blocks if in_blocks else zip(self.offsets, self.units, strict=False)
            found: list[tuple[int, T]] = []
            for offset, unit in units:
                found += [(offset, value) for value in unit.derived(function)]
            values = self._derived[function] = tuple(found)
        return values


class Units:
    """All units of a text, in order; never changed, never empty."""

    def __init__(self, chunks: tuple[_Chunk, ...]) -> None:
        self._chunks = chunks
        self._offsets = (0, *accumulate(chunk.offsets[-1] for chunk in chunks))
        self._lines = (0, *accumulate(chunk.lines[-1] for chunk in chunks))
        self._newlines = (0, *accumulate(chunk.newlines[-1] for chunk in chunks))

    @classmethod
    def of(cls, text: str) -> Units:
        """The units of `text`, read from nothing."""
        return cls(_chunked(segment("", text, final=True)[0]))

    @property
    def length(self) -> int:
        """The number of code points of the text."""
        return self._offsets[-1]

    @property
    def line_breaks(self) -> int:
        """The number of line ends (LF, CRLF, CR) of the text."""
        return self._lines[-1]

    @cached_property
    def text(self) -> str:
        """The whole text."""
        return "".join(unit.text for unit in self)

    def beginning(self, length: int) -> str:
        """The first units, as many as make `length` code points; all of them when there are fewer."""
        texts: list[str] = []
        for unit in self:
            if length <= 0:
                break
            texts.append(unit.text)
            length -= len(unit.text)
        return "".join(texts)

    def __iter__(self) -> Iterator[Unit]:
        return chain.from_iterable(chunk.units for chunk in self._chunks)

    def collect(self, function: Callable[[Unit], tuple[T, ...]], *, in_blocks: bool = False) -> Iterator[tuple[int, T]]:
        """The values of `function` over all units, each with the absolute offset of its unit.

        `in_blocks`: the function has values only for units with `<pattern_refs>` blocks; the others are passed over.
        The cost follows the number of values and of chunks, not of units: both levels remember theirs.
        """
        for base, chunk in zip(self._offsets, self._chunks, strict=False):
            for offset, value in chunk.derived(function, in_blocks=in_blocks):
                yield base + offset, value

    def unit(self, place: Place) -> Unit:
        """The unit at `place`."""
        return self._chunks[place.chunk].units[place.number]

    def at_offset(self, offset: int) -> Place:
        """The unit that holds the character at `offset`; the last one at and behind the end."""
        chunk = min(bisect_right(self._offsets, offset) - 1, len(self._chunks) - 1)
        inner = self._chunks[chunk].offsets
        index = min(bisect_right(inner, offset - self._offsets[chunk]) - 1, len(inner) - 2)
        return self._place(chunk, index)

    def at_line(self, line: int) -> Place:
        """The unit in which line `line` (from 0) begins; the last one at and behind the end."""
        chunk = min(bisect_right(self._lines, line) - 1, len(self._chunks) - 1)
        inner = self._chunks[chunk].lines
        index = min(bisect_right(inner, line - self._lines[chunk]) - 1, len(inner) - 2)
        return self._place(chunk, index)

    def _place(self, chunk: int, index: int) -> Place:
        inner = self._chunks[chunk]
        return Place(
            chunk,
            index,
            self._offsets[chunk] + inner.offsets[index],
            self._lines[chunk] + inner.lines[index],
            self._newlines[chunk] + inner.newlines[index],
        )

    def edit(self, start: int, end: int, text: str) -> Units:
        """The units after the text between the offsets `start` and `end` was replaced by `text`."""
        first, last = self.at_offset(start), self.at_offset(max(start, end - 1))
        head = self.unit(first).text[: start - first.offset]
        window = head + text + self.unit(last).text[end - last.offset :]
        reopened = self._first_open(first, window)
        if reopened:
            window = self.text[reopened.offset : first.offset] + window
            first = reopened
        fresh, behind = self._read(self.unit(first).lead, window, last)
        return self._spliced(first, behind, fresh)

    def _first_open(self, before: Place, window: str) -> Place | None:
        """The first unit before `before` whose open end may lie in `window`."""
        ends_block, ends_tag = BLOCK_END.search(window) is not None, ">" in window
        for number, chunk in enumerate(self._chunks[: before.chunk + 1]):
            if chunk.open_index is None:
                continue
            for index, unit in enumerate(chunk.units):
                if (number, index) >= (before.chunk, before.number):
                    return None
                if (unit.open_block and ends_block) or (unit.open_tag and ends_tag):
                    return self._place(number, index)
        return None

    def _read(self, lead: str, window: str, last: Place) -> tuple[list[Unit], tuple[int, int]]:
        """Cut `window`, taking in units behind `last` until a cut meets an old one; also tells where those begin."""
        fresh: list[Unit] = []
        following = self._after(last.chunk, last.number)
        taken = 1
        while True:
            more = list(_take(self._from(following), taken))
            units, consumed = segment(lead, window, final=not more)
            fresh += units
            lead = fresh[-1].tail if fresh else lead
            if not more or (consumed == len(window) and lead == more[0].lead):
                return fresh, following
            if consumed == len(window):
                more, taken = more[:1], 1
            window = window[consumed:] + "".join(unit.text for unit in more)
            following = self._skip(following, len(more))
            taken *= 2

    def _after(self, chunk: int, index: int) -> tuple[int, int]:
        return (chunk, index + 1) if index + 1 < len(self._chunks[chunk].units) else (chunk + 1, 0)

    def _skip(self, position: tuple[int, int], count: int) -> tuple[int, int]:
        for _ in range(count):
            position = self._after(*position)
        return position

    def _from(self, position: tuple[int, int]) -> Iterator[Unit]:
        chunk, index = position
        if chunk < len(self._chunks):
            yield from self._chunks[chunk].units[index:]
        for later in self._chunks[chunk + 1 :]:
            yield from later.units

    def _spliced(self, first: Place, behind: tuple[int, int], fresh: list[Unit]) -> Units:
        head = self._chunks[first.chunk].units[: first.number]
        kept = behind[0]
        tail: tuple[Unit, ...] = ()
        if behind[1]:
            tail, kept = self._chunks[behind[0]].units[behind[1] :], behind[0] + 1
        middle = _chunked([*head, *fresh, *tail])
        return Units((*self._chunks[: first.chunk], *middle, *self._chunks[kept:]))


def _take(units: Iterator[Unit], count: int) -> Iterator[Unit]:
    return (unit for unit, _ in zip(units, range(count), strict=False))


def _chunked(units: list[Unit]) -> tuple[_Chunk, ...]:
    """Chunks of about equal size, none over the limit."""
    count = max(1, -(-len(units) // _CHUNK))
    size = max(1, -(-len(units) // count))
    return tuple(_Chunk(tuple(units[start : start + size])) for start in range(0, max(1, len(units)), size))
