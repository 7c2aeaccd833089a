"""The YAML at the head of a plan."""

from __future__ import annotations

import subprocess
import sys

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from nubos_lsp.syntax import yaml_values
from nubos_lsp.syntax.frontmatter import Frontmatter, decided_until, frontmatter_span, read_frontmatter
from nubos_lsp.syntax.plain_yaml import is_plain

PLAIN = """\
# of the planner
slice: M001-S011
milestone: M001
type: execute
wave: 11
title: Share dashboards, and more (again)   # later
requirements: [REQ-SHARE-2, "REQ 3", 4]
depends_on: []
owner:
files_modified:
  - app/Actions/ShareDashboardAction.php
  # and its test
  - tests/Feature/ShareDashboardTest.php:12

truths:
- 3 endpoints answer
- 'quoted: yes'
"""


def read(body: str, newline: str = "\n") -> Frontmatter:
    """The frontmatter with this body, in a plan."""
    frontmatter = read_frontmatter(f"---\n{body}---\n\n<tasks>\n---\n".replace("\n", newline))
    assert frontmatter
    return frontmatter


def told(body: str, newline: str = "\n") -> list[tuple[str, str]]:
    """The text and the message of each problem."""
    text = f"---\n{body}---\n\n<tasks>\n".replace("\n", newline)
    frontmatter = read_frontmatter(text)
    assert frontmatter
    return [(problem.span.of(text), problem.message) for problem in frontmatter.problems]


@pytest.fixture(params=["CSafeLoader", "SafeLoader"])
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both parsers of PyYAML; the one in C is not everywhere."""
    monkeypatch.setattr(yaml_values, "_Loader", getattr(yaml, request.param))


def test_the_frontmatter_stands_between_two_lines_of_dashes() -> None:
    text = "---\nslice: S001\n--- \nbody\n---\n"
    frontmatter = read_frontmatter(text)
    assert frontmatter
    assert frontmatter.span.of(text) == "---\nslice: S001\n---"
    assert frontmatter.body.of(text) == "slice: S001\n"
    assert (frontmatter.values, frontmatter.problems) == ({"slice": "S001"}, ())


@pytest.mark.parametrize("lead", ["\ufeff", "\n\n", "<!-- made by hand -->\n", "\ufeff<!-- a\nb -->\r\n\r\n"])
def test_a_bom_a_comment_and_blank_lines_may_stand_before_it(lead: str) -> None:
    frontmatter = read_frontmatter(f"{lead}---\na: b\n---\n")
    assert frontmatter
    assert frontmatter.values == {"a": "b"}


@pytest.mark.parametrize(
    "text",
    ["", "---x\n", "----\n---\n", " ---\na: b\n---\n", "x\n---\n---\n", "<!-- ---\n", "<!-- x --> ---\n---\n", "--"],
)
def test_other_texts_have_none(text: str) -> None:
    assert read_frontmatter(text) is None
    assert frontmatter_span(text) is None


@pytest.mark.parametrize("text", ["---\na: b\n", "---", "---\na: b\n\n<tasks>\n---\n</tasks>", "---\n"])
def test_one_that_is_never_closed_is_a_problem_at_its_first_line(text: str) -> None:
    frontmatter = read_frontmatter(text)
    assert frontmatter
    assert [(problem.span.of(text), problem.message) for problem in frontmatter.problems] == [
        ("---", "the frontmatter is never closed; end it with a line `---`")
    ]
    assert frontmatter.values == {}
    assert frontmatter_span(text) is None


def test_an_empty_one_is_fine() -> None:
    for body in ("", "\n", "# nothing yet\n"):
        assert (read(body).problems, read(body).values) == ((), {})


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_plain_values_are_told_valid_without_pyyaml(newline: str) -> None:
    assert is_plain(PLAIN.replace("\n", newline))
    assert read(PLAIN, newline).values == {
        "slice": "M001-S011",
        "milestone": "M001",
        "type": "execute",
        "wave": 11,
        "title": "Share dashboards, and more (again)",
        "requirements": ["REQ-SHARE-2", "REQ 3", 4],
        "depends_on": [],
        "owner": None,
        "files_modified": ["app/Actions/ShareDashboardAction.php", "tests/Feature/ShareDashboardTest.php:12"],
        "truths": ["3 endpoints answer", "quoted: yes"],
    }


def test_pyyaml_is_not_imported_for_a_plain_one() -> None:
    program = (
        "import sys; from nubos_lsp.syntax.frontmatter import read_frontmatter;"
        "assert read_frontmatter('---\\nslice: S001\\nrequirements: [A, B]\\n---\\n').problems == ();"
        "sys.exit('yaml' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("body", "span", "message"),
    [
        (
            'k:\n  - pattern: "load\\|save"\n',
            '\\|save"',
            r"`\|` means nothing in double quotes; use single quotes or double the backslash",
        ),
        ('ü: 😀\nk:\n  - "npm test" runs\n', "runs", "text follows a quoted value; put all of it in quotes"),
        ('a: "x" y\n', "y", "text follows a quoted value; put all of it in quotes"),
        ("a: b\nr: [REQ-1\n", "[REQ-1", "the list that begins here is not closed"),
        ("a: {b: c\n", "{b: c", "the mapping that begins here is not closed"),
        ('a: ["x" y]\n', "y]", "`,` or `]` is missing"),
        ('a: "x\nb: 1\n', '"x', "the quoted value that begins here is not closed"),
        ("a: b: c\n", ": c", "a key cannot stand here; a value that holds a colon and a space needs quotes"),
        ("a: - b\n", "- b", "a list item cannot stand here; give it a line of its own below the key"),
        ("a:\n\t- b\n", "\t- b", "a tab cannot indent; use spaces"),
        ("a: @b\n", "@b", "a value cannot begin with `@`; put it in quotes"),
        ("a: b\nccc\nd: e\n", "ccc", "there is no colon behind this key"),
        ("a: b\n- c\n", "- c", "this does not belong to the key or the list above; mind its indent"),
        ("a: \x07b\n", "\x07", "the character U+0007 is not allowed"),
        ("a: \ud800b\n", "\ud800", "the character U+D800 is not allowed"),
    ],
)
def test_invalid_yaml_is_told_in_one_sentence_where_it_is(body: str, span: str, message: str, newline: str) -> None:
    assert told(body, newline) == [(span, f"invalid YAML: {message}")]
    assert read(body).values == {}


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    ("body", "span", "message"),
    [
        ("a: 1\nb:\n  c: 1\n  c: 2\na: 3\n", ["c", "a"], ["the key `c` is given twice", "the key `a` is given twice"]),
        ("- a\n", ["- a"], ["the frontmatter must be keys with values, such as `slice: S001`"]),
        ("just text\n", ["just text"], ["the frontmatter must be keys with values, such as `slice: S001`"]),
        ("a: *b\n", ["*b"], ["the alias `*b` has no anchor `&b` before it"]),
        ("a: &b [*b]\n", ["*b"], ["the alias `*b` has no anchor `&b` before it"]),
        ("a: !!python/name:os.system x\n", None, ["the tag `tag:yaml.org,2002:python/name:os.system` is not allowed"]),
        ("? [a]\n: b\n", None, ["a key must be plain text"]),
        ("a: 1\n...\n--- \nb: 1\n", None, ["the frontmatter must be one YAML document"]),
    ],
)
def test_valid_yaml_that_is_no_frontmatter(body: str, span: list[str] | None, message: list[str]) -> None:
    found = told(body.replace("--- \n", "---  # next\n"))
    assert [message for _, message in found] == message
    assert span is None or [text for text, _ in found] == span


@pytest.mark.usefixtures("loader")
def test_values_are_what_was_written() -> None:
    body = (
        "date: 2026-01-31\nbad: 2026-99-99\noct: 010\nbin: 0b_\nn: -3\nx: 1.5\nyes: on\nq: '1'\ntime: 12:30\nbig: "
        + "9" * 5000
    )
    values = read(body + "\n").values
    assert dict(values, big=0) == {
        "date": "2026-01-31",
        "bad": "2026-99-99",
        "oct": "010",
        "bin": "0b_",
        "n": -3,
        "x": 1.5,
        "yes": True,
        "q": "1",
        "time": "12:30",
        "big": 0,
    }


@pytest.mark.usefixtures("loader")
def test_an_alias_is_the_value_of_its_anchor() -> None:
    assert read("a: &x [1, 2]\nb: *x\nc: &k d\ne: *k\n").values == {"a": [1, 2], "b": [1, 2], "c": "d", "e": "d"}


@pytest.mark.usefixtures("loader")
def test_aliases_that_multiply_are_stopped() -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12))
    assert [message for _, message in told(bomb)] == ["the aliases of the frontmatter multiply to too many values"]
    assert read(bomb).values == {}


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    "body", ["a: " + "[" * 2_000, "a: " + "- " * 2_000, "? " * 2_000, "".join(f"{' ' * i}a:\n" for i in range(200))]
)
def test_depth_is_a_problem_and_no_recursion(body: str) -> None:
    assert len(told(body + "\n")) == 1


KEYS = st.sampled_from(["slice", "wave", "on", "a-b", "_x", "key with", "1a", "", "k" * 70])
VALUES = st.one_of(
    st.sampled_from(
        [
            *(
                "S001",
                "M001-S011",
                "a b",
                "a: b",
                "a:b",
                "a:",
                "a #c",
                "a#c",
                "#c",
                "- x",
                "-x",
                "[a, b]",
                "[a",
                "[a: b]",
                "[a,]",
                "[]",
            ),
            *(
                '"x"',
                '"x',
                '"\\|"',
                '"x" y',
                "'x'",
                "'it''s'",
                "'it's'",
                "1",
                "0b_",
                "0x_",
                "089",
                "1 a",
                "2026-99-99",
                "2026-1-a",
            ),
            *(
                "*x",
                "&x",
                "!x",
                "!!int x",
                "@x",
                "`x`",
                "%x",
                "|",
                ">",
                "{a: b}",
                "{",
                "}",
                "]",
                ",",
                "?",
                "? x",
                "=",
                "<<",
                "~",
                "null",
            ),
            *(
                "é",
                "\u00a0",
                "\u2028",
                "\x85",
                "\ufeff",
                "\ufffe",
                "\x07",
                "\t",
                "a\tb",
                "😀",
                "a ",
                "[a b, c]",
                "[a(b), c.d/e]",
                "[?a]",
            ),
            *(
                "./x",
                ".inf",
                ".5",
                "...",
                "/x",
                "[ ]",
                "[ a , b ]",
                '["a, b"]',
                "1_000",
                "12:30:45",
                "1e5",
                "a & b * c",
                "a, b]",
            ),
        ]
    ),
    st.text(max_size=12),
    st.text("ab1 :#-[],\"'\\.&*!|>{}\t", max_size=12),
)
LINES = st.one_of(
    st.builds(
        "{}{}:{}{}".format, st.sampled_from(["", "", " ", "  "]), KEYS, st.sampled_from([" ", "", "  ", "\t"]), VALUES
    ),
    st.builds("{}-{}{}".format, st.sampled_from(["", "  ", "   ", "\t"]), st.sampled_from([" ", "", "  "]), VALUES),
    st.builds("{}:".format, KEYS),
    st.sampled_from(["", " ", "# c", "  # c", "\t", "\r", "key: [a, b]", "key2: v # c", "- a"]),
    VALUES,
)
BODIES = st.builds(
    lambda lines, newline: "".join(line + newline for line in lines),
    st.lists(LINES, max_size=6),
    st.sampled_from(["\n", "\r\n"]),
)


@given(BODIES)
@example("a:\n- b\n-c\n")
@example("a: b\n  - c\n")
@example("a: ''\n")
def test_what_is_plain_is_a_mapping_for_pyyaml(body: str) -> None:
    if is_plain(body):
        for loader in (yaml.SafeLoader, yaml.CSafeLoader):
            assert isinstance(yaml.load(body, Loader=loader) or {}, dict)
        assert yaml_values.load(body)[1] == ()


@given(st.one_of(BODIES, st.text(max_size=60)))
def test_no_text_breaks_it(body: str) -> None:
    for text in (body, f"---\n{body}\n---\n"):
        frontmatter = read_frontmatter(text)
        if frontmatter:
            assert isinstance(dict(frontmatter.values), dict)
            for problem in frontmatter.problems:
                assert frontmatter.span.start <= problem.span.start <= problem.span.end <= frontmatter.span.end
                assert problem.message


HEADS = st.lists(
    st.sampled_from(
        ["---", "-", "\n", "\r\n", "\r", " ", "\t", "x", "<!--", "-->", "\ufeff", "a: b\n", "<a>", "---\n"]
    ),
    max_size=9,
).map("".join)


@given(HEADS, HEADS, st.data())
def test_an_edit_behind_what_decides_changes_nothing(text: str, insert: str, data: st.DataObject) -> None:
    before = read_frontmatter(text)
    decided = decided_until(text, before)
    if decided >= len(text):
        return
    start = data.draw(st.integers(decided + 1, len(text)))
    end = data.draw(st.integers(start, len(text)))
    edited = text[:start] + insert + text[end:]
    after = read_frontmatter(edited)
    assert (before is None) == (after is None)
    assert decided_until(edited, after) == decided
    if before and after:
        assert (before.span, before.body, before.closed) == (after.span, after.body, after.closed)


@given(BODIES)
def test_both_parsers_find_the_same(body: str) -> None:
    found = []
    for loader in (yaml.SafeLoader, yaml.CSafeLoader):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(yaml_values, "_Loader", loader)
            found.append(yaml_values.load(body))
    assert found[0][1] or found[1][1] or found[0] == found[1]


@pytest.mark.parametrize(
    "body",
    [
        "a: b" + " " * 50_000 + ": #",
        "a: " + "b " * 50_000 + '"',
        "a: [" + "b ," * 50_000,
        "a: [" + "]   " * 20_000,
        "[" * 50_000,
        "a: b\n" * 20_000,
        "".join(f"a{i}: b\n" for i in range(20_000)),
    ],
)
def test_hostile_bodies_are_read_in_one_go(body: str) -> None:
    assert len(read(body + "\n").problems) <= 20_000
