"""The server without features: wiring of transport, protocol and session, and the ways to end.

A subclass says what a session is and what is announced; features register with `on` and `on_command`. Everything but
the reader and the watch of the parent process runs on the loop's thread, in the order in which messages arrived.
"""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from nubos_lsp.lsp.client import Client
from nubos_lsp.lsp.inbox import Inbox
from nubos_lsp.lsp.messages import Request, Signal
from nubos_lsp.lsp.outgoing import Reply, State
from nubos_lsp.lsp.params import lazy_converter
from nubos_lsp.lsp.parent import watch
from nubos_lsp.lsp.protocol import NubosProtocol
from nubos_lsp.lsp.transport import Channel, FrameWriter, standard_channel, start_reading, tcp_channel

Handler: TypeAlias = Callable[[Any, Any], Any]
"""`(session, params) → result`, or a coroutine function of that form; a notification's result is dropped."""

_ERROR = 1
_COMMAND = "workspace/executeCommand"


class NubosServer(LanguageServer):
    """One client's server. `error_codes`: what exceptions of handlers mean on the wire, subclasses included."""

    protocol: NubosProtocol

    grace = 5.0
    """Seconds from the client's end to the process's, if a handler, a full pipe or a thread of the pool holds it up."""

    def __init__(self, name: str, version: str, error_codes: Mapping[type[BaseException], int] | None = None) -> None:
        super().__init__(name, version, protocol_cls=NubosProtocol, converter_factory=lazy_converter)
        self.error_codes = dict(error_codes or {})
        self.plain: set[str] = set()
        self.session: Any = None
        self.inbox = Inbox(self._wake)
        self._commands: dict[str, Handler] = {}
        self._told: set[str] = set()

    # To be overridden

    def open_session(self, client: Client) -> Any:
        """The session that handlers get, made once by `initialize`; by default just the client."""
        return client

    def capabilities(self, client: Client) -> dict[str, Any]:
        """The ServerCapabilities for this client, as plain wire values. Called after `open_session`."""
        return {"positionEncoding": client.encoding}

    # Registration

    def on(self, method: str, handler: Handler, *, plain: bool = False) -> None:
        """Let the handler serve a request or notification. Raises if the method has one.

        `plain` parameters come as the wire's dict, only checked to be one; others as lsprotocol's object.
        `initialized`, `shutdown` (before its answer) and methods of our own can be handled too.
        """

        def bound(params: Any) -> Any:
            return handler(self.session, params)

        self.feature(method)(bound)
        if plain:
            self.plain.add(method)

    def on_command(self, name: str, handler: Handler) -> None:
        """Let the handler run a command. It gets the parameters of `workspace/executeCommand` as the wire's dict."""
        if not self._commands:
            self.on(_COMMAND, self._execute, plain=True)
        self._commands[name] = handler

    @property
    def commands(self) -> tuple[str, ...]:
        """The names of all commands, to be announced."""
        return tuple(self._commands)

    def _execute(self, session: Any, params: dict[str, Any]) -> Any:
        name, arguments = params.get("command"), params.get("arguments")
        handler = self._commands.get(name) if isinstance(name, str) else None
        if handler is None:
            raise JsonRpcInvalidParams(f"there is no command {name!r:.80}")
        if arguments is not None and not isinstance(arguments, list):
            raise JsonRpcInvalidParams("arguments must be a list")
        return handler(session, params)

    # What a session needs of its server

    def send_notification(self, method: str, params: Any = None) -> None:
        """Send a notification; plain wire values are the quick way."""
        self.protocol.notify(method, params)

    def request(self, method: str, params: Any = None) -> asyncio.Future[Reply]:
        """Send a request. The future need not be awaited, and never raises."""
        return self.protocol.request(method, params)

    async def ask(self, method: str, params: Any = None) -> Any:
        """Send a request; gives the client's result, None when it refuses or is gone."""
        reply = await self.protocol.request(method, params)
        return reply.result if reply.error is None else None

    async def create_progress(self, token: str) -> bool:
        """Ask the client for a progress token; False when it refuses. Only for clients that show progress."""
        reply = await self.protocol.request("window/workDoneProgress/create", {"token": token})
        return reply.error is None

    def changes_waiting(self, uri: str) -> bool:
        """Whether further edits of this document have arrived and wait."""
        return self.inbox.pending_changes(uri) > 0

    def tell_once(self, kind: str, message: str) -> None:
        """Show an error to the person, once for each kind, and only to a client that is there to show it."""
        if kind not in self._told and self.protocol.state is State.RUNNING:
            self._told.add(kind)
            self.send_notification("window/showMessage", {"type": _ERROR, "message": f"nubos: {message}"})

    # Life

    def serve_stdio(self) -> int:
        """Serve over this process's stdin and stdout until the client is gone; the exit code."""
        return asyncio.run(self._serve(standard_channel()))

    def serve_tcp(self, host: str, port: int) -> int:
        """Serve one client that connects to this address; the exit code.

        Raises OSError if nobody can listen there, also for a host that is not this machine alone.
        """
        with tcp_channel(host, port) as channel:
            return asyncio.run(self._serve(channel))

    def stop(self) -> None:
        """End serving, with the exit code that the state asks for."""
        if not self._stopped.done():
            self._stopped.set_result(self.protocol.exit_code)

    def begin(self, client: Client) -> dict[str, Any]:
        """Open the session for `initialize`; what is announced to the client."""
        self.session = self.open_session(client)
        capabilities = self.capabilities(client)
        self.process_id = client.process_id
        watch(client.process_id, self._client_gone)
        return capabilities

    async def _serve(self, channel: Channel) -> int:
        self._loop = asyncio.get_running_loop()
        self._stopped: asyncio.Future[int] = self._loop.create_future()
        self.protocol.set_writer(FrameWriter(channel))
        # What is imported stays: the collector need not look at it again at each full collection.
        gc.freeze()
        start_reading(channel, self.inbox, self._end_soon)
        try:
            return await self._stopped
        finally:
            self.protocol.close()
            self._end_soon()

    def _wake(self) -> None:
        self._loop.call_soon_threadsafe(self._next)

    def _next(self) -> None:
        """Handle the oldest message. One each round of the loop: tasks go on between them, in order."""
        message = self.inbox.pop()
        if message is Signal.EMPTY or self._stopped.done():
            return
        if isinstance(message, Signal):
            self.stop()
            return
        try:
            cancelled = isinstance(message, Request) and self.inbox.is_cancelled(message)
            self.protocol.receive(message, cancelled)
        finally:
            self._loop.call_soon(self._next)

    def _client_gone(self) -> None:
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.stop)
        self._end_soon()

    def _end_soon(self) -> None:
        """End the process in any case, after a time in which it should have ended by itself."""
        timer = threading.Timer(self.grace, lambda: os._exit(self.protocol.exit_code))
        timer.daemon = True
        timer.start()
