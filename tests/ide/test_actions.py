"""Code actions: which are offered where, and what the assists do."""

from __future__ import annotations

import pytest

from nubos_lsp.ide.actions import FIX_ALL, QUICK_FIX, REWRITE, Action, actions
from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.text.edit import apply_edits, snippet_syntax
from nubos_lsp.text.span import Span
from tests.marked import Marked, read, span_of

LINE_ENDS = pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])

PLAN = """
One <|>line.
Mirror `FooBar`, and on
one more line.
<pattern_refs>
  <pattern_ref at='a/b.py:1'
               behavior="b"/>
</pattern_refs>
Last line.
"""


def at(marked: Marked, span: Span | int, only: tuple[str, ...] | None = None) -> tuple[Action, ...]:
    span = Span(span, span) if isinstance(span, int) else span
    return marked.compute(lambda snapshot: actions(snapshot, span, only))


def at_cursor(source: str, only: tuple[str, ...] | None = None, newline: str = "\n") -> tuple[Action, ...]:
    marked = read(source, newline)
    assert marked.cursor is not None
    return at(marked, marked.cursor, only)


def titles(offered: tuple[Action, ...]) -> list[str]:
    return [action.title for action in offered]


def done(source: str, title: str, newline: str = "\n") -> str:
    """The plan after the action at the cursor whose title begins with `title`."""
    marked = read(source, newline)
    assert marked.cursor is not None
    action = next(action for action in at(marked, marked.cursor) if action.title.startswith(title))
    return apply_edits(marked.text, action.edits)


def test_a_finding_is_fixed_from_anywhere_on_its_lines() -> None:
    marked = read(PLAN)
    claim = ["Insert <pattern_ref> for FooBar"]
    tag = ["Write at= in double quotes", 'Insert at="path:line"']
    assert titles(at(marked, span_of(marked, "Mirror"))) == claim
    assert titles(at(marked, span_of(marked, "and on").end)) == claim
    assert titles(at(marked, span_of(marked, "pattern_ref at"))) == tag
    assert titles(at(marked, span_of(marked, 'behavior="b"'))) == tag
    assert titles(at(marked, Span(0, len(marked.text)))) == [*tag, *claim]


def test_elsewhere_nothing_is_offered() -> None:
    marked = read(PLAN)
    assert at(marked, span_of(marked, "One")) == ()
    assert at(marked, span_of(marked, "one more")) == ()
    assert at(marked, span_of(marked, "Last line.")) == ()


def test_what_the_selection_touches_comes_first() -> None:
    marked = read("Mirror `FooBar`. Mirror `BarBaz`.\n")
    offered = at(marked, span_of(marked, "`BarBaz`").start - 2)
    assert [action.title.split()[-1] for action in offered] == ["BarBaz", "FooBar"]


def test_an_action_tells_its_finding_and_whether_it_is_preferred() -> None:
    marked = read(PLAN)
    action, *_ = at(marked, span_of(marked, "Mirror"))
    assert action.kind == QUICK_FIX
    assert action.preferred
    assert action.finding
    assert action.finding.span == span_of(marked, "Mirror")


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        (None, {QUICK_FIX, REWRITE}),
        ((), {QUICK_FIX, REWRITE}),
        (("quickfix",), {QUICK_FIX}),
        (("refactor",), {REWRITE}),
        (("refactor.rewrite",), {REWRITE}),
        (("source",), {FIX_ALL}),
        (("source.fixAll",), {FIX_ALL}),
        (("source.fixAll.nubos",), {FIX_ALL}),
        (("quickfix", "source.fixAll"), {QUICK_FIX, FIX_ALL}),
        (("",), {QUICK_FIX, REWRITE, FIX_ALL}),
        (("source.fixAll.other",), set()),
        (("source.organizeImports",), set()),
        (("quick",), set()),
        (("refactor.extract",), set()),
    ],
)
def test_only_asks_for_kinds_and_their_sub_kinds(only: tuple[str, ...] | None, kinds: set[str]) -> None:
    source = '<pattern_refs>\n<pattern_ref<|> symbol="Foo" at=\'a/b.py:1\' behavior="b"/>\n</pattern_refs>\n'
    assert {action.kind for action in at_cursor(source, only)} == kinds


def test_fix_all_is_offered_only_when_something_is_safe_to_fix() -> None:
    assert at_cursor("<|>Mirror `FooBar`.\n", ("source.fixAll",)) == ()


def test_a_task_plan_has_no_actions_for_claims() -> None:
    marked = read("Mirror `FooBar`.\n")
    assert marked.compute(lambda snapshot: actions(snapshot, Span(0, 3), None), PlanKind.TASK) == ()


DEVIATIONS = {
    "lines": (
        """
<pattern_refs>
  <pattern_ref<|> symbol="Foo::bar"
               at="a/b.py:1"
               behavior="returns
               None"/>
</pattern_refs>
""",
        """
<pattern_refs>
  <pattern_ref symbol="Foo::bar"
               at="a/b.py:1"
               behavior="returns
               None"/>
  <deviation ref="Foo::bar"
             from="returns None"
             to="TBD: what the plan does instead"
             reason="TBD: the criterion or decision that asks for it"/>
</pattern_refs>
""",
    ),
    "one line": (
        """
<pattern_refs><pattern_ref at="a/b.py:1" behavior="b"/><|></pattern_refs>
""",
        """
<pattern_refs><pattern_ref at="a/b.py:1" behavior="b"/> <deviation ref="a/b.py:1" from="b" """
        """to="TBD: what the plan does instead" """
        """reason="TBD: the criterion or decision that asks for it"/></pattern_refs>
""",
    ),
    "a closing tag": (
        """
<pattern_refs>
\t<pattern_ref symbol="Foo" at="a/b.py:1" behavior="😀"><|></pattern_ref>
</pattern_refs>
""",
        """
<pattern_refs>
\t<pattern_ref symbol="Foo" at="a/b.py:1" behavior="😀"></pattern_ref>
\t<deviation ref="Foo"
\t           from="😀"
\t           to="TBD: what the plan does instead"
\t           reason="TBD: the criterion or decision that asks for it"/>
</pattern_refs>
""",
    ),
    "a criterion": (
        """
<pattern_refs>
  <pattern_ref symbol="Foo" at="a/b.py:1" behavior="b"/>
</pattern_refs>
<tasks>
<task id="M001-S001-T0001">
  <acceptance_criteria>
    - AC-3: A "duplicate" <share> fails.<|>
  </acceptance_criteria>
</task>
</tasks>
""",
        """
<pattern_refs>
  <pattern_ref symbol="Foo" at="a/b.py:1" behavior="b"/>
  <deviation ref="Foo"
             from="b"
             to="TBD: what the plan does instead"
             reason="AC-3: A 'duplicate' share fails."/>
</pattern_refs>
<tasks>
<task id="M001-S001-T0001">
  <acceptance_criteria>
    - AC-3: A "duplicate" <share> fails.
  </acceptance_criteria>
</task>
</tasks>
""",
    ),
}


@LINE_ENDS
@pytest.mark.parametrize("case", DEVIATIONS)
def test_insert_deviation(case: str, newline: str) -> None:
    before, after = DEVIATIONS[case]
    assert done(before, "Insert <deviation>", newline) == after.removeprefix("\n").replace("\n", newline)


def test_what_is_to_judge_in_a_deviation_is_a_tab_stop() -> None:
    before, _ = DEVIATIONS["one line"]
    (action,) = [action for action in at_cursor(before) if "deviation" in action.title]
    assert action.kind == REWRITE
    assert snippet_syntax(action.edits[0].insert) == (
        ' <deviation ref="a/b.py:1" from="b" to="${1:TBD: what the plan does instead}"'
        ' reason="${2:TBD: the criterion or decision that asks for it}"/>'
    )


CRITERION = "\n<tasks>\n<task>\n<acceptance_criteria>\n- AC-1: Fails.<|>\n</acceptance_criteria>\n</task>\n</tasks>\n"
FOO = '<pattern_ref symbol="Foo" at="a/b.py:1" behavior="b"/>'


@pytest.mark.parametrize(
    "source",
    [
        CRITERION,
        f'<pattern_refs>{FOO}<pattern_ref symbol="Bar" at="a/b.py:1" behavior="b"/></pattern_refs>{CRITERION}',
        f'<pattern_refs>{FOO}<deviation ref="Foo" from="a" to="b" reason="c"/></pattern_refs>{CRITERION}',
        '<pattern_refs><pattern_ref<|> symbol="Foo" behavior="b"/><deviation ref="Foo"/></pattern_refs>',
        "<pattern_refs><pattern_ref<|>/></pattern_refs>",
        f"<pattern_refs>{FOO}</pattern_refs>\nAC-1: Fails.<|>\n",
        f"{FOO}<|>",
    ],
)
def test_no_deviation_is_offered(source: str) -> None:
    assert not [action for action in at_cursor(source) if "<deviation>" in action.title and action.kind == REWRITE]


FILES_READ = {
    "an entry": (
        """
<reality_check>
  <files_read>
    - a/b.py:1-3 (all)
  </files_read>
  <pattern_refs>
    <pattern_ref<|> symbol="Foo" at="a/b.py:1" behavior="b"/>
  </pattern_refs>
</reality_check>
""",
        """
<reality_check>
  <files_read>
    - a/b.py:1-3 (all)
    - a/b.py:1
  </files_read>
  <pattern_refs>
    <pattern_ref symbol="Foo" at="a/b.py:1" behavior="b"/>
  </pattern_refs>
</reality_check>
""",
    ),
    "asterisks": (
        """
<reality_check>
<files_read>
* c.py:1
</files_read>
<pattern_refs>
<pattern_ref<|> at="a/b.py:1" behavior="b"/>
</pattern_refs>
</reality_check>
""",
        """
<reality_check>
<files_read>
* c.py:1
* a/b.py:1
</files_read>
<pattern_refs>
<pattern_ref at="a/b.py:1" behavior="b"/>
</pattern_refs>
</reality_check>
""",
    ),
    "no list": (
        """
<reality_check>
  <pattern_refs>
    <pattern_ref<|> symbol="Foo" at="a/b.py:1" behavior="b"/>
  </pattern_refs>
</reality_check>
""",
        """
<reality_check>
  <files_read>
    - a/b.py:1
  </files_read>
  <pattern_refs>
    <pattern_ref symbol="Foo" at="a/b.py:1" behavior="b"/>
  </pattern_refs>
</reality_check>
""",
    ),
}


@LINE_ENDS
@pytest.mark.parametrize("case", FILES_READ)
def test_add_to_files_read(case: str, newline: str) -> None:
    before, after = FILES_READ[case]
    assert done(before, "Add a/b.py:1", newline) == after.removeprefix("\n").replace("\n", newline)


@pytest.mark.parametrize(
    "source",
    [
        f"<reality_check>\n<files_read>\n- a/b.py:1 (x)\n</files_read>\n<pattern_refs>\n<|>{FOO}\n</pattern_refs>\n",
        '<reality_check>\n<pattern_refs>\n<|><pattern_ref at="a/b.py" behavior="b"/>\n</pattern_refs>\n',
        f"<pattern_refs>\n<|>{FOO}\n</pattern_refs>\n",
    ],
)
def test_nothing_is_added_to_files_read(source: str) -> None:
    assert not [action for action in at_cursor(source) if action.title.startswith("Add ")]
