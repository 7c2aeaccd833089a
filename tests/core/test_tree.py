"""The elements of a plan, whole and broken."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nubos_lsp.plan.vocabulary import GRAMMAR, TASK_GRAMMAR, WORDS
from nubos_lsp.syntax.tree import Element, Grammar, Tree, parse

PLAN = """\
<objective>A goal.</objective>

<reality_check>
  <files_read>
    - app/x.php:3
  </files_read>
  <pattern_refs>
    <pattern_ref symbol="X::y" at="app/x.php:3" behavior="a > b"/>
    <deviation ref="X::y" from="a" to="b" reason="c">
  </pattern_refs>
</reality_check>

<tasks>
<task id="M001-S001-T0001" depends_on="" wave="1" tier="sonnet">
  <name>Do it</name>
  <action>Mention `<task>`, <done> and Array<string>.</action>
  <verify><automated>npm test</automated> <manual>look</manual></verify>
</task>
</tasks>
"""

SHORT = Grammar(
    {"list": frozenset({"", "item"}), "item": frozenset({"list"}), "dot": frozenset({"item"})},
    frozenset({"dot"}),
)


def outline(tree: Tree) -> str:
    """The elements by nesting; `!` marks one whose closing tag is missing."""

    def told(element: Element) -> str:
        inner = " ".join(map(told, element.children))
        return f"{element.name}{'!' * element.unclosed}{f'({inner})' if inner else ''}"

    return " ".join(map(told, tree.roots))


def at(text: str, mark: str) -> int:
    """The offset behind the only `mark` in `text`."""
    assert text.count(mark) == 1
    return text.index(mark) + len(mark)


def test_the_elements_of_a_plan() -> None:
    tree = parse(PLAN, GRAMMAR)
    assert outline(tree) == (
        "objective reality_check(files_read pattern_refs(pattern_ref deviation)) "
        "tasks(task(name action verify(automated manual)))"
    )
    assert tree.stray == ()
    assert [element.name for element in tree][:3] == ["objective", "reality_check", "files_read"]
    assert [element.content.of(PLAN) for element in tree.elements("manual")] == ["look"]
    assert tree.elements("unknowns") == ()


def test_spans_hold_the_tags_and_content_stands_between_them() -> None:
    text = "<tasks>\n<task>x</task>\n</tasks>\n"
    tasks, task = parse(text, GRAMMAR)
    assert (tasks.span.of(text), task.content.of(text)) == (text.rstrip(), "x")
    assert task.close
    assert (task.open.span.of(text), task.close.span.of(text)) == ("<task>", "</task>")
    assert (task.parent, tasks.parent, tasks.children) == (tasks, None, (task,))


def test_names_outside_the_grammar_make_no_elements() -> None:
    tree = parse("<div>\n<tasks>\n</tasks>\n</div>", GRAMMAR)
    assert outline(tree) == "tasks"
    assert len(tree.tags) == 4
    assert tree.stray == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<list>\n<item>\n<item>\n</item>\n</list>", "list(item! item)"),
        ("<list>\n<item>\n</list>", "list(item!)"),
        ("<list>\n<item>", "list!(item!)"),
        ("<list>\n<item>\n<list>\n<item>\n</list>\n</item>\n</list>", "list(item(list(item!)))"),
        ("<list>\n<list>\n</list>", "list! list"),
        ("<item>\n<item>\n</item>", "item!(item)"),
        ("<list>\n<dot>\n</list>", "list(dot)"),
        ("<list>\n<item>\n<dot>\n<dot/>\n<dot></dot>\n</item>\n</list>", "list(item(dot dot dot))"),
        ("<list/>\n<item/>", "list item"),
    ],
)
def test_recovery_keeps_what_can_be_kept(text: str, expected: str) -> None:
    tree = parse(text, SHORT)
    assert outline(tree) == expected
    assert tree.stray == ()


@pytest.mark.parametrize(
    ("text", "stray"),
    [
        ("<list>\n</list>\n</list>", ["list"]),
        ("</item>\n<list>\n</list>", ["item"]),
        ("<list>\n<item>x</list></item>", ["item"]),
        ("<list>\n<item>\n<dot>\n</item></list></dot>", ["dot"]),
        ("<dot/></dot>", ["dot"]),
    ],
)
def test_a_closing_tag_of_nothing_is_stray(text: str, stray: list[str]) -> None:
    assert [tag.name for tag in parse(text, SHORT).stray] == stray


def test_an_unclosed_element_ends_where_the_next_tag_ends_it() -> None:
    text = "<list>\n<item>\nx\n<item>\ny\n</list>"
    tree = parse(text, SHORT)
    assert [item.content.of(text) for item in tree.elements("item")] == ["\nx\n", "\ny\n"]
    assert [item.close for item in tree.elements("item")] == [None, None]


def test_mentions_in_prose_are_no_elements_and_close_nothing() -> None:
    text = "<list>\n<item>\nWrap it in <item>x</item>, or <list>; see <item>.\n</item>\n</list>"
    tree = parse(text, SHORT)
    assert outline(tree) == "list(item)"
    assert tree.stray == ()


def test_the_frontmatter_has_no_elements() -> None:
    assert outline(parse("---\ntruths:\n  - <tasks>\n  - ```\n---\n<tasks>\n</tasks>\n", GRAMMAR)) == "tasks"


def test_an_odd_fence_costs_only_its_element() -> None:
    text = "<tasks>\n<task>\n  <action>\n  ```\n  x\n  </action>\n</task>\n<task>\n</task>\n</tasks>\n"
    assert outline(parse(text, GRAMMAR)) == "tasks(task(action) task)"


def test_a_task_plan_has_its_sections_outside_a_task() -> None:
    text = "<name>x</name>\n<action>\nunclosed\n<verify>\n<automated>y</automated>\n</verify>\n<done>z</done>"
    assert outline(parse(text, TASK_GRAMMAR)) == "name action! verify(automated) done"


def test_the_element_under_the_cursor() -> None:
    tree = parse(PLAN, GRAMMAR)
    assert [element.name for element in tree.path_at(at(PLAN, "npm te"))] == ["tasks", "task", "verify", "automated"]
    assert [element.name for element in tree.path_at(at(PLAN, "behavior"))][-2:] == ["pattern_refs", "pattern_ref"]
    assert tree.element_at(at(PLAN, "</objective>")) is None
    assert tree.path_at(at(PLAN, "</tasks>\n")) == ()


def test_the_cursor_at_the_end_of_an_unclosed_element_is_in_it() -> None:
    for text in ("<tasks>\n<task>", "<tasks>\n<task>\n  x"):
        element = parse(text, GRAMMAR).element_at(len(text))
        assert element
        assert element.name == "task"


def test_tags_attributes_comments_and_code_under_the_cursor() -> None:
    text = '<task id="x" tier>\n<!-- c --> `code`\n```\n<b>\n```\n'
    tree = parse(text, GRAMMAR)
    found = {
        offset: getattr(tree.attribute_at(offset), "name", None) for offset in range(len('<task id="x" tier>') + 1)
    }
    assert [offset for offset, name in found.items() if name == "id"] == list(range(6, 13))
    assert [offset for offset, name in found.items() if name == "tier"] == list(range(13, 18))
    assert [tree.tag_at(offset) is not None for offset in (0, 18, 19)] == [True, True, False]
    assert tree.comment_at(at(text, "<!-- ")) is tree.comments[0]
    assert tree.comment_at(at(text, "`code`")) is None
    assert tree.code_span_at(at(text, "`co")) is tree.code_spans[0]
    assert [tree.in_fence(offset) for offset in (at(text, "<b"), text.index("```") - 1, len(text) - 1)] == [
        True,
        False,
        False,
    ]
    assert len(tree.fences) == 1


def test_of_two_neighbours_the_cursor_is_in_the_later() -> None:
    tag = parse("<a></a>", GRAMMAR).tag_at(3)
    assert tag
    assert tag.span.start == 3


BASE = """\
<context>
Small.
</context>
<tasks>
<task id="M001-S001-T0001">
  <name>Greet</name>
  <action>Return a greeting.</action>
  <verify><automated>npm test</automated></verify>
</task>
</tasks>
<output>
Write it down.
</output>
"""


@pytest.mark.parametrize(
    ("before", "after", "unclosed", "stray"),
    [
        ("</output>\n", "</output>\n</output>\n", [], ["output"]),
        ("</output>\n", "", ["output"], []),
        ("</context>\n", "", ["context"], []),
        ("</action>", "", ["action"], []),
        ("</automated></verify>", "</verify></automated>", ["automated"], ["automated"]),
        ("</task>\n", "<task>\n</task>\n", ["task"], []),
        ("</name>", "</title>", ["name"], []),
        ("</verify>", "</verify>\n  <task>\n  </task>", ["task"], ["task"]),
        ('T0001">', "T0001>", [], []),
    ],
)
def test_one_mistake_leaves_one_trace(before: str, after: str, unclosed: list[str], stray: list[str]) -> None:
    assert BASE.count(before) == 1
    tree = parse(BASE.replace(before, after), GRAMMAR)
    assert [element.name for element in tree if element.unclosed] == unclosed
    assert [tag.name for tag in tree.stray] == stray
    assert {"context", "tasks", "task", "name", "action", "verify", "automated", "output"} <= {e.name for e in tree}


def check(tree: Tree) -> None:
    """Elements nest, lie in their parents, and all tags of the grammar are told once at most."""
    for element in tree:
        assert element.span.start == element.open.span.start <= element.open.span.end <= element.content.end
        assert element.content.end <= element.span.end <= len(tree.text)
        assert [child.parent for child in element.children] == [element] * len(element.children)
        assert element.parent is None or (
            element.parent.content.start <= element.span.start <= element.span.end <= element.parent.content.end
        )
        starts = [child.span for child in element.children]
        assert all(before.end <= behind.start for before, behind in pairwise(starts))
    told = [id(tag) for element in tree for tag in (element.open, element.close) if tag] + [
        id(tag) for tag in tree.stray
    ]
    assert len(told) == len(set(told))


PIECES = [
    f"{before}<{slash}{name}{end}"
    for name in (*WORDS, "b")
    for slash in ("", "/")
    for before in ("", "\n")
    for end in (">", "")
]
OTHER = ["x", "`", "\n", "```\n", "<!--", "-->", ' at="', '"', "/>", " ", "---\n", "- "]
tagged_text = st.lists(st.one_of(st.sampled_from(PIECES), st.sampled_from(OTHER)), max_size=50).map("".join)


@given(tagged_text)
def test_every_text_has_a_sound_tree(text: str) -> None:
    for grammar in (GRAMMAR, TASK_GRAMMAR):
        check(parse(text, grammar))


@given(tagged_text, st.data())
def test_looks_by_offset_agree_with_a_plain_search(text: str, data: st.DataObject) -> None:
    tree = parse(text, GRAMMAR)
    offset = data.draw(st.integers(-1, len(text) + 1))
    holding = [
        e for e in tree if e.span.start <= offset and (offset < e.span.end or (e.unclosed and offset == e.span.end))
    ]
    element = tree.element_at(offset)
    assert tree.path_at(offset) == (tuple(_path(element)) if element else ())
    assert element is (holding[-1] if holding else None)
    tag = tree.tag_at(offset)
    assert tag is next((tag for tag in reversed(tree.tags) if tag.span.contains(offset)), None)
    assert tree.in_fence(offset) == any(fence.span.start <= offset < fence.span.end for fence in tree.fences)
    tree.attribute_at(offset)
    tree.comment_at(offset)
    tree.code_span_at(offset)


def _path(element: Element | None) -> list[Element]:
    return [*_path(element.parent), element] if element else []


@given(st.text())
def test_no_text_breaks_the_tree(text: str) -> None:
    check(parse(text, GRAMMAR))


@pytest.mark.parametrize(
    "text",
    [
        "<tasks><task>" * 20_000,
        "<task>" * 20_000,
        "<tasks>\n" + "<task>\n" * 20_000 + "</task>\n" * 20_000,
        "<item>" * 20_000,
        "</tasks>" * 20_000,
        "x <task> " * 20_000,
        "<pattern_ref>" * 20_000,
        "<name>" * 10_000 + "<automated>" * 10_000 + "</name>" * 10_000,
    ],
)
def test_depth_costs_no_recursion(text: str) -> None:
    for grammar in (GRAMMAR, Grammar({"item": frozenset(), "task": frozenset({"task"})})):
        tree = parse(text, grammar)
        assert len(list(tree)) + len(tree.stray) <= len(tree.tags)
        assert tree.path_at(len(text))[:1] == tree.roots[-1:] or not tree.path_at(len(text))
