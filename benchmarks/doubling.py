"""Does any input cost more than its length? Each hostile family is linted and parsed at n, 2n, 4n and 8n.

A linear family doubles its CPU time when its size doubles. A ratio above 2.6 is flagged, unless the time is too short
to be told from noise. The last text has about a million characters.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.core import lint, opened
from benchmarks.hostile import FAMILIES, Family

_SUPERLINEAR = 2.6
_NOISE_SECONDS = 0.02
_SHORT_SECONDS = 0.2
_ENOUGH_SECONDS = 30.0


@dataclass(frozen=True)
class Growth:
    """The best CPU time at each size, in seconds; shorter than four when a size took more than half a minute."""

    name: str
    seconds: Sequence[float]

    @property
    def ratios(self) -> list[float]:
        """Return how much longer each doubling took."""
        return [after / before for before, after in zip(self.seconds, self.seconds[1:], strict=False)]

    @property
    def superlinear(self) -> bool:
        """Tell whether a doubling that can be told from noise took clearly more than twice the time."""
        times = self.seconds[1:]
        steps = (
            ratio > _SUPERLINEAR and after > _NOISE_SECONDS for ratio, after in zip(self.ratios, times, strict=True)
        )
        return len(self.seconds) < 4 or any(steps)


def settled(name: str, family: Family, largest: int, repeats: int) -> Growth:
    """Measure a family; one that looks superlinear is measured twice more, and the best times count."""
    growth = measure(name, family, largest, repeats)
    for _ in range(2):
        if growth.superlinear:
            again = measure(name, family, largest, repeats)
            growth = Growth(name, [min(pair) for pair in zip(growth.seconds, again.seconds, strict=False)])
    return growth


def measure(name: str, family: Family, largest: int, repeats: int) -> Growth:
    """Read a family at four sizes, the last one of `largest` characters."""
    seconds: list[float] = []
    for size in (largest // 8, largest // 4, largest // 2, largest):
        text = family(size)
        seconds.append(min(_read(text) for _ in range(repeats if not seconds or seconds[-1] < _SHORT_SECONDS else 1)))
        if seconds[-1] > _ENOUGH_SECONDS:
            break
    return Growth(name, seconds)


def _read(text: str) -> float:
    gc.collect()
    start = time.process_time()
    document = opened(text)
    lint(document)
    _ = document.tree
    return time.process_time() - start


def _line(width: int, name: str, *cells: str) -> str:
    return f"{name:<{width}}  " + "  ".join(f"{cell:>8}" for cell in cells)


def _cells(growth: Growth) -> tuple[str, ...]:
    ratios = [f"{ratio:.2f}" for ratio in growth.ratios]
    verdict = "SUPERLINEAR" if growth.superlinear else "ok"
    return f"{1000 * growth.seconds[-1]:.0f} ms", *(ratios + ["-"] * 3)[:3], verdict


def main() -> None:
    """Measure each family, print its line at once, and end with 1 when one of them is superlinear."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.doubling")
    parser.add_argument("--largest", type=int, default=1_000_000, help="characters of the largest text")
    parser.add_argument("--repeats", type=int, default=3, help="runs of a short text, of which the best counts")
    parser.add_argument("--only", default="", help="only families with this in their name")
    options = parser.parse_args()
    chosen = [name for name in FAMILIES if options.only in name]
    width = max(map(len, chosen), default=0)
    print(_line(width, "family", "at 8n", "2n/n", "4n/2n", "8n/4n"))
    failed = False
    for name in chosen:
        growth = settled(name, FAMILIES[name], options.largest, options.repeats)
        print(_line(width, name, *_cells(growth)), flush=True)
        failed = failed or growth.superlinear
    sys.exit(failed)


if __name__ == "__main__":
    main()
