"""The pieces of a plan that are not prose: tags, comments, code spans and fences, found in one pass from left to right.

What begins first hides what it covers: a fence hides tags, a comment hides code spans, and so on. A plan under the
cursor is broken most of the time, so what is never closed hides as little as possible. Everything between two tokens
is text. Offsets are code points. Source: plan-format.md (How people really write), dialects.md (Structure).
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, TypeAlias

from nubos_lsp.text.span import Span


class TagKind(Enum):
    """How a tag is written: `<name>`, `</name>` or `<name/>`."""

    OPEN = "open"
    CLOSE = "close"
    EMPTY = "empty"


class TagAttribute(NamedTuple):
    """`name="value"` in a tag.

    `value` is None when there is no `=`, and "" when nothing follows it. `value_span` is what stands inside the quotes.
    `quote` is `"`, `'`, `“` (for all curly quotes) or "" (unquoted). `closed` is False without a closing quote.
    """

    name: str
    name_span: Span
    value: str | None
    value_span: Span | None
    quote: str
    closed: bool = True


class Tag(NamedTuple):
    """A tag of any name; `name` is in lower case, as tag names ignore case. Attribute names do not.

    `closed` is False when its `>` is missing. `structural` tells whether an opening tag stands first on its line (white
    space, a list marker and other structural tags may precede it), and whether a closing tag closes such a one.
    """

    span: Span
    name: str
    name_span: Span
    kind: TagKind
    attributes: tuple[TagAttribute, ...]
    closed: bool
    structural: bool

    def attribute(self, name: str) -> TagAttribute | None:
        """The attribute `name`; of a repeated one the last, as for the gate. None when there is none."""
        return next((attribute for attribute in reversed(self.attributes) if attribute.name == name), None)


class Comment(NamedTuple):
    """`<!-- … -->`. One that is never closed hides nothing; its span is that of the marker."""

    span: Span
    closed: bool


class CodeSpan(NamedTuple):
    """Text between two equally long runs of backticks on one line; `inner` is without them."""

    span: Span
    inner: Span


class Fence(NamedTuple):
    """A fenced code block, from its first backtick or tilde to its last.

    `opening` is the rest of its first line from there, `info` the trimmed text behind the run, `body` the whole lines
    between the fences. `closed` is False when no closing fence ends it: then it ends before the line of the closing tag
    that does, or, without one, hides nothing and is only its opening.
    """

    span: Span
    opening: Span
    info: str
    body: Span
    closed: bool


Token: TypeAlias = "Tag | Comment | CodeSpan | Fence"
