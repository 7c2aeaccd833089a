"""The pass over a text that finds its tokens; see `tokens` for what they mean.

The cost is linear in the text: each place is looked at a bounded number of times, and what could be searched for again
and again (the partner of a backtick run, the end of a comment, the end of a fence) is remembered or given up.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import NamedTuple

from nubos_lsp.syntax.tags import TAG_NAME, read_tag
from nubos_lsp.syntax.tokens import CodeSpan, Comment, Fence, TagKind, Token
from nubos_lsp.text.span import Span

_MARK = re.compile(r"[<`]|~~~")
_LINE_HEAD = re.compile(r"(\ufeff?[ \t]*)(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?")
_BLANK = re.compile(r"[ \t]*")
_REST_OF_LINE = re.compile(r"[^\r\n]*")
_LINE_END = re.compile(r"\r\n|\n|\r")
_TICKS = re.compile(r"`+")
_TILDES = re.compile(r"~+")
_FENCED_LINE = re.compile(
    r"[\r\n]([ \t]*)(?:(?P<run>`{3,}|~{3,})[ \t]*(?=[\r\n]|\Z)"
    rf"|<(?P<slash>/?)(?P<name>{TAG_NAME})(?P<rest>[^\r\n]*))"
)
_HOPELESS = 8
"""After so many fences that nothing ends, no more ends are looked for: each look costs the rest of the text."""

NOTHING = Span(0, 0)


def tokenize(text: str, hidden: Span = NOTHING) -> tuple[Token, ...]:
    """The tokens of `text` in order; none begins in `hidden` (the frontmatter)."""
    lexer = _Lexer(text)
    position = 0
    mark = _MARK.search(text, position)
    while mark:
        start = mark.start()
        position = hidden.end if hidden.start <= start < hidden.end else lexer.read(start)
        mark = _MARK.search(text, position)
    return tuple(lexer.tokens)


class _Lexer:
    """Reads one token after the other."""

    def __init__(self, text: str) -> None:
        self.tokens: list[Token] = []
        self._text = text
        self._line = _Line(text)
        self._backticks = _Backticks(text)
        self._open = _OpenTags()
        self._edge = -1
        self._no_comment_end = False
        self._hopeless = 0

    def read(self, start: int) -> int:
        """Read what begins at `start`, a mark; gives where to look on."""
        self._line.move(start)
        if self._text[start] == "<":
            return self._comment(start) if self._text.startswith("<!--", start) else self._tag(start)
        ticks = self._text[start] == "`"
        match = (_TICKS if ticks else _TILDES).match(self._text, start)
        end = match.end() if match else start + 1
        if start == self._line.head and end - start >= 3:
            rest = _REST_OF_LINE.match(self._text, end)
            opening = Span(start, rest.end() if rest else end)
            if not ticks or "`" not in self._text[end : opening.end]:
                return self._fence(opening, end - start)
        return self._code_span(start, end) if ticks else end

    def _comment(self, start: int) -> int:
        end = -1 if self._no_comment_end else self._text.find("-->", start + 4)
        if end < 0:
            self._no_comment_end = True
            self.tokens.append(Comment(Span(start, start + 4), closed=False))
            return start + 4
        self.tokens.append(Comment(Span(start, end + 3), closed=True))
        if self._stands_first(start):
            self._set_edge(end + 3)
        return end + 3

    def _tag(self, start: int) -> int:
        tag = read_tag(self._text, start, structural=self._stands_first(start))
        if not tag:
            return start + 1
        if tag.kind is TagKind.CLOSE:
            tag = tag._replace(structural=self._open.close(tag.name))
        elif tag.kind is TagKind.OPEN and tag.structural:
            self._open.open(tag.name, self._line.indent)
        if tag.structural:
            self._set_edge(tag.span.end)
        self.tokens.append(tag)
        return tag.span.end

    def _stands_first(self, start: int) -> bool:
        return start in (self._line.head, self._edge)

    def _set_edge(self, end: int) -> None:
        """A tag at the edge follows a structural tag with nothing but white space between."""
        match = _BLANK.match(self._text, end)
        self._edge = match.end() if match else end

    def _code_span(self, start: int, end: int) -> int:
        partner = self._backticks.partner(start)
        if not partner:
            return end
        self.tokens.append(CodeSpan(Span(start, partner.end), Span(end, partner.start)))
        return partner.end

    def _fence(self, opening: Span, length: int) -> int:
        end = self._fence_end(opening, length) if self._hopeless < _HOPELESS else None
        if end is None:
            self._hopeless += 1
            end = _FenceEnd(opening.end, opening.end, closed=False)
        line_end = _LINE_END.match(self._text, opening.end)
        body = Span(min(line_end.end(), end.body_end) if line_end else end.body_end, end.body_end)
        info = self._text[opening.start + length : opening.end].strip()
        self.tokens.append(Fence(Span(opening.start, end.end), opening, info, body, end.closed))
        return end.end

    def _fence_end(self, opening: Span, length: int) -> _FenceEnd | None:
        """Where a fence ends: at a closing fence, or before a closing tag alone on its line at its element's indent.

        Real plans often have an odd number of fences; without the second rule one of them turns all that follows
        inside out. Elements that both begin and end in the fence are code.
        """
        character = self._text[opening.start]
        inside: Counter[tuple[str, str]] = Counter()
        for line in _FENCED_LINE.finditer(self._text, opening.end):
            if line["run"]:
                if line["run"][0] == character and len(line["run"]) >= length:
                    return _FenceEnd(line.end("run"), line.start() + 1, closed=True)
                continue
            key = (line["name"].lower(), line[1])
            if not line["slash"]:
                inside[key] += not _ends_on_line(key[0], line["rest"])
            elif line["rest"].strip() == ">":
                if not inside[key] and self._open.is_open(key):
                    return _FenceEnd(line.start() + 1, line.start() + 1, closed=False)
                inside[key] = max(0, inside[key] - 1)
        return None


class _FenceEnd(NamedTuple):
    end: int
    body_end: int
    closed: bool


def _ends_on_line(name: str, rest: str) -> bool:
    return rest.rstrip().endswith("/>") or f"</{name}" in rest.lower()


class _Line:
    """The line in which the pass is: `indent` is the white space it begins with, `head` where its content begins."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._seen = 0
        self._read(0)

    def move(self, offset: int) -> None:
        """Go on to `offset`."""
        newline = max(self._text.rfind("\n", self._seen, offset), self._text.rfind("\r", self._seen, offset))
        self._seen = offset
        if newline >= 0:
            self._read(newline + 1)

    def _read(self, start: int) -> None:
        match = _LINE_HEAD.match(self._text, start)
        self.head = match.end() if match else start
        self.indent = match[1] if match else ""


class _OpenTags:
    """The structural tags that are open, with the indents of their lines."""

    def __init__(self) -> None:
        self._indents: defaultdict[str, list[str]] = defaultdict(list)
        self._count: Counter[tuple[str, str]] = Counter()

    def open(self, name: str, indent: str) -> None:
        self._indents[name].append(indent)
        self._count[name, indent] += 1

    def close(self, name: str) -> bool:
        """Close the innermost `name`; tells whether there was one."""
        indents = self._indents.get(name)
        if not indents:
            return False
        self._count[name, indents.pop()] -= 1
        return True

    def is_open(self, key: tuple[str, str]) -> bool:
        return self._count[key] > 0


class _Backticks:
    """The runs of backticks of one line, each with the next one of the same length."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._end = 0
        self._partners: dict[int, Span] = {}

    def partner(self, start: int) -> Span | None:
        """The run that closes the one at `start`; None when its line has none."""
        if start >= self._end:
            self._read(start)
        return self._partners.get(start)

    def _read(self, start: int) -> None:
        line = _REST_OF_LINE.match(self._text, start)
        self._end = line.end() if line else start
        self._partners = {}
        nearest: dict[int, Span] = {}
        runs = [Span(*run.span()) for run in _TICKS.finditer(self._text, start, self._end)]
        for run in reversed(runs):
            length = run.end - run.start
            if length in nearest:
                self._partners[run.start] = nearest[length]
            nearest[length] = run
