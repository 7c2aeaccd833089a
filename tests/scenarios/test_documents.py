"""Scenarios of documents and their findings: which are linted, under which version, and when findings go."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scenarios.buffer import Json
from tests.scenarios.conftest import NewUri, slice_plan
from tests.scenarios.editor import CLAIM, Editor
from tests.scenarios.plans import CLEAN, PHRASE, PLAN, REF, SENTENCE


def test_open_one(editor: Editor, new_uri: NewUri) -> None:
    buffer = editor.open(PLAN, new_uri(), version=7)
    (finding,) = editor.findings(buffer)
    assert (finding["code"], finding["source"], finding["severity"]) == (CLAIM, "nubos", 1)
    assert buffer.covered(finding["range"]) == PHRASE
    assert editor.publishes(buffer.uri)[0]["version"] == 7


def test_open_clean(editor: Editor, new_uri: NewUri) -> None:
    assert editor.findings(editor.open(CLEAN, new_uri())) == []


@pytest.mark.parametrize("name", ["README.md", "S001-UAT.md", "M001-CONTEXT.md", "PLAN.md", "S001-PLAN.md.orig"])
def test_other_markdown(editor: Editor, new_uri: NewUri, name: str) -> None:
    buffer = editor.open(PLAN, new_uri(name))
    editor.insert(buffer, "", "More. ")
    editor.drain()
    assert all(publish["diagnostics"] == [] for publish in editor.publishes(buffer.uri))


@pytest.mark.parametrize("language", ["plaintext", "mdx", ""])
def test_language_id(editor: Editor, new_uri: NewUri, language: str) -> None:
    assert editor.claims(editor.open(PLAN, new_uri(), language=language)) == [PHRASE]


@pytest.mark.parametrize(("name", "expected"), [("M001-PLAN.md", [PHRASE]), ("T0001-PLAN.md", [])])
def test_plan_kinds(editor: Editor, new_uri: NewUri, name: str, expected: list[str]) -> None:
    assert editor.claims(editor.open(PLAN, new_uri(name))) == expected


def test_two_plans(editor: Editor, new_uri: NewUri) -> None:
    first, second = editor.open(PLAN, new_uri()), editor.open(PLAN, new_uri())
    assert editor.claims(first) == editor.claims(second) == [PHRASE]
    editor.close(first)
    editor.drain()
    assert editor.publishes(first.uri)[-1]["diagnostics"] == []
    assert [len(publish["diagnostics"]) for publish in editor.publishes(second.uri)] == [1]


def test_type_and_undo(editor: Editor, new_uri: NewUri) -> None:
    buffer = editor.open("\n", new_uri())
    for length in range(len(SENTENCE)):
        editor.edit(buffer, length, length, SENTENCE[length])
    assert editor.claims(buffer) == [PHRASE]
    for length in reversed(range(len(SENTENCE))):
        editor.edit(buffer, length, length + 1, "")
    assert editor.findings(buffer) == []
    editor.drain()
    last = editor.publishes(buffer.uri)[-1]
    assert (last["version"], last["diagnostics"]) == (buffer.version, [])


def test_burst(editor: Editor, new_uri: NewUri) -> None:
    """The conditions of every scenario hold the versions; here it is also few publishes, not one a change."""
    buffer = editor.open("\n", new_uri())
    editor.findings(buffer)
    messages: list[Json] = []
    for version in range(2, 202):
        start = buffer.position(len(buffer.text) - 1)
        text = SENTENCE[version - 2] if version - 2 < len(SENTENCE) else "."
        identifier = {"uri": buffer.uri, "version": version}
        changes = [{"range": {"start": start, "end": start}, "text": text}]
        params = {"textDocument": identifier, "contentChanges": changes}
        messages.append({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params})
        buffer.text = f"{buffer.text[:-1]}{text}\n"
    editor.send(*messages)
    buffer.version = 201
    assert editor.claims(buffer) == [PHRASE]
    editor.drain()
    assert editor.publishes(buffer.uri)[-1]["version"] == 201
    assert len(editor.publishes(buffer.uri)) < 100


def test_change_unopened(editor: Editor, new_uri: NewUri) -> None:
    ghost = editor.open(PLAN, new_uri())
    editor.close(ghost)
    editor.rewrite(ghost, PLAN)
    never = new_uri()
    editor.notify(
        "textDocument/didChange",
        {"textDocument": {"uri": never, "version": 1}, "contentChanges": [{"text": PLAN}]},
    )
    editor.drain()
    assert editor.publishes(never) == []
    assert editor.publishes(ghost.uri)[-1]["diagnostics"] == []
    assert editor.claims(editor.open(PLAN, new_uri())) == [PHRASE]


def test_close_of_what_is_not_open(editor: Editor, new_uri: NewUri) -> None:
    uri = new_uri()
    for _ in range(2):
        editor.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    editor.drain()
    assert editor.publishes(uri) == []
    assert editor.claims(editor.open(PLAN, uri)) == [PHRASE]


def test_a_document_is_opened_twice(editor: Editor, new_uri: NewUri) -> None:
    """A client that lost track: the newest text counts, and one close is enough."""
    first = editor.open(PLAN, new_uri())
    assert editor.claims(first) == [PHRASE]
    second = editor.open(CLEAN, first.uri, version=1)
    editor.drain()
    assert editor.findings(second) == []
    editor.close(second)
    editor.drain()
    assert [len(publish["diagnostics"]) for publish in editor.publishes(first.uri)] == [1, 0, 0]


def test_reopen(editor: Editor, new_uri: NewUri) -> None:
    first = editor.open(CLEAN, new_uri())
    for _ in range(3):
        editor.insert(first, "", "More. ")
    editor.close(first)
    second = editor.open(SENTENCE, first.uri, version=1)
    editor.drain()
    assert editor.claims(second) == [PHRASE]
    assert editor.publishes(second.uri)[-1]["version"] == 1


@pytest.mark.parametrize("params", [{}, {"text": PLAN}])
def test_save(editor: Editor, new_uri: NewUri, params: Json) -> None:
    buffer = editor.open(PLAN, new_uri())
    editor.notify("textDocument/didSave", {"textDocument": buffer.identifier, **params})
    editor.drain()
    assert editor.claims(buffer) == [PHRASE]


def test_buffer_wins(editor: Editor, project: Path) -> None:
    """The file on disk has one claim."""
    plan = slice_plan(project)
    assert editor.findings(editor.open(CLEAN, plan.as_uri())) == []
    plan.write_text(CLEAN, encoding="utf-8")
    other = plan.with_name("S002-PLAN.md")
    other.write_text(CLEAN, encoding="utf-8")
    assert editor.claims(editor.open(PLAN, other.as_uri())) == [PHRASE]


def test_close_clears(editor: Editor, new_uri: NewUri) -> None:
    buffer = editor.open(PLAN, new_uri())
    editor.close(buffer)
    editor.drain()
    assert [len(publish["diagnostics"]) for publish in editor.publishes(buffer.uri)] == [1, 0]


def test_typing_clears(editor: Editor, new_uri: NewUri) -> None:
    buffer = editor.open(PLAN, new_uri())
    assert editor.claims(buffer) == [PHRASE]
    editor.replace(buffer, SENTENCE, "")
    assert editor.findings(buffer) == []
    editor.insert(buffer, "</objective>", SENTENCE)
    assert editor.claims(buffer) == [PHRASE]


def test_ref_clears(editor: Editor, new_uri: NewUri) -> None:
    buffer = editor.open(f"<pattern_refs>\n</pattern_refs>\n\n{PLAN}", new_uri())
    assert editor.claims(buffer) == [PHRASE]
    editor.insert(buffer, "</pattern_refs>", f"{REF}\n")
    assert editor.findings(buffer) == []
    editor.replace(buffer, REF, "")
    assert editor.claims(buffer) == [PHRASE]


def test_renamed_file(editor: Editor, new_uri: NewUri) -> None:
    old = editor.open(PLAN, new_uri())
    assert editor.claims(old) == [PHRASE]
    editor.close(old)
    new = editor.open(PLAN, new_uri("S002-PLAN.md"))
    editor.notify("workspace/didRenameFiles", {"files": [{"oldUri": old.uri, "newUri": new.uri}]})
    editor.drain()
    assert editor.publishes(old.uri)[-1]["diagnostics"] == []
    assert editor.claims(new) == [PHRASE]


def test_renamed_to_what_is_no_plan(editor: Editor, new_uri: NewUri) -> None:
    old = editor.open(PLAN, new_uri())
    editor.close(old)
    new = editor.open(PLAN, new_uri("NOTES.md"))
    editor.drain()
    assert editor.publishes(old.uri)[-1]["diagnostics"] == []
    assert editor.publishes(new.uri) == []


def test_versions_in_any_order(editor: Editor, new_uri: NewUri) -> None:
    """A version that goes back is not taken over; its text is."""
    buffer = editor.open(PLAN, new_uri(), version=5)
    assert editor.claims(buffer) == [PHRASE]
    buffer.text = CLEAN
    editor.change(buffer, {"text": CLEAN}, version=3)
    editor.drain()
    assert editor.publishes(buffer.uri)[-1] == {"uri": buffer.uri, "version": 5, "diagnostics": []}


def test_a_version_of_null(editor: Editor, new_uri: NewUri) -> None:
    uri = new_uri()
    editor.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "markdown", "text": PLAN}})
    identifier = {"uri": uri, "version": None}
    editor.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [{"text": CLEAN}]})
    editor.drain()
    counts = [len(publish["diagnostics"]) for publish in editor.publishes(uri)]
    assert counts[-1] == 0


def test_a_plan_under_two_uris(editor: Editor, project: Path) -> None:
    """Each spelling is a document of its own, as the client sees it."""
    plan = slice_plan(project).as_uri()
    other = plan.replace("S001-PLAN.md", "%53001-PLAN.md")
    first, second = editor.open(PLAN, plan), editor.open(CLEAN, other)
    assert editor.claims(first) == [PHRASE]
    assert editor.findings(second) == []
    editor.close(second)
    editor.drain()
    assert [len(publish["diagnostics"]) for publish in editor.publishes(plan)] == [1]
