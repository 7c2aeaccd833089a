"""The messages that wait for the loop. Filled by the reader's thread, emptied by the loop, in order of arrival.

Because all that has arrived lies here, the loop can see what comes: a burst of edits is checked once, at its last
edit, and a request whose cancellation already waits behind it is never run.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import TypeVar

from nubos_lsp.lsp.messages import Incoming, Notification, Request, Signal, key

_K = TypeVar("_K")

_CANCEL = "$/cancelRequest"
_DID_CHANGE = "textDocument/didChange"


class Inbox:
    """`wake` is called, on the filling thread, when messages wait and the loop has been told that none did."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._lock = threading.Lock()
        self._messages: deque[Incoming] = deque()
        self._changes: Counter[str] = Counter()
        self._cancelled: Counter[tuple[str, object]] = Counter()
        self._idle = True

    def __len__(self) -> int:
        return len(self._messages)

    def push(self, messages: Iterable[Incoming]) -> None:
        """Appends messages; for the reader's thread."""
        with self._lock:
            for message in messages:
                self._messages.append(message)
                self._count(message, 1)
            wake = self._idle and bool(self._messages)
            self._idle = self._idle and not wake
        if wake:
            self._wake()

    def pop(self) -> Incoming:
        """The oldest message; `Signal.EMPTY` if none waits, after which the next `push` wakes the loop again."""
        with self._lock:
            if not self._messages:
                self._idle = True
                return Signal.EMPTY
            message = self._messages.popleft()
            self._count(message, -1)
            return message

    def pending_changes(self, uri: str) -> int:
        """How many edits of the document wait behind the message at hand."""
        with self._lock:
            return self._changes[uri]

    def is_cancelled(self, message: Request) -> bool:
        """Whether the client has taken the request back while it waited."""
        with self._lock:
            return self._cancelled[key(message.id)] > 0

    def _count(self, message: Incoming, by: int) -> None:
        if not isinstance(message, Notification):
            return
        if message.method == _DID_CHANGE:
            _add(self._changes, _changed_uri(message.params), by)
        elif message.method == _CANCEL:
            _add(self._cancelled, cancelled_key(message.params), by)


def cancelled_key(params: object) -> tuple[str, object] | None:
    """The key of the request that a $/cancelRequest means; None if it names none."""
    message_id = params.get("id") if isinstance(params, dict) else None
    return key(message_id) if isinstance(message_id, (int, float, str)) else None


def _changed_uri(params: object) -> str | None:
    document = params.get("textDocument") if isinstance(params, dict) else None
    uri = document.get("uri") if isinstance(document, dict) else None
    return uri if isinstance(uri, str) else None


def _add(counter: Counter[_K], item: _K | None, by: int) -> None:
    if item is None:
        return
    counter[item] += by
    if not counter[item]:
        del counter[item]
