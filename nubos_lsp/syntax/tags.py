"""One tag and its attributes, read from where its `<` stands.

A tag ends at the first `>` outside quotes. Without one it ends before the next `<`, a blank line or a line that begins
a fence: the user is typing. Quotes count only behind `=`; anything else that is no attribute is skipped.
Each function looks at no more text than it consumes, but for a bounded number of looks at the same stretch.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from nubos_lsp.syntax.tokens import Tag, TagAttribute, TagKind
from nubos_lsp.text.span import Span

TAG_NAME = r"[A-Za-z_][\w-]*"

_START = re.compile(rf"<(/?)({TAG_NAME})(?![\w:.@+-])")
_GAP_TEXT = r"[^\S\r\n]*(?:(?:\r\n|\n|\r)[^\S\r\n]*)?"
_GAP = re.compile(_GAP_TEXT)
_EQUALS = re.compile(rf"{_GAP_TEXT}(=){_GAP_TEXT}")
_ATTRIBUTE_NAME = re.compile(r"[^\W\d][\w.:-]*")
_FURTHER_ATTRIBUTE = re.compile(r"[^\W\d][\w.:-]*[ \t]*=")
_UNQUOTED = re.compile(r"(?:[^\s<>/]|/(?!>))+")
_TO_CLOSE = re.compile(r"[^<>\r\n]*>")
_OPEN_VALUE = re.compile(r"[^>\r\n]*")

_STOP = r"(?:\r\n|\n|\r(?!\n))[ \t]*(?=[<\r\n]|```|~~~)"
_CURLY = "“"
_QUOTES = {'"': '"', "'": "'", "“": _CURLY, "”": _CURLY, "„": _CURLY}
_VALUE_END = {
    '"': re.compile(rf'(")|{_STOP}'),
    "'": re.compile(rf"(')|{_STOP}"),
    _CURLY: re.compile(rf"([“”„])|{_STOP}"),
}


class _Value(NamedTuple):
    span: Span
    quote: str
    closed: bool
    end: int


def read_tag(text: str, start: int, *, structural: bool) -> Tag | None:
    """The tag whose `<` is at `start`; None when that is no tag: `a < b`, `Array<string>`, `<https://…>`."""
    match = _START.match(text, start)
    if not match or (not match[1] and start and _is_word(text[start - 1])):
        return None
    name_span = Span(*match.span(2))
    if match[1]:
        end, closed = _closing_end(text, name_span.end)
        return Tag(Span(start, end), match[2].lower(), name_span, TagKind.CLOSE, (), closed, structural)
    attributes: list[TagAttribute] = []
    end, kind, closed = _read_attributes(text, name_span.end, attributes)
    return Tag(Span(start, end), match[2].lower(), name_span, kind, tuple(attributes), closed, structural)


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _closing_end(text: str, start: int) -> tuple[int, bool]:
    match = _TO_CLOSE.match(text, start)
    if match:
        return match.end(), True
    end = _skip(text, start)
    return (end + 1, True) if text.startswith(">", end) else (start, False)


def _read_attributes(text: str, start: int, attributes: list[TagAttribute]) -> tuple[int, TagKind, bool]:
    """Read up to the end of the tag; gives where that is, the kind of tag, and whether it has its `>`."""
    while True:
        position = _skip(text, start)
        character = text[position : position + 1]
        if character in ("", "<", "\r", "\n") or _begins_fence(text, start, position):
            return start, TagKind.OPEN, False
        if character == ">":
            return position + 1, TagKind.OPEN, True
        if text.startswith("/>", position):
            return position + 2, TagKind.EMPTY, True
        name = _ATTRIBUTE_NAME.match(text, position)
        if name:
            attribute, start = _attribute(text, Span(*name.span()))
            attributes.append(attribute)
        else:
            start = position + 1


def _skip(text: str, start: int) -> int:
    """Behind the white space at `start`, with at most one line end in it."""
    match = _GAP.match(text, start)
    return match.end() if match else start


def _begins_fence(text: str, start: int, position: int) -> bool:
    gap = text[start:position]
    return text.startswith(("```", "~~~"), position) and ("\n" in gap or "\r" in gap)


def _attribute(text: str, name: Span) -> tuple[TagAttribute, int]:
    """The attribute with that name, and where the next one may begin."""
    equals = _EQUALS.match(text, name.end)
    if not equals:
        return TagAttribute(name.of(text), name, None, None, ""), name.end
    value = _value(text, equals.end(1), equals.end())
    return TagAttribute(name.of(text), name, value.span.of(text), value.span, value.quote, value.closed), value.end


def _value(text: str, behind_equals: int, start: int) -> _Value:
    quote = _QUOTES.get(text[start : start + 1])
    if quote:
        return _quoted(text, start + 1, quote)
    gap = text[behind_equals:start]
    missing = "\n" in gap or "\r" in gap or (gap and _FURTHER_ATTRIBUTE.match(text, start))
    match = None if missing else _UNQUOTED.match(text, start)
    if not match:
        return _Value(Span(behind_equals, behind_equals), "", True, behind_equals)
    return _Value(Span(*match.span()), "", True, match.end())


def _quoted(text: str, start: int, quote: str) -> _Value:
    """The value that begins at `start`, behind its quote.

    A quote is not closed when a line that begins with `<` or a fence, or a blank line, comes first, or when what would
    close it opens the value of a further attribute: `id="M001 wave="1"`. Then the value ends with its line or at `>`.
    """
    match = _VALUE_END[quote].search(text, start)
    limit = match.start() if match else len(text)
    if match and match[1]:
        further = _further_attribute(text, start, limit)
        if further is None:
            return _Value(Span(start, limit), quote, True, match.end())
        limit = further
    found = _OPEN_VALUE.match(text, start, limit)
    end = found.end() if found else start
    if end > start and text.startswith("/>", end - 1):
        end -= 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return _Value(Span(start, end), quote, False, end)


def _further_attribute(text: str, start: int, closing: int) -> int | None:
    """Where in the value, from `start` to the quote at `closing`, the name begins that this quote opens a value for."""
    behind = text[closing + 1 : closing + 2]
    if text[closing - 1] != "=" or behind in ("", ">", "/") or behind.isspace():
        return None
    name = closing - 1
    while name > start and (_is_word(text[name - 1]) or text[name - 1] in ".:-"):
        name -= 1
    return name if name > start and name < closing - 1 and text[name - 1].isspace() else None
