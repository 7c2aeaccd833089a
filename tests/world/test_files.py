"""The only I/O: what is read below a project's root, and all that is refused."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nubos_lsp.workspace.facts import FileQuestion
from nubos_lsp.world import files
from nubos_lsp.world.files import PlanUnreadable, Project, all_plans, milestone_plans, project_root, read_plan

SECRET = "secret: outside the project"

needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="symlinks and pipes need privileges there")
needs_rights = pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may read everything")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project beside a folder with a secret in it."""
    root = tmp_path / "project"
    (root / ".nubos-pilot").mkdir(parents=True)
    (root / "app").mkdir()
    (root / "app" / "X.php").write_text("<?php\nX\n", encoding="utf-8")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.php").write_text(SECRET, encoding="utf-8")
    return root


def _text(root: Path, path: str) -> str | None:
    source = Project(root).read(path)
    return source.text if source else None


@pytest.mark.parametrize("path", ["app/X.php", "./app/X.php", "app/../app/X.php", "app//X.php", "../project/app/X.php"])
def test_reads_what_is_below_the_root(root: Path, path: str) -> None:
    """A path may be written in many ways, as long as it stays in the project."""
    assert _text(root, path) == "<?php\nX\n"
    source = Project(root).answer(FileQuestion(path))
    assert source
    assert source.line_count == 2


@pytest.mark.parametrize(
    "path",
    [
        *("", ".", "..", "/", "//", "app", "app/", "missing.php", "app/X.php/more.php", "app/missing/../../app", " "),
        *("../outside/secret.php", "app/../../outside/secret.php", "missing/../../outside/secret.php", "./../outside"),
        *("/etc/passwd", "//etc/passwd", "~/x", "~root/.profile", "$HOME/x", "file:///etc/passwd", "app/X.php:1", "*"),
        *("a\0b", "app/X.php\0", "\0", "\ud800.php", "x" * 300, "x/" * 5000, "x" * 100_000, "\n", "app/X.php\n"),
        *(r"app\X.php\..\..\..\outside\secret.php", r"..\outside\secret.php", r"C:\Windows\win.ini", "C:win.ini"),
        *(r"\\server\share\x", r"\\?\C:\x", "CON", "NUL", "aux.php", "app/X.php::$DATA"),
    ],
)
def test_refuses_everything_else(root: Path, path: str) -> None:
    """What is missing, a folder, outside, or no path at all is None and no error."""
    assert _text(root, path) is None


@needs_posix
def test_the_absolute_path_of_a_file_in_the_project_is_refused(root: Path) -> None:
    """Citations are relative; an absolute path is never read, even when it leads into the project."""
    assert _text(root, str(root / "app" / "X.php")) is None


@needs_posix
def test_links_that_stay_inside_are_followed(root: Path) -> None:
    """A link to a file or folder of the project is as good as the file; so is a project that is itself a link."""
    (root / "link.php").symlink_to("app/X.php")
    (root / "folder").symlink_to(root / "app")
    (root.parent / "alias").symlink_to(root)
    for start in (root, root.parent / "alias"):
        assert _text(start, "link.php") == "<?php\nX\n"
        assert _text(start, "folder/X.php") == "<?php\nX\n"


@needs_posix
def test_links_that_lead_outside_are_refused(root: Path) -> None:
    """Neither a linked file nor what lies in a linked folder is read; nor is what comes back through one."""
    outside = root.parent / "outside"
    (root / "file.php").symlink_to(outside / "secret.php")
    (root / "folder").symlink_to(outside)
    (root / "relative").symlink_to("../outside")
    (root / "everything").symlink_to("/")
    (root / "chain").symlink_to("folder")
    for path in ("file.php", "folder/secret.php", "relative/secret.php", "everything/etc/passwd", "chain/secret.php"):
        assert _text(root, path) is None
    assert _text(root, "folder/../project/app/X.php") == "<?php\nX\n"


@needs_posix
def test_loops_of_links(root: Path) -> None:
    """A link to itself, two to each other, and one to its own folder end; behind a loop nothing escapes."""
    (root / "self").symlink_to("self")
    (root / "ping").symlink_to("pong")
    (root / "pong").symlink_to("ping")
    (root / "app" / "again").symlink_to("../app")
    (root / "dangling").symlink_to("nowhere")
    (root / "folder").symlink_to(root.parent / "outside")
    for path in ("self", "self/x", "ping", "pong/x", "dangling", "self/../app/X.php", "self/../folder/secret.php"):
        assert _text(root, path) is None
    assert _text(root, "ping/../folder/secret.php") is None
    assert _text(root, "dangling/../folder/secret.php") is None
    assert _text(root, "app/" + "again/" * 10 + "X.php") == "<?php\nX\n"
    assert _text(root, "app/" + "again/" * 2000 + "X.php") in (None, "<?php\nX\n")


@needs_posix
def test_what_is_no_regular_file_is_never_opened(root: Path) -> None:
    """A pipe would block whoever opens it; devices and sockets are as little wanted."""
    os.mkfifo(root / "pipe.php")
    (root / "linked.php").symlink_to("pipe.php")
    read: list[str | None] = []
    thread = threading.Thread(
        target=lambda: read.extend(_text(root, path) for path in ("pipe.php", "linked.php")), daemon=True
    )
    thread.start()
    thread.join(10)
    assert read == [None, None]


@needs_rights
def test_unreadable_files_and_folders(root: Path) -> None:
    """What may not be read is as good as absent; a project below such a folder is found all the same."""
    (root / "closed.php").write_text("x")
    (root / "closed.php").chmod(0)
    (root / "vault").mkdir()
    (root / "vault" / "x.php").write_text("x")
    (root / "vault").chmod(0)
    try:
        assert _text(root, "closed.php") is None
        assert _text(root, "vault/x.php") is None
        assert project_root(root / "vault" / "deep" / "S001-PLAN.md") == root
        with pytest.raises(PlanUnreadable, match="cannot be read: "):
            read_plan(root / "closed.php")
    finally:
        (root / "vault").chmod(0o700)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", ""),
        (b"\xef\xbb\xbf<?php\n", "<?php\n"),
        (b"a\r\nb\rc\n", "a\r\nb\rc\n"),
        ("größe 😀".encode(), "größe 😀"),
        (b"gr\xf6\xdfe\nx", "gr\ufffd\ufffde\nx"),
        (b"\xff\xfe\x00\x00", "\ufffd\ufffd\0\0"),
        (b"a\0b", "a\0b"),
        (b"\xed\xa0\x80", "\ufffd\ufffd\ufffd"),
    ],
)
def test_any_bytes_have_a_text(root: Path, content: bytes, text: str) -> None:
    """A source in another encoding is read with replacement characters: its lines are still right. A BOM is no text."""
    (root / "x.php").write_bytes(content)
    assert _text(root, "x.php") == text


def test_too_large_files_are_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of exactly the limit is read, one byte more is not."""
    monkeypatch.setattr(files, "LARGEST_SOURCE", 10)
    (root / "x.php").write_bytes(b"x" * 10)
    assert _text(root, "x.php") == "x" * 10
    (root / "x.php").write_bytes(b"x" * 11)
    assert _text(root, "x.php") is None


@needs_posix
def test_a_huge_sparse_file_costs_nothing(root: Path) -> None:
    """The size is looked at before anything is read."""
    with (root / "huge.php").open("wb") as file:
        file.truncate(1 << 40)
    begun = time.monotonic()
    assert _text(root, "huge.php") is None
    assert time.monotonic() - begun < 5


def test_a_root_that_is_not_there(tmp_path: Path) -> None:
    """A project may have gone, or be a file: everything in it is absent."""
    (tmp_path / "file").write_text("x")
    assert _text(tmp_path / "gone", "x.php") is None
    assert _text(tmp_path / "file", "x.php") is None


@given(
    st.text(alphabet=st.characters(codec=None), max_size=40)
    | st.lists(
        st.sampled_from(["..", ".", "/", "\\", "app", "X.php", "\0", "folder", "loop", "secret.php", " ", "~"]),
        max_size=12,
    ).map("".join)
)
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_path_raises_or_escapes(root: Path, path: str) -> None:
    """Any text is a path that is read below the root or refused."""
    for name, target in (("folder", root.parent / "outside"), ("loop", Path("loop"))):
        if sys.platform != "win32" and not (root / name).is_symlink():
            (root / name).symlink_to(target)
    assert _text(root, path) != SECRET


class TestProjectRoot:
    """The nearest folder with `.nubos-pilot`, else what the caller says."""

    def test_nearest(self, root: Path) -> None:
        inner = root / "packages" / "inner"
        (inner / ".nubos-pilot" / "milestones").mkdir(parents=True)
        assert project_root(inner / ".nubos-pilot" / "milestones" / "S001-PLAN.md") == inner
        assert project_root(root / "app" / "missing" / "S001-PLAN.md") == root
        assert project_root(root) == root

    def test_fallback(self, tmp_path: Path) -> None:
        (tmp_path / "plan").mkdir()
        (tmp_path / "plan" / ".nubos-pilot").write_text("a file does not count")
        plan = tmp_path / "plan" / "S001-PLAN.md"
        assert project_root(plan, fallback=tmp_path) == tmp_path
        assert project_root(plan) == tmp_path / "plan"

    @pytest.mark.parametrize("name", ["x" * 300, "a\0b", "x/" * 3000 + "x", "\ud800"])
    def test_odd_names(self, tmp_path: Path, name: str) -> None:
        assert project_root(tmp_path / name / "S001-PLAN.md", fallback=tmp_path) == tmp_path


class TestReadPlan:
    """A plan is read as it is, or refused in words for the user."""

    @pytest.mark.parametrize("content", [b"", b"a\r\nb\rc\n", b"\xef\xbb\xbf---\n", "ü😀\u2028\f".encode(), b"a\0"])
    def test_nothing_is_changed(self, tmp_path: Path, content: bytes) -> None:
        plan = tmp_path / "S001-PLAN.md"
        plan.write_bytes(content)
        assert read_plan(plan).encode() == content

    def test_refusals(self, tmp_path: Path) -> None:
        plan = tmp_path / "S001-PLAN.md"
        with pytest.raises(PlanUnreadable, match="no such file"):
            read_plan(plan)
        with pytest.raises(PlanUnreadable, match="is a folder"):
            read_plan(tmp_path)
        plan.write_bytes(b"a\nb\n\xe4\n")
        with pytest.raises(PlanUnreadable, match=r"not UTF-8 \(line 3\)"):
            read_plan(plan)
        plan.write_bytes(b"x" * 2_000_001)
        with pytest.raises(PlanUnreadable, match="larger than 2 MB"):
            read_plan(plan, largest=2_000_000)

    @pytest.mark.parametrize("name", ["a\0b", "x" * 300, "\ud800.md", "file/x.md"])
    def test_odd_names(self, tmp_path: Path, name: str) -> None:
        (tmp_path / "file").write_text("x")
        with pytest.raises(PlanUnreadable):
            read_plan(tmp_path / name)

    @needs_posix
    def test_pipes_and_loops(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "loop").symlink_to("loop")
        with pytest.raises(PlanUnreadable, match="no regular file"):
            read_plan(tmp_path / "pipe")
        with pytest.raises(PlanUnreadable, match="cannot be read"):
            read_plan(tmp_path / "loop")


class TestPlans:
    """The plans of milestones in the gate's order."""

    @staticmethod
    def _names(plans: Iterator[Path] | list[Path] | None) -> list[str]:
        return [plan.name for plan in plans or ()]

    @pytest.fixture
    def milestone(self, root: Path) -> Path:
        folder = root / ".nubos-pilot" / "milestones" / "M001"
        for name in (
            "M001-PLAN.md",
            "M001-CONTEXT.md",
            "slices/S002/S002-PLAN.md",
            "slices/S010/S010-PLAN.md",
            "slices/S002/S002-UAT.md",
            "slices/S002/tasks/T0002/T0002-PLAN.md",
            "slices/S002/tasks/T0001/T0001-PLAN.md",
            "slices/S002/tasks/T0001/T0001-SUMMARY.md",
            "slices/S002/tasks/T1/T0009-PLAN.md",
            "slices/X/S003-PLAN.md",
            "slices/S٠٠١/S001-PLAN.md",
        ):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text("x")
        return folder

    def test_order(self, root: Path, milestone: Path) -> None:
        expected = ["M001-PLAN.md", "S002-PLAN.md", "T0001-PLAN.md", "T0002-PLAN.md", "S010-PLAN.md"]
        assert self._names(milestone_plans(root, "M001")) == expected
        (milestone.parent / "M002").mkdir()
        (milestone.parent / "M003").write_text("a file")
        assert self._names(all_plans(root)) == expected
        assert milestone_plans(root, "M002") == []
        assert milestone_plans(root, "M003") is None
        assert milestone_plans(root, "M009") is None

    def test_no_milestones(self, tmp_path: Path) -> None:
        assert list(all_plans(tmp_path)) == []
        assert list(all_plans(tmp_path / "gone")) == []

    @needs_posix
    def test_loops_of_links_end(self, root: Path, milestone: Path) -> None:
        (milestone / "slices" / "S003").symlink_to(milestone / "slices")
        (milestone / "slices" / "S004").symlink_to("S004")
        (milestone / "slices" / "S005").symlink_to("/")
        (milestone / "slices" / "S002" / "tasks" / "T0003").symlink_to(root)
        assert len(self._names(all_plans(root))) == 5
