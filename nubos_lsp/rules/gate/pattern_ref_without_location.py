"""A `<pattern_ref>` does not say where the code is that it speaks of.

## What it finds
A `<pattern_ref>` inside `<pattern_refs>` without `at`, with an empty one, or with one that the gate cannot read: in
single quotes, without quotes, or under another spelling such as `At`.

## Why it matters
Without a place nobody can open the code and see whether the claim about it is true.

## Instead
Cite the place as `at="path:line"`, exactly as it stands in `<files_read>`.

## When the fix is safe
Writing an existing value in double quotes, or an attribute's name in lower case, is safe. An inserted `at` is not: the
place is for you to find.

## Source in the seeds
ADR-0032 section 3, point 2.
"""

from __future__ import annotations

from collections.abc import Iterator

from nubos_lsp.plan.claims import references
from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.plan.references import PATTERN_REF, ReferenceTag
from nubos_lsp.plan.units import Unit
from nubos_lsp.rules.base import Context, Family, Finding, Fix, Meta, SafeFix, Severity

META = Meta(
    category="pattern-claim-unverified",
    severity=Severity.CRITICAL,
    family=Family.GATE,
    kinds=frozenset({PlanKind.MILESTONE, PlanKind.SLICE}),
    order=(30, 0),
    summary="A <pattern_ref> without at=.",
)

VALID = (
    """
<pattern_refs>
<pattern_ref symbol="Cart::total" at="src/Cart.php:12" behavior="adds up the items"/>
</pattern_refs>
""",
    """
A <pattern_ref symbol="Cart::total"/> outside a block is prose.
""",
)

INVALID = (
    """
<pattern_refs>
<pattern_ref symbol="Cart::total" behavior="adds up the items"/>
^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pattern-ref-without-location [insert-at]
</pattern_refs>
""",
    """
<pattern_refs>
<pattern_ref at='src/Cart.php:12' behavior="adds up"/>
^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pattern-ref-without-location [quote-attribute] [insert-at]
</pattern_refs>
""",
)


def scan(unit: Unit) -> tuple[ReferenceTag, ...]:
    """The references without a place."""
    return tuple(tag for tag in unit.derived(references) if tag.kind == PATTERN_REF and not tag.value("at"))


def check(context: Context) -> Iterator[Finding]:
    """One finding for each of them."""
    for offset, tag in context.document.collect(scan, in_blocks=True):
        yield context.report(
            tag.span.shift(offset),
            f'<pattern_ref> "{tag.label}" has no at="path:line": the code it speaks of cannot be looked up',
            hint='add at="path:line" and list the same path:line in <files_read>',
            raw={"symbol": tag.value("symbol") or None},
        )


@SafeFix
def quote_attribute(context: Context, finding: Finding) -> Iterator[Fix]:
    """An `at` that is there in another writing."""
    from nubos_lsp.rules.fixes.attributes import rewritten

    yield from rewritten(context.document, finding.anchor, ("at",))


def insert_at(context: Context, finding: Finding) -> Iterator[Fix]:
    """An `at`, filled when the symbol can be found."""
    from nubos_lsp.rules.fixes.attributes import completed, reference_at
    from nubos_lsp.rules.fixes.evidence import evidence
    from nubos_lsp.rules.fixes.pattern_ref import at_value, surroundings, with_files_read

    tag = reference_at(context.document, finding.anchor)
    if tag is None:
        return
    symbol = tag.value("symbol")
    found = evidence(context.snapshot, symbol) if symbol else None
    title = f'Insert at="{found.place()}"' if found else 'Insert at="path:line"'
    for edits in completed(context.document, tag, [("at", at_value(found, 1))], behind="symbol"):
        for way in with_files_read(surroundings(context.document), found, edits):
            yield Fix("insert-at", title, False, way)


FIXES = (quote_attribute, insert_at)
