"""Runs rules over a snapshot. One rule's failure or open question costs only that rule's findings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from nubos_lsp.rules.base import Context, Finding, Rule
from nubos_lsp.workspace.facts import FileQuestion, Pending
from nubos_lsp.workspace.snapshot import Snapshot


class Failure(NamedTuple):
    """An internal error in a rule."""

    rule: str
    error: Exception


class Outcome(NamedTuple):
    """What a check gave: findings in the gate's order, the questions still open, the rules that failed."""

    findings: tuple[Finding, ...]
    questions: tuple[FileQuestion, ...]
    failures: tuple[Failure, ...]


def check(snapshot: Snapshot, rules: Iterable[Rule]) -> Outcome:
    """All findings of `rules` that the settings want, in order: by rule group, then by place."""
    found: list[tuple[tuple[int, int, int], Finding]] = []
    questions: list[FileQuestion] = []
    failures: list[Failure] = []
    for rule in rules:
        if snapshot.document.kind not in rule.meta.kinds or not _wanted(snapshot, rule):
            continue
        group, within = rule.meta.order
        try:
            found += [((group, finding.anchor, within), finding) for finding in rule.check(Context(rule, snapshot))]
        except Pending as pending:
            questions.append(pending.question)
        except Exception as error:  # noqa: BLE001 - the engine: a rule that fails costs only its own findings
            failures.append(Failure(rule.name, error))
    found.sort(key=lambda entry: entry[0])
    return Outcome(tuple(finding for _, finding in found), tuple(questions), tuple(failures))


def _wanted(snapshot: Snapshot, rule: Rule) -> bool:
    return snapshot.settings.reports(rule.name, rule.meta.category)
