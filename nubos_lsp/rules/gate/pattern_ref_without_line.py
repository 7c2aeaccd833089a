"""The `at` of a `<pattern_ref>` names a file, but no line in it.

## What it finds
An `at` that is not `path:line` or `path:line-line`, with ASCII digits and a path without white space or colon.

## Why it matters
A file holds many behaviours. Only a line says which one was read, and lets a tool notice when it moves.

## Instead
Write the line at which the mirrored code stands: `at="app/Actions/ShareSegmentAction.php:34"`.

## When the fix is safe
Never applied by itself: the line is a claim about the code, for you to confirm.

## Source in the seeds
ADR-0032 section 3, point 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nubos_lsp.plan.claims import references
from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.plan.references import PATTERN_REF, ReferenceTag
from nubos_lsp.plan.units import Unit
from nubos_lsp.prose.ecmascript import WHITE_SPACE
from nubos_lsp.rules.base import Context, Family, Finding, Fix, Meta, Severity
from nubos_lsp.text.edit import TextEdit

META = Meta(
    category="pattern-claim-unverified",
    severity=Severity.CRITICAL,
    family=Family.GATE,
    kinds=frozenset({PlanKind.MILESTONE, PlanKind.SLICE}),
    order=(30, 1),
    summary="A <pattern_ref> whose at= has no line number.",
)

VALID = (
    """
<pattern_refs>
<pattern_ref at="src/Cart.php:12-20" behavior="adds up the items"/>
</pattern_refs>
""",
)

INVALID = (
    """
<pattern_refs>
<pattern_ref symbol="Cart::total" at="src/Cart.php" behavior="adds up the items"/>
                                      ^^^^^^^^^^^^ pattern-ref-without-line [add-line]
</pattern_refs>
""",
    """
<pattern_refs>
<pattern_ref at="https://example.org" behavior="adds up the items"/>
                 ^^^^^^^^^^^^^^^^^^^ pattern-ref-without-line
</pattern_refs>
""",
)

_PLACE = re.compile(rf"[^{re.escape(WHITE_SPACE)}:]+:[0-9]+(?:-[0-9]+)?")


def scan(unit: Unit) -> tuple[ReferenceTag, ...]:
    """The references whose `at` is there and is no place."""
    return tuple(tag for tag in unit.derived(references) if tag.kind == PATTERN_REF and _is_no_place(tag.value("at")))


def _is_no_place(at: str) -> bool:
    return at != "" and not _PLACE.fullmatch(at)


def check(context: Context) -> Iterator[Finding]:
    """One finding for each of them, at the value."""
    for offset, tag in context.document.collect(scan, in_blocks=True):
        at = tag.value("at")
        yield context.report(
            tag.attributes["at"].value_span.shift(offset),
            f'<pattern_ref> "{tag.label}" has at="{at}" without a line number: a claim about code needs path:line',
            hint='write at="path:line" or "path:line-line", as in <files_read>',
            raw={"at": at},
            anchor=tag.span.start + offset,
        )


_LINE = r"(?:(?:lines?|zeilen?|ln|l)[ .:]*)?(\d{1,9})(?:\s*[-–—]\s*L?(\d{1,9}))?(?!\d)"
_CITED = re.compile(rf"([^\s:#,(@]+)[\s:#,(@]*(?:{_LINE}.*)?", re.IGNORECASE | re.DOTALL)


def add_line(context: Context, finding: Finding) -> Iterator[Fix]:
    """The line that is written there already, that of the symbol, or else 1."""
    from nubos_lsp.plan.build import insertion
    from nubos_lsp.rules.fixes.attributes import reference_at
    from nubos_lsp.rules.fixes.evidence import Evidence, symbol_line

    tag = reference_at(context.document, finding.anchor)
    cited = _CITED.fullmatch(tag.value("at")) if tag else None
    if tag is None or cited is None:
        return
    path = cited[1]
    written = _lines(cited[2], cited[3])
    found = symbol_line(context.snapshot.facts, path, tag.value("symbol"))
    lines: list[str | None] = list(dict.fromkeys(line for line in (written, found) if line))
    for index, line in enumerate(lines or [None]):
        place = Evidence(path, line)
        edit = TextEdit(tag.attributes["at"].value_span, insertion(place.value(1)))
        yield Fix("add-line", f'Write at="{place.place()}"', False, (edit,), index == 0)


def _lines(first: str | None, last: str | None) -> str | None:
    """The lines as ASCII digits."""
    return "-".join(str(int(number)) for number in (first, last) if number) or None


FIXES = (add_line,)
