"""Every error code: one line that says what to do, an exit code, and never a traceback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from unittest.mock import Mock

import pytest

from nubos_lsp.cli import lint, main
from nubos_lsp.rules.base import Context, Finding, Rule
from nubos_lsp.rules.catalogue import all_rules
from tests.cli.running import CLAIM, CLEAN, lint_text, run, write


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project as current directory."""
    monkeypatch.delenv("NUBOS_DEBUG", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".nubos-pilot/milestones/M001").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "exit_code", "code", "told"),
    [
        ((), 64, "plan-lint-missing-target", "--milestone M001"),
        (("--milestone",), 64, "plan-lint-missing-target", "name what to lint"),
        (("--milestone", "M1"), 64, "plan-lint-invalid-milestone", "at least three digits"),
        (("--milestone", "m001"), 64, "plan-lint-invalid-milestone", '"m001"'),
        (("--milestone", "M٠٠١"), 64, "plan-lint-invalid-milestone", "M001"),
        (("--milestone", "M001-S001"), 64, "plan-lint-invalid-milestone", "M001"),
        (("--milestone", ""), 64, "plan-lint-invalid-milestone", '""'),
        (("--milestone", "M002"), 1, "plan-lint-milestone-not-found", "this project has M001"),
        (("absent.md",), 1, "plan-lint-file-not-found", "absent.md: there is no such file"),
        ((".nubos-pilot",), 1, "plan-lint-file-not-found", "use --milestone"),
        (("",), 1, "plan-lint-file-not-found", "folder"),
        (("a\0b",), 1, "plan-lint-file-not-found", "a␀b"),
        (("x" * 5000,), 1, "plan-lint-file-not-found", "too long"),
        (("--format", "xml", "x"), 64, "wrong-usage", "text or json"),
        (("--format",), 64, "wrong-usage", "--format needs a value"),
        (("--color", "yes", "x"), 64, "wrong-usage", "auto or always or never"),
        (("--gate=1", "x"), 64, "wrong-usage", "--gate takes no value"),
        (("--fromat", "json"), 64, "wrong-usage", 'Did you mean "--format"?'),
        (("-x",), 64, "wrong-usage", "nubos-lsp lint --help"),
    ],
)
def test_each_error_has_its_code_and_says_what_to_do(
    arguments: tuple[str, ...], exit_code: int, code: str, told: str
) -> None:
    ended = run("lint", *arguments)
    assert (ended.code, ended.error[0], ended.out) == (exit_code, code, "")
    assert told in ended.error[1]


def test_a_milestone_needs_a_project(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    ended = run("lint", "--milestone", "M001")
    assert (ended.code, ended.error[0]) == (1, "not-in-project")


@pytest.mark.parametrize("arguments", [("--milestone", "x"), ("--color", "x"), ("absent.md",)])
def test_errors_are_json_for_programs(arguments: tuple[str, ...]) -> None:
    text, envelope = run("lint", *arguments), run("lint", *arguments, "--format", "json")
    assert envelope.code == text.code
    assert json.loads(envelope.err) == {"error": dict(zip(("code", "message"), text.error, strict=True))}
    assert envelope.err.count("\n") == 1


@pytest.mark.parametrize("formats", [("--format=json", "--format", "text"), ("--format", "json", "--format=text")])
def test_the_last_format_counts_for_errors_too(formats: tuple[str, ...]) -> None:
    assert run("lint", *formats, "absent.md").error[0] == "plan-lint-file-not-found"
    assert json.loads(run("lint", *formats, "--format", "json", "absent.md").err)


def test_a_plan_that_was_found_must_lie_in_the_project(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A link out of the project is followed only for a person who names it."""
    outside = tmp_path_factory.mktemp("outside") / "secret.md"
    outside.write_text("Mirror `Secret`.\n", encoding="utf-8")
    linked = folder / ".nubos-pilot/milestones/M001/M001-PLAN.md"
    linked.symlink_to(outside)
    ended = run("lint", "--milestone", "M001")
    assert (ended.code, ended.error[0]) == (1, "plan-lint-file-unreadable")
    assert "outside the project" in ended.error[1]
    assert "Secret" not in ended.out + ended.err
    assert run("lint", str(linked)).code == 2
    linked.unlink()
    write(folder, {"shared/M001-PLAN.md": CLAIM})
    linked.symlink_to(folder / "shared/M001-PLAN.md")
    assert run("lint", "--milestone", "M001").code == 2


@pytest.mark.parametrize("place", ["path", "stdin"])
def test_a_plan_must_be_utf_8(folder: Path, place: str) -> None:
    content = "one\nä\n".encode("latin-1")
    (folder / "S001-PLAN.md").write_bytes(content)
    ended = run("lint", "S001-PLAN.md") if place == "path" else run("lint", "-", stdin=content)
    assert (ended.code, ended.error[0]) == (1, "plan-lint-file-unreadable")
    assert "it is not UTF-8 (line 2)" in ended.error[1]


def test_a_huge_plan_is_refused(folder: Path) -> None:
    with (folder / "S001-PLAN.md").open("wb") as file:
        file.truncate(100_000_000)
    ended = run("lint", "S001-PLAN.md")
    assert (ended.code, ended.error[0]) == (1, "plan-lint-file-unreadable")
    assert "too large for a plan" in ended.error[1]


def test_huge_standard_input_is_refused() -> None:
    assert "larger than 50 MB" in run("lint", "-", stdin=b" " * 50_000_001).error[1]


def test_a_file_name_cannot_break_the_line() -> None:
    ended = run("lint", "a\nb\x1b[31m.md")
    assert ended.error[1] == "a b␛[31m.md: there is no such file"


@pytest.mark.parametrize(
    ("config", "code"),
    [
        ('{"plan_lint": {"verify_allow_commands": "make"}}', "plan-lint-invalid-allow-list"),
        ('{"plan_lint": {"verify_allow_commands": ["."]}}', "plan-lint-invalid-allow-list"),
        ('{"plan_lint": {"verify_allow_commands": [" bash "]}}', "plan-lint-allow-command-not-overridable"),
    ],
)
@pytest.mark.parametrize("arguments", [("S001-PLAN.md",), ("--milestone", "M001")])
def test_a_wrong_allow_list_is_an_error_of_the_project(
    folder: Path, config: str, code: str, arguments: tuple[str, ...]
) -> None:
    write(folder, {".nubos-pilot/config.json": config, "S001-PLAN.md": CLAIM})
    ended = run("lint", *arguments)
    assert (ended.code, ended.error[0], ended.out) == (1, code, "")
    assert ended.error[1].startswith(".nubos-pilot/config.json: plan_lint.verify_allow_commands")


def test_the_target_is_checked_before_the_configuration(folder: Path) -> None:
    write(folder, {".nubos-pilot/config.json": '{"plan_lint": {"verify_allow_commands": 1}}'})
    assert run("lint", "absent.md").error[0] == "plan-lint-file-not-found"
    assert run("lint", "--milestone", "M002").error[0] == "plan-lint-milestone-not-found"


def test_a_wrong_configuration_is_told_once(folder: Path) -> None:
    write(folder, {".nubos-pilot/config.json": '{"plan_lint": {"verify_allow_commands": 1}}', "a": "", "b": ""})
    assert run("lint", "a", "b").error[0] == "plan-lint-invalid-allow-list"


@pytest.mark.parametrize("config", ["", "{", "[]", '"x"', '{"plan_lint": 1}', "[" * 100_000, '{"a": NaN}'])
def test_a_configuration_without_sense_is_a_warning(folder: Path, config: str) -> None:
    write(folder, {".nubos-pilot/config.json": config, "S001-PLAN.md": CLEAN})
    ended = run("lint", "S001-PLAN.md")
    assert ended.code == 0
    assert ended.error[0] == "warning"
    assert ended.error[1].startswith("config-ignored: .nubos-pilot/config.json: it")


def test_a_folder_as_configuration_is_a_warning(folder: Path) -> None:
    write(folder, {".nubos-pilot/config.json/x": "", "S001-PLAN.md": CLEAN})
    ended = run("lint", "S001-PLAN.md", "--format", "json")
    assert (ended.code, json.loads(ended.err)["warning"]["code"]) == (0, "config-ignored")


@pytest.mark.parametrize(
    "config", ["null", "{}", '{"plan_lint": null}', '{"plan_lint": {"verify_allow_commands": ["a"]}}']
)
def test_a_configuration_that_allows_little_is_silent(folder: Path, config: str) -> None:
    write(folder, {".nubos-pilot/config.json": config, "S001-PLAN.md": CLEAN})
    assert run("lint", "S001-PLAN.md").err == ""


def failing(context: Context) -> Iterator[Finding]:
    raise ZeroDivisionError(context.rule.name)


@pytest.fixture
def broken_rule(monkeypatch: pytest.MonkeyPatch) -> str:
    """One rule fails on every plan."""
    first, *others = all_rules()
    broken = Rule(first.name, first.meta, first.page, failing, fixes=(), valid=(), invalid=())
    monkeypatch.setattr(lint, "all_rules", lambda: (broken, *others))
    return first.name


def test_an_internal_error_costs_only_the_findings_of_its_rule(broken_rule: str) -> None:
    ended = lint_text(CLAIM)
    assert (ended.code, ended.last_line) == (1, "1 critical in 1 file")
    assert ended.error[0] == "internal-error"
    assert f"internal error in rule {broken_rule} on S001-PLAN.md" in ended.err
    assert "please report it" in ended.err


@pytest.mark.usefixtures("broken_rule")
def test_a_traceback_is_shown_to_those_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "ZeroDivisionError: " in lint_text(CLAIM, "--debug").err
    monkeypatch.setenv("NUBOS_DEBUG", "1")
    assert "Traceback" in lint_text(CLAIM).err


def raising(error: BaseException) -> Mock:
    command = Mock(spec=main.load("lint"))
    command.options, command.name = (), "lint"
    command.run.side_effect = error
    return Mock(return_value=command)


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(), 141, ""),
        (PermissionError(13, "Permission denied", "/x"), 1, "system-error: Permission denied: /x\n"),
        (ValueError("secret"), 1, "internal-error: internal error in nubos-lsp (ValueError), please report it\n"),
        (RecursionError(), 1, "internal-error: internal error in nubos-lsp (RecursionError), please report it\n"),
    ],
)
def test_every_way_to_end_is_quiet_or_a_line(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, told: str
) -> None:
    monkeypatch.setattr(main, "load", raising(error))
    ended = run("lint")
    assert (ended.code, ended.out, ended.err) == (code, "", told)


class Gone(StringIO):
    """A stream that nobody reads."""

    def write(self, text: str) -> int:  # noqa: ARG002
        raise BrokenPipeError


def test_errors_that_nobody_can_read_are_no_errors() -> None:
    assert main.main(["lint"], stdout=StringIO(), stderr=Gone()) == 64
