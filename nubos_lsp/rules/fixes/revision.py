"""A text that is changed in several steps, as one set of edits of what it was before the first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nubos_lsp.text.edit import TextEdit, apply_edits, plain
from nubos_lsp.text.span import Span

_NEW = -1


class Revision:
    """Remembers of each character where it stood in the original text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._length = len(text)
        self._origins: list[int] | None = None

    def apply(self, edits: Iterable[TextEdit]) -> None:
        """Make edits of the present text; they must not overlap."""
        ordered = sorted(edits, key=lambda edit: edit.span)
        origins = list(range(self._length)) if self._origins is None else self._origins
        changed: list[int] = []
        end = 0
        for edit in ordered:
            changed += origins[end : edit.span.start]
            changed += [_NEW] * len(plain(edit.insert))
            end = edit.span.end
        self._origins = changed + origins[end:]
        self.text = apply_edits(self.text, ordered)

    def edits(self) -> tuple[TextEdit, ...]:
        """The smallest edits of the original text that give the present one."""
        return () if self._origins is None else tuple(self._edits([*self._origins, self._length]))

    def _edits(self, origins: list[int]) -> Iterator[TextEdit]:
        old = start = 0
        for index, origin in enumerate(origins):
            if origin == _NEW:
                continue
            if index > start or origin > old:
                yield TextEdit(Span(old, origin), self.text[start:index])
            old, start = origin + 1, index + 1
