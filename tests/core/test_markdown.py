"""Headings, and the lexer beside a real Markdown parser."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from nubos_lsp.syntax.lexer import tokenize
from nubos_lsp.syntax.markdown import headings, title
from nubos_lsp.syntax.tokens import CodeSpan, Fence

PLAN = """\
---
slice: S001
# no heading: a comment
---

<!--
# Not this
-->
<objective>
## The goal
</objective>

# S001 `Share` dashboards #

```
# Not that
```

Last one
========
"""


def test_the_headings_of_a_plan_with_their_places() -> None:
    for newline in ("\n", "\r\n"):
        text = PLAN.replace("\n", newline)
        found = headings(text)
        assert [(heading.level, heading.text) for heading in found] == [
            (2, "The goal"),
            (1, "S001 `Share` dashboards"),
            (1, "Last one"),
        ]
        assert [heading.span.of(text) for heading in found] == [
            "## The goal",
            "# S001 `Share` dashboards #",
            f"Last one{newline}========",
        ]


def test_the_title_is_the_first_heading_of_level_one() -> None:
    found = title(PLAN)
    assert found
    assert found.text == "S001 `Share` dashboards"


def test_without_level_one_the_first_heading_is_the_title() -> None:
    found = title("## A\n### B\n")
    assert found
    assert found.text == "A"
    assert title("no heading") is None
    assert title("") is None


@given(
    st.one_of(
        st.text(),
        st.lists(st.sampled_from(["# a", "\n", "\r\n", "---\n", "- ", "> ", "```\n", "<!--", "-->", "x"])).map("".join),
    )
)
def test_no_text_breaks_it(text: str) -> None:
    for heading in headings(text):
        assert 0 <= heading.span.start <= heading.span.end <= len(text)


WORDS = st.text("abcXYZ09 .,()", min_size=1, max_size=8).map(lambda word: f"w{word.strip()}w")
CODE = st.builds(lambda ticks, word: f"{ticks}{word}{ticks}", st.sampled_from(["`", "``", "```"]), WORDS)
SENTENCE = st.builds(lambda start, rest: " ".join([start, *rest]), WORDS, st.lists(st.one_of(WORDS, CODE), max_size=6))
FENCE = st.builds(
    lambda run, info, lines: "\n".join([run + info, *lines, run]),
    st.sampled_from(["```", "~~~", "````"]),
    st.sampled_from(["", "php", "js x"]),
    st.lists(st.one_of(SENTENCE, st.sampled_from(["", "``", "~~", "# x", "<task>"])), max_size=4),
)
ITEMS = st.lists(SENTENCE, min_size=1, max_size=3).map(lambda items: "\n".join(f"- {item}" for item in items))
BLOCK = st.one_of(SENTENCE, FENCE, ITEMS, SENTENCE.map(lambda text: f"## {text}"))


@given(st.lists(BLOCK, max_size=6).map("\n\n".join))
def test_the_lexer_finds_the_fences_and_code_spans_of_markdown(text: str) -> None:
    blocks = MarkdownIt("commonmark").parse(text)
    tokens = tokenize(text)
    fences = [token for token in tokens if isinstance(token, Fence)]
    assert [(fence.info, fence.body.of(text)) for fence in fences] == [
        (block.info.strip(), block.content) for block in blocks if block.type == "fence"
    ]
    spans = [inline.content for block in blocks for inline in block.children or () if inline.type == "code_inline"]
    assert [token.inner.of(text) for token in tokens if isinstance(token, CodeSpan)] == spans
