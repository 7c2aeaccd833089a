"""Tags, comments, code spans and fences in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nubos_lsp.syntax.lexer import tokenize
from nubos_lsp.syntax.tokens import CodeSpan, Comment, Fence, Tag, TagKind, Token
from nubos_lsp.text.span import Span

PIECES = (
    *(
        '"',
        "'",
        "“",
        "”",
        "`",
        "``",
        "```",
        "~~~",
        "<",
        ">",
        "/>",
        "</",
        "<!--",
        "-->",
        "=",
        " ",
        "\t",
        "\n",
        "\r\n",
        "\r",
    ),
    *(
        "<task",
        "<task>",
        "</task>",
        "<a ",
        "id=",
        'at="',
        "- ",
        "1. ",
        "x",
        "ä",
        "\U0001f600",
        "\u2028",
        "---",
        "\ufeff",
    ),
    *("\n\n", "  <tasks>\n", "\n</tasks>\n", "```js\n", "\n```\n"),
)
broken_text = st.one_of(st.lists(st.sampled_from(PIECES), max_size=60).map("".join), st.text(max_size=80))


def written(text: str) -> list[str]:
    """Each token as its class and its text."""
    return [f"{type(token).__name__} {token.span.of(text)}" for token in tokenize(text)]


def tag(text: str) -> Tag:
    """The first tag."""
    return next(token for token in tokenize(text) if isinstance(token, Tag))


def attributes(text: str) -> list[tuple[str, str | None]]:
    """Names and values of the first tag's attributes."""
    return [(attribute.name, attribute.value) for attribute in tag(text).attributes]


def test_a_tag_has_a_kind_a_name_in_lower_case_and_spans() -> None:
    text = "<Task id='x'>a</TASK><unknowns/>"
    opening, closing, empty = (token for token in tokenize(text) if isinstance(token, Tag))
    assert [opening.kind, closing.kind, empty.kind] == [TagKind.OPEN, TagKind.CLOSE, TagKind.EMPTY]
    assert [opening.name, closing.name, empty.name] == ["task", "task", "unknowns"]
    assert opening.name_span.of(text) == "Task"
    assert closing.span.of(text) == "</TASK>"


@pytest.mark.parametrize(
    "text", ["a < b", "Array<string>", "x<1", "<https://x.org>", "<a@b.org>", "<>", "</>", "<1>", "<x.y>"]
)
def test_what_only_looks_like_a_tag_is_text(text: str) -> None:
    assert written(text) == []


def test_a_closing_tag_may_stand_right_behind_a_word() -> None:
    assert written("npm test</automated>") == ["Tag </automated>"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<a at="x:1" by="y">', [("at", "x:1"), ("by", "y")]),
        ('<a at="a > b">', [("at", "a > b")]),
        ("<a at='a > \"b\"'>", [("at", 'a > "b"')]),
        ("<a at=“a > b” by=„c“>", [("at", "a > b"), ("by", "c")]),
        ("<a wave=1 tier by=x/y/>", [("wave", "1"), ("tier", None), ("by", "x/y")]),
        ('<a at = "x"\n   by\n =\n "y">', [("at", "x"), ("by", "y")]),
        ('<a at= by="y">', [("at", ""), ("by", "y")]),
        ('<a at=\n by="y">', [("at", ""), ("by", "y")]),
        ("<a at=>", [("at", "")]),
        ('<a at="">', [("at", "")]),
        ('<a "x" ,at="y">', [("x", None), ("at", "y")]),
        ('<a at="x"by="y">', [("at", "x"), ("by", "y")]),
        ('<a at="line\nline">', [("at", "line\nline")]),
    ],
)
def test_attributes_in_all_forms(text: str, expected: list[tuple[str, str | None]]) -> None:
    assert attributes(text) == expected
    assert tag(text).closed
    assert tag(text).span.of(text) == text


def test_spans_and_quotes_of_an_attribute() -> None:
    text = "<a at = 'x' wave=1>"
    at, wave = tag(text).attributes
    assert at.value_span
    assert (at.name_span.of(text), at.value_span.of(text), at.quote) == ("at", "x", "'")
    assert wave.value_span
    assert (wave.value_span.of(text), wave.quote) == ("1", "")
    assert tag("<a at=“x”>").attributes[0].quote == "“"


def test_of_a_repeated_attribute_the_last_counts_and_names_mind_case() -> None:
    found = tag('<a at="1" At="2" at="3">')
    assert [getattr(found.attribute(name), "value", None) for name in ("at", "At", "AT")] == ["3", "2", None]


@pytest.mark.parametrize(
    ("text", "span", "values"),
    [
        ('<task tier="sonnet>\n  <name>', '<task tier="sonnet>', ["sonnet"]),
        ('<task tier="sonnet\n  <name a="b">', '<task tier="sonnet', ["sonnet"]),
        ('<task tier="son', '<task tier="son', ["son"]),
        ('<ref at="x/>\n<name a="b">', '<ref at="x/>', ["x"]),
        ('<ref at="\n\nHe said "x">', '<ref at="', [""]),
        ('<task id="M1 depends_on="" wave="1">', '<task id="M1 depends_on="" wave="1">', ["M1", "", "1"]),
        ('<ref symbol="A\n     at="x:1"/>', '<ref symbol="A\n     at="x:1"/>', ["A", "x:1"]),
    ],
)
def test_a_quote_that_is_not_closed_ends_with_its_line(text: str, span: str, values: list[str]) -> None:
    found = tag(text)
    assert found.span.of(text) == span
    assert [attribute.value for attribute in found.attributes] == values
    assert not found.attributes[0].closed


def test_a_value_may_end_like_the_begin_of_an_attribute() -> None:
    assert attributes('<a to="where id=" by="cmd: X="/>') == [("to", "where id="), ("by", "cmd: X=")]


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("<task", "<task"),
        ("<task id=1\n<name>", "<task id=1"),
        ("<task id=1 <name>", "<task id=1"),
        ("<task\n  id=1\n\nprose > x", "<task\n  id=1"),
        ("<task\r\n\r\nprose > x", "<task"),
        ("<task\n```\nx > y\n```", "<task"),
        ("</task\nprose", "</task"),
        ("</task", "</task"),
    ],
)
def test_a_tag_without_its_end_stops_early(text: str, span: str) -> None:
    assert tag(text).span.of(text) == span
    assert not tag(text).closed


def test_a_closing_tag_ends_on_the_next_line_at_the_latest() -> None:
    assert tag("</name\n>").closed
    assert tag("</name  >").closed


def test_a_comment_hides_tags_and_code() -> None:
    assert written("<!-- <a> ` --> `<b>`") == ["Comment <!-- <a> ` -->", "CodeSpan `<b>`"]


def test_a_comment_that_never_closes_hides_nothing() -> None:
    assert written("<!-- <a>\n<b>") == ["Comment <!--", "Tag <a>", "Tag <b>"]
    assert [token.closed for token in tokenize("<!-- x --> <!--") if isinstance(token, Comment)] == [True, False]


def test_code_spans_pair_runs_of_one_length_on_one_line() -> None:
    assert written("`a` ``b`c`` `d\n<x>` e") == ["CodeSpan `a`", "CodeSpan ``b`c``", "Tag <x>"]
    text = "``<a>``"
    assert [token.inner.of(text) for token in tokenize(text) if isinstance(token, CodeSpan)] == ["<a>"]


def test_a_lone_backtick_hides_nothing() -> None:
    assert written("a ` b <x> ``") == ["Tag <x>"]


@pytest.mark.parametrize(
    "fence",
    [
        "```\n<a> `x` <!--\n```",
        "~~~\n```\n<a>\n~~~~",
        "````md\n```\n<a>\n```\n````",
        "```js {1}\n<a>\n   ```",
        "```\r\n<a>\r\n```",
        "```\n```",
    ],
)
def test_a_fence_hides_all(fence: str) -> None:
    for lead in ("", "  ", "\t", "      ", "- ", "  1. "):
        text = f"{lead}{fence}\n<b>"
        assert written(text) == [f"Fence {fence}", "Tag <b>"]


def test_the_parts_of_a_fence() -> None:
    text = "  ```php x \n  echo 1;\n  ```  \n"
    (fence,) = tokenize(text)
    assert isinstance(fence, Fence)
    assert (fence.opening.of(text), fence.info, fence.body.of(text)) == ("```php x ", "php x", "  echo 1;\n")
    assert fence.closed


def test_backticks_in_the_info_make_a_code_span() -> None:
    assert written("```x``` <a>") == ["CodeSpan ```x```", "Tag <a>"]


def test_a_closing_tag_at_its_elements_indent_ends_a_fence() -> None:
    text = "<task>\n  <action>\n  ```\n  <x>\n    </action>\n  </action>\n</task>\n"
    assert written(text) == [
        "Tag <task>",
        "Tag <action>",
        "Fence ```\n  <x>\n    </action>\n",
        "Tag </action>",
        "Tag </task>",
    ]
    assert [token.closed for token in tokenize(text) if isinstance(token, Fence)] == [False]


def test_elements_that_begin_and_end_in_a_fence_are_code() -> None:
    text = "<task>\n```xml\n<task>\n<task id='x'/>\n<task>one line</task>\n</task>\n```\n</task>\n"
    assert [type(token) for token in tokenize(text)] == [Tag, Fence, Tag]


def test_a_closing_tag_of_nothing_open_is_code() -> None:
    assert written("```\n</div>\n```") == ["Fence ```\n</div>\n```"]


def test_a_fence_that_nothing_ends_hides_nothing() -> None:
    assert written("```js\n<a>\n") == ["Fence ```js", "Tag <a>"]


@pytest.mark.parametrize(
    ("text", "structural"),
    [
        ("<a>", [True]),
        ("  \t<a>", [True]),
        ("- <a>\n  2) <b>\n* <c>", [True, True, True]),
        ("\ufeff<a>", [True]),
        ("x <a>", [False]),
        ("<a><b> <c>", [True, True, True]),
        ("<a>x</a> <b>", [True, True, True]),
        ("<a>x <b>", [True, False]),
        ("x <a><b>", [False, False]),
        ("x </a> <b>", [False, False]),
        ("<!-- x --> <a>", [True]),
        ("x <!-- x --> <a>", [False]),
        ("x\r<a>", [True]),
    ],
)
def test_a_tag_is_structural_when_it_stands_first_on_its_line(text: str, structural: list[bool]) -> None:
    assert [token.structural for token in tokenize(text) if isinstance(token, Tag)] == structural


def test_nothing_begins_in_what_is_hidden() -> None:
    assert [token.span for token in tokenize("<a>\n<b>\n<c>", Span(4, 8))] == [Span(0, 3), Span(8, 11)]


def check(text: str, tokens: tuple[Token, ...]) -> None:
    """The tokens and the text between them give the text; all that a token tells lies inside it."""
    end, pieces = 0, []
    for token in tokens:
        assert end <= token.span.start < token.span.end <= len(text)
        pieces += [text[end : token.span.start], token.span.of(text)]
        end = token.span.end
        inner = [token.name_span] if isinstance(token, Tag) else []
        for attribute in token.attributes if isinstance(token, Tag) else ():
            inner += [attribute.name_span, *([attribute.value_span] if attribute.value_span else [])]
        assert inner == sorted(inner)
        assert all(token.span.start <= span.start <= span.end <= token.span.end for span in inner)
    assert "".join((*pieces, text[end:])) == text


@given(broken_text)
def test_the_tokens_are_lossless(text: str) -> None:
    check(text, tokenize(text))


@pytest.mark.parametrize(
    "text",
    [
        "<a " * 100_000,
        '<a b="x\n' * 100_000,
        "<a b=„x " * 100_000,
        "<!--" * 100_000,
        "`" * 100_000,
        "` `` " * 50_000,
        " ".join("`" * length for length in range(1, 450)),
        "```js\n" * 100_000,
        "<a>\n" + "```js\n" * 100_000 + "<a>\n</a>",
        "\n".join("`" * length + "x" for length in range(450, 3, -1)),
        "<a>" + " " * 100_000 + "x" + "<b>" * 100_000,
        "<" * 100_000,
        "<" + "a" * 100_000 + ":",
        "<a " + '="' * 100_000,
    ],
)
def test_hostile_texts_are_read_in_one_go(text: str) -> None:
    check(text, tokenize(text))
