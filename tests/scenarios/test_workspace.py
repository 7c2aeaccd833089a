"""Scenarios of folders and URIs: whatever a client opens, and however it writes it."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.scenarios.buffer import Json
from tests.scenarios.conftest import NewUri, make_project, slice_plan
from tests.scenarios.editor import Editor, initialize_params
from tests.scenarios.plans import CLEAN, PHRASE, PLAN
from tests.scenarios.test_definition import AT, line

ODD_NAMES = ["my plans", "Übersicht ß", "a#b", "100%25", "100%", "a+b&c=d;e,f", "(x) [y] {z}", "😀", "@:!$'*", "a?b"]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_uri_odd_names(editor: Editor, tmp_path: Path, name: str) -> None:
    project = make_project(tmp_path.resolve() / name)
    path = str(slice_plan(project))
    spellings = {slice_plan(project).as_uri(), "file://" + quote(path, safe="/+&=;,()!$'*@:~")}
    if not set("#%?") & set(path):
        spellings.add(f"file://{path}")
    for uri in sorted(spellings):
        buffer = editor.open(PLAN, uri)
        assert editor.claims(buffer) == [PHRASE]
        editor.rewrite(buffer, CLEAN)
        (location,) = editor.definition(buffer, buffer.at(f'at="{AT}', 9))
        assert line(location) == ((project / "app/ShareSegmentAction.php").as_uri(), 2)


def test_uri_of_an_odd_source(editor: Editor, project: Path) -> None:
    (project / "app" / "Über #1.php").write_text("1\n2\n3\n", encoding="utf-8")
    buffer = editor.open(CLEAN.replace(AT, "app/Über #1.php:3"), slice_plan(project).as_uri())
    (location,) = editor.definition(buffer, buffer.at('at="app', 6))
    assert line(location) == ((project / "app" / "Über #1.php").as_uri(), 2)


@pytest.mark.parametrize(
    "name", ["%53001-PLAN.md", "S001%2DPLAN.md", "S001-PLAN%2Emd", "%53%30%30%31%2d%50%4C%41%4e.md", "S001-PLAN.md"]
)
def test_uri_verbatim(editor: Editor, new_uri: NewUri, name: str) -> None:
    buffer = editor.open(PLAN, new_uri(name))
    assert editor.claims(buffer) == [PHRASE]
    editor.close(buffer)
    editor.drain()
    assert [len(publish["diagnostics"]) for publish in editor.publishes(buffer.uri)] == [1, 0]
    # Nothing was told under another spelling.
    folder = buffer.uri.rsplit("/", 1)[0]
    published = [each["params"]["uri"] for each in editor.messages if "publish" in each.get("method", "")]
    assert {uri for uri in published if uri.startswith(folder)} == {buffer.uri}


@pytest.mark.parametrize("scheme", ["git", "gitfs", "vscode-scm", "conflictResolution", "http"])
def test_git_diff(editor: Editor, new_uri: NewUri, scheme: str) -> None:
    plan = editor.open(PLAN, new_uri())
    left = editor.open(PLAN, f"{plan.uri.replace('file:', f'{scheme}:')}?%7B%22ref%22%3A%22~%22%7D")
    editor.drain()
    assert editor.claims(plan) == [PHRASE]
    assert editor.actions(left, left.range_of(PHRASE)) == []
    editor.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": []}})
    editor.insert(left, PHRASE, "One. ")
    editor.close(left)
    editor.drain()
    assert editor.publishes(left.uri) == []


def test_untitled(editor: Editor) -> None:
    first, second = editor.open(PLAN, "untitled:S001-PLAN.md"), editor.open(PLAN, "untitled:Untitled-1")
    assert editor.claims(first) == [PHRASE]
    editor.drain()
    assert editor.publishes(second.uri) == []
    assert editor.definition(first, first.at(f"- {AT}", 4)) == []


def test_untitled_in_a_project(project: Path) -> None:
    with Editor({}, rootUri=project.as_uri()) as editor:
        buffer = editor.open(PLAN, "untitled:S001-PLAN.md")
        assert editor.claims(buffer) == [PHRASE]
        (location,) = editor.definition(buffer, buffer.at(f"- {AT}", 4))
        assert line(location) == ((project / "app/ShareSegmentAction.php").as_uri(), 2)


@pytest.mark.parametrize(
    "params",
    [
        {"rootUri": None, "workspaceFolders": None},
        {"rootUri": None, "rootPath": None, "workspaceFolders": []},
        {"rootUri": 7, "workspaceFolders": [None, 7, {}, {"uri": None}, {"uri": "http://x/y"}]},
        {"rootUri": "file:///no-such-folder"},
    ],
)
def test_root_null(project: Path, params: Json) -> None:
    with Editor({}, **params) as editor:
        buffer = editor.open(PLAN, slice_plan(project).as_uri())
        assert editor.claims(buffer) == [PHRASE]
        (location,) = editor.definition(buffer, buffer.at(f"- {AT}", 4))
        assert line(location) == ((project / "app/ShareSegmentAction.php").as_uri(), 2)


def test_root_absent(new_uri: NewUri) -> None:
    """The least that may be sent: `processId` and `capabilities`."""
    with Editor() as editor:
        assert editor.claims(editor.open(PLAN, new_uri())) == [PHRASE]


@pytest.mark.parametrize("event", [None, {}, [], {"added": 7, "removed": None}, {"added": [{}, None], "removed": [7]}])
def test_odd_folder_changes(editor: Editor, new_uri: NewUri, event: object) -> None:
    buffer = editor.open(PLAN, new_uri())
    editor.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    editor.insert(buffer, PHRASE, "One. ")
    assert editor.claims(buffer) == [PHRASE]


def test_link_loop(tmp_path: Path) -> None:
    """Links that lead round in a circle, to themselves and to `/`: lint, definition and the end come all the same."""
    project = make_project(tmp_path.resolve() / "project")
    milestones = project / ".nubos-pilot" / "milestones"
    os.symlink(project, project / "again")
    os.symlink("/", project / "all")
    os.symlink("self", project / "self")
    os.symlink(milestones, milestones / "M001" / "slices" / "S002")
    os.symlink("..", milestones / "M002")
    os.symlink("M003", milestones / "M003")
    os.symlink("/", milestones / "M001" / "slices" / "S003")
    with Editor.like("vscode", project) as editor:
        buffer = editor.open(PLAN, slice_plan(project).as_uri())
        assert editor.claims(buffer) == [PHRASE]
        for path, expected in {
            f"again/again/{AT}": 1,
            "self:1": 0,
            "self/x.php:1": 0,
            "all/etc/passwd:1": 0,
        }.items():
            editor.rewrite(buffer, CLEAN.replace(f"- {AT}", f"- {path}"))
            assert len(editor.definition(buffer, buffer.at(f"- {path}", 3))) == expected
        answer = editor.result("workspace/executeCommand", {"command": "nubos.lintWorkspace"})
        assert answer["files"] == 1
        editor.settle()
        assert editor.shut_down() == 0


@pytest.mark.parametrize("client", ["vscode", "neovim"])
def test_push_or_pull(project: Path, client: str) -> None:
    """A client that can both gets each finding once: by its own question."""
    plan = slice_plan(project)
    plan.with_name("S001-PLAN.md").write_text(PLAN, encoding="utf-8")
    with Editor.like(client, project) as editor:
        assert editor.announced["diagnosticProvider"]
        buffer = editor.open(PLAN, plan.as_uri())
        assert editor.claims(buffer) == [PHRASE]
        editor.insert(buffer, PHRASE, "One. ")
        assert editor.claims(buffer) == [PHRASE]
        editor.result("workspace/executeCommand", {"command": "nubos.lintWorkspace"})
        editor.drain()
        editor.close(buffer)
        editor.drain()
        assert editor.publishes(buffer.uri) == []


def test_pull_says_what_is_unchanged(project: Path) -> None:
    with Editor.like("vscode", project) as editor:
        buffer = editor.open(PLAN, slice_plan(project).as_uri())
        asked = {"textDocument": buffer.identifier}
        first = editor.result("textDocument/diagnostic", asked)
        again = editor.result("textDocument/diagnostic", {**asked, "previousResultId": first["resultId"]})
        assert again == {"kind": "unchanged", "resultId": first["resultId"]}
        editor.rewrite(buffer, CLEAN)
        cleared = editor.result("textDocument/diagnostic", {**asked, "previousResultId": first["resultId"]})
        assert (cleared["kind"], cleared["items"]) == ("full", [])
        other = editor.result("textDocument/diagnostic", {**asked, "previousResultId": {"odd": 1}})
        assert other["kind"] == "full"


def test_the_workspace_is_linted(project: Path) -> None:
    """Findings of plans that are not open are told by push, and taken back when they are opened, however spelled."""
    closed = slice_plan(project).with_name("S002-PLAN.md")
    closed.write_text(PLAN, encoding="utf-8")
    slice_plan(project).with_name("S003-PLAN.md").write_bytes(b"\xff")
    with Editor({}, rootUri=project.as_uri()) as editor:
        buffer = editor.open(PLAN, slice_plan(project).as_uri())
        answer = editor.result("workspace/executeCommand", {"command": "nubos.lintWorkspace"})
        assert answer == {"files": 2, "findings": 2, "critical": 2, "unreadable": 1, "cancelled": False}
        assert len(editor.publishes(buffer.uri)) == 1
        (told,) = editor.publishes(closed.as_uri())
        assert len(told["diagnostics"]) == 1
        other = editor.open(PLAN, closed.as_uri().replace("S002", "%53002"))
        assert editor.claims(other) == [PHRASE]
        editor.drain()
        assert editor.publishes(closed.as_uri())[-1] == {"uri": closed.as_uri(), "diagnostics": []}


def test_a_plan_outside_the_project_is_not_linted(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "S009-PLAN.md"
    outside.write_text(PLAN, encoding="utf-8")
    linked = slice_plan(project).with_name("S002-PLAN.md")
    linked.symlink_to(outside)
    with Editor({}, rootUri=project.as_uri()) as editor:
        answer = editor.result("workspace/executeCommand", {"command": "nubos.lintWorkspace"})
        assert (answer["files"], answer["unreadable"]) == (1, 1)
        assert editor.publishes(linked.as_uri()) == []


@pytest.mark.parametrize("half", ["\ud800", "%ED%A0%80", "x\udfff"])
def test_half_a_character_in_a_uri(project: Path, half: str) -> None:
    """JSON can carry half a surrogate pair. Such a name is odd and otherwise like any."""
    with Editor({}, rootUri=f"file:///{half}") as editor:
        buffer = editor.open(PLAN, f"{project.as_uri()}/{half}/S001-PLAN.md")
        assert editor.claims(buffer) == [PHRASE]
        assert editor.definition(buffer, buffer.at(f"- {AT}", 4)) is not None
        assert editor.result("workspace/executeCommand", {"command": "nubos.lintWorkspace"})["unreadable"] == 0


def test_without_a_folder_the_projects_of_open_plans_are_linted(project: Path) -> None:
    slice_plan(project).with_name("S002-PLAN.md").write_text(PLAN, encoding="utf-8")
    with Editor({}) as editor:
        editor.open(PLAN, slice_plan(project).as_uri())
        answer = editor.result("workspace/executeCommand", {"command": "nubos.lintWorkspace"})
        assert (answer["files"], answer["findings"]) == (2, 2)


def test_the_workspace_is_linted_again(project: Path) -> None:
    """A plan that is clean by now, or gone, loses what was told of it."""
    plans = [slice_plan(project).with_name(name) for name in ("S001-PLAN.md", "S002-PLAN.md", "S003-PLAN.md")]
    for plan in plans:
        plan.write_text(PLAN, encoding="utf-8")
    lint = {"command": "nubos.lintWorkspace"}
    with Editor({}, rootUri=project.as_uri()) as editor:
        editor.result("workspace/executeCommand", lint)
        plans[1].write_text(CLEAN, encoding="utf-8")
        plans[2].unlink()
        assert editor.result("workspace/executeCommand", lint)["findings"] == 1
        editor.drain()
        last = [editor.publishes(plan.as_uri())[-1]["diagnostics"] for plan in plans]
        assert [len(diagnostics) for diagnostics in last] == [1, 0, 0]


def test_parameters_of_clients_name_a_folder(project: Path) -> None:
    for client in ("ale", "eglot", "kate", "neovim", "opencode", "vscode"):
        assert initialize_params(client, project)["rootUri"] == project.as_uri()
