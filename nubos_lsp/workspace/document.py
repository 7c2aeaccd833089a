"""An open plan, or one read from disk. Immutable: an edit gives a new document that shares what did not change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.plan.sequence import Units
from nubos_lsp.plan.units import Unit
from nubos_lsp.syntax.frontmatter import Frontmatter, decided_until, read_frontmatter
from nubos_lsp.text.encoding import PositionEncoding
from nubos_lsp.text.lines import content_end, dominant_newline
from nubos_lsp.text.span import Span

if TYPE_CHECKING:
    from nubos_lsp.syntax.tree import Tree

T = TypeVar("T")

_HEAD = 4096  # Code points in which a frontmatter mostly ends.


class Document:
    """A text with its name. Offsets are code points from 0; lines are LSP's (LF, CRLF, CR), from 0.

    `version` is the client's, None for a text from disk. `kind` is None for a text that is no plan.
    """

    def __init__(self, uri: str, version: int | None, kind: PlanKind | None, units: Units) -> None:
        self.uri = uri
        self.version = version
        self.kind = kind
        self._units = units
        self._derived: dict[Callable[[Document], Any], Any] = {}

    @classmethod
    def open(cls, uri: str, version: int | None, text: str, kind: PlanKind | None = PlanKind.SLICE) -> Document:
        """The document that `text` is."""
        return cls(uri, version, kind, Units.of(text))

    def edit(self, version: int | None, start: int, end: int, text: str) -> Document:
        """The document with the text between `start` and `end` replaced by `text`; both are kept inside it."""
        start = max(0, min(start, self.length))
        units = self._units.edit(start, max(start, min(end, self.length)), text)
        document = Document(self.uri, version, self.kind, units)
        head = self._head_if_read()
        if head and start > head[1]:
            document.__dict__["_head"] = head
        return document

    def replace(self, version: int | None, text: str) -> Document:
        """The document with another text."""
        return Document(self.uri, version, self.kind, Units.of(text))

    def at_version(self, version: int | None) -> Document:
        """The same text under another version."""
        return Document(self.uri, version, self.kind, self._units)

    def of_kind(self, kind: PlanKind | None) -> Document:
        """The same text as a plan of another kind."""
        return Document(self.uri, self.version, kind, self._units)

    @property
    def text(self) -> str:
        """The whole text."""
        return self._units.text

    @property
    def length(self) -> int:
        """The number of code points."""
        return self._units.length

    @property
    def line_count(self) -> int:
        """The number of lines; a text that ends with a line end has an empty last one."""
        return self._units.line_breaks + 1

    @property
    def units(self) -> Units:
        """The pieces that are read and checked as one."""
        return self._units

    def collect(self, function: Callable[[Unit], tuple[T, ...]], *, in_blocks: bool = False) -> Iterator[tuple[int, T]]:
        """The values of `function` over all units, each with its unit's offset; computed once for each unit.

        `in_blocks`: the function has values only for units with `<pattern_refs>` blocks; the others are passed over.
        """
        return self._units.collect(function, in_blocks=in_blocks)

    def derived(self, function: Callable[[Document], T]) -> T:
        """`function(self)`, computed once for this version."""
        if function not in self._derived:
            self._derived[function] = function(self)
        value: T = self._derived[function]
        return value

    @cached_property
    def tree(self) -> Tree:
        """The tags of the text."""
        # Imported here, as no gate rule looks at the tree and a cold lint is mostly imports.
        from nubos_lsp.plan.vocabulary import grammar
        from nubos_lsp.syntax.tree import parse

        return parse(self.text, grammar(self.kind or PlanKind.SLICE))

    @property
    def frontmatter(self) -> Frontmatter | None:
        """The YAML at the head of the text; None without one."""
        return self._head[0]

    @cached_property
    def _head(self) -> tuple[Frontmatter | None, int]:
        """The frontmatter, and the offset behind which an edit cannot change it."""
        length = _HEAD
        while True:
            text = self._units.beginning(length)
            frontmatter = read_frontmatter(text)
            decided = decided_until(text, frontmatter)
            if decided < len(text) or len(text) == self.length:
                return frontmatter, decided
            length *= 4

    def _head_if_read(self) -> tuple[Frontmatter | None, int] | None:
        head: tuple[Frontmatter | None, int] | None = self.__dict__.get("_head")
        return head

    @cached_property
    def newline(self) -> str:
        """The line end that the text uses most."""
        return dominant_newline(self.text)

    def line_span(self, line: int) -> Span:
        """The content of a line without its line end; behind the last line, an empty span at the end."""
        if line < 0:
            return Span(0, 0)
        place = self._units.at_line(line)
        unit, local = self._units.unit(place), line - place.line
        if local >= len(unit.line_starts):
            return Span(self.length, self.length)
        start = unit.line_starts[local]
        behind = unit.line_starts[local + 1] if local + 1 < len(unit.line_starts) else len(unit.text)
        return Span(start, content_end(unit.text, start, behind)).shift(place.offset)

    def offset(self, line: int, character: int, encoding: PositionEncoding) -> int:
        """The offset of a position. A column behind the line's end means its end, a line behind the last the end."""
        if line < 0:
            return 0
        place = self._units.at_line(line)
        unit, local = self._units.unit(place), line - place.line
        if local >= len(unit.line_starts):
            return self.length
        start = unit.line_starts[local]
        behind = unit.line_starts[local + 1] if local + 1 < len(unit.line_starts) else len(unit.text)
        end = content_end(unit.text, start, behind)
        return place.offset + unit.columns(encoding).index(start, end, character)

    def position(self, offset: int, encoding: PositionEncoding) -> tuple[int, int]:
        """Line and column of an offset, the column in the units of `encoding`."""
        offset = max(0, min(offset, self.length))
        place = self._units.at_offset(offset)
        unit, local = self._units.unit(place), offset - place.offset
        line = unit.line_of(local)
        return place.line + line, unit.columns(encoding).units(unit.line_starts[line], local)

    def line_number(self, offset: int) -> int:
        """The gate's line of an offset: the line feeds before it, and one."""
        place = self._units.at_offset(offset)
        return place.newlines + self._units.unit(place).newlines_before(offset - place.offset) + 1
