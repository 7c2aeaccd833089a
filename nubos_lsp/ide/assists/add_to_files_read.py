"""Add the `at` of a `<pattern_ref>` to `<files_read>`.

Offered in the `<pattern_ref>` when its place is not listed there. The seeds demand it: what a claim rests on must have
been read. A missing `<files_read>` is created in `<reality_check>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nubos_lsp.ide.assists.assist import Assist, harmless, pattern_refs
from nubos_lsp.plan.reference_places import files_read_edit, listed, new_files_read_edit
from nubos_lsp.rules.fixes.pattern_ref import surroundings
from nubos_lsp.text.span import Span
from nubos_lsp.workspace.snapshot import Snapshot

_PLACE = re.compile(r"[^\s:<>]+:[0-9]+(?:-[0-9]+)?")


def add_to_files_read(snapshot: Snapshot, span: Span) -> Iterator[Assist]:
    """The entry for the reference at `span`."""
    tag = next((tag for tag in pattern_refs(snapshot.document) if tag.span.touches(span)), None)
    place = tag.value("at") if tag else ""
    around = surroundings(snapshot.document)
    if not _PLACE.fullmatch(place) or listed(around, place):
        return
    edit = files_read_edit(around, place) or new_files_read_edit(around, place)
    assist = Assist(f"Add {place} to <files_read>", (edit,)) if edit else None
    if assist and harmless(snapshot, assist):
        yield assist
