"""A sentence tells the executor to mirror existing code, and nothing says what that code does.

## What it finds
A sentence outside `<pattern_refs>` that has a mirror phrase ("mirror", "the same pattern as", "analog zu", …) and at
least one code token (`` `ShareSegmentAction` ``, `Foo::bar`, `app/Models/User.php`), none of which a `<pattern_ref>`
names in its `symbol` or `at`. A phrase alone never fires.

## Why it matters
"Mirror X" cannot be checked. A plan once said "fully mirror the segment-share pattern" and "a duplicate share fails".
The mirrored code used `firstOrCreate`, so both could not hold, and every gate passed. An unwritten behaviour cannot
contradict anything; a written one collides with the criterion while the plan is still a plan.

## Instead
Read the code and record what it does in `<reality_check>`, with a `<deviation>` where the plan needs something else:

```
<pattern_refs>
  <pattern_ref symbol="ShareSegmentAction::handle" at="app/Actions/ShareSegmentAction.php:34"
               behavior="firstOrCreate: idempotent; a second share is a no-op"/>
</pattern_refs>
```

## When the fix is safe
A `<pattern_ref>` that names the code in a writing that the gate does not read, as in `symbol='Cart'`, is rewritten
safely. The inserted skeleton ends the finding too, but its `behavior` is for you to write: never applied by itself. Nor
is the removal of a comment that holds the claim.

## Source in the seeds
ADR-0032 section 3, point 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nubos_lsp.plan.claims import MirrorClaim, covering, mirror_claims
from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.prose.ecmascript import trim
from nubos_lsp.rules.base import Context, Family, Finding, Fix, Meta, Related, SafeFix, Severity
from nubos_lsp.text.edit import TextEdit
from nubos_lsp.text.span import Span
from nubos_lsp.workspace.document import Document

META = Meta(
    category="pattern-claim-unverified",
    severity=Severity.CRITICAL,
    family=Family.GATE,
    kinds=frozenset({PlanKind.MILESTONE, PlanKind.SLICE}),
    order=(32, 0),
    summary="A mirror instruction that no <pattern_ref> covers.",
)

VALID = (
    """
<objective>Mirror the existing pattern, in prose.</objective>
""",
    """
Mirror `ShareSegmentAction`.
<pattern_refs>
<pattern_ref symbol="ShareSegmentAction::handle" at="app/Actions/ShareSegmentAction.php:34" behavior="idempotent"/>
</pattern_refs>
""",
)

INVALID = (
    """
<objective>Fully mirror the segment-share pattern of `ShareSegmentAction`.</objective>
           ^^^^^^^^^^^^ unverified-mirror-claim [insert-pattern-ref]
""",
    """
Die Klasse ist analog zu `CsvExporter.export` aufgebaut.
               ^^^^^^^^^ unverified-mirror-claim [insert-pattern-ref]
""",
    """
<!-- TBD: mirror `CsvExporter` -->
          ^^^^^^ unverified-mirror-claim [insert-pattern-ref] [remove-comment]
""",
    """
Mirror `One`, `Two`, `Three`, `Four`, `Five` and `Cart`.
^^^^^^ unverified-mirror-claim [quote-attribute] [insert-pattern-ref]
<pattern_refs>
<pattern_ref symbol='Cart::total' at="src/Checkout.php:12" behavior="adds up the items"/>
</pattern_refs>
""",
)

_HINT = (
    'read the code, then record it: <pattern_ref symbol="…" at="path:line" behavior="what it does"/> in '
    "<pattern_refs>; add a <deviation> where the plan needs another behaviour"
)
_SHOWN = 3  # Tokens in the message.
_REPORTED = 5


def check(context: Context) -> Iterator[Finding]:
    """One finding for each uncovered claim; equal sentences are reported once."""
    known = (names for _, names in context.document.collect(covering, in_blocks=True))
    covered: frozenset[str] = frozenset().union(*known)
    seen: set[bytes] = set()
    for offset, claim in context.document.collect(mirror_claims):
        if claim.key in seen or not claim.names.isdisjoint(covered):
            continue
        seen.add(claim.key)
        yield _finding(context, claim, offset)


def _shown(claim: MirrorClaim) -> str:
    return ", ".join(trim(token.written) for token in claim.tokens[:_SHOWN])


def _finding(context: Context, claim: MirrorClaim, offset: int) -> Finding:
    tokens = [token.text for token in claim.tokens]
    return context.report(
        claim.phrase.shift(offset),
        f'"{claim.phrase_text}" tells the executor to mirror {_shown(claim)}, '
        "but no <pattern_ref> says what that code does",
        hint=_HINT,
        raw={"phrase": claim.phrase_text, "tokens": tokens[:_REPORTED]},
        anchor=claim.told_at + offset,
        related=tuple(
            Related(Span(token.start, token.end).shift(offset), "not covered by any <pattern_ref>")
            for token in claim.tokens[:_REPORTED]
        ),
    )


@SafeFix
def quote_attribute(context: Context, finding: Finding) -> Iterator[Fix]:
    """A `<pattern_ref>` that names one of its tokens in another writing."""
    from nubos_lsp.rules.fixes.attributes import rewritten_to_cover

    yield from rewritten_to_cover(context.document, context.document.derived(_names).get(finding.anchor, ()))


def _names(document: Document) -> Mapping[int, frozenset[str]]:
    """The names of each claim by the place that it is told at: a finding shows some of its tokens only."""
    return {claim.told_at + offset: claim.names for offset, claim in document.collect(mirror_claims)}


def insert_pattern_ref(context: Context, finding: Finding) -> Iterator[Fix]:
    """A skeleton for each of its tokens."""
    from nubos_lsp.rules.fixes.pattern_ref import skeletons

    text = context.document.text
    yield from skeletons(context.snapshot, [related.span.of(text) for related in finding.related])


def remove_comment(context: Context, finding: Finding) -> Iterator[Fix]:
    """A claim in an HTML comment goes with it, and with its line when nothing else stands there."""
    from nubos_lsp.plan.build import removable

    comment = context.document.tree.comment_at(finding.span.start)
    if comment and comment.closed and finding.span.end <= comment.span.end:
        edit = TextEdit(removable(context.document.text, comment.span), "")
        yield Fix("remove-comment", "Remove the comment", False, (edit,))


FIXES = (quote_attribute, insert_pattern_ref, remove_comment)
