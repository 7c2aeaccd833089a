"""Line ends: LF, CRLF and CR end a line, nothing else does."""

from __future__ import annotations

import pytest

from nubos_lsp.text.lines import content_end, dominant_newline, line_starts


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("", (0,)),
        ("a", (0,)),
        ("a\n", (0, 2)),
        ("a\r\nb", (0, 3)),
        ("a\rb\nc\r\n", (0, 2, 4, 7)),
        ("\n\r", (0, 1, 2)),
        ("a\u2028b\u2029c\x85d\x0be\x0cf", (0,)),
    ],
)
def test_a_line_begins_behind_each_line_end_and_nowhere_else(text: str, starts: tuple[int, ...]) -> None:
    assert line_starts(text) == starts


@pytest.mark.parametrize(("line", "end"), [("ab\n", 2), ("ab\r\n", 2), ("ab\r", 2), ("ab", 2), ("\n", 0), ("", 0)])
def test_the_content_of_a_line_ends_before_its_line_end(line: str, end: int) -> None:
    assert content_end(line, 0, len(line)) == end


@pytest.mark.parametrize(
    ("text", "newline"), [("", "\n"), ("a\n", "\n"), ("a\r\nb\r\nc\n", "\r\n"), ("a\r\nb\n", "\n")]
)
def test_the_dominant_line_end_is_the_more_frequent_one(text: str, newline: str) -> None:
    assert dominant_newline(text) == newline
