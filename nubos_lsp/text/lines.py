"""Line ends as LSP knows them: LF, CRLF and CR, and nothing else.

`str.splitlines` also ends lines at form feed, U+0085, U+2028 and more; a server that uses it drifts from its client.
"""

from __future__ import annotations

import re

_LINE_END = re.compile(r"\r\n?|\n")


def line_starts(text: str) -> tuple[int, ...]:
    """The offset at which each line begins. There is always a first line, and one more behind every line end."""
    if "\r" not in text:
        return _line_feed_starts(text)
    return (0, *(match.end() for match in _LINE_END.finditer(text)))


def _line_feed_starts(text: str) -> tuple[int, ...]:
    starts = [0]
    found = text.find("\n")
    while found >= 0:
        starts.append(found + 1)
        found = text.find("\n", found + 1)
    return tuple(starts)


def content_end(text: str, start: int, end: int) -> int:
    """Where the line that spans `start` to `end` ends without its line end."""
    if end > start and text[end - 1] == "\n":
        end -= 1
        return end - 1 if end > start and text[end - 1] == "\r" else end
    return end - 1 if end > start and text[end - 1] == "\r" else end


def dominant_newline(text: str) -> str:
    """The line end that `text` uses most: CRLF or LF; LF when it has none."""
    pairs = text.count("\r\n")
    return "\r\n" if pairs * 2 > text.count("\n") else "\n"
