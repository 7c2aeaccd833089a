"""Changes to a text as values: edits, and insertions with places to type in.

A snippet is data here. Clients that know snippets get their syntax, all others the plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from nubos_lsp.text.span import Span


class TabStop(NamedTuple):
    """A place to type in. `number` gives the order (0 is the last stop); `placeholder` is the text until then."""

    number: int
    placeholder: str


class Snippet(NamedTuple):
    """Text with tab stops in it."""

    parts: tuple[str | TabStop, ...]


Insert: TypeAlias = "str | Snippet"


class TextEdit(NamedTuple):
    """Replace what `span` covers by `insert`. Spans of several edits are all in the text before any of them."""

    span: Span
    insert: Insert


def plain(insert: Insert) -> str:
    """The text of an insertion, each tab stop by its placeholder."""
    if isinstance(insert, str):
        return insert
    return "".join(part if isinstance(part, str) else part.placeholder for part in insert.parts)


def snippet_syntax(insert: Insert) -> str:
    r"""The insertion in LSP snippet syntax; `$`, `}` and `\` of the text are escaped."""
    parts = (insert,) if isinstance(insert, str) else insert.parts
    return "".join(_escaped(part) if isinstance(part, str) else _stop(part) for part in parts)


def _stop(stop: TabStop) -> str:
    if not stop.placeholder:
        return f"${stop.number}"
    return f"${{{stop.number}:{_escaped(stop.placeholder)}}}"


def _escaped(text: str) -> str:
    return re.sub(r"[\\$}]", r"\\\g<0>", text)


def apply_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """`text` with all `edits` made.

    Raises ValueError when two of them overlap: the result would depend on their order.
    """
    pieces: list[str] = []
    end = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        if edit.span.start < end:
            raise ValueError(f"edits overlap at offset {edit.span.start}")
        pieces += [text[end : edit.span.start], plain(edit.insert)]
        end = edit.span.end
    return "".join((*pieces, text[end:]))
