"""A burst: 200 changes sent without waiting. How many publishes come, and are the last one's findings right?

The changes type a sentence that claims to mirror something; only the complete text has that finding.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.plans import plan, prose_line
from benchmarks.typing_session import Change
from benchmarks.wire import FLOOR, OURS, Wire, frame, running

_CLAIM = " The rest mirrors `NeverSeenAction` in each detail."


@dataclass(frozen=True)
class Burst:
    """What came back for one burst; `seconds` from the first change to the publish of the last version."""

    changes: int
    versions: list[int]
    seconds: float
    cpu: float
    new_findings: int

    def report(self) -> str:
        """Return the line that is printed."""
        right = self.versions[-1] == self.changes + 1 and self.versions == sorted(self.versions)
        return (
            f"{len(self.versions)} publishes for {self.changes} changes, "
            f"last version {self.versions[-1]}, order {'ok' if right else 'WRONG'}, "
            f"new findings {self.new_findings}, {1000 * self.seconds:.0f} ms, CPU {1000 * self.cpu:.0f} ms"
        )


def measure(wire: Wire, uri: str, text: str, changes: int) -> Burst:
    """Send `changes` keystrokes at once and collect the publishes until the last version's."""
    wire.initialize()
    findings = len(wire.open(uri, text)["diagnostics"])
    data = b"".join(_frames(uri, text, changes))
    cpu, start = wire.cpu(), time.perf_counter()
    wire.write(data)
    publishes = _until(wire, changes + 1)
    seconds = time.perf_counter() - start
    versions = [publish["version"] for publish in publishes]
    return Burst(changes, versions, seconds, wire.cpu() - cpu, len(publishes[-1]["diagnostics"]) - findings)


def _frames(uri: str, text: str, changes: int) -> list[bytes]:
    line = prose_line(text)
    column = len(text.split("\n")[line])
    typed = "-" * (changes - len(_CLAIM)) + _CLAIM
    keys = [Change(line, column + number, 0, letter) for number, letter in enumerate(typed)]
    return [_frame(uri, version, change) for version, change in enumerate(keys, 2)]


def _frame(uri: str, version: int, change: Change) -> bytes:
    parameters = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change.to_wire()]}
    return frame({"method": "textDocument/didChange", "params": parameters})


def _until(wire: Wire, version: int) -> list[dict[str, Any]]:
    publishes: list[dict[str, Any]] = []
    while not publishes or publishes[-1]["version"] < version:
        message = wire.read()
        if message.get("method") == "textDocument/publishDiagnostics":
            publishes.append(message["params"])
    return publishes


def main() -> None:
    """Send the burst to both servers and print what came back."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.burst")
    parser.add_argument("--lines", type=int, default=2_000, help="length of the plan")
    parser.add_argument("--changes", type=int, default=200, help="changes in the burst, 60 or more")
    options = parser.parse_args()
    text = plan(options.lines)
    for name, command in (("floor", FLOOR), ("ours", OURS)):
        with tempfile.TemporaryDirectory() as folder, running(command, Path(folder)) as wire:
            burst = measure(wire, (Path(folder) / "S011-PLAN.md").as_uri(), text, options.changes)
            print(f"{name:5}  {burst.report()}")


if __name__ == "__main__":
    main()
