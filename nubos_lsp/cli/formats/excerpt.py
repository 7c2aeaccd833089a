"""Draws a line of a plan with marks under it, aligned as a terminal shows it and cut around what matters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nubos_lsp.cli.formats.cells import glyphs, widths
from nubos_lsp.text.span import Span
from nubos_lsp.workspace.document import Document

MAIN, RELATED = "^", "-"
_CUT = "…"


class Mark(NamedTuple):
    """A span to underline with `sign`."""

    span: Span
    sign: str


def line_column(document: Document, offset: int) -> tuple[int, int]:
    """Line and column of an offset for people: from 1, columns in code points. Costs nothing on a long line."""
    place = document.units.at_offset(offset)
    unit, local = document.units.unit(place), offset - place.offset
    line = unit.line_of(local)
    return place.line + line + 1, local - unit.line_starts[line] + 1


def draw(document: Document, line: int, marks: Sequence[Mark], room: int) -> tuple[str, str]:
    """The text of `line` (from 1) in at most `room` cells, and the row of marks to stand under it.

    The last mark is the one that must be seen, and wins where marks overlap. A span that goes on behind what is shown
    ends with `…`.
    """
    whole = document.line_span(line - 1)
    shown, cells = _view(document.text, whole, marks[-1].span if marks else Span(whole.start, whole.start), room)
    head = _CUT if shown.start > whole.start else ""
    tail = _CUT if shown.end < whole.end else ""
    source = "".join(
        " " * width if glyph == "\t" else glyph
        for glyph, width in zip(glyphs(shown.of(document.text)), cells, strict=True)
    )
    columns = [len(head)]
    for width in cells:
        columns.append(columns[-1] + width)
    return f"{head}{source}{tail}", _mark_row(marks, shown, columns)


def _mark_row(marks: Sequence[Mark], shown: Span, columns: list[int]) -> str:
    row: list[str] = []
    for mark in marks:
        if mark.span.start > shown.end or mark.span.end < shown.start:
            continue
        start = columns[max(mark.span.start - shown.start, 0)]
        end = columns[min(mark.span.end, shown.end) - shown.start]
        signs = mark.sign * max(1, end - start) + (_CUT if mark.span.end > shown.end else "")
        row += " " * (start + len(signs) - len(row))
        row[start : start + len(signs)] = signs
    return "".join(row).rstrip()


def _view(text: str, line: Span, focus: Span, room: int) -> tuple[Span, list[int]]:
    """The stretch of a line to show, and the cells of its characters. Looks only at what can have room."""
    at = min(max(focus.start, line.start), line.end)
    near = Span(max(line.start, at - room), min(line.end, at + room))
    cells = widths(glyphs(near.of(text)))
    if near == line and sum(cells) <= room:
        return line, cells
    room -= 2 * len(_CUT)
    before = _fitting(cells[: at - near.start][::-1], max(room // 3, room - sum(cells[at - near.start :])))
    start = at - near.start - before
    end = start + before + _fitting(cells[start + before :], room - sum(cells[start : start + before]))
    return Span(near.start + start, near.start + end), cells[start:end]


def _fitting(cells: Sequence[int], room: int) -> int:
    """How many of `cells` have room."""
    for index, width in enumerate(cells):
        room -= width
        if room < 0:
            return index
    return len(cells)
