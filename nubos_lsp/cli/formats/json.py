"""Findings for programs. With `gate` the payload is the gate's, key by key; else findings have a rule and a range too.

Source: cli.md (the gate's payload), gate-details 18.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TextIO

from nubos_lsp.cli.formats.excerpt import line_column
from nubos_lsp.cli.formats.report import Report, Tally
from nubos_lsp.rules.base import Finding, Severity
from nubos_lsp.workspace.document import Document

_COUNTED = (Severity.CRITICAL, Severity.MAJOR, Severity.MINOR)


def payload(target: str, reports: Iterable[Report], tally: Tally, *, gate: bool) -> dict[str, Any]:
    """The payload; `tally` holds the sums of `reports` once they are read."""
    files = [
        {"path": report.path, "findings": [_finding(report.document, finding, gate) for finding in report.findings]}
        for report in reports
    ]
    return {"target": target, "summary": _summary(tally), "files": files, "parallel_race_findings": []}


def write(value: object, output: TextIO) -> None:
    """Write a value indented by two spaces, its characters as they are."""
    output.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def _summary(tally: Tally) -> dict[str, int]:
    counts = {severity.value: tally.counts[severity] for severity in _COUNTED}
    return {**counts, "total": sum(counts.values())}


def _finding(document: Document, finding: Finding, gate: bool) -> dict[str, Any]:
    value: dict[str, Any] = {
        "category": finding.category,
        "severity": finding.severity.value,
        "target": finding.target(document),
        "message": finding.message,
        "hint": finding.hint,
        "raw": dict(finding.raw),
    }
    if gate:
        return value
    ends = {"start": finding.span.start, "end": finding.span.end}
    return {**value, "rule": finding.rule, "range": {name: _place(document, offset) for name, offset in ends.items()}}


def _place(document: Document, offset: int) -> dict[str, int]:
    line, column = line_column(document, offset)
    return {"line": line, "column": column}
