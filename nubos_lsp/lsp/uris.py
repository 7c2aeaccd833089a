"""URIs to paths and back. A document's URI is never rewritten: it is kept and answered as the client wrote it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes

_URI = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?://([^/?#]*))?([^?#]*)")
_DRIVE = re.compile(r"/[A-Za-z]:(?:/|\Z)")

DOCUMENT_SCHEMES = frozenset({"file", "untitled"})
"""Where plans are edited. Others (`git:`, a diff's left side) show copies, whose findings would come twice."""


def scheme_of(uri: str) -> str:
    """The scheme in lower case; "" when there is none."""
    match = _URI.match(uri)
    return match[1].lower() if match else ""


def path_of(uri: str) -> str:
    """The decoded path of any URI, with `/` separators; the text itself when it is no URI."""
    match = _URI.match(uri)
    return _decoded(match[3]) if match else uri


def file_path(uri: str) -> Path | None:
    """The file that a `file:` URI means; None for other URIs and for what cannot be a path here."""
    match = _URI.match(uri)
    if not match or match[1].lower() != "file":
        return None
    path = _decoded(match[3])
    if not path or "\0" in path:
        return None
    if match[2] and match[2].lower() != "localhost":
        return Path(f"//{match[2]}{path}") if os.name == "nt" else None
    if os.name == "nt" and _DRIVE.match(path):
        path = path[1:]
    return Path(path)


def file_uri(path: Path) -> str:
    """The `file:` URI of an absolute path; symlinks stay as they are, odd bytes of a name are kept."""
    text = path.as_posix()
    prefix = "file:" if text.startswith("//") else "file://" if text.startswith("/") else "file:///"
    return prefix + quote(os.fsencode(text), safe="/~" if os.name != "nt" else "/~:")


def _decoded(text: str) -> str:
    # JSON can carry half a surrogate pair; a name with one is odd, but no reason to fail.
    return os.fsdecode(unquote_to_bytes(text.encode("utf-8", "surrogatepass")))
