"""A `<pattern_ref>` does not say what the code does.

## What it finds
A `<pattern_ref>` inside `<pattern_refs>` without `behavior`, with an empty one, or with one under another spelling such
as `behaviour`.

## Why it matters
The claim about the behaviour is what a criterion can contradict. A reference without one only proves that a file
exists.

## Instead
State what the code does today, not what the plan wants: `behavior="firstOrCreate: a second call is a no-op"`.

## When the fix is safe
Correcting the spelling of the attribute is safe. An inserted `behavior` is not: the claim is for you to write.

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
from nubos_lsp.text.edit import TabStop

META = Meta(
    category="pattern-claim-unverified",
    severity=Severity.CRITICAL,
    family=Family.GATE,
    kinds=frozenset({PlanKind.MILESTONE, PlanKind.SLICE}),
    order=(30, 2),
    summary="A <pattern_ref> without behavior=.",
)

VALID = (
    """
<pattern_refs>
<pattern_ref at="src/Cart.php:12" behavior="adds up the items"/>
</pattern_refs>
""",
)

INVALID = (
    """
<pattern_refs>
<pattern_ref symbol="Cart::total" at="src/Cart.php:12"/>
^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pattern-ref-without-behavior [insert-behavior]
</pattern_refs>
""",
    """
<pattern_refs>
<pattern_ref at="Cart.php:12" behaviour="adds up"/>
^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pattern-ref-without-behavior [rename-attribute] [insert-behavior]
</pattern_refs>
""",
)


def scan(unit: Unit) -> tuple[ReferenceTag, ...]:
    """The references without a claim."""
    return tuple(tag for tag in unit.derived(references) if tag.kind == PATTERN_REF and not tag.value("behavior"))


def check(context: Context) -> Iterator[Finding]:
    """One finding for each of them."""
    for offset, tag in context.document.collect(scan, in_blocks=True):
        yield context.report(
            tag.span.shift(offset),
            f'<pattern_ref> "{tag.label}" has no behavior= that says what the code does: '
            "nothing can contradict an unwritten claim",
            hint='state what the code does today, such as behavior="firstOrCreate: a second call is a no-op"',
            raw={"symbol": tag.value("symbol") or None, "at": tag.value("at") or None},
        )


@SafeFix
def rewrite_attribute(context: Context, finding: Finding) -> Iterator[Fix]:
    """A `behavior` that is there in another writing."""
    from nubos_lsp.rules.fixes.attributes import rewritten

    yield from rewritten(context.document, finding.anchor, ("behavior",))


def insert_behavior(context: Context, finding: Finding) -> Iterator[Fix]:
    """A `behavior` to write."""
    from nubos_lsp.rules.fixes.attributes import completed, reference_at
    from nubos_lsp.rules.fixes.pattern_ref import BEHAVIOR

    tag = reference_at(context.document, finding.anchor)
    attribute = ("behavior", (TabStop(1, BEHAVIOR),))
    for edits in completed(context.document, tag, [attribute]) if tag else ():
        yield Fix("insert-behavior", "Insert behavior=", False, edits)


FIXES = (rewrite_attribute, insert_behavior)
