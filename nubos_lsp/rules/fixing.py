"""What can be done about a finding, and all that may be done without asking.

A rule proposes; each proposal is tried before it is offered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from nubos_lsp.rules.base import Context, Finding, Fix, Rule, SafeFix
from nubos_lsp.rules.catalogue import all_rules
from nubos_lsp.rules.engine import check
from nubos_lsp.rules.fixes.moves import Moves, edited
from nubos_lsp.rules.fixes.revision import Revision
from nubos_lsp.rules.fixes.trial import Effort, Proposal, Trial
from nubos_lsp.text.edit import TextEdit
from nubos_lsp.workspace.snapshot import Snapshot

_MOST_ROUNDS = 50


def fixes(snapshot: Snapshot, finding: Finding) -> tuple[Fix, ...]:
    """The fixes of a finding of this snapshot, in the order of its rule, each known to end it.

    Of several ways that its rule proposes under one title the first that works is taken. Raises Pending while a fix
    needs a fact that is not known yet.
    """
    return next((found for _, found in fixes_of_all(snapshot, (finding,))), ())


def fixes_of_all(snapshot: Snapshot, findings: Iterable[Finding]) -> Iterator[tuple[Finding, tuple[Fix, ...]]]:
    """The fixes of several findings; in a plan that takes long to check, those of the first ones."""
    effort = Effort()
    trials: dict[str, Trial] = {}
    for finding in findings:
        if finding.category not in trials:
            trials[finding.category] = Trial(snapshot, finding.category, effort)
        yield finding, _fixes(snapshot, finding, trials[finding.category], effort)
        if effort.spent:
            return


def _fixes(snapshot: Snapshot, finding: Finding, trial: Trial, effort: Effort) -> tuple[Fix, ...]:
    offered: dict[tuple[str, str], Fix] = {}
    for rule in all_rules():
        for function in rule.fixes if rule.name == finding.rule else ():
            for fix in function(Context(rule, snapshot), finding):
                if effort.spent:
                    break
                if (fix.id, fix.title) not in offered and trial.ends(((finding, fix),)):
                    offered[fix.id, fix.title] = fix
    return tuple(offered.values())


def fix_all(snapshot: Snapshot, rules: Iterable[Rule]) -> tuple[TextEdit, ...]:
    """All safe fixes for the findings of `rules`, until none is left, as the smallest edits of the snapshot's text."""
    rules = tuple(rules)
    effort = Effort()
    revision = Revision(snapshot.document.text)
    for _ in range(_MOST_ROUNDS):
        edits = _safe_edits(snapshot, rules, effort)
        if not edits:
            break
        revision.apply(edits)
        snapshot = snapshot._replace(document=edited(snapshot.document, edits))
    return revision.edits()


def _safe_edits(snapshot: Snapshot, rules: Sequence[Rule], effort: Effort) -> tuple[TextEdit, ...]:
    """The edits of one round; those of one category do not speak of those of another."""
    edits: list[TextEdit] = []
    for category in dict.fromkeys(rule.meta.category for rule in rules):
        proposals = tuple(_safe_proposals(snapshot, [rule for rule in rules if rule.meta.category == category]))
        if not proposals:  # To try, even nothing, costs a check of the plan.
            continue
        trial = Trial(snapshot, category, effort)
        more = [edit for _, fix in _working(trial, proposals) for edit in fix.edits]
        edits += [] if Moves((*edits, *more)).overlap else more
    return tuple(edits)


def _safe_proposals(snapshot: Snapshot, rules: Sequence[Rule]) -> Iterable[Proposal]:
    """What is proposed for the findings. What is proposed for several is one proposal: it can be made once only."""
    by_name = {rule.name: rule for rule in rules if any(isinstance(function, SafeFix) for function in rule.fixes)}
    proposals: dict[tuple[TextEdit, ...], Proposal] = {}
    for finding in check(snapshot, by_name.values()).findings:
        rule = by_name[finding.rule]
        safe = (function for function in rule.fixes if isinstance(function, SafeFix))
        for fix in chain.from_iterable(function(Context(rule, snapshot), finding) for function in safe):
            proposals.setdefault(fix.edits, (finding, fix))
    return proposals.values()


def _working(trial: Trial, proposals: Sequence[Proposal]) -> Sequence[Proposal]:
    """Those of the proposals that work together. As a rule all do; the others are found by halving."""
    if trial.ends(proposals):
        return proposals
    if len(proposals) == 1:
        return ()
    half = len(proposals) // 2
    first, second = _working(trial, proposals[:half]), _working(trial, proposals[half:])
    together = (*first, *second)
    return together if trial.ends(together) else first or second
