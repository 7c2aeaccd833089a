"""What was told of plans that are not open, by file: a client may reach one in several ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from nubos_lsp.lsp.uris import file_path
from nubos_lsp.world.files import real_path


class ClosedPlan(NamedTuple):
    """A plan on disk: the project that it was found in, its path, and the file that this leads to."""

    root: Path
    path: Path
    file: Path


class _Told(NamedTuple):
    uri: str
    root: Path


class ClosedPlans:
    """The findings on the client's side that belong to no open document. `withdraw` takes back those of a URI."""

    def __init__(self, withdraw: Callable[[str], None]) -> None:
        self._withdraw = withdraw
        self._told: dict[Path, _Told] = {}
        self._open: dict[str, Path] = {}
        self._closings: Counter[Path] = Counter()
        self._run = 0

    def opened(self, uri: str, is_plan: bool) -> None:
        """A document was opened: the findings of a plan are those of its text now."""
        path = file_path(uri)
        if path:
            self._open[uri] = real_path(path)
            if is_plan:
                self._take_back(self._open[uri])

    def closed(self, uri: str) -> None:
        """A document was closed; what was read of its file before may be old."""
        file = self._open.pop(uri, None)
        if file:
            self._closings[file] += 1

    def open_uris(self, plan: ClosedPlan) -> Iterator[str]:
        """The URIs under which the file of a plan is open after all, as a plan or not."""
        return (uri for uri, file in self._open.items() if file == plan.file)

    def closings(self, plan: ClosedPlan) -> int:
        """How often a plan was closed: when it differs, what was read in between may be old."""
        return self._closings[plan.file]

    def begin_run(self) -> int:
        """The number of a new run over all plans; one before it tells nothing any more."""
        self._run += 1
        return self._run

    def is_latest(self, run: int) -> bool:
        """Whether no run was begun since."""
        return run == self._run

    def told(self, plan: ClosedPlan, uri: str) -> None:
        """The findings of a plan were sent under this URI."""
        before = self._told.get(plan.file)
        if before and before.uri != uri:
            self._take_back(plan.file)
        self._told[plan.file] = _Told(uri, plan.root)

    def withdraw(self, plan: ClosedPlan) -> None:
        """Take back what was told of a plan."""
        self._take_back(plan.file)

    def keep(self, plans: Collection[ClosedPlan]) -> None:
        """Take back what was told of plans that are none of these: they are gone."""
        files = {plan.file for plan in plans}
        for file in [file for file in self._told if file not in files]:
            self._take_back(file)

    def keep_projects(self, roots: Collection[Path]) -> None:
        """Take back what was told of plans of other projects, which left the workspace."""
        for file in [file for file, told in self._told.items() if told.root not in roots]:
            self._take_back(file)

    def expire(self) -> None:
        """Take back everything and let no run go on: what decides about findings has changed."""
        self.end_runs()
        self.keep_projects(())

    def end_runs(self) -> None:
        """Let no run go on: what it is about has changed."""
        self._run += 1

    def _take_back(self, file: Path) -> None:
        told = self._told.pop(file, None)
        if told:
            self._withdraw(told.uri)
