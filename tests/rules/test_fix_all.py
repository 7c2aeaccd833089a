"""All safe fixes at once: `--fix` and `source.fixAll.nubos`."""

from __future__ import annotations

import pytest

from nubos_lsp.rules.catalogue import all_rules, find_rules
from nubos_lsp.rules.fixing import fix_all
from nubos_lsp.text.edit import TextEdit, apply_edits
from tests.marked import read

LINE_ENDS = pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])

BEFORE = """
😀 Mirror `FooBar`.
<pattern_refs>
  <pattern_ref symbol="Cart" At='src/Cart.php:2' behaviour=adds up/>
  <pattern_ref symbol="Cart" at="src/Cart.php" behavior='a'/>
  <deviation ref=“Cart” from='a' To="b"/>
  <deviation ref='say "x"' from="a" to="b" reason="c"/>
</pattern_refs>
"""

AFTER = """
😀 Mirror `FooBar`.
<pattern_refs>
  <pattern_ref symbol="Cart" at="src/Cart.php:2" behavior="adds up"/>
  <pattern_ref symbol="Cart" at="src/Cart.php" behavior="a"/>
  <deviation ref="Cart" from="a" to="b"/>
  <deviation ref='say "x"' from="a" to="b" reason="c"/>
</pattern_refs>
"""


@LINE_ENDS
def test_all_that_is_safe_is_fixed(newline: str) -> None:
    marked = read(BEFORE, newline)
    edits = marked.compute(lambda snapshot: fix_all(snapshot, all_rules()))
    assert apply_edits(marked.text, edits) == read(AFTER, newline).text


def test_the_edits_are_as_small_as_can_be() -> None:
    marked = read("<pattern_refs><pattern_ref at='a:1' behavior=\"b\"/></pattern_refs>")
    edits = marked.compute(lambda snapshot: fix_all(snapshot, all_rules()))
    assert [(edit.span.of(marked.text), edit.insert) for edit in edits] == [("'", '"'), ("'", '"')]


def test_a_clean_plan_has_no_edits() -> None:
    edits: tuple[TextEdit, ...] = read(AFTER).compute(lambda snapshot: fix_all(snapshot, all_rules()))
    assert edits == ()


def test_only_the_given_rules_are_fixed() -> None:
    marked = read("<pattern_refs><pattern_ref at='a:1' behaviour=\"b\"/></pattern_refs>")
    rules = find_rules("pattern-ref-without-behavior")
    edits = marked.compute(lambda snapshot: fix_all(snapshot, rules))
    assert [edit.insert for edit in edits] == ["behavior"]


def test_one_fix_that_does_not_work_does_not_spoil_the_others() -> None:
    tags = "<pattern_ref at='a:1' behavior=\"b\"/>\n" * 5 + '<pattern_ref at=\'a:1\' at="" behavior="b"/>\n'
    marked = read(f"<pattern_refs>\n{tags}</pattern_refs>")
    edits = marked.compute(lambda snapshot: fix_all(snapshot, all_rules()))
    assert apply_edits(marked.text, edits) == marked.text.replace("'", '"', 10)
