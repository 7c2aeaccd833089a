"""Go to definition: where each thing that a plan names leads, and what leads nowhere."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nubos_lsp.ide.definition import Definition, definition
from nubos_lsp.text.span import Span
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.facts import Facts, FileQuestion, Pending, SourceFile, answered, compute
from nubos_lsp.workspace.snapshot import Snapshot
from tests.marked import CURSOR

ACTION = """<?php

final class ShareSegmentAction
{
    public function handle(User $owner): Share
    {
\t\treturn Share::firstOrCreate();  \r
    }
}
"""

FILES = {
    "app/ShareSegmentAction.php": ACTION,
    "docs/Mein Plan.md": "eins\nzwei\n",
    "Makefile": "all:\n\ttrue",
    "leer.php": "",
    "größe.php": "😀 ä();\n",
    "@types/x.d.ts": "x\n",
}


def _define(text: str, offset: int | None = None) -> Definition | None:
    if offset is None:
        offset = text.index(CURSOR)
        text = text.replace(CURSOR, "")
    document = Document.open("file:///p/S001-PLAN.md", 1, text)

    def run(facts: Facts) -> Definition | None:
        return definition(Snapshot(document, facts=facts), offset)

    def answer(question: FileQuestion) -> SourceFile | None:
        content = FILES.get(question.path)
        return None if content is None else SourceFile(content)

    return answered(compute(run), answer)


def _shown(text: str, offset: int | None = None) -> list[str]:
    """Each destination as `path:line` (from 1) and its line with the shown stretch in brackets."""
    found = _define(text, offset)
    shown = []
    for place in found.targets if found else ():
        line = f"{place.text[: place.start]}[{place.text[place.start : place.end]}]{place.text[place.end :]}"
        shown.append(f"{place.path or ''}:{place.line + 1} {line}")
    return shown


HANDLE = "app/ShareSegmentAction.php:5     public function [handle](User $owner): Share"
WHOLE = "app/ShareSegmentAction.php:5     [public function handle(User $owner): Share]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<pattern_ref symbol="ShareSegmentAction::handle" at="<|>app/ShareSegmentAction.php:5"/>', HANDLE),
        ('<pattern_ref symbol="ShareSegmentAction::handle" at="app/ShareSegmentAction.php:<|>5-8"/>', HANDLE),
        ('<pattern_ref symbol="Other" at="app/ShareSegmentAction.php:5<|>"/>', WHOLE),
        ('<pattern_ref at="app/Share<|>SegmentAction.php:5"/>', WHOLE),
        ('<pattern_ref symbol="Share<|>SegmentAction::handle" at="app/ShareSegmentAction.php:5"/>', HANDLE),
        ('<pattern_ref symbol="<|>ShareSegmentAction::handle" at="app/ShareSegmentAction.php"/>', HANDLE),
        ('<pattern_ref symbol="<|>Missing" at="app/ShareSegmentAction.php"/>', "app/ShareSegmentAction.php:1 [<?php]"),
        ('<pattern_ref at="app/ShareSegmentAction.php<|>"/>', "app/ShareSegmentAction.php:1 [<?php]"),
        ("<pattern_ref at='app/ShareSegmentAction.php:5<|>", WHOLE),
        (
            '<pattern_ref at="app/ShareSegmentAction.php:7<|>"/>',
            "app/ShareSegmentAction.php:7 \t\t[return Share::firstOrCreate();]  ",
        ),
        ('<pattern_ref at="app/ShareSegmentAction.php:2<|>"/>', "app/ShareSegmentAction.php:2 []"),
        ('<pattern_ref at="docs/Mein <|>Plan.md:2"/>', "docs/Mein Plan.md:2 [zwei]"),
        ('<pattern_ref symbol="ä" at="größe.php:1<|>"/>', "größe.php:1 😀 [ä]();"),
        ('<pattern_ref at="leer.php<|>"/>', "leer.php:1 []"),
        ('<assumption verified_by="app/ShareSegmentAction.php:5<|>">x</assumption>', WHOLE),
        ("<files_read>\n<|>- app/ShareSegmentAction.php:5-8 (handle)\n</files_read>", WHOLE),
        ("<files_read>\n- app/ShareSegmentAction.php:5-8 (as in some/<|>other)\n</files_read>", WHOLE),
        ("<files_read>\n- app/ShareSegmentAction.php:5-8 (see Makefile:2<|>)\n</files_read>", "Makefile:2 \t[true]"),
        ("<read_first>\n- Make<|>file\n</read_first>", "Makefile:1 [all:]"),
        (
            "<files_modified>x.php, app/Share<|>SegmentAction.php</files_modified>",
            "app/ShareSegmentAction.php:1 [<?php]",
        ),
        ("---\nfiles_modified:\n  - Make<|>file\n---\n", "Makefile:1 [all:]"),
        ("Read @app/<|>ShareSegmentAction.php:5.", WHOLE),
        ("Read <|>`app/ShareSegmentAction.php:5`.", WHOLE),
        ("<!-- `app/ShareSegmentAction.php:5<|>` -->", WHOLE),
        ("Mirror `app/ShareSegmentAction.php:5<|>`.", WHOLE),
    ],
)
def test_citations_lead_to_their_line(text: str, expected: str) -> None:
    """A citation leads to its line, at the tag's symbol when that stands there, else at what the line begins with."""
    assert _shown(text) == [expected]


@pytest.mark.parametrize(
    "value",
    [
        "missing.php:3",
        "app",
        "app/",
        "/etc/passwd:1",
        "../secret.php:1",
        "app/ShareSegmentAction.php:0",
        "app/ShareSegmentAction.php:10",
        "app/ShareSegmentAction.php:999999999",
        "app/ShareSegmentAction.php:99999999999999999999999999999999999999",
        "app/ShareSegmentAction.php:-1",
        "app/ShareSegmentAction.php:abc",
        "leer.php:1",
        "https://example.org/x.php:1",
        r"app\ShareSegmentAction.php:5",
        "a\0b.php:1",
        "",
        " ",
        ":5",
        ".",
        "..",
        "~/x.php",
        "x" * 5000,
    ],
)
@pytest.mark.parametrize(
    "around",
    [
        '<pattern_ref at="{}"/>',
        '<assumption verified_by="{}"/>',
        "<files_read>\n  - {}\n</files_read>",
        "<read_first>{}</read_first>",
        "<files_modified>{}, {}</files_modified>",
        "See `{}` or @{}.",
        "---\nfiles_modified:\n  - {}\n---\n",
    ],
)
def test_what_leads_nowhere(value: str, around: str) -> None:
    """Missing files, folders, what lies outside, absurd lines and empty values give no answer and no error."""
    text = around.replace("{}", value)
    begin = text.index(value)
    for offset in {begin, begin + len(value) // 2, begin + len(value)}:
        assert _shown(text, offset) == []


PLAN = """<objective>
Mirror `ShareSegmentAction`, and Share<1>SegmentAction again.
Mirror Other::handle<2>.
Mirror `app/ShareSegmentAction.php:5<3>`. Mirror NoSuchThing<4> here. Uses ShareSegmentAction<5> too.
</objective>
<reality_check>
  <commands_run>
    - `php artisan about` → "11.31.0"
    - npm test -- --all: green
    - $ make &amp;&amp; true (ok)
  </commands_run>
  <pattern_refs>
    <pattern_ref symbol="ShareSegmentAction::handle"
                 at="app/ShareSegmentAction.php:5" behavior="idempotent"/>
    <pattern_ref symbol="ShareSegmentAction::rules" at="app/Rules.php:5" behavior="none"/>
    <deviation ref="ShareSegmentAction::handle<6>" from="a" to="b" reason="c"/>
    <deviation ref="app/Rules.php<7>" from="a" to="b" reason="c"/>
    <deviation ref="<8>" from="a" to="b" reason="c"/>
    <deviation ref="Nothing<9>" from="a" to="b" reason="c"/>
  </pattern_refs>
  <assumption verified_by="cmd:php  artisan about<10>">x</assumption>
  <assumption verified_by="cmd:<11>npm test -- --all">x</assumption>
  <assumption verified_by="cmd:<12>make && true">x</assumption>
  <assumption verified_by="cmd:npm<13>">x</assumption>
  <assumption verified_by="cmd:<14>">x</assumption>
</reality_check>
<pattern_ref symbol='NoSuchThing' at='x.php:3'/>
"""

TO_HANDLE = ':13     [<pattern_ref symbol="ShareSegmentAction::handle"]'
TO_RULES = ':15     [<pattern_ref symbol="ShareSegmentAction::rules" at="app/Rules.php:5" behavior="none"/>]'


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1, [TO_HANDLE]),
        (2, [TO_HANDLE]),
        (3, [TO_HANDLE]),
        (4, [":27 [<pattern_ref symbol='NoSuchThing' at='x.php:3'/>]"]),
        (5, []),
        (6, [TO_HANDLE]),
        (7, [TO_RULES]),
        (8, []),
        (9, []),
        (10, [':8     - `[php artisan about]` → "11.31.0"']),
        (11, [":9 [    - npm test -- --all: green]"]),
        (12, [":10 [    - $ make &amp;&amp; true (ok)]"]),
        (13, []),
        (14, []),
    ],
)
def test_places_in_the_plan(number: int, expected: list[str]) -> None:
    """`ref`, the tokens of claims and `cmd:` lead to their place in the same plan, the best matches only."""
    text = PLAN
    for other in range(1, 15):
        if other != number:
            text = text.replace(f"<{other}>", "")
    assert _shown(text.replace(f"<{number}>", CURSOR)) == expected


def test_an_entry_is_found_in_lists_that_are_not_closed_yet() -> None:
    """What stands in backticks is an entry inside of a list only, however the lists nest."""
    lists = "`make all`\n<commands_run>\n<commands_run>\n- `make all` ok\n"
    assumption = f'<assumption verified_by="cmd:make{CURSOR} all"/>\n'
    for closing in ("", "</commands_run>\n", "</commands_run>\n</commands_run>\n"):
        assert _shown(lists + closing + assumption) == [":4 - `[make all]` ok"]


def test_references_that_fit_equally_well_are_all_given() -> None:
    """A class whose two methods are referenced has two places; the client lets the user choose."""
    plan = (
        "Mirror `Share<|>Thing`.\n\n<pattern_refs>\n"
        '<pattern_ref symbol="ShareThing::a" at="x.php:1"/>\n<pattern_ref symbol="ShareThing::b" at="x.php:9"/>\n'
        '<pattern_ref symbol="Other::b" at="y.php:9"/>\n</pattern_refs>\n'
    )
    assert [shown.partition(" ")[0] for shown in _shown(plan)] == [":4", ":5"]


def test_a_covered_token_inside_a_path() -> None:
    """An uncovered path leads to its file, a covered one to its reference."""
    plan = 'Mirror `Make<|>file:2`.\n\n<pattern_refs><pattern_ref symbol="Other" at="x.php:1"/></pattern_refs>'
    assert _shown(plan) == ["Makefile:2 \t[true]"]
    assert _shown(plan.replace("x.php:1", "Makefile:1"))[0].startswith(":3 ")


def test_a_missing_file_of_a_list_does_not_lead_to_its_neighbour() -> None:
    """A file that is still to be created has no definition, whatever stands beside it."""
    for text in ("Makefile, x/<|>new.php", "Makefile (all), x/<|>new.php", "x/<|>new.php (see Makefile)"):
        assert _shown(f"<files_modified>{text}</files_modified>") == []


def test_the_origin_is_what_was_named() -> None:
    """The origin is the stretch of the plan that the client underlines."""
    text = 'é😀 <pattern_ref at="app/ShareSegmentAction.php:5"/>'
    found = _define(text, text.index("Segment"))
    assert found
    assert found.origin == Span(text.index("app/"), text.index(":5") + 2)


def test_an_unknown_file_is_asked_for() -> None:
    """What is not known yet raises Pending with the path as cited, and nothing else is asked."""
    document = Document.open("file:///p/S001-PLAN.md", 1, "@app/X.php")
    with pytest.raises(Pending) as pending:
        definition(Snapshot(document), 4)
    assert pending.value.question == FileQuestion("app/X.php")


PIECES = st.sampled_from(
    [
        *("<pattern_refs>", "</pattern_refs>", "<pattern_ref ", "<deviation ", "<files_read>", "</files_read>", "<!--"),
        *(
            'at="',
            "ref='",
            'symbol="',
            'verified_by="',
            "cmd:",
            "Makefile:2",
            "@leer.php",
            "`",
            '"',
            "'",
            ">",
            "/>",
            "-->",
        ),
        *(
            "mirror ",
            "ShareSegment::x",
            "\n",
            "\r\n",
            " ",
            "- ",
            ",",
            "---\n",
            "files: ",
            "<commands_run>",
            "😀",
            "(",
            ".",
        ),
        *("app/ShareSegmentAction.php", ":99", ":1-", "\ud800", "\0", "```\n"),
    ]
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=25).map("".join))


@given(TEXTS)
@settings(max_examples=300)
def test_no_text_raises(text: str) -> None:
    """At every offset of any text there is an answer or none, its columns inside their line."""
    for offset in range(-1, len(text) + 2):
        found = _define(text, offset)
        if found:
            assert found.targets
            assert found.origin.contains(offset)
            for place in found.targets:
                assert place.line >= 0
                assert 0 <= place.start <= place.end <= len(place.text)


@pytest.mark.parametrize(
    "piece",
    [
        "Mirror FooBar::x. ",
        "@a.php ",
        '<pattern_ref at="',
        "<commands_run>\n",
        "`cmd` ",
        "- a.php, ",
        "/",
        "\n- x",
        '<pattern_ref symbol="a"/>\n',
    ],
)
def test_a_large_plan_answers_in_time(piece: str) -> None:
    """A plan of 300 KB of the same thing answers; what it costs is reading the plan, not looking in it."""
    text = '<assumption verified_by="cmd:x y">\n' + piece * (300_000 // len(piece))
    document = Document.open("file:///p/S001-PLAN.md", 1, text)
    snapshot = Snapshot(document, facts=Facts())
    begun = time.process_time()
    for offset in (30, len(text) // 2, len(text) - 1):
        try:
            definition(snapshot, offset)
        except Pending:
            continue
    assert time.process_time() - begun < 20
