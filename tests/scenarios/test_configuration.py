"""Scenarios of settings: what a client sends, in which shape, and that nothing of it stops the linting."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.scenarios.buffer import Json
from tests.scenarios.conftest import NewUri, Pool, slice_plan
from tests.scenarios.editor import CLAIM, Editor
from tests.scenarios.plans import PHRASE, PLAN

CONFIGURATION: Json = {"workspace": {"configuration": True}}
IGNORING: Json = {"rules": {"ignore": [CLAIM]}}
NOTHING: list[Any] = [None, {}, [], {"nubos": None}]
"""Says nothing, so it changes nothing."""
ODD: list[Any] = [
    *NOTHING,
    [1, None],
    "text",
    "",
    7,
    True,
    {"nubos": []},
    {"nubos": 7},
    {"nubos": {"rules": 7, "plans": []}},
    {"nubos": {"rules": {"ignore": 7, "select": {}}, "plans": {"include": [7, None]}}},
    {"rules.ignore": "text", "nubos.rules.ignore": None},
    {"rules": {"select": [None]}, "": {"": {"": None}}},
    {"python": {"x": 1}},
]


@pytest.fixture
def configured(pool: Pool) -> Iterator[Editor]:
    """A client whose settings this test changes; they are reset afterwards."""
    shared = pool.get("settings", {})
    yield shared
    shared.notify("workspace/didChangeConfiguration", {"settings": {"nubos": {"rules": {"ignore": []}}}})
    shared.settle()


@pytest.mark.parametrize("settings", ODD)
def test_config_odd(configured: Editor, new_uri: NewUri, settings: object) -> None:
    buffer = configured.open(PLAN, new_uri())
    configured.notify("workspace/didChangeConfiguration", {"settings": settings})
    configured.drain()
    assert configured.claims(buffer) == [PHRASE]
    configured.insert(buffer, PHRASE, "One. ")
    assert configured.claims(buffer) == [PHRASE]


@pytest.mark.parametrize("params", [None, [], {}, "text", {"settings": {}}])
def test_config_without_settings(configured: Editor, new_uri: NewUri, params: object) -> None:
    buffer = configured.open(PLAN, new_uri())
    configured.notify("workspace/didChangeConfiguration", params)
    configured.insert(buffer, PHRASE, "One. ")
    assert configured.claims(buffer) == [PHRASE]


@pytest.mark.parametrize("settings", [IGNORING, {"nubos": IGNORING}, {"rules.ignore": [CLAIM]}])
def test_config_changes_what_is_found(configured: Editor, new_uri: NewUri, settings: Json) -> None:
    buffer = configured.open(PLAN, new_uri())
    assert configured.claims(buffer) == [PHRASE]
    configured.notify("workspace/didChangeConfiguration", {"settings": settings})
    configured.drain()
    assert configured.findings(buffer) == []
    for unsaid in NOTHING:
        configured.notify("workspace/didChangeConfiguration", {"settings": unsaid})
    configured.drain()
    assert configured.findings(buffer) == []


def test_a_wrong_setting_is_told_once_and_clearly(configured: Editor) -> None:
    for _ in range(3):
        configured.notify("workspace/didChangeConfiguration", {"settings": {"nubos": {"rules": {"select": 7}}}})
    configured.drain()
    shown = [message["params"] for message in configured.messages if message.get("method") == "window/showMessage"]
    told = [params for params in shown if "rules.select" in params["message"]]
    assert [params["type"] for params in told] == [2]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ([None], [PHRASE]),
        (None, [PHRASE]),
        ([], [PHRASE]),
        (["text"], [PHRASE]),
        ([{"rules": 7}], [PHRASE]),
        ([IGNORING], []),
        ([{"nubos": IGNORING}], []),
    ],
)
def test_config_pull(answer: object, expected: list[str]) -> None:
    replies: Json = {"workspace/configuration": answer}
    with Editor(CONFIGURATION, replies) as editor:
        buffer = editor.open(PLAN, "file:///no-such-folder/S001-PLAN.md")
        _settled(editor)
        assert editor.claims(buffer) == expected


def test_config_pull_null_keeps_the_options() -> None:
    replies: Json = {"workspace/configuration": [None]}
    with Editor(CONFIGURATION, replies, initializationOptions=IGNORING) as editor:
        buffer = editor.open(PLAN, "file:///no-such-folder/S001-PLAN.md")
        _settled(editor)
        assert editor.findings(buffer) == []


@pytest.mark.parametrize("settings", [None, {}])
def test_config_is_asked_for_when_none_is_sent(settings: object) -> None:
    """The client says that something changed and expects to be asked what."""
    replies: Json = {"workspace/configuration": [None]}
    with Editor(CONFIGURATION, replies) as editor:
        buffer = editor.open(PLAN, "file:///no-such-folder/S001-PLAN.md")
        _settled(editor)
        assert editor.claims(buffer) == [PHRASE]
        editor.replies["workspace/configuration"] = [IGNORING]
        before = len(editor.messages)
        editor.notify("workspace/didChangeConfiguration", {"settings": settings})
        editor.news(lambda message: message.get("method") == "textDocument/publishDiagnostics", before)
        assert editor.findings(buffer) == []


@pytest.mark.parametrize("options", [None, [], "text", 7, {"nubos": None}, {"nubos": {"rules": {"ignore": 7}}}])
def test_init_options(options: object) -> None:
    with Editor({}, initializationOptions=options) as editor:
        assert editor.claims(editor.open(PLAN, "file:///no-such-folder/S001-PLAN.md")) == [PHRASE]


@pytest.mark.parametrize("options", [IGNORING, {"nubos": IGNORING}])
def test_init_options_count(options: Json) -> None:
    with Editor({}, initializationOptions=options) as editor:
        assert editor.findings(editor.open(PLAN, "file:///no-such-folder/S001-PLAN.md")) == []


def test_include_adds_plans(configured: Editor, new_uri: NewUri) -> None:
    """What becomes a plan is linted at once, and what is none any more is cleared."""
    buffer = configured.open(PLAN, new_uri("notes.md"))
    configured.notify("workspace/didChangeConfiguration", {"settings": {"plans": {"include": ["notes.md"]}}})
    configured.drain()
    assert configured.claims(buffer) == [PHRASE]
    configured.notify("workspace/didChangeConfiguration", {"settings": {"plans": {"include": []}}})
    configured.drain()
    assert configured.publishes(buffer.uri)[-1]["diagnostics"] == []


@pytest.mark.parametrize("content", [b"{", b"", b"[]", b"null", b"7", b"\xff\xfe", b'{"a": ' * 5000])
def test_config_json(editor: Editor, project: Path, content: bytes) -> None:
    (project / ".nubos-pilot" / "config.json").write_bytes(content)
    assert editor.claims(editor.open(PLAN, slice_plan(project).as_uri())) == [PHRASE]


def test_config_json_is_a_folder(editor: Editor, project: Path) -> None:
    (project / ".nubos-pilot" / "config.json").mkdir()
    assert editor.claims(editor.open(PLAN, slice_plan(project).as_uri())) == [PHRASE]


def _settled(editor: Editor) -> None:
    """Wait until the server has asked for its settings and has had the answer."""
    editor.wait(lambda message: message.get("method") == "workspace/configuration")
    editor.drain()
