"""Frames from bytes, the inbox, and what only a real process shows: streams, their end, and who may use stdout."""

from __future__ import annotations

import re
import socket
import subprocess
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nubos_lsp.lsp.frames import LONGEST_BODY, LONGEST_LINE, FrameDecoder, frame
from nubos_lsp.lsp.inbox import Inbox
from nubos_lsp.lsp.messages import Incoming, Notification, Request, Signal
from nubos_lsp.lsp.transport import Channel, FrameWriter, loopback, start_reading
from tests.lsp.wire import PROBE, ROOT, Wire, body, environment, framed, parse


def decoded(*pieces: bytes) -> list[bytes]:
    decoder = FrameDecoder()
    return [content for piece in pieces for content in decoder.feed(piece)]


@given(st.lists(st.binary(max_size=40), max_size=5), st.lists(st.integers(0, 300), max_size=10))
def test_frames_survive_any_split(bodies: list[bytes], cuts: list[int]) -> None:
    data = b"".join(frame(content) for content in bodies)
    edges = [0, *sorted(cuts), len(data)]
    assert decoded(*(data[start:end] for start, end in pairwise(edges))) == bodies


@given(st.binary(max_size=300))
def test_any_bytes_are_survived(data: bytes) -> None:
    decoded(data)


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: 2\r\n\r\n",
        b"content-length:2\r\n\r\n",
        b"CONTENT-LENGTH: \t2 \r\n\r\n",
        b"Content-Length: 2\n\n",
        b"garbage\r\nContent-Length: 2\r\nmore: garbage\r\n\r\n",
        b"\r\n\r\nContent-Length: 2\r\n\r\n",
        b"Content-Length: two\r\n\r\nContent-Length: 2\r\n\r\n",
        b"Content-Length: -7\r\n\r\n{}Content-Length: 2\r\n\r\n",
        b"Content-Length: %d\r\n\r\nContent-Length: 2\r\n\r\n" % (LONGEST_BODY + 1),
        b"Content-Length: 99999999999999999999999999\r\n\r\nContent-Length: 2\r\n\r\n",
        b"x" * (LONGEST_LINE + 10) + b"Content-Length: 2\r\n\r\n",
    ],
)
def test_a_length_is_found_in_odd_headers(header: bytes) -> None:
    assert decoded(header + b"{}") == [b"{}"]


def test_an_empty_body_is_a_body() -> None:
    assert decoded(frame(b"")) == [b""]


def test_a_line_without_end_takes_no_memory() -> None:
    decoder = FrameDecoder()
    for _ in range(100):
        assert list(decoder.feed(b"x" * LONGEST_LINE)) == []
    assert len(decoder._buffer) <= 2 * LONGEST_LINE


def test_the_decoder_knows_whether_it_is_in_a_message() -> None:
    for data in (b"Content-", b"Content-Length: 5\r\n", b"Content-Length: 5\r\n\r\n", b"Content-Length: 5\r\n\r\n{"):
        decoder = FrameDecoder()
        list(decoder.feed(data))
        assert decoder.in_message
    decoder = FrameDecoder()
    assert list(decoder.feed(frame(b"{}"))) == [b"{}"]
    assert not decoder.in_message


def change(uri: object) -> Notification:
    return Notification("textDocument/didChange", {"textDocument": {"uri": uri}})


def cancel(message_id: object) -> Notification:
    return Notification("$/cancelRequest", {"id": message_id})


def test_the_inbox_keeps_the_order_and_wakes_once() -> None:
    wakes: list[int] = []
    inbox = Inbox(lambda: wakes.append(1))
    messages: list[Incoming] = [Notification(str(number), None) for number in range(5)]
    inbox.push(messages[:2])
    inbox.push(messages[2:])
    assert [inbox.pop() for _ in messages] == messages
    assert len(wakes) == 1
    assert inbox.pop() is Signal.EMPTY
    inbox.push([])
    assert len(wakes) == 1
    inbox.push([Signal.END])
    assert len(wakes) == 2


def test_the_inbox_counts_the_edits_behind_the_one_at_hand() -> None:
    inbox = Inbox(lambda: None)
    inbox.push([change("a"), change("b"), change("a"), change(None), Notification("textDocument/didChange", 7)])
    inbox.pop()
    assert (inbox.pending_changes("a"), inbox.pending_changes("b"), inbox.pending_changes("c")) == (1, 1, 0)
    inbox.pop()
    inbox.pop()
    assert (inbox.pending_changes("a"), inbox.pending_changes("b")) == (0, 0)


def test_the_inbox_knows_the_requests_that_are_taken_back() -> None:
    inbox = Inbox(lambda: None)
    inbox.push([cancel(2), Request(1, "x", None), cancel(1), cancel(None), cancel([]), cancel("1"), Request(2, "x", 0)])
    inbox.pop()
    request = inbox.pop()
    assert isinstance(request, Request)
    assert inbox.is_cancelled(request)
    assert inbox.is_cancelled(Request("1", "x", None))
    assert not inbox.is_cancelled(Request(1.0, "x", None))
    assert not inbox.is_cancelled(Request(2, "x", None))


def test_short_writes_are_continued() -> None:
    written = bytearray()

    def write(data: memoryview) -> int:
        written.extend(data[:3])
        return len(data[:3])

    FrameWriter(Channel(lambda _: b"", write)).write(b"0123456789")
    assert written == b"0123456789"


def test_a_reader_that_fails_ends_the_input() -> None:
    def read(_: int) -> bytes:
        raise OSError

    ends: list[int] = []
    inbox = Inbox(lambda: None)
    start_reading(Channel(read, len), inbox, lambda: ends.append(1))
    end = time.monotonic() + 10
    while not ends and time.monotonic() < end:
        time.sleep(0.001)
    assert inbox.pop() is Signal.END


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "127.8.9.1", "::1"])
def test_loopback_hosts(host: str) -> None:
    assert loopback(host) in {"127.0.0.1", "127.8.9.1", "::1"}


@pytest.mark.parametrize("host", ["", "0.0.0.0", "::", "192.168.1.1", "example.org", "127.0.0.1.example.org", "1"])
def test_other_hosts_are_refused(host: str) -> None:
    with pytest.raises(OSError, match="not this machine alone"):
        loopback(host)


# Over real streams


def test_frames_byte_by_byte_and_many_in_one_write() -> None:
    with Wire(PROBE) as wire:
        for byte in framed(body({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}})):
            wire.write(bytes([byte]))
        assert "result" in wire.response(1)
        wire.send(*({"jsonrpc": "2.0", "id": number, "method": "probe/echo"} for number in range(2, 200)))
        for number in range(2, 200):
            wire.response(number)


def test_a_content_type_beside_the_length() -> None:
    first, second = (
        body({"jsonrpc": "2.0", "id": number, "method": "initialize", "params": {"capabilities": {}}})
        for number in (1, 2)
    )
    kind = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
    with Wire(PROBE) as wire:
        wire.write(b"Content-Length: %d\r\n%b\r\n%b" % (len(first), kind, first))
        assert "result" in wire.response(1)
        wire.write(b"%bContent-Length: %d\r\n\r\n%b" % (kind, len(second), second))
        assert "error" in wire.response(2)


@pytest.mark.parametrize("rest", [b"", b"Content-Length: 50\r\n", b'Content-Length: 50\r\n\r\n{"jsonrpc":'])
@pytest.mark.parametrize("initialized", [False, True])
def test_the_end_of_the_input_ends_the_server(rest: bytes, initialized: bool) -> None:
    with Wire(PROBE) as wire:
        if initialized:
            wire.initialize()
        wire.write(rest)
        wire.close_input()
        assert wire.exit_code(15) == 1
        assert not wire.errors


def test_what_came_before_the_end_of_the_input_is_answered() -> None:
    with Wire(PROBE) as wire:
        wire.send(
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}},
            {"jsonrpc": "2.0", "id": 2, "method": "shutdown"},
        )
        wire.close_input()
        assert wire.exit_code() == 0
        wire.response(2)


def test_a_handler_that_hangs_does_not_outlive_the_client() -> None:
    with Wire(PROBE) as wire:
        wire.initialize()
        wire.request("probe/hang")
        wire.close_input()
        assert wire.exit_code(10) == 1


def test_only_the_protocol_reaches_stdout() -> None:
    with Wire(PROBE) as wire:
        wire.initialize()
        assert wire.call("probe/noise")["result"] is None
        assert wire.shut_down() == 0
    assert {"printed", "written to 1", "child"} <= set(wire.errors.split("\n"))
    assert parse(wire.raw)[1] == b""


def test_a_client_that_closes_stdout_ends_the_server_quietly() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(PROBE, stdin=pipe, stdout=pipe, stderr=pipe, cwd=ROOT, env=environment()) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(framed(body({"jsonrpc": "2.0", "id": 1, "method": "shutdown"})))
        process.stdin.flush()
        assert process.wait(10) == 1
        assert process.stderr.read() == b""


def test_tcp_serves_one_client() -> None:
    with Wire((*PROBE, "--tcp")) as wire:
        while not (port := re.search(r"listening on 127\.0\.0\.1:(\d+)\n", wire.errors)):
            time.sleep(0.01)
        with socket.create_connection(("127.0.0.1", int(port[1]))) as connection:
            connection.sendall(
                framed(body({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}))
                + framed(body({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}))
                + framed(body({"jsonrpc": "2.0", "method": "exit"}))
            )
            received = b"".join(iter(lambda: connection.recv(4096), b""))
        assert [message["id"] for message in parse(received)[0]] == [1, 2]
        assert wire.exit_code() == 0
        assert wire.raw == b""
