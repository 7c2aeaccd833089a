"""Edits in the form that a client takes."""

from __future__ import annotations

from nubos_lsp.lsp.client import Client
from nubos_lsp.lsp.edits import to_workspace_edit
from nubos_lsp.text.edit import Snippet, TabStop, TextEdit
from nubos_lsp.text.span import Span
from nubos_lsp.workspace.document import Document

URI = "file:///S001-PLAN.md"
SNIPPETS = Client(
    {"capabilities": {"workspace": {"workspaceEdit": {"documentChanges": True, "snippetEditSupport": True}}}}
)
VERSIONED = Client({"capabilities": {"workspace": {"workspaceEdit": {"documentChanges": True}}}})


def only_edit(text: str, edit: TextEdit, client: Client) -> dict[str, object]:
    changes = to_workspace_edit(Document.open(URI, 7, text), [edit], client)["documentChanges"]
    assert changes[0]["textDocument"] == {"uri": URI, "version": 7}
    found: dict[str, object] = changes[0]["edits"][0]
    return found


def test_a_client_without_document_changes_gets_plain_changes() -> None:
    edit = TextEdit(Span(0, 0), Snippet(("a", TabStop(1, "b"))))
    wire = to_workspace_edit(Document.open(URI, 7, "x"), [edit], Client({"capabilities": {}}))
    assert wire["changes"][URI][0]["newText"] == "ab"


def test_a_client_without_snippets_gets_the_placeholders() -> None:
    edit = TextEdit(Span(0, 0), Snippet(("$a", TabStop(1, "b"))))
    assert only_edit("x", edit, VERSIONED)["newText"] == "$ab"


def test_a_snippet_at_the_start_of_a_line_keeps_its_indents() -> None:
    edit = TextEdit(Span(0, 0), Snippet(("  <a\n    b=", TabStop(1, "c"))))
    assert only_edit("  <x/>\n", edit, SNIPPETS)["snippet"] == {"kind": "snippet", "value": "  <a\n    b=${1:c}"}


def test_a_snippet_inside_a_line_leaves_that_lines_indent_to_the_client() -> None:
    edit = TextEdit(Span(4, 4), Snippet(("\n     at=", TabStop(1, "c"))))
    assert only_edit("  <x/>\n", edit, SNIPPETS)["snippet"] == {"kind": "snippet", "value": "\n   at=${1:c}"}


def test_a_snippet_that_cannot_say_its_indents_is_sent_as_text() -> None:
    edit = TextEdit(Span(4, 4), Snippet(("\n at=", TabStop(1, "c"))))
    assert only_edit("  <x/>\n", edit, SNIPPETS)["newText"] == "\n at=c"
