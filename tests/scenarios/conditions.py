"""What must hold in every scenario, read from all that went over the wire once it is over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

Json: TypeAlias = dict[str, Any]

WANTED = {
    "workspace/configuration": "workspace.configuration",
    "workspace/workspaceFolders": "workspace.workspaceFolders",
    "workspace/applyEdit": "workspace.applyEdit",
    "workspace/diagnostic/refresh": "workspace.diagnostics.refreshSupport",
    "window/workDoneProgress/create": "window.workDoneProgress",
    "window/showDocument": "window.showDocument.support",
    "window/showMessageRequest": "window.showMessage",
}
"""What a server may ask a client, and what the client must support to be asked."""


class Spoken(NamedTuple):
    """A session: messages in order. `sent` are the client's, `received` the server's."""

    capabilities: Json
    sent: Sequence[Json]
    received: Sequence[Json]


def check(spoken: Spoken) -> None:
    """Fail unless the general conditions of the scenarios hold."""
    _check_responses(spoken)
    _check_requests(spoken)
    _check_versions(spoken)
    _check_progress(spoken)


def _check_responses(spoken: Spoken) -> None:
    asked = [message["id"] for message in spoken.sent if "method" in message and "id" in message]
    # An error without an id answers what could not be read.
    answered = [message["id"] for message in spoken.received if "method" not in message and message["id"] is not None]
    assert sorted(map(repr, asked)) == sorted(map(repr, answered))
    for message in spoken.received:
        assert "method" in message or ("result" in message) != ("error" in message), message


def _check_requests(spoken: Spoken) -> None:
    for message in spoken.received:
        if "method" not in message or "id" not in message:
            continue
        if message["method"] == "client/registerCapability":
            for registration in message["params"]["registrations"]:
                feature = registration["method"].replace("/", ".")
                assert _supports(spoken.capabilities, f"{feature}.dynamicRegistration"), registration
        else:
            assert _supports(spoken.capabilities, WANTED[message["method"]]), message


def _check_versions(spoken: Spoken) -> None:
    """A publish has a version that the document had; it goes back only where the document was opened again."""
    known: dict[str, list[int]] = defaultdict(list)
    closed: set[str] = set()
    for message in spoken.sent:
        uri, version = _document(message)
        if message.get("method") == "textDocument/didClose":
            closed.add(uri)
        elif message.get("method") in ("textDocument/didOpen", "textDocument/didChange"):
            known[uri].append(version if isinstance(version, int) else 0)
    told: dict[str, list[int]] = defaultdict(list)
    for publish in _publishes(spoken.received):
        uri, version = publish["uri"], publish.get("version")
        if version is None:
            # Nothing is open any more: what was told is taken back. Or it is a plan that nobody has opened.
            assert (uri in closed and not publish["diagnostics"]) or uri not in known, publish
        else:
            assert version in known[uri], publish
            told[uri].append(version)
    for uri, versions in told.items():
        assert _falls(versions) <= _falls(known[uri]), (uri, versions)


def _check_progress(spoken: Spoken) -> None:
    """A token is known before it is used; what begins ends."""
    given = [message["params"].get("workDoneToken") for message in spoken.sent if _is_plain(message)]
    known: set[str | int] = {token for token in given if isinstance(token, (str, int))}
    running: set[str | int] = set()
    for message in spoken.received:
        if message.get("method") == "window/workDoneProgress/create":
            known.add(message["params"]["token"])
        elif message.get("method") == "$/progress":
            token, kind = message["params"]["token"], message["params"]["value"]["kind"]
            assert token in known, message
            assert (kind == "begin") != (token in running), message
            (running.discard if kind == "end" else running.add)(token)
    assert not running, running


def _is_plain(message: Json) -> bool:
    return isinstance(message.get("params"), dict)


def _document(message: Json) -> tuple[str, object]:
    """The URI and version that a message names, "" and None where it names none."""
    document = message["params"].get("textDocument") if _is_plain(message) else None
    uri = document.get("uri") if isinstance(document, dict) else None
    return (uri, document.get("version")) if isinstance(uri, str) and isinstance(document, dict) else ("", None)


def _publishes(messages: Iterable[Json]) -> list[Json]:
    wanted = "textDocument/publishDiagnostics"
    return [message["params"] for message in messages if message.get("method") == wanted]


def _falls(versions: Sequence[int]) -> int:
    return sum(after < before for before, after in pairwise(versions))


def _supports(capabilities: Json, path: str) -> bool:
    value: Any = capabilities
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value is True or isinstance(value, dict)
