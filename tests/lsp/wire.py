"""A client of raw bytes: starts a server, writes whatever a test likes, and keeps every byte that comes back.

Everything is waited for, nothing slept for. On leaving the `with` block each byte of stdout must have belonged to a
frame, and no request may have been answered twice.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

ROOT = Path(__file__).resolve().parents[2]
SERVER = (sys.executable, "-m", "nubos_lsp", "serve")
PROBE = (sys.executable, str(ROOT / "tests" / "lsp" / "probe_server.py"))

PATIENCE = 30.0
_HEADER = b"Content-Length: "


def body(message: object) -> bytes:
    """The JSON of a message."""
    return json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")


def framed(content: bytes) -> bytes:
    """Any bytes as a frame."""
    return b"%b%d\r\n\r\n%b" % (_HEADER, len(content), content)


def environment() -> dict[str, str]:
    """This process's variables, with the repository importable."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path}


class Refusal:
    """Stands in `Wire.replies` for an error instead of a result."""


class Wire:
    """A running server. `replies`: results (or a Refusal) for the server's requests by method; null for the others."""

    def __init__(
        self,
        command: Sequence[str] = SERVER,
        cwd: Path | None = None,
        replies: Mapping[str, object] | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.messages: list[Json] = []
        self.replies = dict(replies or {})
        self._raw = bytearray()
        self._errors = bytearray()
        self._asked: list[object] = []
        self._last_id = 0
        self._news = threading.Condition()
        self._ended = False
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            cwd=cwd,
            bufsize=0,
            env={**environment(), **(variables or {})},
        )
        self._threads = [threading.Thread(target=target, daemon=True) for target in (self._read, self._read_errors)]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        self._close()
        if kind is None:
            self.check()

    # To the server

    def write(self, data: bytes) -> None:
        """Write bytes as they are; a server that is gone is passed over."""
        assert self.process.stdin
        rest = memoryview(data)
        with contextlib.suppress(OSError):
            while rest:
                rest = rest[self.process.stdin.write(rest) :]

    def send(self, *messages: object) -> None:
        """Send messages, each in a frame, in one write."""
        self.write(b"".join(framed(body(message)) for message in messages))

    def notify(self, method: str, params: object = None) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: object = None) -> int:
        """Send a request and give its id."""
        self._last_id += 1
        self.send({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params})
        return self._last_id

    def call(self, method: str, params: object = None) -> Json:
        """Send a request and wait for its response."""
        return self.response(self.request(method, params))

    def initialize(self, capabilities: Json | None = None, **params: object) -> Json:
        """The whole handshake; gives the result of `initialize`."""
        given = {"processId": None, "rootUri": None, "capabilities": capabilities or {}, **params}
        result: Json = self.call("initialize", given)["result"]
        self.notify("initialized", {})
        return result

    def close_input(self) -> None:
        """Close the server's stdin."""
        assert self.process.stdin
        self.process.stdin.close()

    # From the server

    def wait(self, wanted: Callable[[Json], bool], patience: float = PATIENCE) -> Json:
        """The first message that is wanted, whether it has come already or comes yet."""
        return self.wait_many(wanted, 1, patience)[0]

    def wait_many(self, wanted: Callable[[Json], bool], count: int, patience: float = PATIENCE) -> list[Json]:
        """The first `count` messages that are wanted."""
        end = time.monotonic() + patience
        with self._news:
            while len(found := [message for message in self.messages if wanted(message)]) < count:
                rest = end - time.monotonic()
                if rest <= 0 or self._ended:
                    raise AssertionError(f"{len(found)} of {count} came: {self.messages}\n{self.errors}")
                self._news.wait(rest)
            return found[:count]

    def response(self, message_id: object, patience: float = PATIENCE) -> Json:
        """The response to a request, which has exactly this id: 1, 1.0 and "1" are three."""
        return self.wait(lambda message: _answers(message, message_id), patience)

    def notification(self, method: str) -> Json:
        """The first notification of a method."""
        return self.wait(lambda message: message.get("method") == method)

    def exit_code(self, patience: float = PATIENCE) -> int:
        """Wait for the server's end."""
        return self.process.wait(patience)

    def shut_down(self) -> int:
        """Leave politely; the exit code."""
        self.call("shutdown")
        self.notify("exit")
        return self.exit_code()

    @property
    def raw(self) -> bytes:
        """Every byte of stdout so far."""
        return bytes(self._raw)

    @property
    def errors(self) -> str:
        """What came on stderr so far."""
        return bytes(self._errors).decode(errors="replace")

    def check(self) -> None:
        """Raise if a byte of stdout belongs to no frame, or a request has two responses."""
        frames, rest = parse(self.raw)
        assert not rest, f"no frame: {rest[:200]!r}"
        ids = Counter(repr(frame["id"]) for frame in frames if "method" not in frame and frame.get("id") is not None)
        assert not [message_id for message_id, count in ids.items() if count > 1], ids

    def _read(self) -> None:
        assert self.process.stdout
        seen = 0
        while data := self.process.stdout.read(1 << 16):
            self._raw += data
            messages, rest = parse(bytes(self._raw[seen:]))
            seen = len(self._raw) - len(rest)
            # Before the message is told: whoever waits for it may send something that must come behind the reply.
            for message in messages:
                self._reply(message)
            with self._news:
                self.messages += messages
                self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()

    def _read_errors(self) -> None:
        assert self.process.stderr
        while data := self.process.stderr.read(1 << 16):
            self._errors += data

    def _reply(self, message: Json) -> None:
        if "method" not in message or "id" not in message:
            return
        reply = self.replies.get(message["method"])
        if isinstance(reply, Refusal):
            self.send({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32603, "message": "no"}})
        else:
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": reply})

    def _close(self) -> None:
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream
            stream.close()


def parse(data: bytes) -> tuple[list[Json], bytes]:
    """The messages of whole frames, and the bytes behind the last one. Strict: it starts with a frame or gives up."""
    messages: list[Json] = []
    while data.startswith(_HEADER):
        header, separator, content = data.partition(b"\r\n\r\n")
        length = int(header[len(_HEADER) :].partition(b"\r\n")[0]) if separator else 0
        if not separator or len(content) < length:
            break
        messages.append(json.loads(content[:length]))
        data = content[length:]
    return messages, data


def _answers(message: Json, message_id: object) -> bool:
    if "method" in message or "id" not in message:
        return False
    return type(message["id"]) is type(message_id) and message["id"] == message_id
