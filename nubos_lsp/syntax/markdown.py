"""The headings of a plan, as CommonMark sees them, through markdown-it-py.

Tags and comments stand for structure here, so they begin no HTML blocks: a heading right below `<objective>` is one.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from nubos_lsp.syntax.frontmatter import frontmatter_span
from nubos_lsp.syntax.lexer import NOTHING, tokenize
from nubos_lsp.syntax.tokens import Comment
from nubos_lsp.text.lines import content_end, line_starts
from nubos_lsp.text.span import Span

_NOT_LINE_END = re.compile(r"[^\r\n]")
_MADE_OF_BLOCKS = ["blockquote", "code", "fence", "heading", "hr", "lheading", "list"]


class Heading(NamedTuple):
    """A heading: `level` from 1 to 6, its text as written, and its lines from the first `#` or letter."""

    level: int
    text: str
    span: Span


def headings(text: str) -> tuple[Heading, ...]:
    """The headings of `text` in order; none in the frontmatter, in comments or in code."""
    if not text:
        return ()
    from markdown_it import MarkdownIt  # it takes long to import, and few features need it

    reader = MarkdownIt("zero").enable(_MADE_OF_BLOCKS).disable("inline")
    tokens = reader.parse(_prose(text))
    starts = (*line_starts(text), len(text))
    found: list[Heading] = []
    for token, content in pairwise(tokens):
        if token.type == "heading_open" and token.map:
            span = _lines(text, starts, *token.map)
            found.append(Heading(int(token.tag[1:]), content.content.strip(), span))
    return tuple(found)


def title(text: str) -> Heading | None:
    """The title of a plan: its first heading of level 1, else its first heading; None without any."""
    found = headings(text)
    return next((heading for heading in found if heading.level == 1), found[0] if found else None)


def _prose(text: str) -> str:
    """`text` with frontmatter and closed comments blanked, lines kept."""
    hidden = frontmatter_span(text) or NOTHING
    comments = [token.span for token in tokenize(text, hidden) if isinstance(token, Comment) and token.closed]
    pieces: list[str] = []
    end = 0
    for span in sorted((hidden, *comments)):
        pieces += [text[end : span.start], _NOT_LINE_END.sub(" ", span.of(text))]
        end = span.end
    return "".join((*pieces, text[end:]))


def _lines(text: str, starts: tuple[int, ...], first: int, behind: int) -> Span:
    start, end = starts[first], content_end(text, starts[behind - 1], starts[behind])
    content = text[start:end]
    return Span(start + len(content) - len(content.lstrip(" \t")), start + len(content.rstrip()))
