"""Bytes to and from the client: standard input and output, or one TCP connection for debugging.

stdout belongs to the protocol. `standard_channel` takes both standard streams away from everybody else: afterwards
what is printed goes to stderr, and child processes inherit neither of the two pipes.
"""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import logging
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from typing import NamedTuple

from nubos_lsp.lsp.frames import FrameDecoder
from nubos_lsp.lsp.inbox import Inbox
from nubos_lsp.lsp.messages import Signal, decode

logger = logging.getLogger(__name__)

_CHUNK = 64 * 1024


class Channel(NamedTuple):
    """`read(size)` blocks for at least one byte and gives none at the end; `write` may take less than all."""

    read: Callable[[int], bytes]
    write: Callable[[memoryview], int]


class FrameWriter:
    """Writes whole frames, from any thread. Raises OSError when the client is gone."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._lock = threading.Lock()

    def write(self, data: bytes) -> None:
        rest = memoryview(data)
        with self._lock:
            while rest:
                rest = rest[self._channel.write(rest) :]

    def close(self) -> None:
        """Nothing is buffered, and the process's end closes the stream."""


def start_reading(channel: Channel, inbox: Inbox, ended: Callable[[], None]) -> None:
    """Reads messages into the inbox on a thread of its own, which never keeps the process alive.

    `Signal.END` is the last thing pushed; `ended` is called, on that thread, right after it.
    """
    threading.Thread(target=_read, args=(channel, inbox, ended), name="reader", daemon=True).start()


def _read(channel: Channel, inbox: Inbox, ended: Callable[[], None]) -> None:
    decoder = FrameDecoder()
    # The loop may be closed while the last bytes come in.
    with contextlib.suppress(RuntimeError):
        try:
            for data in _chunks(channel):
                inbox.push([decode(body) for body in decoder.feed(data)])
        finally:
            inbox.push([Signal.END])
    if decoder.in_message:
        logger.info("the input ended inside a message")
    ended()


def _chunks(channel: Channel) -> Iterator[bytes]:
    with contextlib.suppress(OSError):
        while data := channel.read(_CHUNK):
            yield data


def standard_channel() -> Channel:
    """The process's own stdin and stdout, taken over for the protocol. To be called once, before anything prints."""
    source, target = os.dup(0), os.dup(1)
    for descriptor in (source, target):
        _prepare(descriptor)
    _replace_input()
    _replace_output()
    sys.stdout = sys.stderr
    return Channel(lambda size: os.read(source, size), lambda data: os.write(target, data))


def _prepare(descriptor: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(descriptor, os.O_BINARY)
    else:
        # A parent may have left its end of a shared stream non-blocking.
        os.set_blocking(descriptor, True)


def _replace_input() -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)


def _replace_output() -> None:
    try:
        os.dup2(2, 1)
    except OSError:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.close(nothing)


def loopback(host: str) -> str:
    """The host as an address of this machine. Raises OSError for anything that others could reach; asks no resolver."""
    address = "127.0.0.1" if host.lower() == "localhost" else host
    try:
        if ipaddress.ip_address(address).is_loopback:
            return address
    except ValueError:
        pass
    raise OSError(errno.EADDRNOTAVAIL, f"{host!r} is not this machine alone (127.0.0.1, ::1 or localhost)")


@contextlib.contextmanager
def tcp_channel(host: str, port: int) -> Iterator[Channel]:
    """Waits for one client. The port (chosen by the system if 0) is told on stderr."""
    address = loopback(host)
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.create_server((address, port), family=family) as listener:
        sys.stderr.write(f"listening on {address}:{listener.getsockname()[1]}\n")
        sys.stderr.flush()
        connection = _accept(listener)
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield Channel(connection.recv, connection.send)


def _accept(listener: socket.socket) -> socket.socket:
    # A blocking accept cannot be interrupted on Windows.
    listener.settimeout(0.5)
    while True:
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            continue
        connection.setblocking(True)
        return connection
