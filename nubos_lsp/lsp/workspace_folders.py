"""Which project a document belongs to: the nearest `.nubos-pilot` above it, else its workspace folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from nubos_lsp.lsp.uris import DOCUMENT_SCHEMES, file_path, path_of, scheme_of
from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.workspace.settings import Settings
from nubos_lsp.world.files import Project, project_root


class Folders:
    """The open workspace folders, in the client's order."""

    def __init__(self, uris: Iterable[str]) -> None:
        self._folders: dict[str, Path] = {}
        self.change(added=uris, removed=())

    def change(self, added: Iterable[str], removed: Iterable[str]) -> None:
        """Take over a change of the folders; URIs that are no files are passed over."""
        for uri in removed:
            self._folders.pop(uri, None)
        for uri in added:
            path = file_path(uri)
            if path:
                self._folders[uri] = path

    def __iter__(self) -> Iterator[Path]:
        return iter(self._folders.values())

    def project_of(self, uri: str) -> Project | None:
        """The project of a document; for one without a file that of the first folder, None when there is none."""
        path = file_path(uri)
        if path is None:
            first = next(iter(self), None)
            return Project(project_root(first)) if first else None
        inside = [folder for folder in self if path.is_relative_to(folder)]
        deepest = max(inside, key=lambda folder: len(folder.parts), default=None)
        return Project(project_root(path, fallback=deepest))

    def kind_of(self, uri: str, settings: Settings) -> PlanKind | None:
        """The kind of plan that a document is, by its name or the settings; None when it is to be left alone."""
        if scheme_of(uri) not in DOCUMENT_SCHEMES:
            return None
        path = file_path(uri)
        if path is None or not settings.include:
            return settings.kind_of(path_of(uri))
        root = project_root(path, fallback=next((folder for folder in self if path.is_relative_to(folder)), None))
        return settings.kind_of(path.relative_to(root).as_posix())
