"""The phrases that tell an executor to mirror something that exists, in English and German.

The order matters: the first of the list that occurs in a sentence is its phrase. Letters and word boundaries are
ASCII (`Spiegelöffnung` fires); white space inside a phrase may be a line break.
Source: rules.md G1, gate-details 2, 3 and 24.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from nubos_lsp.prose.ecmascript import SPACE, utf16_length


class Phrase(NamedTuple):
    """A mirror phrase found: its offsets in the text that was searched."""

    start: int
    end: int


class _Pattern(NamedTuple):
    source: str
    stems: tuple[str, ...]  # One of these is in the lower-cased text of every match.


_LONGEST_GAP = 40
_GAP = r"(?P<gap>[^.\n]{0,40}?)"


def _pattern(source: str, *stems: str) -> _Pattern:
    return _Pattern(source, stems)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    """Compiled when a sentence first needs it: all of them would cost a cold lint a tenth of its time."""
    return re.compile(source.replace(" ", SPACE + "+"), re.ASCII | re.IGNORECASE)


_PATTERNS = (
    _pattern(r"\b(?:fully )?mirror(?:s|ing|ed)?\b", "mirror"),
    _pattern(r"\bsame pattern as\b", "pattern"),
    _pattern(r"\bthe same pattern\b", "pattern"),
    _pattern(rf"\bfollow(?:s|ing)? the {_GAP}pattern\b", "pattern"),
    _pattern(r"\banalogous(?:ly)? to\b", "analog"),
    _pattern(r"\bidentical(?:ly)? to\b", "identi"),
    _pattern(r"\bmodell?ed (?:on|after)\b", "model"),
    _pattern(rf"\bcopy the {_GAP}pattern\b", "pattern"),
    _pattern(r"\bin the same way as\b", "same"),
    _pattern(r"\b1:1\b", "1:1"),
    _pattern(r"\beins zu eins\b", "eins"),
    _pattern(r"\b(?:wider)?spieg(?:el|l)\w{0,3}\b", "spieg"),
    _pattern(r"\bgespiegelt\b", "spieg"),
    _pattern(r"\banalog (?:zu|zum|zur)\b", "analog"),
    _pattern(r"\bnach dem (?:muster|vorbild)\b", "muster", "vorbild"),
    _pattern(r"\bgenauso wie\b", "genauso"),
    _pattern(r"\bidentisch (?:zu|mit)\b", "identi"),
    _pattern(r"\borientiere dich an\b", "orientiere"),
    # ASCII boundaries see none before an umlaut at the start of a word; here the seeds' intent wins (gate-details, i).
    _pattern(r"(?<!\w)(?:[üÜ]bernimm|uebernimm) das muster\b", "muster"),
    _pattern(r"\b(?:gleiche|selbe|dasselbe|das gleiche) muster\b", "muster"),
)

_STEMS = tuple(sorted({stem for pattern in _PATTERNS for stem in pattern.stems}))


def phrase_hints(text: str) -> tuple[int, ...]:
    """Offsets in order, one of them in every sentence that has a mirror phrase; a quick look, with false alarms."""
    lowered = text.lower()
    if len(lowered) != len(text):  # A letter became two (\u0130), so offsets would be wrong: doubt every character.
        return tuple(range(len(text))) if _has_any(lowered, _STEMS) else ()
    hints: list[int] = []
    for stem in _STEMS:
        found = lowered.find(stem)
        while found >= 0:
            hints.append(found)
            found = lowered.find(stem, found + 1)
    hints.sort()
    return tuple(hints)


def find_phrase(sentence: str) -> Phrase | None:
    """The mirror phrase of `sentence`: of the first listed kind that occurs, the first place."""
    lowered = sentence.lower()
    if not _has_any(lowered, _STEMS):
        return None
    for pattern in _PATTERNS:
        phrase = _first(_compiled(pattern.source), sentence) if _has_any(lowered, pattern.stems) else None
        if phrase:
            return phrase
    return None


def _has_any(text: str, stems: tuple[str, ...]) -> bool:
    for stem in stems:  # noqa: SIM110 - a loop costs half of what a generator costs here
        if stem in text:
            return True
    return False


def _first(expression: re.Pattern[str], sentence: str) -> Phrase | None:
    match = expression.search(sentence)
    while match:
        if "gap" not in expression.groupindex or utf16_length(match["gap"]) <= _LONGEST_GAP:
            return Phrase(match.start(), match.end())
        match = expression.search(sentence, match.start() + 1)
    return None
