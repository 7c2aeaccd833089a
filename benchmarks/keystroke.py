"""A keystroke, from the edit to the published findings, and the server's CPU time for it, against the floor.

Both servers run at the same time and get every edit one after the other, first this one, then that one, so that
whatever else the machine does hits both alike. Read the ratios; milliseconds are those of the machine at hand.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.figures import judged, percentile, table
from benchmarks.plans import plan, prose_line
from benchmarks.typing_session import keystrokes
from benchmarks.wire import FLOOR, OURS, Wire, frame, running

_WARM_UP = 30


@dataclass
class Side:
    """One of the two servers and what was measured of it, in seconds: each counted edit, and CPU time at both ends."""

    wire: Wire
    latencies: list[float] = field(default_factory=list)
    cpu_before: float = 0.0
    cpu_after: float = 0.0

    def start_counting(self) -> None:
        """Forget the edits so far: they warmed the server up."""
        self.latencies.clear()
        self.cpu_before = self.wire.cpu()

    def edit(self, version: int, data: bytes) -> None:
        """Send a change and wait for the findings of its version."""
        start = time.perf_counter()
        self.wire.write(data)
        self.wire.published(version)
        self.latencies.append(time.perf_counter() - start)

    def milliseconds(self, percent: int) -> float:
        """Return a percentile of the latencies."""
        return 1000 * percentile(self.latencies, percent)

    def cpu_milliseconds(self) -> float:
        """Return the CPU time of an average edit."""
        return 1000 * (self.cpu_after - self.cpu_before) / len(self.latencies)


@dataclass(frozen=True)
class Result:
    """Milliseconds at one length of plan, the floor's first, ours second; the ratios are ours to the floor's."""

    lines: int
    p50: tuple[float, float]
    p95: tuple[float, float]
    cpu: tuple[float, float]

    @property
    def ratios(self) -> tuple[float, float, float]:
        """Return the ratios of p50, p95 and CPU time."""
        return self.p50[1] / self.p50[0], self.p95[1] / self.p95[0], self.cpu[1] / self.cpu[0]

    @property
    def bound(self) -> float:
        """Return the bound on the ratios of p95 and CPU time: it falls as the plan grows."""
        return 1.3 if self.lines < 2_000 else 1.0 if self.lines < 20_000 else 0.5


def measure(lines: int, edits: int, findings: int) -> Result:
    """Type `edits` keystrokes into a plan of `lines` lines in both servers."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / ".nubos-pilot").mkdir()
        with running(FLOOR, folder) as floor, running(OURS, folder) as ours:
            sides = Side(floor), Side(ours)
            _type(sides, (folder / "S011-PLAN.md").as_uri(), plan(lines, findings), edits)
    floor_side, our_side = sides
    return Result(
        lines,
        (floor_side.milliseconds(50), our_side.milliseconds(50)),
        (floor_side.milliseconds(95), our_side.milliseconds(95)),
        (floor_side.cpu_milliseconds(), our_side.cpu_milliseconds()),
    )


def _type(sides: tuple[Side, Side], uri: str, text: str, edits: int) -> None:
    for side in sides:
        side.wire.initialize()
        side.wire.open(uri, text)
    line = prose_line(text)
    column = len(text.split("\n")[line])
    for number, change in enumerate(keystrokes(line, column, _WARM_UP + edits)):
        if number == _WARM_UP:
            for side in sides:
                side.start_counting()
        document = {"uri": uri, "version": number + 2}
        parameters = {"textDocument": document, "contentChanges": [change.to_wire()]}
        data = frame({"method": "textDocument/didChange", "params": parameters})
        for side in sides if number % 2 else reversed(sides):
            side.edit(number + 2, data)
    for side in sides:
        side.cpu_after = side.wire.cpu()


def _report(results: Sequence[Result]) -> str:
    heading = ("lines", "p50 floor", "ours", "ratio", "p95 floor", "ours", "ratio", "CPU floor", "ours", "ratio")
    return table([heading, *map(_row, results)])


def _row(result: Result) -> tuple[str, ...]:
    p50, p95, cpu = result.ratios
    shown = f"{p50:.2f}x", judged(p95, result.bound), judged(cpu, result.bound)
    pairs = zip((result.p50, result.p95, result.cpu), shown, strict=True)
    cells = ((f"{floor:.2f} ms", f"{ours:.2f} ms", ratio) for (floor, ours), ratio in pairs)
    return f"{result.lines}", *(cell for group in cells for cell in group)


def main() -> None:
    """Measure at each length and print the table, or JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.keystroke")
    parser.add_argument("--lines", type=int, nargs="+", default=[200, 2_000, 20_000], help="lengths of the plan")
    parser.add_argument("--edits", type=int, default=400, help="keystrokes that count, at each length")
    parser.add_argument("--findings", type=int, default=3, help="findings that stand in the plan while typing")
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    options = parser.parse_args()
    results = [measure(lines, options.edits, options.findings) for lines in options.lines]
    if options.json:
        rows = [{**asdict(result), "ratios": result.ratios, "bound": result.bound} for result in results]
        print(json.dumps(rows, indent=2))
    else:
        print(_report(results))


if __name__ == "__main__":
    main()
