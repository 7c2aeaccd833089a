"""Text edits as a workspace edit, in the form that the client can take: versioned or not, with snippets or plain."""

from __future__ import annotations

from collections.abc import Iterable

from nubos_lsp.lsp.client import Client
from nubos_lsp.lsp.convert import Json, to_range
from nubos_lsp.text.edit import Snippet, TextEdit, plain, snippet_syntax
from nubos_lsp.text.encoding import PositionEncoding
from nubos_lsp.workspace.document import Document


def to_workspace_edit(document: Document, edits: Iterable[TextEdit], client: Client) -> Json:
    """One edit of one document, to be undone in one step.

    Snippets need versioned document changes; a client without these gets the plain text.
    """
    encoding = PositionEncoding(client.encoding)
    if not client.supports("workspace.workspaceEdit.documentChanges"):
        return {"changes": {document.uri: [_text_edit(document, edit, encoding) for edit in edits]}}
    snippets = client.supports("workspace.workspaceEdit.snippetEditSupport")
    changes = [
        _snippet_edit(document, edit, edit.insert, encoding)
        if snippets and isinstance(edit.insert, Snippet)
        else _text_edit(document, edit, encoding)
        for edit in edits
    ]
    return {
        "documentChanges": [
            {"textDocument": {"uri": document.uri, "version": document.version}, "edits": changes},
        ]
    }


def _text_edit(document: Document, edit: TextEdit, encoding: PositionEncoding) -> Json:
    return {"range": to_range(document, edit.span, encoding), "newText": plain(edit.insert)}


def _snippet_edit(document: Document, edit: TextEdit, snippet: Snippet, encoding: PositionEncoding) -> Json:
    return {
        "range": to_range(document, edit.span, encoding),
        "snippet": {"kind": "snippet", "value": snippet_syntax(snippet)},
    }
