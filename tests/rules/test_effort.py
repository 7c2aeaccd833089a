"""What a request may cost on a plan made to be slow: counted in characters that are read, so that no clock decides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from nubos_lsp.ide.actions import actions
from nubos_lsp.plan.citations import Citation, list_citations
from nubos_lsp.rules.catalogue import all_rules
from nubos_lsp.rules.engine import check
from nubos_lsp.rules.fixes import attributes, evidence, trial
from nubos_lsp.rules.fixing import fix_all
from nubos_lsp.syntax.tags import read_tag
from nubos_lsp.syntax.tokens import Tag
from nubos_lsp.text.edit import apply_edits
from nubos_lsp.text.span import Span
from nubos_lsp.workspace.document import Document
from tests.marked import read

NOT_TO_BE_FIXED = '<pattern_ref symbol=\'Fo"o\' at=\'a/b.php:1\' behaviour="x" At="\n"/>\n<pattern_ref At="x" at=""/>\n'
CLAIMS = "".join(f"Mirror `Foo{number}`. " for number in range(6_000))


@pytest.fixture
def characters_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How long each text was that a trial has checked."""
    lengths: list[int] = []

    def counting(snapshot: Any, rules: Iterable[Any]) -> Any:
        lengths.append(snapshot.document.length)
        return check(snapshot, rules)

    monkeypatch.setattr(trial, "check", counting)
    return lengths


def most_read(length: int) -> int:
    """What is allowed: the larger of two limits, the trial that passes it, and a look at the plan before the trials."""
    return max(3_000_000, 6 * length) + 2 * length


def test_fixes_that_do_not_work_together_are_looked_for_within_limits(characters_read: list[int]) -> None:
    marked = read(f"<pattern_refs>\n{NOT_TO_BE_FIXED * 880}</pattern_refs>\n")
    edits = marked.compute(lambda snapshot: fix_all(snapshot, all_rules()))
    assert sum(characters_read) <= most_read(len(marked.text))
    assert len(read(apply_edits(marked.text, edits)).compute(lambda s: check(s, all_rules())).findings) <= len(
        marked.compute(lambda snapshot: check(snapshot, all_rules())).findings
    )


def test_a_selection_of_thousands_of_findings_is_answered_within_limits(characters_read: list[int]) -> None:
    marked = read(CLAIMS)
    everything = Span(0, len(marked.text))
    offered = marked.compute(lambda snapshot: actions(snapshot, everything, ("quickfix",)))
    assert offered
    assert sum(characters_read) <= most_read(len(marked.text))


def test_a_short_plan_is_not_limited(characters_read: list[int]) -> None:
    marked = read(
        "<pattern_refs>\n" + "<pattern_ref symbol='Foo' at='a/b.php:1' behavior='x'/>\n" * 200 + "</pattern_refs>"
    )
    edits = marked.compute(lambda snapshot: fix_all(snapshot, all_rules()))
    assert len(edits) == 800
    # Before and after: the second round proposes nothing, nor does the other category, and that costs no trial.
    assert len(characters_read) == 2


def test_lists_in_lists_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[int] = []

    def counting(text: str) -> Iterator[Citation]:
        lengths.append(len(text))
        yield from list_citations(text)

    monkeypatch.setattr(evidence, "list_citations", counting)
    for ending in ("", "</files_read>\n" * 500):
        lengths.clear()
        marked = read("Mirror `Foo`.\n" + "<files_read>\n- a/b.php:12\n" * 500 + ending)
        assert marked.compute(lambda snapshot: actions(snapshot, Span(2, 2), ("quickfix",)))
        assert 0 < sum(lengths) <= 4 * len(marked.text)


def test_many_claims_of_one_tag_look_at_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[int] = []

    def counting(text: str, start: int, *, structural: bool) -> Tag | None:
        tag = read_tag(text, start, structural=structural)
        lengths.append(tag.span.end - tag.span.start if tag else 0)
        return tag

    monkeypatch.setattr(attributes, "read_tag", counting)
    claims = "".join(f"Mirror `Foo` {number}.\n" for number in range(300))
    tag = "at='Foo' " * 600
    marked = read(f"{claims}<pattern_refs><pattern_ref {tag}/></pattern_refs>")
    edits = marked.compute(lambda snapshot: fix_all(snapshot, all_rules()))
    assert [edit.insert for edit in edits] == ['"', '"']
    assert sum(lengths) <= 8 * len(marked.text)


def test_thousands_of_tags_are_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lookups: list[int] = []
    collect = Document.collect

    def counting(document: Document, function: Any, *, in_blocks: bool = False) -> Any:
        lookups.append(1)
        return collect(document, function, in_blocks=in_blocks)

    monkeypatch.setattr(Document, "collect", counting)
    marked = read("<pattern_refs>\n" + "<deviation/>\n" * 500 + "</pattern_refs>\n")
    assert marked.compute(lambda snapshot: fix_all(snapshot, all_rules())) == ()
    assert len(lookups) < 100


def test_a_long_plan_of_plain_mistakes_is_fixed_at_once() -> None:
    claims = "".join(f"Mirror `Foo{number}`.\n" for number in range(1_500))
    tags = "".join(f'<pattern_ref symbol=\'Foo{number}\' at="a/b.php:1" behavior="x"/>\n' for number in range(1_500))
    marked = read(f"{claims}<pattern_refs>\n{tags}</pattern_refs>\n")
    edits = marked.compute(lambda snapshot: fix_all(snapshot, all_rules()))
    assert apply_edits(marked.text, edits) == marked.text.replace("'", '"')
