"""The fixes of a `<pattern_ref>` or `<deviation>` that lacks something: before, after, and what has no fix."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from nubos_lsp.text.edit import snippet_syntax
from tests.marked import fixed, offers, read

LINE_ENDS = pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])

SOURCE = """\
-- src/Cart.php --
<?php
class Cart
{
    public function total(): int
    {
    }
}"""


class Case(NamedTuple):
    """What stands in the block before the fix and after it. `title` tells which of several fixes is meant."""

    fix: str
    before: str
    after: str
    title: str = ""


CASES = {
    # quote-attribute
    "single quotes": Case(
        "quote-attribute",
        """<pattern_ref symbol="Cart" at='src/Cart.php:2' behavior="b"/>""",
        """<pattern_ref symbol="Cart" at="src/Cart.php:2" behavior="b"/>""",
    ),
    "no quotes": Case(
        "quote-attribute",
        """<pattern_ref at=src/Cart.php:2 behavior="b"/>""",
        """<pattern_ref at="src/Cart.php:2" behavior="b"/>""",
    ),
    "no quotes, last": Case(
        "quote-attribute",
        """<pattern_ref behavior="b" at=src/Cart.php:2/>""",
        """<pattern_ref behavior="b" at="src/Cart.php:2"/>""",
    ),
    "curly quotes": Case(
        "quote-attribute",
        """<pattern_ref at=“src/Cart.php:2” behavior="b"/>""",
        """<pattern_ref at="src/Cart.php:2" behavior="b"/>""",
    ),
    "German quotes": Case(
        "quote-attribute",
        """<pattern_ref at=„src/Cart.php:2“ behavior="b"/>""",
        """<pattern_ref at="src/Cart.php:2" behavior="b"/>""",
    ),
    "single curly quotes": Case(
        "quote-attribute",
        """<pattern_ref at=‘src/Cart.php:2’ behavior="b"/>""",
        """<pattern_ref at="src/Cart.php:2" behavior="b"/>""",
    ),
    "another case and quotes": Case(
        "quote-attribute",
        """<pattern_ref At='src/Cart.php:2' behavior="b"/>""",
        """<pattern_ref at="src/Cart.php:2" behavior="b"/>""",
    ),
    "spaces around the equals sign": Case(
        "quote-attribute",
        """<pattern_ref at = 'src/Cart.php:2' behavior="b"/>""",
        """<pattern_ref at = "src/Cart.php:2" behavior="b"/>""",
    ),
    "emoji before it": Case(
        "quote-attribute",
        """<pattern_ref symbol="😀" at='src/Cart.php:2' behavior="ü😀"/>""",
        """<pattern_ref symbol="😀" at="src/Cart.php:2" behavior="ü😀"/>""",
    ),
    "the next thing shows": Case(
        "quote-attribute",
        """<pattern_ref at='src/Cart.php' behavior="b"/>""",
        """<pattern_ref at="src/Cart.php" behavior="b"/>""",
    ),
    "a > in single quotes": Case(
        "quote-attribute",
        """<pattern_ref at="src/Cart.php:2" behavior='a -> b'/>""",
        """<pattern_ref at="src/Cart.php:2" behavior="a -> b"/>""",
    ),
    "several words without quotes": Case(
        "quote-attribute",
        """<pattern_ref at="src/Cart.php:2" behavior=adds up, all items/>""",
        """<pattern_ref at="src/Cart.php:2" behavior="adds up, all items"/>""",
    ),
    "several attributes of a deviation": Case(
        "quote-attribute",
        """<deviation ref='Cart' From="a" to=b reason="c"/>""",
        """<deviation ref="Cart" from="a" to="b" reason="c"/>""",
    ),
    "as many as are there": Case(
        "quote-attribute",
        """<deviation ref='Cart' from="a" to='b'/>""",
        """<deviation ref="Cart" from="a" to="b"/>""",
    ),
    # rename-attribute
    "at in another case": Case(
        "rename-attribute",
        """<pattern_ref AT="src/Cart.php:2" behavior="b"/>""",
        """<pattern_ref at="src/Cart.php:2" behavior="b"/>""",
    ),
    "British behaviour": Case(
        "rename-attribute",
        """<pattern_ref at="src/Cart.php:2" behaviour="b"/>""",
        """<pattern_ref at="src/Cart.php:2" behavior="b"/>""",
    ),
    "Behaviour in another case": Case(
        "rename-attribute",
        """<pattern_ref at="src/Cart.php:2" Behaviour="b"/>""",
        """<pattern_ref at="src/Cart.php:2" behavior="b"/>""",
    ),
    "names of a deviation": Case(
        "rename-attribute",
        """<deviation Ref="Cart" from="a" TO="b" reason="c"/>""",
        """<deviation ref="Cart" from="a" to="b" reason="c"/>""",
    ),
    # insert-at
    "the place of the symbol is not known": Case(
        "insert-at",
        """<pattern_ref symbol="Foo" behavior="b"/>""",
        """<pattern_ref symbol="Foo" at="path/to/file:1" behavior="b"/>""",
    ),
    "the place of the symbol": Case(
        "insert-at",
        """<pattern_ref symbol="Cart::total" behavior="b"/>
<assumption verified_by="src/Cart.php:1">x</assumption>""",
        """<pattern_ref symbol="Cart::total" at="src/Cart.php:4" behavior="b"/>
<assumption verified_by="src/Cart.php:1">x</assumption>""",
    ),
    "no symbol": Case(
        "insert-at",
        """<pattern_ref behavior="b" />""",
        """<pattern_ref behavior="b" at="path/to/file:1" />""",
    ),
    "an empty at is filled": Case(
        "insert-at",
        """<pattern_ref symbol="Foo" at="" behavior="b"/>""",
        """<pattern_ref symbol="Foo" at="path/to/file:1" behavior="b"/>""",
    ),
    "the last empty at is filled": Case(
        "insert-at",
        """<pattern_ref at="src/Cart.php:1" at=" " behavior="b"/>""",
        """<pattern_ref at="src/Cart.php:1" at="path/to/file:1" behavior="b"/>""",
    ),
    "on a line of its own": Case(
        "insert-at",
        """  <pattern_ref symbol="Foo"
               behavior="b"/>""",
        """  <pattern_ref symbol="Foo"
               at="path/to/file:1"
               behavior="b"/>""",
    ),
    "with tabs": Case(
        "insert-at",
        """\t<pattern_ref
\t\tsymbol="Foo"
\t\tbehavior="b"
\t/>""",
        """\t<pattern_ref
\t\tsymbol="Foo"
\t\tat="path/to/file:1"
\t\tbehavior="b"
\t/>""",
    ),
    "a dangling quote": Case(
        "insert-at",
        """<pattern_ref symbol="Foo behavior="b"/>""",
        """<pattern_ref symbol="Foo behavior=" at="path/to/file:1" b"/>""",
    ),
    # insert-behavior
    "behavior": Case(
        "insert-behavior",
        """<pattern_ref symbol="Cart" at="src/Cart.php:2"/>""",
        """<pattern_ref symbol="Cart" at="src/Cart.php:2" behavior="TBD: what the code does"/>""",
    ),
    "behavior, not closed by a slash": Case(
        "insert-behavior",
        """<pattern_ref at="src/Cart.php:2" ></pattern_ref>""",
        """<pattern_ref at="src/Cart.php:2" behavior="TBD: what the code does" ></pattern_ref>""",
    ),
    "an empty behavior is filled": Case(
        "insert-behavior",
        """<pattern_ref behavior="" at="src/Cart.php:2"/>""",
        """<pattern_ref behavior="TBD: what the code does" at="src/Cart.php:2"/>""",
    ),
    "behavior on a line of its own": Case(
        "insert-behavior",
        """  <pattern_ref symbol="Cart"
               at="src/Cart.php:2"
  />""",
        """  <pattern_ref symbol="Cart"
               at="src/Cart.php:2"
               behavior="TBD: what the code does"
  />""",
    ),
    # add-line
    "no line, no symbol": Case(
        "add-line",
        """<pattern_ref at="src/Cart.php" behavior="b"/>""",
        """<pattern_ref at="src/Cart.php:1" behavior="b"/>""",
    ),
    "the line of the symbol": Case(
        "add-line",
        """<pattern_ref symbol="Cart::total" at="src/Cart.php" behavior="b"/>""",
        """<pattern_ref symbol="Cart::total" at="src/Cart.php:4" behavior="b"/>""",
    ),
    "a colon is there": Case(
        "add-line",
        """<pattern_ref at=" src/Cart.php: " behavior="b"/>""",
        """<pattern_ref at="src/Cart.php:1" behavior="b"/>""",
    ),
    "a link's line": Case(
        "add-line",
        """<pattern_ref symbol="Cart::total" at="src/Cart.php#L12" behavior="b"/>""",
        """<pattern_ref symbol="Cart::total" at="src/Cart.php:12" behavior="b"/>""",
    ),
    "a link's lines": Case(
        "add-line",
        """<pattern_ref at="src/Cart.php#L12-L20" behavior="b"/>""",
        """<pattern_ref at="src/Cart.php:12-20" behavior="b"/>""",
    ),
    "line and column": Case(
        "add-line",
        """<pattern_ref at="src/Cart.php:12:5" behavior="b"/>""",
        """<pattern_ref at="src/Cart.php:12" behavior="b"/>""",
    ),
    "in words": Case(
        "add-line",
        """<pattern_ref at="src/Cart.php, line 12" behavior="b"/>""",
        """<pattern_ref at="src/Cart.php:12" behavior="b"/>""",
    ),
    "in parentheses": Case(
        "add-line",
        """<pattern_ref at="src/Cart.php (line 12)" behavior="b"/>""",
        """<pattern_ref at="src/Cart.php:12" behavior="b"/>""",
    ),
    "in German": Case(
        "add-line",
        """<pattern_ref at="src/Cart.php (Zeilen 12–20)" behavior="b"/>""",
        """<pattern_ref at="src/Cart.php:12-20" behavior="b"/>""",
    ),
    "in other digits": Case(
        "add-line",
        """<pattern_ref at="src/Cart.php:１２" behavior="b"/>""",
        """<pattern_ref at="src/Cart.php:12" behavior="b"/>""",
    ),
    "the line of the symbol instead of the one written": Case(
        "add-line",
        """<pattern_ref symbol="Cart::total" at="src/Cart.php#L12" behavior="b"/>""",
        """<pattern_ref symbol="Cart::total" at="src/Cart.php:4" behavior="b"/>""",
        ":4",
    ),
    # complete-deviation
    "all of a deviation": Case(
        "complete-deviation",
        """<pattern_ref symbol="Cart" at="src/Cart.php:2" behavior="a
   b"/>
<deviation/>
<pattern_ref symbol="Later" at="src/Later.php:2" behavior="c"/>""",
        """<pattern_ref symbol="Cart" at="src/Cart.php:2" behavior="a
   b"/>
<deviation ref="Cart" from="a b" to="TBD: what the plan does instead" """
        """reason="TBD: the criterion or decision that asks for it"/>
<pattern_ref symbol="Later" at="src/Later.php:2" behavior="c"/>""",
    ),
    "without a reference": Case(
        "complete-deviation",
        """<deviation to="b" reason="c"/>""",
        """<deviation to="b" reason="c" ref="TBD: the symbol of a pattern_ref" from="TBD: what the code does"/>""",
    ),
    "the place stands for a missing symbol": Case(
        "complete-deviation",
        """<pattern_ref at="src/Cart.php:2" behavior="a"/>
<deviation from="x" to="b" reason="c"/>""",
        """<pattern_ref at="src/Cart.php:2" behavior="a"/>
<deviation from="x" to="b" reason="c" ref="src/Cart.php:2"/>""",
    ),
    "what is empty and what is missing": Case(
        "complete-deviation",
        """<deviation ref="Cart" from="" to="b"/>""",
        """<deviation ref="Cart" from="TBD: what the code does" to="b" """
        """reason="TBD: the criterion or decision that asks for it"/>""",
    ),
    "lines of a deviation": Case(
        "complete-deviation",
        """  <deviation ref="Cart"
             from="a"/>""",
        """  <deviation ref="Cart"
             from="a"
             to="TBD: what the plan does instead"
             reason="TBD: the criterion or decision that asks for it"/>""",
    ),
}


def block(content: str) -> str:
    return f"<pattern_refs>\n{content}\n</pattern_refs>\n"


@LINE_ENDS
@pytest.mark.parametrize("name", CASES)
def test_fix(name: str, newline: str) -> None:
    case = CASES[name]
    text = fixed(block(case.before) + SOURCE, case.fix, newline, title=case.title)
    assert text == block(case.after).replace("\n", newline)


def test_a_found_place_is_listed_in_files_read() -> None:
    before = (
        "<reality_check>\n<files_read>\n- src/Cart.php:1\n</files_read>\n<pattern_refs>\n"
        '<pattern_ref symbol="Cart::total" behavior="b"/>\n</pattern_refs>\n</reality_check>\n'
    )
    text = fixed(before + SOURCE, "insert-at")
    assert "- src/Cart.php:1\n- src/Cart.php:4\n</files_read>" in text


def test_a_line_of_one_is_to_confirm() -> None:
    fix = offers(read(block('<pattern_ref at="src/None.php" behavior="b"/>')))[0]
    assert snippet_syntax(fix.edits[0].insert) == "src/None.php:${1:1}"


def test_the_line_that_is_written_comes_first() -> None:
    fixes = offers(read(block('<pattern_ref symbol="Cart" at="src/Cart.php#L9" behavior="b"/>') + SOURCE))
    assert [(fix.title, fix.preferred) for fix in fixes] == [
        ('Write at="src/Cart.php:9"', True),
        ('Write at="src/Cart.php:2"', False),
    ]


def test_only_what_changes_the_writing_is_safe() -> None:
    text = block("<pattern_ref symbol=\"Cart\" at='src/Cart.php' behaviour=\"b\"/>\n<deviation ref='x'/>")
    assert {(fix.id, fix.safe) for fix in offers(read(text))} == {
        ("quote-attribute", True),
        ("rename-attribute", True),
        ("insert-at", False),
        ("insert-behavior", False),
        ("complete-deviation", False),
    }


@pytest.mark.parametrize(
    "tag",
    [
        """<pattern_ref at='a/b.php:1" behavior="b"/>""",
        """<pattern_ref at='say "x"' behavior="b"/>""",
        """<pattern_ref at='a/b.php:1'c behavior="b"/>""",
        """<pattern_ref at=a/b'c behavior="b"/>""",
        """<pattern_ref At="a/b.php:1" at="" behavior="b"/>""",
        """<pattern_ref at='a/b.php:1' at="" behavior="b"/>""",
        """<pattern_ref behavior="b" at="/>""",
        """<pattern_ref symbol="at='a/b.php:1'" behavior="b"/>""",
        """<pattern_ref data-at='a/b.php:1' behavior="b"/>""",
    ],
)
def test_nothing_is_rewritten_where_it_is_not_plain_what_is_meant(tag: str) -> None:
    assert not [fix for fix in offers(read(block(tag))) if fix.safe]


@pytest.mark.parametrize("at", ["my file.php", "a b.php:1", "C:/x.php", "see below", ":12", "a.php:99999999999999999"])
def test_no_line_is_added_to_what_is_no_path(at: str) -> None:
    fixes = offers(read(block(f'<pattern_ref at="{at}" behavior="b"/>')))
    assert not [fix for fix in fixes if fix.id == "add-line"]
