"""The units in which a client counts columns (LSP 3.17, `PositionEncodingKind`)."""

from __future__ import annotations

from enum import Enum


def utf16_length(text: str) -> int:
    """The number of UTF-16 code units of `text`; a lone surrogate is one."""
    if text.isascii():
        return len(text)
    return len(text) + sum(character > "\uffff" for character in text)


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
