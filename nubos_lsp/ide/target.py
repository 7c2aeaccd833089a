"""What the cursor stands on.

A place can mean several things: a backticked path in a mirror claim is a token of the claim and names a file. Features
take the first meaning that gives them an answer. Which tag and attribute names what is said by the vocabulary; running
text is looked at near the cursor only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from nubos_lsp.plan.citations import Citation, find_citations, list_citations, value_citations
from nubos_lsp.plan.claims import mirror_claims
from nubos_lsp.plan.vocabulary import CITATION_ELEMENTS, MentionKind, mention
from nubos_lsp.syntax.tokens import Tag, TagAttribute
from nubos_lsp.text.encoding import PositionEncoding
from nubos_lsp.text.span import Span
from nubos_lsp.workspace.document import Document

_NEAR = 2_000  # Code points of a line before and behind the cursor; only generated plans have longer lines.
_LONGEST_LIST = 500  # Lines of a frontmatter list.

_CITING = frozenset({MentionKind.CITATION, MentionKind.FILE, MentionKind.EVIDENCE})
_COMMAND = re.compile(r"(?:\A|[,;])(\s*cmd:)")
_KEY = re.compile(r"([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+|\Z)")
_ITEM = re.compile(r"[ \t]*(?:-(?:[ \t]|\Z)|#|\Z)")


@dataclass(frozen=True)
class CitationTarget:
    """A file of the project, with or without lines. `symbol` is what the tag says to stand there."""

    span: Span
    citation: Citation
    symbol: str | None = None


@dataclass(frozen=True)
class SymbolTarget:
    """The `symbol` of a `<pattern_ref>`; `citation` is its `at`."""

    span: Span
    symbol: str
    citation: Citation | None


@dataclass(frozen=True)
class RefNameTarget:
    """The `ref` of a `<deviation>`: the symbol of a `<pattern_ref>`."""

    span: Span
    name: str


@dataclass(frozen=True)
class TokenTarget:
    """A code token of a mirror claim, normalised."""

    span: Span
    token: str


@dataclass(frozen=True)
class CommandTarget:
    """A command that is given as evidence, without its `cmd:`."""

    span: Span
    command: str


Target: TypeAlias = "CitationTarget | SymbolTarget | RefNameTarget | TokenTarget | CommandTarget"


def target_at(document: Document, offset: int) -> Target | None:
    """The most likely meaning of the place at `offset`; None when it means nothing."""
    return next(targets_at(document, offset), None)


def targets_at(document: Document, offset: int) -> Iterator[Target]:
    """All that the place at `offset` can mean, the most likely first. Each span holds the offset."""
    if not 0 <= offset <= document.length:
        return
    attribute = document.tree.attribute_at(offset)
    tag = document.tree.tag_at(offset)
    if attribute and tag and attribute.value_span and attribute.value_span.contains(offset):
        kind = mention(tag.name, attribute.name)
        yield from _in_attribute(tag, attribute, attribute.value_span, kind, offset)
        if kind in _CITING or kind is MentionKind.SYMBOL:
            return
    else:
        yield from _in_element(document, offset)
        yield from _in_frontmatter(document, offset)
    yield from _in_claims(document, offset)
    yield from _in_prose(document, offset)


def _in_attribute(
    tag: Tag, attribute: TagAttribute, span: Span, kind: MentionKind | None, offset: int
) -> Iterator[Target]:
    value = attribute.value or ""
    if kind in _CITING:
        yield from _in_value(tag, value, span, offset)
    elif kind is MentionKind.REF_NAME:
        yield RefNameTarget(span, value)
    elif kind is MentionKind.SYMBOL:
        yield SymbolTarget(span, value, _cited_by(tag))


def _in_value(tag: Tag, value: str, span: Span, offset: int) -> Iterator[Target]:
    """The command or the nearest citation of a value; a cursor anywhere in the value means it."""
    command = _COMMAND.search(value)
    if command and offset >= span.start + command.start(1):
        yield CommandTarget(Span(span.start + command.start(1), span.end), value[command.end() :])
        return
    citations = [citation.shift(span.start) for citation in value_citations(value)]
    nearest = _nearest(citations, offset)
    if nearest:
        symbol = tag.attribute("symbol")
        alone = len(citations) == 1 and not command
        where = span if alone else _stretched(nearest.span, offset)
        yield CitationTarget(where, nearest, symbol.value if symbol else None)


def _cited_by(tag: Tag) -> Citation | None:
    at = tag.attribute("at")
    if not at or at.value_span is None:
        return None
    citation = next(value_citations(at.value or ""), None)
    return citation.shift(at.value_span.start) if citation else None


def _in_element(document: Document, offset: int) -> Iterator[Target]:
    """A file of a list such as `<files_read>`; a cursor anywhere in its entry means it."""
    path = document.tree.path_at(offset)
    element = next((element for element in reversed(path) if element.name in CITATION_ELEMENTS), None)
    if not element or not element.content.contains(offset):
        return
    line = _line_at(document, offset)
    span = Span(max(line.start, element.content.start), min(line.end, element.content.end))
    yield from _in_list(document, span, offset)


def _in_frontmatter(document: Document, offset: int) -> Iterator[Target]:
    """A file of a list in the frontmatter, `files_modified: [a, b]` or an item a line."""
    frontmatter = document.frontmatter
    if not frontmatter or not frontmatter.body.contains(offset):
        return
    line = _line_at(document, offset)
    key = _KEY.match(line.of(document.text))
    name = key[1] if key else _list_key(document, line, frontmatter.body.start)
    if name in CITATION_ELEMENTS:
        start = line.start + (key.end() if key else 0)
        yield from _in_list(document, _unbracketed(document.text, Span(start, line.end)), offset)


def _list_key(document: Document, item: Span, top: int) -> str | None:
    """The key of the list that `item` is a line of."""
    number, _ = document.position(item.start, PositionEncoding.UTF32)
    for line in range(number, max(-1, number - _LONGEST_LIST), -1):
        span = document.line_span(line)
        if span.start < top:
            return None
        content = span.of(document.text)
        key = _KEY.match(content)
        if key or not _ITEM.match(content):
            return key[1] if key else None
    return None


def _unbracketed(text: str, span: Span) -> Span:
    content = span.of(text).rstrip()
    opens = content.startswith("[")
    return Span(span.start + opens, span.start + len(content) - (opens and content.endswith("]") and len(content) > 1))


def _in_list(document: Document, line: Span, offset: int) -> Iterator[Target]:
    """The citation at or before the cursor; when that stands in the remark behind an entry, then the entry too."""
    citations = list(_citations(document, line, offset, list_citations))
    nearest = _nearest(citations, offset)
    if not nearest:
        return
    whole = _stretched(_stripped(document.text, line), offset)
    yield CitationTarget(nearest.span if nearest.span.contains(offset) else whole, nearest)
    between = document.text[citations[0].span.end : nearest.span.start]
    if between.count("(") > between.count(")"):
        yield CitationTarget(whole, citations[0])


def _stripped(text: str, span: Span) -> Span:
    content = span.of(text)
    start = span.start + len(content) - len(content.lstrip())
    return Span(start, max(start, span.start + len(content.rstrip())))


def _in_claims(document: Document, offset: int) -> Iterator[Target]:
    """The tokens of a mirror claim; of overlapping ones the longest first."""
    found: list[TokenTarget] = []
    for base, claim in document.collect(mirror_claims):
        if not claim.sentence.shift(base).contains(offset):
            continue
        for token in claim.tokens:
            span = _repeated(document.text, Span(token.start, token.end).shift(base), offset)
            if span:
                found.append(TokenTarget(span, token.text))
    yield from sorted(found, key=lambda target: target.span.start - target.span.end)


def _repeated(text: str, place: Span, offset: int) -> Span | None:
    """Where the text at `place` stands at `offset`: a claim has only the first place of each token."""
    written = place.of(text)
    start = text.find(written, max(0, offset - len(written)), offset + len(written))
    return Span(start, start + len(written)) if start >= 0 else None


def _in_prose(document: Document, offset: int) -> Iterator[Target]:
    """A path in running text, in backticks, behind `@` or bare."""
    for citation in _citations(document, _line_at(document, offset), offset, find_citations):
        span = _with_quotes(document.text, citation.span)
        if span.contains(offset):
            yield CitationTarget(span, citation)


def _citations(
    document: Document, line: Span, offset: int, read: Callable[[str], Iterator[Citation]]
) -> Iterator[Citation]:
    """The citations of a line, of a long one those near the cursor that are not cut off."""
    start, end = max(line.start, offset - _NEAR), min(line.end, offset + _NEAR)
    for found in read(document.text[start:end]):
        citation = found.shift(start)
        cut_start = citation.span.start == start > line.start
        if not cut_start and not citation.span.end == end < line.end:
            yield citation


def _with_quotes(text: str, span: Span) -> Span:
    """With the quote at each end, so that a cursor on one means what it encloses."""
    start, end = span
    quoted = start > 0 and text[start - 1] in "`\"'" and text[end : end + 1] == text[start - 1]
    return Span(start - 1, end + 1) if quoted else span


def _nearest(citations: list[Citation], offset: int) -> Citation | None:
    """The citation at `offset`, else the last one before it, else the first."""
    before = [citation for citation in citations if citation.span.start <= offset]
    return before[-1] if before else next(iter(citations), None)


def _stretched(span: Span, offset: int) -> Span:
    return Span(min(span.start, offset), max(span.end, offset))


def _line_at(document: Document, offset: int) -> Span:
    number, _ = document.position(offset, PositionEncoding.UTF32)
    return document.line_span(number)
