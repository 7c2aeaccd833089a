"""Reads files below a project's root, and nothing else.

Paths come from plans, so they are not trusted: what leads outside the root, symlinks resolved, is refused, and so is
everything that is no regular file of a sane size.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from nubos_lsp.plan.layout import PROJECT_FOLDER, plan_kind
from nubos_lsp.workspace.facts import FileQuestion, SourceFile

LARGEST_SOURCE = 20_000_000
"""Bytes; a larger cited file is not read."""


class PlanUnreadable(Exception):
    """A plan that cannot be linted; the message says why, in words for the user."""


class Project:
    """The files of one project. `root` is its folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._real_root = real_path(root)

    def answer(self, question: FileQuestion) -> SourceFile | None:
        """The file that is asked for; None when there is none, or when it may not be read."""
        return self.read(question.path)

    def read(self, path: str) -> SourceFile | None:
        """The file at `path`, relative to the root. None for what is absent, outside, no regular file, or too large."""
        real = self.resolve(path)
        if real is None:
            return None
        try:
            content = _regular_file(real, LARGEST_SOURCE)
        except (OSError, ValueError):
            return None
        return None if content is None else SourceFile(content.decode("utf-8-sig", "replace"))

    def resolve(self, path: str) -> Path | None:
        """Where `path` leads, when something is there and that is below the root; None otherwise."""
        if not path or "\0" in path or os.path.isabs(path):
            return None
        try:
            # Strict, as behind a symlink that leads to itself the rest of a path would stay unresolved.
            real = Path(os.path.realpath(self._real_root / path, strict=True))
        except (OSError, ValueError):
            return None
        return real if real.is_relative_to(self._real_root) else None


def project_root(path: Path, fallback: Path | None = None) -> Path:
    """The nearest folder at or above `path` that holds `.nubos-pilot`; else `fallback`, else the folder of `path`."""
    start = path if os.path.isdir(path) else path.parent
    for folder in (start, *start.parents):
        if os.path.isdir(folder / PROJECT_FOLDER):
            return folder
    return fallback or start


def real_path(path: Path) -> Path:
    """The file that `path` leads to, symlinks and `..` resolved as far as they can be. Never fails."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return path


def read_plan(path: Path, within: Path | None = None, largest: int = 50_000_000) -> str:
    """The text of a plan, its line ends as they are.

    A plan that was found and not named by a person must lie `within` the project's root, symlinks resolved.
    Raises PlanUnreadable, with a sentence for the user, when it is missing, a folder, no UTF-8, outside, or over
    `largest` bytes.
    """
    try:
        if within and not Path(os.path.realpath(path, strict=True)).is_relative_to(os.path.realpath(within)):
            raise PlanUnreadable("it leads outside the project")
        content = _regular_file(path, largest)
    except FileNotFoundError:
        raise PlanUnreadable("there is no such file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise PlanUnreadable(f"it cannot be read: {reason}") from None
    if content is None:
        raise PlanUnreadable(_refusal(path, largest))
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise PlanUnreadable(f"it is not UTF-8 (line {line}); save it as UTF-8") from None


def milestone_plans(root: Path, milestone: str) -> list[Path] | None:
    """The plans of a milestone in the gate's order: milestone plans, then each slice's plan and its task plans.

    Folders and files are sorted by code units. None when the milestone has no folder.
    """
    folder = root / PROJECT_FOLDER / "milestones" / milestone
    if not os.path.isdir(folder):
        return None
    return list(_plans(folder))


def all_plans(root: Path) -> Iterator[Path]:
    """Every plan below the milestones folder of a project, milestone by milestone."""
    for folder in _folders(root / PROJECT_FOLDER / "milestones", "M", 3):
        yield from _plans(folder)


def _plans(milestone: Path) -> Iterator[Path]:
    yield from _named(milestone, "M")
    for part in _folders(milestone / "slices", "S", 3):
        yield from _named(part, "S")
        for task in _folders(part / "tasks", "T", 4):
            yield from _named(task, "T")


def _named(folder: Path, letter: str) -> Iterator[Path]:
    for name in _names(folder):
        if name.startswith(letter) and plan_kind(name):
            yield folder / name


def _folders(folder: Path, letter: str, digits: int) -> Iterator[Path]:
    for name in _names(folder):
        number = name[1:]
        is_id = name.startswith(letter) and len(number) >= digits and number.isascii() and number.isdigit()
        if is_id and os.path.isdir(folder / name):
            yield folder / name


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder), key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    except OSError:
        return []


def _regular_file(path: Path, largest: int) -> bytes | None:
    """The bytes of a regular file of at most `largest` bytes; None for anything else. A pipe is never opened."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode) or status.st_size > largest:
        return None
    with path.open("rb") as file:
        return file.read(largest + 1)[:largest]


def _refusal(path: Path, largest: int) -> str:
    if os.path.isdir(path):
        return "it is a folder; name a plan file in it, or use --milestone"
    if os.path.isfile(path):
        return f"it is larger than {largest // 1_000_000} MB, too large for a plan"
    return "it is no regular file"
