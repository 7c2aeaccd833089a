"""Builds tags and puts them in their places, indented like their surroundings and with the plan's line ends.

What is built is lines with tab stops as data; a place (in, above or behind an element, or at the top of the plan) makes
an edit of them. Source: plan-format.md (A slice plan).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from nubos_lsp.syntax.frontmatter import frontmatter_span
from nubos_lsp.syntax.tree import Element, Tree
from nubos_lsp.text.edit import Insert, Snippet, TabStop, TextEdit
from nubos_lsp.text.span import Span

Value: TypeAlias = "tuple[str | TabStop, ...]"
Attributes: TypeAlias = "Sequence[tuple[str, Value]]"
Lines: TypeAlias = "tuple[Value, ...]"

_WIDEST_UNIT = 8
_INDENTED_TAG = re.compile(r"^([ \t]+)<", re.MULTILINE)
_INDENT = re.compile(r"[ \t]*")
_REST_OF_LINE = re.compile(r"[^\r\n]*")
_LINE_END = re.compile(r"\r\n|\n|\r")


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


def append(around: Surroundings, element: Element, lines: Lines) -> TextEdit:
    """`lines` as the last of an element's content; it must have a closing tag."""
    text, closing = around.text, element.content.end
    parts = indented(lines, child_indent(around, element), around.newline)
    start = line_start(text, closing)
    if start >= element.open.span.end and not text[start:closing].strip():
        return TextEdit(Span(start, start), insertion((*parts, around.newline)))
    at = max(element.open.span.end, len(text[:closing].rstrip(" \t")))
    return TextEdit(Span(at, closing), insertion((around.newline, *parts, around.newline, own_indent(text, element))))


def prepend(around: Surroundings, element: Element, lines: Lines) -> TextEdit:
    """`lines` as the first of an element's content."""
    text, at = around.text, element.open.span.end
    indent = child_indent(around, element)
    parts = (around.newline, *indented(lines, indent, around.newline))
    if not rest_of_line(text, at).strip():
        return TextEdit(Span(at, at), insertion(parts))
    behind = at + len(_leading(text, at))
    ends_here = element.close is not None and element.close.span.start == behind
    rest_indent = own_indent(text, element) if ends_here else indent
    return TextEdit(Span(at, behind), insertion((*parts, around.newline, rest_indent)))


def before(around: Surroundings, element: Element, lines: Lines) -> TextEdit:
    """`lines` above an element, indented as it is."""
    start = element.span.start
    line = line_start(around.text, start)
    indent = _leading(around.text, line)
    parts = indented(lines, indent, around.newline)
    if not around.text[line:start].strip():
        return TextEdit(Span(line, line), insertion((*parts, around.newline)))
    return TextEdit(Span(start, start), insertion((around.newline, *parts, around.newline, indent)))


def behind(around: Surroundings, span: Span, lines: Lines, inline: Lines) -> TextEdit:
    """`lines` below what `span` covers, indented as it is; `inline` behind it, when it does not begin its line."""
    line = line_start(around.text, span.start)
    indent = around.text[line : span.start]
    if indent.strip():
        return TextEdit(Span(span.end, span.end), insertion((" ", *indented(inline, "", around.newline))))
    return TextEdit(Span(span.end, span.end), insertion((around.newline, *indented(lines, indent, around.newline))))


def at_top(around: Surroundings, offset: int, lines: Lines) -> TextEdit:
    """`lines` at the start of a line, with one blank line on both sides; never in the frontmatter or before a BOM."""
    text, newline = around.text, around.newline
    head = frontmatter_span(text)
    offset = max(offset, next_line(text, head.end) if head else 0, 1 if text.startswith("\ufeff") else 0)
    above, below = text[:offset].removeprefix("\ufeff"), text[offset:]
    lead: tuple[str, ...] = ()
    if above and above[-1] not in "\r\n":
        lead = (newline, newline)
    elif above and above[line_start(above, without_line_end(above, len(above))) :].strip():
        lead = (newline,)
    trail = (newline, newline) if rest_of_line(below, 0).strip() else (newline,)
    return TextEdit(Span(offset, offset), insertion((*lead, *indented(lines, "", newline), *trail)))


def removable(text: str, span: Span) -> Span:
    """`span` to be removed: with its line, line end and all, when nothing else stands on it."""
    start, behind = line_start(text, span.start), next_line(text, span.end)
    alone = not text[start : span.start].strip() and not rest_of_line(text, span.end).strip()
    return Span(start, behind) if alone else span


def child_indent(around: Surroundings, element: Element) -> str:
    """The indent of the first line of an element's content; without one, a step more than the element's own."""
    start = next_line(around.text, element.open.span.end)
    for line in _REST_OF_LINE.finditer(around.text, start, max(start, element.content.end)):
        if line[0].strip():
            return _leading(line[0], 0)
    return own_indent(around.text, element) + indent_unit(around.text)


def own_indent(text: str, element: Element) -> str:
    """The white space with which an element's line begins."""
    return _leading(text, line_start(text, element.span.start))


def indent_unit(text: str) -> str:
    """By how much `text` indents: as its first indented tag, or two spaces."""
    match = _INDENTED_TAG.search(text)
    if not match:
        return "  "
    return "\t" if match[1].startswith("\t") else match[1][:_WIDEST_UNIT].replace("\t", "  ")


def insertion(parts: Iterable[str | TabStop]) -> Insert:
    """`parts` as one: plain text unless there is a tab stop in it."""
    parts = tuple(parts)
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


def indented(lines: Lines, indent: str, newline: str) -> Value:
    """All of `lines` with `indent` before each and `newline` between them."""
    parts: list[str | TabStop] = []
    for line in lines:
        parts += [newline] if parts else []
        parts += [indent, *line]
    return tuple(parts)


def _leading(text: str, start: int) -> str:
    match = _INDENT.match(text, start)
    return match[0] if match else ""


def rest_of_line(text: str, start: int) -> str:
    """What follows `start` on its line."""
    match = _REST_OF_LINE.match(text, start)
    return match[0] if match else ""


def line_start(text: str, offset: int) -> int:
    """Where the line of `offset` begins."""
    line_feed = text.rfind("\n", 0, offset)
    return max(line_feed, text.rfind("\r", line_feed + 1, offset)) + 1


def without_line_end(text: str, start: int) -> int:
    """Where the content of the line ends that the line at `start` follows."""
    start -= text.startswith("\n", start - 1) if start else 0
    return start - (text.startswith("\r", start - 1) if start else 0)


def next_line(text: str, offset: int) -> int:
    """The start of the line behind that of `offset`; the end of the text when it is the last."""
    match = _LINE_END.search(text, offset)
    return match.end() if match else len(text)
