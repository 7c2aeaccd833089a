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
    changes = [_change(document, edit, encoding, snippets=snippets) for edit in edits]
    return {
        "documentChanges": [
            {"textDocument": {"uri": document.uri, "version": document.version}, "edits": changes},
        ]
    }


def _change(document: Document, edit: TextEdit, encoding: PositionEncoding, *, snippets: bool) -> Json:
    snippet = _unindented(document, edit, edit.insert) if snippets and isinstance(edit.insert, Snippet) else None
    return _snippet_edit(document, edit, snippet, encoding) if snippet else _text_edit(document, edit, encoding)


def _text_edit(document: Document, edit: TextEdit, encoding: PositionEncoding) -> Json:
    return {"range": to_range(document, edit.span, encoding), "newText": plain(edit.insert)}


def _snippet_edit(document: Document, edit: TextEdit, snippet: Snippet, encoding: PositionEncoding) -> Json:
    return {
        "range": to_range(document, edit.span, encoding),
        "snippet": {"kind": "snippet", "value": snippet_syntax(snippet)},
    }


def _unindented(document: Document, edit: TextEdit, snippet: Snippet) -> Snippet | None:
    """The snippet without the indent of the line that it is put into: the client indents its further lines by that.

    None when one of them has another indent, which could not be told to the client.
    """
    line, column = document.position(edit.span.start, PositionEncoding.UTF32)
    before = document.line_span(line).of(document.text)[:column]
    indent = before[: len(before) - len(before.lstrip(" \t"))]
    if not indent:
        return snippet
    texts = [part for part in snippet.parts if isinstance(part, str)]
    if any(text.count("\n") != text.count("\n" + indent) for text in texts):
        return None
    parts = (part.replace("\n" + indent, "\n") if isinstance(part, str) else part for part in snippet.parts)
    return Snippet(tuple(parts))
