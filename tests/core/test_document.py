"""Documents: positions, edits, and the lines of the gate."""

from __future__ import annotations

import pytest

from nubos_lsp.text.encoding import PositionEncoding
from nubos_lsp.text.span import Span
from nubos_lsp.workspace.document import Document

UTF16 = PositionEncoding.UTF16


def document(text: str) -> Document:
    return Document.open("file:///S001-PLAN.md", 1, text)


@pytest.mark.parametrize(
    ("line", "character", "offset"),
    [(0, 0, 0), (0, 1, 1), (0, 9, 2), (1, 0, 4), (1, 99, 5), (2, 0, 6), (3, 0, 6), (99, 5, 6), (-1, 3, 0), (0, -4, 0)],
)
def test_a_position_outside_means_the_nearest_place(line: int, character: int, offset: int) -> None:
    assert document("ab\r\nc\n").offset(line, character, UTF16) == offset


def test_positions_count_every_kind_of_line_end() -> None:
    text = "a\rb\r\nc\nd\u2028e\x85f"
    assert [document(text).position(offset, UTF16) for offset in (0, 2, 5, 7, len(text))] == [
        (0, 0),
        (1, 0),
        (2, 0),
        (3, 0),
        (3, 5),
    ]
    assert document(text).line_count == 4


def test_the_gate_counts_line_feeds_only() -> None:
    assert document("a\rb\r\nc").line_number(6) == 2


def test_an_empty_document_has_one_line() -> None:
    empty = document("")
    assert (empty.line_count, empty.offset(0, 0, UTF16), empty.position(0, UTF16)) == (1, 0, (0, 0))
    assert empty.edit(2, 0, 0, "x").text == "x"


def test_the_last_line_without_a_line_end_can_be_appended_to() -> None:
    plan = document("a\nb")
    end = plan.offset(1, 1, UTF16)
    assert plan.edit(2, end, end, "c").text == "a\nbc"


def test_line_spans_leave_the_line_end_out() -> None:
    plan = document("ab\r\n\nc")
    assert [plan.line_span(line) for line in range(4)] == [Span(0, 2), Span(4, 4), Span(5, 6), Span(6, 6)]


def test_an_edit_leaves_the_former_document_as_it_was() -> None:
    before = document("one. \ntwo")
    after = before.edit(2, 0, 3, "1")
    assert (before.text, before.version, after.text, after.version) == ("one. \ntwo", 1, "1. \ntwo", 2)


def test_columns_behind_an_emoji_count_two_units() -> None:
    plan = document("😀 x")
    assert plan.position(2, UTF16) == (0, 3)
    assert plan.offset(0, 3, UTF16) == 2
