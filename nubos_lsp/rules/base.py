"""What a rule is made of, and what it reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import NamedTuple

from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.text.edit import TextEdit
from nubos_lsp.text.span import Span
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.snapshot import Snapshot

ALL_PLANS = frozenset(PlanKind)


class Severity(Enum):
    """How much a finding matters. A critical one fails the gate; advice never counts."""

    CRITICAL = "critical"
    MAJOR = "major"
    MINOR = "minor"
    ADVICE = "advice"


class Family(Enum):
    """Gate rules agree with the seeds' gate to the letter; live rules are ours alone."""

    GATE = "gate"
    LIVE = "live"


class Related(NamedTuple):
    """A further place in the same document that explains a finding."""

    span: Span
    message: str


class Finding(NamedTuple):
    """Something wrong at a place. Offsets are code points in the document that was checked.

    `anchor` is the offset whose line the gate names in `target`, and by which findings are ordered. `raw` holds the
    data of rules.md for this rule; it is JSON.
    """

    rule: str
    category: str
    severity: Severity
    span: Span
    anchor: int
    message: str
    hint: str
    raw: Mapping[str, object]
    related: tuple[Related, ...] = ()

    def target(self, document: Document) -> str:
        """The place as the gate writes it: `PLAN.md:<line>`."""
        return f"PLAN.md:{document.line_number(self.anchor)}"


class Fix(NamedTuple):
    """One way to end a finding. `id` names it within its rule; a safe one changes only how something is written."""

    id: str
    title: str
    safe: bool
    edits: tuple[TextEdit, ...]
    preferred: bool = False


class SafeFix:
    """Marks a fix function that gives only safe fixes and asks for no facts."""

    def __init__(self, function: Callable[[Context, Finding], Iterable[Fix]]) -> None:
        self._function = function

    def __call__(self, context: Context, finding: Finding) -> Iterable[Fix]:
        """The fixes for a finding."""
        return self._function(context, finding)


class Meta(NamedTuple):
    """What is known of a rule without running it. `order` places its findings among the others of a document."""

    category: str
    severity: Severity
    family: Family
    kinds: frozenset[PlanKind]
    order: tuple[int, int]
    summary: str


class Rule(NamedTuple):
    """A rule, read from its module. `page` is its documentation; the cases are marked plans (tests/marked.py)."""

    name: str
    meta: Meta
    page: str
    check: Callable[[Context], Iterable[Finding]]
    fixes: tuple[Callable[[Context, Finding], Iterable[Fix]], ...]
    valid: tuple[str, ...]
    invalid: tuple[str, ...]


class Context(NamedTuple):
    """What a rule is given: the moment to judge, and itself to report as."""

    rule: Rule
    snapshot: Snapshot

    @property
    def document(self) -> Document:
        """The document to check."""
        return self.snapshot.document

    def report(
        self,
        span: Span,
        message: str,
        *,
        hint: str,
        raw: Mapping[str, object],
        anchor: int | None = None,
        related: tuple[Related, ...] = (),
    ) -> Finding:
        """A finding of this rule; `anchor` is the span's start unless given."""
        meta = self.rule.meta
        return Finding(
            rule=self.rule.name,
            category=meta.category,
            severity=meta.severity,
            span=span,
            anchor=span.start if anchor is None else anchor,
            message=message,
            hint=hint,
            raw=raw,
            related=related,
        )
