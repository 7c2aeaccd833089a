"""Code actions: what can be done about the findings at the cursor, and what can be done there without one.

Findings are computed here, never taken from the client: its list may be old, empty, or another server's. Each action is
one edit of the document, undone in one step.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from nubos_lsp.ide.assists.add_to_files_read import add_to_files_read
from nubos_lsp.ide.assists.insert_deviation import insert_deviation
from nubos_lsp.rules.base import Finding
from nubos_lsp.rules.catalogue import all_rules
from nubos_lsp.rules.engine import check
from nubos_lsp.rules.fixing import fix_all, fixes_of_all
from nubos_lsp.text.edit import TextEdit
from nubos_lsp.text.encoding import PositionEncoding
from nubos_lsp.text.span import Span
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.snapshot import Snapshot

QUICK_FIX = "quickfix"
REWRITE = "refactor.rewrite"
FIX_ALL = "source.fixAll.nubos"

KINDS = (QUICK_FIX, REWRITE, FIX_ALL)
"""All kinds of actions that there are."""

_ASSISTS = (insert_deviation, add_to_files_read)
_MOST_FINDINGS = 20  # With a whole plan selected; each fix is tried on all of it.


class Action(NamedTuple):
    """Something to offer. `finding` is what it ends, None for an assist; a client applies `preferred` ones unasked."""

    title: str
    kind: str
    edits: tuple[TextEdit, ...]
    finding: Finding | None = None
    preferred: bool = False


def actions(snapshot: Snapshot, span: Span, only: tuple[str, ...] | None) -> tuple[Action, ...]:
    """What to offer for the selection `span`: fixes of the findings on its lines, then assists.

    `only` asks for kinds and their sub-kinds. Without it, what changes the whole plan is left out. Raises Pending while
    a fact is not known.
    """
    offered: dict[tuple[str, str, tuple[TextEdit, ...]], Action] = {}
    for action in _actions(snapshot, span, only or None):
        offered.setdefault((action.title, action.kind, action.edits), action)
    return tuple(offered.values())


def _actions(snapshot: Snapshot, span: Span, only: tuple[str, ...] | None) -> Iterator[Action]:
    if only is None or _asked(QUICK_FIX, only):
        for finding, fixes in fixes_of_all(snapshot, islice(_findings(snapshot, span), _MOST_FINDINGS)):
            for fix in fixes:
                yield Action(fix.title, QUICK_FIX, fix.edits, finding, fix.preferred)
    if only is None or _asked(REWRITE, only):
        for assist in _ASSISTS:
            yield from (Action(each.title, REWRITE, each.edits) for each in assist(snapshot, span))
    if only is not None and _asked(FIX_ALL, only):
        edits = fix_all(snapshot, all_rules())
        if edits:
            yield Action("Fix all that is safe to fix", FIX_ALL, edits)


def _asked(kind: str, only: tuple[str, ...]) -> bool:
    return any(not asked or kind == asked or kind.startswith(asked + ".") for asked in only)


def _findings(snapshot: Snapshot, span: Span) -> Iterator[Finding]:
    """The findings on the lines of `span`, those that it touches first."""
    document = snapshot.document
    lines = _lines(document, span)
    near = [
        finding for finding in check(snapshot, all_rules()).findings if lines.touches(_lines(document, finding.span))
    ]
    return iter(sorted(near, key=lambda finding: not finding.span.touches(span)))


def _lines(document: Document, span: Span) -> Span:
    first, _ = document.position(span.start, PositionEncoding.UTF32)
    last, _ = document.position(span.end, PositionEncoding.UTF32)
    return Span(first, last)
