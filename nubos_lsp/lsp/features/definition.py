"""`textDocument/definition`: from a citation to the source, as links where the client takes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nubos_lsp.ide.definition import Definition, Destination
from nubos_lsp.ide.definition import definition as find
from nubos_lsp.lsp.convert import Json, from_position, text_document, to_range
from nubos_lsp.lsp.session import Session
from nubos_lsp.lsp.uris import file_uri
from nubos_lsp.text.encoding import PositionEncoding
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.snapshot import Snapshot
from nubos_lsp.world.files import Project

METHOD = "textDocument/definition"


async def definition(session: Session, params: Any) -> list[Json] | None:
    """The places that the text at a position means; None when it means none. Raises Malformed."""
    uri = text_document(params)["uri"]
    position = from_position(params.get("position"))

    def compute(snapshot: Snapshot) -> list[Json] | None:
        found = find(snapshot, snapshot.document.offset(*position, session.encoding))
        return _to_wire(session, snapshot.document, found) if found else None

    return await session.compute(uri, compute)


def _to_wire(session: Session, document: Document, found: Definition) -> list[Json]:
    if session.client.supports("textDocument.definition.linkSupport"):
        return [_link(session, document, found, destination) for destination in found.targets]
    return [_location(session, document, destination) for destination in found.targets]


def _location(session: Session, document: Document, destination: Destination) -> Json:
    return {"uri": _uri(session, document, destination), "range": _selection(destination, session.encoding)}


def _link(session: Session, document: Document, found: Definition, destination: Destination) -> Json:
    return {
        "originSelectionRange": to_range(document, found.origin, session.encoding),
        "targetUri": _uri(session, document, destination),
        "targetRange": _line(destination, session.encoding),
        "targetSelectionRange": _selection(destination, session.encoding),
    }


def _uri(session: Session, document: Document, destination: Destination) -> str:
    project = session.folders.project_of(document.uri)
    if destination.path is None or project is None:
        return document.uri
    return file_uri(project.root / _without_detours(project, destination.path))


def _without_detours(project: Project, path: str) -> Path:
    """A cited path without `..`, which goes up from where a symlink leads and not from where it stands."""
    real, root = (project.resolve(path), project.resolve(".")) if ".." in path.split("/") else (None, None)
    return real.relative_to(root) if real and root else Path(path)


def _selection(destination: Destination, encoding: PositionEncoding) -> Json:
    start, end = (
        encoding.units(destination.text[: destination.start]),
        encoding.units(destination.text[: destination.end]),
    )
    return _range(destination.line, start, end)


def _line(destination: Destination, encoding: PositionEncoding) -> Json:
    return _range(destination.line, 0, encoding.units(destination.text))


def _range(line: int, start: int, end: int) -> Json:
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
