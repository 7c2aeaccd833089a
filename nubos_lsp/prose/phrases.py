"""The phrases that tell an executor to mirror something that exists, in English and German.

The order matters: the first of the list that occurs in a sentence is its phrase. Letters and word boundaries are
ASCII (`Spiegelöffnung` fires); white space inside a phrase may be a line break.
Source: rules.md G1, gate-details 2, 3 and 24.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from nubos_lsp.prose.ecmascript import SPACE, utf16_length


class Phrase(NamedTuple):
    """A mirror phrase found: its offsets in the text that was searched."""

    start: int
    end: int


class _Pattern(NamedTuple):
    source: str
    parts: tuple[str, ...]  # Each of them is in every match, in lower case.


_LONGEST_GAP = 40
_GAP = r"(?P<gap>[^.\n]{0,40}?)"

_PATTERNS = (
    _Pattern(r"\b(?:fully )?mirror(?:s|ing|ed)?\b", ("mirror",)),
    _Pattern(r"\bsame pattern as\b", ("pattern", "same")),
    _Pattern(r"\bthe same pattern\b", ("pattern", "same")),
    _Pattern(rf"\bfollow(?:s|ing)? the {_GAP}pattern\b", ("pattern", "follow")),
    _Pattern(r"\banalogous(?:ly)? to\b", ("analog", "ous")),
    _Pattern(r"\bidentical(?:ly)? to\b", ("identi", "cal")),
    _Pattern(r"\bmodel?led? (?:on|after)\b", ("model", "le")),  # As the gate has it: "modelle on" fires too.
    _Pattern(rf"\bcopy the {_GAP}pattern\b", ("pattern", "copy")),
    _Pattern(r"\bin the same way as\b", ("way", "same")),
    _Pattern(r"\b1:1\b", ("1:1",)),
    _Pattern(r"\beins zu eins\b", ("eins",)),
    _Pattern(r"\b(?:wider)?spieg(?:el|l)\w{0,3}\b", ("spieg",)),
    _Pattern(r"\bgespiegelt\b", ("spieg", "gelt")),
    _Pattern(r"\banalog (?:zu|zum|zur)\b", ("analog", "zu")),
    _Pattern(r"\bnach dem (?:muster|vorbild)\b", ("nach", "dem")),
    _Pattern(r"\bgenauso wie\b", ("genauso",)),
    _Pattern(r"\bidentisch (?:zu|mit)\b", ("identi", "sch")),
    _Pattern(r"\borientiere dich an\b", ("orientiere",)),
    # ASCII boundaries see none before an umlaut at the start of a word; here the seeds' intent wins (gate-details, i).
    _Pattern(r"(?<!\w)(?:[üÜ]bernimm|uebernimm) das muster\b", ("muster", "bernimm")),
    _Pattern(r"\b(?:gleiche|selbe|dasselbe|das gleiche) muster\b", ("muster",)),
)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    """Compiled when a sentence first needs it: all of them would cost a cold lint a tenth of its time."""
    return re.compile(source.replace(" ", SPACE + "+"), re.ASCII | re.IGNORECASE)


def phrase_hints(text: str) -> tuple[int, ...]:
    """Offsets in order, one of them in every sentence that has a mirror phrase; a quick look, with false alarms."""
    lowered = text.lower()
    patterns = _possible(lowered)
    if not patterns or not _search(text, patterns):
        return ()
    if len(lowered) != len(text):  # A letter became two (\u0130), so offsets would be wrong: doubt every character.
        return tuple(range(len(text)))
    hints: set[int] = set()
    for part in {pattern.parts[0] for pattern in patterns}:
        found = lowered.find(part)
        while found >= 0:
            hints.add(found)
            found = lowered.find(part, found + 1)
    return tuple(sorted(hints))


def find_phrase(sentence: str) -> Phrase | None:
    """The mirror phrase of `sentence`: of the first listed kind that occurs, the first place."""
    return _search(sentence, _possible(sentence.lower()))


def _possible(lowered: str) -> list[_Pattern]:
    """The patterns whose parts all occur. A part that several share is looked for once: this runs over all text."""
    heads = tuple([head for head in _HEADS if head in lowered])
    return [pattern for pattern in _headed(heads) if all(part in lowered for part in pattern.parts[1:])]


_HEADS = tuple(dict.fromkeys(pattern.parts[0] for pattern in _PATTERNS))


@cache
def _headed(heads: tuple[str, ...]) -> tuple[_Pattern, ...]:
    return tuple(pattern for pattern in _PATTERNS if pattern.parts[0] in heads)


def _search(text: str, patterns: Iterable[_Pattern]) -> Phrase | None:
    for pattern in patterns:
        phrase = _first(_compiled(pattern.source), text)
        if phrase:
            return phrase
    return None


def _first(expression: re.Pattern[str], sentence: str) -> Phrase | None:
    match = expression.search(sentence)
    while match:
        if "gap" not in expression.groupindex or utf16_length(match["gap"]) <= _LONGEST_GAP:
            return Phrase(match.start(), match.end())
        match = expression.search(sentence, match.start() + 1)
    return None
