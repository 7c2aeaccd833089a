"""Servers that tests share, and places for plans. A start costs half a second, so it is made once where that is sound.

Each test opens URIs of its own and closes all it opened; then the conditions that hold in every scenario are checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.scenarios.buffer import Json
from tests.scenarios.editor import Editor
from tests.scenarios.plans import PLAN, SOURCE

NewUri = Callable[..., str]

_numbers = count(1)


class Pool:
    """Running servers by a name for what their client can; one that has ended is started anew."""

    def __init__(self) -> None:
        self._editors: dict[str, Editor] = {}

    def get(self, name: str, capabilities: Json) -> Editor:
        """The server for a client with these capabilities."""
        editor = self._editors.get(name)
        if editor is None or not editor.alive:
            editor = self._editors[name] = Editor(capabilities)
        return editor

    def close(self) -> None:
        """End them all, politely; each must end with code 0."""
        for editor in self._editors.values():
            with editor:
                assert editor.shut_down() == 0


@pytest.fixture(scope="session")
def pool() -> Iterator[Pool]:
    """The servers of this run."""
    servers = Pool()
    yield servers
    servers.close()


@pytest.fixture
def editor(pool: Pool) -> Iterator[Editor]:
    """A client that can hardly anything: utf-16, pushed findings, plain edits, no questions."""
    shared = pool.get("plain", {})
    yield shared
    shared.settle()


@pytest.fixture(params=["utf-8", "utf-16", "utf-32"])
def encoded(pool: Pool, request: pytest.FixtureRequest) -> Iterator[Editor]:
    """A client for each position encoding."""
    encoding: str = request.param
    shared = pool.get(encoding, {"general": {"positionEncodings": [encoding]}})
    assert shared.encoding == encoding
    yield shared
    shared.settle()


@pytest.fixture
def new_uri() -> NewUri:
    """A function that gives URIs of plans, no two alike, in folders that do not exist."""

    def new(name: str = "S001-PLAN.md") -> str:
        return f"file:///no-such-folder/{next(_numbers)}/{name}"

    return new


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one slice and the source that it cites; `slice_plan` names the plan in it."""
    return make_project(tmp_path.resolve() / "project")


def make_project(root: Path) -> Path:
    """Make a project; gives its root."""
    plan = slice_plan(root)
    plan.parent.mkdir(parents=True)
    plan.write_text(PLAN, encoding="utf-8")
    (root / "app").mkdir()
    (root / "app" / "ShareSegmentAction.php").write_text(SOURCE, encoding="utf-8")
    return root


def slice_plan(root: Path) -> Path:
    """The plan of a project that `make_project` made."""
    return root / ".nubos-pilot" / "milestones" / "M001" / "slices" / "S001" / "S001-PLAN.md"
