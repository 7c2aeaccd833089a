"""Citations: how a plan names files of the project, `path`, `path:line` or `path:line-line`.

In running text a path has no white space, quotes, commas or colons; in an attribute it may have spaces. Separators are
`/`; a backslash is an ordinary character. Where a citation stands decides how plain it may look: in a list of files
`Makefile` is one, in prose it needs a `/`, an extension or a line.
Source: plan-format (Files, A slice plan), rules.md L1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from nubos_lsp.text.span import Span

ABSURD_LINE = 1_000_000_000
"""Stands for every line number of more than nine digits; no file has that many lines."""

_LONGEST = 1_000  # Code points. No file system has longer paths below a project's root.
_MOST_DIGITS = 9

_RUN = re.compile(r"(?:[^\s`\"'“”„<>,;|\]]|\](?!\())+")
_PART = re.compile(r"[^,;]+")
_LINE = re.compile(r"[^\r\n]+")
_ENTRY = re.compile(r"[^,]+")
_BULLET = re.compile(r"[ \t]*(?:(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]+|\Z))?")
_REMARK = re.compile(r"\s(?:[(—–#→-]|=>)")
_OPTION = re.compile(r"[\w-]+=")
_LINES = re.compile(r"([0-9]+)(?:-([0-9]*))?(?::[0-9]+)?\Z")
_EXTENSION = re.compile(r"[0-9_+-]{0,9}[A-Za-z][A-Za-z0-9_+-]{0,19}")
_LETTER = re.compile(r"[^\W\d_]")

_PARTNERS = {"(": ")", "[": "]", "{": "}"}
_CLOSING = {closing: opening for opening, closing in _PARTNERS.items()}
_EMPHASIS = "*~"
_PUNCTUATION = ".:!?*_~…"
_QUOTES = "`\"'"


class Citation(NamedTuple):
    """A file named in a text. Without lines it means the whole file; `last` is `first` for a single line.

    Lines count from 1 and are as written, so 0 and more than the file has are possible. `span` covers path and lines,
    and the `@` before them; `lines_span` what stands behind the colon.
    """

    path: str
    first: int | None
    last: int | None
    span: Span
    path_span: Span
    lines_span: Span | None

    def shift(self, by: int) -> Citation:
        """The same citation in a text that begins `by` code points earlier."""
        lines = self.lines_span.shift(by) if self.lines_span else None
        return self._replace(span=self.span.shift(by), path_span=self.path_span.shift(by), lines_span=lines)


def find_citations(text: str) -> Iterator[Citation]:
    """Everything in running text that looks like a path with a `/`, an extension or a line, in order."""
    yield from _in_prose(text, Span(0, len(text)))


def list_citations(text: str) -> Iterator[Citation]:
    """The files of a list, on lines or between commas, bulleted or not; also those in the remarks behind them.

    An entry that is a single word, or quoted, may be any name (`Makefile`).
    """
    for line in _LINE.finditer(text):
        bullet = _BULLET.match(text, line.start(), line.end())
        start = bullet.end() if bullet else line.start()
        remark = _REMARK.search(text, start, line.end())
        end = remark.start() if remark else line.end()
        for entry in _ENTRY.finditer(text, start, end):
            yield from _in_entry(text, _stripped(text, Span(*entry.span())))
        yield from _in_prose(text, Span(end, line.end()))


def value_citations(text: str) -> Iterator[Citation]:
    """The files that an attribute's value names, one or several between commas; spaces belong to the path.

    What begins with `cmd:` names a command, and nothing behind it is a file.
    """
    for part in _PART.finditer(text):
        span = _stripped(text, Span(*part.span()))
        if text.startswith("cmd:", span.start):
            return
        citation = _parse(text, span)
        if citation:
            yield citation


def _in_prose(text: str, span: Span) -> Iterator[Citation]:
    for run in _RUN.finditer(text, *span):
        citation = _parse(text, _undecorated(text, Span(*run.span())))
        if citation and _looks_like_a_path(citation):
            yield citation


def _in_entry(text: str, span: Span) -> Iterator[Citation]:
    quoted = span.end - span.start > 2 and text[span.start] in _QUOTES and text[span.end - 1] == text[span.start]
    inner = Span(span.start + 1, span.end - 1) if quoted else span
    run = _RUN.fullmatch(text, *inner)
    citation = _parse(text, _undecorated(text, inner)) if run else None
    if citation:
        yield citation
    else:
        yield from _in_prose(text, span)


def _undecorated(text: str, span: Span) -> Span:
    """A run of characters without the brackets, emphasis and punctuation around what it says."""
    start, end = span
    if end - start > _LONGEST:
        return Span(start, start)
    while start < end and (text[start] in _EMPHASIS or _opens_around(text, start, end)):
        start += 1
    while start < end and _closes_around(text, start, end):
        end -= 1
    if "_" in text[end : span.end]:
        start += len(text[start:end]) - len(text[start:end].lstrip("_"))
    option = _OPTION.match(text, start, end)
    return Span(option.end() if option else start, end)


def _opens_around(text: str, start: int, end: int) -> bool:
    """Whether a run begins with a bracket that is no part of its first name, as in `(group)/page.tsx`."""
    closing = _PARTNERS.get(text[start])
    if closing is None:
        return False
    partner = text.find(closing, start, end)
    return not (partner >= 0 and text.startswith("/", partner + 1))


def _closes_around(text: str, start: int, end: int) -> bool:
    """Whether a run ends with punctuation, or with a bracket that was not opened in it."""
    last = text[end - 1]
    opening = _CLOSING.get(last)
    return last in _PUNCTUATION if opening is None else text.rfind(opening, start, end - 1) < 0


def _stripped(text: str, span: Span) -> Span:
    inner = span.of(text)
    start = span.start + len(inner) - len(inner.lstrip())
    return Span(start, max(start, span.start + len(inner.rstrip())))


def _parse(text: str, span: Span) -> Citation | None:
    """The citation that `span` is. None for a URL, for a command, and when more than lines stands behind the colon."""
    if not 0 < span.end - span.start <= _LONGEST:
        return None
    start = span.start + text.startswith("@", span.start)
    colon = text.find(":", start, span.end)
    path = Span(start, span.end if colon < 0 else colon)
    tail = text[colon + 1 : span.end] if colon >= 0 else ""
    lines = _LINES.match(tail)
    if path.start == path.end or not (lines or not tail or _is_member(tail)):
        return None
    if not lines:
        return Citation(path.of(text), None, None, Span(span.start, path.end), path, None)
    first = _line(lines[1])
    last = _line(lines[2]) if lines[2] else first
    return Citation(path.of(text), first, last, span, path, Span(colon + 1, span.end))


def _is_member(tail: str) -> bool:
    """Whether what follows `path:` names something in the file, as in `tests/test_share.py::test_twice`."""
    return tail.startswith(":") and _LETTER.match(tail, 1) is not None


def _line(digits: str) -> int:
    digits = digits.lstrip("0")
    return int(digits or "0") if len(digits) <= _MOST_DIGITS else ABSURD_LINE


def _looks_like_a_path(citation: Citation) -> bool:
    if not _LETTER.search(citation.path):
        return False
    folder, _, name = citation.path.rpartition("/")
    _, dot, extension = name.rpartition(".")
    has_extension = bool(dot) and _EXTENSION.fullmatch(extension) is not None
    return citation.first is not None or bool(folder) or has_extension
