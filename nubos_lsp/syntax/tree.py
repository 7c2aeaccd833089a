"""The tree of a text: its tokens and elements, and looks into them by offset and by name.

The tree is lossless: what is in no token is text. It knows no tag names; the grammar is given.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TypeVar

from nubos_lsp.syntax.elements import Element, Grammar, build
from nubos_lsp.syntax.frontmatter import frontmatter_span
from nubos_lsp.syntax.lexer import NOTHING, tokenize
from nubos_lsp.syntax.tokens import CodeSpan, Comment, Fence, Tag, TagAttribute, Token

__all__ = ["Element", "Grammar", "Tree", "parse"]

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
    elements, stray = build(text, (token for token in tokens if isinstance(token, Tag)), grammar)
    return Tree(text, tokens, elements, stray)
