"""One moment: a document, the settings and the facts known, frozen together."""

from __future__ import annotations

from typing import NamedTuple

from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.facts import Facts
from nubos_lsp.workspace.settings import Settings


class Snapshot(NamedTuple):
    """What a rule or a feature works on. The same snapshot always gives the same answer."""

    document: Document
    settings: Settings = Settings()
    facts: Facts = Facts()
