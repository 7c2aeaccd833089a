"""Percentiles, bounds and the table that every benchmark prints."""

from __future__ import annotations

from collections.abc import Sequence


def percentile(samples: Sequence[float], percent: int) -> float:
    """Return the value below which `percent` of the samples lie."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def judged(value: float, bound: float) -> str:
    """Show a ratio beside its bound, as `0.82x (bound 1.30x, ok)`."""
    return f"{value:.2f}x (bound {bound:.2f}x, {'ok' if value <= bound else 'OVER'})"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Lay rows out in columns, the first row being the heading; the first column goes to the left."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(_line(row, widths) for row in rows)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (f"{cell:{'>' if column else '<'}{widths[column]}}" for column, cell in enumerate(row))
    return "  ".join((first, *others)).rstrip()
