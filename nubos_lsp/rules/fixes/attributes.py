"""Fixes of a tag's attributes: how one is written, and what one is missing.

The gate reads `name="value"` alone, so `at='…'`, `at=…`, `at=“…”` and `At="…"` are missing attributes to it. Writing
them as it wants is safe: no word of the user changes. Source: rules.md G1, gate-details 17.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from nubos_lsp.plan.build import Value, insertion
from nubos_lsp.plan.claims import references
from nubos_lsp.plan.references import PATTERN_REF, ReferenceTag, reference_tags
from nubos_lsp.plan.units import Unit
from nubos_lsp.prose.code_tokens import identities
from nubos_lsp.rules.base import Fix
from nubos_lsp.syntax.tags import read_tag
from nubos_lsp.syntax.tokens import Tag, TagAttribute, TagKind
from nubos_lsp.text.edit import TextEdit, apply_edits
from nubos_lsp.text.span import Span
from nubos_lsp.workspace.document import Document

_SPELLINGS = {"behaviour": "behavior"}
_SINGLE_QUOTES = {"‘": "’", "‚": "‘", "’": "’", "«": "»", "»": "«", "`": "`", "´": "´", "‹": "›", "›": "‹"}
_TAG_NAME = re.compile(r"<\w+")
_NOT_QUOTABLE = re.compile(r"[\"'“”„<>\r\n]")
_QUOTES = "\"'“”„`´" + "".join(_SINGLE_QUOTES)
_MOST_TO_COVER = 3  # Tags that are rewritten for one claim; one is enough, but it may not work.
_INDENTED = re.compile(r"[\r\n]([ \t]*)\Z")


def reference_at(document: Document, offset: int) -> ReferenceTag | None:
    """The `<pattern_ref>` or `<deviation>` that begins at `offset`."""
    found = document.derived(_references_by_offset).get(offset)
    return found[1].shift(found[0]) if found else None


def _references_by_offset(document: Document) -> Mapping[int, tuple[int, ReferenceTag]]:
    """Each tag and its unit's offset: thousands of findings ask for theirs."""
    return {tag.span.start + by: (by, tag) for by, tag in document.collect(references, in_blocks=True)}


def preceding_reference(document: Document, offset: int) -> ReferenceTag | None:
    """The nearest `<pattern_ref>` that begins before `offset`."""
    tags = (tag.shift(by) for by, tag in document.collect(references, in_blocks=True) if tag.kind == PATTERN_REF)
    return max((tag for tag in tags if tag.span.start < offset), key=lambda tag: tag.span.start, default=None)


def rewritten(document: Document, start: int, wanted: Sequence[str]) -> Iterator[Fix]:
    """The attributes `wanted` of the tag at `start` as the gate reads them, where they are there in another writing."""
    text = document.text
    tag = read_tag(text, start, structural=False)
    if not tag:
        return
    rewrites = {name: tuple(_rewrite(text, tag, name)) for name in wanted}
    names = [name for name, edits in rewrites.items() if edits and _reads(text, tag, name, edits)]
    edits = [edit for name in names for edit in rewrites[name]]
    renamed = [edit for edit in edits if edit.insert in wanted]
    if not edits:
        return
    shown = ", ".join(f"{name}=" for name in names)
    if len(renamed) == len(edits):
        old = ", ".join(f"{edit.span.of(text)}=" for edit in renamed)
        yield Fix("rename-attribute", f"Write {old} as {shown}", True, tuple(edits), True)
    else:
        yield Fix("quote-attribute", f"Write {shown} in double quotes", True, tuple(edits), True)


class _Unread(NamedTuple):
    """An attribute that the gate does not read, and what its tag would cover if it did."""

    start: int
    attribute: str
    names: frozenset[str]


def rewritten_to_cover(document: Document, names: Iterable[str]) -> Iterator[Fix]:
    """The `symbol` or `at` of a tag that covers one of the `names`, as the gate reads it, where it does not yet."""
    known = document.derived(_rewrites_by_name)
    found = {fix.edits: fix for name in sorted(names) for fix in known.get(name, ())}
    yield from islice(found.values(), _MOST_TO_COVER)


def _rewrites_by_name(document: Document) -> Mapping[str, Sequence[Fix]]:
    found: dict[str, list[Fix]] = {}
    for offset, unread in document.collect(_unread, in_blocks=True):
        for fix in rewritten(document, unread.start + offset, (unread.attribute,)):
            for name in unread.names:
                fixes = found.setdefault(name, [])
                if len(fixes) < _MOST_TO_COVER:
                    fixes.append(fix)
    return found


def _unread(unit: Unit) -> tuple[_Unread, ...]:
    tags = (tag for tag in unit.derived(references) if tag.kind == PATTERN_REF)
    return tuple(unread for tag in tags for unread in _unread_attributes(unit.text, tag))


def _unread_attributes(text: str, reference: ReferenceTag) -> Iterator[_Unread]:
    lacking = [name for name in ("symbol", "at") if not reference.value(name)]
    tag = read_tag(text, reference.span.start, structural=False) if lacking else None
    for name in lacking:
        attribute = _written(tag, name) if tag else None
        if attribute and attribute.value:
            yield _Unread(reference.span.start, name, identities(attribute.value.strip(_QUOTES)))


def _reads(text: str, tag: Tag, name: str, edits: Iterable[TextEdit]) -> bool:
    """Whether the gate sees `name` in the tag after the edits: an empty one behind it would still win."""
    start = tag.span.start
    changed = apply_edits(tag.span.of(text), (TextEdit(edit.span.shift(-start), edit.insert) for edit in edits))
    read = next(reference_tags(changed, Span(0, len(changed))), None)
    return read is not None and read.value(name) != ""


def _written(tag: Tag, name: str) -> TagAttribute | None:
    """The last attribute that means `name` and has a value."""
    meant = (
        attribute
        for attribute in reversed(tag.attributes)
        if attribute.value and attribute.value.strip() and _SPELLINGS.get(key := attribute.name.lower(), key) == name
    )
    return next(meant, None)


def _rewrite(text: str, tag: Tag, name: str) -> Iterator[TextEdit]:
    attribute = _written(tag, name)
    if attribute is None or attribute.value_span is None:
        return
    quotes = () if attribute.quote == '"' else _quotes(text, tag, attribute)
    if quotes is None or not attribute.closed:
        return
    if attribute.name != name:
        yield TextEdit(attribute.name_span, name)
    yield from (TextEdit(span, '"') for span in quotes)


def _quotes(text: str, tag: Tag, attribute: TagAttribute) -> tuple[Span, Span] | None:
    """Where the two double quotes go; None when it is not plain where the value ends."""
    assert attribute.value_span is not None
    start, end = attribute.value_span
    if attribute.quote:
        behind = text[end + 1 : end + 2]
        plain = '"' not in attribute.value_span.of(text) and (behind in ("", "/", ">") or behind.isspace())
        return (Span(start - 1, start), Span(end, end + 1)) if plain else None
    end = start + len(text[start : _unquoted_limit(tag, attribute)].rstrip())
    value = text[start:end]
    if _NOT_QUOTABLE.search(value):
        return None
    if len(value) > 2 and _SINGLE_QUOTES.get(value[0]) == value[-1]:
        return Span(start, start + 1), Span(end - 1, end)
    return Span(start, start), Span(end, end)


def _unquoted_limit(tag: Tag, attribute: TagAttribute) -> int:
    """Where the value of an unquoted attribute ends at the latest: it may be several words."""
    later = (each for each in tag.attributes if each.name_span.start > attribute.name_span.start)
    following = next((each.name_span.start for each in later if each.value is not None), None)
    return _content_end(tag) if following is None else following


def _content_end(tag: Tag) -> int:
    return tag.span.end - (tag.closed and (2 if tag.kind is TagKind.EMPTY else 1))


def completed(
    document: Document, tag: ReferenceTag, attributes: Sequence[tuple[str, Value]], *, behind: str = ""
) -> Iterator[tuple[TextEdit, ...]]:
    """The tag with `attributes` that it lacks, the best way first: behind the attribute `behind`, last, or first.

    One that is there without a value is filled: a second one of its name would make two, and the last one counts.
    """
    filled = tuple(
        TextEdit(tag.attributes[name].value_span, insertion(value))
        for name, value in attributes
        if name in tag.attributes
    )
    new = [(name, value) for name, value in attributes if name not in tag.attributes]
    if not new:
        yield filled
        return
    for offset in _offsets(document.text, tag, behind):
        yield (*filled, _inserted(document, tag, new, offset))


def _offsets(text: str, tag: ReferenceTag, behind: str) -> Iterator[int]:
    name = _TAG_NAME.match(text, tag.span.start)
    first = name.end() if name else tag.span.end - 1
    if behind in tag.attributes:
        yield tag.attributes[behind].value_span.end + 1
    inner = text[first : tag.span.end - 1].rstrip()
    yield first + len(inner.removesuffix("/").rstrip())
    yield first


def _inserted(document: Document, tag: ReferenceTag, attributes: Sequence[tuple[str, Value]], offset: int) -> TextEdit:
    separator = _separator(document, tag)
    parts = [part for name, value in attributes for part in (separator, f'{name}="', *value, '"')]
    follows = document.text[offset : offset + 1]
    parts += [] if follows in ("", "/", ">") or follows.isspace() else [" "]
    return TextEdit(Span(offset, offset), insertion(parts))


def _separator(document: Document, tag: ReferenceTag) -> str:
    """What stands between two attributes of the tag: a line end and their indent, or a space."""
    for attribute in sorted(tag.attributes.values(), key=lambda attribute: attribute.name_span, reverse=True):
        match = _INDENTED.search(document.text[tag.span.start : attribute.name_span.start])
        if match:
            return document.newline + match[1]
    return " "
