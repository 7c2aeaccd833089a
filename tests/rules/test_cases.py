"""Every rule's own cases: what it must find, what it must not, and the fixes that it offers."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from nubos_lsp.rules.base import Rule
from nubos_lsp.rules.catalogue import all_rules
from tests.marked import assert_marks, found, read, render

LINE_ENDS = pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])

CASES = [
    pytest.param(rule, case, id=f"{rule.name}-{kind}-{number}")
    for rule in all_rules()
    for kind, cases in (("valid", rule.valid), ("invalid", rule.invalid))
    for number, case in enumerate(cases, 1)
]


@LINE_ENDS
@pytest.mark.parametrize(("rule", "case"), CASES)
def test_case(rule: Rule, case: str, newline: str, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-marked"):
        _update(rule, case)
    assert_marks(case, newline)


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_a_rule_has_cases_of_both_kinds(rule: Rule) -> None:
    assert rule.valid
    assert all(not read(case).marks for case in rule.valid)
    assert rule.invalid
    assert all(any(mark.rule == rule.name for mark in read(case).marks) for case in rule.invalid)


def test_what_the_gate_tells_comes_first() -> None:
    """As in CONTRIBUTING: whatever a live rule adds stands behind the gate's own findings."""
    by_gate, by_others = (
        [rule.meta.order for rule in all_rules() if (".gate." in rule.check.__module__) is of_gate]
        for of_gate in (True, False)
    )
    assert max(by_gate) < min(by_others)
    assert len({*by_gate, *by_others}) == len(all_rules())


def _update(rule: Rule, case: str) -> None:
    """Write into the rule's file what is found in the case now."""
    marked = read(case)
    file = import_module(rule.check.__module__).__file__
    assert file
    module = Path(file)
    module.write_text(module.read_text(encoding="utf-8").replace(case, render(marked, found(marked))), encoding="utf-8")
