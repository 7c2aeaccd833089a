"""Linting without a wire or a file: a text goes in, findings come out. No cited file exists."""

from __future__ import annotations

from nubos_lsp.rules.catalogue import all_rules
from nubos_lsp.rules.engine import Outcome, check
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.facts import Answers, Facts
from nubos_lsp.workspace.settings import Settings
from nubos_lsp.workspace.snapshot import Snapshot

URI = "file:///project/S011-PLAN.md"


def opened(text: str) -> Document:
    """Return the slice plan with this text."""
    return Document.open(URI, 1, text)


def lint(document: Document) -> Outcome:
    """Check the document with every rule until no question is open, as the doors do; an internal error is raised."""
    answers: Answers = {}
    while True:
        outcome = check(Snapshot(document, Settings(), Facts(answers)), all_rules())
        for failure in outcome.failures:
            raise failure.error
        if not outcome.questions:
            return outcome
        answers = {**answers, **dict.fromkeys(outcome.questions)}
