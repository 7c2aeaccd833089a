"""What was found in one plan, and the sums over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from nubos_lsp.rules.base import Finding, Severity
from nubos_lsp.workspace.document import Document


class Report(NamedTuple):
    """The findings of one plan; `path` is its name for the user, relative to the current directory."""

    path: str
    document: Document
    findings: tuple[Finding, ...]


class Tally:
    """Counts the reports that pass through it, so that they need not be kept."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(Severity, 0)
        self.with_findings = 0
        self.clean: list[str] = []

    def counted(self, reports: Iterable[Report]) -> Iterator[Report]:
        """The same reports, each counted before it is passed on."""
        for report in reports:
            for finding in report.findings:
                self.counts[finding.severity] += 1
            if report.findings:
                self.with_findings += 1
            else:
                self.clean.append(report.path)
            yield report

    @property
    def plans(self) -> int:
        """The number of plans."""
        return self.with_findings + len(self.clean)

    @property
    def has_critical(self) -> bool:
        """Whether the gate fails."""
        return self.counts[Severity.CRITICAL] > 0
