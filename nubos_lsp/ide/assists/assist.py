"""What an assist gives, and what assists have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from nubos_lsp.plan.claims import references
from nubos_lsp.plan.references import PATTERN_REF, ReferenceTag
from nubos_lsp.rules.fixes.trial import Trial
from nubos_lsp.text.edit import TextEdit
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.snapshot import Snapshot

_CATEGORY = "pattern-claim-unverified"


class Assist(NamedTuple):
    """Something that can be done at the cursor."""

    title: str
    edits: tuple[TextEdit, ...]


def pattern_refs(document: Document) -> Iterator[ReferenceTag]:
    """All `<pattern_ref>` that count."""
    return (
        tag.shift(offset) for offset, tag in document.collect(references, in_blocks=True) if tag.kind == PATTERN_REF
    )


def harmless(snapshot: Snapshot, assist: Assist) -> bool:
    """Whether the plan has no finding more after it."""
    return Trial(snapshot, _CATEGORY).is_harmless(assist.edits)
