"""How wide text is on a terminal, and how to show text that a plan's author controls without obeying it.

A terminal acts on control characters, so none is printed as it is: a plan must not colour, move or hide our output.
"""

from __future__ import annotations

import re

TAB = 4
"""Cells between two tab stops."""

_ACTIVE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_JOINER = "\u200d"
_EMOJI_STYLE = "\ufe0f"
_SKIN_TONES = ("\U0001f3fb", "\U0001f3ff")
_MIDDLE_JAMO = ("\u1160", "\u11ff")


def printable(text: str) -> str:
    """`text` in one line; white space that would break it becomes a space, other control characters a picture."""
    return _ACTIVE.sub(lambda match: _picture(match[0]), re.sub(r"[\t\n\r\f\v]+", " ", text))


def _picture(character: str) -> str:
    if character < " ":
        return chr(0x2400 + ord(character))
    return "\u2421" if character == "\x7f" else "\ufffd"


def glyphs(text: str) -> str:
    """`text` with each control character but tabs replaced by one visible character."""
    return _ACTIVE.sub(lambda match: match[0] if match[0] == "\t" else _picture(match[0]), text)


def widths(text: str) -> list[int]:
    """The cells of each character of `text`, a piece of a line that starts at a tab stop."""
    cells = [1] * len(text) if text.isascii() else _unicode_widths(text)
    if "\t" in text:
        column = 0
        for index, character in enumerate(text):
            if character == "\t":
                cells[index] = TAB - column % TAB
            column += cells[index]
    return cells


def _unicode_widths(text: str) -> list[int]:
    from unicodedata import category, east_asian_width

    cells: list[int] = []
    joined = False
    for character in text:
        if joined or _is_invisible(character, category(character)):
            cells.append(0)
        else:
            cells.append(2 if east_asian_width(character) in "WF" else 1)
        joined = character == _JOINER
        if character == _EMOJI_STYLE and len(cells) > 1 and cells[-2] == 1 and category(text[len(cells) - 2]) == "So":
            cells[-2] = 2
    return cells


def _is_invisible(character: str, category: str) -> bool:
    if category in ("Mn", "Me") or (category == "Cf" and character != "\xad"):
        return True
    return _SKIN_TONES[0] <= character <= _SKIN_TONES[1] or _MIDDLE_JAMO[0] <= character <= _MIDDLE_JAMO[1]
