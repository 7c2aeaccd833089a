"""A `<deviation>` does not say what it deviates from, to what, or why.

## What it finds
A `<deviation>` inside `<pattern_refs>` that lacks any of `ref`, `from`, `to` and `reason`, or has one empty. One
finding names all that are missing.

## Why it matters
A deviation makes "mirror X" and a differing criterion compatible. It can be reviewed only when both sides and the
reason are written down.

## Instead
Name the reference, the behaviour that it has, the one that is wanted, and the criterion or decision that asks for it.

## When the fix is safe
Writing an existing value in double quotes, or an attribute's name in lower case, is safe. Inserted attributes are not:
their text is for you to write.

## Source in the seeds
ADR-0032 section 3, point 3.
"""

from __future__ import annotations

from collections.abc import Iterator

from nubos_lsp.plan.claims import references
from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.plan.references import DEVIATION, ReferenceTag
from nubos_lsp.plan.units import Unit
from nubos_lsp.rules.base import Context, Family, Finding, Fix, Meta, SafeFix, Severity

META = Meta(
    category="pattern-claim-unverified",
    severity=Severity.CRITICAL,
    family=Family.GATE,
    kinds=frozenset({PlanKind.MILESTONE, PlanKind.SLICE}),
    order=(31, 0),
    summary="A <deviation> that lacks ref=, from=, to= or reason=.",
)

VALID = (
    """
<pattern_refs>
<deviation ref="Cart::total" from="adds up the items" to="adds up the items and the tax" reason="AC-2"/>
</pattern_refs>
""",
)

INVALID = (
    """
<pattern_refs>
<deviation ref="Cart::total" from="adds up the items"/>
^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ incomplete-deviation [complete-deviation]
</pattern_refs>
""",
    """
<pattern_refs>
<deviation ref="Cart" from="a" To="b" reason='AC-2'/>
^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ incomplete-deviation [quote-attribute] [complete-deviation]
</pattern_refs>
""",
)

REQUIRED = ("ref", "from", "to", "reason")


def scan(unit: Unit) -> tuple[ReferenceTag, ...]:
    """The deviations that lack something."""
    return tuple(tag for tag in unit.derived(references) if tag.kind == DEVIATION and missing(tag))


def missing(tag: ReferenceTag) -> list[str]:
    """The required attributes that a deviation lacks, in the order of rules.md."""
    return [name for name in REQUIRED if not tag.value(name)]


def check(context: Context) -> Iterator[Finding]:
    """One finding for each of them, naming all that is missing."""
    for offset, tag in context.document.collect(scan, in_blocks=True):
        lacking = missing(tag)
        yield context.report(
            tag.span.shift(offset),
            f"<deviation> lacks {', '.join(f'{name}=' for name in lacking)}: without it nobody can judge the deviation",
            hint='every <deviation> needs ref="…", from="…", to="…" and reason="…"',
            raw={"missing": lacking},
        )


@SafeFix
def rewrite_attributes(context: Context, finding: Finding) -> Iterator[Fix]:
    """Attributes that are there in another writing."""
    from nubos_lsp.rules.fixes.attributes import reference_at, rewritten

    tag = reference_at(context.document, finding.anchor)
    yield from rewritten(context.document, finding.anchor, missing(tag) if tag else ())


def complete_deviation(context: Context, finding: Finding) -> Iterator[Fix]:
    """All that it lacks; `ref` and `from` are those of the nearest `<pattern_ref>` above."""
    from nubos_lsp.rules.fixes.attributes import completed, preceding_reference, reference_at
    from nubos_lsp.rules.fixes.deviation import deviation_values

    tag = reference_at(context.document, finding.anchor)
    if tag is None:
        return
    values = deviation_values(preceding_reference(context.document, tag.span.start), missing(tag))
    title = f"Insert {', '.join(f'{name}=' for name, _ in values)}"
    for edits in completed(context.document, tag, values):
        yield Fix("complete-deviation", title, False, edits)


FIXES = (rewrite_attributes, complete_deviation)
