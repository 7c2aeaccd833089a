"""`<pattern_refs>` blocks and the tags inside them, exactly as the gate reads them.

The markers of a block are found by plain text, so a mention in backticks or a comment opens one. Inside, a tag ends at
the first `>` outside double quotes; a quote without a partner in the block is an ordinary character. Tags of the two
kinds are looked for separately. A tag that begins inside an HTML comment is none.
Source: ADR-0032 section 2 and 3, rules.md G1, gate-details 16 and 17.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from nubos_lsp.prose.ecmascript import WHITE_SPACE, trim
from nubos_lsp.text.span import Span

PATTERN_REF = "pattern_ref"
DEVIATION = "deviation"

BLOCK_START = re.compile(r"<pattern_refs>", re.IGNORECASE | re.ASCII)
BLOCK_END = re.compile(r"</pattern_refs>", re.IGNORECASE | re.ASCII)

_TAG = {kind: re.compile(rf"<{kind}\b", re.IGNORECASE | re.ASCII) for kind in (PATTERN_REF, DEVIATION)}
_QUOTE_OR_END = re.compile(r'[">]')
_NAME_RUN = re.compile(r"[A-Za-z0-9_-]+")
_NAME_START = re.compile(r"[A-Za-z_]")


class Attribute(NamedTuple):
    """`name="value"`; `value` is trimmed, `value_span` is all between the quotes."""

    name: str
    value: str
    name_span: Span
    value_span: Span


class ReferenceTag(NamedTuple):
    """A `<pattern_ref>` or `<deviation>` that counts. Of a repeated attribute the last is kept."""

    kind: str
    span: Span
    attributes: Mapping[str, Attribute]

    def value(self, name: str) -> str:
        """The trimmed value of an attribute, "" when it is missing: for the gate these are the same."""
        attribute = self.attributes.get(name)
        return attribute.value if attribute else ""

    @property
    def label(self) -> str:
        """What to call the tag in a message."""
        return self.value("symbol") or self.value("at") or "(unnamed)"

    def shift(self, by: int) -> ReferenceTag:
        """The same tag in a text that begins `by` code points earlier."""
        attributes = {
            name: attribute._replace(name_span=attribute.name_span.shift(by), value_span=attribute.value_span.shift(by))
            for name, attribute in self.attributes.items()
        }
        return ReferenceTag(self.kind, self.span.shift(by), attributes)


def find_blocks(text: str) -> tuple[tuple[Span, ...], int | None]:
    """The blocks of `text`, and where a start marker stands that no end marker follows (None: nowhere)."""
    blocks: list[Span] = []
    start = BLOCK_START.search(text)
    while start:
        end = BLOCK_END.search(text, start.end())
        if not end:
            return tuple(blocks), start.start()
        blocks.append(Span(start.start(), end.end()))
        start = BLOCK_START.search(text, end.end())
    return tuple(blocks), None


def reference_tags(text: str, block: Span) -> Iterator[ReferenceTag]:
    """The tags of one block: all `<pattern_ref>`, then all `<deviation>`; spans are in `text`."""
    comments = _comments(text, block)
    for kind in (PATTERN_REF, DEVIATION):
        yield from _tags(text, block, kind, comments)


def _tags(text: str, block: Span, kind: str, comments: tuple[Span, ...]) -> Iterator[ReferenceTag]:
    match = _TAG[kind].search(text, block.start, block.end)
    while match:
        end = match.end()
        if not _inside(comments, match.start()):
            end = _tag_end(text, match.end(), block.end)
            yield ReferenceTag(kind, Span(match.start(), end), _attributes(text, match.end(), end - 1))
        match = _TAG[kind].search(text, end, block.end)


def _tag_end(text: str, start: int, limit: int) -> int:
    """Behind the first `>` outside quotes. The block's own end marker has one, so there always is one."""
    match = _QUOTE_OR_END.search(text, start, limit)
    while match and match[0] == '"':
        partner = text.find('"', match.end(), limit)
        match = _QUOTE_OR_END.search(text, match.end() if partner < 0 else partner + 1, limit)
    return match.end() if match else limit


def _attributes(text: str, start: int, end: int) -> dict[str, Attribute]:
    found: dict[str, Attribute] = {}
    run = _NAME_RUN.search(text, start, end)
    while run:
        attribute = _attribute(text, run, end)
        if attribute:
            found[attribute.name] = attribute
        run = _NAME_RUN.search(text, attribute.value_span.end + 1 if attribute else run.end(), end)
    return found


def _attribute(text: str, run: re.Match[str], end: int) -> Attribute | None:
    """The attribute whose name ends with `run`. Digits and dashes before its first letter are not part of the name."""
    name = _NAME_START.search(text, run.start(), run.end())
    equals = _skip_space(text, run.end(), end)
    if not name or equals >= end or text[equals] != "=":
        return None
    opening = _skip_space(text, equals + 1, end)
    if opening >= end or text[opening] != '"':
        return None
    closing = text.find('"', opening + 1, end)
    if closing < 0:
        return None
    value = Span(opening + 1, closing)
    name_span = Span(name.start(), run.end())
    return Attribute(name_span.of(text), trim(value.of(text)), name_span, value)


def _skip_space(text: str, start: int, end: int) -> int:
    while start < end and text[start] in WHITE_SPACE:
        start += 1
    return start


def _comments(text: str, block: Span) -> tuple[Span, ...]:
    """The closed HTML comments of a block. One that does not end in the block hides nothing: it is being typed."""
    comments: list[Span] = []
    start = text.find("<!--", block.start, block.end)
    while start >= 0:
        end = text.find("-->", start + 4, block.end)
        if end < 0:
            break
        comments.append(Span(start, end + 3))
        start = text.find("<!--", end + 3, block.end)
    return tuple(comments)


def _inside(spans: tuple[Span, ...], offset: int) -> bool:
    index = bisect_right(spans, offset, key=lambda span: span.start) - 1
    return index >= 0 and offset < spans[index].end
