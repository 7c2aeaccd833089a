"""After any edits, a document says what its text says when it is read from nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nubos_lsp.host import Change, Host
from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.rules.catalogue import all_rules
from nubos_lsp.rules.engine import check
from nubos_lsp.text.encoding import PositionEncoding
from nubos_lsp.text.lines import line_starts
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.snapshot import Snapshot
from tests.properties.plans import edits, plans

URI = "file:///S001-PLAN.md"


def agree(document: Document, text: str) -> None:
    fresh = Document.open(URI, document.version, text)
    assert document.text == text
    assert document.line_count == fresh.line_count == len(line_starts(text))
    assert check(Snapshot(document), all_rules()) == check(Snapshot(fresh), all_rules())
    for offset in range(0, len(text) + 1, 7):
        assert document.line_number(offset) == text.count("\n", 0, offset) + 1


@given(plans, st.lists(edits, max_size=6))
def test_edits_by_offset(text: str, changes: list[tuple[int, int, str]]) -> None:
    document = Document.open(URI, 1, text)
    for version, (start, length, insert) in enumerate(changes, 2):
        start = min(start, len(text))
        document = document.edit(version, start, start + length, insert)
        text = text[:start] + insert + text[start + length :]
        agree(document, text)


@given(plans, st.lists(edits, max_size=6), st.sampled_from(PositionEncoding))
def test_edits_by_position(text: str, changes: list[tuple[int, int, str]], encoding: PositionEncoding) -> None:
    host = Host(all_rules())
    host.open(URI, 1, text, PlanKind.SLICE)
    for version, (start, length, insert) in enumerate(changes, 2):
        end = min(start + length, len(text))
        start = min(start, len(text))
        wire = Change(client_position(text, start, encoding), client_position(text, end, encoding), insert)
        start, end = client_place(text, start), client_place(text, end)
        document = host.change(URI, version, [wire], encoding)
        text = text[:start] + insert + text[end:]
        assert document
        agree(document, text)


def client_place(text: str, offset: int) -> int:
    """An offset between CR and LF is none that an editor's cursor can have; it stands before the pair."""
    return offset - 1 if text[offset - 1 : offset + 1] == "\r\n" and offset else offset


def client_position(text: str, offset: int, encoding: PositionEncoding) -> tuple[int, int]:
    """Line and column as an editor counts them, written independently of the code under test."""
    offset = client_place(text, offset)
    lines = text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return len(lines) - 1, len(
        lines[-1].encode(encoding.value + "-le" * (encoding.value != "utf-8"), "surrogatepass")
    ) // {
        "utf-8": 1,
        "utf-16": 2,
        "utf-32": 4,
    }[encoding.value]


@given(st.text())
def test_no_text_is_too_odd(text: str) -> None:
    outcome = check(Snapshot(Document.open(URI, 1, text)), all_rules())
    assert not outcome.failures
