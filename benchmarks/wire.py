"""The smallest client that speaks LSP over pipes: blocking, without an event loop, so that its own cost is small.

It knows nothing about the server behind it: the floor and nubos-lsp are measured through the same code.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FLOOR: Sequence[str] = (sys.executable, "-m", "benchmarks.empty_server")
OURS: Sequence[str] = (sys.executable, "-m", "nubos_lsp", "serve")
CAPABILITIES: Mapping[str, object] = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {"publishDiagnostics": {"relatedInformation": True, "versionSupport": True}},
}
_PATIENCE = 900.0


class Ended(Exception):
    """The server closed its end, or was stopped because a whole measurement took longer than 15 minutes."""


def environment() -> dict[str, str]:
    """Return this process's environment with the repository importable, and compiled modules kept as on any machine."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**inherited, "PYTHONPATH": path}


def frame(message: Mapping[str, object]) -> bytes:
    """Return `message` as it goes over the wire."""
    body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


@contextmanager
def running(command: Sequence[str], folder: Path) -> Iterator[Wire]:
    """Run a server in `folder` and give the pipes to it; afterwards it is gone, whatever happened."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=environment(),
    )
    watch = threading.Timer(_PATIENCE, process.kill)
    watch.daemon = True
    watch.start()
    try:
        yield Wire(process, folder)
    finally:
        watch.cancel()
        process.kill()
        process.communicate()


class Wire:
    """The pipes to a running server."""

    def __init__(self, process: subprocess.Popen[bytes], folder: Path) -> None:
        self._process = process
        self._folder = folder
        self._last_id = 0
        self._clock = _cpu_clock(process.pid)

    def cpu(self) -> float:
        """Return the CPU time of the server's process so far, all threads, in seconds."""
        return time.clock_gettime(self._clock)

    def initialize(self) -> dict[str, Any]:
        """Initialise with the capabilities of a client that only takes pushed diagnostics; return the answer."""
        uri = self._folder.as_uri()
        parameters = {
            "processId": os.getpid(),
            "rootUri": uri,
            "workspaceFolders": [{"uri": uri, "name": self._folder.name}],
            "capabilities": CAPABILITIES,
        }
        result: dict[str, Any] = self.request("initialize", parameters)
        self.notify("initialized", {})
        return result

    def open(self, uri: str, text: str) -> dict[str, Any]:
        """Open a document at version 1 and return its first publish."""
        item = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return self.published(1)

    def request(self, method: str, parameters: object) -> Any:
        """Send a request and return its result; whatever comes before the answer is passed over."""
        self._last_id += 1
        self.write(frame({"id": self._last_id, "method": method, "params": parameters}))
        while True:
            message = self.read()
            if message.get("id") == self._last_id and "method" not in message:
                return message.get("result")

    def notify(self, method: str, parameters: object) -> None:
        """Send a notification."""
        self.write(frame({"method": method, "params": parameters}))

    def published(self, version: int) -> dict[str, Any]:
        """Read until the diagnostics of `version` are there and return the notification's parameters."""
        while True:
            message = self.read()
            if message.get("method") == "textDocument/publishDiagnostics":
                parameters: dict[str, Any] = message["params"]
                if parameters.get("version") == version:
                    return parameters

    def write(self, data: bytes) -> None:
        """Write finished frames."""
        assert self._process.stdin is not None
        self._process.stdin.write(data)
        self._process.stdin.flush()

    def read(self) -> dict[str, Any]:
        """Read the next message; a request of the server is answered with null on the way."""
        message: dict[str, Any] = json.loads(self._body())
        if "method" in message and "id" in message:
            self.write(frame({"id": message["id"], "result": None}))
        return message

    def _body(self) -> bytes:
        assert self._process.stdout is not None
        length = 0
        while line := self._process.stdout.readline():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
            elif line == b"\r\n":
                return self._process.stdout.read(length)
        raise Ended("the server closed its output")


def _cpu_clock(pid: int) -> int:
    clock = ctypes.c_int()
    if error := ctypes.CDLL(None).clock_getcpuclockid(pid, ctypes.byref(clock)):
        raise OSError(error, os.strerror(error))
    return clock.value
