"""`textDocument/codeAction`: quick fixes and the cursor's actions, each with its edit.

The findings come from the document, not from the client's context: clients send foreign, stale or no diagnostics.
"""

from __future__ import annotations

from typing import Any

from nubos_lsp.ide.actions import Action, actions
from nubos_lsp.lsp.client import Client
from nubos_lsp.lsp.convert import Json, from_range, text_document
from nubos_lsp.lsp.diagnostics import to_diagnostic
from nubos_lsp.lsp.edits import to_workspace_edit
from nubos_lsp.lsp.session import Session
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.snapshot import Snapshot

METHOD = "textDocument/codeAction"
OPTIONS: Json = {
    "codeActionKinds": ["quickfix", "refactor.rewrite", "source.fixAll.nubos"],
    "resolveProvider": False,
}


async def code_action(session: Session, params: Any) -> list[Json]:
    """The actions for a range, those of the wanted kinds only. Raises Malformed."""
    uri = text_document(params)["uri"]
    only = _only(params.get("context"))
    range_ = params.get("range")

    def compute(snapshot: Snapshot) -> list[Json]:
        span = from_range(snapshot.document, range_, session.encoding)
        found = actions(snapshot, span, only)
        return [_to_wire(session, snapshot.document, action) for action in found]

    return await session.compute(uri, compute) or []


def _only(context: object) -> tuple[str, ...] | None:
    kinds = context.get("only") if isinstance(context, dict) else None
    if not isinstance(kinds, list):
        return None
    return tuple(kind for kind in kinds if isinstance(kind, str))


def _to_wire(session: Session, document: Document, action: Action) -> Json:
    client: Client = session.client
    wire: Json = {
        "title": action.title,
        "kind": action.kind,
        "edit": to_workspace_edit(document, action.edits, client),
    }
    if action.finding is not None:
        wire["diagnostics"] = [to_diagnostic(document, action.finding, session.shape)]
    if action.preferred and client.supports("textDocument.codeAction.isPreferredSupport"):
        wire["isPreferred"] = True
    return wire
