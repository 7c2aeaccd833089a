"""The elements of a plan: which tag closes which, and what stands in what, however broken the text is.

Only names of the grammar make elements, and only where their opening tag stands first on its line: elsewhere a tag is a
mention in prose. An opening tag first closes what cannot hold it; a closing tag closes what is still open inside its
element. Depth costs no recursion. It knows no tag names; the grammar is given.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from nubos_lsp.syntax.frontmatter import frontmatter_span
from nubos_lsp.syntax.lexer import NOTHING, tokenize
from nubos_lsp.syntax.tokens import CodeSpan, Comment, Fence, Tag, TagAttribute, TagKind, Token
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


_T = TypeVar("_T", bound="Tag | Comment | CodeSpan | Fence")


class Tree:
    """What a text says in tags. Iterating gives all elements in document order.

    The looks by offset take a cursor: a token or attribute is found at both its ends (of two neighbours the later one),
    an element from its start up to its end.
    """

    def __init__(
        self, text: str, tokens: tuple[Token, ...], elements: tuple[Element, ...], stray: tuple[Tag, ...]
    ) -> None:
        self.text = text
        self.tokens = tokens
        self.stray = stray
        self._elements = elements

    def __iter__(self) -> Iterator[Element]:
        return iter(self._elements)

    @cached_property
    def tags(self) -> tuple[Tag, ...]:
        """All tags of any name, mentions in prose included."""
        return tuple(token for token in self.tokens if isinstance(token, Tag))

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        """All comments."""
        return tuple(token for token in self.tokens if isinstance(token, Comment))

    @cached_property
    def code_spans(self) -> tuple[CodeSpan, ...]:
        """All code spans outside fences."""
        return tuple(token for token in self.tokens if isinstance(token, CodeSpan))

    @cached_property
    def fences(self) -> tuple[Fence, ...]:
        """All fenced code blocks."""
        return tuple(token for token in self.tokens if isinstance(token, Fence))

    @cached_property
    def roots(self) -> tuple[Element, ...]:
        """The elements that stand in no other."""
        return tuple(element for element in self if element.parent is None)

    def elements(self, name: str) -> tuple[Element, ...]:
        """All elements with that name."""
        return self._by_name.get(name, ())

    @cached_property
    def _by_name(self) -> dict[str, tuple[Element, ...]]:
        by_name: defaultdict[str, list[Element]] = defaultdict(list)
        for element in self:
            by_name[element.name].append(element)
        return {name: tuple(elements) for name, elements in by_name.items()}

    def element_at(self, offset: int) -> Element | None:
        """The deepest element that holds `offset`.

        The end of an element counts only when its closing tag is missing: there the cursor is still in it.
        """
        index = bisect_right(self._element_starts, offset) - 1
        element = self._elements[index] if index >= 0 else None
        while element and not _holds(element, offset):
            element = element.parent
        return element

    def path_at(self, offset: int) -> tuple[Element, ...]:
        """The elements that hold `offset`, the outermost first."""
        path: list[Element] = []
        element = self.element_at(offset)
        while element:
            path.append(element)
            element = element.parent
        return tuple(reversed(path))

    def tag_at(self, offset: int) -> Tag | None:
        """The tag at `offset`."""
        return _at(self.tags, self._tag_starts, offset)

    def attribute_at(self, offset: int) -> TagAttribute | None:
        """The attribute at `offset`: in its name, its quotes or its value."""
        tag = self.tag_at(offset)
        attributes = tag.attributes if tag else ()
        index = bisect_right(attributes, offset, key=lambda attribute: attribute.name_span.start) - 1
        if index < 0:
            return None
        attribute = attributes[index]
        end = attribute.value_span.end if attribute.value_span else attribute.name_span.end
        return attribute if offset <= end + bool(attribute.quote and attribute.closed) else None

    def comment_at(self, offset: int) -> Comment | None:
        """The comment at `offset`."""
        return _at(self.comments, self._comment_starts, offset)

    def code_span_at(self, offset: int) -> CodeSpan | None:
        """The code span at `offset`."""
        return _at(self.code_spans, self._code_span_starts, offset)

    def in_fence(self, offset: int) -> bool:
        """Whether the character at `offset` is part of a fenced code block."""
        index = bisect_right(self._fence_starts, offset) - 1
        return index >= 0 and offset < self.fences[index].span.end

    @cached_property
    def _element_starts(self) -> list[int]:
        return [element.span.start for element in self]

    @cached_property
    def _tag_starts(self) -> list[int]:
        return [tag.span.start for tag in self.tags]

    @cached_property
    def _comment_starts(self) -> list[int]:
        return [comment.span.start for comment in self.comments]

    @cached_property
    def _code_span_starts(self) -> list[int]:
        return [code_span.span.start for code_span in self.code_spans]

    @cached_property
    def _fence_starts(self) -> list[int]:
        return [fence.span.start for fence in self.fences]


def _at(tokens: Sequence[_T], starts: list[int], offset: int) -> _T | None:
    index = bisect_right(starts, offset) - 1
    return tokens[index] if index >= 0 and offset <= tokens[index].span.end else None


def _holds(element: Element, offset: int) -> bool:
    return offset < element.span.end or (element.unclosed and offset == element.span.end)


def parse(text: str, grammar: Grammar) -> Tree:
    """The tree of `text`. Every text has one."""
    tokens = tokenize(text, frontmatter_span(text) or NOTHING)
    builder = _Builder(text, grammar)
    for token in tokens:
        if isinstance(token, Tag) and token.name in grammar.parents:
            builder.add(token)
    builder.close_all(len(text))
    return Tree(text, tokens, tuple(builder.elements), tuple(builder.stray))


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
