"""The fixes of a mirror claim: what is inserted, and where, in plans of every shape."""

from __future__ import annotations

import pytest

from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.text.edit import Snippet, TabStop, snippet_syntax
from tests.marked import findings, fixed, found, offers, read

LINE_ENDS = pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])

SOURCE = """\
-- app/Actions/ShareSegmentAction.php --
<?php

final class ShareSegmentAction
{
    public function handle(): void
    {
    }
}"""

CASES = {
    "no block at all, with tasks": (
        """
<objective>
Mirror `FooBar`.
</objective>
<tasks>
</tasks>
""",
        """
<objective>
Mirror `FooBar`.
</objective>

<reality_check>
  <pattern_refs>
    <pattern_ref symbol="FooBar"
                 at="path/to/file:1"
                 behavior="TBD: what the code does"/>
  </pattern_refs>
</reality_check>

<tasks>
</tasks>
""",
    ),
    "a blank line is there already": (
        """
<objective>Mirror `FooBar`.</objective>

<tasks>
  <task id="M001-S001-T0001">
  </task>
</tasks>
""",
        """
<objective>Mirror `FooBar`.</objective>

<reality_check>
  <pattern_refs>
    <pattern_ref symbol="FooBar"
                 at="path/to/file:1"
                 behavior="TBD: what the code does"/>
  </pattern_refs>
</reality_check>

<tasks>
  <task id="M001-S001-T0001">
  </task>
</tasks>
""",
    ),
    "no tasks: behind objective and context": (
        """
# S001

<objective>
Mirror `FooBar`.
</objective>

<context>
None.
</context>

## More
""",
        """
# S001

<objective>
Mirror `FooBar`.
</objective>

<context>
None.
</context>

<reality_check>
  <pattern_refs>
    <pattern_ref symbol="FooBar"
                 at="path/to/file:1"
                 behavior="TBD: what the code does"/>
  </pattern_refs>
</reality_check>

## More
""",
    ),
    "prose only: at the end": (
        """
Mirror `FooBar`.
""",
        """
Mirror `FooBar`.

<reality_check>
  <pattern_refs>
    <pattern_ref symbol="FooBar"
                 at="path/to/file:1"
                 behavior="TBD: what the code does"/>
  </pattern_refs>
</reality_check>
""",
    ),
    "emoji and umlauts before the claim": (
        """
<objective>😀 größer 😀😀: mirror `FooBar`.</objective>
<reality_check>
  <pattern_refs>
  </pattern_refs>
</reality_check>
""",
        """
<objective>😀 größer 😀😀: mirror `FooBar`.</objective>
<reality_check>
  <pattern_refs>
    <pattern_ref symbol="FooBar"
                 at="path/to/file:1"
                 behavior="TBD: what the code does"/>
  </pattern_refs>
</reality_check>
""",
    ),
    "a reality check without references, before the unknowns": (
        """
Mirror `FooBar`.
<reality_check>
    <files_read>
    </files_read>
    <unknowns>
    </unknowns>
</reality_check>
""",
        """
Mirror `FooBar`.
<reality_check>
    <files_read>
    </files_read>
    <pattern_refs>
        <pattern_ref symbol="FooBar"
                     at="path/to/file:1"
                     behavior="TBD: what the code does"/>
    </pattern_refs>
    <unknowns>
    </unknowns>
</reality_check>
""",
    ),
    "a reality check on one line": (
        """
Mirror `FooBar`.
<reality_check></reality_check>
""",
        """
Mirror `FooBar`.
<reality_check>
  <pattern_refs>
    <pattern_ref symbol="FooBar"
                 at="path/to/file:1"
                 behavior="TBD: what the code does"/>
  </pattern_refs>
</reality_check>
""",
    ),
    "a reality check that is being typed": (
        """
Mirror `FooBar`.

<reality_check>
""",
        """
Mirror `FooBar`.

<reality_check>
  <pattern_refs>
    <pattern_ref symbol="FooBar"
                 at="path/to/file:1"
                 behavior="TBD: what the code does"/>
  </pattern_refs>
""",
    ),
    "tabs": (
        """
Mirror `FooBar`.
<reality_check>
\t<pattern_refs>
\t</pattern_refs>
</reality_check>
""",
        """
Mirror `FooBar`.
<reality_check>
\t<pattern_refs>
\t\t<pattern_ref symbol="FooBar"
\t\t             at="path/to/file:1"
\t\t             behavior="TBD: what the code does"/>
\t</pattern_refs>
</reality_check>
""",
    ),
    "references on one line each": (
        """
Mirror `FooBar`.
<pattern_refs>
   <pattern_ref symbol="BarBaz" at="a.py:1" behavior="b"/>
</pattern_refs>
""",
        """
Mirror `FooBar`.
<pattern_refs>
   <pattern_ref symbol="BarBaz" at="a.py:1" behavior="b"/>
   <pattern_ref symbol="FooBar" at="path/to/file:1" behavior="TBD: what the code does"/>
</pattern_refs>
""",
    ),
    "a block on one line": (
        """
Mirror `FooBar`.
<pattern_refs><pattern_ref symbol="BarBaz" at="a.py:1" behavior="b"/></pattern_refs>
""",
        """
Mirror `FooBar`.
<pattern_refs><pattern_ref symbol="BarBaz" at="a.py:1" behavior="b"/>
  <pattern_ref symbol="FooBar" at="path/to/file:1" behavior="TBD: what the code does"/>
</pattern_refs>
""",
    ),
    "a dangling quote would swallow the end of the block": (
        """
Mirror `FooBar`.
<pattern_refs>
  <pattern_ref symbol="BarBaz at=a.py:1/>
</pattern_refs>
""",
        """
Mirror `FooBar`.
<pattern_refs>
  <pattern_ref symbol="FooBar" at="path/to/file:1" behavior="TBD: what the code does"/>
  <pattern_ref symbol="BarBaz at=a.py:1/>
</pattern_refs>
""",
    ),
    "a comment that hides the end of the block": (
        """
Mirror `FooBar`.
<pattern_refs>
  <!-- todo
</pattern_refs>

-->
""",
        """
Mirror `FooBar`.
<pattern_refs>
  <pattern_ref symbol="FooBar"
               at="path/to/file:1"
               behavior="TBD: what the code does"/>
</pattern_refs>
  <!-- todo
</pattern_refs>

-->
""",
    ),
    "a block that is being typed is completed": (
        """
Mirror `FooBar`.
<reality_check>
  <pattern_refs>
</reality_check>
""",
        """
Mirror `FooBar`.
<reality_check>
  <pattern_refs>
    <pattern_ref symbol="FooBar"
                 at="path/to/file:1"
                 behavior="TBD: what the code does"/>
  </pattern_refs>
</reality_check>
""",
    ),
    "and keeps what it has": (
        """
Mirror `FooBar`.
<reality_check>
  <pattern_refs>
    <pattern_ref symbol="BarBaz" at="a.py:1" behavior="b"/>
</reality_check>
""",
        """
Mirror `FooBar`.
<reality_check>
  <pattern_refs>
    <pattern_ref symbol="BarBaz" at="a.py:1" behavior="b"/>
    <pattern_ref symbol="FooBar" at="path/to/file:1" behavior="TBD: what the code does"/>
  </pattern_refs>
</reality_check>
""",
    ),
    "a start marker in prose would pair with a new end marker": (
        """
# S001

<objective>
Record it in `<pattern_refs>`. Mirror `FooBar`.
</objective>

<reality_check>
</reality_check>
""",
        """
# S001

<pattern_refs>
  <pattern_ref symbol="FooBar"
               at="path/to/file:1"
               behavior="TBD: what the code does"/>
</pattern_refs>

<objective>
Record it in `<pattern_refs>`. Mirror `FooBar`.
</objective>

<reality_check>
</reality_check>
""",
    ),
    "a start marker in a comment of the reality check": (
        """
Mirror `FooBar`.

<reality_check>
  <!-- no <pattern_refs> yet -->
</reality_check>
""",
        """
Mirror `FooBar`.

<reality_check>
  <pattern_refs>
    <pattern_ref symbol="FooBar"
                 at="path/to/file:1"
                 behavior="TBD: what the code does"/>
  </pattern_refs>
  <!-- no <pattern_refs> yet -->
</reality_check>
""",
    ),
    "a start marker in prose, frontmatter and no reality check": (
        """
---
slice: M001-S001
---
Record it in `<pattern_refs>`.
Mirror `FooBar`.
""",
        """
---
slice: M001-S001
---

<reality_check>
  <pattern_refs>
    <pattern_ref symbol="FooBar"
                 at="path/to/file:1"
                 behavior="TBD: what the code does"/>
  </pattern_refs>
</reality_check>

Record it in `<pattern_refs>`.
Mirror `FooBar`.
""",
    ),
    "the symbol's line, and the list of files read": (
        """
Mirror `ShareSegmentAction::handle`.
<reality_check>
  <files_read>
    - app/Actions/ShareSegmentAction.php:1-9 (all of it)
  </files_read>
</reality_check>
"""
        + SOURCE,
        """
Mirror `ShareSegmentAction::handle`.
<reality_check>
  <files_read>
    - app/Actions/ShareSegmentAction.php:1-9 (all of it)
    - app/Actions/ShareSegmentAction.php:5
  </files_read>
  <pattern_refs>
    <pattern_ref symbol="ShareSegmentAction::handle"
                 at="app/Actions/ShareSegmentAction.php:5"
                 behavior="TBD: what the code does"/>
  </pattern_refs>
</reality_check>
""",
    ),
    "a file that is listed already": (
        """
Mirror `ShareSegmentAction`.
<reality_check>
  <files_read>
    - app/Actions/ShareSegmentAction.php:3
  </files_read>
</reality_check>
"""
        + SOURCE,
        """
Mirror `ShareSegmentAction`.
<reality_check>
  <files_read>
    - app/Actions/ShareSegmentAction.php:3
  </files_read>
  <pattern_refs>
    <pattern_ref symbol="ShareSegmentAction"
                 at="app/Actions/ShareSegmentAction.php:3"
                 behavior="TBD: what the code does"/>
  </pattern_refs>
</reality_check>
""",
    ),
    "an empty list on one line": (
        """
Mirror app/Actions/ShareSegmentAction.php here.
<reality_check>
  <files_read></files_read>
</reality_check>
"""
        + SOURCE,
        """
Mirror app/Actions/ShareSegmentAction.php here.
<reality_check>
  <files_read>
    - app/Actions/ShareSegmentAction.php:3
  </files_read>
  <pattern_refs>
    <pattern_ref symbol="ShareSegmentAction"
                 at="app/Actions/ShareSegmentAction.php:3"
                 behavior="TBD: what the code does"/>
  </pattern_refs>
</reality_check>
""",
    ),
    "a method without its class is found in the cited file": (
        """
Mirror `handle()`, see `app/Actions/ShareSegmentAction.php`.
<pattern_refs>
</pattern_refs>
"""
        + SOURCE,
        """
Mirror `handle()`, see `app/Actions/ShareSegmentAction.php`.
<pattern_refs>
  <pattern_ref symbol="handle()"
               at="app/Actions/ShareSegmentAction.php:5"
               behavior="TBD: what the code does"/>
</pattern_refs>
""",
    ),
    "a path that does not exist is taken at its word": (
        """
Mirror src/foo.py here.
""",
        """
Mirror src/foo.py here.

<reality_check>
  <pattern_refs>
    <pattern_ref at="src/foo.py:1"
                 behavior="TBD: what the code does"/>
  </pattern_refs>
</reality_check>
""",
    ),
    "a path with its line": (
        """
Mirror `src/foo.py:12-20`.
""",
        """
Mirror `src/foo.py:12-20`.

<reality_check>
  <pattern_refs>
    <pattern_ref at="src/foo.py:12-20"
                 behavior="TBD: what the code does"/>
  </pattern_refs>
</reality_check>
""",
    ),
}
"""The plan before, with the other files of its project, and after the first `insert-pattern-ref` for its last token."""


@LINE_ENDS
@pytest.mark.parametrize("case", CASES)
def test_insert_pattern_ref(case: str, newline: str) -> None:
    before, after = CASES[case]
    title = "handle" if "`handle()`" in before else ""
    text = fixed(before, "insert-pattern-ref", newline, title=title)
    assert text == after.removeprefix("\n").replace("\n", newline)
    assert not [mark for mark in found(read(text, newline)) if mark.rule == "unverified-mirror-claim"]


def test_a_last_line_without_an_end_gets_one() -> None:
    text = fixed("Mirror `FooBar`.", "insert-pattern-ref")
    assert text.startswith("Mirror `FooBar`.\n\n<reality_check>\n")
    assert text.endswith("</reality_check>\n")


def test_a_byte_order_mark_stays_first() -> None:
    text = fixed("\ufeffSee `<pattern_refs>`. Mirror `FooBar`.\n", "insert-pattern-ref")
    assert text.startswith("\ufeff<reality_check>\n")


def test_what_is_to_type_is_a_tab_stop() -> None:
    fix = offers(read("Mirror `FooBar`.\n"))[0]
    assert snippet_syntax(fix.edits[0].insert) == (
        "\n<reality_check>\n  <pattern_refs>\n"
        '    <pattern_ref symbol="FooBar"\n'
        '                 at="${1:path/to/file:1}"\n'
        '                 behavior="${2:TBD: what the code does}"/>\n'
        "  </pattern_refs>\n</reality_check>\n"
    )


def test_what_is_known_is_none() -> None:
    fix = offers(read("Mirror app/Actions/ShareSegmentAction.php here.\n" + SOURCE))[0]
    assert [edit.insert for edit in fix.edits if isinstance(edit.insert, Snippet)]
    stops = [
        part
        for edit in fix.edits
        if isinstance(edit.insert, Snippet)
        for part in edit.insert.parts
        if isinstance(part, TabStop)
    ]
    assert stops == [TabStop(1, "TBD: what the code does")]


def test_candidates_come_most_specific_first_and_the_first_is_preferred() -> None:
    fixes = offers(read("Mirror `quux` of FooBar in src/a.py, Foo::bar and src/b.py too.\n"))
    assert [(fix.title, fix.preferred) for fix in fixes] == [
        ("Insert <pattern_ref> for Foo::bar", True),
        ("Insert <pattern_ref> for src/a.py", False),
        ("Insert <pattern_ref> for src/b.py", False),
    ]


@pytest.mark.parametrize(
    ("token", "symbol"),
    [
        ('`"FooBar"`', "FooBar"),
        ("`a<b>::foo`", "foo"),
        ("`Foo->bar`", "Foo->bar"),
        ("`Übung`", "Übung"),
        ("`${x}::foo`", "${x}::foo"),
    ],
)
def test_a_symbol_is_written_as_in_the_plan(token: str, symbol: str) -> None:
    assert f' symbol="{symbol}"' in fixed(f"Mirror {token}.\n", "insert-pattern-ref")


@pytest.mark.parametrize("token", ["`a--b`", '`x "y" z`', "`a<b`", "`a\rb`"])
def test_what_no_attribute_can_hold_has_no_fix(token: str) -> None:
    marked = read(f"Mirror {token}.\n")
    assert findings(marked)
    assert not offers(marked)


def test_milestone_plans_have_the_fix_too() -> None:
    assert offers(read("Mirror `FooBar`.\n"), PlanKind.MILESTONE)


COMMENTS = {
    "with its line": (
        "One.\n\n  <!-- Mirror `FooBar`. -->\n\nTwo.\n",
        "One.\n\n\nTwo.\n",
    ),
    "of several lines": (
        "One.\n<!--\nMirror `FooBar`.\n-->\nTwo.\n",
        "One.\nTwo.\n",
    ),
    "within a line": (
        "One <!-- mirror `FooBar` --> two.\n",
        "One  two.\n",
    ),
    "on the last line": (
        "One.\n<!-- mirror `FooBar` -->",
        "One.\n",
    ),
}


@LINE_ENDS
@pytest.mark.parametrize("case", COMMENTS)
def test_remove_comment(case: str, newline: str) -> None:
    before, after = COMMENTS[case]
    assert fixed(before, "remove-comment", newline) == after.replace("\n", newline)


@pytest.mark.parametrize(
    "text",
    [
        "Mirror `FooBar`. <!-- a comment -->\n",
        "<!-- Mirror `FooBar`.\n",
        "`<!--` mirror `FooBar` `-->`\n",
        # The marker in the comment keeps the claim below from being seen.
        "<!-- mirror `FooBar`: <pattern_refs> -->\nMirror `BarBaz`.\n</pattern_refs>\n",
    ],
)
def test_no_comment_is_removed(text: str) -> None:
    assert "remove-comment" not in [fix.id for fix in offers(read(text))]
