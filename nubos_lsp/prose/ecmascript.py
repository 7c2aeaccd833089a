r"""The gate counts and trims as ECMAScript does; Python differs in small things that parity needs.

White space is a fixed set (Python's `\s` has U+0085 and U+001C..001F and lacks U+FEFF). Lengths are UTF-16 code units.
Source: gate-details 3 and 4.
"""

from __future__ import annotations

import re

from nubos_lsp.text.encoding import PositionEncoding, utf16_length

WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
SPACE = "[" + WHITE_SPACE.replace("\n", r"\n").replace("\r", r"\r").replace("\t", r"\t") + "]"
"""The set as a regular-expression class."""

_RUN = re.compile(SPACE + "+")


def trim(text: str) -> str:
    """`text` without white space at its ends."""
    return text.strip(WHITE_SPACE)


def fold(text: str) -> str:
    """`text` trimmed, each run of white space as one space."""
    return _RUN.sub(" ", trim(text))


def prefix(text: str, units: int) -> str:
    """The first `units` UTF-16 code units of `text`; a character that would be cut in half is left out."""
    if len(text) * 2 <= units:
        return text
    return text[: PositionEncoding.UTF16.index(text, units)]


__all__ = ["SPACE", "WHITE_SPACE", "fold", "prefix", "trim", "utf16_length"]
