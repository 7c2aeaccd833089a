"""Scenarios of requests that are odd, many, or taken back: each gets one response, and the server goes on.

That each gets exactly one is checked after every test; here stands what else must be seen.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.lsp.wire import framed
from tests.scenarios.buffer import Buffer, Json
from tests.scenarios.conftest import NewUri, Pool
from tests.scenarios.editor import REFUSE_ALL, Editor
from tests.scenarios.plans import CLEAN, PHRASE, PLAN, SENTENCE

FEATURES = {
    "definitionProvider": "textDocument/definition",
    "codeActionProvider": "textDocument/codeAction",
    "diagnosticProvider": "textDocument/diagnostic",
    "hoverProvider": "textDocument/hover",
    "documentSymbolProvider": "textDocument/documentSymbol",
    "foldingRangeProvider": "textDocument/foldingRange",
}
UNADVERTISED = ("textDocument/documentSymbol", "textDocument/hover", "textDocument/foldingRange")


@pytest.fixture
def pulling(pool: Pool) -> Iterator[Editor]:
    """A client that asks for findings, so that all features there are can be asked."""
    shared = pool.get("pulling", {"textDocument": {"diagnostic": {}, "definition": {"linkSupport": True}}})
    yield shared
    shared.settle()


def params(uri: str, start: Json, end: Json | None = None) -> Json:
    """Parameters that do for every feature."""
    range_ = {"start": start, "end": end or start}
    return {"textDocument": {"uri": uri}, "position": start, "range": range_, "context": {"diagnostics": []}}


def advertised(editor: Editor) -> list[str]:
    """The requests about documents that the server offers."""
    return [method for provider, method in FEATURES.items() if editor.announced.get(provider)]


def responses(editor: Editor, asked: list[int]) -> list[Json]:
    """The responses to requests, in order."""
    return [editor.response(request) for request in asked]


def test_empty_plan(pulling: Editor, new_uri: NewUri) -> None:
    buffer = pulling.open("", new_uri())
    for method in advertised(pulling):
        pulling.result(method, params(buffer.uri, {"line": 0, "character": 0}))


def test_advertised(pulling: Editor, new_uri: NewUri) -> None:
    buffer = pulling.open(f"😀 ü {SENTENCE}\r\n{CLEAN}{PLAN}", new_uri())
    places = [buffer.position(offset) for offset in _places(buffer)]
    asked = [pulling.request(method, params(buffer.uri, place)) for method in advertised(pulling) for place in places]
    asked += [
        pulling.request("textDocument/codeAction", params(buffer.uri, start, end))
        for start, end in zip(places, places[40:], strict=False)
    ]
    assert all("result" in response for response in responses(pulling, asked))


def _places(buffer: Buffer) -> Iterator[int]:
    return (offset for offset in range(0, len(buffer.text), 5) if buffer.text[offset - 1 : offset + 1] != "\r\n")


@pytest.mark.parametrize("line", [-(2**31), -1, 0, 3, 1_000_000, 2**31 - 1, 2**53])
@pytest.mark.parametrize("character", [-(2**31), -1, 7, 2**31 - 1, 2**63])
def test_odd_positions(pulling: Editor, new_uri: NewUri, line: int, character: int) -> None:
    buffer = pulling.open(PLAN, new_uri())
    place, origin = {"line": line, "character": character}, {"line": 0, "character": 0}
    for method in advertised(pulling):
        pulling.call(method, params(buffer.uri, place))
        pulling.call(method, params(buffer.uri, place, origin))
    change = {"range": {"start": place, "end": origin}, "text": ""}
    pulling.change(buffer, change)
    buffer.text = f"{SENTENCE}\n"
    pulling.change(buffer, {"text": buffer.text})
    assert pulling.claims(buffer) == [PHRASE]


@pytest.mark.parametrize(
    "uri",
    ["file:///no-such-folder/S001-PLAN.md", "untitled:S009-PLAN.md", "", "S001-PLAN.md", "file:", "http://x/%zz", "\0"],
)
def test_unknown_document(pulling: Editor, uri: str) -> None:
    for method in (*advertised(pulling), *UNADVERTISED):
        pulling.call(method, params(uri, {"line": 3, "character": 1}))
    # A code that says what is wrong is fine, a failure of the server is not.
    assert not [each for each in pulling.messages if each.get("error", {}).get("code") == -32603]


BAD: list[Any] = [
    None,
    [],
    {},
    "text",
    7,
    {"textDocument": None},
    {"textDocument": "file:///x"},
    {"textDocument": {"uri": None}},
    {"textDocument": {"uri": 7}, "position": {"line": 0, "character": 0}},
    {"textDocument": {"uri": "OPEN"}},
    {"textDocument": {"uri": "OPEN"}, "position": None, "range": None, "context": None},
    {"textDocument": {"uri": "OPEN"}, "position": {"line": "0"}, "range": {"start": 0}, "context": []},
    {"textDocument": {"uri": "OPEN"}, "position": {"line": 1.5, "character": True}, "range": [], "context": 4},
    {"textDocument": {"uri": "OPEN"}, "position": {"line": None, "character": None}, "range": {"end": {}}},
]


@pytest.mark.parametrize("bad", BAD)
def test_bad_params(pulling: Editor, new_uri: NewUri, bad: Any) -> None:
    buffer = pulling.open(PLAN, new_uri())
    if isinstance(bad, dict) and bad.get("textDocument") == {"uri": "OPEN"}:
        bad = {**bad, "textDocument": {"uri": buffer.uri}}
    before = len(pulling.messages)
    for method in (*advertised(pulling), "workspace/executeCommand"):
        pulling.call(method, bad)
    for method in ("textDocument/didChange", "textDocument/didSave", "textDocument/didOpen", "textDocument/didClose"):
        if bad != {"textDocument": {"uri": buffer.uri}}:
            pulling.notify(method, {**bad, "textDocument": {"uri": None}} if isinstance(bad, dict) else bad)
    pulling.drain()
    codes = [message["error"]["code"] for message in pulling.messages[before:] if "error" in message]
    assert set(codes) <= {-32601, -32602}
    assert pulling.claims(buffer) == [PHRASE]


@pytest.mark.parametrize(
    "changes",
    [
        None,
        {},
        [None],
        [{}],
        [{"text": None}],
        [{"text": 7}],
        [{"text": "x", "range": 7}],
        [{"text": "x", "range": {"start": {"line": 0}}}],
        [{"text": "lost"}, {"text": None}],
        [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}}],
    ],
)
def test_bad_changes(editor: Editor, new_uri: NewUri, changes: object) -> None:
    """What cannot be understood changes nothing; edits go on."""
    buffer = editor.open(PLAN, new_uri())
    identifier = {"uri": buffer.uri, "version": 2}
    editor.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": changes})
    buffer.version = 2
    editor.insert(buffer, PHRASE, "One. ")
    assert editor.claims(buffer) == [PHRASE]


@pytest.mark.parametrize(
    "document",
    [
        {"languageId": "markdown", "version": 1},
        {"languageId": "markdown", "version": 1, "text": None},
        {"languageId": "markdown", "version": "1", "text": PLAN},
        {"languageId": 7, "version": 1.5, "text": PLAN},
    ],
)
def test_bad_opens(editor: Editor, new_uri: NewUri, document: Json) -> None:
    editor.notify("textDocument/didOpen", {"textDocument": {"uri": new_uri(), **document}})
    assert editor.claims(editor.open(PLAN, new_uri())) == [PHRASE]


def test_wrong_input_goes_on(editor: Editor, new_uri: NewUri) -> None:
    """Wrong frames, bodies and messages, all in one session; a plan is linted behind each."""
    wrong = [
        framed(b"{"),
        framed(b"\xff\xfe\x00"),
        framed(b"["),
        b"Content-Length: x\r\n\r\n",
        b"Content-Length: -5\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        *map(framed, (b"[]", b"42", b"null", b'"text"', b"{}", b"[{}]", b'{"jsonrpc": "1.0", "method": "x"}')),
        framed(b'{"jsonrpc": "2.0", "id": 123456, "result": null}'),
        framed(b'{"jsonrpc": "2.0", "method": "textDocument/didOpen"}'),
        framed(b'{"jsonrpc": "2.0", "method": "$/odd", "params": 7}'),
        framed(b"[" * 100_000),
    ]
    for data in wrong:
        editor.write(data)
        buffer = editor.open(PLAN, new_uri())
        assert editor.claims(buffer) == [PHRASE], data[:60]
        editor.close(buffer)


def test_cancel(editor: Editor, new_uri: NewUri) -> None:
    buffer = editor.open(CLEAN, new_uri())
    place = params(buffer.uri, buffer.at("at=", 9))
    finished = editor.request("textDocument/definition", place)
    editor.response(finished)
    unknown: list[Any] = [finished, 10**9, "x", None, -1, 1.5, [], {}]
    for each in unknown:
        editor.notify("$/cancelRequest", {"id": each})
    editor.notify("$/cancelRequest")
    running = []
    for method in advertised(editor) * 20:
        running.append(editor.request(method, place))
        editor.notify("$/cancelRequest", {"id": running[-1]})
    for response in responses(editor, running):
        assert "result" in response or response["error"]["code"] in (-32800, -32801)


def test_client_refuses() -> None:
    """A client that can everything, and then answers every question with an error."""
    with Editor.like("vscode", replies=REFUSE_ALL) as editor:
        buffer = editor.open(PLAN, "file:///no-such-folder/S001-PLAN.md")
        assert editor.claims(buffer) == [PHRASE]
        editor.notify("workspace/didChangeConfiguration", {"settings": None})
        editor.result("workspace/executeCommand", {"command": "nubos.lintWorkspace"})
        editor.insert(buffer, PHRASE, "One. ")
        assert editor.claims(buffer) == [PHRASE]
        editor.drain()
        assert [message for message in editor.messages if message.get("method") == "workspace/configuration"]
        assert not [message for message in editor.messages if message.get("method") == "window/showMessage"]


@pytest.mark.parametrize("pulls", [False, True])
def test_interleaved(pool: Pool, new_uri: NewUri, pulls: bool) -> None:
    """Requests between edits, none of them awaited; an answer may say that the content was modified."""
    editor = pool.get("pulling", {}) if pulls else pool.get("plain", {})
    dice = random.Random("nubos")
    buffer = editor.open(PLAN, new_uri())
    asked = []
    for _ in range(100):
        editor.insert(buffer, "</objective>", "x ")
        methods = dice.choices([*advertised(editor), *UNADVERTISED], k=dice.randint(0, 3))
        asked += [editor.request(method, params(buffer.uri, buffer.at(PHRASE, 2))) for method in methods]
    for response in responses(editor, asked):
        assert "result" in response or response["error"]["code"] in (-32601, -32801), response
    assert editor.claims(buffer) == [PHRASE]
    editor.drain()
    assert pulls or editor.publishes(buffer.uri)[-1]["version"] == buffer.version == 101
    editor.settle()
