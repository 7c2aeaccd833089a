"""`nubos-lsp rules`: all rules in a line each."""

from __future__ import annotations

from nubos_lsp.cli.arguments import Arguments, Command, Option
from nubos_lsp.cli.errors import CLEAN, wrong_usage
from nubos_lsp.cli.streams import Streams
from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.rules.base import Rule
from nubos_lsp.rules.catalogue import all_rules


def run(arguments: Arguments, streams: Streams) -> int:
    """Print the table; the exit code."""
    if arguments.operands:
        raise wrong_usage(
            f'nubos-lsp rules takes no arguments; for one rule: nubos-lsp explain "{arguments.operands[0]}"'
        )
    if arguments.last("--format") == "json":
        from nubos_lsp.cli.formats.json import write

        write([_value(rule) for rule in all_rules()], streams.stdout)
    else:
        streams.stdout.write(_table([_row(rule) for rule in all_rules()]))
    return CLEAN


def _row(rule: Rule) -> tuple[str, ...]:
    return rule.name, rule.meta.category, rule.meta.severity.value, rule.meta.family.value, rule.meta.summary


def _table(rows: list[tuple[str, ...]]) -> str:
    rows = [("rule", "category", "severity", "family", "finds"), *rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join("  ".join(map(str.ljust, row, widths)).rstrip() + "\n" for row in rows)


def _value(rule: Rule) -> dict[str, object]:
    return {
        "rule": rule.name,
        "category": rule.meta.category,
        "severity": rule.meta.severity.value,
        "family": rule.meta.family.value,
        "plans": [kind.value for kind in PlanKind if kind in rule.meta.kinds],
        "summary": rule.meta.summary,
    }


COMMAND = Command(
    name="rules",
    usage=("rules [OPTION…]",),
    summary="List all rules: name, category, severity, family and what each finds.",
    options=(Option("--format", "text (a table) or json", "FORMAT", ("text", "json")),),
    notes="Both names work in lint --select and --ignore, and in explain.",
    run=run,
)
