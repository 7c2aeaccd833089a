"""What a body means: request, notification, response, or something to refuse. Pure; knows JSON-RPC, not LSP's methods.

Every value a client can send has a place here, so that nothing behind this module meets a surprise. Bodies that are
no JSON, batches and wrong versions become `Invalid`, which names the id to answer.
"""

from __future__ import annotations

import json
import math
from enum import Enum
from typing import NamedTuple, TypeAlias

MessageId: TypeAlias = int | float | str

PARSE_ERROR = -32700
INVALID_REQUEST = -32600


class Request(NamedTuple):
    """Must be answered exactly once, with its id unchanged."""

    id: MessageId
    method: str
    params: object


class Notification(NamedTuple):
    """Is never answered."""

    method: str
    params: object


class Response(NamedTuple):
    """The client's answer to a request of ours; `error` is None if it succeeded."""

    id: object
    result: object
    error: object


class Invalid(NamedTuple):
    """Cannot be handled; each id in `ids` is answered with the error (None stands for "no id could be read")."""

    code: int
    reason: str
    ids: tuple[MessageId | None, ...]


class Signal(Enum):
    """What the inbox says beside messages."""

    END = "the input ended"
    EMPTY = "no message waits"


Message: TypeAlias = Request | Notification | Response | Invalid
Incoming: TypeAlias = Message | Signal


def decode(body: bytes) -> Message:
    """The message in a frame's body. Never raises."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        return Invalid(PARSE_ERROR, f"the body is not JSON: {error}", (None,))
    return classify(value)


def classify(value: object) -> Message:
    """The message that a JSON value stands for. Never raises."""
    if isinstance(value, list):
        ids = tuple(_answer_id(member) for member in value if isinstance(member, dict) and "id" in member)
        return Invalid(INVALID_REQUEST, "batches are not part of the protocol", ids)
    if not isinstance(value, dict):
        return Invalid(INVALID_REQUEST, "a message is an object", ())
    if "method" not in value and ("result" in value or "error" in value):
        return Response(value.get("id"), value.get("result"), value.get("error"))
    return _call(value)


def key(message_id: object) -> tuple[str, object]:
    """A dictionary key for an id: JSON tells 1, 1.0, true and "1" apart, Python's `==` does not."""
    return type(message_id).__name__, message_id


def is_id(value: object) -> bool:
    """Whether a value may be a request's id: a string or a finite number."""
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))


def _call(value: dict[str, object]) -> Message:
    has_id, message_id, method = "id" in value, value.get("id"), value.get("method")
    ids = (_answer_id(value),) if has_id else ()
    if value.get("jsonrpc") != "2.0":
        return Invalid(INVALID_REQUEST, "jsonrpc must be 2.0", ids)
    if not isinstance(method, str):
        return Invalid(INVALID_REQUEST, "the message names no method", ids)
    if not has_id:
        return Notification(method, value.get("params"))
    if isinstance(message_id, (int, float, str)) and is_id(message_id):
        return Request(message_id, method, value.get("params"))
    return Invalid(INVALID_REQUEST, "an id is a string or a number", ids)


def _answer_id(value: dict[str, object]) -> MessageId | None:
    message_id = value.get("id")
    return message_id if isinstance(message_id, (int, float, str)) and is_id(message_id) else None
