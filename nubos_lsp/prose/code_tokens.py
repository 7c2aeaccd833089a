"""What in a sentence names code, and when two names mean the same thing.

A phrase alone never fires: it needs a token of one of four kinds. Tokens and the `at` and `symbol` of a `<pattern_ref>`
are compared by identities, never by substrings. Source: ADR-0032 section 3, rules.md G1, gate-details 1, 4, 21, 22, 23.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from nubos_lsp.prose.ecmascript import prefix, trim, utf16_length

LONGEST_SCAN = 4000
"""UTF-16 units of a sentence in which tokens are looked for; the bound keeps a body without sentence ends cheap."""

_SHORTEST = 3
_SHORTEST_SPAN = 2
_LONGEST_SPAN = 120

_LEADING = "`'\"(["
_TRAILING = "`'\"),.;:]"

_PATH = re.compile(r"\b[\w.-]{1,64}(?:/[\w.-]{1,64}){1,8}\.[A-Za-z]{1,6}\b", re.ASCII)
_PASCAL_CASE = re.compile(
    r"\b[A-Z][a-z0-9]{1,40}(?:[A-Z][A-Za-z0-9]{0,40}){1,8}(?:::\w{1,60}|->\w{1,60}|\(\))?", re.ASCII
)
_MEMBER = re.compile(r"\b[A-Za-z_]\w{0,60}(?:::|->)\w{1,60}", re.ASCII)
_LETTER = re.compile(r"[a-z]")
_LINES = re.compile(r":[0-9]+(?:-[0-9]+)?\Z")
_EXTENSION = re.compile(r"\.[a-z0-9]{1,6}\Z")
_SCOPE = re.compile(r"::|->")


class CodeToken(NamedTuple):
    """A name of code in a sentence. `text` is normalised, `written` as it stands there between the two offsets."""

    text: str
    written: str
    start: int
    end: int


def code_tokens(sentence: str) -> tuple[CodeToken, ...]:
    """The tokens of `sentence`, each normalised text once, in the order of kinds and then of places."""
    found: dict[str, CodeToken] = {}
    for start, end in _places(prefix(sentence, LONGEST_SCAN)):
        written = sentence[start:end]
        text = normalise(written)
        if utf16_length(text) >= _SHORTEST and _LETTER.search(text):
            found.setdefault(text, CodeToken(text, written, start, end))
    return tuple(found.values())


def normalise(value: str) -> str:
    """`value` trimmed, without quotes and brackets around it, in lower case."""
    return trim(value).lstrip(_LEADING).rstrip(_TRAILING).lower()


def identities(value: str) -> frozenset[str]:
    """The names under which `value` (a token, an `at` or a `symbol`) is known.

    These are the whole, its last path segment without extension, and the parts of that at `::` and `->`;
    without a line number, and only those of three or more UTF-16 units.
    """
    whole = normalise(_LINES.sub("", value))
    if not whole:
        return frozenset()
    base = _EXTENSION.sub("", whole.rsplit("/", 1)[-1])
    return frozenset(name for name in (whole, base, *_SCOPE.split(base)) if utf16_length(name) >= _SHORTEST)


def _places(text: str) -> Iterator[tuple[int, int]]:
    yield from _code_spans(text)
    if "/" in text:
        yield from (match.span() for match in _PATH.finditer(text))
    yield from (match.span() for match in _PASCAL_CASE.finditer(text))
    yield from (match.span() for match in _MEMBER.finditer(text))


def _code_spans(text: str) -> Iterator[tuple[int, int]]:
    """Backticks are paired from the left; a pair of the wrong length leaves its second backtick to open the next."""
    opening = text.find("`")
    while opening >= 0:
        closing = text.find("`", opening + 1)
        if closing < 0:
            return
        inner = text[opening + 1 : closing]
        fits = _SHORTEST_SPAN <= utf16_length(inner) <= _LONGEST_SPAN and "\n" not in inner
        if fits:
            yield opening + 1, closing
        opening = text.find("`", closing + 1) if fits else closing
