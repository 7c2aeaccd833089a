"""Trying a fix before it is offered.

A fix is good when the plan that it gives no longer has the finding, has no new one of its kind, and says outside
`<pattern_refs>` all that it said there before: a new end marker can pair with a start marker far above and silence all
between (gate-details 16).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from nubos_lsp.plan.units import Unit
from nubos_lsp.rules.base import Finding, Fix
from nubos_lsp.rules.catalogue import all_rules
from nubos_lsp.rules.engine import check
from nubos_lsp.text.edit import TextEdit, plain
from nubos_lsp.text.span import Span
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.snapshot import Snapshot

Proposal: TypeAlias = "tuple[Finding, Fix]"

_LONGEST_COMPLETION = 4_000  # Code points; what a new end marker takes in is looked at, and longer is not offered.
_REFERENCES = re.compile(
    r'</?(?:pattern_refs?|deviation)\b(?:"[^"]*"|[^">])*>|<!--(?:(?!-->).)*-->|\s+', re.IGNORECASE | re.DOTALL
)


def edited(document: Document, edits: Iterable[TextEdit]) -> Document:
    """The document with the plain form of `edits` made, which do not overlap."""
    for edit in sorted(edits, key=lambda edit: edit.span)[::-1]:
        document = document.edit(document.version, *edit.span, plain(edit.insert))
    return document


class _Place(NamedTuple):
    rule: str
    anchor: int


class Trial:
    """Tries edits on a snapshot and judges them by the rules of one category."""

    def __init__(self, snapshot: Snapshot, category: str) -> None:
        self._snapshot = snapshot
        self._rules = tuple(rule for rule in all_rules() if rule.meta.category == category)
        self._before = self._judge(snapshot.document)

    def ends(self, proposals: Iterable[Proposal]) -> bool:
        """Whether the fixes together end their findings and do no harm.

        A safe fix may leave a tag with less wrong, or show the next thing that is wrong with it.
        """
        proposals = tuple(proposals)
        edits = _edits(proposals)
        after = self._after(edits) if edits is not None else None
        if edits is None or after is None:
            return False
        own = set()
        for finding, fix in proposals:
            place = _Place(finding.rule, _moved(finding.anchor, edits))
            own.add(place.anchor)
            if place in after and not (fix.safe and after[place] != _raw(finding)):
                return False
        return self._is_harmless(edits, after, own)

    def is_harmless(self, edits: Sequence[TextEdit]) -> bool:
        """Whether the edits bring no finding and take nothing out of the prose."""
        after = self._after(edits)
        return after is not None and self._is_harmless(edits, after, set())

    def _after(self, edits: Sequence[TextEdit]) -> Mapping[_Place, str] | None:
        """The findings after the edits; None when the edits overlap or take text out of the prose."""
        ordered = sorted(edits, key=lambda edit: edit.span)
        if any(one.span.end > other.span.start for one, other in pairwise(ordered)):
            return None
        document = edited(self._snapshot.document, ordered)
        return self._judge(document) if _keeps_prose(self._snapshot.document, document, ordered) else None

    def _is_harmless(self, edits: Sequence[TextEdit], after: Mapping[_Place, str], own: set[int]) -> bool:
        known = {_Place(place.rule, _moved(place.anchor, edits)) for place in self._before}
        return len(after) <= len(self._before) and all(place in known or place.anchor in own for place in after)

    def _judge(self, document: Document) -> Mapping[_Place, str]:
        findings = check(self._snapshot._replace(document=document), self._rules).findings
        return {_Place(finding.rule, finding.anchor): _raw(finding) for finding in findings}


def _raw(finding: Finding) -> str:
    return json.dumps(finding.raw, sort_keys=True)


def _edits(proposals: Iterable[Proposal]) -> tuple[TextEdit, ...] | None:
    return tuple(edit for _, fix in proposals for edit in fix.edits) or None


def _moved(offset: int, edits: Iterable[TextEdit]) -> int:
    """Where the character at `offset` is after the edits."""
    by = 0
    for edit in edits:
        if edit.span.end <= offset:
            by += len(plain(edit.insert)) - (edit.span.end - edit.span.start)
    return offset + by


def _keeps_prose(document: Document, changed: Document, edits: Sequence[TextEdit]) -> bool:
    """Whether all that stood outside the blocks still does.

    A new end marker may take in what was opened and never closed, but only the references in it.
    """
    blocks = _blocks(document)
    for block in _blocks(changed):
        old = Span(_origin(block.start, edits, last=True), _origin(block.end, edits, last=False))
        if old.start < old.end and not any(each.start <= old.start and old.end <= each.end for each in blocks):
            taken = old.of(document.text)
            if len(taken) > _LONGEST_COMPLETION or _REFERENCES.sub("", taken):
                return False
    return True


def _blocks(document: Document) -> tuple[Span, ...]:
    return tuple(span.shift(offset) for offset, span in document.collect(_unit_blocks))


def _unit_blocks(unit: Unit) -> tuple[Span, ...]:
    return unit.blocks


def _origin(offset: int, edits: Iterable[TextEdit], *, last: bool) -> int:
    """Where `offset` of the changed text was before the edits (in order); what was inserted has the end of its edit
    for `last`, else its start."""
    by = 0
    for edit in edits:
        start, length = edit.span.start + by, len(plain(edit.insert))
        if offset < start or (offset == start and not last):
            break
        if offset < start + length or (offset == start + length and not last):
            return edit.span.end if last else edit.span.start
        by += length - (edit.span.end - edit.span.start)
    return offset - by
