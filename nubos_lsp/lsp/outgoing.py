"""Messages out: notifications, requests with their replies, and errors. Plain wire values pass through untouched.

lsprotocol's objects are converted wherever they stand; a plain value costs only its JSON.
"""

from __future__ import annotations

import asyncio
import json
import logging
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from cattrs import Converter
from pygls.protocol import LanguageServerProtocol

from nubos_lsp.lsp.frames import frame
from nubos_lsp.lsp.messages import MessageId, Response

if TYPE_CHECKING:
    from nubos_lsp.lsp.base import NubosServer

logger = logging.getLogger(__name__)


class State(Enum):
    """Where the server is in its life."""

    NEW = "before initialize"
    RUNNING = "between initialize and shutdown"
    SHUT_DOWN = "after shutdown"


class Reply(NamedTuple):
    """The client's answer to a request of ours. `error` is None if it succeeded; a refusal is no exception."""

    result: Any
    error: object = None


class Outgoing(LanguageServerProtocol):
    """The sending half of the protocol. Not thread-safe: to be used on the loop's thread."""

    _server: NubosServer

    def __init__(self, server: NubosServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self.state = State.NEW
        self._encode = json.JSONEncoder(
            check_circular=False, separators=(",", ":"), default=self._serialize_message
        ).encode
        self._asked: dict[float, asyncio.Future[Reply]] = {}
        self._last_id = 0

    def notify(self, method: str, params: Any | None = None) -> None:
        """Send a notification. Plain values are written as they are; lsprotocol's objects are converted."""
        message = {"jsonrpc": "2.0", "method": method}
        self._send_data(message if params is None else {**message, "params": params})

    def request(self, method: str, params: Any | None = None) -> asyncio.Future[Reply]:
        """Send a request. The future gives a Reply, also when the client refuses; it never raises."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        if self.state is State.SHUT_DOWN or self.writer is None:
            future.set_result(Reply(None, "the server is shut down"))
            return future
        self._last_id += 1
        self._asked[self._last_id] = future
        message = {"jsonrpc": "2.0", "id": self._last_id, "method": method}
        self._send_data(message if params is None else {**message, "params": params})
        return future

    def send_request(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        """pygls' own way to ask, which raises in a callback when the client refuses. `request` stands for it."""
        raise RuntimeError("use request")

    def _receive_response(self, response: Response) -> None:
        is_number = isinstance(response.id, (int, float)) and not isinstance(response.id, bool)
        future = self._asked.pop(response.id, None) if is_number else None  # type: ignore[call-overload]
        if future and not future.done():
            future.set_result(Reply(response.result, response.error))

    def _refuse(self, message_id: MessageId | None, code: int, text: str) -> None:
        self._send_data({"jsonrpc": "2.0", "id": message_id, "error": {"code": code, "message": text}})

    def _send_data(self, data: Any) -> None:
        """Write one message. Raises TypeError or ValueError if it is no JSON; a client that is gone ends the server."""
        body = self._encode(data).encode()
        if self.writer is None:
            return
        try:
            self.writer.write(frame(body))
        except OSError as error:
            logger.info("the client is gone: %s", error)
            self.writer = None
            self._server.stop()
