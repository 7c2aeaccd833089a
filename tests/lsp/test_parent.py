"""The server ends when the process that the client named is gone, while its stdin stays open."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from nubos_lsp.lsp.parent import watch
from tests.lsp.wire import PROBE, Wire


@pytest.fixture
def parent() -> Iterator[subprocess.Popen[bytes]]:
    """A process that lives until its stdin is closed. It stays a zombie until the test ends."""
    with subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        yield process
        process.kill()


def watched(process_id: int | None) -> threading.Event:
    gone = threading.Event()
    watch(process_id, gone.set, 0.01)
    return gone


def test_the_end_of_a_process_is_seen_although_it_is_a_zombie(parent: subprocess.Popen[bytes]) -> None:
    gone = watched(parent.pid)
    assert not gone.wait(0.05)
    parent.kill()
    assert gone.wait(10)


def test_a_process_that_is_gone_already(parent: subprocess.Popen[bytes]) -> None:
    parent.kill()
    parent.wait()
    assert watched(parent.pid).wait(10)


@pytest.mark.parametrize("process_id", [None, 0, -1, 2**40, 10**30, os.getpid()])
def test_nobody_is_watched(process_id: int | None) -> None:
    before = threading.active_count()
    watched(process_id)
    assert threading.active_count() == before


@pytest.mark.parametrize(("shut_down", "expected"), [(False, 1), (True, 0)])
def test_the_server_ends_with_its_parent(parent: subprocess.Popen[bytes], shut_down: bool, expected: int) -> None:
    with Wire(PROBE) as wire:
        wire.initialize(processId=parent.pid)
        if shut_down:
            wire.call("shutdown")
        parent.kill()
        assert wire.exit_code() == expected
        assert not wire.errors


def test_the_server_is_not_its_own_parent() -> None:
    with Wire(PROBE) as wire:
        wire.initialize(processId=wire.process.pid)
        assert wire.call("probe/echo", [1])["result"] == [1]
        assert wire.shut_down() == 0
