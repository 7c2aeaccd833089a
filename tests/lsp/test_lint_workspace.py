"""Runs of `nubos.lintWorkspace` that overlap with other things, each step held until the test lets it go."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from nubos_lsp.lsp.client import Client
from nubos_lsp.lsp.closed_plans import ClosedPlan
from nubos_lsp.lsp.features import lint_workspace
from nubos_lsp.lsp.session import Session

CLAIM = "Mirror `Foo`.\n"
CLEAN = "Nothing.\n"
PATIENCE = 20


class Wire:
    """A client that keeps what it is shown."""

    def __init__(self) -> None:
        self.shown: dict[str, int] = {}

    def send_notification(self, method: str, params: dict[str, Any]) -> None:
        if method == "textDocument/publishDiagnostics":
            self.shown[params["uri"]] = len(params["diagnostics"])

    async def ask(self, method: str, params: dict[str, Any] | None) -> Any:
        raise AssertionError(method, params)

    def request(self, method: str, params: dict[str, Any] | None = None) -> object:
        raise AssertionError(method, params)

    async def create_progress(self, token: str) -> bool:
        raise AssertionError(token)

    def changes_waiting(self, uri: str) -> bool:
        del uri
        return False


class Hold:
    """Holds the first check of a plan from disk, after it was read, until `release` is set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self.release = threading.Event(), threading.Event()
        self._checked = lint_workspace._checked
        monkeypatch.setattr(lint_workspace, "_checked", self._held)

    def _held(self, session: Session, plan: ClosedPlan) -> Any:
        try:
            return self._checked(session, plan)
        finally:
            if not self.reached.is_set():
                self.reached.set()
                assert self.release.wait(PATIENCE)

    async def is_reached(self) -> None:
        assert await asyncio.to_thread(self.reached.wait, PATIENCE)


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    """The only plan of a project."""
    path = tmp_path / ".nubos-pilot/milestones/M001/M001-PLAN.md"
    path.parent.mkdir(parents=True)
    path.write_text(CLAIM, encoding="utf-8")
    return path


@pytest.fixture
def hold(monkeypatch: pytest.MonkeyPatch) -> Hold:
    return Hold(monkeypatch)


def session_of(plan: Path) -> tuple[Session, Wire]:
    wire = Wire()
    return Session(wire, Client({"rootUri": plan.parents[3].as_uri()})), wire


def test_an_older_run_that_ends_last_tells_nothing(plan: Path, hold: Hold) -> None:
    async def scenario() -> None:
        session, wire = session_of(plan)
        older = asyncio.create_task(lint_workspace.run(session, {}))
        await hold.is_reached()
        plan.write_text(CLEAN, encoding="utf-8")
        newer = await lint_workspace.run(session, {})
        hold.release.set()
        assert (newer["findings"], newer["cancelled"]) == (0, False)
        assert (await older)["cancelled"] is True
        assert wire.shown == {plan.as_uri(): 0}

    asyncio.run(scenario())


def test_an_older_run_that_could_not_read_takes_nothing_back(plan: Path, hold: Hold) -> None:
    async def scenario() -> None:
        session, wire = session_of(plan)
        plan.write_bytes(b"\xff")
        older = asyncio.create_task(lint_workspace.run(session, {}))
        await hold.is_reached()
        plan.write_text(CLAIM, encoding="utf-8")
        await lint_workspace.run(session, {})
        hold.release.set()
        await older
        assert wire.shown == {plan.as_uri(): 1}

    asyncio.run(scenario())


def test_a_plan_that_was_opened_and_closed_meanwhile_is_read_again(plan: Path, hold: Hold) -> None:
    async def scenario() -> None:
        session, wire = session_of(plan)
        run = asyncio.create_task(lint_workspace.run(session, {}))
        await hold.is_reached()
        document = {"uri": plan.as_uri(), "languageId": "markdown", "version": 1, "text": CLAIM}
        session.open({"textDocument": document})
        plan.write_text(CLEAN, encoding="utf-8")
        session.close({"textDocument": document})
        hold.release.set()
        assert (await run)["findings"] == 0
        assert wire.shown == {plan.as_uri(): 0}

    asyncio.run(scenario())


def test_what_changes_nothing_ends_no_run(plan: Path, hold: Hold) -> None:
    """Nor is a run cancelled that had nothing left to do."""

    async def scenario() -> None:
        session, wire = session_of(plan)
        run = asyncio.create_task(lint_workspace.run(session, {"workDoneToken": "t"}))
        await hold.is_reached()
        session.change_folders(added=(), removed=("file:///no-such-folder",))
        lint_workspace.cancel(session, {"token": "t"})
        hold.release.set()
        assert (await run)["cancelled"] is False
        assert wire.shown == {plan.as_uri(): 1}

    asyncio.run(scenario())


def test_edits_go_on_while_a_plan_is_checked(plan: Path, hold: Hold) -> None:
    async def scenario() -> None:
        session, wire = session_of(plan)
        run = asyncio.create_task(lint_workspace.run(session, {}))
        await hold.is_reached()
        document = {"uri": "untitled:S001-PLAN.md", "languageId": "markdown", "version": 1, "text": CLAIM}
        session.open({"textDocument": document})
        assert wire.shown == {"untitled:S001-PLAN.md": 1}
        assert not run.done()
        hold.release.set()
        await run

    asyncio.run(scenario())
