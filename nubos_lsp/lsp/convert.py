"""Core values to wire values and back: the only place that speaks of positions in the client's encoding."""

from __future__ import annotations

from typing import Any, TypeAlias

from nubos_lsp.host import Change
from nubos_lsp.text.encoding import PositionEncoding
from nubos_lsp.text.span import Span
from nubos_lsp.workspace.document import Document

Json: TypeAlias = "dict[str, Any]"


class Malformed(ValueError):
    """A message whose parts are missing or of the wrong type; the text says which."""


def to_position(document: Document, offset: int, encoding: PositionEncoding) -> Json:
    """The position of an offset."""
    line, character = document.position(offset, encoding)
    return {"line": line, "character": character}


def to_range(document: Document, span: Span, encoding: PositionEncoding) -> Json:
    """The range of a span."""
    return {
        "start": to_position(document, span.start, encoding),
        "end": to_position(document, span.end, encoding),
    }


def from_position(value: object) -> tuple[int, int]:
    """Line and column of a wire position. Raises Malformed."""
    if not isinstance(value, dict):
        raise Malformed("a position must be an object")
    return _integer(value, "line"), _integer(value, "character")


def from_range(document: Document, value: object, encoding: PositionEncoding) -> Span:
    """The span of a wire range, kept inside the document, its ends in order. Raises Malformed."""
    if not isinstance(value, dict):
        raise Malformed("a range must be an object")
    start = document.offset(*from_position(value.get("start")), encoding)
    end = document.offset(*from_position(value.get("end")), encoding)
    return Span(min(start, end), max(start, end))


def from_changes(value: object) -> list[Change]:
    """The changes of one didChange, in order. Raises Malformed."""
    if not isinstance(value, list):
        raise Malformed("contentChanges must be a list")
    return [_from_change(change) for change in value]


def _from_change(value: object) -> Change:
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        raise Malformed("a change must be an object with a text")
    range_ = value.get("range")
    if range_ is None:
        return Change(None, None, value["text"])
    if not isinstance(range_, dict):
        raise Malformed("a range must be an object")
    return Change(from_position(range_.get("start")), from_position(range_.get("end")), value["text"])


def text_document(params: object) -> Json:
    """The `textDocument` of a message, with a `uri` that is a string. Raises Malformed."""
    document = params.get("textDocument") if isinstance(params, dict) else None
    if not isinstance(document, dict) or not isinstance(document.get("uri"), str):
        raise Malformed("textDocument.uri must be a string")
    return document


def version_of(document: Json) -> int:
    """The version of a `textDocument`; 0 when the client sends none. Raises Malformed."""
    version = document.get("version")
    if version is None:
        return 0
    return _integer(document, "version")


def _integer(value: Json, name: str) -> int:
    number = value.get(name)
    if isinstance(number, float) and number.is_integer():
        # Clients written in Lua send whole numbers as 3.0.
        return int(number)
    if isinstance(number, bool) or not isinstance(number, int):
        raise Malformed(f"{name} must be a whole number")
    return number
