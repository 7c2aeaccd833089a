"""Frames of the base protocol: a header with a length, an empty line, a body. No I/O, no JSON.

The decoder never dies: what is not a header is skipped until the next line that announces a length, so that a client
that wrote garbage is understood again with its next message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# A body larger than this is taken for garbage: waiting for it would mean never answering again.
LONGEST_BODY = 512 * 1024 * 1024

# A line that is longer is no header. Only its end is kept, where a header may follow without a line end.
LONGEST_LINE = 64 * 1024

# The header is searched, not matched: after a body with a wrong length it stands behind the body's rest.
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*([0-9]{1,18})[ \t\r]*$", re.IGNORECASE)


def frame(body: bytes) -> bytes:
    """The body with its header, as one piece to write."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class FrameDecoder:
    """Bytes in pieces of any size → bodies.

    Unusable lengths (missing, negative, not a number, beyond `LONGEST_BODY`) make the block a garbage block.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._scanned = 0
        self._announced: int | None = None
        self._body: int | None = None

    @property
    def in_message(self) -> bool:
        """Whether the bytes so far end inside a message."""
        return bool(self._buffer) or self._announced is not None or self._body is not None

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yields the bodies that are complete with this piece, in order."""
        self._buffer += data
        while self._body is not None or self._read_header():
            body = self._take_body()
            if body is None:
                return
            yield body

    def _take_body(self) -> bytes | None:
        length = self._body
        if length is None or len(self._buffer) < length:
            return None
        body = bytes(self._buffer[:length])
        del self._buffer[:length]
        self._body = None
        return body

    def _read_header(self) -> bool:
        """Consumes header lines. True once an empty line ends a block that announced a length."""
        while (line := self._take_line()) is not None:
            if line.strip():
                self._announced = _length(line, self._announced)
            elif self._announced is not None:
                self._body, self._announced = self._announced, None
                return True
        return False

    def _take_line(self) -> bytes | None:
        end = self._buffer.find(b"\n", self._scanned)
        if end < 0:
            if len(self._buffer) > LONGEST_LINE:
                del self._buffer[: -LONGEST_LINE // 2]
            self._scanned = len(self._buffer)
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._scanned = 0
        return line


def _length(line: bytes, known: int | None) -> int | None:
    match = _LENGTH.search(line)
    if match is None:
        return known
    length = int(match.group(1))
    return length if length <= LONGEST_BODY else known
