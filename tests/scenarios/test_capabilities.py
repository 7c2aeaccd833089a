"""Scenarios of what clients can and cannot: nothing is asked of them, or sent to them, that they did not announce."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scenarios.buffer import Json
from tests.scenarios.conftest import NewUri, slice_plan
from tests.scenarios.editor import Editor, initialize_params
from tests.scenarios.plans import PHRASE, PLAN

LINT: Json = {"command": "nubos.lintWorkspace"}
STATIC: Json = {
    "workspace": {
        "configuration": False,
        "didChangeConfiguration": {"dynamicRegistration": False},
        "didChangeWatchedFiles": {"dynamicRegistration": False},
        "executeCommand": {"dynamicRegistration": False},
    },
    "window": {"workDoneProgress": False},
    "textDocument": {"synchronization": {"dynamicRegistration": False}, "publishDiagnostics": {}},
}
CLIENTS = ("ale", "eglot", "kate", "neovim", "opencode", "vscode")


def asked(editor: Editor) -> list[str]:
    """The requests that the server has sent."""
    return [message["method"] for message in editor.messages if "method" in message and "id" in message]


@pytest.mark.parametrize("capabilities", [{}, STATIC])
def test_caps_empty_and_static(project: Path, capabilities: Json) -> None:
    with Editor(capabilities, rootUri=project.as_uri()) as editor:
        assert editor.claims(editor.open(PLAN, slice_plan(project).as_uri())) == [PHRASE]
        assert editor.result("workspace/executeCommand", LINT)["files"] == 1
        editor.drain()
        assert asked(editor) == []


def test_caps_full(project: Path) -> None:
    """VS Code: settings are asked for, the command shows its progress. The order of both is checked in every test."""
    with Editor.like("vscode", project) as editor:
        assert editor.claims(editor.open(PLAN, slice_plan(project).as_uri())) == [PHRASE]
        assert editor.result("workspace/executeCommand", LINT)["files"] == 1
        editor.drain()
        assert set(asked(editor)) == {
            "client/registerCapability",
            "workspace/configuration",
            "window/workDoneProgress/create",
        }
        assert progress(editor) == ["begin", "report", "end"]


def progress(editor: Editor, token: object = None) -> list[str]:
    """The kinds of progress that were told, of all tokens or of one."""
    told = [message["params"] for message in editor.messages if message.get("method") == "$/progress"]
    return [params["value"]["kind"] for params in told if token in (None, params["token"])]


@pytest.mark.parametrize("token", ["mine", 7])
def test_the_clients_own_token_is_used(project: Path, token: object) -> None:
    with Editor.like("vscode", project) as editor:
        editor.result("workspace/executeCommand", {**LINT, "workDoneToken": token})
        assert progress(editor, token) == ["begin", "report", "end"]
        assert "window/workDoneProgress/create" not in asked(editor)


def test_a_cancelled_lint_answers(project: Path) -> None:
    """Stopped by its progress, it says so in its answer; cancelled as a request, it ends its progress all the same."""
    for number in range(2, 60):
        slice_plan(project).with_name(f"S{number:03}-PLAN.md").write_text(PLAN, encoding="utf-8")
    with Editor.like("vscode", project) as editor:
        request = editor.request("workspace/executeCommand", {**LINT, "workDoneToken": "first"})
        editor.notify("window/workDoneProgress/cancel", {"token": "first"})
        answer = editor.response(request)["result"]
        assert answer["cancelled"] == (answer["files"] < 59)
        request = editor.request("workspace/executeCommand", {**LINT, "workDoneToken": "second"})
        editor.news(lambda message: message.get("method") == "$/progress", len(editor.messages))
        editor.notify("$/cancelRequest", {"id": request})
        response = editor.response(request)
        assert "result" in response or response["error"]["code"] == -32800
        assert editor.result("workspace/executeCommand", LINT)["files"] == 59
        editor.drain()
        assert progress(editor, "first")[-1] == progress(editor, "second")[-1] == "end"


@pytest.mark.parametrize("client", CLIENTS)
def test_the_shapes_of_real_clients(project: Path, client: str) -> None:
    """A finding has only the parts that the client takes, and its fix only the kind of edit that it takes."""
    params = initialize_params(client, project)
    with Editor.like(client, project) as editor:
        buffer = editor.open(PLAN, slice_plan(project).as_uri(), version=0)
        (finding,) = editor.findings(buffer)
        document = params["capabilities"]["textDocument"]
        announced = {**document.get("publishDiagnostics", {}), **document.get("diagnostic", {})}
        for part, capability in {
            "relatedInformation": "relatedInformation",
            "codeDescription": "codeDescriptionSupport",
            "data": "dataSupport",
            "tags": "tagSupport",
        }.items():
            assert announced.get(capability) or part not in finding
        bare = {name: finding[name] for name in ("range", "code", "message")}
        action = next(
            action
            for action in editor.actions(buffer, finding["range"], diagnostics=[bare])
            if action["kind"] == "quickfix"
        )
        editing = params["capabilities"].get("workspace", {}).get("workspaceEdit", {})
        assert ("documentChanges" in action["edit"]) == bool(editing.get("documentChanges"))
        assert ("snippet" in str(action["edit"])) == bool(editing.get("snippetEditSupport"))
        editor.apply(buffer, action)
        assert editor.claims(buffer) == []


def test_opencode_waits_for_its_version(project: Path) -> None:
    """It counts from 0 and, without pull, waits for a publish of each version, empty or not; it leaves unannounced."""
    params = initialize_params("opencode", project)
    del params["capabilities"]["textDocument"]["diagnostic"]
    with Editor(**params) as editor:
        buffer = editor.open("\n", slice_plan(project).as_uri(), version=0)
        assert editor.findings(buffer) == []
        editor.rewrite(buffer, PLAN)
        assert editor.claims(buffer) == [PHRASE]
        assert [publish["version"] for publish in editor.publishes(buffer.uri)] == [0, 1]
        editor.close_input()
        assert editor.exit_code() == 1


@pytest.mark.parametrize("method", ["documentSymbol", "hover", "references", "definition", "codeAction"])
def test_opencode_asks_about_files_it_never_opened(editor: Editor, new_uri: NewUri, method: str) -> None:
    place = {"line": 0, "character": 0}
    params = {"textDocument": {"uri": new_uri()}, "position": place, "range": {"start": place, "end": place}}
    response = editor.call(f"textDocument/{method}", params)
    assert response.get("result", []) in ([], None)
    assert response.get("error", {"code": -32601})["code"] == -32601


def test_refresh_is_asked_for_where_the_client_can(project: Path) -> None:
    replies: Json = {"workspace/configuration": [None]}
    with Editor.like("vscode", project, replies) as editor:
        buffer = editor.open(PLAN, slice_plan(project).as_uri())
        assert editor.claims(buffer) == [PHRASE]
        editor.notify("workspace/didChangeConfiguration", {"settings": {"nubos": {"rules": {"select": ["none"]}}}})
        editor.wait(lambda message: message.get("method") == "workspace/diagnostic/refresh")
        assert editor.claims(buffer) == []
