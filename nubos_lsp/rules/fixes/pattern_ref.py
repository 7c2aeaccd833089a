"""The skeleton of a `<pattern_ref>` for a code token of a sentence, and the entry of `<files_read>` that goes with it.

Source: ADR-0032 section 2, rules.md G1 and L2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from nubos_lsp.plan.build import Attributes, Surroundings, Value
from nubos_lsp.plan.reference_places import files_read_edit, pattern_ref_edits
from nubos_lsp.prose.code_tokens import identities
from nubos_lsp.prose.ecmascript import trim
from nubos_lsp.rules.base import Fix
from nubos_lsp.rules.fixes.evidence import PLACEHOLDER, Evidence, evidence
from nubos_lsp.text.edit import TabStop, TextEdit
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.snapshot import Snapshot

BEHAVIOR = "TBD: what the code does"

_OFFERED = 3
_NOT_WRITABLE = re.compile(r'["<\r\n\u2028\u2029]|--|(?<!-)>')
_EXTENSION = re.compile(r"\.[A-Za-z0-9]{1,6}\Z")
_SCOPE = re.compile(r"::|->")
_LINES = re.compile(r":[0-9]+(?:-[0-9]+)?\Z")


def surroundings(document: Document) -> Surroundings:
    """A document as what something is placed in."""
    return Surroundings(document.text, document.tree, document.newline)


def skeletons(snapshot: Snapshot, tokens: Sequence[str]) -> Iterator[Fix]:
    """A skeleton for each of the tokens, as they are written; the most specific first, not too many.

    Several fixes with one title are several places for it. Raises Pending while a file is not known.
    """
    for index, name in enumerate(islice(_names(tokens), _OFFERED)):
        found = evidence(snapshot, name)
        title = f"Insert <pattern_ref> for {name}"
        for edits in _ways(surroundings(snapshot.document), _attributes(name, found), found):
            yield Fix("insert-pattern-ref", title, False, edits, index == 0)


def with_files_read(
    around: Surroundings, found: Evidence | None, edits: tuple[TextEdit, ...]
) -> Iterator[tuple[TextEdit, ...]]:
    """`edits` with the entry that `<files_read>` needs for the evidence, and without it."""
    entry = files_read_edit(around, found.place()) if found else None
    if entry:
        yield (entry, *edits)
    yield edits


def at_value(found: Evidence | None, number: int) -> Value:
    """What `at` is to say; what is not known is tab stop `number`."""
    return found.value(number) if found else (TabStop(number, PLACEHOLDER),)


def _ways(around: Surroundings, attributes: Attributes, found: Evidence | None) -> Iterator[tuple[TextEdit, ...]]:
    for edit in pattern_ref_edits(around, attributes):
        yield from with_files_read(around, found, (edit,))


def _attributes(name: str, found: Evidence | None) -> Attributes:
    known = found is not None and found.lines is not None
    symbol = found.symbol if found else name
    return (
        *((("symbol", (symbol,)),) if symbol else ()),
        ("at", at_value(found, 1)),
        ("behavior", (TabStop(1 if known else 2, BEHAVIOR),)),
    )


def _names(tokens: Sequence[str]) -> Iterator[str]:
    """The tokens as they can stand in an attribute, each once."""
    seen: set[str] = set()
    for token in sorted(tokens, key=_specificity):
        name = next((name for name in _writings(token) if not _NOT_WRITABLE.search(name)), None)
        key = _LINES.sub("", name).lower() if name else ""
        if name and key not in seen and not identities(name).isdisjoint(identities(token)):
            seen.add(key)
            yield name


def _specificity(token: str) -> int:
    """How little a token leaves open: a member, a path with its line, a path, anything else."""
    if _SCOPE.search(token):
        return 0
    path = _LINES.sub("", token)
    if "/" in path and _EXTENSION.search(path):
        return 1 if path != token else 2
    return 3


def _writings(token: str) -> Iterator[str]:
    """The token as written, then its identities in the plan's spelling."""
    name = trim(token).strip("`'\"").rstrip(".,;:")
    yield name
    base = _EXTENSION.sub("", name.rsplit("/", 1)[-1])
    yield base
    yield from reversed(_SCOPE.split(base))
