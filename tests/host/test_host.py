"""The state of a server, without a server."""

from __future__ import annotations

from nubos_lsp.host import Change, Host
from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.rules.catalogue import all_rules
from nubos_lsp.text.encoding import PositionEncoding
from nubos_lsp.workspace.facts import FileQuestion, SourceFile, answered
from nubos_lsp.workspace.settings import Settings

URI = "file:///S001-PLAN.md"
CLAIM = "Mirror `ShareSegmentAction`."


def host_with(text: str, kind: PlanKind | None = PlanKind.SLICE) -> Host:
    host = Host(all_rules())
    host.open(URI, 1, text, kind)
    return host


def rules_of(host: Host) -> list[str]:
    document = host.document(URI)
    assert document
    return [finding.rule for finding in host.check(document).findings]


def test_each_change_is_in_positions_after_the_one_before() -> None:
    host = host_with("ab")
    changes = [Change((0, 1), (0, 1), "\n"), Change((1, 0), (1, 1), "c"), Change((1, 1), (1, 1), "d")]
    document = host.change(URI, 2, changes, PositionEncoding.UTF16)
    assert document
    assert document.text == "a\ncd"


def test_full_and_incremental_changes_mix() -> None:
    host = host_with("ab")
    changes = [Change((0, 0), (0, 1), ""), Change(None, None, "xyz"), Change((0, 1), (0, 2), "")]
    document = host.change(URI, 2, changes, PositionEncoding.UTF16)
    assert document
    assert document.text == "xz"


def test_a_version_never_goes_back() -> None:
    host = host_with("ab")
    host.change(URI, 5, [], PositionEncoding.UTF16)
    document = host.change(URI, 3, [Change((0, 0), (0, 0), "x")], PositionEncoding.UTF16)
    assert document
    assert (document.version, document.text) == (5, "xab")


def test_a_change_of_an_unopened_document_changes_nothing() -> None:
    assert Host(all_rules()).change(URI, 2, [Change(None, None, "x")], PositionEncoding.UTF16) is None


def test_a_text_that_is_no_plan_has_no_findings_until_the_settings_make_it_one() -> None:
    host = host_with(CLAIM, None)
    assert rules_of(host) == []
    host.classify(lambda _: PlanKind.SLICE)
    assert rules_of(host) == ["unverified-mirror-claim"]


def test_a_task_plan_is_exempt() -> None:
    assert rules_of(host_with(CLAIM, PlanKind.TASK)) == []


def test_ignored_rules_are_silent() -> None:
    host = host_with(CLAIM)
    host.settings = Settings(ignore=("pattern-claim-unverified",))
    assert rules_of(host) == []


def test_a_feature_asks_for_each_file_once_and_sees_one_state() -> None:
    host = host_with(CLAIM)
    document = host.document(URI)
    asked: list[str] = []

    def answer(question: FileQuestion) -> SourceFile | None:
        asked.append(question.path)
        return SourceFile("x" * len(asked)) if question.path == "a" else None

    assert document
    found = answered(
        host.compute(
            document, lambda snapshot: (snapshot.facts.file("a"), snapshot.facts.file("b"), snapshot.facts.file("a"))
        ),
        answer,
    )
    assert asked == ["a", "b"]
    assert found[0] is found[2]
    assert found[1] is None
