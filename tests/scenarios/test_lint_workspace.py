"""`nubos.lintWorkspace` while other things happen: what is shown in the end is what the files say, once each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scenarios.conftest import slice_plan
from tests.scenarios.editor import Editor
from tests.scenarios.plans import CLEAN, PLAN

LINT = "nubos.lintWorkspace"
LARGE = "word " * 800_000 + "\n" + PLAN
"""So large that there is time for something else while it is checked."""


def begin(editor: Editor, token: str, name: str) -> int:
    """Start a run and wait until it is at the plan called `name`; gives the request's id."""
    asked = editor.request("workspace/executeCommand", {"command": LINT, "workDoneToken": token})
    editor.wait(
        lambda message: (
            message.get("method") == "$/progress"
            and message["params"]["token"] == token
            and name in str(message["params"]["value"].get("message"))
        )
    )
    return asked


def shown(editor: Editor) -> dict[str, int]:
    """The number of diagnostics for each file that has some, as the client has them in the end."""
    editor.drain()
    uris = [each["params"]["uri"] for each in editor.messages if "publishDiagnostics" in str(each.get("method"))]
    last = {uri: len(editor.publishes(uri)[-1]["diagnostics"]) for uri in uris}
    return {uri: count for uri, count in last.items() if count}


@pytest.fixture
def second(project: Path) -> Path:
    """A second, large plan."""
    plan = slice_plan(project).with_name("S002-PLAN.md")
    plan.write_text(LARGE, encoding="utf-8")
    return plan


def test_a_plan_is_opened_saved_and_closed_while_it_is_checked(project: Path, second: Path) -> None:
    with Editor({}, rootUri=project.as_uri()) as editor:
        asked = begin(editor, "t", second.name)
        # Spelled differently: whether its findings are told before it is opened is the scheduler's business.
        buffer = editor.open(LARGE, second.as_uri().replace("S002-", "%53002-"))
        editor.rewrite(buffer, CLEAN)
        second.write_text(CLEAN, encoding="utf-8")
        editor.notify("textDocument/didSave", {"textDocument": {"uri": buffer.uri}})
        editor.close(buffer)
        assert editor.response(asked)["result"]["cancelled"] is False
        assert shown(editor) == {slice_plan(project).as_uri(): 1}


def test_a_newer_run_ends_the_older_one(project: Path, second: Path) -> None:
    with Editor({}, rootUri=project.as_uri()) as editor:
        older = begin(editor, "older", second.name)
        second.write_text(CLEAN, encoding="utf-8")
        newer = editor.result("workspace/executeCommand", {"command": LINT})
        assert (newer["files"], newer["findings"], newer["cancelled"]) == (2, 1, False)
        editor.response(older)
        assert shown(editor) == {slice_plan(project).as_uri(): 1}


def test_the_findings_of_a_folder_go_with_it(project: Path, second: Path) -> None:
    with Editor({}, workspaceFolders=[{"name": "x", "uri": project.as_uri()}]) as editor:
        editor.result("workspace/executeCommand", {"command": LINT})
        assert len(shown(editor)) == 2
        event = {"added": [], "removed": [{"name": "x", "uri": project.as_uri()}]}
        editor.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        assert shown(editor) == {}


def test_a_folder_leaves_while_its_plans_are_checked(project: Path, second: Path) -> None:
    with Editor({}, workspaceFolders=[{"name": "x", "uri": project.as_uri()}]) as editor:
        asked = begin(editor, "t", second.name)
        event = {"added": [], "removed": [{"name": "x", "uri": project.as_uri()}]}
        editor.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        editor.response(asked)
        assert shown(editor) == {}


def test_the_other_folders_keep_theirs(project: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    slice_plan(other).parent.mkdir(parents=True)
    slice_plan(other).write_text(PLAN, encoding="utf-8")
    folders = [{"name": root.name, "uri": root.as_uri()} for root in (project, other)]
    with Editor({}, workspaceFolders=folders) as editor:
        editor.result("workspace/executeCommand", {"command": LINT})
        editor.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": folders[:1]}})
        assert shown(editor) == {slice_plan(other).as_uri(): 1}


def test_a_plan_that_another_project_links_to_is_linted(project: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    slice_plan(other).parent.mkdir(parents=True)
    slice_plan(other).write_text(PLAN, encoding="utf-8")
    slice_plan(project).with_name("S002-PLAN.md").symlink_to(slice_plan(other))
    folders = [{"name": root.name, "uri": root.as_uri()} for root in (project, other)]
    for order in (folders, folders[::-1]):
        with Editor({}, workspaceFolders=order) as editor:
            answer = editor.result("workspace/executeCommand", {"command": LINT})
            assert (answer["files"], answer["unreadable"]) == (2, 0)
            assert shown(editor) == {slice_plan(root).as_uri(): 1 for root in (project, other)}


def test_new_settings_take_back_what_was_told_by_the_old(project: Path) -> None:
    with Editor({}, rootUri=project.as_uri()) as editor:
        editor.result("workspace/executeCommand", {"command": LINT})
        assert len(shown(editor)) == 1
        ignore = {"rules": {"ignore": ["pattern-claim-unverified"]}}
        editor.notify("workspace/didChangeConfiguration", {"settings": {"nubos": ignore}})
        assert shown(editor) == {}


def test_a_file_that_is_open_under_a_name_of_no_plan_is_linted(project: Path) -> None:
    notes = project / "notes.md"
    notes.symlink_to(slice_plan(project))
    with Editor({}, rootUri=project.as_uri()) as editor:
        editor.result("workspace/executeCommand", {"command": LINT})
        editor.open(PLAN, notes.as_uri())
        assert shown(editor) == {slice_plan(project).as_uri(): 1}
        assert editor.result("workspace/executeCommand", {"command": LINT})["findings"] == 1


@pytest.mark.parametrize("both", [True, False])
def test_a_file_that_is_reached_in_two_ways_is_shown_once(project: Path, tmp_path: Path, both: bool) -> None:
    link = tmp_path / "link"
    link.symlink_to(project)
    slice_plan(project).with_name("S002-PLAN.md").write_text(PLAN, encoding="utf-8")
    folders = [{"name": root.name, "uri": root.as_uri()} for root in ((link, project) if both else (link,))]
    with Editor({}, workspaceFolders=folders) as editor:
        opened = editor.open(PLAN, slice_plan(project).as_uri())
        answer = editor.result("workspace/executeCommand", {"command": LINT})
        assert (answer["files"], answer["findings"]) == (2, 2)
        closed = slice_plan(link).with_name("S002-PLAN.md").as_uri()
        assert shown(editor) == {opened.uri: 1, closed: 1}


def test_a_file_that_is_opened_by_a_roundabout_path_is_shown_once(project: Path) -> None:
    uri = slice_plan(project).as_uri().replace("/slices/", "/slices/../slices/")
    with Editor({}, rootUri=project.as_uri()) as editor:
        editor.result("workspace/executeCommand", {"command": LINT})
        assert shown(editor) == {slice_plan(project).as_uri(): 1}
        editor.open(PLAN, uri)
        assert shown(editor) == {uri: 1}
        editor.result("workspace/executeCommand", {"command": LINT})
        assert shown(editor) == {uri: 1}
