"""Scenarios of positions: encodings, line ends, and edits that keep the server's text the client's."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from nubos_lsp.host import Host
from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.rules.catalogue import all_rules
from tests.properties.plans import FRAGMENTS
from tests.scenarios.buffer import Buffer, Json
from tests.scenarios.conftest import NewUri, Pool
from tests.scenarios.editor import Editor
from tests.scenarios.plans import PHRASE, PLAN, SENTENCE

LINE_ENDS = ["\n", "\r\n", "\r"]


def test_enc_emoji(encoded: Editor, new_uri: NewUri) -> None:
    buffer = encoded.open(f"😀😀 {SENTENCE}\nGrüße 👩‍👩‍👧 ß {SENTENCE}", new_uri())
    assert encoded.claims(buffer) == [PHRASE, PHRASE]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_enc_edit_emoji(encoded: Editor, new_uri: NewUri, count: int) -> None:
    buffer = encoded.open(f"Grüße {'😀' * count} x {SENTENCE}\n", new_uri())
    encoded.replace(buffer, "x", "ü😀 one two")
    assert encoded.claims(buffer) == [PHRASE]
    encoded.insert(buffer, PHRASE, "🎉")
    encoded.replace(buffer, "😀", "")
    assert encoded.claims(buffer) == [PHRASE]
    encoded.insert(buffer, "mirror", "x")
    assert encoded.findings(buffer) == []


@pytest.mark.parametrize(
    ("capabilities", "expected"),
    [
        ({}, "utf-16"),
        ({"general": {"positionEncodings": ["utf-7", 8]}}, "utf-16"),
        ({"general": {"positionEncodings": ["utf-8", "utf-16"]}}, "utf-8"),
        ({"general": {"positionEncodings": ["utf-16", "utf-8"]}}, "utf-16"),
        ({"general": {"positionEncodings": ["utf-32"]}}, "utf-32"),
    ],
)
def test_enc_negotiated(capabilities: Json, expected: str) -> None:
    """The client's first choice; without one utf-16, in which the ranges are then."""
    with Editor(capabilities) as editor:
        assert editor.encoding == expected
        buffer = editor.open(f"Grüße 😀 x {SENTENCE}\n", "file:///x/S001-PLAN.md")
        editor.replace(buffer, "x", "y😀")
        assert editor.claims(buffer) == [PHRASE]


def test_last_line(encoded: Editor, new_uri: NewUri) -> None:
    buffer = encoded.open(f"# S001\nGrüße 😀 {SENTENCE.rstrip('.')}", new_uri())
    assert encoded.claims(buffer) == [PHRASE]
    encoded.insert(buffer, "", " too. Mirror `Other`")
    assert encoded.claims(buffer) == [PHRASE, "Mirror"]
    encoded.insert(buffer, "", "\n")
    encoded.insert(buffer, "", f"\n😀 {SENTENCE}")
    assert encoded.claims(buffer) == [PHRASE, "Mirror", PHRASE]


@pytest.mark.parametrize("newline", LINE_ENDS)
def test_edit_past_eol(encoded: Editor, new_uri: NewUri, newline: str) -> None:
    """A column behind a line's end means the end, a line behind the last one the end of the text."""
    buffer = encoded.open(f"Mirror 😀{newline}{newline}end", new_uri())
    far = {"line": 0, "character": 1_000_000}
    buffer.text = f"Mirror 😀 `OldThing`.{newline}{newline}end {SENTENCE}"
    beyond = {"line": 99, "character": 7}
    encoded.change(
        buffer,
        {"range": {"start": far, "end": far}, "text": " `OldThing`."},
        {"range": {"start": beyond, "end": beyond}, "text": f" {SENTENCE}"},
    )
    assert encoded.claims(buffer) == ["Mirror", PHRASE]


def test_changes_in_order(encoded: Editor, new_uri: NewUri) -> None:
    """Each change of a notification is in positions after the one before."""
    buffer = encoded.open("😀\n", new_uri())
    changes = [_typed(buffer, *edit) for edit in [(1, "\n\n"), (2, "ü"), (3, SENTENCE), (0, f"{SENTENCE} 😀\n")]]
    encoded.change(buffer, *changes)
    assert encoded.claims(buffer) == [PHRASE, PHRASE]


def test_changes_mixed(encoded: Editor, new_uri: NewUri) -> None:
    buffer = encoded.open(PLAN, new_uri())
    before = _typed(buffer, 4, "lost")
    buffer.text = "😀 x"
    changes = [before, {"text": buffer.text}, _typed(buffer, 2, SENTENCE)]
    encoded.change(buffer, *changes)
    assert encoded.claims(buffer) == [PHRASE]
    encoded.change(buffer, {"text": "gone"}, {"text": f"{SENTENCE}\n"})
    buffer.text = f"{SENTENCE}\n"
    assert encoded.claims(buffer) == [PHRASE]


def test_a_change_of_nothing(editor: Editor, new_uri: NewUri) -> None:
    buffer = editor.open(PLAN, new_uri())
    editor.change(buffer)
    assert editor.claims(buffer) == [PHRASE]


@pytest.mark.parametrize("newline", [*LINE_ENDS, "mixed"])
def test_edits_over_line_ends(encoded: Editor, new_uri: NewUri, newline: str) -> None:
    lines = ["# S001", "", "one 😀", "two", "three", f"Grüße {SENTENCE}", "end", ""]
    buffer = encoded.open(_joined(lines, newline), new_uri())
    assert encoded.claims(buffer) == [PHRASE]
    start, end = buffer.text.index("ne 😀"), buffer.text.index("wo")
    encoded.edit(buffer, start, end, "")
    assert encoded.claims(buffer) == [PHRASE]
    encoded.insert(buffer, "three", _joined(["a", "b", "c", ""], newline))
    encoded.replace(buffer, "end", f"{SENTENCE}")
    assert encoded.claims(buffer) == [PHRASE, PHRASE]


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\u0085", "\v", "\f", "\x1c"])
def test_what_ends_no_line(encoded: Editor, new_uri: NewUri, character: str) -> None:
    buffer = encoded.open(f"a{character}b\nc{character}d {SENTENCE}\n{character}\n{SENTENCE}\n", new_uri())
    assert encoded.claims(buffer) == [PHRASE, PHRASE]
    encoded.insert(buffer, "d ", f"{character}😀")
    encoded.insert(buffer, "b\n", f"{character}\n{character}")
    assert encoded.claims(buffer) == [PHRASE, PHRASE]


def test_a_cr_joins_an_lf(encoded: Editor, new_uri: NewUri) -> None:
    buffer = encoded.open(f"one\ntwo\n\nx {SENTENCE}\n", new_uri())
    encoded.insert(buffer, "\ntwo", "\r")
    encoded.replace(buffer, "x", "y 😀")
    assert encoded.claims(buffer) == [PHRASE]
    # Behind "one" stands CRLF now; a whole line goes with its end, and what is left is the LF of "two".
    encoded.edit(buffer, 3, 5, "\r")
    encoded.replace(buffer, "y", "z")
    assert encoded.claims(buffer) == [PHRASE]
    encoded.edit(buffer, 3, 4, "\n")
    encoded.insert(buffer, "two", "\n\n")
    assert encoded.claims(buffer) == [PHRASE]


def test_a_crlf_is_typed_in_two_steps_and_taken_apart(encoded: Editor, new_uri: NewUri) -> None:
    buffer = encoded.open(f"one\r\ntwo\r\r\n{SENTENCE}", new_uri())
    encoded.edit(buffer, 3, 5, "")
    encoded.edit(buffer, 3, 3, "\r")
    encoded.insert(buffer, "two", "\n")
    encoded.insert(buffer, PHRASE, "😀 ")
    assert encoded.claims(buffer) == [PHRASE]
    encoded.edit(buffer, 3, 5, "\r")
    encoded.insert(buffer, PHRASE, "ü ")
    assert encoded.claims(buffer) == [PHRASE]


def test_bom(encoded: Editor, new_uri: NewUri) -> None:
    buffer = encoded.open(f"\ufeff{SENTENCE}\n", new_uri())
    assert encoded.claims(buffer) == [PHRASE]
    encoded.edit(buffer, 1, 1, "😀 ")
    assert encoded.claims(buffer) == [PHRASE]


def test_a_lone_surrogate(encoded: Editor, new_uri: NewUri) -> None:
    """Half an emoji, as it stands in a buffer between two keystrokes of some editors."""
    buffer = encoded.open(f"\ud83d x {SENTENCE}\nMirror `\ude00Thing`.", new_uri())
    assert encoded.claims(buffer) == [PHRASE, "Mirror"]
    encoded.replace(buffer, "x", "\ud83d 😀")
    assert encoded.claims(buffer) == [PHRASE, "Mirror"]
    assert encoded.actions(buffer, buffer.range_of("Mirror"))


def test_whole_numbers_as_floats(encoded: Editor, new_uri: NewUri) -> None:
    """Clients in Lua may send 3.0 for 3."""
    buffer = encoded.open(f"x {SENTENCE}", new_uri())
    zero, two = {"line": 0.0, "character": 0.0}, {"line": 0.0, "character": 2.0}
    buffer.text = f"😀 {SENTENCE}"
    encoded.change(buffer, {"range": {"start": zero, "end": two}, "text": "😀 "})
    assert encoded.claims(buffer) == [PHRASE]


def test_fuzz_edits(encoded: Editor, new_uri: NewUri) -> None:
    """After each batch of 300 edits the findings are those of the text; at the end those of a new server too."""
    dice = random.Random(f"nubos {encoded.encoding}")
    buffer = encoded.open(PLAN, new_uri())
    edits = iter(range(300))
    while batch := [_random_change(dice, buffer) for _, _ in zip(range(dice.randint(1, 5)), edits, strict=False)]:
        encoded.change(buffer, *batch)
        assert _told(encoded.findings(buffer), buffer) == _in_process(buffer.text), buffer.text
    fresh = Pool()
    capabilities: Json = {"general": {"positionEncodings": [encoded.encoding]}}
    other = fresh.get(encoded.encoding, capabilities)
    copy = other.open(buffer.text, new_uri())
    assert other.findings(copy) == encoded.findings(buffer)
    other.settle()
    fresh.close()


def _random_change(dice: random.Random, buffer: Buffer) -> Json:
    if dice.random() < 0.02:
        buffer.text = "".join(_fragments(dice, 60))
        return {"text": buffer.text}
    start = _place(dice, buffer.text)
    # Longer than it takes away more often than not, so that the text grows to a few pages.
    end = min(len(buffer.text), start + dice.choice((0, 0, 0, 1, 5, 40)))
    end += _inside_crlf(buffer.text, end)
    text = "".join(_fragments(dice, dice.randint(0, 4)))
    change = {"range": buffer.range(start, end), "text": text}
    buffer.text = buffer.text[:start] + text + buffer.text[end:]
    return change


def _fragments(dice: random.Random, count: int) -> Iterator[str]:
    for _ in range(count):
        yield dice.choice(FRAGMENTS)


def _place(dice: random.Random, text: str) -> int:
    offset = dice.randint(0, len(text))
    return offset + _inside_crlf(text, offset)


def _inside_crlf(text: str, offset: int) -> bool:
    return text[max(0, offset - 1) : offset + 1] == "\r\n"


def _told(findings: list[Json], buffer: Buffer) -> list[tuple[int, int, str]]:
    return [
        (
            buffer.offset(finding["range"]["start"]),
            buffer.offset(finding["range"]["end"]),
            finding["message"],
        )
        for finding in findings
    ]


def _in_process(text: str) -> list[tuple[int, int, str]]:
    host = Host(all_rules())
    outcome = host.check(host.open("file:///S001-PLAN.md", 1, text, PlanKind.SLICE))
    return [(*finding.span, f"{finding.message}\n{finding.hint}") for finding in outcome.findings]


def _typed(buffer: Buffer, offset: int, text: str) -> Json:
    change = {"range": buffer.range(offset, offset), "text": text}
    buffer.text = buffer.text[:offset] + text + buffer.text[offset:]
    return change


def _joined(lines: list[str], newline: str) -> str:
    if newline != "mixed":
        return newline.join(lines)
    ends = [*LINE_ENDS, *LINE_ENDS, *LINE_ENDS]
    return "".join(f"{line}{end}" for line, end in zip(lines, ends, strict=False))
