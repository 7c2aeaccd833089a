"""An open document as a client sees it, with its own idea of lines and columns; nothing of the server's is used."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

_LINE_END = re.compile(r"\r\n|\n|\r")
_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def units(text: str, encoding: str) -> int:
    """How many units of a position encoding a text has."""
    codec, width = _CODECS[encoding]
    return len(text.encode(codec, "surrogatepass")) // width


class Buffer:
    """A text with its name and version. Offsets are code points, positions those of the protocol."""

    def __init__(self, uri: str, version: int, text: str, encoding: str) -> None:
        self.uri = uri
        self.version = version
        self.text = text
        self.encoding = encoding
        self.opened_at = 0
        """How many messages had come from the server when it was opened."""

    @property
    def identifier(self) -> Json:
        """The `textDocument` of a request."""
        return {"uri": self.uri}

    def position(self, offset: int) -> Json:
        """The position of an offset, which must not lie between CR and LF."""
        starts = self._starts()
        line = bisect_right(starts, offset) - 1
        return {"line": line, "character": units(self.text[starts[line] : offset], self.encoding)}

    def range(self, start: int, end: int) -> Json:
        """The range between two offsets."""
        return {"start": self.position(start), "end": self.position(end)}

    def at(self, text: str, inside: int = 0) -> Json:
        """The position of the first place of a text in the buffer, `inside` code points into it."""
        return self.position(self.text.index(text) + inside)

    def range_of(self, text: str) -> Json:
        """The range of the first place of a text in the buffer."""
        start = self.text.index(text)
        return self.range(start, start + len(text))

    def offset(self, position: Json) -> int:
        """The offset of a position. Fails when there is no such column: a server must not send that."""
        starts = self._starts()
        assert 0 <= position["line"] < len(starts), position
        start = starts[position["line"]]
        content = _LINE_END.split(self.text[start : self._behind(position["line"])], maxsplit=1)[0]
        taken = 0
        for index in range(len(content) + 1):
            if taken == position["character"]:
                return start + index
            taken += units(content[index : index + 1], self.encoding)
        raise AssertionError(f"no character begins at {position} in {content!r}")

    def covered(self, range_: Json) -> str:
        """The text of a range that the server sent."""
        return self.text[self.offset(range_["start"]) : self.offset(range_["end"])]

    def apply(self, edits: list[Json]) -> list[Json]:
        """Make the edits of a workspace edit; gives them as changes of one didChange, each after the one before."""
        places = [(self.offset(edit["range"]["start"]), self.offset(edit["range"]["end"]), edit) for edit in edits]
        changes = []
        for start, end, edit in sorted(places, key=lambda place: place[:2], reverse=True):
            changes.append({"range": self.range(start, end), "text": edit["newText"]})
            self.text = self.text[:start] + edit["newText"] + self.text[end:]
        return changes

    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def _behind(self, line: int) -> int:
        return (*self._starts(), len(self.text))[line + 1]
