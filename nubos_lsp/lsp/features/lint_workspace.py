"""The command `nubos.lintWorkspace`: lints every plan of the workspace, with progress where the client shows it."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path
from typing import Any, NamedTuple

from nubos_lsp.lsp.convert import Json
from nubos_lsp.lsp.session import Session
from nubos_lsp.lsp.uris import file_path, file_uri
from nubos_lsp.rules.base import Severity
from nubos_lsp.rules.engine import Outcome
from nubos_lsp.workspace.document import Document
from nubos_lsp.world.files import PlanUnreadable, all_plans, project_root, read_plan

COMMAND = "nubos.lintWorkspace"

_LARGEST = 10_000_000  # Bytes. A hundred times the largest plan known; the command line takes more.


async def run(session: Session, params: Any) -> Json:
    """Lint all plans and tell the findings of those that are not open; open ones are told already.

    Returns `{files, findings, critical, unreadable, cancelled}`: how many of each, and whether a person stopped it.
    """
    progress = await _Progress.begin(session, params.get("workDoneToken"))
    totals = {"files": 0, "findings": 0, "critical": 0, "unreadable": 0}
    try:
        plans = await asyncio.get_running_loop().run_in_executor(None, _plans, _starts(session))
        session.withdraw_others({plan.path for plan in plans})
        for index, plan in enumerate(plans):
            if progress.cancelled:
                break
            progress.report(index, len(plans), plan.path.name)
            await _lint(session, plan, totals)
        return {**totals, "cancelled": progress.cancelled}
    finally:
        progress.end(f"{totals['findings']} findings in {totals['files']} plans")


def cancel(session: Session, params: Any) -> None:
    """`window/workDoneProgress/cancel`: stop after the plan at hand."""
    token = params.get("token")
    if isinstance(token, (str, int)) and token in session.progress:
        session.progress[token] = True


def _starts(session: Session) -> tuple[Path, ...]:
    """The workspace's folders and the open plans: their projects are what is linted."""
    opened = (file_path(document.uri) for document in session.host.documents if document.kind)
    return (*session.folders, *(path for path in opened if path))


class _Plan(NamedTuple):
    root: Path
    path: Path


def _plans(starts: tuple[Path, ...]) -> list[_Plan]:
    roots = dict.fromkeys(project_root(start) for start in starts)
    return [_Plan(root, path) for root in roots for path in all_plans(root)]


async def _lint(session: Session, plan: _Plan, totals: dict[str, int]) -> None:
    opened = _opened(session, plan.path)
    try:
        outcome = session.host.check(opened) if opened else await _told(session, plan)
    except PlanUnreadable as error:
        totals["unreadable"] += 1
        session.withdraw(plan.path)
        session.tell(f"{plan.path.name} was left out: {error}")
        return
    totals["files"] += 1
    totals["findings"] += len(outcome.findings)
    totals["critical"] += sum(finding.severity is Severity.CRITICAL for finding in outcome.findings)


async def _told(session: Session, plan: _Plan) -> Outcome:
    """The findings of a plan on disk, told to the client unless the plan was opened meanwhile."""
    document, outcome = await asyncio.get_running_loop().run_in_executor(None, _checked, session, plan)
    if _opened(session, plan.path) is None:
        session.push_from_disk(document, outcome)
    return outcome


def _checked(session: Session, plan: _Plan) -> tuple[Document, Outcome]:
    """A plan from disk and its findings. On another thread: a plan of megabytes takes seconds, and edits go on."""
    text = read_plan(plan.path, plan.root, _LARGEST)
    uri = file_uri(plan.path)
    document = Document.open(uri, None, text, session.folders.kind_of(uri, session.host.settings))
    return document, session.host.check(document)


def _opened(session: Session, path: Path) -> Document | None:
    """The open document of a file, under whatever spelling of its URI the client has opened it."""
    return next((document for document in session.host.documents if file_path(document.uri) == path), None)


class _Progress:
    """Progress on one token; silent without one."""

    def __init__(self, session: Session, token: str | int | None) -> None:
        self._session = session
        self._token = token

    @classmethod
    async def begin(cls, session: Session, token: object) -> _Progress:
        """Use the client's token, else create one where the client can show progress."""
        known = token if isinstance(token, (str, int)) else None
        if known is None and session.client.supports("window.workDoneProgress"):
            created = str(uuid.uuid4())
            known = created if await session.wire.create_progress(created) else None
        progress = cls(session, known)
        if known is not None:
            session.progress[known] = False
        progress._send({"kind": "begin", "title": "nubos: linting plans", "percentage": 0, "cancellable": True})
        return progress

    @property
    def cancelled(self) -> bool:
        """Whether the person has stopped it."""
        return self._token is not None and self._session.progress.get(self._token, False)

    def report(self, done: int, total: int, name: str) -> None:
        """Tell how far it is."""
        self._send({"kind": "report", "message": name, "percentage": done * 100 // max(total, 1)})

    def end(self, message: str) -> None:
        """Tell that it is over; every begun progress is ended."""
        self._send({"kind": "end", "message": message})
        if self._token is not None:
            self._session.progress.pop(self._token, None)

    def _send(self, value: Json) -> None:
        if self._token is not None:
            self._session.wire.send_notification("$/progress", {"token": self._token, "value": value})
