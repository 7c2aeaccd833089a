"""One client's session: what it opened, what it can do, and when its findings are told.

All methods run on the loop's thread. An edit is checked at once, unless another edit of the same document already
waits (the last of a burst is checked) or checks of this document have become slow (they then wait for a pause).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, Protocol, TypeVar

from nubos_lsp.host import Host
from nubos_lsp.lsp.client import Client
from nubos_lsp.lsp.closed_plans import ClosedPlan, ClosedPlans
from nubos_lsp.lsp.convert import Json, Malformed, from_changes, text_document, version_of
from nubos_lsp.lsp.diagnostics import DiagnosticShape, to_diagnostic
from nubos_lsp.lsp.uris import file_path
from nubos_lsp.lsp.workspace_folders import Folders
from nubos_lsp.rules.catalogue import all_rules
from nubos_lsp.rules.engine import Failure, Outcome
from nubos_lsp.text.encoding import PositionEncoding
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.facts import Answers, Computation, FileQuestion, SourceFile
from nubos_lsp.workspace.settings import Settings
from nubos_lsp.workspace.snapshot import Snapshot
from nubos_lsp.world.files import project_root, real_path

logger = logging.getLogger(__name__)
T = TypeVar("T")

_CHEAP = 0.008  # Seconds. A check below this is never felt; above it, edits that come quickly share one.
_LONGEST_PAUSE = 0.5

_ERROR, _WARNING = 1, 2


class Wire(Protocol):
    """What a session needs of the server that carries it."""

    def send_notification(self, method: str, params: Json) -> None:
        """Send a notification with plain wire values."""

    async def ask(self, method: str, params: Json | None) -> Any:
        """Send a request; gives the client's result, None when it refuses or is gone."""

    def request(self, method: str, params: Json | None = None) -> object:
        """Send a request whose result does not matter."""

    async def create_progress(self, token: str) -> bool:
        """Ask the client for a progress token; False when it refuses."""

    def changes_waiting(self, uri: str) -> bool:
        """Whether further edits of this document have arrived and wait."""


class Session:
    """The state of one client, from `initialize` on."""

    def __init__(self, wire: Wire, client: Client) -> None:
        self.wire = wire
        self.client = client
        self.encoding = PositionEncoding(client.encoding)
        self.shape = DiagnosticShape.of(client)
        self.pulls = client.supports("textDocument.diagnostic")
        self.folders = Folders(client.roots)
        self.host = Host(all_rules())
        self._costs: dict[str, tuple[float, ...]] = {}  # Seconds of the last two checks: one slow one may be chance.
        self._pauses: dict[str, asyncio.TimerHandle] = {}
        self._results: dict[str, tuple[Document, Settings, str]] = {}
        self._result_number = 0
        self.closed_plans = ClosedPlans(lambda uri: self._send(uri, None, []))
        self._told: set[str] = set()
        self.progress: dict[str | int, bool] = {}  # The tokens of what runs, and whether the person has stopped it.
        self.configure(client.options)

    # Documents

    def open(self, params: object) -> None:
        """didOpen. Raises Malformed."""
        document = text_document(params)
        uri, text = document["uri"], document.get("text")
        if not isinstance(text, str):
            raise Malformed("textDocument.text must be a string")
        kind = self.folders.kind_of(uri, self.host.settings)
        self.closed_plans.opened(uri, is_plan=kind is not None)
        self.host.open(uri, version_of(document), text, kind)
        self.settle(uri)
        # Reading all of a plan says nothing about what an edit of it will cost.
        self._costs.pop(uri, None)

    def change(self, params: object) -> None:
        """didChange; a document that is not open is passed over. Raises Malformed, and then changes nothing."""
        document = text_document(params)
        uri = document["uri"]
        try:
            changes = from_changes(params.get("contentChanges") if isinstance(params, dict) else None)
            self.host.change(uri, version_of(document), changes, self.encoding)
        finally:
            self.settle(uri)

    def close(self, params: object) -> None:
        """didClose: what was told of the document is taken back. Raises Malformed."""
        uri = text_document(params)["uri"]
        self._cancel_pause(uri)
        self._costs.pop(uri, None)
        self._results.pop(uri, None)
        document = self.host.close(uri)
        self.closed_plans.closed(uri)
        if document and document.kind and not self.pulls:
            self._send(uri, None, [])

    # Findings

    def settle(self, uri: str) -> None:
        """Tell the findings of a document: now, when that is quick and nothing newer waits, else soon."""
        document = self.host.document(uri)
        if not document or not document.kind or self.pulls or self.wire.changes_waiting(uri):
            return
        cost = min(self._costs.get(uri, (0.0,)))
        if cost < _CHEAP:
            self._publish(uri)
        else:
            self._cancel_pause(uri)
            pause = min(cost, _LONGEST_PAUSE)
            self._pauses[uri] = asyncio.get_running_loop().call_later(pause, self._publish, uri)

    def diagnostics(self, document: Document) -> list[Json]:
        """The findings of a document as diagnostics; a rule that failed is logged, and told once."""
        return self._told_diagnostics(document, self.host.check(document))

    def _told_diagnostics(self, document: Document, outcome: Outcome) -> list[Json]:
        for failure in outcome.failures:
            self._tell_failure(failure)
        return [to_diagnostic(document, finding, self.shape) for finding in outcome.findings]

    def pull(self, uri: str, previous: object) -> Json:
        """The answer to `textDocument/diagnostic`."""
        document = self.host.document(uri)
        if not document or not document.kind:
            return {"kind": "full", "items": []}
        known = self._results.get(uri)
        if known and known[0] is document and known[1] is self.host.settings and known[2] == previous:
            return {"kind": "unchanged", "resultId": previous}
        self._result_number += 1
        result = str(self._result_number)
        self._results[uri] = (document, self.host.settings, result)
        return {"kind": "full", "resultId": result, "items": self.diagnostics(document)}

    def push_from_disk(self, plan: ClosedPlan, document: Document, outcome: Outcome) -> None:
        """Tell the findings of a plan that is not open; they are withdrawn when it is opened."""
        self.closed_plans.told(plan, document.uri)
        self._send(document.uri, None, self._told_diagnostics(document, outcome))

    def change_folders(self, added: Collection[str], removed: Collection[str]) -> None:
        """Take over opened and closed folders: what was told of projects that are gone is taken back."""
        before = self._roots()
        self.folders.change(added, removed)
        roots = self._roots()
        if before - roots:
            self.closed_plans.end_runs()
            self.closed_plans.keep_projects(roots)
        self.refresh()

    def _roots(self) -> set[Path]:
        return {real_path(project_root(start)) for start in self.starts}

    @property
    def starts(self) -> tuple[Path, ...]:
        """The workspace's folders and the open plans: what they lie in are the projects of this session."""
        opened = (file_path(document.uri) for document in self.host.documents if document.kind)
        return (*self.folders, *(path for path in opened if path))

    def refresh(self) -> None:
        """Something that all findings depend on has changed."""
        plans = {document.uri for document in self.host.documents if document.kind}
        self.host.classify(lambda uri: self.folders.kind_of(uri, self.host.settings))
        if not self.pulls:
            for document in self.host.documents:
                if document.kind:
                    self.settle(document.uri)
                elif document.uri in plans:
                    self._send(document.uri, document.version, [])
        elif self.client.supports("workspace.diagnostics.refreshSupport"):
            self.wire.request("workspace/diagnostic/refresh")

    def _publish(self, uri: str) -> None:
        self._cancel_pause(uri)
        document = self.host.document(uri)
        if not document:
            return
        start = time.thread_time()
        diagnostics = self.diagnostics(document)
        self._costs[uri] = (*self._costs.get(uri, (0.0,))[-1:], time.thread_time() - start)
        self._send(uri, document.version, diagnostics)

    def _send(self, uri: str, version: int | None, diagnostics: list[Json]) -> None:
        params: Json = {"uri": uri, "diagnostics": diagnostics}
        if version is not None:
            params["version"] = version
        self.wire.send_notification("textDocument/publishDiagnostics", params)

    def _cancel_pause(self, uri: str) -> None:
        pause = self._pauses.pop(uri, None)
        if pause:
            pause.cancel()

    # Settings

    def configure(self, value: object) -> bool:
        """Take over settings; what is no object changes nothing. True when they differ from those before."""
        settings, problems = Settings.from_json(value)
        for problem in problems:
            self.tell(problem)
        changed = isinstance(value, dict) and settings != self.host.settings
        if changed:
            self.host.settings = settings
            self.closed_plans.expire()
        return changed

    # Features

    async def compute(self, uri: str, function: Callable[[Snapshot], T]) -> T | None:
        """Run a feature on the newest version of an open plan; None when it is not open or no plan.

        Files are read off the loop. Raises ContentModified when the document changed meanwhile: the client's positions
        mean another text by then.
        """
        document = self.host.document(uri)
        if not document or not document.kind:
            return None
        project = self.folders.project_of(uri)
        value = await _completed(self.host.compute(document, function), project.answer if project else _nothing)
        if self.host.document(uri) is not document:
            raise ContentModified
        return value

    # Messages to the person

    def tell(self, message: str, kind: int = _WARNING) -> None:
        """Show a message, each text once a session."""
        if message not in self._told:
            self._told.add(message)
            self.wire.send_notification("window/showMessage", {"type": kind, "message": f"nubos: {message}"})

    def _tell_failure(self, failure: Failure) -> None:
        logger.error("the rule %s failed", failure.rule, exc_info=failure.error)
        self.tell(f"the rule {failure.rule} failed; its findings are missing. The log has the details.", _ERROR)


class ContentModified(Exception):
    """The document changed while an answer about it was computed."""


def _nothing(_: FileQuestion) -> None:
    """The answer of a world without a project."""


async def _completed(computation: Computation[T], answer: Callable[[FileQuestion], SourceFile | None]) -> T:
    """The value of a computation, its questions answered on another thread."""
    loop = asyncio.get_running_loop()
    answers: Answers | None = None
    while True:
        try:
            questions = next(computation) if answers is None else computation.send(answers)
        except StopIteration as done:
            value: T = done.value
            return value
        answers = await loop.run_in_executor(None, _answers, questions, answer)


def _answers(
    questions: tuple[FileQuestion, ...], answer: Callable[[FileQuestion], SourceFile | None]
) -> dict[FileQuestion, SourceFile | None]:
    return {question: answer(question) for question in questions}
