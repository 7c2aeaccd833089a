"""The life cycle and the calls: which message may run now, what runs it, and the one answer each request gets.

pygls carries registration and lsprotocol the typed parameters; order, answers and errors are settled here, because
pygls leaves requests unanswered (bad parameters, after shutdown), serves them before `initialize`, and keeps its own
copy of each document. Errors go by the numbers of JSON-RPC and LSP: a handler raises a `JsonRpcException`, or an
exception that the server's `error_codes` lists; anything else is an internal error.

Not thread-safe: everything runs on the loop's thread.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from cattrs import Converter
from lsprotocol.types import METHOD_TO_TYPES
from pygls.exceptions import JsonRpcException

from nubos_lsp.lsp.client import Client
from nubos_lsp.lsp.inbox import cancelled_key
from nubos_lsp.lsp.messages import INVALID_REQUEST, Invalid, Message, Notification, Request, Response, key
from nubos_lsp.lsp.outgoing import Outgoing, State
from nubos_lsp.lsp.params import structure

if TYPE_CHECKING:
    from nubos_lsp.lsp.base import NubosServer

logger = logging.getLogger(__name__)

NOT_INITIALIZED = -32002
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
REQUEST_CANCELLED = -32800
CONTENT_MODIFIED = -32801


class NubosProtocol(Outgoing):
    """What is called with each message."""

    def __init__(self, server: NubosServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self._running: dict[tuple[str, object], asyncio.Future[Any]] = {}
        self._notified: set[asyncio.Future[Any]] = set()

    def _register_builtin_features(self) -> None:
        """None of pygls' own: they would keep a second copy of each document, and convert each edit for it."""

    @property
    def exit_code(self) -> int:
        """What the process is to end with if it ends now."""
        return 0 if self.state is State.SHUT_DOWN else 1

    # Messages in

    def receive(self, message: Message, cancelled: bool = False) -> None:
        """Handle one message. `cancelled`: the client has already taken this request back. Never raises."""
        match message:
            case Notification():
                self._receive_notification(message)
            case Request():
                self._receive_request(message, cancelled)
            case Response():
                self._receive_response(message)
            case Invalid():
                for message_id in message.ids:
                    self._refuse(message_id, message.code, message.reason)

    def close(self) -> None:
        """Stop what runs; nothing is sent any more."""
        self.writer = None
        for future in (*self._running.values(), *self._notified):
            future.cancel()

    def _receive_request(self, request: Request, cancelled: bool) -> None:
        refusal = self._refusal(request.method, cancelled)
        if refusal:
            self._refuse(request.id, *refusal)
        elif request.method == "initialize":
            self._initialize(request)
        elif request.method == "shutdown":
            self._shut_down(request)
        else:
            self._answer(request, self.fm.features[request.method])

    def _refusal(self, method: str, cancelled: bool) -> tuple[int, str] | None:
        """Why the request may not run at all, if so."""
        if self.state is State.SHUT_DOWN:
            return INVALID_REQUEST, "the server is shut down"
        if method == "initialize":
            return None if self.state is State.NEW else (INVALID_REQUEST, "the server is initialized already")
        if self.state is State.NEW:
            return NOT_INITIALIZED, "the server is not initialized yet"
        if cancelled and method != "shutdown":
            return REQUEST_CANCELLED, "the request was cancelled"
        if method != "shutdown" and (method not in self.fm.features or _is_notification(method)):
            return METHOD_NOT_FOUND, f"there is no request {method}"
        return None

    def _receive_notification(self, notification: Notification) -> None:
        method = notification.method
        if method == "exit":
            self._server.stop()
        elif method == "$/cancelRequest":
            self._cancel(notification.params)
        elif self.state is State.RUNNING and method in self.fm.features and not _is_request(method):
            self._notice(notification, self.fm.features[method])

    def _cancel(self, params: object) -> None:
        message_key = cancelled_key(params)
        future = self._running.get(message_key) if message_key else None
        if future:
            future.cancel()

    # Life cycle

    def _initialize(self, request: Request) -> None:
        params = request.params
        if not isinstance(params, dict) or not isinstance(params.get("capabilities"), dict):
            self._refuse(request.id, INVALID_PARAMS, "initialize: params.capabilities must be an object")
            return
        try:
            capabilities = self._server.begin(Client(params))
        except Exception as error:  # noqa: BLE001 - the dispatcher: one call's failure is its own
            self._fail(request, error)
            return
        self.state = State.RUNNING
        info = {"name": self._server.name, "version": self._server.version}
        self._respond(request, {"capabilities": capabilities, "serverInfo": info})

    def _shut_down(self, request: Request) -> None:
        self.state = State.SHUT_DOWN
        for future in self._running.values():
            future.cancel()
        self._answer(request, self.fm.features.get("shutdown", _nothing))

    # Running handlers

    def _answer(self, request: Request, handler: Callable[[Any], Any]) -> None:
        try:
            result = handler(structure(self._converter, request.method, request.params, self._server.plain))
        except Exception as error:  # noqa: BLE001 - the dispatcher: one call's failure is its own
            self._fail(request, error)
            return
        if not inspect.isawaitable(result):
            self._respond(request, result)
            return
        future = asyncio.ensure_future(result)
        self._running[key(request.id)] = future
        # A callback, not a try around an await: a task that is cancelled before its first step never enters one.
        future.add_done_callback(partial(self._answered, request))

    def _answered(self, request: Request, future: asyncio.Future[Any]) -> None:
        if self._running.get(key(request.id)) is future:
            del self._running[key(request.id)]
        if future.cancelled():
            self._refuse(request.id, REQUEST_CANCELLED, "the request was cancelled")
        elif (error := future.exception()) is not None:
            self._fail(request, error)
        else:
            self._respond(request, future.result())

    def _notice(self, notification: Notification, handler: Callable[[Any], Any]) -> None:
        try:
            result = handler(structure(self._converter, notification.method, notification.params, self._server.plain))
        except Exception as error:  # noqa: BLE001 - the dispatcher: one call's failure is its own
            self._fail(notification, error)
            return
        if inspect.isawaitable(result):
            future = asyncio.ensure_future(result)
            self._notified.add(future)
            future.add_done_callback(partial(self._noticed, notification))

    def _noticed(self, notification: Notification, future: asyncio.Future[Any]) -> None:
        self._notified.discard(future)
        if not future.cancelled() and (error := future.exception()) is not None:
            self._fail(notification, error)

    def _fail(self, call: Request | Notification, error: BaseException) -> None:
        """Answer with the error; one that nobody expected is logged, and told to the person once a kind."""
        code, text = self._code(error), str(error)
        if code is None:
            code, text = INTERNAL_ERROR, f"{type(error).__name__}: {error}"
            logger.error("%s failed", call.method, exc_info=error)
            self._server.tell_once(
                f"{call.method} {type(error).__name__}", f"{call.method} failed ({text}). The log has the details."
            )
        else:
            logger.info("%s: %s", call.method, text)
        if isinstance(call, Request):
            self._refuse(call.id, code, text)

    def _code(self, error: BaseException) -> int | None:
        if isinstance(error, JsonRpcException):
            return error.code
        codes = self._server.error_codes
        return next((codes[kind] for kind in type(error).__mro__ if kind in codes), None)

    def _respond(self, request: Request, result: object) -> None:
        try:
            self._send_data({"jsonrpc": "2.0", "id": request.id, "result": result})
        except Exception as error:  # noqa: BLE001 - a result that is no JSON; nothing has been sent of it
            self._fail(request, error)


def _nothing(_params: object) -> None:
    """The answer to `shutdown` where nobody has anything left to do."""


def _is_request(method: str) -> bool:
    return method in METHOD_TO_TYPES and METHOD_TO_TYPES[method][1] is not None


def _is_notification(method: str) -> bool:
    return method in METHOD_TO_TYPES and METHOD_TO_TYPES[method][1] is None
