"""The language server: which requests it serves, and what it announces to a client."""

from __future__ import annotations

from typing import Any

from nubos_lsp import __version__
from nubos_lsp.lsp.base import NubosServer
from nubos_lsp.lsp.client import Client
from nubos_lsp.lsp.convert import Malformed
from nubos_lsp.lsp.features import (
    code_action,
    configuration,
    definition,
    diagnostic,
    lint_workspace,
    synchronisation,
)
from nubos_lsp.lsp.protocol import CONTENT_MODIFIED, INVALID_PARAMS
from nubos_lsp.lsp.session import ContentModified, Session

NAME = "nubos-lsp"


class PlanServer(NubosServer):
    """The server of one client, with all features."""

    def __init__(self) -> None:
        super().__init__(NAME, __version__, {Malformed: INVALID_PARAMS, ContentModified: CONTENT_MODIFIED})
        self.on("textDocument/didOpen", synchronisation.did_open, plain=True)
        self.on("textDocument/didChange", synchronisation.did_change, plain=True)
        self.on("textDocument/didClose", synchronisation.did_close, plain=True)
        self.on("textDocument/didSave", synchronisation.did_save, plain=True)
        self.on(diagnostic.METHOD, diagnostic.diagnostic, plain=True)
        self.on(code_action.METHOD, code_action.code_action, plain=True)
        self.on(definition.METHOD, definition.definition, plain=True)
        self.on("initialized", configuration.initialized, plain=True)
        self.on("workspace/didChangeConfiguration", configuration.did_change_configuration, plain=True)
        self.on("workspace/didChangeWorkspaceFolders", configuration.did_change_workspace_folders, plain=True)
        self.on_command(lint_workspace.COMMAND, lint_workspace.run)
        self.on("window/workDoneProgress/cancel", lint_workspace.cancel, plain=True)

    def open_session(self, client: Client) -> Session:
        """The session of the client that has just said `initialize`."""
        return Session(self, client)

    def capabilities(self, client: Client) -> dict[str, Any]:
        """What is announced: only what this client can use without being asked for more."""
        announced: dict[str, Any] = {
            "positionEncoding": client.encoding,
            "textDocumentSync": synchronisation.OPTIONS,
            "codeActionProvider": code_action.OPTIONS,
            "definitionProvider": True,
            "executeCommandProvider": {"commands": list(self.commands)},
            "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
        }
        if client.supports("textDocument.diagnostic"):
            announced["diagnosticProvider"] = diagnostic.OPTIONS
        return announced


def serve_stdio() -> int:
    """Serve over standard input and output until the client is gone; the exit code."""
    return PlanServer().serve_stdio()


def serve_tcp(host: str, port: int) -> int:
    """Serve one client that connects to this address. Raises OSError when nobody can listen there."""
    return PlanServer().serve_tcp(host, port)
