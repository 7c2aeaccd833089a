"""`nubos-lsp explain RULE`: what a rule finds, why it matters, and an example."""

from __future__ import annotations

from nubos_lsp.cli.arguments import Arguments, Command, Option
from nubos_lsp.cli.errors import CLEAN, wrong_usage
from nubos_lsp.cli.formats.style import AUTO, CHOICES, COLOR, Style, style_for
from nubos_lsp.cli.page import page
from nubos_lsp.cli.rule_names import named_rules
from nubos_lsp.cli.streams import Streams


def run(arguments: Arguments, streams: Streams) -> int:
    """Print the page of the rule, or those of all rules of the category; the exit code."""
    if len(arguments.operands) != 1:
        raise wrong_usage(
            "name one rule or category: nubos-lsp explain unverified-mirror-claim (nubos-lsp rules lists them)"
        )
    style = style_for(streams.stdout, arguments.last(COLOR) or AUTO)
    pages = (_painted(page(rule), style) for rule in named_rules(arguments.operands[0]))
    streams.stdout.write("\n\n".join(pages))
    return CLEAN


def _painted(markdown: str, style: Style) -> str:
    lines = markdown.split("\n")
    return "\n".join(style.bold(line) if line.startswith("#") else line for line in lines)


COMMAND = Command(
    name="explain",
    usage=("explain [OPTION…] RULE",),
    summary="Explain a rule, or all rules of a category: what it finds, why it matters, an example.",
    options=(Option(COLOR, "auto, always or never", "WHEN", CHOICES),),
    notes="RULE is a name that lint shows or that nubos-lsp rules lists. The same pages are in docs/rules.",
    run=run,
)
