"""Edits and snippets as values."""

from __future__ import annotations

import pytest

from nubos_lsp.text.edit import Snippet, TabStop, TextEdit, apply_edits, plain, snippet_syntax
from nubos_lsp.text.span import Span


def test_edits_are_all_in_positions_of_the_original() -> None:
    edits = [TextEdit(Span(4, 5), "E"), TextEdit(Span(0, 1), ""), TextEdit(Span(2, 2), "++")]
    assert apply_edits("abcdef", edits) == "b++cdEf"


def test_insertions_at_one_place_keep_their_order() -> None:
    assert apply_edits("ab", [TextEdit(Span(1, 1), "x"), TextEdit(Span(1, 1), "y")]) == "axyb"


def test_overlapping_edits_are_refused() -> None:
    with pytest.raises(ValueError, match="overlap at offset 1"):
        apply_edits("abc", [TextEdit(Span(0, 2), "x"), TextEdit(Span(1, 3), "y")])


def test_a_snippet_is_its_placeholders_in_plain_text() -> None:
    assert plain(Snippet(("a=", TabStop(1, "value"), ";", TabStop(0, "")))) == "a=value;"


def test_snippet_syntax_escapes_what_would_be_syntax() -> None:
    assert snippet_syntax(Snippet(("$a }\\", TabStop(1, "x}$"), TabStop(0, "")))) == r"\$a \}\\${1:x\}\$}$0"
    assert snippet_syntax("plain $x") == r"plain \$x"
