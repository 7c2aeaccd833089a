"""What the cursor stands on: one test plan per kind of place, the cursor moved over all of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nubos_lsp.ide.target import (
    CitationTarget,
    CommandTarget,
    RefNameTarget,
    SymbolTarget,
    Target,
    TokenTarget,
    target_at,
    targets_at,
)
from nubos_lsp.workspace.document import Document

BEGIN, END = "«", "»"


def _marked(text: str) -> tuple[Document, int, int]:
    """The document, and the first and last offset between the marks."""
    start = text.index(BEGIN)
    end = text.index(END) - 1
    plain = text.replace(BEGIN, "").replace(END, "")
    return Document.open("file:///p/S001-PLAN.md", 1, plain), start, end


def _say(target: Target | None) -> str:
    if isinstance(target, CitationTarget):
        citation = target.citation
        said = citation.path + (f":{citation.first}" if citation.first is not None else "")
        return f"file {said}" + (f" {target.symbol}" if target.symbol else "")
    if isinstance(target, SymbolTarget):
        return f"symbol {target.symbol} {target.citation.path if target.citation else None}"
    if isinstance(target, RefNameTarget):
        return f"ref {target.name}"
    if isinstance(target, TokenTarget):
        return f"token {target.token}"
    return f"command {target.command}" if target else "nothing"


EVERYWHERE = [
    ('<pattern_ref symbol="X::y" at="«app/X.php:34-40»" behavior="b"/>', "file app/X.php:34 X::y"),
    ('<pattern_ref at="« app/X.php:34 »"/>', "file app/X.php:34"),
    ('<pattern_ref at="«docs/Mein Plan.md:3»"/>', "file docs/Mein Plan.md:3"),
    ('<pattern_ref at="«app/X.php»"/>', "file app/X.php"),
    ('<pattern_ref at="«app/X.php:»"/>', "file app/X.php"),
    ('<pattern_ref at="«app/X.php:99999999999»"/>', "file app/X.php:1000000000"),
    ("<pattern_ref at='«app/X.php:34»'", "file app/X.php:34"),
    ('<pattern_ref at="«app/X.php:34»', "file app/X.php:34"),
    ('<pattern_ref at="«app/X.php:34»\n\nMore text "quoted".', "file app/X.php:34"),
    ("<pattern_ref at=«app/X.php:34» behavior=b>", "file app/X.php:34"),
    ('<PATTERN_REF at="«app/X.php:34»">', "file app/X.php:34"),
    ('<pattern_ref\r\n  symbol="é😀"\r\n  at="«app/X.php:34»"/>', "file app/X.php:34 é😀"),
    ('<pattern_ref at="1.php:1" at="«app/X.php:34»"/>', "file app/X.php:34"),
    ('<pattern_ref symbol="«X::y»" at="app/X.php:34"/>', "symbol X::y app/X.php"),
    ('<pattern_ref symbol="«X::y»"/>', "symbol X::y None"),
    ('<pattern_ref at="app/X.php:3" symbol="«X»', "symbol X app/X.php"),
    ('<deviation ref="«X::y»" from="a"', "ref X::y"),
    ("<deviation ref='«X::y»'/>", "ref X::y"),
    ('<assumption verified_by="«composer.lock:1245»">x</assumption>', "file composer.lock:1245"),
    ('<assumption verified_by="«cmd:php artisan about, -v»">x</assumption>', "command php artisan about, -v"),
    ('<assumption verified_by="composer.lock:1,« cmd:php»">', "command php"),
    ('<assumption verified_by="«composer.lock:1», cmd:php">', "file composer.lock:1"),
    ('<assumption verified_by="composer.lock:1, «composer.json»">', "file composer.json"),
    ("<files_read>\n  «- app/X.php:18-25 (HasRoles is mixed in)»\n</files_read>", "file app/X.php:18"),
    ("<files_read>\n  «- Makefile»\n</files_read>", "file Makefile"),
    ("<files_read>\n- composer.lock:1245 (the «laravel/framework» version)\n</files_read>", "file laravel/framework"),
    ("<files_read>\n- a.php:1\n«- b.php:2»", "file b.php:2"),
    ("<read_first>«- app/X.php»</read_first>", "file app/X.php"),
    ("<files_modified>«a.php», b.php</files_modified>", "file a.php"),
    ("<files_modified>a.php, «b.php»</files_modified>", "file b.php"),
    ("<files>«Makefile»</files>", "file Makefile"),
    ("---\nfiles_modified:\n  - a.php\n  «- Makefile»\n---\n", "file Makefile"),
    ("---\nfiles_modified:\n- a.php\n\n# more\n- «b.php»\nowner: x\n---\n", "file b.php"),
    ("---\nread_first: [«Makefile», b.php]\n---\n", "file Makefile"),
    ("---\nread_first: [Makefile, «b.php»]\n---\n", "file b.php"),
    ("---\nread_first: «Makefile»\n---\n", "file Makefile"),
    ("Read «@app/X.php» first.", "file app/X.php"),
    ("<context>\n«@README.md»\n</context>", "file README.md"),
    ("See «`app/X.php:18`».", "file app/X.php:18"),
    ("See `the file «app/X.php:18-20» there`.", "file app/X.php:18"),
    ("See («app/X.php»).", "file app/X.php"),
    ("See [it](«app/X.php:3»).", "file app/X.php:3"),
    ("<automated>vendor/bin/phpunit --filter X «tests/XTest.php»</automated>", "file tests/XTest.php"),
    ("<!-- as `«app/X.php:18»` does -->", "file app/X.php:18"),
    ('<!-- <pattern_ref at="«app/X.php:18»"/> -->', "file app/X.php:18"),
    ("```php\n// «app/X.php:18»\n```\n", "file app/X.php:18"),
    ('`<pattern_ref at="«app/X.php:18»"/>`', "file app/X.php:18"),
    ('<pattern_ref behavior="as in «app/X.php:18»"/>', "file app/X.php:18"),
    ("Mirror `«ShareSegmentAction»`.", "token sharesegmentaction"),
    (
        "Mirror «ShareSegmentAction::handle» fully, for «ShareSegmentAction::handle».",
        "token sharesegmentaction::handle",
    ),
    ("Mirror Foo::bar, I say «Foo::bar».", "token foo::bar"),
    ("Mirror the class in `«app/Models/UserModel.php»`.", "token app/models/usermodel.php"),
    ("analog zu `«CsvExporter.export»`", "token csvexporter.export"),
]


@pytest.mark.parametrize(("text", "expected"), EVERYWHERE)
def test_every_cursor_in_it_means_it(text: str, expected: str) -> None:
    """The whole stretch between the marks, both ends included, means one thing."""
    document, start, end = _marked(text)
    assert {_say(target_at(document, offset)) for offset in range(start, end + 1)} == {expected}


@pytest.mark.parametrize(
    "text",
    [
        "«Prose without any path, and/or so.»".replace("and/or", "and or"),
        "«<objective>»",
        '<pattern_ref «symbol»="X" at="a.php:1"/>',
        '<pattern_ref at="«»"/>',
        '<pattern_ref at="«  »"/>',
        '<pattern_ref at="«https://example.org/x.php:3»"/>',
        '<pattern_ref at="«app/X.php:abc»"/>',
        "<files_read>\n«\n»</files_read>",
        "<files_read>\n- «https://example.org/x.php»\n</files_read>",
        "See «https://example.org/x.php:3» or «11.31.0».",
        "Uses `«ShareSegmentAction»` without a phrase.",
        "---\ntitle: «Makefile»\n---\n",
        "«»",
    ],
)
def test_what_means_nothing(text: str) -> None:
    """Prose, names of attributes, empty values and URLs mean nothing."""
    document, start, end = _marked(text)
    assert {_say(target_at(document, offset)) for offset in range(start, end + 1)} == {"nothing"}


def test_offsets_outside_the_document() -> None:
    """An offset before or behind the text means nothing."""
    document = Document.open("file:///p/S001-PLAN.md", 1, "@a.php")
    assert target_at(document, -1) is None
    assert target_at(document, 99) is None
    assert target_at(document, 6) is not None


def test_a_place_with_several_meanings() -> None:
    """A path in a claim is a token first, then a file; of overlapping tokens the longer comes first."""
    document = Document.open("file:///p/S001-PLAN.md", 1, "Mirror `app/ShareSegment.php:3`.")
    said = [_say(target) for target in targets_at(document, 15)]
    assert said[0] == "token app/sharesegment.php:3"
    assert said[1:-1] == ["token app/sharesegment.php", "token sharesegment"]
    assert said[-1] == "file app/ShareSegment.php:3"


def test_a_path_cut_by_the_bound_is_not_taken() -> None:
    """In a very long line only what stands whole near the cursor counts."""
    text = "x" * 4000 + "/app/X.php " + "y " * 4000 + "@app/Y.php " + "z" * 9000
    document = Document.open("file:///p/S001-PLAN.md", 1, text)
    assert target_at(document, 4008) is None
    assert _say(target_at(document, text.index("@app"))) == "file app/Y.php"


PIECES = st.sampled_from(
    [
        *("<pattern_refs>", "</pattern_refs>", "<pattern_ref ", "<deviation ", "<files_read>", "</files_read>", "<!--"),
        *('at="', "ref='", 'symbol="', 'verified_by="', "cmd:", "a/X.php:3", "@b.md", "`", '"', "'", ">", "/>", "-->"),
        *(
            "mirror ",
            "FooBar::x",
            "\n",
            "\r\n",
            " ",
            "- ",
            ",",
            "---\n",
            "files_modified: ",
            "[",
            "]",
            "```\n",
            "😀",
            "(",
            ".",
        ),
    ]
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=30).map("".join))


@given(TEXTS)
@settings(max_examples=300)
def test_spans_hold_the_cursor(text: str) -> None:
    """Whatever the text, every meaning of every place holds that place and lies in the text."""
    document = Document.open("file:///p/S001-PLAN.md", 1, text)
    for offset in range(-1, len(text) + 2):
        for target in targets_at(document, offset):
            assert target.span.contains(offset)
            assert 0 <= target.span.start <= target.span.end <= len(text)
            if isinstance(target, CommandTarget):
                assert target.command in text
