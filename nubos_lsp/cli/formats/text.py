"""Findings for people: where, what, the line with the place underlined, and what to do about it.

```
src/S011-PLAN.md:12:12 critical pattern-claim-unverified (unverified-mirror-claim)
"mirror" tells the executor to mirror Foo::bar, but no <pattern_ref> says what that code does
   |
12 | <objective>mirror `Foo::bar`.</objective>
   |            ^^^^^^ ----------
   = help: read the code, then record it
```
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from nubos_lsp.cli.formats.cells import printable
from nubos_lsp.cli.formats.excerpt import MAIN, RELATED, Mark, draw, line_column
from nubos_lsp.cli.formats.report import Report, Tally
from nubos_lsp.cli.formats.style import Style
from nubos_lsp.rules.base import Finding, Severity
from nubos_lsp.text.span import Span
from nubos_lsp.workspace.document import Document

_QUOTED = 60  # Characters of a related place.
_NAMED = 5  # Clean plans named in the last line. A milestone has hundreds.


def write(reports: Iterable[Report], output: TextIO, style: Style, width: int) -> None:
    """Write the findings plan by plan, as they come."""
    for report in reports:
        for finding in report.findings:
            output.write(drawn(report.path, report.document, finding, style, width) + "\n\n")


def drawn(path: str, document: Document, finding: Finding, style: Style, width: int) -> str:
    """One finding, without a line end at its end."""
    line, column = line_column(document, finding.span.start)
    place = style.bold(f"{printable(path)}:{line}:{column}")
    severity = style.severity(finding.severity, finding.severity.value)
    gutter = len(str(line))
    rows = [
        f"{place} {severity} {finding.category} ({finding.rule})",
        printable(finding.message),
        *excerpt(document, line, finding, style, width),
        f"{'':{gutter}} = {style.bold('help:')} {printable(finding.hint)}" if finding.hint else "",
        *(f"{'':{gutter}} = {style.bold('note:')} {note}" for note in _notes(document, finding)),
    ]
    return "\n".join(row for row in rows if row)


def excerpt(document: Document, line: int, finding: Finding, style: Style, width: int) -> list[str]:
    """The line of a finding between gutters, its place underlined with `^`, related places in it with `-`."""
    number = str(line)
    bar = style.faint(f"{'':{len(number)}} |")
    marks = [Mark(related.span, RELATED) for related in finding.related if _begins_in(document, line, related.span)]
    source, row = draw(document, line, [*marks, Mark(finding.span, MAIN)], max(20, width - len(number) - 3))
    return [
        bar,
        f"{style.faint(f'{number} |')} {source}".rstrip(),
        f"{bar} {style.severity(finding.severity, row)}",
    ]


def _begins_in(document: Document, line: int, span: Span) -> bool:
    return line_column(document, span.start)[0] == line


def _notes(document: Document, finding: Finding) -> list[str]:
    """The related places, those with the same message in one line."""
    places: dict[str, list[str]] = {}
    for related in finding.related:
        line, column = line_column(document, related.span.start)
        places.setdefault(related.message, []).append(f"{line}:{column} {_quoted(document, related.span)}".strip())
    return [printable(f"{message}: {', '.join(where)}") for message, where in places.items()]


def _quoted(document: Document, span: Span) -> str:
    quoted = document.text[span.start : min(span.end, span.start + _QUOTED)]
    return quoted if span.end - span.start <= _QUOTED else f"{quoted}…"


def sums(tally: Tally, style: Style) -> str:
    """The last line: how many findings, and which plans are clean."""
    if not tally.plans:
        return f"{style.good('clean:')} no plans"
    if not tally.with_findings:
        return f"{style.good('clean:')} {_counted(tally.plans, 'file')}"
    counts = ", ".join(
        style.severity(severity, f"{tally.counts[severity]} {severity.value}")
        for severity in Severity
        if tally.counts[severity]
    )
    if not tally.clean:
        return f"{counts} in {_counted(tally.plans, 'file')}"
    named = ", ".join(path.replace("\\", "/").rsplit("/", 1)[-1] for path in tally.clean[:_NAMED])
    more = f" and {len(tally.clean) - _NAMED} more" if len(tally.clean) > _NAMED else ""
    where = f"{tally.with_findings} of {tally.plans} files"
    return f"{counts} in {where}; {style.good('clean:')} {printable(named)}{more}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
