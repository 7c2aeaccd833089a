"""Trying a fix before it is offered.

A fix is good when the plan that it gives no longer has the finding, has no new one of its kind, and says outside
`<pattern_refs>` all that it said there before: a new end marker can pair with a start marker far above and silence all
between (gate-details 16).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from nubos_lsp.plan.units import Unit
from nubos_lsp.rules.base import Finding, Fix
from nubos_lsp.rules.catalogue import all_rules
from nubos_lsp.rules.engine import check
from nubos_lsp.rules.fixes.moves import Moves, edited
from nubos_lsp.text.edit import TextEdit
from nubos_lsp.text.span import Span
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.snapshot import Snapshot

Proposal: TypeAlias = "tuple[Finding, Fix]"

_LONGEST_COMPLETION = 4_000  # Code points; what a new end marker takes in is looked at, and longer is not offered.
_REFERENCES = re.compile(
    r'</?(?:pattern_refs?|deviation)\b(?:"[^"]*"|[^">])*>|<!--(?:(?!-->).)*-->|\s+', re.IGNORECASE | re.DOTALL
)


_MOST_READ = 3_000_000  # Code points.
_CHARACTERS_A_FINDING = 100  # To tell a finding takes as long as to read about so many.
_FEWEST_TRIALS = 6


class _Place(NamedTuple):
    rule: str
    anchor: int


_Verdict: TypeAlias = "Mapping[_Place, Mapping[str, object]]"


class Effort:
    """How much the trials of one request may still cost.

    Each trial checks all of the plan. One with thousands of findings must not hold up the editor; what is not tried by
    then is not offered.
    """

    def __init__(self) -> None:
        self._left: int | None = None

    def spend(self, document: Document, findings: int) -> None:
        """A document is read, and has as many findings. The first one says what a trial of this plan costs."""
        cost = document.length + findings * _CHARACTERS_A_FINDING
        if self._left is None:
            self._left = max(_MOST_READ, _FEWEST_TRIALS * cost)
        self._left -= cost

    @property
    def spent(self) -> bool:
        """Whether nothing more is to be tried."""
        return self._left is not None and self._left <= 0


class Trial:
    """Tries edits on a snapshot and judges them by the rules of one category."""

    def __init__(self, snapshot: Snapshot, category: str, effort: Effort | None = None) -> None:
        self._effort = effort or Effort()
        self._snapshot = snapshot
        self._rules = tuple(rule for rule in all_rules() if rule.meta.category == category)
        self._before = self._judge(snapshot.document)

    def ends(self, proposals: Iterable[Proposal]) -> bool:
        """Whether the fixes together end their findings and do no harm.

        A safe fix may leave a tag with less wrong, or show the next thing that is wrong with it.
        """
        proposals = tuple(proposals)
        moves = Moves(edit for _, fix in proposals for edit in fix.edits)
        after = self._after(moves) if moves.edits else None
        if after is None:
            return False
        own = set()
        for finding, fix in proposals:
            place = _Place(finding.rule, moves.forward(finding.anchor))
            if fix.safe:
                own.add(place.anchor)
            if place in after and not (fix.safe and after[place] != finding.raw):
                return False
        return self._is_harmless(moves, after, own)

    def is_harmless(self, edits: Iterable[TextEdit]) -> bool:
        """Whether the edits bring no finding and take nothing out of the prose."""
        moves = Moves(edits)
        after = self._after(moves)
        return after is not None and self._is_harmless(moves, after, set())

    def _after(self, moves: Moves) -> _Verdict | None:
        """The findings after the edits; None when the edits overlap or take text out of the prose."""
        if moves.overlap or self._effort.spent:
            return None
        document = edited(self._snapshot.document, moves.edits)
        return self._judge(document) if _keeps_prose(self._snapshot.document, document, moves) else None

    def _is_harmless(self, moves: Moves, after: _Verdict, own: set[int]) -> bool:
        known = {_Place(place.rule, moves.forward(place.anchor)) for place in self._before}
        return len(after) <= len(self._before) and all(place in known or place.anchor in own for place in after)

    def _judge(self, document: Document) -> _Verdict:
        findings = check(self._snapshot._replace(document=document), self._rules).findings
        self._effort.spend(document, len(findings))
        return {_Place(finding.rule, finding.anchor): finding.raw for finding in findings}


def _keeps_prose(document: Document, changed: Document, moves: Moves) -> bool:
    """Whether all that stood outside the blocks still does.

    A new end marker may take in what was opened and never closed, but only the references in it.
    """
    blocks = _blocks(document)
    for block in _blocks(changed):
        old = Span(moves.back_to_end(block.start), moves.back_to_start(block.end))
        index = bisect_right(blocks, old.start, key=lambda block: block.start) - 1
        if old.start < old.end and not (index >= 0 and old.end <= blocks[index].end):
            taken = old.of(document.text)
            if len(taken) > _LONGEST_COMPLETION or _REFERENCES.sub("", taken):
                return False
    return True


def _blocks(document: Document) -> tuple[Span, ...]:
    return tuple(span.shift(offset) for offset, span in document.collect(_unit_blocks, in_blocks=True))


def _unit_blocks(unit: Unit) -> tuple[Span, ...]:
    return unit.blocks
