"""Colours of a terminal, and whether to use them."""

from __future__ import annotations

import os
from typing import TextIO

from nubos_lsp.rules.base import Severity

COLOR = "--color"
"""The option that chooses."""

AUTO, ALWAYS, NEVER = CHOICES = ("auto", "always", "never")

_SEVERITY = {Severity.CRITICAL: "1;31", Severity.MAJOR: "1;33", Severity.MINOR: "1;36", Severity.ADVICE: "1;34"}
_BOLD, _FAINT, _GOOD = "1", "2", "1;32"
_WIDTH = 120
_NARROWEST = 40


class Style:
    """How to paint; without colour every text stays as it is."""

    def __init__(self, colored: bool) -> None:
        self.colored = colored

    def severity(self, severity: Severity, text: str) -> str:
        """`text` in the colour of a severity."""
        return self._paint(_SEVERITY[severity], text)

    def bold(self, text: str) -> str:
        """`text` that catches the eye."""
        return self._paint(_BOLD, text)

    def faint(self, text: str) -> str:
        """`text` that stands back."""
        return self._paint(_FAINT, text)

    def good(self, text: str) -> str:
        """`text` that says that all is well."""
        return self._paint(_GOOD, text)

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colored and text else text


PLAIN = Style(colored=False)


def style_for(stream: TextIO, choice: str) -> Style:
    """The style for what goes to `stream`. On auto NO_COLOR, FORCE_COLOR and the stream decide, in this order."""
    if choice != AUTO:
        return Style(choice == ALWAYS)
    if os.environ.get("NO_COLOR"):
        return PLAIN
    if os.environ.get("FORCE_COLOR"):
        return Style(colored=True)
    return Style(stream.isatty() and os.environ.get("TERM") != "dumb")


def width_of(stream: TextIO) -> int:
    """The columns to draw in: COLUMNS, or the terminal's; 120 for what is no terminal."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given) > 0:
        return max(_NARROWEST, int(given))
    if not stream.isatty():
        return _WIDTH
    try:
        return max(_NARROWEST, os.get_terminal_size(stream.fileno()).columns)
    except OSError:
        return _WIDTH
