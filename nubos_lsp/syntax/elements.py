"""Which tag closes which, and what stands in what, however broken the text is.

Only names of the grammar make elements, and only where their opening tag stands first on its line: elsewhere a tag is a
mention in prose. An opening tag first ends what cannot hold it; a closing tag ends what is still open inside its
element. Depth costs no recursion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nubos_lsp.syntax.tokens import Tag, TagAttribute, TagKind
from nubos_lsp.text.span import Span


@dataclass(frozen=True)
class Grammar:
    """Which elements there are: for each name the names of the elements that may hold it, "" being the document.

    Those in `empty` never have content.
    """

    parents: Mapping[str, frozenset[str]]
    empty: frozenset[str] = frozenset()


class Element:
    """An element; not changed once its tree is there. Two elements are equal when they are the same one.

    `span` runs from the opening tag to the end of the closing one, `content` is what stands between them. Without a
    closing tag both end where the next tag ends the element, or with the text. `empty` tells that it takes no content,
    because it is written `<name/>` or by the grammar.
    """

    __slots__ = ("children", "close", "content", "empty", "name", "open", "parent", "span")

    def __init__(self, tag: Tag, parent: Element | None, *, empty: bool) -> None:
        self.name = tag.name
        self.open = tag
        self.close: Tag | None = None
        self.span = tag.span
        self.content = Span(tag.span.end, tag.span.end)
        self.parent = parent
        self.children: tuple[Element, ...] = ()
        self.empty = empty

    def __repr__(self) -> str:
        return f"<{self.name} {self.span.start}:{self.span.end}>"

    def attribute(self, name: str) -> TagAttribute | None:
        """The attribute `name` of the opening tag, of a repeated one the last; None when there is none."""
        return self.open.attribute(name)

    @property
    def unclosed(self) -> bool:
        """Whether its closing tag is missing."""
        return self.close is None and not self.empty


def build(text: str, tags: Iterable[Tag], grammar: Grammar) -> tuple[tuple[Element, ...], tuple[Tag, ...]]:
    """The elements that the tags of `text` make, in document order, and the closing tags that close nothing."""
    builder = _Builder(text, grammar)
    for tag in tags:
        if tag.name in grammar.parents:
            builder.add(tag)
    builder.close_all(len(text))
    return tuple(builder.elements), tuple(builder.stray)


class _Builder:
    """Takes the tags of the grammar in order."""

    def __init__(self, text: str, grammar: Grammar) -> None:
        self.elements: list[Element] = []
        self.stray: list[Tag] = []
        self._grammar = grammar
        self._open: list[tuple[Element, list[Element]]] = []
        self._open_names: Counter[str] = Counter()
        self._mentions = _Mentions(text)

    def add(self, tag: Tag) -> None:
        """Take the next tag."""
        self._mentions.move(tag)
        if tag.kind is TagKind.CLOSE:
            if not self._mentions.close(tag.name):
                self._close(tag)
        elif tag.structural:
            self._add_element(tag)
        elif tag.kind is TagKind.OPEN:
            self._mentions.open(tag.name)

    def close_all(self, offset: int) -> None:
        """End all that is open at `offset`."""
        while self._open:
            self._pop(offset)

    def _add_element(self, tag: Tag) -> None:
        self._make_room(tag)
        parent, siblings = self._open[-1] if self._open else (None, [])
        element = Element(tag, parent, empty=tag.kind is TagKind.EMPTY or tag.name in self._grammar.empty)
        self.elements.append(element)
        siblings.append(element)
        if not element.empty:
            self._open.append((element, []))
            self._open_names[tag.name] += 1

    def _make_room(self, tag: Tag) -> None:
        """End open elements until one that may hold `tag` is the last; leave them all when there is none."""
        parents = self._grammar.parents[tag.name]
        if any(self._open_names[parent] for parent in parents):
            while self._open[-1][0].name not in parents:
                self._pop(tag.span.start)
        elif "" in parents:
            self.close_all(tag.span.start)

    def _close(self, tag: Tag) -> None:
        if self._open_names[tag.name]:
            while self._open[-1][0].name != tag.name:
                self._pop(tag.span.start)
            self._pop(tag.span.start, tag)
        elif self._closes_empty(tag):
            _end(self.elements[-1], tag.span.start, tag)
        else:
            self.stray.append(tag)

    def _closes_empty(self, tag: Tag) -> bool:
        """Whether the last element has no content by the grammar, but is written with a closing tag all the same."""
        last = self.elements[-1] if self.elements else None
        return (
            last is not None
            and last.name == tag.name
            and last.empty
            and last.open.kind is TagKind.OPEN
            and last.close is None
            and last.parent is (self._open[-1][0] if self._open else None)
        )

    def _pop(self, offset: int, tag: Tag | None = None) -> None:
        element, children = self._open.pop()
        self._open_names[element.name] -= 1
        element.children = tuple(children)
        _end(element, offset, tag)


def _end(element: Element, offset: int, tag: Tag | None) -> None:
    element.close = tag
    element.content = Span(element.open.span.end, offset)
    element.span = Span(element.open.span.start, tag.span.end if tag else offset)


class _Mentions:
    """Tags in the middle of prose: a closing tag on the line of such an opening one belongs to it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._end = 0
        self._open: Counter[str] = Counter()

    def move(self, tag: Tag) -> None:
        """Go on to `tag`."""
        between = self._text[self._end : tag.span.start]
        if "\n" in between or "\r" in between:
            self._open.clear()
        self._end = tag.span.end

    def open(self, name: str) -> None:
        self._open[name] += 1

    def close(self, name: str) -> bool:
        """Tells whether the mention `name` was open, and closes it."""
        known = self._open[name] > 0
        self._open[name] -= known
        return known
