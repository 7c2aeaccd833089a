"""G1 to the letter: every phrase, token kind, identity, boundary, attribute form and detail of the gate, one case each.

The gate itself is not here; what it says was found by running it (gate-details.md). Each case runs with LF and with
CRLF.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.rules.catalogue import find_rules
from nubos_lsp.rules.engine import check
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.snapshot import Snapshot

LINE_ENDS = pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
CATEGORY = "pattern-claim-unverified"


class Found(NamedTuple):
    """A finding: its rule, what its span covers, the line that the gate names, its data."""

    rule: str
    covers: str
    line: int
    raw: Mapping[str, object]


def lint(text: str, newline: str = "\n", kind: PlanKind = PlanKind.SLICE) -> list[Found]:
    text = text.replace("\n", newline)
    document = Document.open("file:///S001-PLAN.md", 1, text, kind)
    outcome = check(Snapshot(document), find_rules(CATEGORY))
    assert not outcome.failures
    return [
        Found(each.rule, each.span.of(text), int(each.target(document).removeprefix("PLAN.md:")), each.raw)
        for each in outcome.findings
    ]


def claims(text: str, newline: str = "\n") -> list[Found]:
    return [found for found in lint(text, newline) if found.rule == "unverified-mirror-claim"]


PHRASES = {
    # English
    "mirror": "Let it mirror `FooBar`.",
    "mirrors": "It mirrors `FooBar`.",
    "mirroring": "Do it by mirroring `FooBar`.",
    "mirrored": "It is mirrored from `FooBar`.",
    "fully mirror": "We fully mirror `FooBar`.",
    "fully\nmirrored": "It is fully\nmirrored from `FooBar`.",
    "MIRROR": "MIRROR `FooBar`.",
    "same pattern as": "With same pattern as `FooBar`.",
    "same\npattern   as": "With same\npattern   as `FooBar`.",
    "the same pattern": "Use the same pattern for `FooBar`.",
    "The Same Pattern": "The Same Pattern for `FooBar`.",
    "follow the pattern": "Please follow the pattern of `FooBar`.",
    "follows the existing pattern": "It follows the existing pattern of `FooBar`.",
    "following\nthe old pattern": "Do it following\nthe old pattern of `FooBar`.",
    "follow the antipattern": "Never follow the antipattern of `FooBar`.",
    f"follow the {'x' * 39} pattern": f"Please follow the {'x' * 39} pattern of `FooBar`.",
    "follow the a\rb pattern": "Please follow the a\rb pattern of `FooBar`.",
    "analogous to": "It is analogous to `FooBar`.",
    "analogously to": "Built analogously to `FooBar`.",
    "identical to": "It is identical to `FooBar`.",
    "identically\nto": "Built identically\nto `FooBar`.",
    "modeled on": "It is modeled on `FooBar`.",
    "modelled on": "It is modelled on `FooBar`.",
    "modeled after": "It is modeled after `FooBar`.",
    "modelled after": "It is modelled after `FooBar`.",
    "modelle on": "It is modelle on `FooBar`.",
    "modele after": "It is modele after `FooBar`.",
    "copy the pattern": "Just copy the pattern of `FooBar`.",
    "copy the whole pattern": "Just copy the whole pattern of `FooBar`.",
    "in the same way as": "Do it in the same way as `FooBar`.",
    "1:1": "Take `FooBar` over 1:1 here.",
    # German
    "eins zu eins": "Nimm `FooBar` eins zu eins.",
    "spiegeln": "Wir spiegeln `FooBar`.",
    "spiegelt": "Das spiegelt `FooBar`.",
    "spiegle": "Ich spiegle `FooBar`.",
    "Spiegel": "Spiegel von `FooBar`.",
    "spiegelbar": "Das ist spiegelbar wie `FooBar`.",
    "Spieglein": "Ein Spieglein von `FooBar`.",
    "widerspiegelt": "Was `FooBar` widerspiegelt.",
    "widerspiegeln": "Es soll `FooBar` widerspiegeln.",
    "gespiegelt": "Es wird gespiegelt von `FooBar`.",
    "analog zu": "Gebaut analog zu `FooBar`.",
    "analog zum": "Gebaut analog zum `FooBar`.",
    "analog zur": "Gebaut analog zur Klasse `FooBar`.",
    "nach dem Muster": "Baue es nach dem Muster von `FooBar`.",
    "nach dem Vorbild": "Baue es nach dem Vorbild von `FooBar`.",
    "genauso wie": "Es geht genauso wie `FooBar`.",
    "identisch zu": "Es ist identisch zu `FooBar`.",
    "identisch mit": "Es ist identisch mit `FooBar`.",
    "orientiere dich an": "Bitte orientiere dich an `FooBar`.",
    "übernimm das Muster": "Bitte übernimm das Muster von `FooBar`.",
    "Übernimm das Muster": "Übernimm das Muster von `FooBar`.",
    "uebernimm das Muster": "Bitte uebernimm das Muster von `FooBar`.",
    "gleiche Muster": "Nutze gleiche Muster wie `FooBar`.",
    "selbe Muster": "Nutze selbe Muster wie `FooBar`.",
    "dasselbe Muster": "Nutze dasselbe Muster wie `FooBar`.",
    "das gleiche Muster": "Nutze das gleiche Muster wie `FooBar`.",
    # White space is that of ECMAScript.
    "same\u00a0pattern\u3000as": "With same\u00a0pattern\u3000as `FooBar`.",
    "analog\ufeffzu": "Gebaut analog\ufeffzu `FooBar`.",
    "analog\u2028zur": "Gebaut analog\u2028zur `FooBar`.",
}
"""The phrase that is found: the sentence."""


@LINE_ENDS
@pytest.mark.parametrize("phrase", PHRASES)
def test_phrase(phrase: str, newline: str) -> None:
    expected = phrase.replace("\n", newline)
    assert [(found.covers, found.raw) for found in claims(PHRASES[phrase], newline)] == [
        (expected, {"phrase": expected, "tokens": ["foobar"]})
    ]


NO_PHRASE = (
    "No word of it, only `FooBar`.",
    "It is mirrorless like `FooBar`.",
    "It is unmirrored, `FooBar` too.",
    "A mirror_copy of `FooBar`.",
    "It followed the pattern of `FooBar`.",
    "It follows a pattern of `FooBar`.",
    f"Please follow the {'x' * 41} pattern of `FooBar`.",
    f"Please follow the {'😀' * 21} pattern of `FooBar`.",
    "Please follow the first. Second pattern of `FooBar`.",
    "Please follow the first\nor second pattern of `FooBar`.",
    "Just copy the first\nor second pattern of `FooBar`.",
    "It is modelld on `FooBar`.",
    "It is analog to `FooBar`.",
    "At 11:1 take `FooBar`.",
    "At 1:11 take `FooBar`.",
    "Eine Spiegelungen wie `FooBar`.",
    "Der Spiege wie `FooBar`.",
    "Es ist identisch wie `FooBar`.",
    "Orientiere dich bei `FooBar`.",
    "Die gleichen Muster wie `FooBar`.",
    "With same\x85pattern as `FooBar`.",
    "With same\x1cpattern as `FooBar`.",
    "It is ſame pattern as `FooBar`.",
    "mirr\u00f6r `FooBar`.",
)


@LINE_ENDS
@pytest.mark.parametrize("text", NO_PHRASE)
def test_no_phrase(text: str, newline: str) -> None:
    assert claims(text, newline) == []


@LINE_ENDS
@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Die Spiegelöffnung von `FooBar`.", "Spiegel"),
        ("Ein ümirror von `FooBar`.", "mirror"),
        ("Die größe1:1 von `FooBar` und é1:1é.", "1:1"),
    ],
)
def test_an_umlaut_is_a_word_boundary(text: str, phrase: str, newline: str) -> None:
    assert [found.covers for found in claims(text, newline)] == [phrase]


@LINE_ENDS
def test_the_first_listed_phrase_wins_over_the_first_in_the_text(newline: str) -> None:
    text = "Take it 1:1, analog zu `FooBar`, and let it mirror `BarBaz`."
    assert [found.covers for found in claims(text, newline)] == ["mirror"]


TOKENS = {
    # 1. Backticked text, 2 to 120 UTF-16 units on one line.
    "Mirror `ab c`.": ["ab c"],
    "Mirror `abc`, `abc` and `ABC`.": ["abc"],
    "Mirror `x` and `Foo` via `bar`.": ["and", "via"],
    f"Mirror `{'x' * 120}`.": ["x" * 120],
    f"Mirror `{'x' * 121}` now `ab` then `foo`.": ["now", "then"],
    f"Mirror `{'😀' * 61}` now `foo`.": ["now"],
    "Mirror `handle()`.": ["handle("],
    "Mirror `RetryPolicy()`.": ["retrypolicy("],
    'Mirror `"foo"`.': ["foo"],
    "Mirror ` (foo), `.": ["foo"],
    "Mirror `Ärger`.": ["ärger"],
    "Mirror `\ufefffoo\u00a0`.": ["foo"],
    # 2. Paths.
    "Mirror src/foo.py now.": ["src/foo.py"],
    "Mirror ./src/foo.py now.": ["src/foo.py"],
    "Mirror ../src/foo.py now.": ["src/foo.py"],
    "Mirror /src/foo.py now.": ["src/foo.py"],
    "Mirror .github/a/b.yml now.": ["github/a/b.yml"],
    "Mirror src/foo-bar_baz.test.ts:12 now.": ["src/foo-bar_baz.test.ts"],
    "Mirror a1/b2/c3/d4/e5/f6/g7/h8/i9/j10/k11.py now.": ["c3/d4/e5/f6/g7/h8/i9/j10/k11.py"],
    "Mirror src/foo.abcdef now.": ["src/foo.abcdef"],
    f"Mirror src/{'x' * 60}.py now.": [f"src/{'x' * 60}.py"],
    # 3. PascalCase with an inner capital.
    "Mirror ShareSegmentAction now.": ["sharesegmentaction"],
    "Mirror FooBar::baz now.": ["foobar::baz"],
    "Mirror FooBar->baz now.": ["foobar->baz"],
    "Mirror FooBar() now.": ["foobar("],
    "Mirror UserService_v2 now.": ["userservice"],
    "Mirror GitHub now.": ["github"],
    "Mirror JavaScript now.": ["javascript"],
    "Mirror PostgreSQL now.": ["postgresql"],
    "Mirror ÄFooBar now.": ["foobar"],
    # 4. Members.
    "Mirror foo::bar now.": ["foo::bar"],
    "Mirror foo->bar now.": ["foo->bar"],
    "Mirror _f::b now.": ["_f::b"],
    # Order of kinds, then of places; one place can give several.
    "Mirror foo::bar, BarBaz, src/x.py and `quux`.": ["quux", "src/x.py", "barbaz", "foo::bar"],
    "Mirror `src/FooBar.php`.": ["src/foobar.php", "foobar"],
    "Mirror BazBar and FooBar now.": ["bazbar", "foobar"],
    # At most five are told.
    "Mirror `aaa` `bbb` `ccc` `ddd` `eee` `fff` now.": ["aaa", "bbb", "ccc", "ddd", "eee"],
}
"""The sentence: its tokens."""


@LINE_ENDS
@pytest.mark.parametrize("text", TOKENS)
def test_tokens(text: str, newline: str) -> None:
    assert [found.raw["tokens"] for found in claims(text, newline)] == [TOKENS[text]]


NO_TOKENS = (
    "Mirror the existing pattern.",
    "Mirror `x` alone.",
    "Mirror `ab` alone.",
    "Mirror `😀` alone.",
    "Mirror `12 34` alone.",
    "Mirror `ab\ncd` alone.",
    "Mirror src/größe.py alone.",
    "Mirror src/foo alone.",
    "Mirror foo.py alone.",
    "Mirror src/foo.mp3 alone.",
    "Mirror src/foo.abcdefg alone.",
    "Mirror CSVExporter alone.",
    "Mirror Foo alone.",
    "Mirror fooBar alone.",
    "Mirror ÜberFooBar alone.",
    "Mirror ab alone.",
    "Mirror `---` alone.",
)


@LINE_ENDS
@pytest.mark.parametrize("text", NO_TOKENS)
def test_no_tokens(text: str, newline: str) -> None:
    assert claims(text, newline) == []


@LINE_ENDS
def test_tokens_are_looked_for_in_4000_utf16_units(newline: str) -> None:
    for filler in ("x" * 3980, "😀" * 1990):
        assert claims(f"Mirror {filler} FooBar", newline)
        assert not claims(f"Mirror {filler}yyyyyyyyyy FooBar", newline)


@LINE_ENDS
def test_a_character_of_two_units_in_a_block_counts_as_two(newline: str) -> None:
    """The gate writes a space over each code unit of a block, and its limits count those."""
    block = f"<pattern_refs>{'😀' * 100}</pattern_refs>"  # 229 units; the token's end is at 4,000 and 4,001.
    assert claims(f"Mirror {block} {'x' * 3757} `foo`", newline)
    assert not claims(f"Mirror {block} {'x' * 3758} `foo`", newline)
    words = "Follow the a <pattern_refs>{}</pattern_refs>pattern of `Foo`."
    assert [found.covers for found in claims(words.format("😀" * 4), newline)] == [
        words.format("😀" * 4).removesuffix(" of `Foo`.")
    ]
    assert not claims(words.format("😀" * 5), newline)


COVERED = {
    # The whole, also of a place with lines.
    "at-path": ("src/foo.py", 'at="src/foo.py:12"'),
    "at-range": ("src/foo.py", 'at="src/foo.py:12-20"'),
    "at-case": ("SRC/FOO.PY", 'at="src/foo.py:12"'),
    "symbol": ("`Foo::bar`", 'symbol="foo::bar"'),
    "symbol-spaces": ("`Foo::bar`", 'symbol=" Foo::bar "'),
    # The last segment without its extension.
    "base-of-at": ("`foo`", 'at="src/foo.py:12"'),
    "base-of-token": ("src/foo.py", 'symbol="foo"'),
    "base-of-both": ("lib/foo.rb", 'at="src/foo.py:1"'),
    "base-with-digits": ("`song`", 'at="x/song.mp3:1"'),
    "extension-of-a-symbol": ("`Cart`", 'symbol="Cart.total"'),
    # The parts at :: and ->.
    "head": ("`Foo`", 'symbol="Foo::bar"'),
    "tail": ("`bar`", 'symbol="Foo::bar"'),
    "arrow": ("`bar`", 'symbol="foo->bar"'),
    "tail-of-token": ("`Foo::bar`", 'symbol="Baz::bar"'),
    "backslash": (r"`bar`", r'symbol="App\Foo::bar"'),
    "backslash-head": (r"`App\Foo`", r'symbol="App\Foo::bar"'),
    # Parentheses are normalised on both sides alike.
    "call": ("`handle()`", 'symbol="Foo::handle()"'),
    # Any token covers the sentence.
    "second-token": ("`xyz` and `Foo`", 'symbol="Foo"'),
    "sixth-token": ("`aaa` `bbb` `ccc` `ddd` `eee` `fff`", 'symbol="fff"'),
    # A bad at covers too.
    "at-without-line": ("src/foo.py", 'at="src/foo.py"'),
    # The last of a repeated attribute wins.
    "last-duplicate": ("`Foo`", 'symbol="Bar" symbol="Foo"'),
}
"""The token in the sentence, and the attribute that covers it."""

UNCOVERED = {
    "folder": ("src/foo.py", 'at="src/bar.py:1"'),
    "extension": ("src/foo.py", 'symbol="py"'),
    "substring": ("`FooBar`", 'symbol="Foo"'),
    "superstring": ("`Foo`", 'symbol="FooBar"'),
    "call": ("`handle()`", 'symbol="Foo::handle"'),
    "short-part": ("`ab::foo`", 'symbol="ab::bar"'),
    "dotted-tail": ("`total`", 'symbol="Cart.total"'),
    "backslash": (r"`Foo`", r'symbol="App\Foo::bar"'),
    "behavior": ("`Foo`", 'symbol="Bar" behavior="Foo"'),
    "first-duplicate": ("`Foo`", 'symbol="Foo" symbol="Bar"'),
    "single-quotes": ("`Foo`", "symbol='Foo'"),
    "name-case": ("`Foo`", 'Symbol="Foo"'),
    "long-extension": ("`foo`", 'at="src/foo.abcdefg:1"'),
}


def with_reference(token: str, attribute: str) -> str:
    return f'Mirror {token} now.\n<pattern_refs>\n<pattern_ref behavior="b" {attribute}/>\n</pattern_refs>\n'


@LINE_ENDS
@pytest.mark.parametrize("case", COVERED)
def test_covered(case: str, newline: str) -> None:
    assert claims(with_reference(*COVERED[case]), newline) == []


@LINE_ENDS
@pytest.mark.parametrize("case", UNCOVERED)
def test_uncovered(case: str, newline: str) -> None:
    assert len(claims(with_reference(*UNCOVERED[case]), newline)) == 1


@LINE_ENDS
def test_a_deviation_covers_nothing(newline: str) -> None:
    text = 'Mirror `Foo`.\n<pattern_refs><deviation ref="Foo" from="a" to="b" reason="c"/></pattern_refs>\n'
    assert len(claims(text, newline)) == 1


SENTENCES = {
    "full-stop-space": ("Mirror this. Not `FooBar`", 0),
    "full-stop-end": ("Take `FooBar`. Mirror.", 0),
    "full-stop-tag": ("Mirror this.<b>`FooBar`", 0),
    "full-stop-letter": ("Mirror this.x `FooBar`", 1),
    "full-stop-nbsp": ("Mirror this.\u00a0Not `FooBar`", 0),
    "full-stop-nel": ("Mirror this.\x85Not `FooBar`", 1),
    "full-stop-line-end": ("Mirror this.\nNot `FooBar`", 0),
    "exclamation": ("Mirror this! Not `FooBar`", 0),
    "question": ("Mirror this? Not `FooBar`", 0),
    "comma": ("Mirror this, and `FooBar`", 1),
    "line-end": ("Mirror this\nand `FooBar`", 1),
    "closing-tag": ("Mirror this</b>Not `FooBar`", 0),
    "closing-tag-long": ("Mirror this</b c\nd>Not `FooBar`", 0),
    "closing-tag-digit": ("Mirror this</1>and `FooBar`", 1),
    "closing-tag-umlaut": ("Mirror this</é>and `FooBar`", 1),
    "closing-tag-open": ("Mirror this</b and `FooBar`", 1),
    "opening-tag": ("Mirror this<b>and `FooBar`", 1),
    "two-claims": ("Mirror `FooBar`. Mirror `BarBaz`.", 2),
    "one-sentence-one-finding": ("Mirror `FooBar` and mirror `BarBaz`.", 1),
}
"""The text and the number of claims in it: the phrase and the token are in one sentence or are not."""


@LINE_ENDS
@pytest.mark.parametrize("case", SENTENCES)
def test_sentence_end(case: str, newline: str) -> None:
    text, count = SENTENCES[case]
    assert len(claims(text, newline)) == count


def test_a_blank_line_in_a_closing_tag_ends_no_sentence_however_far_it_is_from_the_start() -> None:
    """Text is read in pieces that end at blank lines; none may begin at the slash of such a tag."""
    for length in range(700, 830):
        start = ("Mirror " + "a " * 420)[:length]
        assert len(claims(f"{start}</x\n\n`FooBar`>\n")) == 1, length
        assert claims(f"{start}<x\n\n`FooBar`>\n") == [], length


@pytest.mark.parametrize("blank", ["\n\n", "\n \t \n"])
def test_a_blank_line_ends_a_sentence(blank: str) -> None:
    assert claims(f"Mirror this{blank}and `FooBar`") == []


@pytest.mark.parametrize("blank", ["\r\n\r\n", "\r\n \r\n", "\n\u00a0\n", "\n\f\n", "\r\r"])
def test_a_blank_line_is_made_of_line_feeds_spaces_and_tabs_only(blank: str) -> None:
    assert len(claims(f"Mirror this{blank}and `FooBar`")) == 1


@LINE_ENDS
def test_a_sentence_with_the_same_first_200_units_is_told_once(newline: str) -> None:
    assert len(claims("Mirror `FooBar`. Mirror\n `FooBar`. Mirror\u3000`FooBar`.", newline)) == 1
    assert len(claims("Mirror `FooBar` a. Mirror `FooBar` b.", newline)) == 2
    long = "Mirror `FooBar` " + "x" * 183
    assert len(claims(f"{long}1a. {long}1b.", newline)) == 1
    assert len(claims(f"{long}a. {long}b.", newline)) == 2
    emoji = "Mirror `FooBar` " + "😀" * 92
    assert len(claims(f"{emoji}a. {emoji}b.", newline)) == 1


@LINE_ENDS
def test_frontmatter_is_read_too(newline: str) -> None:
    assert [found.line for found in claims("---\ngoal: mirror `FooBar`\n---\n", newline)] == [2]


@LINE_ENDS
def test_the_line_is_that_of_the_first_place_of_the_phrase_even_in_a_word(newline: str) -> None:
    found = claims("An unmirrored thing\nand more\nto mirror `FooBar`.", newline)
    assert [(each.line, each.covers) for each in found] == [(1, "mirror")]


def test_lines_count_line_feeds_only() -> None:
    assert [found.line for found in claims("a\rb\u2028c\x85d\r\ne\n\nMirror `FooBar`.")] == [4]


@LINE_ENDS
def test_task_plans_have_no_such_findings(newline: str) -> None:
    text = "Mirror `FooBar`.\n<pattern_refs><pattern_ref/></pattern_refs>\n"
    assert lint(text, newline, PlanKind.TASK) == []
    assert len(lint(text, newline, PlanKind.MILESTONE)) == 3


BLOCKS = {
    "outside": ('<pattern_ref symbol="FooBar"/>', 0, 1),
    "block": ("<pattern_refs><pattern_ref/></pattern_refs>", 2, 1),
    "upper-case": ("<PATTERN_REFS><PATTERN_REF/></Pattern_Refs>", 2, 1),
    "no-end": ("<pattern_refs><pattern_ref/>", 0, 1),
    "no-start": ("<pattern_ref/></pattern_refs>", 0, 1),
    "attributes": ("<pattern_refs x><pattern_ref/></pattern_refs>", 0, 1),
    "space": ("<pattern_refs ><pattern_ref/></pattern_refs>", 0, 1),
    "two": ("<pattern_refs><pattern_ref/></pattern_refs> x <pattern_refs><pattern_ref/></pattern_refs>", 4, 1),
    "nested-start": ("<pattern_refs> <pattern_refs><pattern_ref/></pattern_refs> <pattern_ref/></pattern_refs>", 2, 1),
    "in-backticks": ("A `<pattern_refs>` here\nand <pattern_ref/>\n</pattern_refs>", 2, 1),
    "in-a-comment": ("<!-- <pattern_refs> -->\n<pattern_ref/>\n</pattern_refs>", 2, 1),
    "in-a-fence": ("```\n<pattern_refs><pattern_ref/></pattern_refs>\n```", 2, 1),
    "long-s": ("<pattern_ref\u017f><pattern_ref/></pattern_ref\u017f>", 0, 1),
}
"""What stands above a claim: how many findings of tags, how many claims."""


@LINE_ENDS
@pytest.mark.parametrize("case", BLOCKS)
def test_block(case: str, newline: str) -> None:
    text, tags, uncovered = BLOCKS[case]
    found = lint(f"{text}\n\nMirror `FooBar`.\n", newline)
    assert (
        len([each for each in found if each.rule != "unverified-mirror-claim"]),
        len(found) - tags,
    ) == (tags, uncovered)


@LINE_ENDS
def test_a_mention_swallows_the_claims_up_to_the_next_end_marker(newline: str) -> None:
    text = "See `<pattern_refs>`. Mirror `FooBar`.\n<pattern_refs>\n</pattern_refs>\nMirror `BarBaz`.\n"
    assert [found.raw["tokens"] for found in claims(text, newline)] == [["barbaz"]]


@LINE_ENDS
def test_a_block_leaves_the_sentence_around_it_whole(newline: str) -> None:
    text = "Mirror <pattern_refs>A. B! </c></pattern_refs> the `FooBar`."
    assert [(found.line, found.raw["tokens"]) for found in claims(text, newline)] == [(1, ["foobar"])]


@LINE_ENDS
def test_a_block_of_whole_lines_leaves_blank_lines(newline: str) -> None:
    assert claims("Mirror\n<pattern_refs>\n</pattern_refs>\nthe `FooBar`.", newline) == []


NO_AT, BAD_AT, NO_BEHAVIOR = "pattern-ref-without-location", "pattern-ref-without-line", "pattern-ref-without-behavior"
B = 'behavior="b"'
A = 'at="a/b.py:1"'

TAGS: dict[str, list[tuple[str, Mapping[str, object]]]] = {
    f"<pattern_ref {A} {B}/>": [],
    f"<pattern_ref {A} {B}>": [],
    f"<Pattern_REF {A} {B}/>": [],
    f"<pattern_ref\n{A}\n{B}\n/>": [],
    f"<pattern_ref\t{A}{B}/>": [],
    f'<pattern_ref at = "a/b.py:1" {B}/>': [],
    f'<pattern_ref at\n=\n"a/b.py:1" {B}/>': [],
    f'<pattern_ref at\ufeff=\u00a0"a/b.py:1" {B}/>': [],
    f'<pattern_ref at=" a/b.py:1\n" {B}/>': [],
    f'<pattern_ref at="a/b.py:1-9" {B}/>': [],
    f'<pattern_ref at="b:1" {B}/>': [],
    f'<pattern_ref :at="a/b.py:1" {B}/>': [],
    f'<pattern_ref 1at="a/b.py:1" {B}/>': [],
    f'<pattern_ref at="" at="a/b.py:1" {B}/>': [],
    f'<pattern_ref {A} behavior="x > y"/>': [],
    f'<pattern_ref {A} behavior="x </b> y"/>': [],
    f"<pattern_refs2 {A}/>": [],
    f"<pattern_reference {A}/>": [],
    "<!-- <pattern_ref/> -->": [],
    "<pattern_ref/>": [(NO_AT, {"symbol": None}), (NO_BEHAVIOR, {"symbol": None, "at": None})],
    "<pattern_ref>": [(NO_AT, {"symbol": None}), (NO_BEHAVIOR, {"symbol": None, "at": None})],
    f"<pattern_ref-x {A}/>": [(NO_BEHAVIOR, {"symbol": None, "at": "a/b.py:1"})],
    f"<pattern_refé {A}/>": [(NO_BEHAVIOR, {"symbol": None, "at": "a/b.py:1"})],
    f'<pattern_ref symbol="Foo" {B}/>': [(NO_AT, {"symbol": "Foo"})],
    f'<pattern_ref symbol="" {B}/>': [(NO_AT, {"symbol": None})],
    f'<pattern_ref symbol=" " at="" {B}/>': [(NO_AT, {"symbol": None})],
    f'<pattern_ref at="\u2003" {B}/>': [(NO_AT, {"symbol": None})],
    f'<pattern_ref at="\x85" {B}/>': [(BAD_AT, {"at": "\x85"})],
    f"<pattern_ref at='a/b.py:1' {B}/>": [(NO_AT, {"symbol": None})],
    f"<pattern_ref at=a/b.py:1 {B}/>": [(NO_AT, {"symbol": None})],
    f"<pattern_ref at=“a/b.py:1” {B}/>": [(NO_AT, {"symbol": None})],
    f'<pattern_ref At="a/b.py:1" {B}/>': [(NO_AT, {"symbol": None})],
    f'<pattern_ref AT="a/b.py:1" {B}/>': [(NO_AT, {"symbol": None})],
    f'<pattern_ref data-at="a/b.py:1" {B}/>': [(NO_AT, {"symbol": None})],
    f'<pattern_ref x_at="a/b.py:1" {B}/>': [(NO_AT, {"symbol": None})],
    f'<pattern_ref {A} at="" {B}/>': [(NO_AT, {"symbol": None})],
    f'<pattern_ref at="a/b.py" {B}/>': [(BAD_AT, {"at": "a/b.py"})],
    f'<pattern_ref at="a/b.py:" {B}/>': [(BAD_AT, {"at": "a/b.py:"})],
    f'<pattern_ref at="a/b.py:x" {B}/>': [(BAD_AT, {"at": "a/b.py:x"})],
    f'<pattern_ref at="a/b.py:1-" {B}/>': [(BAD_AT, {"at": "a/b.py:1-"})],
    f'<pattern_ref at="a/b.py:1:2" {B}/>': [(BAD_AT, {"at": "a/b.py:1:2"})],
    f'<pattern_ref at="a/b.py: 1" {B}/>': [(BAD_AT, {"at": "a/b.py: 1"})],
    f'<pattern_ref at="a b.py:1" {B}/>': [(BAD_AT, {"at": "a b.py:1"})],
    f'<pattern_ref at="a\u00a0b.py:1" {B}/>': [(BAD_AT, {"at": "a\u00a0b.py:1"})],
    f'<pattern_ref at="C:/b.py:1" {B}/>': [(BAD_AT, {"at": "C:/b.py:1"})],
    f'<pattern_ref at="a/b.py:１２" {B}/>': [(BAD_AT, {"at": "a/b.py:１２"})],
    f'<pattern_ref at="a/b.py#L1" {B}/>': [(BAD_AT, {"at": "a/b.py#L1"})],
    f'<pattern_ref at="a/b.py:1 (x)" {B}/>': [(BAD_AT, {"at": "a/b.py:1 (x)"})],
    f'<pattern_ref symbol="Foo" {A}/>': [(NO_BEHAVIOR, {"symbol": "Foo", "at": "a/b.py:1"})],
    f'<pattern_ref {A} behavior=""/>': [(NO_BEHAVIOR, {"symbol": None, "at": "a/b.py:1"})],
    f'<pattern_ref {A} behaviour="b"/>': [(NO_BEHAVIOR, {"symbol": None, "at": "a/b.py:1"})],
    f'<pattern_ref {A} Behavior="b"/>': [(NO_BEHAVIOR, {"symbol": None, "at": "a/b.py:1"})],
    f"<pattern_ref {A} behavior='b'/>": [(NO_BEHAVIOR, {"symbol": None, "at": "a/b.py:1"})],
    f"<pattern_ref {A} behavior='x > y'/>": [(NO_BEHAVIOR, {"symbol": None, "at": "a/b.py:1"})],
    '<pattern_ref at="a/b.py" symbol="Foo"/>': [
        (BAD_AT, {"at": "a/b.py"}),
        (NO_BEHAVIOR, {"symbol": "Foo", "at": "a/b.py"}),
    ],
    f'<pattern_ref {A} {B} "/>': [],
    f'<pattern_ref symbol="Foo {B}/>': [
        (NO_AT, {"symbol": "Foo behavior="}),
        (NO_BEHAVIOR, {"symbol": "Foo behavior=", "at": None}),
    ],
    '<deviation ref="a" from="b" to="c" reason="d"/>': [],
    '<DEVIATION ref="a" from="b" to="c" reason="d">': [],
    "<deviations/>": [],
    "<deviation/>": [("incomplete-deviation", {"missing": ["ref", "from", "to", "reason"]})],
    '<deviation ref="a" from="b" to="c"/>': [("incomplete-deviation", {"missing": ["reason"]})],
    '<deviation reason="d" to="c" from="b"/>': [("incomplete-deviation", {"missing": ["ref"]})],
    '<deviation ref="a" from="" to=" " reason="d"/>': [("incomplete-deviation", {"missing": ["from", "to"]})],
    '<deviation ref="a" From="b" to=\'c\' reason="d"/>': [("incomplete-deviation", {"missing": ["from", "to"]})],
    '<deviation ref="a" from="b" to="c" reason="d" ref=""/>': [("incomplete-deviation", {"missing": ["ref"]})],
}
"""A tag in a block: its findings and their data."""


@LINE_ENDS
@pytest.mark.parametrize("tag", TAGS)
def test_tag(tag: str, newline: str) -> None:
    found = lint(f"<pattern_refs>\n{tag}\n</pattern_refs>\n", newline)
    assert [(each.rule, each.raw) for each in found] == [
        (rule, {key: value.replace("\n", newline) if isinstance(value, str) else value for key, value in raw.items()})
        for rule, raw in TAGS[tag]
    ]
    assert all(each.line == 2 for each in found)


@LINE_ENDS
def test_a_quote_pairs_to_the_end_of_the_block_and_no_further(newline: str) -> None:
    dangling = '<pattern_refs>\n<pattern_ref "/>\n</pattern_refs>\n<pattern_refs>\n<pattern_ref "/>\n</pattern_refs>\n'
    assert len(lint(dangling, newline)) == 4
    eaten = '<pattern_refs>\n<pattern_ref "/>\n<pattern_ref at="a:1"/>\n</pattern_refs>\n'
    assert [(each.rule, each.line) for each in lint(eaten, newline)] == [(NO_BEHAVIOR, 2)]


@LINE_ENDS
def test_order_is_refs_then_deviations_then_claims(newline: str) -> None:
    text = (
        "Mirror `FooBar`.\n<pattern_refs>\n<deviation/>\n<pattern_ref/>\n</pattern_refs>\n"
        '<pattern_refs>\n<deviation ref="a"/>\n<pattern_ref at="x"/>\n</pattern_refs>\nMirror `BarBaz`.\n'
    )
    assert [(each.rule, each.line) for each in lint(text, newline)] == [
        (NO_AT, 4),
        (NO_BEHAVIOR, 4),
        (BAD_AT, 8),
        (NO_BEHAVIOR, 8),
        ("incomplete-deviation", 3),
        ("incomplete-deviation", 7),
        ("unverified-mirror-claim", 1),
        ("unverified-mirror-claim", 10),
    ]


@LINE_ENDS
def test_a_span_covers_phrase_tag_or_value(newline: str) -> None:
    text = 'Mirror `FooBar`.\n<pattern_refs>\n<pattern_ref at=" x "/>\n<deviation/>\n</pattern_refs>\n'
    assert [each.covers for each in lint(text, newline)] == [
        " x ",
        '<pattern_ref at=" x "/>',
        "<deviation/>",
        "Mirror",
    ]
