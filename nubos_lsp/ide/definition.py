"""Go to definition: from what a plan names to where it stands.

From a citation (`at`, `verified_by`, the lists of files, `@path`, paths in prose) to the line in the source. From a
deviation's `ref` and from a covered token of a mirror claim to the `<pattern_ref>`. From `cmd:` to the entry of
`<commands_run>`. What is missing, outside the project or beyond the end of its file gives no answer.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from nubos_lsp.ide.target import (
    CitationTarget,
    CommandTarget,
    RefNameTarget,
    SymbolTarget,
    Target,
    TokenTarget,
    targets_at,
)
from nubos_lsp.plan.citations import Citation
from nubos_lsp.plan.claims import references
from nubos_lsp.plan.references import PATTERN_REF
from nubos_lsp.prose.code_tokens import identities, normalise
from nubos_lsp.prose.ecmascript import fold
from nubos_lsp.syntax.tree import Element
from nubos_lsp.text.encoding import PositionEncoding
from nubos_lsp.text.span import Span, outermost
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.facts import SourceFile
from nubos_lsp.workspace.snapshot import Snapshot
from nubos_lsp.workspace.symbol_search import find_symbol

_COMMANDS_RUN = "commands_run"
_MOST_ELEMENTS = 4  # A plan has one.
_BULLETS = " \t-*+$>"
_RESULT_MARKS = (" →", " ->", " =>", " –", " —", " - ", " (", ":")
_LINE = re.compile(r"[^\r\n]+")


class Destination(NamedTuple):
    """A place on one line of a file.

    `path` is relative to the project's root, as cited; None for the document itself. `line` counts from 0, lines end
    as in LSP. `text` is all of the line, `start` and `end` are the code points of it to show.
    """

    path: str | None
    line: int
    text: str
    start: int
    end: int


class Definition(NamedTuple):
    """Where the thing at `origin`, a stretch of the document, is defined."""

    origin: Span
    targets: tuple[Destination, ...]


def definition(snapshot: Snapshot, offset: int) -> Definition | None:
    """The definition of what stands at `offset`; None when it has none.

    Raises Pending while a file is not known yet.
    """
    for target in targets_at(snapshot.document, offset):
        destinations = tuple(_destinations(snapshot, target))
        if destinations:
            return Definition(target.span, destinations)
    return None


def _destinations(snapshot: Snapshot, target: Target) -> Iterator[Destination]:
    if isinstance(target, CitationTarget):
        yield from _cited(snapshot, target.citation, target.symbol)
    elif isinstance(target, SymbolTarget):
        if target.citation:
            yield from _cited(snapshot, target.citation, target.symbol, search=True)
    elif isinstance(target, RefNameTarget):
        yield from _pattern_refs(snapshot.document, target.name)
    elif isinstance(target, TokenTarget):
        yield from _pattern_refs(snapshot.document, target.token)
    else:
        yield from _commands(snapshot.document, target)


def _cited(
    snapshot: Snapshot, citation: Citation, symbol: str | None, *, search: bool = False
) -> Iterator[Destination]:
    """The first cited line; without one the first of the file or, with `search`, that of the symbol."""
    source = snapshot.facts.file(citation.path)
    if source is None:
        return
    number = citation.first
    if number is None:
        place = find_symbol(source, symbol) if search and symbol else None
        number = place.line if place else 1
    elif not 1 <= number <= source.line_count:
        return
    text = source.line(number)
    start, end = _shown(text, symbol)
    yield Destination(citation.path, number - 1, text, start, end)


def _shown(line: str, symbol: str | None) -> tuple[int, int]:
    """The symbol's name where it stands on the line, else the line without white space around it."""
    place = find_symbol(SourceFile(line), symbol) if symbol else None
    if place and place.line == 1:
        return place.column, place.column + place.length
    end = len(line.rstrip())
    return min(len(line) - len(line.lstrip()), end), end


class _PatternRef(NamedTuple):
    span: Span
    symbol: str
    at: str


def _pattern_refs(document: Document, name: str) -> Iterator[Destination]:
    """The `<pattern_ref>` tags that `name` fits best, by `symbol` before `at`, among those that the gate counts.

    Only when it fits none of them, tags count that the gate does not see.
    """
    whole, names = normalise(name), identities(name)

    def fit(tag: _PatternRef) -> tuple[bool, int, bool, int]:
        return (
            bool(whole) and normalise(tag.symbol) == whole,
            len(names & identities(tag.symbol)),
            bool(whole) and normalise(tag.at) == whole,
            len(names & identities(tag.at)),
        )

    for tags in (_counted(document), _written(document)):
        fits = [(fit(tag), tag) for tag in tags]
        best = max((each for each, _ in fits), default=(False, 0, False, 0))
        if any(best):
            yield from (_here(document, tag.span) for each, tag in fits if each == best)
            return


def _counted(document: Document) -> Iterator[_PatternRef]:
    for offset, tag in document.collect(references, in_blocks=True):
        if tag.kind == PATTERN_REF:
            yield _PatternRef(tag.span.shift(offset), tag.value("symbol"), tag.value("at"))


def _written(document: Document) -> Iterator[_PatternRef]:
    """Also those outside blocks, in single quotes, or half typed."""
    for element in document.tree.elements(PATTERN_REF):
        yield _PatternRef(element.open.span, _value(element, "symbol"), _value(element, "at"))


def _value(element: Element, name: str) -> str:
    attribute = element.attribute(name)
    return (attribute.value or "") if attribute else ""


def _commands(document: Document, target: CommandTarget) -> Iterator[Destination]:
    """The entry of `<commands_run>` that runs the command: in backticks, else at the start of its line."""
    wanted = _command(target.command)
    span = (_quoted_entry(document, wanted) or _plain_entry(document, wanted)) if wanted else None
    if span:
        yield _here(document, span)


def _quoted_entry(document: Document, wanted: str) -> Span | None:
    lists = tuple(outermost(element.content for element in document.tree.elements(_COMMANDS_RUN)))
    for code in document.tree.code_spans:
        index = bisect_right(lists, code.span.start, key=lambda span: span.start) - 1
        inside = index >= 0 and code.span.start < lists[index].end
        if inside and _command(code.inner.of(document.text)) == wanted:
            return code.inner
    return None


def _plain_entry(document: Document, wanted: str) -> Span | None:
    for element in document.tree.elements(_COMMANDS_RUN)[:_MOST_ELEMENTS]:
        for match in _LINE.finditer(document.text, *element.content):
            entry = _command(match[0].lstrip(_BULLETS))
            if entry == wanted or any(entry.startswith(wanted + mark) for mark in _RESULT_MARKS):
                return Span(*match.span())
    return None


def _command(text: str) -> str:
    """A command as written in an attribute or an entry, ready to compare."""
    return fold(html.unescape(text))


def _here(document: Document, span: Span) -> Destination:
    """The first line of a stretch of the document."""
    number, _ = document.position(span.start, PositionEncoding.UTF32)
    line = document.line_span(number)
    end = min(span.end, line.end) - line.start
    return Destination(None, number, line.of(document.text), min(span.start - line.start, end), end)
