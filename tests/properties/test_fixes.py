"""Whatever a plan looks like, a fix that is offered ends its finding and changes nothing else."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from nubos_lsp.ide.actions import actions
from nubos_lsp.prose.ecmascript import WHITE_SPACE
from nubos_lsp.rules.base import Finding, Fix
from nubos_lsp.rules.catalogue import all_rules
from nubos_lsp.rules.engine import check
from nubos_lsp.rules.fixing import fix_all, fixes
from nubos_lsp.text.edit import TextEdit, apply_edits, plain
from nubos_lsp.text.span import Span
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.facts import Facts, FileQuestion, SourceFile, answered, compute
from nubos_lsp.workspace.settings import Settings
from nubos_lsp.workspace.snapshot import Snapshot
from tests.properties.plans import FRAGMENTS, plans

FILES = {
    "app/ShareSegmentAction.php": SourceFile("<?php\nclass ShareSegmentAction\n{\n    function handle()\n"),
    "a/b.php": SourceFile("class Foo:\r\n    def bar(self): pass\r\n"),
}

TAGS = (
    '<pattern_ref symbol="Foo::bar" at=\'a/b.php:1\' behavior="x"/>',
    '<pattern_ref symbol="Foo"\n             at=a/b.php\n             behaviour="y"\n/>',
    '<pattern_ref at="a/b.php#L3" behavior="b">',
    '<pattern_ref\r\n\tsymbol="Foo" At="a/b.php:2"/>',
    '<pattern_ref symbol="😀" behavior="it\'s" at="" />',
    '<pattern_ref symbol="Foo behavior="x"/>',
    "<pattern_ref at=“a:1” behavior=uses the thing/>",
    "<pattern_ref at='x > y' behavior='a'/>",
    "<pattern_ref at='c/d:1' at=\"\"/>",
    "<deviation/>",
    '<deviation ref="Foo" from=\'a b\' To="q"/>',
    '<deviation ref=Foo from="" to="x"\n  reason="">',
)
SURROUNDINGS = (
    *("<files_read>", "</files_read>", "- a/b.php:1\n", "<objective>", "</objective>", "<unknowns>", "</unknowns>"),
    *("---\nslice: x\n---\n", "```\n", "<!-- mirror `Foo` -->", "\n  ", "\n\t", "`<pattern_refs>`", "Mirror `Foo`.\n"),
    *("<acceptance_criteria>\n- AC-1: x\n</acceptance_criteria>\n", "<reality_check>\n", "</reality_check>\n"),
)

broken_tags = st.builds(
    lambda tag, at, insert, cut: tag[: at % len(tag)] + insert + tag[at % len(tag) + cut :],
    st.sampled_from(TAGS),
    st.integers(0, 80),
    st.sampled_from(("", '"', "'", ">", "=", " ", "\n", *FRAGMENTS)),
    st.integers(0, 1),
)
blocks = st.builds(
    lambda tags, newline, end: "<pattern_refs>" + newline + newline.join(tags) + newline + end,
    st.lists(st.sampled_from(TAGS) | broken_tags, min_size=1, max_size=3),
    st.sampled_from(("\n", "\r\n", "\n  ", "")),
    st.sampled_from(("</pattern_refs>\n", "</pattern_refs>", "</Pattern_Refs>\r\n", "")),
)
texts = st.lists(plans | blocks | st.sampled_from(SURROUNDINGS), max_size=6).map("".join)


def snapshot_of(text: str, facts: Facts | None = None) -> Snapshot:
    return Snapshot(Document.open("file:///S001-PLAN.md", 1, text), Settings(), facts or Facts())


def file(question: FileQuestion) -> SourceFile | None:
    return FILES.get(question.path)


def findings(text: str) -> tuple[Finding, ...]:
    outcome = check(snapshot_of(text), all_rules())
    assert not outcome.failures
    return outcome.findings


def offered(text: str, finding: Finding) -> tuple[Fix, ...]:
    return answered(compute(lambda facts: fixes(snapshot_of(text, facts), finding)), file)


def moved(offset: int, edits: tuple[TextEdit, ...]) -> int:
    return offset + sum(
        len(plain(edit.insert)) - (edit.span.end - edit.span.start) for edit in edits if edit.span.end <= offset
    )


def taking_back(edits: tuple[TextEdit, ...]) -> list[TextEdit]:
    """Edits that remove what `edits` inserted."""
    removals: list[TextEdit] = []
    by = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        start, length = edit.span.start + by, len(plain(edit.insert))
        removals.append(TextEdit(Span(start, start + length), ""))
        by += length - (edit.span.end - edit.span.start)
    return removals


def without_space(text: str) -> str:
    return text.translate(dict.fromkeys(map(ord, WHITE_SPACE)))


@given(texts)
@example('<pattern_refs>\n<pattern_ref symbol="Foo" behavior="b"/>\n<pattern_ref😀at="></pattern_refs>\n')
def test_a_fix_ends_its_finding_and_brings_none(text: str) -> None:
    before = findings(text)
    for finding in before:
        for fix in offered(text, finding):
            after = findings(apply_edits(text, fix.edits))
            place = moved(finding.anchor, fix.edits)
            known = [(each.rule, moved(each.anchor, fix.edits)) for each in before]
            new = [each for each in after if (each.rule, each.anchor) not in known]
            assert all(fix.safe and each.anchor == place for each in new if each.category == finding.category)
            assert (finding.rule, place, finding.raw) not in [(each.rule, each.anchor, each.raw) for each in after]
            assert fix.safe or (finding.rule, place) not in [(each.rule, each.anchor) for each in after]
            assert sum(each.category == finding.category for each in after) <= sum(
                each.category == finding.category for each in before
            )


@given(texts)
@example('<pattern_refs>\n<pattern_ref symbol="Foo" behavior="b" at="\ufeff"/>\n</pattern_refs>\n')
def test_a_fix_leaves_the_rest_of_the_text(text: str) -> None:
    for finding in findings(text):
        for fix in offered(text, finding):
            changed = apply_edits(text, fix.edits)
            if "\r" not in text:
                assert "\r" not in changed
            if fix.id.startswith("insert-"):
                assert not any(without_space(edit.span.of(text)) for edit in fix.edits)
                taken_back = apply_edits(changed, taking_back(fix.edits))
                assert without_space(taken_back) == without_space(text)


@given(texts)
def test_fixing_all_leaves_nothing_to_fix(text: str) -> None:
    edits = fix_all(snapshot_of(text), all_rules())
    changed = apply_edits(text, edits)
    assert fix_all(snapshot_of(changed), all_rules()) == ()
    assert not [fix for finding in findings(changed) for fix in offered(changed, finding) if fix.safe]
    assert len(findings(changed)) <= len(findings(text))


@given(texts, st.integers(0, 300), st.integers(0, 300))
def test_actions_are_there_for_any_selection(text: str, start: int, end: int) -> None:
    span = Span(min(start, end, len(text)), min(max(start, end), len(text)))
    kinds = ("quickfix", "refactor", "source")
    for action in answered(compute(lambda facts: actions(snapshot_of(text, facts), span, kinds)), file):
        changed = apply_edits(text, action.edits)
        assert changed != text
        assert len(findings(changed)) <= len(findings(text))
