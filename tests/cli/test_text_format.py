"""`lint --format text`: a place that a person finds at a glance, whatever the plan is made of."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

from tests.cli.running import CLAIM, Terminal, lint_text, run, write


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def drawn(text: str, *arguments: str) -> str:
    """The rows with the line and the marks of the first finding."""
    rows = lint_text(text, *arguments).out.splitlines()
    return "\n".join(rows[3:5])


def test_a_finding_is_shown_with_place_message_line_marks_help_and_note() -> None:
    head, message, *excerpt, hint, note, blank, sums = lint_text("\n\nPlease mirror `FooBar`.\n").out.splitlines()
    assert head == "S001-PLAN.md:3:8 critical pattern-claim-unverified (unverified-mirror-claim)"
    assert message.startswith('"mirror" tells the executor to mirror')
    assert excerpt == [
        "  |",
        "3 | Please mirror `FooBar`.",
        "  |        ^^^^^^  ------",
    ]
    assert hint.startswith("  = help: read the code")
    assert note == "  = note: not covered by any <pattern_ref>: 3:16 FooBar"
    assert (blank, sums) == ("", "1 critical in 1 file")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\tMirror `Foo`.\n", "1 |     Mirror `Foo`.\n  |     ^^^^^^  ---"),
        ("ab\tMirror\t`Foo`.\n", "1 | ab  Mirror  `Foo`.\n  |     ^^^^^^   ---"),
        ("日本 mirror `Foo`.\n", "1 | 日本 mirror `Foo`.\n  |      ^^^^^^  ---"),
        ("🙂 mirror `Foo`.\n", "1 | 🙂 mirror `Foo`.\n  |    ^^^^^^  ---"),
        ("👩‍💻 mirror `Foo`.\n", "1 | 👩‍💻 mirror `Foo`.\n  |    ^^^^^^  ---"),
        ("❤️ mirror `Foo`.\n", "1 | ❤️ mirror `Foo`.\n  |    ^^^^^^  ---"),
        ("👍🏽 mirror `Foo`.\n", "1 | 👍🏽 mirror `Foo`.\n  |    ^^^^^^  ---"),
        ("e\u0301 mirror `Foo`.\n", "1 | e\u0301 mirror `Foo`.\n  |   ^^^^^^  ---"),
        ("\x1b[2J mirror `Foo`.\n", "1 | ␛[2J mirror `Foo`.\n  |      ^^^^^^  ---"),
        ("\u202e mirror `Foo`.\n", "1 | \ufffd mirror `Foo`.\n  |   ^^^^^^  ---"),
        ("mirror `日本語abc`.\n", "1 | mirror `日本語abc`.\n  | ^^^^^^  ---------"),
    ],
)
def test_marks_stand_under_their_place(text: str, expected: str) -> None:
    assert drawn(text) == expected


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_line_is_shown_without_its_line_end(newline: str) -> None:
    assert drawn(f"one{newline}Mirror `Foo`.{newline}") == "2 | Mirror `Foo`.\n  | ^^^^^^  ---"


def test_a_span_over_several_lines_is_marked_to_the_end_of_its_first() -> None:
    text = '<pattern_refs>\n <pattern_ref\n  at="a:1"/>\n</pattern_refs>\n'
    assert drawn(text) == "2 |  <pattern_ref\n  |  ^^^^^^^^^^^^…"


def test_the_last_line_needs_no_line_end() -> None:
    assert drawn("Mirror `Foo`") == "1 | Mirror `Foo`\n  | ^^^^^^  ---"


@pytest.mark.parametrize(("before", "behind"), [(0, 500), (500, 0), (500, 500), (30, 30), (5000, 3)])
def test_a_long_line_is_cut_around_its_place(monkeypatch: pytest.MonkeyPatch, before: int, behind: int) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    source, marks = drawn(f"{'x. ' * before}Mirror `Foo`{' y' * behind}.\n").splitlines()
    assert len(source) <= 60
    start = marks.index("^")
    assert source[start : start + 6] == "Mirror"
    assert marks.count("^") == 6
    assert source.startswith("1 | …") == (before > 5)
    assert source.endswith("…") == (behind > 10)


def test_a_cut_line_uses_the_room_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    source, _ = drawn(f"{'x. ' * 40}Mirror `Foo`.\n").splitlines()
    assert source.endswith(" Mirror `Foo`.")
    assert len(source) >= 58


def test_a_wide_line_is_cut_by_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    source, marks = drawn(f"{'漢' * 100} Mirror `Foo`{'字' * 100}.\n").splitlines()
    cells = sum(2 if character in "漢字" else 1 for character in source)
    assert 50 <= cells <= 60
    shown = source[: source.index("Mirror")]
    assert marks.index("^") == sum(2 if character == "漢" else 1 for character in shown)


def test_a_line_of_megabytes_is_shown_in_a_moment() -> None:
    source, marks = drawn(f"{'x. ' * 1_000_000}Mirror `Foo`{' y' * 1_000_000}.\n").splitlines()
    assert len(source) <= 120
    assert source[marks.index("^") :].startswith("Mirror")


def coloured(*arguments: str, terminal: bool) -> bool:
    out = Terminal() if terminal else StringIO()
    ended = run("lint", "--stdin-filename", "S001-PLAN.md", *arguments, stdin=CLAIM.encode(), out=out)
    assert ended.code == 2
    return "\x1b[" in ended.out


@pytest.mark.parametrize(
    ("environment", "arguments", "terminal", "expected"),
    [
        ({}, (), True, True),
        ({}, (), False, False),
        ({"TERM": "dumb"}, (), True, False),
        ({"NO_COLOR": "1"}, (), True, False),
        ({"NO_COLOR": ""}, (), True, True),
        ({"FORCE_COLOR": "1"}, (), False, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, (), True, False),
        ({"NO_COLOR": "1"}, ("--color", "always"), False, True),
        ({"FORCE_COLOR": "1"}, ("--color=never",), True, False),
        ({}, ("--color", "auto"), True, True),
    ],
)
def test_colour_follows_option_environment_and_stream(
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    arguments: tuple[str, ...],
    terminal: bool,
    expected: bool,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert coloured(*arguments, terminal=terminal) is expected


def test_colour_changes_nothing_else() -> None:
    import re

    plain, painted = lint_text(CLAIM), lint_text(CLAIM, "--color", "always")
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted.out) == plain.out


def test_a_path_cannot_drive_the_terminal(tmp_path: Path) -> None:
    write(tmp_path, {"a\x1b[31m.md": CLAIM})
    assert run("lint", "a\x1b[31m.md").out.startswith("a␛[31m.md:1:1 critical")
