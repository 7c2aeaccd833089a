"""The ids of a plan: `M001`, `M001-S001`, `M001-S001-T0001`, and of what it cites: `D-01`, `AC-1`, `SC-1`.

Numbers have at least three digits for milestones and slices, four for tasks. Source: plan-format (Files).
"""

from __future__ import annotations

import re
from typing import NamedTuple

_TASK = re.compile(r"(M[0-9]{3,})-(S[0-9]{3,})-(T[0-9]{4,})")
_SLICE = re.compile(r"(M[0-9]{3,})-(S[0-9]{3,})")


class TaskId(NamedTuple):
    """`M001-S001-T0001` in its parts."""

    milestone: str
    slice: str
    task: str

    def __str__(self) -> str:
        return "-".join(self)


class SliceId(NamedTuple):
    """`M001-S001` in its parts."""

    milestone: str
    slice: str

    def __str__(self) -> str:
        return "-".join(self)


def task_id(text: str) -> TaskId | None:
    """The id that `text` is; None when it is none."""
    match = _TASK.fullmatch(text)
    return TaskId(*match.groups()) if match else None


def slice_id(text: str) -> SliceId | None:
    """The id that `text` is; None when it is none."""
    match = _SLICE.fullmatch(text)
    return SliceId(*match.groups()) if match else None
