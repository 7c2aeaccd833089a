"""Cold starts, in pairs: `lint` of one plan against `python -c pass`, and `initialize` against the empty server."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from benchmarks.figures import judged
from benchmarks.plans import plan
from benchmarks.wire import FLOOR, OURS, environment, running

_NOTHING = (sys.executable, "-c", "pass")
_LINT = (sys.executable, "-m", "nubos_lsp", "lint")
_LINT_BOUND = 5.0
_INITIALIZE_BOUND = 1.2
_FINDINGS_STAND = 2


def run(command: Sequence[str], folder: Path) -> float:
    """Return the seconds that a command takes from start to end; it may find something, but must not fail."""
    start = time.perf_counter()
    code = subprocess.run(command, cwd=folder, env=environment(), stdout=subprocess.DEVNULL, check=False).returncode
    seconds = time.perf_counter() - start
    if code not in (0, _FINDINGS_STAND):
        raise RuntimeError(f"{' '.join(command)} ended with {code}")
    return seconds


def initialize(command: Sequence[str], folder: Path) -> float:
    """Return the seconds from the start of a server until it has answered `initialize`."""
    start = time.perf_counter()
    with running(command, folder) as wire:
        wire.initialize()
        return time.perf_counter() - start


def pairs(first: Callable[[], float], second: Callable[[], float], count: int) -> tuple[float, float]:
    """Run both in turn, `count` times, and return their medians; the first pair only warms the caches."""
    samples = [(first(), second()) for _ in range(count + 1)][1:]
    ones, others = zip(*samples, strict=True)
    return median(ones), median(others)


def _line(title: str, floor: float, ours: float, bound: float) -> str:
    return f"{title:24} floor {1000 * floor:4.0f} ms  ours {1000 * ours:4.0f} ms  {judged(ours / floor, bound)}"


def main() -> None:
    """Measure both and print a line each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cold")
    parser.add_argument("--pairs", type=int, default=15, help="runs of each side")
    parser.add_argument("--lines", type=int, default=200, help="length of the plan")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "S011-PLAN.md"
        path.write_text(plan(options.lines), encoding="utf-8")
        lint = (*_LINT, path.name)
        floor, ours = pairs(lambda: run(_NOTHING, folder), lambda: run(lint, folder), options.pairs)
        print(_line("lint, cold", floor, ours, _LINT_BOUND))
        floor, ours = pairs(lambda: initialize(FLOOR, folder), lambda: initialize(OURS, folder), options.pairs)
        print(_line("initialize answered", floor, ours, _INITIALIZE_BOUND))


if __name__ == "__main__":
    main()
