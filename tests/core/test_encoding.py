"""Columns are counted in the client's units, and a column inside a character means its start."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nubos_lsp.text.encoding import Columns, PositionEncoding

UTF8, UTF16, UTF32 = PositionEncoding.UTF8, PositionEncoding.UTF16, PositionEncoding.UTF32


@pytest.mark.parametrize(
    ("encoding", "text", "units"),
    [
        (UTF8, "aä€😀", 1 + 2 + 3 + 4),
        (UTF16, "aä€😀", 5),
        (UTF32, "aä€😀", 4),
        (UTF8, "\ud800", 3),
        (UTF16, "\ud800", 1),
    ],
)
def test_length_in_units(encoding: PositionEncoding, text: str, units: int) -> None:
    assert encoding.units(text) == units


@pytest.mark.parametrize(
    ("encoding", "units", "index"),
    [
        (UTF16, 2, 1),
        (UTF16, 3, 1),
        (UTF16, 4, 2),
        (UTF16, 99, 3),
        (UTF16, -1, 0),
        (UTF8, 3, 0),
        (UTF8, 4, 1),
        (UTF8, 8, 2),
        (UTF8, 9, 3),
        (UTF32, 2, 2),
    ],
)
def test_a_column_inside_a_character_means_its_start(encoding: PositionEncoding, units: int, index: int) -> None:
    assert encoding.index("😀😀a", units) == index


@given(st.text(), st.sampled_from(PositionEncoding), st.data())
def test_index_undoes_units(text: str, encoding: PositionEncoding, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(text)))
    assert encoding.index(text, encoding.units(text[:index])) == index


@given(st.text(alphabet="aä€😀"), st.sampled_from(PositionEncoding), st.data())
def test_columns_of_a_long_text_are_those_of_a_short_one(
    text: str, encoding: PositionEncoding, data: st.DataObject
) -> None:
    long = "x😀" * 3000 + text + "ä" * 5000
    start = data.draw(st.integers(0, len(long)))
    end = data.draw(st.integers(start, len(long)))
    columns = Columns(long, encoding)
    assert columns.units(start, end) == encoding.units(long[start:end])
    units = data.draw(st.integers(-1, encoding.units(long) + 2))
    assert columns.index(start, end, units) == start + encoding.index(long[start:end], units)
