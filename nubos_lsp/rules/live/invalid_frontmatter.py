"""The YAML at the head of the plan cannot be read.

## What it finds
Frontmatter that is not closed by `---`, is no valid YAML, is no mapping, or has a key twice. The finding stands at the
place that the YAML reader names.

## Why it matters
The seeds' gate stops at such a file without a result. Ids, dependencies and modified files are read from the
frontmatter; what cannot be read is silently missing later.

## Instead
Quote values that hold `: `, `#`, brackets or a backslash, close every list, and end the frontmatter with a `---` line.

## When the fix is safe
There is no automatic fix: only you know what the line was to say.

## Source in the seeds
plan-phase workflow (task frontmatter); gate-details 20, where the gate's own answer is to stop. We report and go on.
"""

from __future__ import annotations

from collections.abc import Iterator

from nubos_lsp.rules.base import ALL_PLANS, Context, Family, Finding, Meta, Severity

META = Meta(
    category="plan-syntax",
    severity=Severity.MAJOR,
    family=Family.GATE,
    kinds=ALL_PLANS,
    order=(90, 0),
    summary="Frontmatter that YAML cannot read.",
)

VALID = (
    """
---
slice: M001-S001
requirements: [REQ-1, REQ-2]
---
""",
)

INVALID = (
    """
---
slice: M001-S001
requirements: [REQ-1
              ^^^^^^ invalid-frontmatter
---
""",
)


def check(context: Context) -> Iterator[Finding]:
    """One finding for each problem of the frontmatter."""
    frontmatter = context.document.frontmatter
    for problem in frontmatter.problems if frontmatter else ():
        yield context.report(
            problem.span,
            problem.message,
            hint="the gate stops at frontmatter that it cannot read: correct it before you run the gate",
            raw={"problem": problem.message},
        )


FIXES = ()
