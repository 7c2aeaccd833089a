"""Scenarios of definition: from a citation to the file of the plan's own project, and to nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.scenarios.buffer import Buffer, Json
from tests.scenarios.conftest import NewUri, Pool, make_project, slice_plan
from tests.scenarios.editor import Editor
from tests.scenarios.plans import CLEAN, REF

AT = "app/ShareSegmentAction.php:3"


def opened(editor: Editor, root: Path, text: str = CLEAN) -> Buffer:
    """The plan of a project."""
    return editor.open(text, slice_plan(root).as_uri())


def line(location: Json) -> tuple[str, int]:
    """The file and line, from 0, of a Location."""
    return location["uri"], location["range"]["start"]["line"]


@pytest.mark.parametrize("inside", [0, 4, len(AT) - 2, len(AT) - 1, len(AT)])
def test_def_at(editor: Editor, project: Path, inside: int) -> None:
    buffer = opened(editor, project)
    position = buffer.at(f'at="{AT}', len('at="') + inside)
    (location,) = editor.definition(buffer, position)
    assert set(location) == {"uri", "range"}
    assert line(location) == ((project / "app/ShareSegmentAction.php").as_uri(), 2)


def test_def_link(pool: Pool, project: Path) -> None:
    """Where the client takes links, they say what was clicked on."""
    editor = pool.get("links", {"textDocument": {"definition": {"linkSupport": True}}})
    buffer = opened(editor, project, CLEAN.replace("<pattern_ref ", "😀 ü <pattern_ref "))
    (link,) = editor.definition(buffer, buffer.at(f'at="{AT}', 9))
    assert buffer.covered(link["originSelectionRange"]) == AT
    assert link["targetUri"] == (project / "app/ShareSegmentAction.php").as_uri()
    source = Buffer(link["targetUri"], 0, (project / "app/ShareSegmentAction.php").read_text(), editor.encoding)
    assert source.covered(link["targetRange"]) == "final class ShareSegmentAction"
    assert source.covered(link["targetSelectionRange"]) == "ShareSegmentAction"
    editor.settle()


@pytest.mark.parametrize("inside", [0, 6, len(AT)])
def test_def_files_read(editor: Editor, project: Path, inside: int) -> None:
    buffer = opened(editor, project)
    (location,) = editor.definition(buffer, buffer.at(f"- {AT}", 2 + inside))
    assert line(location) == ((project / "app/ShareSegmentAction.php").as_uri(), 2)


def test_def_of_a_token(editor: Editor, project: Path) -> None:
    """A token that is covered leads to its reference in the plan."""
    buffer = opened(editor, project)
    (location,) = editor.definition(buffer, buffer.at("`ShareSegmentAction`", 3))
    assert location["uri"] == buffer.uri
    assert buffer.covered(location["range"]) == REF


@pytest.mark.parametrize(
    "path",
    [
        "app/Missing.php:3",
        "app/ShareSegmentAction.php:99",
        "app/ShareSegmentAction.php:0",
        f"app/ShareSegmentAction.php:{10**30}",
        "app:1",
        "app/:1",
        ".:1",
        ":1",
        "",
        "app/ShareSegmentAction.php/x.php:1",
        "app/%00.php:1",
        f"{'a/' * 3000}x.php:1",
        f"{'a' * 300}.php:1",
    ],
)
def test_def_nothing(editor: Editor, project: Path, path: str) -> None:
    buffer = opened(editor, project, CLEAN.replace(AT, path))
    assert editor.definition(buffer, buffer.at('at="', 4)) == []
    assert editor.definition(buffer, buffer.at("- ", 2)) == []


def test_def_outside(editor: Editor, project: Path, tmp_path: Path) -> None:
    outside = tmp_path.resolve() / "outside.php"
    outside.write_text("<?php\n\nsecret\n", encoding="utf-8")
    os.symlink(outside, project / "app" / "link.php")
    os.symlink(outside.parent, project / "app" / "up")
    for path in (
        "../outside.php:1",
        "app/../../outside.php:1",
        f"{outside}:1",
        "app/link.php:1",
        "app/up/outside.php:1",
        "/etc/passwd:1",
        "~/x.php:1",
        f"{outside.as_uri()}:1",
    ):
        buffer = opened(editor, project, CLEAN.replace(AT, path))
        assert editor.definition(buffer, buffer.at('at="', 4)) == [], path
        assert editor.definition(buffer, buffer.at("- ", 2)) == [], path
        editor.close(buffer)


def test_def_inside_by_detours(editor: Editor, project: Path) -> None:
    """A path may go up and come back, and a symlink may stay in the project; the URI has no detour."""
    os.symlink("ShareSegmentAction.php", project / "app" / "link.php")
    (project / "other" / "deep").mkdir(parents=True)
    os.symlink(project / "other" / "deep", project / "app" / "deep")
    (project / "other" / "x.php").write_text("1\n2\n3\n", encoding="utf-8")
    for path, target in {
        "app/../app/ShareSegmentAction.php:3": "app/ShareSegmentAction.php",
        "./app/ShareSegmentAction.php:3": "app/ShareSegmentAction.php",
        "app/link.php:3": "app/link.php",
        # Two dots behind a symlink: above its target, not above its name.
        "app/deep/../x.php:3": "other/x.php",
    }.items():
        buffer = opened(editor, project, CLEAN.replace(AT, path))
        (location,) = editor.definition(buffer, buffer.at('at="', 4))
        assert line(location) == ((project / target).as_uri(), 2)
        editor.close(buffer)


def test_def_in_a_project_behind_a_symlink(editor: Editor, project: Path, tmp_path: Path) -> None:
    """The source is given below the folder that the client opened, so that it is the file that the client knows."""
    link = tmp_path.resolve() / "link"
    os.symlink(project, link)
    for path in (AT, "app/../app/ShareSegmentAction.php:3"):
        buffer = opened(editor, link, CLEAN.replace(AT, path))
        (location,) = editor.definition(buffer, buffer.at('at="', 4))
        assert line(location) == ((link / "app/ShareSegmentAction.php").as_uri(), 2)
        editor.close(buffer)


def test_def_in_an_edited_plan(editor: Editor, project: Path) -> None:
    buffer = opened(editor, project, "\n")
    assert editor.definition(buffer, {"line": 0, "character": 0}) == []
    editor.insert(buffer, "\n", f"😀 {REF}")
    (location,) = editor.definition(buffer, buffer.at(AT))
    assert line(location) == ((project / "app/ShareSegmentAction.php").as_uri(), 2)


def test_def_without_a_project(editor: Editor, new_uri: NewUri) -> None:
    buffer = editor.open(CLEAN, new_uri())
    assert editor.definition(buffer, buffer.at(f'at="{AT}', 9)) == []


def test_multi_root(tmp_path: Path) -> None:
    first, second = (make_project(tmp_path.resolve() / name) for name in ("first", "second"))
    folders = [{"name": root.name, "uri": root.as_uri()} for root in (first, second)]
    with Editor({"workspace": {"workspaceFolders": True}}, rootUri=first.as_uri(), workspaceFolders=folders) as editor:
        for root in (second, first):
            buffer = opened(editor, root)
            (location,) = editor.definition(buffer, buffer.at(f'at="{AT}', 9))
            assert line(location) == ((root / "app/ShareSegmentAction.php").as_uri(), 2)
        event = {"added": [], "removed": folders[:1]}
        editor.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        buffer = opened(editor, first)
        (location,) = editor.definition(buffer, buffer.at(f'at="{AT}', 9))
        assert line(location) == ((first / "app/ShareSegmentAction.php").as_uri(), 2)


def test_folders_without_a_project_folder(tmp_path: Path) -> None:
    """Where no `.nubos-pilot` stands above a plan, its workspace folder is the project; the deepest one counts."""
    outer, inner = tmp_path.resolve() / "outer", tmp_path.resolve() / "outer" / "inner"
    (inner / "plans").mkdir(parents=True)
    for root in (outer, inner):
        (root / "app").mkdir()
        (root / "app" / "ShareSegmentAction.php").write_text("1\n2\n3\n", encoding="utf-8")
    folders = [{"name": "root", "uri": root.as_uri()} for root in (outer, inner)]
    with Editor({}, workspaceFolders=folders) as editor:
        buffer = editor.open(CLEAN, (inner / "plans" / "S001-PLAN.md").as_uri())
        (location,) = editor.definition(buffer, buffer.at(f'at="{AT}', 9))
        assert line(location) == ((inner / "app/ShareSegmentAction.php").as_uri(), 2)
