"""What a unit says about existing code: its mirror claims, and the references that could cover them.

Both are functions of one unit, to be used with `Document.collect`; their offsets are relative to the unit.
Source: ADR-0032 section 3, rules.md G1.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from nubos_lsp.plan.references import PATTERN_REF, ReferenceTag, reference_tags
from nubos_lsp.plan.units import Unit
from nubos_lsp.prose.code_tokens import CodeToken, code_tokens, identities
from nubos_lsp.prose.ecmascript import fold, trim, utf16_length
from nubos_lsp.prose.phrases import find_phrase, phrase_hints
from nubos_lsp.prose.sentences import SentenceEnds
from nubos_lsp.text.span import Span

_KEY_BYTES = 400


class MirrorClaim(NamedTuple):
    """A sentence with a mirror phrase and code tokens.

    `told_at` is the first place in the sentence where the phrase's text occurs, even inside a longer word: the gate
    reports that line. `names` are the identities of all tokens: one of them covered covers the claim. `key` is equal
    for sentences that the gate reports once.
    """

    sentence: Span
    phrase: Span
    phrase_text: str
    told_at: int
    tokens: tuple[CodeToken, ...]
    names: frozenset[str]
    key: bytes


def references(unit: Unit) -> tuple[ReferenceTag, ...]:
    """The tags that count: block by block, in each all `<pattern_ref>` and then all `<deviation>`."""
    return tuple(tag for block in unit.blocks for tag in reference_tags(unit.text, block))


def covering(unit: Unit) -> tuple[frozenset[str], ...]:
    """The identities of the `at` and `symbol` of each `<pattern_ref>` of the unit, in one set; no set without any."""
    values = (
        tag.value(name) for tag in unit.derived(references) if tag.kind == PATTERN_REF for name in ("at", "symbol")
    )
    names = frozenset().union(*map(identities, values))
    return (names,) if names else ()


def mirror_claims(unit: Unit) -> tuple[MirrorClaim, ...]:
    """The claims outside all blocks, in order."""
    prose, doubled = _as_measured(unit)
    hints = phrase_hints(prose)
    if not hints:
        return ()
    text, by = unit.lead + prose, len(unit.lead)
    claims = (_claim(span.shift(-by), span.of(text)) for span in _hinted(text, hints, by))
    return tuple(_narrowed(claim, doubled) for claim in claims if claim)


def _as_measured(unit: Unit) -> tuple[str, tuple[int, ...]]:
    """The prose of a unit, and where it has a character more than the text.

    The gate blanks code units: a character of two units in a block leaves two spaces, which count in its limits.
    """
    if all(utf16_length(block.of(unit.text)) == block.end - block.start for block in unit.blocks):
        return unit.prose, ()
    inside = (offset for block in unit.blocks for offset in range(*block) if utf16_length(unit.text[offset]) > 1)
    doubled = tuple(offset + before for before, offset in enumerate(inside))
    prose = unit.prose
    cuts = [offset - before for before, offset in enumerate(doubled)]
    pieces = (prose[start:end] for start, end in pairwise((0, *cuts, len(prose))))
    return " ".join(pieces), doubled


def _narrowed(claim: MirrorClaim, doubled: tuple[int, ...]) -> MirrorClaim:
    """A claim of the prose as it is measured, in offsets of the text."""
    if not doubled:
        return claim

    def narrow(offset: int) -> int:
        return offset - bisect_left(doubled, offset)

    return claim._replace(
        sentence=Span(*map(narrow, claim.sentence)),
        phrase=Span(*map(narrow, claim.phrase)),
        told_at=narrow(claim.told_at),
        tokens=tuple(token._replace(start=narrow(token.start), end=narrow(token.end)) for token in claim.tokens),
    )


def _hinted(text: str, hints: tuple[int, ...], by: int) -> Iterator[Span]:
    """The sentences of `text` in which a hint lies; a hint's offset there is `by` more."""
    ends = (*(boundary.end for boundary in SentenceEnds(text).read()), len(text))
    last = -1
    for hint in hints:
        index = bisect_right(ends, hint + by)
        if index > last:
            last = index
            yield Span(ends[index - 1] if index else 0, ends[index])


def _claim(span: Span, sentence: str) -> MirrorClaim | None:
    phrase = find_phrase(sentence)
    tokens = code_tokens(sentence) if phrase else ()
    if not phrase or not tokens:
        return None
    text = sentence[phrase.start : phrase.end]
    return MirrorClaim(
        sentence=span,
        phrase=Span(phrase.start, phrase.end).shift(span.start),
        phrase_text=trim(text),
        told_at=sentence.index(text) + span.start,
        tokens=tuple(token._replace(start=token.start + span.start, end=token.end + span.start) for token in tokens),
        names=frozenset().union(*(identities(token.text) for token in tokens)),
        key=fold(sentence).encode("utf-16-le", "surrogatepass")[:_KEY_BYTES],
    )
