"""What a person types into a plan: letters, now and then an Enter and a backspace, as LSP content changes.

Columns count UTF-16 units; the typed text stays in the basic plane, so a unit is a character.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

_PROSE = "The owner is asked once more, für jede Freigabe einzeln; a refused share leaves no row behind. "
_BACKSPACE_EVERY = 17
_ENTER_EVERY = 60


@dataclass(frozen=True)
class Change:
    """One incremental change: replace `removed` characters before the column by `text`."""

    line: int
    column: int
    removed: int
    text: str

    def to_wire(self) -> dict[str, object]:
        """Return the change as an element of `contentChanges`."""
        start = {"line": self.line, "character": self.column - self.removed}
        end = {"line": self.line, "character": self.column}
        return {"range": {"start": start, "end": end}, "text": self.text}


def keystrokes(line: int, column: int, count: int) -> Iterator[Change]:
    """Yield `count` keystrokes with the cursor first at `line` and `column`."""
    for number in range(1, count + 1):
        if number % _ENTER_EVERY == 0:
            yield Change(line, column, 0, "\n")
            line, column = line + 1, 0
        elif number % _BACKSPACE_EVERY == 0 and column:
            yield Change(line, column, 1, "")
            column -= 1
        else:
            yield Change(line, column, 0, _PROSE[number % len(_PROSE)])
            column += 1
