"""Builds tags and finds where they go, indented like their surroundings and with the plan's line ends.

What is built is lines with tab stops as data; a place makes an edit of them. There may be several places for one thing,
the best first: the gate finds the markers of a block by plain text and pairs quotes to the end of a block, so what stands
around can spoil a place. Whoever applies the edit makes sure that it worked. Of all places the start of a block is the
safest. Source: plan-format.md (A slice plan), gate-details 16 and 17.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

from nubos_lsp.plan.references import find_blocks
from nubos_lsp.syntax.frontmatter import frontmatter_span
from nubos_lsp.syntax.tree import Element, Tree
from nubos_lsp.text.edit import Insert, Snippet, TabStop, TextEdit
from nubos_lsp.text.span import Span

Value: TypeAlias = "tuple[str | TabStop, ...]"
Attributes: TypeAlias = "Sequence[tuple[str, Value]]"
Lines: TypeAlias = "tuple[Value, ...]"

_TRIED = 3  # Elements of one name that are tried; a plan has one.
_WIDEST_UNIT = 8
_INDENTED_TAG = re.compile(r"^([ \t]+)<", re.MULTILINE)
_INDENT = re.compile(r"[ \t]*")
_REST_OF_LINE = re.compile(r"[^\r\n]*")
_LINE_END = re.compile(r"\r\n|\n|\r")
_SEPARATORS = re.compile(r"[\s`\"',;()\[\]]+")


class Surroundings(NamedTuple):
    """The plan in which something is placed: its text, its tags, its line end."""

    text: str
    tree: Tree
    newline: str


def tag_lines(name: str, attributes: Attributes, *, inline: bool = False) -> Lines:
    """An empty tag: an attribute a line, aligned, or all `inline`."""
    written = [(f'{attribute}="', *value, '"') for attribute, value in attributes]
    if inline:
        return ((f"<{name}", *(part for parts in written for part in (" ", *parts)), "/>"),)
    first, *rest = written
    margin = " " * (len(name) + 2)
    lines = [(f"<{name} ", *first), *((margin, *parts) for parts in rest)]
    return (*lines[:-1], (*lines[-1], "/>"))


def element_lines(name: str, inner: Lines, unit: str) -> Lines:
    """An element around `inner`, which is indented by `unit`."""
    return ((f"<{name}>",), *((unit, *line) for line in inner), (f"</{name}>",))


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
        yield from (_at_top(around, offset, lines) for offset in _places_at_top(around))
    stray = find_blocks(around.text)[1]
    if stray is not None:
        yield _at_top(around, _before_paragraph(around, stray), lines)


def _in_block(around: Surroundings, block: Element, lines: Lines) -> Iterator[TextEdit]:
    if block.unclosed:
        yield from _completions(around, block, lines)
    elif not block.empty:
        yield append(around, block, lines)
        yield prepend(around, block, lines)


def _completions(around: Surroundings, block: Element, lines: Lines) -> Iterator[TextEdit]:
    """A block that is being typed gets its end marker along: behind what stands in it already, or at once."""
    text, indent = around.text, own_indent(around.text, block)
    parts = _indented(lines, child_indent(around, block), around.newline)
    for end in (block.content.end, block.open.span.end):
        at = max(block.open.span.end, len(text[:end].rstrip()))
        closing = (around.newline, indent, "</pattern_refs>", *_line_break_before(around, at))
        yield TextEdit(Span(at, at), _insert((around.newline, *parts, *closing)))


def _line_break_before(around: Surroundings, offset: int) -> tuple[str, ...]:
    """A line end, unless nothing but white space follows on the line."""
    return (around.newline,) if _rest(around.text, offset).strip() else ()


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
        yield _line_start(around.text, tasks.span.start)
    introductions = (*around.tree.elements("objective"), *around.tree.elements("context"))
    closed = [element.span.end for element in introductions if element.close and element.parent is None]
    if closed:
        yield _next_line(around.text, max(closed))
    yield len(around.text)


def _before_paragraph(around: Surroundings, offset: int) -> int:
    """The start of the outermost element, or else of the paragraph, that holds `offset`."""
    element = next(iter(around.tree.path_at(offset)), None)
    comment = around.tree.comment_at(offset)
    start = _line_start(around.text, comment.span.start if comment else offset)
    if element:
        return min(start, _line_start(around.text, element.span.start))
    fence = next((fence for fence in around.tree.fences if fence.span.contains(offset)), None)
    if fence:
        return _line_start(around.text, fence.span.start)
    while start > 0 and not comment:
        previous = _line_start(around.text, _without_line_end(around.text, start))
        if not around.text[previous:start].strip():
            break
        start = previous
    return start


def append(around: Surroundings, element: Element, lines: Lines) -> TextEdit:
    """`lines` as the last of an element's content; it must have a closing tag."""
    text, closing = around.text, element.content.end
    parts = _indented(lines, child_indent(around, element), around.newline)
    start = _line_start(text, closing)
    if start >= element.open.span.end and not text[start:closing].strip():
        return TextEdit(Span(start, start), _insert((*parts, around.newline)))
    at = max(element.open.span.end, len(text[:closing].rstrip(" \t")))
    return TextEdit(Span(at, closing), _insert((around.newline, *parts, around.newline, own_indent(text, element))))


def prepend(around: Surroundings, element: Element, lines: Lines) -> TextEdit:
    """`lines` as the first of an element's content."""
    text, at = around.text, element.open.span.end
    indent = child_indent(around, element)
    parts = (around.newline, *_indented(lines, indent, around.newline))
    if not _rest(text, at).strip():
        return TextEdit(Span(at, at), _insert(parts))
    behind = at + len(_leading(text, at))
    ends_here = element.close is not None and element.close.span.start == behind
    rest_indent = own_indent(text, element) if ends_here else indent
    return TextEdit(Span(at, behind), _insert((*parts, around.newline, rest_indent)))


def before(around: Surroundings, element: Element, lines: Lines) -> TextEdit:
    """`lines` above an element, indented as it is."""
    start = element.span.start
    line = _line_start(around.text, start)
    indent = _leading(around.text, line)
    parts = _indented(lines, indent, around.newline)
    if not around.text[line:start].strip():
        return TextEdit(Span(line, line), _insert((*parts, around.newline)))
    return TextEdit(Span(start, start), _insert((around.newline, *parts, around.newline, indent)))


def behind(around: Surroundings, span: Span, lines: Lines, inline: Lines) -> TextEdit:
    """`lines` below what `span` covers, indented as it is; `inline` behind it, when it does not begin its line."""
    line = _line_start(around.text, span.start)
    indent = around.text[line : span.start]
    if indent.strip():
        return TextEdit(Span(span.end, span.end), _insert((" ", *_indented(inline, "", around.newline))))
    return TextEdit(Span(span.end, span.end), _insert((around.newline, *_indented(lines, indent, around.newline))))


def _at_top(around: Surroundings, offset: int, lines: Lines) -> TextEdit:
    """`lines` at the start of a line, with one blank line on both sides; never in the frontmatter or before a BOM."""
    text, newline = around.text, around.newline
    head = frontmatter_span(text)
    offset = max(offset, _next_line(text, head.end) if head else 0, 1 if text.startswith("\ufeff") else 0)
    above, below = text[:offset].removeprefix("\ufeff"), text[offset:]
    lead: tuple[str, ...] = ()
    if above and above[-1] not in "\r\n":
        lead = (newline, newline)
    elif above and above[_line_start(above, _without_line_end(above, len(above))) :].strip():
        lead = (newline,)
    trail = (newline, newline) if _rest(below, 0).strip() else (newline,)
    return TextEdit(Span(offset, offset), _insert((*lead, *_indented(lines, "", newline), *trail)))


def listed(around: Surroundings, place: str) -> bool:
    """Whether a `<files_read>` lists exactly `place` (`path:line`)."""
    entries = around.tree.elements("files_read")
    return any(place in _SEPARATORS.split(element.content.of(around.text)) for element in entries)


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


def child_indent(around: Surroundings, element: Element) -> str:
    """The indent of the first line of an element's content; without one, a step more than the element's own."""
    start = _next_line(around.text, element.open.span.end)
    for line in _REST_OF_LINE.finditer(around.text, start, max(start, element.content.end)):
        if line[0].strip():
            return _leading(line[0], 0)
    return own_indent(around.text, element) + indent_unit(around.text)


def own_indent(text: str, element: Element) -> str:
    """The white space with which an element's line begins."""
    return _leading(text, _line_start(text, element.span.start))


def indent_unit(text: str) -> str:
    """By how much `text` indents: as its first indented tag, or two spaces."""
    match = _INDENTED_TAG.search(text)
    if not match:
        return "  "
    return "\t" if match[1].startswith("\t") else match[1][:_WIDEST_UNIT].replace("\t", "  ")


def has_tab_stops(edits: Iterable[TextEdit]) -> bool:
    """Whether any of the edits leaves something to type."""
    return any(isinstance(edit.insert, Snippet) for edit in edits)


def inserted(parts: Iterable[str | TabStop]) -> Insert:
    """`parts` as an insertion: plain text unless there is a tab stop in it."""
    return _insert(tuple(parts))


def _insert(parts: Value) -> Insert:
    texts = [part for part in parts if isinstance(part, str)]
    return "".join(texts) if len(texts) == len(parts) else Snippet(_merged(parts))


def _merged(parts: Value) -> Value:
    """`parts` with neighbouring texts as one."""
    merged: list[str | TabStop] = []
    for part in parts:
        last = merged[-1] if merged else None
        if isinstance(part, str) and isinstance(last, str):
            merged[-1] = last + part
        else:
            merged.append(part)
    return tuple(merged)


def _indented(lines: Lines, indent: str, newline: str) -> Value:
    parts: list[str | TabStop] = []
    for line in lines:
        parts += [newline] if parts else []
        parts += [indent, *line]
    return tuple(parts)


def _is_inline(block: Element, text: str) -> bool:
    """Whether the references of a block are written on one line each."""
    spans = [child.open.span for child in block.children if child.name == "pattern_ref"]
    return bool(spans) and all(_LINE_END.search(span.of(text)) is None for span in spans)


def _leading(text: str, start: int) -> str:
    match = _INDENT.match(text, start)
    return match[0] if match else ""


def _rest(text: str, start: int) -> str:
    match = _REST_OF_LINE.match(text, start)
    return match[0] if match else ""


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _without_line_end(text: str, start: int) -> int:
    """Where the content of the line ends that the line at `start` follows."""
    start -= text[:start].endswith("\n")
    return start - text[:start].endswith("\r")


def _next_line(text: str, offset: int) -> int:
    """The start of the line behind that of `offset`; the end of the text when it is the last."""
    match = _LINE_END.search(text, offset)
    return match.end() if match else len(text)
