"""A rule's page: what `explain` prints and `docs/rules` holds. Made from the rule alone, its example by running it."""

from __future__ import annotations

from nubos_lsp.cli.formats.excerpt import MAIN, RELATED, Mark, draw, line_column
from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.rules.base import Family, Finding, Rule
from nubos_lsp.rules.engine import check
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.facts import Facts, FileQuestion, SourceFile
from nubos_lsp.workspace.settings import Settings
from nubos_lsp.workspace.snapshot import Snapshot

_EXAMPLE_STANDS_BEFORE = "\n## Instead\n"
_WIDTH = 100
_FAMILIES = {Family.GATE: "gate (`nubos-lsp lint --gate` runs it)", Family.LIVE: "live (beyond the gate)"}


def page(rule: Rule) -> str:
    """The page of a rule as Markdown."""
    lead, headings, rest = rule.page.strip().partition("\n## ")
    text = f"# {rule.name}\n\n{lead.strip()}\n\n{_facts(rule)}\n{headings}{rest}\n"
    before, heading, after = text.partition(_EXAMPLE_STANDS_BEFORE)
    return f"{before}\n## Example\n```text\n{example(rule)}\n```\n{heading}{after}"


def _facts(rule: Rule) -> str:
    kinds = ", ".join(kind.value for kind in PlanKind if kind in rule.meta.kinds)
    return "\n".join(
        (
            f"- category: `{rule.meta.category}`",
            f"- severity: {rule.meta.severity.value}",
            f"- family: {_FAMILIES[rule.meta.family]}",
            f"- plans: {kinds}",
        )
    )


def example(rule: Rule) -> str:
    """The rule's first wrong case as lint shows it: the plan, each place underlined, each message below its place."""
    document, facts = _case(rule)
    findings = check(Snapshot(document, Settings(), facts), (rule,)).findings
    rows: list[str] = []
    for line in range(1, document.line_count + 1):
        here = [finding for finding in findings if line_column(document, finding.span.start)[0] == line]
        rows += _drawn(document, line, here)
    return "\n".join(rows)


def _drawn(document: Document, line: int, findings: list[Finding]) -> list[str]:
    gutter = len(str(document.line_count))
    rows = [f"{line:>{gutter}} | {draw(document, line, (), _WIDTH)[0]}".rstrip()]
    for finding in findings:
        related = [
            Mark(place.span, RELATED) for place in finding.related if _begins_in(document, line, place.span.start)
        ]
        row = draw(document, line, [*related, Mark(finding.span, MAIN)], _WIDTH)[1]
        rows += [f"{'':{gutter}} | {row}", f"{'':{gutter}} = {finding.message}"]
    return rows


def _begins_in(document: Document, line: int, offset: int) -> bool:
    return line_column(document, offset)[0] == line


def _case(rule: Rule) -> tuple[Document, Facts]:
    """The first wrong case without its marks: its plan, and the further files behind `-- path --` lines."""
    files: dict[str, list[str]] = {"": []}
    lines = files[""]
    for line in rule.invalid[0].strip("\n").split("\n"):
        if line.startswith("-- ") and line.endswith(" --"):
            lines = files.setdefault(line[3:-3].strip(), [])
        elif not line.lstrip().startswith(MAIN):
            lines.append(line.replace("<|>", ""))
    plan = "\n".join(files.pop(""))
    kind = next(kind for kind in (PlanKind.SLICE, *PlanKind) if kind in rule.meta.kinds)
    answers = {FileQuestion(path): SourceFile("\n".join(lines)) for path, lines in files.items()}
    return Document.open("example", None, plan, kind), Facts(answers)
