"""Where a symbol stands in a source file: a plain text search that knows no language.

It looks for the last part of the symbol (`bar` of `App\\Foo::bar`) and prefers what looks like its declaration, inside
the class when the class is declared in the same file. It can be wrong: it proposes a place, it proves nothing. What it
looks at of each occurrence is bounded, and so is the number of those it judges: the cost is linear in the file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from nubos_lsp.text.lines import content_end, line_starts
from nubos_lsp.workspace.facts import SourceFile

_LONGEST_SYMBOL = 200
_MOST_CONTAINERS = 2  # Of `A.B.C.name`, B and C.
_MOST_REGIONS = 8
_MOST_PLACES = 2_000
_NEAR = 300  # Code points looked at before and behind an occurrence; only generated files have longer lines.

_SEPARATOR = re.compile(r"::|->|[.#\\/]")
_CALL = re.compile(r"[(<].*", re.DOTALL)
_FILE_EXTENSION = re.compile(r"\.[A-Za-z0-9]{1,6}\Z")

_CONTAINERS = "class|interface|trait|struct|enum|module|namespace|object|record|protocol|impl|union|extension|mixin"
_KEYWORDS = (
    "function|func|fun|fn|def|defp|defn|defun|sub|proc|method|macro|macro_rules!|const|let|var|val|type|typedef|"
    "typealias|define|property|table|view"
)
_MODIFIERS = (
    "export|default|public|private|protected|internal|static|final|abstract|override|virtual|readonly|async|open|pub|"
    "extern|inline|sealed"
)
_NO_DECLARATION = (
    "return|if|elif|else|elsif|while|for|foreach|switch|case|catch|new|await|yield|throw|throws|raise|echo|print|not|"
    "and|or|in|is|delete|assert|import|from|use|using|require|include|go|defer|do|then|when|unless|until|extends|"
    "implements|with|where|instanceof"
)

_BEHIND_KEYWORD = re.compile(rf"(?<![\w$.])(?:{_CONTAINERS}|{_KEYWORDS})\s+[&*]{{0,2}}(?:[\w$]+(?:::|[.:#]))*[$@&*]?\Z")
_BEHIND_CONTAINER = re.compile(rf"(?<![\w$.])(?:(?:{_CONTAINERS}|type)\s+(?:[\w$]+(?:::|\.))*|impl\b[^;{{]*)\Z")
_BEHIND_RECEIVER = re.compile(r"\s*func\s*\([^()]*\)\s*\Z")
_BEHIND_MODIFIER = re.compile(rf"\s*(?:{_MODIFIERS})\b[\w\s<>\[\],?*&:$\\|.@]*[\s$*&]\Z")
_BEHIND_TYPE = re.compile(r"[\w \t<>\[\],?*&:~$.#@]*\Z")
_BEHIND_BULLET = re.compile(r"[ \t]*(?:-[ \t]+)?[\"']?[$@]?\Z")
_BEHIND_STATEMENT = re.compile(rf"\b(?:{_NO_DECLARATION})\b")

_BEFORE_END = re.compile(r"\s*(?:[(=;:{<,?]|\Z)")
_BEFORE_ASSIGNMENT = re.compile(r"\s*(?::=|=(?![=>~]))")
_BEFORE_VALUE = re.compile(r"[\"']?\s*:(?!:)")
_RETURN_TYPE = re.compile(r"[\w\s:<>?|\\,\[\]&*-]*\Z")

_COMMENT = re.compile(r"\s*(?://|/\*|\*|<!--|--|;|#(?!\[|\s*define\b))")
_TRAILING_COMMENT = re.compile(r"\s(?://|#\s)|/\*")
_CONTAINER = re.compile(rf"(?<![\w.$])(?:{_CONTAINERS})[ \t]+[\w$]")
_WORDS = re.compile(r"[\w \t]*")


class SymbolPlace(NamedTuple):
    """A name in a file: its line, from 1; its column, in code points from 0; its length in code points."""

    line: int
    column: int
    length: int


class _Place(NamedTuple):
    """An occurrence: offsets of the name and of its line, and how it looks, the best lowest."""

    start: int
    line_start: int
    looks: int


_OWN, _DECLARED, _DEFINED, _USED, _MENTIONED = range(5)
"""Declared or defined with its class on the same line; behind a keyword; like a definition; in code; in a comment."""


def find_symbol(source: SourceFile, symbol: str) -> SymbolPlace | None:
    """The place of the last part of `symbol` in `source`; None when it does not occur there as a whole word.

    `Class::method`, `Class->method`, `Class.method`, `Class#method`, `App\\Class::method`, `method()` and `Class` work.
    """
    parts = _parts(symbol)
    if not parts:
        return None
    search = _Search(source.text)
    place = search.best(parts[-1], parts[:-1][-_MOST_CONTAINERS:])
    if place is None:
        return None
    line = bisect_right(search.starts, place.start)
    return SymbolPlace(line, place.start - place.line_start, len(parts[-1]))


def _parts(symbol: str) -> list[str]:
    """The names of a symbol, the outermost first. A path has its base name as the last; arguments are left out."""
    symbol = symbol.strip().strip("`'\"")
    if len(symbol) > _LONGEST_SYMBOL:
        return []
    words = _CALL.sub("", symbol).split()
    name = words[-1] if words else ""
    if "/" in name:
        name = _FILE_EXTENSION.sub("", name)
    parts = (part.strip("$@&*:;,") for part in _SEPARATOR.split(name))
    return [part for part in parts if re.search(r"\w", part)]


class _Search:
    """One file and the places of names in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = line_starts(text)

    def best(self, name: str, containers: list[str]) -> _Place | None:
        """The best-looking place of `name`: a declaration in one of its containers, else anywhere; else any place."""
        owner = containers[-1] if containers else None
        regions = self._regions(containers)
        everywhere = (0, len(self.text))
        inside = [place for region in regions for place in self._first_best(name, region, owner)]
        best = min(inside, key=lambda place: place.looks, default=None)
        if best and best.looks <= _DEFINED:
            return best
        return min((*inside, *self._first_best(name, everywhere, owner)), key=lambda place: place.looks, default=None)

    def _first_best(self, name: str, region: tuple[int, int], owner: str | None) -> list[_Place]:
        best = min(self._places(name, region, owner), key=lambda place: place.looks, default=None)
        return [best] if best else []

    def _regions(self, containers: list[str]) -> list[tuple[int, int]]:
        """The stretches that the innermost declared container takes; none when no container is declared."""
        regions: list[tuple[int, int]] = []
        for name in containers:
            within = regions or [(0, len(self.text))]
            found = [inner for outer in within for inner in self._declared(name, outer)]
            regions = found[:_MOST_REGIONS] or regions
        return regions

    def _declared(self, container: str, within: tuple[int, int]) -> Iterator[tuple[int, int]]:
        declared = (
            place
            for place in self._places(container, within, None)
            if place.looks != _MENTIONED and _BEHIND_CONTAINER.search(self._before(place.start, place.line_start))
        )
        for place in islice(declared, _MOST_REGIONS):
            start = place.start + len(container)
            yield start, min(within[1], self._end_of_container(start, place.line_start))

    def _places(self, name: str, region: tuple[int, int], owner: str | None) -> Iterator[_Place]:
        """The first many whole-word occurrences of `name` in a region."""
        before = r"(?<!\w)" if re.match(r"\w", name) else ""
        behind = r"(?!\w)" if re.search(r"\w\Z", name) else ""
        matches = re.compile(before + re.escape(name) + behind).finditer(self.text, *region)
        for match in islice(matches, _MOST_PLACES):
            line_start = self._line_start(match.start())
            looks = self._looks(self._before(match.start(), line_start), match.end(), owner)
            yield _Place(match.start(), line_start, looks)

    def _looks(self, before: str, end: int, owner: str | None) -> int:
        behind = self._behind(end)
        if _COMMENT.match(before) or _TRAILING_COMMENT.search(before):
            return _MENTIONED
        is_declaration = self._is_declaration(before, behind)
        if not is_declaration and not self._is_definition(before, behind, end):
            return _USED
        if owner and re.search(rf"(?<!\w){re.escape(owner)}(?!\w)", before):
            return _OWN
        return _DECLARED if is_declaration else _DEFINED

    def _is_declaration(self, before: str, behind: str) -> bool:
        if _BEHIND_KEYWORD.search(before) or _BEHIND_RECEIVER.match(before):
            return True
        is_modified = _BEHIND_MODIFIER.match(before) and _BEFORE_END.match(behind)
        return bool(is_modified) and not _BEHIND_STATEMENT.search(before)

    def _is_definition(self, before: str, behind: str, end: int) -> bool:
        if _BEHIND_BULLET.match(before) and _BEFORE_VALUE.match(behind):
            return True
        if not _BEHIND_TYPE.match(before) or _BEHIND_STATEMENT.search(before):
            return False
        if _BEFORE_ASSIGNMENT.match(behind):
            return True
        if not behind.lstrip().startswith("("):
            return False
        if behind.rstrip().endswith("{"):
            return True
        _, closing, result = behind.rpartition(")")
        opens_next = self._next_line(end).lstrip().startswith("{")
        return bool(closing) and opens_next and _RETURN_TYPE.match(result) is not None

    def _end_of_container(self, start: int, line_start: int) -> int:
        """Where a container ends: at the next one that is indented no deeper, else with the file."""
        indent = self._indent(line_start)
        for match in islice(_CONTAINER.finditer(self.text, start), _MOST_PLACES):
            other = self._line_start(match.start())
            words = _WORDS.match(self.text, other, min(match.start(), other + _NEAR))
            if other > line_start and words and words.end() == match.start() and self._indent(other) <= indent:
                return other
        return len(self.text)

    def _indent(self, line_start: int) -> int:
        head = self.text[line_start : line_start + _NEAR]
        return len(head) - len(head.lstrip(" \t"))

    def _line_start(self, offset: int) -> int:
        return self.starts[bisect_right(self.starts, offset) - 1]

    def _before(self, offset: int, line_start: int) -> str:
        """What stands before `offset` on its line. Of a long line nothing that could pass for a line's head."""
        return self.text[line_start:offset] if offset - line_start <= _NEAR else "="

    def _behind(self, offset: int) -> str:
        line = bisect_right(self.starts, offset)
        line_end = self.starts[line] if line < len(self.starts) else len(self.text)
        return self.text[offset : min(offset + _NEAR, content_end(self.text, offset, line_end))]

    def _next_line(self, offset: int) -> str:
        line = bisect_right(self.starts, offset)
        return self.text[self.starts[line] : self.starts[line] + _NEAR] if line < len(self.starts) else ""
