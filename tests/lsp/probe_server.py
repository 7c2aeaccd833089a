"""A server whose features do nothing but show what the protocol does with them. Started by the tests beside it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from typing import Any

from lsprotocol import types

from nubos_lsp.lsp.base import NubosServer
from nubos_lsp.lsp.client import Client


class Refused(Exception):
    """Has a code of its own."""


class ProbeServer(NubosServer):
    """The session is the server itself."""

    grace = 0.5

    def open_session(self, client: Client) -> Any:
        if client.options == "fail":
            raise RuntimeError("no session")
        return self

    def capabilities(self, client: Client) -> dict[str, Any]:
        return {"positionEncoding": client.encoding, "hoverProvider": True}


def hover(_server: ProbeServer, params: types.HoverParams) -> types.Hover:
    return types.Hover(contents=f"{params.text_document.uri} {params.position.line}")


def echo(_server: ProbeServer, params: Any) -> Any:
    return params


def crash(_server: ProbeServer, _params: Any) -> None:
    raise KeyError("missing")


async def crash_later(_server: ProbeServer, _params: Any) -> None:
    await asyncio.sleep(0)
    raise KeyError("missing")


def refuse(_server: ProbeServer, _params: Any) -> None:
    raise Refused("not now")


def no_json(_server: ProbeServer, _params: Any) -> object:
    return {"set": {1, 2}}


async def wait(server: ProbeServer, _params: Any) -> None:
    server.send_notification("probe/started")
    await asyncio.Event().wait()


def block(server: ProbeServer, _params: Any) -> int:
    """Keeps the loop until the messages behind it have arrived; how many did."""
    end = time.monotonic() + 10
    while len(server.inbox) < 2 and time.monotonic() < end:
        time.sleep(0.005)
    return len(server.inbox)


def noise(_server: ProbeServer, _params: Any) -> None:
    print("printed")  # noqa: T201 - what must not reach the client
    sys.stdout.flush()
    os.write(1, b"written to 1\n")
    subprocess.run([sys.executable, "-c", "print('child'); import sys; sys.stdin.read()"], check=True)


async def ask(server: ProbeServer, _params: Any) -> Any:
    reply = await server.request("workspace/configuration", {"items": []})
    return {"result": reply.result, "failed": reply.error is not None, "asked": await server.ask("probe/question")}


def hang(_server: ProbeServer, _params: Any) -> None:
    time.sleep(1000)


def changed(server: ProbeServer, params: Any) -> None:
    uri = params["textDocument"]["uri"]
    server.send_notification("probe/changed", {"waiting": server.inbox.pending_changes(uri), "params": params})


def saved(_server: ProbeServer, _params: Any) -> None:
    raise ValueError("cannot save")


def main() -> int:
    server = ProbeServer("probe", "1", {Refused: -32801})
    server.on("textDocument/hover", hover)
    server.on("textDocument/codeAction", echo, plain=True)
    server.on("textDocument/didChange", changed, plain=True)
    server.on("textDocument/didSave", saved, plain=True)
    handlers = (echo, crash, crash_later, refuse, no_json, wait, block, noise, ask, hang)
    for handler in handlers:
        server.on(f"probe/{handler.__name__}", handler)
    server.on_command("probe.echo", echo)
    if "--tcp" in sys.argv:
        return server.serve_tcp("localhost", 0)
    return server.serve_stdio()


if __name__ == "__main__":
    sys.exit(main())
