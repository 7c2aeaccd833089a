"""A milestone of 200 plans held in one process: MB of UTF-8 text linted a CPU second, peak memory over the text.

Time and memory are measured in two processes of their own, since tracing memory costs time.
"""

from __future__ import annotations

import argparse
import gc
import subprocess
import sys
import time
import tracemalloc

from benchmarks.core import lint, opened
from benchmarks.plans import plan
from benchmarks.wire import ROOT, environment

_MEGABYTES_BOUND = 20.0
_MEMORY_BOUND = 3.0


def speed(plans: int, lines: int) -> None:
    """Lint all plans and print megabytes a second, the best of three rounds."""
    gc.set_threshold(100_000)  # As `nubos-lsp lint` does.
    texts = _texts(plans, lines)
    megabytes = _size(texts) / 1e6
    best = max(megabytes / _round(texts) for _ in range(3))
    judgement = "ok" if best >= _MEGABYTES_BOUND else "UNDER"
    print(f"{plans} plans, {megabytes:.1f} MB: {best:.1f} MB/s (bound {_MEGABYTES_BOUND:.0f}, {judgement})")


def memory(plans: int, lines: int) -> None:
    """Lint all plans, keep every document and its findings, and print the peak of memory over the text."""
    lint(opened(plan(lines)))
    size = _size(_texts(plans, lines))
    gc.collect()
    tracemalloc.start()
    documents = [opened(plan(lines, number=100 + number)) for number in range(plans)]
    kept = [lint(document) for document in documents]
    peak = tracemalloc.get_traced_memory()[1] / size
    judgement = "ok" if peak <= _MEMORY_BOUND else "OVER"
    findings = sum(len(outcome.findings) for outcome in kept)
    print(f"peak memory {peak:.2f}x the text (bound {_MEMORY_BOUND:.0f}x, {judgement}), {findings} findings")


def _texts(plans: int, lines: int) -> list[str]:
    return [plan(lines, number=100 + number) for number in range(plans)]


def _size(texts: list[str]) -> int:
    return sum(len(text.encode()) for text in texts)


def _round(texts: list[str]) -> float:
    start = time.process_time()
    kept = [(document, lint(document)) for document in map(opened, texts)]
    seconds = time.process_time() - start
    del kept
    return seconds


def main() -> None:
    """Measure speed and memory, each in a fresh process."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.throughput")
    parser.add_argument("--plans", type=int, default=200, help="plans of the milestone")
    parser.add_argument("--lines", type=int, default=500, help="lines of each plan")
    parser.add_argument("--only", choices=("speed", "memory"), help="measure one of them in this process")
    options = parser.parse_args()
    if options.only:
        {"speed": speed, "memory": memory}[options.only](options.plans, options.lines)
        return
    for part in ("speed", "memory"):
        arguments = ("--plans", f"{options.plans}", "--lines", f"{options.lines}", "--only", part)
        command = (sys.executable, "-m", "benchmarks.throughput", *arguments)
        subprocess.run(command, cwd=ROOT, env=environment(), check=True)


if __name__ == "__main__":
    main()
