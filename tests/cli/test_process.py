"""The command as a process: what only a real one can get wrong."""

from __future__ import annotations

import json
import os
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import CLAIM, CLEAN, write

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "nubos_lsp")
POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")


def environment(**more: str) -> dict[str, str]:
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONUTF8", "PYTHONIOENCODING")}
    return {**kept, "PYTHONPATH": path, **more}


def ended(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments], cwd=folder, env=environment(**more), capture_output=True, check=False, timeout=60
    )


def shell(folder: Path, script: str) -> subprocess.CompletedProcess[bytes]:
    lint = shlex.join(COMMAND) + " lint"
    return subprocess.run(
        ["/bin/sh", "-c", script.replace("LINT", lint)],
        cwd=folder,
        env=environment(),
        capture_output=True,
        check=False,
        timeout=60,
    )


def test_a_plan_is_linted(tmp_path: Path) -> None:
    write(tmp_path, {"S001-PLAN.md": CLAIM})
    done = ended(tmp_path, "lint", "S001-PLAN.md")
    assert (done.returncode, done.stderr) == (2, b"")
    assert b"S001-PLAN.md:1:1 critical" in done.stdout


def test_output_is_utf_8_whatever_the_locale(tmp_path: Path) -> None:
    write(tmp_path, {"S001-PLAN.md": "Mirror `Größe🙂`.\n"})
    done = ended(tmp_path, "lint", "S001-PLAN.md", LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    assert "Mirror `Größe🙂`." in done.stdout.decode()


@POSIX
def test_a_name_that_is_no_text_is_told(tmp_path: Path) -> None:
    done = subprocess.run(
        [*map(os.fsencode, COMMAND), b"lint", b"\xff.md", b"--format=json"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert "\udcff.md" in json.loads(done.stderr.decode())["error"]["message"]


@POSIX
def test_a_reader_that_leaves_ends_it_quietly(tmp_path: Path) -> None:
    write(tmp_path, {"S001-PLAN.md": "".join(f"Mirror `Foo{number}`.\n" for number in range(2000))})
    done = shell(tmp_path, "{ LINT S001-PLAN.md; echo code $? >&2; } | head -n 1")
    assert done.stdout.startswith(b"S001-PLAN.md:1:1 critical")
    assert done.stderr == b"code 141\n"


@POSIX
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told(tmp_path: Path) -> None:
    write(tmp_path, {"S001-PLAN.md": CLEAN})
    done = shell(tmp_path, "LINT S001-PLAN.md > /dev/full")
    assert done.returncode == 1
    assert done.stderr.startswith(b"system-error: No space left on device")
    assert done.stderr.count(b"\n") == 1


@POSIX
@pytest.mark.parametrize("closed", [">&-", "<&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_do_not_matter(tmp_path: Path, closed: str) -> None:
    write(tmp_path, {"S001-PLAN.md": CLAIM})
    done = shell(tmp_path, f"LINT S001-PLAN.md {closed}")
    assert (done.returncode, done.stderr) == (2, b"")


def test_linting_loads_no_server(tmp_path: Path) -> None:
    write(tmp_path, {"S001-PLAN.md": CLAIM})
    script = (
        "import sys; from nubos_lsp.cli.main import main; main(['lint', 'S001-PLAN.md']);"
        "print(*sorted({'pygls', 'lsprotocol', 'asyncio', 'argparse', 'json', 'nubos_lsp.lsp'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment(), capture_output=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[-1] == b""


@pytest.mark.parametrize(
    "arguments", [(), ("--stdio",), ("serve",), ("serve", "--stdio"), ("--clientProcessId=1", "--stdio")]
)
def test_editors_get_a_server(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}).encode()
    message = b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=tmp_path,
        env=environment(),
        input=message,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.stdout.startswith(b"Content-Length: ")
    assert b'"capabilities"' in done.stdout


def test_an_address_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = ended(tmp_path, "serve", "--tcp", f"127.0.0.1:{taken.getsockname()[1]}")
    assert done.returncode == 1
    assert done.stderr.startswith(b"cannot-listen: cannot listen on 127.0.0.1:")


@POSIX
def test_a_closed_standard_input_is_no_clean_plan(tmp_path: Path) -> None:
    done = shell(tmp_path, "LINT - <&-")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"standard input is closed" in done.stderr


@POSIX
def test_a_current_directory_that_is_gone(tmp_path: Path) -> None:
    """What does not need it goes on; what does says so."""
    write(tmp_path, {"S001-PLAN.md": CLAIM, "gone/x": ""})
    leave = f"cd {shlex.quote(str(tmp_path / 'gone'))} && rm -r ../gone && "
    done = shell(tmp_path, leave + f"LINT {shlex.quote(str(tmp_path / 'S001-PLAN.md'))}")
    assert (done.returncode, done.stderr) == (2, b"")
    write(tmp_path, {"gone/x": ""})
    done = shell(tmp_path, leave + "printf 'Mirror `FooBar`.' | LINT -")
    assert (done.returncode, done.stderr) == (2, b"")
    write(tmp_path, {"gone/x": ""})
    done = shell(tmp_path, leave + "LINT --milestone M001")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"the current directory is gone" in done.stderr
