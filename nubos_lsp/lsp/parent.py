"""Watching the process that the client names in `initialize`: when it is gone, so is the reason to live.

A thread looks, not the loop: a loop that is stuck writing to a dead client must end as well.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

# Seconds between two looks: a few seconds' life after the parent are allowed, waking up an idle machine is not free.
INTERVAL = 1.0


def watch(process_id: int | None, gone: Callable[[], None], interval: float = INTERVAL) -> None:
    """Calls `gone` once, on a thread of its own, after the process has ended.

    Nothing is watched for None, for what cannot be a process's id and for our own process, which one editor gives.
    """
    if process_id is None or not 0 < process_id < 2**31 or process_id == os.getpid():
        return
    threading.Thread(target=_wait, args=(process_id, gone, interval), name="parent", daemon=True).start()


def _wait(process_id: int, gone: Callable[[], None], interval: float) -> None:
    wait_for_end(process_id, interval)
    gone()


if sys.platform == "win32":

    def wait_for_end(process_id: int, interval: float) -> None:
        """Returns when the process has ended; never if it may not be watched."""
        import ctypes

        synchronize, invalid_parameter, timeout = 0x00100000, 87, 0x102
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenProcess.restype = ctypes.c_void_p
        kernel.WaitForSingleObject.argtypes = (ctypes.c_void_p, ctypes.c_uint32)
        handle = kernel.OpenProcess(synchronize, False, process_id)
        if handle:
            while kernel.WaitForSingleObject(handle, int(interval * 1000)) == timeout:
                pass
            kernel.CloseHandle(ctypes.c_void_p(handle))
        elif ctypes.get_last_error() != invalid_parameter:
            threading.Event().wait()

else:

    def wait_for_end(process_id: int, interval: float) -> None:
        """Returns when the process has ended, or its id belongs to another process."""
        pause = threading.Event()
        born = _birth(process_id)
        while is_alive(process_id) and _birth(process_id) == born:
            pause.wait(interval)

    def is_alive(process_id: int) -> bool:
        """Whether the process runs. A zombie does not: it waits for a parent that will never ask."""
        try:
            os.kill(process_id, 0)
        except PermissionError:
            return True
        except (OSError, OverflowError):
            return False
        fields = _stat(process_id)
        return not fields or fields[0] not in {"Z", "X"}

    def _birth(process_id: int) -> str:
        """The start time in the system's ticks; empty where the system does not tell."""
        fields = _stat(process_id)
        return fields[19] if len(fields) > 19 else ""

    def _stat(process_id: int) -> list[str]:
        """The fields of Linux' /proc/PID/stat behind the name, which may hold spaces and brackets itself."""
        try:
            text = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return []
        return text.rpartition(")")[2].split()
