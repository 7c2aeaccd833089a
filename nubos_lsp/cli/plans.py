"""Which plans a call names, and reading them: a milestone, paths, or standard input.

Source: cli.md, gate-details 29 to 32.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from nubos_lsp.cli.errors import CommandError, UsageError
from nubos_lsp.cli.streams import Streams
from nubos_lsp.plan.layout import PROJECT_FOLDER, is_milestone_id
from nubos_lsp.world.files import PlanUnreadable, milestone_plans, project_root, read_plan

STDIN = "-"
_LARGEST = 50_000_000


class Source(NamedTuple):
    """A plan to lint: its name for the user, its project's root, and what reads it (raising CommandError)."""

    path: str
    root: Path
    read: Callable[[], str]


class Selection(NamedTuple):
    """What is to be linted; `target` is what the user called it, `root` the project that a milestone is of."""

    target: str
    sources: Iterator[Source]
    root: Path | None = None


def of_milestone(milestone: str) -> Selection:
    """All plans of a milestone of the project that the current directory is in, in the gate's order."""
    if not is_milestone_id(milestone):
        raise UsageError(
            "plan-lint-invalid-milestone",
            f'"{milestone}" is no milestone id; write M and at least three digits, such as M001',
        )
    try:
        here = Path.cwd()
    except OSError:
        raise CommandError("not-in-project", "the current directory is gone; run this inside the project") from None
    root = project_root(here)
    if not (root / PROJECT_FOLDER).is_dir():
        raise CommandError(
            "not-in-project",
            f"there is no {PROJECT_FOLDER} folder in {here} or above it; run this inside the project",
        )
    paths = milestone_plans(root, milestone)
    if paths is None:
        raise CommandError(
            "plan-lint-milestone-not-found",
            f"{relative(root / PROJECT_FOLDER / 'milestones' / milestone)} does not exist{_existing(root)}",
        )
    return Selection(milestone, (_file(path, root, within=root) for path in paths), root)


def of_paths(paths: Sequence[str]) -> Selection:
    """The plans at `paths`, in this order."""
    return Selection(paths[0], (_file(Path(path), _root_of(path)) for path in paths))


def of_stdin(name: str, streams: Streams) -> Selection:
    """The text on standard input, as if it were the file `name`."""
    return Selection(name, iter([Source(name, _root_of(name), lambda: _read_stdin(name, streams))]))


def relative(path: Path) -> str:
    """`path` as seen from the current directory, with `/`; as it is where there is no way, as to another drive."""
    try:
        return os.path.relpath(path).replace(os.sep, "/")
    except (OSError, ValueError):
        return path.as_posix()


def _root_of(path: str) -> Path:
    """The root of the project that `path` is in; the current directory without one. Never fails: reading will."""
    try:
        return project_root(Path(os.path.abspath(path)), fallback=Path.cwd())
    except (OSError, ValueError):
        return Path(path).parent


def _file(path: Path, root: Path, within: Path | None = None) -> Source:
    return Source(relative(path), root, lambda: _read_file(path, within))


def _read_file(path: Path, within: Path | None) -> str:
    try:
        return read_plan(path, within)
    except PlanUnreadable as error:
        found = os.path.lexists(path) and not path.is_dir()
        code = "plan-lint-file-unreadable" if found else "plan-lint-file-not-found"
        raise CommandError(code, f"{relative(path)}: {error}") from None


def _read_stdin(name: str, streams: Streams) -> str:
    if streams.stdin is None:
        raise CommandError("plan-lint-file-unreadable", f"{name}: standard input is closed; send the plan there")
    content = streams.stdin.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise CommandError(
            "plan-lint-file-unreadable", f"{name}: it is larger than {_LARGEST // 1_000_000} MB, too large for a plan"
        )
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CommandError(
            "plan-lint-file-unreadable", f"{name}: it is not UTF-8 (line {line}); send it as UTF-8"
        ) from None


def _existing(root: Path) -> str:
    """`; there are M001 and M002` for the milestones that the project has."""
    names = [path.name for path in sorted((root / PROJECT_FOLDER / "milestones").glob("M*")) if path.is_dir()]
    return f"; this project has {', '.join(names[:5])}{', …' if len(names) > 5 else ''}" if names else ""
