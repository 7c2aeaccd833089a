"""Which files of a project are plans, and of what kind. Source: plan-format (Files), gate-details 31."""

from __future__ import annotations

import re
from enum import Enum


class PlanKind(Enum):
    """What a plan plans."""

    MILESTONE = "milestone"
    SLICE = "slice"
    TASK = "task"


PROJECT_FOLDER = ".nubos-pilot"
"""The folder that makes its parent a project root."""

_NAMES = (
    (re.compile(r"M[0-9]{3,}-PLAN\.md"), PlanKind.MILESTONE),
    (re.compile(r"S[0-9]{3,}-PLAN\.md"), PlanKind.SLICE),
    (re.compile(r"T[0-9]{4,}-PLAN\.md"), PlanKind.TASK),
)


def plan_kind(file_name: str) -> PlanKind | None:
    """The kind of the plan with this base name; None when it is not named as a plan."""
    return next((kind for name, kind in _NAMES if name.fullmatch(file_name)), None)


def is_milestone_id(value: str) -> bool:
    """Whether `value` is `M` and three or more digits."""
    return re.fullmatch(r"M[0-9]{3,}", value) is not None
