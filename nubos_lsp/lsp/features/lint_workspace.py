"""The command `nubos.lintWorkspace`: lints every plan of the workspace, with progress where the client shows it."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path
from typing import Any

from nubos_lsp.lsp.closed_plans import ClosedPlan
from nubos_lsp.lsp.convert import Json
from nubos_lsp.lsp.session import Session
from nubos_lsp.lsp.uris import file_uri
from nubos_lsp.rules.base import Severity
from nubos_lsp.rules.engine import Outcome
from nubos_lsp.workspace.document import Document
from nubos_lsp.world.files import PlanUnreadable, all_plans, project_root, read_plan, real_path

COMMAND = "nubos.lintWorkspace"

_LARGEST = 10_000_000  # Bytes. A hundred times the largest plan known; the command line takes more.


async def run(session: Session, params: Any) -> Json:
    """Lint all plans and tell the findings of those that are not open; open ones are told already.

    Returns `{files, findings, critical, unreadable, cancelled}`: how many of each, and whether it ended early because a
    person stopped it, a newer run began, or folders or settings changed.
    """
    number = session.closed_plans.begin_run()
    progress = await _Progress.begin(session, params.get("workDoneToken"))
    stopped = False
    totals = {"files": 0, "findings": 0, "critical": 0, "unreadable": 0}
    try:
        plans = await asyncio.get_running_loop().run_in_executor(None, _plans, session.starts)
        if session.closed_plans.is_latest(number):
            session.closed_plans.keep(plans)
        for index, plan in enumerate(plans):
            stopped = progress.cancelled or not session.closed_plans.is_latest(number)
            if stopped:
                break
            progress.report(index, len(plans), plan.path.name)
            await _lint(session, plan, number, totals)
        return {**totals, "cancelled": stopped or not session.closed_plans.is_latest(number)}
    finally:
        progress.end(f"{totals['findings']} findings in {totals['files']} plans")


def cancel(session: Session, params: Any) -> None:
    """`window/workDoneProgress/cancel`: stop after the plan at hand."""
    token = params.get("token")
    if isinstance(token, (str, int)) and token in session.progress:
        session.progress[token] = True


def _plans(starts: tuple[Path, ...]) -> list[ClosedPlan]:
    """The plans of all projects, each file once, by the first of several ways to it."""
    roots: dict[Path, Path] = {}
    for root in map(project_root, starts):
        roots.setdefault(real_path(root), root)
    plans: dict[Path, ClosedPlan] = {}
    for real, root in roots.items():
        for path in all_plans(root):
            file = real_path(path)
            # A link out of its project may not be read that way, but its file may be a plan of another.
            if file not in plans or not plans[file].file.is_relative_to(plans[file].root):
                plans[file] = ClosedPlan(real, path, file)
    return list(plans.values())


async def _lint(session: Session, plan: ClosedPlan, number: int, totals: dict[str, int]) -> None:
    try:
        outcome = await _outcome(session, plan, number)
    except PlanUnreadable as error:
        totals["unreadable"] += 1
        if session.closed_plans.is_latest(number):
            session.closed_plans.withdraw(plan)
        session.tell(f"{plan.path.name} was left out: {error}")
        return
    totals["files"] += 1
    totals["findings"] += len(outcome.findings)
    totals["critical"] += sum(finding.severity is Severity.CRITICAL for finding in outcome.findings)


async def _outcome(session: Session, plan: ClosedPlan, number: int) -> Outcome:
    """The findings of a plan. They are told when it is not open, is still what was read, and no newer run began."""
    while True:
        opened = _opened(session, plan)
        if opened:
            return session.host.check(opened)
        closings = session.closed_plans.closings(plan)
        document, outcome = await asyncio.get_running_loop().run_in_executor(None, _checked, session, plan)
        if not session.closed_plans.is_latest(number):
            return outcome
        if closings == session.closed_plans.closings(plan) and not _opened(session, plan):
            session.push_from_disk(plan, document, outcome)
            return outcome


def _opened(session: Session, plan: ClosedPlan) -> Document | None:
    documents = map(session.host.document, session.closed_plans.open_uris(plan))
    return next((document for document in documents if document and document.kind), None)


def _checked(session: Session, plan: ClosedPlan) -> tuple[Document, Outcome]:
    """A plan from disk and its findings. On another thread: a plan of megabytes takes seconds, and edits go on."""
    text = read_plan(plan.path, plan.root, _LARGEST)
    uri = file_uri(plan.path)
    document = Document.open(uri, None, text, session.folders.kind_of(uri, session.host.settings))
    return document, session.host.check(document)


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
