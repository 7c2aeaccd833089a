"""The floor: an empty pygls server. It keeps documents by incremental sync and publishes no findings for each version.

Everything goes through pygls' ordinary interface, as its manual shows it.
"""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("empty", "1", text_document_sync_kind=types.TextDocumentSyncKind.Incremental)


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def did_open(server: LanguageServer, params: types.DidOpenTextDocumentParams) -> None:
    """Publish the empty list for the opened version."""
    _publish(server, params.text_document.uri, params.text_document.version)


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def did_change(server: LanguageServer, params: types.DidChangeTextDocumentParams) -> None:
    """Publish the empty list for the new version."""
    _publish(server, params.text_document.uri, params.text_document.version)


def _publish(server: LanguageServer, uri: str, version: int) -> None:
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, version=version, diagnostics=[]))


if __name__ == "__main__":
    server.start_io()
