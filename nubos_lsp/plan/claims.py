"""What a unit says about existing code: its mirror claims, and the references that could cover them.

Both are functions of one unit, to be used with `Document.collect`; their offsets are relative to the unit.
Source: ADR-0032 section 3, rules.md G1.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from nubos_lsp.plan.references import PATTERN_REF, ReferenceTag, reference_tags
from nubos_lsp.plan.units import Unit
from nubos_lsp.prose.code_tokens import CodeToken, code_tokens, identities
from nubos_lsp.prose.ecmascript import fold, trim
from nubos_lsp.prose.phrases import find_phrase, phrase_hints
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
    prose = unit.prose
    hints = phrase_hints(prose)
    if not hints:
        return ()
    prose, by = unit.lead + prose, len(unit.lead)
    claims = (_claim(span, span.shift(by).of(prose)) for span in _hinted(unit, hints))
    return tuple(claim for claim in claims if claim)


def _hinted(unit: Unit, hints: tuple[int, ...]) -> Iterator[Span]:
    """The sentences in which a hint lies."""
    sentences = unit.sentences
    last = -1
    for hint in hints:
        index = bisect_right(sentences, hint, key=lambda sentence: sentence.start) - 1
        if index > last:
            last = index
            yield sentences[index]


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
