"""Where the code may stand that a plan names: what a fix fills in as `at`.

A path names its file. For any other name the files that the plan itself cites are looked at, first those that are named
alike. It is a proposal for a person to confirm; the number of files read is bounded. Source: rules.md G1 and L2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from nubos_lsp.plan.build import Value
from nubos_lsp.plan.citations import Citation, find_citations, list_citations, value_citations
from nubos_lsp.plan.vocabulary import CITATION_ATTRIBUTES, CITATION_ELEMENTS
from nubos_lsp.prose.code_tokens import identities
from nubos_lsp.text.edit import TabStop
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.facts import Facts
from nubos_lsp.workspace.snapshot import Snapshot
from nubos_lsp.workspace.symbol_search import find_symbol

PLACEHOLDER = "path/to/file:1"

_MOST_READ = 8
_CITED_PATH = re.compile(r"[^\s:]+")
_PATH = re.compile(r"(?:[^\s:/]+/)+[^\s:/]+\.[A-Za-z][A-Za-z0-9]{0,5}(?::([0-9]+(?:-[0-9]+)?))?")
_DECLARATION = re.compile(
    r"\b(?:class|interface|trait|enum|struct|record|object|module|type|def|fn|func|fun|function|const|let|var|val)\b"
)


class Evidence(NamedTuple):
    """A file, the lines in it if any are known (`12` or `12-20`), and what stands there."""

    path: str
    lines: str | None
    symbol: str | None = None

    def place(self) -> str:
        """The place as `path:line`; line 1 when none is known."""
        return f"{self.path}:{self.lines or 1}"

    def value(self, number: int) -> Value:
        """The place as a value; what is not known is tab stop `number`."""
        if self.lines:
            return (self.place(),)
        return (f"{self.path}:", TabStop(number, "1"))


def evidence(snapshot: Snapshot, name: str) -> Evidence | None:
    """Where `name` (a path or a symbol) may stand; None when nothing points to a file.

    Raises Pending while a file that may be it is not known.
    """
    path = _PATH.fullmatch(name)
    if path:
        return _of_path(snapshot.facts, name, path[1])
    cited = _cited(snapshot.document)
    names = identities(name) | identities(name.rsplit("\\", 1)[-1])
    alike = [citation for citation in cited.values() if not names.isdisjoint(identities(citation.path))]
    found = _found(snapshot.facts, name, alike, cited.values()) or _unread(alike)
    return found._replace(symbol=name) if found else None


def symbol_line(facts: Facts, path: str, symbol: str) -> str | None:
    """The line of `symbol` in the file at `path`; None when the file or the symbol is not there."""
    source = facts.file(path)
    place = find_symbol(source, symbol) if source and symbol else None
    return str(place.line) if place else None


def _of_path(facts: Facts, name: str, lines: str | None) -> Evidence:
    path = name.removesuffix(f":{lines}") if lines else name
    if lines:
        return Evidence(path, lines)
    symbol = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    line = symbol_line(facts, path, symbol)
    return Evidence(path, line, symbol if line else None)


def _found(facts: Facts, name: str, alike: Iterable[Citation], cited: Iterable[Citation]) -> Evidence | None:
    for citation in islice(alike, _MOST_READ):
        if facts.file(citation.path):
            return Evidence(citation.path, symbol_line(facts, citation.path, name) or _lines(citation))
    for citation in islice(cited, _MOST_READ):
        line = symbol_line(facts, citation.path, name)
        source = facts.file(citation.path)
        if source and line and _DECLARATION.search(source.line(int(line))):
            return Evidence(citation.path, line)
    return None


def _unread(alike: Iterable[Citation]) -> Evidence | None:
    """A cited file that cannot be looked at; the plan says that it was read, so it is believed."""
    return next((Evidence(citation.path, _lines(citation)) for citation in alike if citation.first), None)


def _lines(citation: Citation) -> str | None:
    if not citation.first:
        return None
    return str(citation.first) if citation.last == citation.first else f"{citation.first}-{citation.last}"


def _cited(document: Document) -> dict[str, Citation]:
    """The files that a document cites, by path: those in its lists and attributes first, then those in prose."""
    cited: dict[str, Citation] = {}
    for citation in _citations(document):
        if _CITED_PATH.fullmatch(citation.path) and (citation.path not in cited or not cited[citation.path].first):
            cited[citation.path] = citation
    return cited


def _citations(document: Document) -> Iterator[Citation]:
    text, tree = document.text, document.tree
    read = 0
    for element in tree:
        if element.name in CITATION_ELEMENTS and element.content.end > read:
            # Elements that are being typed nest, and what is in several of them is read once.
            yield from list_citations(text[max(read, element.content.start) : element.content.end])
            read = element.content.end
        for attribute in element.open.attributes:
            if (element.name, attribute.name) in CITATION_ATTRIBUTES and attribute.value:
                yield from value_citations(attribute.value)
    for span in tree.code_spans:
        yield from find_citations(span.inner.of(text))
