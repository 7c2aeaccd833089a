"""Insert a `<deviation>` for a `<pattern_ref>`.

Offered in the `<pattern_ref>`, and on an acceptance criterion when the plan has only one: the criterion is then the
reason. What the code does is filled in, what the plan does instead is to write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nubos_lsp.ide.assists.assist import Assist, harmless, pattern_refs
from nubos_lsp.plan.build import behind, tag_lines
from nubos_lsp.plan.claims import references
from nubos_lsp.plan.references import DEVIATION, ReferenceTag
from nubos_lsp.prose.ecmascript import fold
from nubos_lsp.rules.fixes.deviation import deviation_values
from nubos_lsp.rules.fixes.pattern_ref import surroundings
from nubos_lsp.text.edit import TextEdit
from nubos_lsp.text.encoding import PositionEncoding
from nubos_lsp.text.span import Span
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.snapshot import Snapshot

_CRITERION = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?(.+)")
_CLOSING_TAG = re.compile(r"\s*</pattern_ref\s*>", re.IGNORECASE)
_IN_QUOTES = str.maketrans({'"': "'", "<": "", ">": ""})
_LONGEST_REASON = 160


def insert_deviation(snapshot: Snapshot, span: Span) -> Iterator[Assist]:
    """The deviation from the reference at `span`, or for the criterion there."""
    document = snapshot.document
    tags = tuple(pattern_refs(document))
    here = next((tag for tag in tags if tag.span.touches(span)), None)
    reason = "" if here else _criterion(document, span.start)
    reference = here or (tags[0] if len(tags) == 1 and reason else None)
    if reference is None or reference.label == "(unnamed)" or _has_deviation(document, reference):
        return
    assist = Assist(f"Insert <deviation> from {fold(reference.label)}", (_edit(document, reference, reason),))
    if harmless(snapshot, assist):
        yield assist


def _edit(document: Document, reference: ReferenceTag, reason: str) -> TextEdit:
    values = deviation_values(reference, reason=reason)
    closing = _CLOSING_TAG.match(document.text, reference.span.end)
    span = Span(reference.span.start, closing.end() if closing else reference.span.end)
    lines, inline = tag_lines(DEVIATION, values), tag_lines(DEVIATION, values, inline=True)
    return behind(surroundings(document), span, lines, inline)


def _has_deviation(document: Document, reference: ReferenceTag) -> bool:
    names = {reference.value("symbol"), reference.value("at")} - {""}
    return any(
        tag.kind == DEVIATION and tag.value("ref") in names for _, tag in document.collect(references, in_blocks=True)
    )


def _criterion(document: Document, offset: int) -> str:
    """The acceptance criterion on the line of `offset`, fit for an attribute; "" when there is none."""
    element = document.tree.element_at(offset)
    if element is None or element.name != "acceptance_criteria":
        return ""
    line, _ = document.position(offset, PositionEncoding.UTF32)
    match = _CRITERION.match(document.line_span(line).of(document.text))
    text = fold(match[1].translate(_IN_QUOTES)) if match else ""
    return text if len(text) <= _LONGEST_REASON else text[:_LONGEST_REASON].rsplit(" ", 1)[0] + " …"
