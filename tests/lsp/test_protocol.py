"""Each request is answered once, whatever the client sends and whenever; over the real wire, with raw messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from nubos_lsp.lsp.client import Client
from nubos_lsp.lsp.messages import Invalid, Notification, Request, Response, classify, decode
from nubos_lsp.lsp.params import lazy_converter, structure
from tests.lsp.wire import PROBE, Refusal, Wire, framed

HOVER = {"textDocument": {"uri": "file:///S001-PLAN.md"}, "position": {"line": 3, "character": 0}}
CONVERTER = lazy_converter()

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "method", "jsonrpc", "params", "result", "error"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def shared() -> Iterator[Wire]:
    """One server for all tests that say it goes on afterwards: so it does, through all of them."""
    with Wire(PROBE) as wire:
        wire.initialize()
        yield wire
        assert wire.shut_down() == 0


@pytest.fixture
def fresh() -> Iterator[Wire]:
    """A server that has been sent nothing."""
    with Wire(PROBE) as wire:
        yield wire


def goes_on(wire: Wire) -> None:
    assert wire.call("textDocument/hover", HOVER)["result"]["contents"] == "file:///S001-PLAN.md 3"


def code(response: dict[str, Any]) -> int:
    assert "result" not in response
    number: int = response["error"]["code"]
    return number


# What a value means


@given(JSON)
def test_every_value_has_a_meaning(value: object) -> None:
    message = classify(value)
    assert isinstance(message, (Request, Notification, Response, Invalid))
    if isinstance(message, Invalid):
        json.dumps(message.ids, allow_nan=False)


@given(st.binary(max_size=50))
def test_every_body_has_a_meaning(content: bytes) -> None:
    decode(content)


def test_a_body_nested_without_end_is_no_json() -> None:
    message = decode(b"[" * 1_000_000)
    assert isinstance(message, Invalid)
    assert (message.code, message.ids) == (-32700, (None,))


def test_calls_and_answers() -> None:
    call = {"jsonrpc": "2.0", "method": "m"}
    assert classify(call) == Notification("m", None)
    assert classify({**call, "id": 0, "params": [1]}) == Request(0, "m", [1])
    assert classify({"id": 7, "result": None}) == Response(7, None, None)
    assert classify({"jsonrpc": "2.0", "id": 7, "error": {}}) == Response(7, None, {})


@pytest.mark.parametrize(
    ("value", "ids"),
    [
        ([], ()),
        (42, ()),
        (None, ()),
        ("text", ()),
        ({}, ()),
        ({"jsonrpc": "2.0"}, ()),
        ({"jsonrpc": "2.0", "id": 3}, (3,)),
        ({"jsonrpc": "2.0", "id": 3, "method": 4}, (3,)),
        ({"jsonrpc": "1.0", "id": "a", "method": "m"}, ("a",)),
        ({"id": 5, "method": "m"}, (5,)),
        ({"jsonrpc": "1.0", "method": "m"}, ()),
        ({"jsonrpc": "2.0", "id": None, "method": "m"}, (None,)),
        ({"jsonrpc": "2.0", "id": True, "method": "m"}, (None,)),
        ({"jsonrpc": "2.0", "id": float("inf"), "method": "m"}, (None,)),
        ([{"jsonrpc": "2.0", "id": 1, "method": "m"}, {"method": "n"}, 3], (1,)),
    ],
)
def test_what_is_invalid_names_the_ids_to_answer(value: object, ids: tuple[object, ...]) -> None:
    message = classify(value)
    assert isinstance(message, Invalid)
    assert (message.code, message.ids) == (-32600, ids)


# Parameters


def test_typed_parameters() -> None:
    params = structure(CONVERTER, "textDocument/hover", HOVER, ())
    assert isinstance(params, types.HoverParams)
    assert params.position == types.Position(3, 0)


@pytest.mark.parametrize(
    "params",
    [
        None,
        [],
        42,
        "text",
        {},
        {"textDocument": None, "position": {"line": 0, "character": 0}},
        {"textDocument": {"uri": None}, "position": {"line": 0, "character": 0}},
        {"textDocument": {"uri": 42}, "position": {"line": 0, "character": 0}},
        {"textDocument": {"uri": "x"}, "position": None},
        {"textDocument": {"uri": "x"}, "position": {"line": "1", "character": 0}},
        {"textDocument": {"uri": "x"}, "position": {"line": 1.5, "character": 0}},
        {"textDocument": {"uri": "x"}, "position": {"line": True, "character": 0}},
        {"textDocument": {"uri": "x"}, "position": {"line": float("nan"), "character": 0}},
    ],
)
def test_parameters_that_do_not_fit(params: object) -> None:
    with pytest.raises(JsonRpcInvalidParams, match="textDocument/hover: "):
        structure(CONVERTER, "textDocument/hover", params, ())


def test_plain_parameters_are_passed_through() -> None:
    params = {"anything": 1}
    assert structure(CONVERTER, "textDocument/hover", params, {"textDocument/hover"}) is params
    with pytest.raises(JsonRpcInvalidParams):
        structure(CONVERTER, "textDocument/hover", None, {"textDocument/hover"})
    assert structure(CONVERTER, "shutdown", None, ()) is None
    assert structure(CONVERTER, "initialized", None, {"initialized"}) == {}
    assert structure(CONVERTER, "nubos/own", 7, ()) == 7


# The client


def test_a_client_with_nothing() -> None:
    for params in ({}, {"capabilities": None}, {"capabilities": [], "processId": "7", "workspaceFolders": {}}):
        client = Client(params)
        assert not client.supports("workspace.workspaceEdit.documentChanges")
        assert client.names("general.positionEncodings") == ()
        assert (client.encoding, client.process_id, client.options, client.roots) == ("utf-16", None, None, ())


@pytest.mark.parametrize("process_id", [None, "7", -1, 0, True, 1.5, []])
def test_odd_process_ids_are_none(process_id: object) -> None:
    assert Client({"processId": process_id}).process_id is None


def test_a_client_with_much() -> None:
    client = Client(
        {
            "capabilities": {
                "general": {"positionEncodings": ["utf-64", 3, "utf-8", "utf-16"]},
                "textDocument": {"codeAction": {"dataSupport": True, "isPreferredSupport": False}, "hover": {}},
            },
            "processId": 7,
            "rootUri": "file:///root",
            "workspaceFolders": [{"uri": "file:///a", "name": "a"}, {"name": "none"}, 3],
        }
    )
    assert client.encoding == "utf-8"
    assert client.supports("textDocument.codeAction.dataSupport")
    assert client.supports("textDocument.hover")
    assert not client.supports("textDocument.codeAction.isPreferredSupport")
    assert not client.supports("textDocument.codeAction.dataSupport.deeper")
    assert (client.process_id, client.roots) == (7, ("file:///a",))
    assert Client({"rootUri": "file:///root", "workspaceFolders": None}).roots == ("file:///root",)


# Life cycle


def test_shutdown_then_exit_gives_0(fresh: Wire) -> None:
    result = fresh.initialize({"general": {"positionEncodings": ["utf-32"]}})
    assert result["serverInfo"] == {"name": "probe", "version": "1"}
    assert result["capabilities"]["positionEncoding"] == "utf-32"
    response = fresh.call("shutdown")
    assert response == {"jsonrpc": "2.0", "id": response["id"], "result": None}
    fresh.notify("exit")
    assert fresh.exit_code() == 0


def test_exit_alone_gives_1(fresh: Wire) -> None:
    fresh.initialize()
    fresh.notify("exit")
    assert fresh.exit_code() == 1


def test_exit_before_initialize_gives_1(fresh: Wire) -> None:
    fresh.notify("exit")
    assert fresh.exit_code() == 1


def test_before_initialize(fresh: Wire) -> None:
    for method in ("textDocument/hover", "shutdown", "unknown/request", "$/unknown"):
        assert code(fresh.call(method, HOVER)) == -32002
    fresh.notify("textDocument/didChange", {"textDocument": {"uri": "x"}})
    for params in (None, 42, {}, {"capabilities": None}):
        assert code(fresh.call("initialize", params)) == -32602
    assert code(fresh.call("initialize", {"capabilities": {}, "initializationOptions": "fail"})) == -32603
    fresh.notify("initialize", {"capabilities": {}})
    fresh.initialize()
    goes_on(fresh)
    assert not [message for message in fresh.messages if "method" in message]


def test_initialize_twice(shared: Wire) -> None:
    assert code(shared.call("initialize", {"capabilities": {}})) == -32600
    goes_on(shared)


def test_after_shutdown(fresh: Wire) -> None:
    fresh.initialize()
    waiting = fresh.request("probe/wait")
    fresh.notification("probe/started")
    assert fresh.call("shutdown")["result"] is None
    assert code(fresh.response(waiting)) == -32800
    for method in ("textDocument/hover", "shutdown", "initialize", "unknown/request"):
        assert code(fresh.call(method, HOVER)) == -32600
    fresh.notify("textDocument/didChange", {"textDocument": {"uri": "x"}})
    fresh.notify("exit")
    assert fresh.exit_code() == 0


# Ids, methods, shapes


@pytest.mark.parametrize("message_id", ["text", "", "1", 0, -1, 2**31, 2**53 + 1, 10**40, 1.5, "ключ🔑", "\ud800"])
def test_ids_come_back_unchanged(shared: Wire, message_id: object) -> None:
    shared.send({"jsonrpc": "2.0", "id": message_id, "method": "probe/echo", "params": [1]})
    assert shared.response(message_id)["result"] == [1]


@pytest.mark.parametrize("message_id", ["bad", "0", 10**30])
def test_ids_come_back_unchanged_in_errors(shared: Wire, message_id: object) -> None:
    shared.send({"jsonrpc": "2.0", "id": message_id, "method": "textDocument/hover", "params": {}})
    assert code(shared.response(message_id)) == -32602


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"no json", b"\xff\xfe\xfa", b"[" * 100_000, b'{"jsonrpc": "2.0", "id": 1, "method": ', b"\x00"],
)
def test_a_body_that_is_no_json(shared: Wire, content: bytes) -> None:
    shared.write(framed(content))
    goes_on(shared)


@pytest.mark.parametrize(
    "message",
    [
        [],
        42,
        None,
        "text",
        True,
        {},
        {"jsonrpc": "2.0"},
        {"jsonrpc": "1.0", "method": "initialized"},
        {"jsonrpc": "2.0", "method": 7},
        {"jsonrpc": "2.0", "method": None, "params": {}},
        {"jsonrpc": "2.0", "id": 999, "result": 1},
        {"jsonrpc": "2.0", "id": [], "result": 1},
        {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "what?"}},
        {"jsonrpc": "2.0", "method": "textDocument/didChange"},
        {"jsonrpc": "2.0", "method": "textDocument/hover", "params": HOVER},
        {"jsonrpc": "2.0", "method": "$/cancelRequest"},
        {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": {}}},
        {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 12345}},
    ],
)
def test_messages_of_odd_shapes(shared: Wire, message: object) -> None:
    shared.send(message)
    goes_on(shared)


def test_malformed_requests_with_an_id_are_answered(shared: Wire) -> None:
    shared.send({"jsonrpc": "1.0", "id": "v1", "method": "probe/echo"}, {"jsonrpc": "2.0", "id": "none"})
    shared.send({"id": "v0", "method": "probe/echo"}, [{"jsonrpc": "2.0", "id": "batch", "method": "probe/echo"}])
    for message_id in ("v1", "none", "v0", "batch"):
        assert code(shared.response(message_id)) == -32600


def test_unknown_methods(shared: Wire) -> None:
    for method in ("unknown/request", "$/unknown", "", "textDocument/rename", "exit", "textDocument/didChange"):
        assert code(shared.call(method, {})) == -32601
    for method in ("unknown/notification", "$/unknown", ""):
        shared.notify(method, {})
    goes_on(shared)


@pytest.mark.parametrize("params", [None, [], 42, {}, {"textDocument": None, "position": None}])
def test_bad_parameters(shared: Wire, params: object) -> None:
    assert code(shared.call("textDocument/hover", params)) == -32602
    shared.send({"jsonrpc": "2.0", "id": f"missing {params}", "method": "textDocument/hover"})
    assert code(shared.response(f"missing {params}")) == -32602
    goes_on(shared)


def test_commands(shared: Wire) -> None:
    params = {"command": "probe.echo", "arguments": [1, {"two": 3}]}
    assert shared.call("workspace/executeCommand", params)["result"] == params
    for wrong in (None, {}, {"command": 7}, {"command": "unknown"}, {"command": "probe.echo", "arguments": 7}):
        assert code(shared.call("workspace/executeCommand", wrong)) == -32602


# Cancelling


def test_cancelling_a_running_request(shared: Wire) -> None:
    request = shared.request("probe/wait")
    shared.notification("probe/started")
    shared.notify("$/cancelRequest", {"id": str(request)})
    goes_on(shared)
    shared.notify("$/cancelRequest", {"id": request})
    assert code(shared.response(request)) == -32800
    shared.notify("$/cancelRequest", {"id": request})
    goes_on(shared)


def test_cancelling_a_request_before_it_runs(shared: Wire) -> None:
    shared.send(
        {"jsonrpc": "2.0", "id": "blocks", "method": "probe/block"},
        {"jsonrpc": "2.0", "id": "waits", "method": "probe/echo"},
        {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "waits"}},
    )
    assert shared.response("blocks")["result"] == 2
    assert code(shared.response("waits")) == -32800


def test_cancelling_a_task_before_its_first_step(shared: Wire) -> None:
    shared.send(
        {"jsonrpc": "2.0", "id": "asynchronous", "method": "probe/wait"},
        {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "asynchronous"}},
    )
    assert code(shared.response("asynchronous")) == -32800


# Handlers


def test_edits_arrive_plain_and_see_what_waits(shared: Wire) -> None:
    params = {"textDocument": {"uri": "file:///burst", "version": None}, "contentChanges": "odd"}
    edit = {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params}
    shared.send({"jsonrpc": "2.0", "id": "block", "method": "probe/block"}, edit, edit)
    seen = shared.wait_many(lambda message: message.get("method") == "probe/changed", 2)
    assert [message["params"] for message in seen] == [
        {"waiting": 1, "params": params},
        {"waiting": 0, "params": params},
    ]


def test_errors_that_are_expected_have_their_code(shared: Wire) -> None:
    assert shared.call("probe/refuse")["error"] == {"code": -32801, "message": "not now"}


def test_internal_errors_are_answered_logged_and_told_once(fresh: Wire) -> None:
    fresh.initialize()
    for method in ("probe/crash", "probe/crash", "probe/crash_later", "probe/no_json"):
        assert code(fresh.call(method)) == -32603
    fresh.notify("textDocument/didSave", {})
    fresh.notify("textDocument/didSave", {})
    goes_on(fresh)
    told = [message["params"] for message in fresh.messages if message.get("method") == "window/showMessage"]
    assert [message["message"].split()[1] for message in told] == [
        "probe/crash",
        "probe/crash_later",
        "probe/no_json",
        "textDocument/didSave",
    ]
    assert {message["type"] for message in told} == {1}
    assert fresh.shut_down() == 0
    assert fresh.errors.count("KeyError: 'missing'") == 3
    assert "Traceback" in fresh.errors


def test_a_client_that_refuses_every_request_raises_nothing() -> None:
    refusals = {"workspace/configuration": Refusal(), "probe/question": Refusal()}
    with Wire(PROBE, replies=refusals) as wire:
        wire.initialize()
        assert wire.call("probe/ask")["result"] == {"result": None, "failed": True, "asked": None}
        wire.replies = {"workspace/configuration": [None], "probe/question": "yes"}
        assert wire.call("probe/ask")["result"] == {"result": [None], "failed": False, "asked": "yes"}
        assert wire.shut_down() == 0
    assert not wire.errors


def test_a_whole_session_with_wrong_input_in_it() -> None:
    with Wire() as wire:
        wire.write(b"nonsense\r\n\r\n")
        assert code(wire.call("textDocument/definition", HOVER)) == -32002
        wire.write(framed(b"{no json"))
        wire.initialize()
        wire.send([], 42, None, {"jsonrpc": "2.0", "id": "none"}, {"jsonrpc": "2.0", "method": "unknown"})
        assert code(wire.response("none")) == -32600
        assert code(wire.call("textDocument/definition", {})) == -32602
        assert code(wire.call("initialize", {"capabilities": {}})) == -32600
        assert wire.shut_down() == 0
