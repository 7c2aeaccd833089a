"""`lint --format json`: the gate's payload to the letter, and what is added without `--gate`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import CLEAN, lint_text, run, write

KEYS = ["category", "severity", "target", "message", "hint", "raw"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def findings(text: str, *arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = lint_text(text, "--format", "json", *arguments).payload["files"][0]["findings"]
    return found


def test_the_gate_payload_has_exactly_its_keys_in_order() -> None:
    ended = lint_text("\nMirror `Größe`.\n", "--format", "json", "--gate")
    payload = ended.payload
    assert list(payload) == ["target", "summary", "files", "parallel_race_findings"]
    assert list(payload["summary"].items()) == [("critical", 1), ("major", 0), ("minor", 0), ("total", 1)]
    assert payload["parallel_race_findings"] == []
    (file,) = payload["files"]
    assert list(file) == ["path", "findings"]
    (finding,) = file["findings"]
    assert list(finding) == KEYS
    assert (finding["severity"], finding["target"]) == ("critical", "PLAN.md:2")
    assert finding["raw"] == {"phrase": "Mirror", "tokens": ["größe"]}


def test_the_payload_is_indented_by_two_and_keeps_its_characters() -> None:
    ended = lint_text("Mirror `Größe🙂`.\n", "--format", "json", "--gate")
    assert ended.out == json.dumps(ended.payload, indent=2, ensure_ascii=False) + "\n"
    assert "größe🙂" in ended.out


def test_without_gate_a_finding_has_rule_and_range_too() -> None:
    (finding,) = findings("🙂 ä\tMirror `Foo`.\n")
    assert list(finding) == [*KEYS, "rule", "range"]
    assert finding["rule"] == "unverified-mirror-claim"
    assert finding["range"] == {"start": {"line": 1, "column": 5}, "end": {"line": 1, "column": 11}}


def test_a_range_counts_lines_as_editors_do_and_the_target_as_the_gate_does() -> None:
    (finding,) = findings("a\rb\r\nc\u2028d\x0c\x85\nMirror `Foo`.\n")
    assert finding["range"]["start"] == {"line": 4, "column": 1}
    assert finding["target"] == "PLAN.md:3"


def test_the_target_is_the_path_as_given_and_the_path_relative(folder: Path) -> None:
    write(folder, {"plans/S001-PLAN.md": CLEAN, "here/x": ""})
    given = str(folder / "plans/../plans/S001-PLAN.md")
    payload = run("lint", given, "--format", "json").payload
    assert (payload["target"], payload["files"][0]["path"]) == (given, "plans/S001-PLAN.md")


def test_a_lone_surrogate_cannot_break_the_output() -> None:
    ended = run("lint", "absent-\udcff.md", "--format", "json")
    assert json.loads(ended.err)["error"]["message"].startswith("absent-")
