"""Where a `<pattern_ref>` and an entry of `<files_read>` go.

There may be several places, the best first: the gate finds the markers of a block by plain text and pairs quotes to the
end of a block, so what stands around can spoil a place. Whoever applies the edit makes sure that it worked. Of all
places the start of a block is the safest. Source: ADR-0032 section 2, gate-details 16 and 17.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from nubos_lsp.plan.build import (
    Attributes,
    Lines,
    Surroundings,
    append,
    at_top,
    before,
    child_indent,
    element_lines,
    indent_unit,
    indented,
    insertion,
    line_start,
    next_line,
    own_indent,
    prepend,
    rest_of_line,
    tag_lines,
    without_line_end,
)
from nubos_lsp.plan.citations import list_citations
from nubos_lsp.plan.references import find_blocks
from nubos_lsp.syntax.tree import Element
from nubos_lsp.text.edit import TextEdit
from nubos_lsp.text.span import Span, outermost

_TRIED = 3  # Elements of one name that are tried; a plan has one.


def pattern_ref_edits(around: Surroundings, attributes: Attributes) -> Iterator[TextEdit]:
    """A new `<pattern_ref>`: in a block that is there, in a new block, or in a new `<reality_check>`.

    The best place comes first; not every one works for the gate.
    """
    for block in islice(around.tree.elements("pattern_refs"), _TRIED):
        yield from _in_block(around, block, tag_lines("pattern_ref", attributes, inline=_is_inline(block, around.text)))
    unit = indent_unit(around.text)
    lines = element_lines("pattern_refs", tag_lines("pattern_ref", attributes), unit)
    checks = around.tree.elements("reality_check")
    for check in islice(checks, _TRIED):
        yield from _in_reality_check(around, check, lines)
    if not checks:
        lines = element_lines("reality_check", lines, unit)
        yield from (at_top(around, offset, lines) for offset in _places_at_top(around))
    stray = find_blocks(around.text)[1]
    if stray is not None:
        yield at_top(around, _before_paragraph(around, stray), lines)
    yield at_top(around, 0, lines)


def _in_block(around: Surroundings, block: Element, lines: Lines) -> Iterator[TextEdit]:
    if block.unclosed:
        yield from _completions(around, block, lines)
    elif not block.empty:
        yield append(around, block, lines)
        yield prepend(around, block, lines)


def _completions(around: Surroundings, block: Element, lines: Lines) -> Iterator[TextEdit]:
    """A block that is being typed gets its end marker along: behind what stands in it already, or at once."""
    text, indent = around.text, own_indent(around.text, block)
    parts = indented(lines, child_indent(around, block), around.newline)
    for end in (block.content.end, block.open.span.end):
        at = max(block.open.span.end, len(text[:end].rstrip()))
        closing = (around.newline, indent, "</pattern_refs>", *_line_break_before(around, at))
        yield TextEdit(Span(at, at), insertion((around.newline, *parts, *closing)))


def _line_break_before(around: Surroundings, offset: int) -> tuple[str, ...]:
    """A line end, unless nothing but white space follows on the line."""
    return (around.newline,) if rest_of_line(around.text, offset).strip() else ()


def _in_reality_check(around: Surroundings, check: Element, lines: Lines) -> Iterator[TextEdit]:
    if check.empty:
        return
    unknowns = next((child for child in check.children if child.name == "unknowns"), None)
    if unknowns:
        yield before(around, unknowns, lines)
    if not check.unclosed:
        yield append(around, check, lines)
    yield prepend(around, check, lines)


def _places_at_top(around: Surroundings) -> Iterator[int]:
    """Where a new `<reality_check>` may go: above the tasks, behind the objective and the context, at the end."""
    tasks = next(iter((*around.tree.elements("tasks"), *around.tree.elements("task"))), None)
    if tasks:
        yield line_start(around.text, tasks.span.start)
    introductions = (*around.tree.elements("objective"), *around.tree.elements("context"))
    closed = [element.span.end for element in introductions if element.close and element.parent is None]
    if closed:
        yield next_line(around.text, max(closed))
    yield len(around.text)


def _before_paragraph(around: Surroundings, offset: int) -> int:
    """The start of the outermost element, or else of the paragraph, that holds `offset`."""
    element = next(iter(around.tree.path_at(offset)), None)
    comment = around.tree.comment_at(offset)
    start = line_start(around.text, comment.span.start if comment else offset)
    if element:
        return min(start, line_start(around.text, element.span.start))
    fence = next((fence for fence in around.tree.fences if fence.span.contains(offset)), None)
    if fence:
        return line_start(around.text, fence.span.start)
    while start > 0 and not comment:
        previous = line_start(around.text, without_line_end(around.text, start))
        if not around.text[previous:start].strip():
            break
        start = previous
    return start


def listed(around: Surroundings, place: str) -> bool:
    """Whether a `<files_read>` lists exactly `place` (`path:line`)."""
    contents = (element.content for element in around.tree.elements("files_read"))
    texts = (span.of(around.text) for span in outermost(contents))
    return any(citation.span.of(text) == place for text in texts for citation in list_citations(text))


def files_read_edit(around: Surroundings, place: str) -> TextEdit | None:
    """`place` as a further entry of `<files_read>`; None without one, or when it is listed."""
    element = next((element for element in around.tree.elements("files_read") if element.close), None)
    if element is None or listed(around, place):
        return None
    bullet = "*" if element.content.of(around.text).lstrip().startswith("* ") else "-"
    return append(around, element, ((f"{bullet} {place}",),))


def new_files_read_edit(around: Surroundings, place: str) -> TextEdit | None:
    """A `<files_read>` with the entry `place`, first in `<reality_check>`; None without one."""
    check = next((element for element in around.tree.elements("reality_check") if not element.empty), None)
    if check is None:
        return None
    lines = element_lines("files_read", ((f"- {place}",),), indent_unit(around.text))
    return prepend(around, check, lines)


def _is_inline(block: Element, text: str) -> bool:
    """Whether the references of a block are written on one line each."""
    spans = [child.open.span for child in block.children if child.name == "pattern_ref"]
    return bool(spans) and all(not set(span.of(text)) & {"\n", "\r"} for span in spans)
