"""`textDocument/didOpen`, `didChange`, `didClose` and `didSave`, with plain wire values: they come with every key."""

from __future__ import annotations

from typing import Any

from nubos_lsp.lsp.convert import Json
from nubos_lsp.lsp.session import Session

OPTIONS: Json = {"openClose": True, "change": 2, "save": {"includeText": False}}
"""`change` 2 is incremental; whole texts are taken as well."""


def did_open(session: Session, params: Any) -> None:
    """Take over a document and tell its findings. Raises Malformed."""
    session.open(params)


def did_change(session: Session, params: Any) -> None:
    """Change a document and tell its findings. Raises Malformed."""
    session.change(params)


def did_close(session: Session, params: Any) -> None:
    """Let a document go and clear its findings. Raises Malformed."""
    session.close(params)


def did_save(_session: Session, _params: Any) -> None:
    """Nothing follows: the findings of the buffer are told already, and saving does not change it."""
