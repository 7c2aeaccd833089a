"""A small editor: opens and edits buffers over the wire against a real server, and sees what a person would see.

It blocks, waits for conditions only, and keeps all that was said, so that `settle` can check the conditions that hold
in every scenario.
"""

from __future__ import annotations

import copy
import json
import os
import re
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.lsp.wire import PATIENCE, Refusal, Wire, body, framed
from tests.scenarios import conditions
from tests.scenarios.buffer import Buffer, Json

CLAIM = "pattern-claim-unverified"
PUBLISH = "textDocument/publishDiagnostics"
REFUSE_ALL: Mapping[str, object] = dict.fromkeys(
    (*conditions.WANTED, "client/registerCapability", "client/unregisterCapability"), Refusal()
)

_CAPABILITIES = Path(__file__).parent / "capabilities"
_TAB_STOP = re.compile(r"\$\{\d+:((?:[^\\}]|\\.)*)\}|\$\d+|\$\{\d+\}")
_ESCAPED = re.compile(r"\\([$}\\])")


def initialize_params(client: str, root: Path | None = None) -> Json:
    """What a real client sends in `initialize`, opened on a folder."""
    params: Json = json.loads((_CAPABILITIES / f"{client}.json").read_text(encoding="utf-8"))
    params["processId"] = os.getpid()
    if root is None:
        for name in ("rootUri", "rootPath", "workspaceFolders"):
            params.pop(name, None)
        return params
    params["rootUri"] = root.as_uri()
    if "rootPath" in params:
        params["rootPath"] = str(root)
    if "workspaceFolders" in params:
        params["workspaceFolders"] = [{"name": "root", "uri": root.as_uri()}]
    return params


class Editor(Wire):
    """A server with a client that has said `initialize` and `initialized`. Further `params` go into `initialize`."""

    def __init__(
        self, capabilities: Json | None = None, replies: Mapping[str, object] | None = None, **params: object
    ) -> None:
        self._writing = threading.Lock()
        self._sent: list[Json] = []
        self._drained = 0
        self._buffers: dict[str, Buffer] = {}
        self.capabilities = copy.deepcopy(capabilities or {})
        super().__init__(replies=replies)
        given = {"processId": None, "capabilities": self.capabilities, **params}
        self.announced: Json = self.result("initialize", given)["capabilities"]
        self.notify("initialized", {})
        self.encoding: str = self.announced.get("positionEncoding", "utf-16")

    @classmethod
    def like(cls, client: str, root: Path | None = None, replies: Mapping[str, object] | None = None) -> Editor:
        """An editor that can what a real one can."""
        params = initialize_params(client, root)
        return cls(replies=replies, **params)

    def __enter__(self) -> Editor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None and self.alive:
                self.settle()
        finally:
            super().__exit__(kind, error, trace)

    # Messages

    def write(self, data: bytes) -> None:
        """Write bytes as they are; also the reader's thread writes, its replies."""
        with self._writing:
            super().write(data)

    def send(self, *messages: object) -> None:
        """Send messages, each in a frame, in one write."""
        self._sent += [message for message in messages if isinstance(message, dict)]
        self.write(b"".join(framed(body(message)) for message in messages))

    def result(self, method: str, params: object = None) -> Any:
        """The result of a request that must not fail."""
        response = self.call(method, params)
        assert "result" in response, response
        return response["result"]

    def news(self, wanted: Callable[[Json], bool], since: int, patience: float = PATIENCE) -> Json:
        """The first message that is wanted, among those from number `since` on."""
        end = time.monotonic() + patience
        with self._news:
            while not (found := [message for message in self.messages[since:] if wanted(message)]):
                rest = end - time.monotonic()
                if rest <= 0 or self._ended:
                    raise AssertionError(f"it did not come: {self.messages[since:]}\n{self.errors}")
                self._news.wait(rest)
            return found[0]

    # Documents

    def open(self, text: str, uri: str, version: int = 1, language: str = "markdown") -> Buffer:
        """Open a document."""
        buffer = Buffer(uri, version, text, self.encoding)
        buffer.opened_at = len(self.messages)
        self._buffers[uri] = buffer
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return buffer

    def close(self, buffer: Buffer) -> None:
        """Close a document."""
        self._buffers.pop(buffer.uri, None)
        self.notify("textDocument/didClose", {"textDocument": buffer.identifier})

    def change(self, buffer: Buffer, *changes: Json, version: int | None = None) -> None:
        """Send changes; the buffer's text is the caller's to keep in step."""
        buffer.version = buffer.version + 1 if version is None else version
        identifier = {"uri": buffer.uri, "version": buffer.version}
        self.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": list(changes)})

    def edit(self, buffer: Buffer, start: int, end: int, text: str) -> None:
        """Replace the text between two offsets, incrementally."""
        change = {"range": buffer.range(start, end), "text": text}
        buffer.text = buffer.text[:start] + text + buffer.text[end:]
        self.change(buffer, change)

    def replace(self, buffer: Buffer, old: str, new: str) -> None:
        """Replace the first place of a text, incrementally."""
        start = buffer.text.index(old)
        self.edit(buffer, start, start + len(old), new)

    def insert(self, buffer: Buffer, before: str, text: str) -> None:
        """Type a text before the first place of another; "" stands for the end."""
        start = buffer.text.index(before) if before else len(buffer.text)
        self.edit(buffer, start, start, text)

    def rewrite(self, buffer: Buffer, text: str) -> None:
        """Replace the whole text at once."""
        buffer.text = text
        self.change(buffer, {"text": text})

    # What a person sees

    def publishes(self, uri: str) -> list[Json]:
        """All publishes for a URI so far."""
        params = [message["params"] for message in list(self.messages) if message.get("method") == PUBLISH]
        return [each for each in params if each["uri"] == uri]

    def findings(self, buffer: Buffer, patience: float = PATIENCE) -> list[Json]:
        """The diagnostics of the buffer's version: asked for where the server offers that, else the last pushed."""
        if "diagnosticProvider" in self.announced:
            asked = self.request("textDocument/diagnostic", {"textDocument": buffer.identifier})
            items: list[Json] = self.response(asked, patience)["result"]["items"]
            return items

        def wanted(message: Json) -> bool:
            params = message.get("params")
            return (
                message.get("method") == PUBLISH
                and isinstance(params, dict)
                and params["uri"] == buffer.uri
                and params.get("version") == buffer.version
            )

        self.news(wanted, buffer.opened_at, patience)
        *_, last = (each for each in self.publishes(buffer.uri) if each.get("version") == buffer.version)
        diagnostics: list[Json] = last["diagnostics"]
        return diagnostics

    def claims(self, buffer: Buffer, patience: float = PATIENCE) -> list[str]:
        """What the claims that nothing covers cover of the text: a wrong column shows as a wrong word."""
        found = self.findings(buffer, patience)
        return [buffer.covered(finding["range"]) for finding in found if finding["code"] == CLAIM]

    def actions(self, buffer: Buffer, range_: Json, **context: object) -> list[Json]:
        """The code actions for a range; without a context, one with no diagnostics."""
        params = {"textDocument": buffer.identifier, "range": range_, "context": {"diagnostics": [], **context}}
        actions: list[Json] = self.result("textDocument/codeAction", params)
        return actions

    def definition(self, buffer: Buffer, position: Json) -> list[Json]:
        """The places that a position leads to; none is an empty list."""
        answer = self.result("textDocument/definition", {"textDocument": buffer.identifier, "position": position})
        return answer if isinstance(answer, list) else [] if answer is None else [answer]

    def apply(self, buffer: Buffer, action: Json) -> None:
        """Apply an action as an editor does, and tell the server of it."""
        self.change(buffer, *buffer.apply(edits(action, buffer)))

    def settle(self) -> None:
        """Let the server finish, close what is open, and check what holds in every scenario."""
        self.drain()
        for buffer in list(self._buffers.values()):
            self.close(buffer)
        self.drain()
        self.check()
        conditions.check(conditions.Spoken(self.capabilities, tuple(self._sent), tuple(self.messages)))

    def drain(self, patience: float = PATIENCE) -> None:
        """Wait until every request has its response, so that all that was sent before has been handled."""
        self.request("$/anything")
        sent, self._drained = self._sent[self._drained :], len(self._sent)
        for message in sent:
            if "method" in message and "id" in message:
                self.response(message["id"], patience)

    @property
    def alive(self) -> bool:
        """Whether the server still runs."""
        return self.process.poll() is None


def edits(action: Json, buffer: Buffer) -> list[Json]:
    """The text edits of an action, all of them in this buffer; snippets with their placeholders as text."""
    edit = action["edit"]
    if "documentChanges" in edit:
        (change,) = edit["documentChanges"]
        assert change["textDocument"]["uri"] == buffer.uri
        assert change["textDocument"]["version"] in (None, buffer.version)
        return [_plain(each) for each in change["edits"]]
    assert list(edit["changes"]) == [buffer.uri]
    found: list[Json] = edit["changes"][buffer.uri]
    return found


def _plain(edit: Json) -> Json:
    if "snippet" not in edit:
        return edit
    text = _TAB_STOP.sub(lambda stop: stop[1] or "", edit["snippet"]["value"])
    return {"range": edit["range"], "newText": _ESCAPED.sub(r"\1", text)}
