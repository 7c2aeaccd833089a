"""The units in which a client counts columns (LSP 3.17, `PositionEncodingKind`)."""

from __future__ import annotations

from bisect import bisect_right
from enum import Enum
from itertools import accumulate


def utf16_length(text: str) -> int:
    """The number of UTF-16 code units of `text`; a lone surrogate is one."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _utf8_length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


class PositionEncoding(Enum):
    """How a client counts inside a line."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"

    def units(self, text: str) -> int:
        """The length of `text` in this encoding's units."""
        if self is PositionEncoding.UTF16:
            return utf16_length(text)
        if self is PositionEncoding.UTF8:
            return _utf8_length(text)
        return len(text)

    def index(self, text: str, units: int) -> int:
        """The code-point index that lies `units` units into `text`.

        Less than 0 means 0, more than there are means the end. Inside a character means its start.
        """
        if units <= 0:
            return 0
        if self is PositionEncoding.UTF32 or text[:units].isascii():
            return min(units, len(text))
        if self is PositionEncoding.UTF16:
            return _utf16_index(text, units)
        return _utf8_index(text, units)


def _utf16_index(text: str, units: int) -> int:
    passed = 0
    for index, character in enumerate(text):
        passed += 2 if character > "\uffff" else 1
        if passed > units:
            return index
    return len(text)


def _utf8_index(text: str, units: int) -> int:
    passed = 0
    for index, character in enumerate(text):
        code = ord(character)
        passed += 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4
        if passed > units:
            return index
    return len(text)


_BLOCK = 512


class Columns:
    """Lengths of the beginnings of one text in an encoding's units, quick also where a line has megabytes.

    A plan can have many findings in one long line; counting from its start for each would cost the square of it.
    """

    def __init__(self, text: str, encoding: PositionEncoding) -> None:
        self._text = text
        self._encoding = encoding
        self._simple = encoding is PositionEncoding.UTF32 or text.isascii()
        blocks = () if self._simple else range(0, len(text), _BLOCK)
        self._sums = (0, *accumulate(encoding.units(text[start : start + _BLOCK]) for start in blocks))

    def units(self, start: int, end: int) -> int:
        """The length of the text between two indices."""
        if self._simple:
            return end - start
        if end - start <= _BLOCK:
            return self._encoding.units(self._text[start:end])
        return self._before(end) - self._before(start)

    def index(self, start: int, end: int, units: int) -> int:
        """The index `units` units behind `start`, kept between the two; inside a character means its start."""
        if self._simple or end - start <= _BLOCK:
            return start + self._encoding.index(self._text[start:end], units)
        wanted = self._before(start) + max(0, units)
        block = bisect_right(self._sums, wanted) - 1
        rest = self._text[block * _BLOCK : (block + 1) * _BLOCK]
        return max(start, min(end, block * _BLOCK + self._encoding.index(rest, wanted - self._sums[block])))

    def _before(self, index: int) -> int:
        block = index // _BLOCK
        return self._sums[block] + self._encoding.units(self._text[block * _BLOCK : index])
