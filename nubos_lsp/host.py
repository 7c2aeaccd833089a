"""The state of a running server: open documents and settings. No I/O and no protocol, so every race is a plain test.

The door (an editor session, a command) tells it what happened and asks it what follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.rules.base import Rule
from nubos_lsp.rules.engine import Outcome, check
from nubos_lsp.text.encoding import PositionEncoding
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.facts import Computation, Facts, compute
from nubos_lsp.workspace.settings import Settings
from nubos_lsp.workspace.snapshot import Snapshot

T = TypeVar("T")


class Change(NamedTuple):
    """One change of a document, in positions after the change before it. Without a start, `text` is all of it."""

    start: tuple[int, int] | None
    end: tuple[int, int] | None
    text: str


class Host:
    """Open documents by URI, exactly as the client writes it, and the settings."""

    def __init__(self, rules: Iterable[Rule], settings: Settings = Settings()) -> None:  # noqa: B008 - it is frozen
        self.rules = tuple(rules)
        self.settings = settings
        self._documents: dict[str, Document] = {}

    def open(self, uri: str, version: int, text: str, kind: PlanKind | None) -> Document:
        """Take over a document; one that was open under this URI is replaced."""
        self._documents[uri] = Document.open(uri, version, text, kind)
        return self._documents[uri]

    def change(self, uri: str, version: int, changes: Iterable[Change], encoding: PositionEncoding) -> Document | None:
        """Make the changes in order; None when the document is not open.

        A version that is lower than the one before is not taken over: what is published must never go back.
        """
        document = self._documents.get(uri)
        if document is None:
            return None
        version = max(version, document.version or 0)
        for change in changes:
            document = _changed(document, version, change, encoding)
        self._documents[uri] = document if document.version == version else document.at_version(version)
        return self._documents[uri]

    def close(self, uri: str) -> Document | None:
        """Forget a document; None when it was not open."""
        return self._documents.pop(uri, None)

    def classify(self, kind_of: Callable[[str], PlanKind | None]) -> None:
        """Decide again which open documents are plans, by their URIs: the settings say so now."""
        for uri, document in self._documents.items():
            kind = kind_of(uri)
            if kind is not document.kind:
                self._documents[uri] = document.of_kind(kind)

    def document(self, uri: str) -> Document | None:
        """The newest version of an open document."""
        return self._documents.get(uri)

    @property
    def documents(self) -> tuple[Document, ...]:
        """All open documents, in the order of opening."""
        return tuple(self._documents.values())

    def check(self, document: Document) -> Outcome:
        """The findings of a document under the present settings; none when it is no plan."""
        return check(Snapshot(document, self.settings), self.rules)

    def compute(self, document: Document, function: Callable[[Snapshot], T]) -> Computation[T]:
        """Run a feature on this version of a document; the caller answers the questions that it yields."""
        settings = self.settings

        def on(facts: Facts) -> T:
            return function(Snapshot(document, settings, facts))

        return compute(on)


def _changed(document: Document, version: int, change: Change, encoding: PositionEncoding) -> Document:
    if change.start is None or change.end is None:
        return document.replace(version, change.text)
    start = document.offset(*change.start, encoding)
    end = document.offset(*change.end, encoding)
    return document.edit(version, min(start, end), max(start, end), change.text)
