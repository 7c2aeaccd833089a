"""`nubos-lsp lint`: what is linted, in what order, and with what exit code."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.running import CLAIM, CLEAN, lint_text, run, write

MILESTONE = ".nubos-pilot/milestones/M001"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current directory, and no colours or widths from outside."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "NUBOS_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def paths(ended_payload: dict[str, list[dict[str, str]]]) -> list[str]:
    return [file["path"] for file in ended_payload["files"]]


def test_a_clean_plan_exits_0(folder: Path) -> None:
    write(folder, {"S001-PLAN.md": CLEAN})
    ended = run("lint", "S001-PLAN.md")
    assert (ended.code, ended.out, ended.err) == (0, "clean: 1 file\n", "")


def test_a_critical_finding_exits_2(folder: Path) -> None:
    write(folder, {"S001-PLAN.md": CLAIM})
    ended = run("lint", "S001-PLAN.md")
    assert (ended.code, ended.last_line, ended.err) == (2, "1 critical in 1 file", "")


def test_a_finding_below_critical_exits_0(folder: Path) -> None:
    write(folder, {"S001-PLAN.md": "---\nrequirements: [\n---\n"})
    ended = run("lint", "S001-PLAN.md")
    assert (ended.code, ended.last_line) == (0, "1 major in 1 file")


def test_several_paths_are_linted_in_the_given_order(folder: Path) -> None:
    write(folder, {"b/S002-PLAN.md": CLEAN, "a/S001-PLAN.md": CLAIM, "c.md": CLEAN})
    ended = run("lint", "b/S002-PLAN.md", "--format=json", "a/S001-PLAN.md", "c.md")
    assert paths(ended.payload) == ["b/S002-PLAN.md", "a/S001-PLAN.md", "c.md"]
    assert (ended.payload["target"], ended.code) == ("b/S002-PLAN.md", 2)


def test_the_last_line_names_what_is_clean(folder: Path) -> None:
    write(folder, {f"S00{number}-PLAN.md": CLAIM if number == 1 else CLEAN for number in range(1, 9)})
    some, all_ = (run("lint", *(f"S00{number}-PLAN.md" for number in range(1, count))) for count in (4, 9))
    assert some.last_line == "1 critical in 1 of 3 files; clean: S002-PLAN.md, S003-PLAN.md"
    assert all_.last_line.endswith(
        "clean: S002-PLAN.md, S003-PLAN.md, S004-PLAN.md, S005-PLAN.md, S006-PLAN.md and 2 more"
    )


def test_an_unreadable_plan_costs_only_itself(folder: Path) -> None:
    write(folder, {"S001-PLAN.md": CLAIM})
    ended = run("lint", "absent.md", "S001-PLAN.md")
    assert (ended.code, ended.error[0]) == (1, "plan-lint-file-not-found")
    assert ended.last_line == "1 critical in 1 file"


@pytest.mark.parametrize("format", ["text", "json"])
def test_nothing_is_printed_when_nothing_could_be_linted(format: str) -> None:  # noqa: A002 - the option's name
    ended = run("lint", "absent.md", "--format", format)
    assert (ended.code, ended.out) == (1, "")


@pytest.mark.parametrize(
    ("name", "expected"), [("T0001-PLAN.md", 0), ("S001-PLAN.md", 2), ("M001-PLAN.md", 2), ("notes.md", 2), ("x", 2)]
)
def test_the_kind_follows_from_the_name(name: str, expected: int) -> None:
    assert lint_text(CLAIM, name=name).code == expected


def test_standard_input_has_the_given_name() -> None:
    ended = run("lint", "--stdin-filename", "dir/S001-PLAN.md", stdin=CLAIM.encode())
    assert ended.out.startswith("dir/S001-PLAN.md:1:1 critical ")


def test_a_dash_is_standard_input_as_a_slice_plan() -> None:
    ended = run("lint", "-", "--format", "json", stdin=CLAIM.encode())
    assert (ended.code, ended.payload["target"], paths(ended.payload)) == (2, "-", ["-"])


def test_standard_input_is_linted_alone() -> None:
    ended = run("lint", "-", "S001-PLAN.md")
    assert (ended.code, ended.error) == (64, ("wrong-usage", "standard input is linted alone; name either it or paths"))


def test_a_milestone_is_linted_in_the_order_of_the_gate(folder: Path) -> None:
    slices = f"{MILESTONE}/slices"
    plans = [
        f"{MILESTONE}/M001-PLAN.md",
        f"{slices}/S002/S002-PLAN.md",
        f"{slices}/S1000/S1000-PLAN.md",
        f"{slices}/S1000/tasks/T0001/T0001-PLAN.md",
        f"{slices}/S999/S999-PLAN.md",
        f"{slices}/S999/tasks/T0002/T0002-PLAN.md",
        f"{slices}/S999/tasks/T0010/T0010-PLAN.md",
    ]
    others = [f"{MILESTONE}/M001-CONTEXT.md", f"{slices}/S002/S002-UAT.md", f"{slices}/notes/S003-PLAN.md"]
    write(folder, dict.fromkeys([*reversed(plans), *others], CLAIM))
    ended = run("lint", "--milestone", "M001", "--format", "json")
    assert paths(ended.payload) == plans
    assert ended.payload["target"] == "M001"
    assert ended.payload["summary"] == {"critical": 4, "major": 0, "minor": 0, "total": 4}


def test_paths_of_a_milestone_are_relative_to_the_current_directory(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, {f"{MILESTONE}/M001-PLAN.md": CLEAN, "src/deep/x": ""})
    monkeypatch.chdir(folder / "src/deep")
    assert paths(run("lint", "--milestone=M001", "--format=json").payload) == [f"../../{MILESTONE}/M001-PLAN.md"]


def test_a_milestone_wins_over_paths(folder: Path) -> None:
    write(folder, {f"{MILESTONE}/M001-PLAN.md": CLEAN})
    ended = run("lint", "absent.md", "--milestone", "M001", "--format", "json")
    assert (ended.code, ended.payload["target"]) == (0, "M001")


def test_a_milestone_without_a_value_counts_for_nothing(folder: Path) -> None:
    write(folder, {"S001-PLAN.md": CLAIM})
    assert run("lint", "S001-PLAN.md", "--milestone").code == 2
    assert run("lint", "--milestone", "--gate", "S001-PLAN.md").code == 2


def test_a_milestone_without_plans_is_clean(folder: Path) -> None:
    (folder / MILESTONE).mkdir(parents=True)
    assert run("lint", "--milestone", "M001").out == "clean: no plans\n"
    assert run("lint", "--milestone", "M001", "--format", "json").payload["files"] == []


def test_select_and_ignore_take_rules_and_categories() -> None:
    broken = f"---\na: [\n---\n{CLAIM}"
    assert lint_text(broken, "--select", "plan-syntax").last_line == "1 major in 1 file"
    assert lint_text(broken, "--ignore", "unverified-mirror-claim").last_line == "1 major in 1 file"
    assert lint_text(broken, "--ignore=plan-syntax", "--ignore", "unverified-mirror-claim").code == 0
    assert lint_text(broken, "--select", "plan-syntax, unverified-mirror-claim").code == 2


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_an_unknown_rule_is_wrong_usage_with_a_proposal(option: str) -> None:
    ended = lint_text(CLEAN, option, "unverified-miror-claim")
    assert ended.code == 64
    assert 'Did you mean "unverified-mirror-claim"?' in ended.err


def test_select_without_a_name_is_wrong_usage() -> None:
    assert lint_text(CLEAN, "--select", " , ").error[0] == "wrong-usage"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_is_no_plan_and_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "S001-PLAN.md")
    assert run("lint", "S001-PLAN.md").error == ("plan-lint-file-unreadable", "S001-PLAN.md: it is no regular file")


def test_line_ends_are_taken_as_they_are(folder: Path) -> None:
    write(folder, {"S001-PLAN.md": f"one\r\ntwo\r{CLAIM}"})
    (finding,) = run("lint", "S001-PLAN.md", "--format=json").payload["files"][0]["findings"]
    assert finding["range"]["start"] == {"line": 3, "column": 1}
    assert finding["target"] == "PLAN.md:2"
