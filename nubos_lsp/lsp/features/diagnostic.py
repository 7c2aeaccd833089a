"""`textDocument/diagnostic`: findings for clients that ask for them. Those are never pushed any as well."""

from __future__ import annotations

from typing import Any

from nubos_lsp.lsp.convert import Json, text_document
from nubos_lsp.lsp.session import Session

METHOD = "textDocument/diagnostic"
OPTIONS: Json = {"identifier": "nubos", "interFileDependencies": False, "workspaceDiagnostics": False}


def diagnostic(session: Session, params: Any) -> Json:
    """The findings of a document, or that they are those of `previousResultId`. Raises Malformed."""
    return session.pull(text_document(params)["uri"], params.get("previousResultId"))
