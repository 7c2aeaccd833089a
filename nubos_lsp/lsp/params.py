"""Parameters as handlers want them: lsprotocol's objects, or the plain wire values where those are quicker or safer.

lsprotocol takes some wrong types for right (null becomes the text "None", "3" the number 3); here they are refused.
"""

from __future__ import annotations

from collections.abc import Container
from functools import cached_property
from typing import Any, cast

from cattrs import Converter
from lsprotocol.converters import get_converter
from lsprotocol.types import METHOD_TO_TYPES
from pygls.exceptions import JsonRpcInvalidParams


def structure(converter: Converter, method: str, params: Any, plain: Container[str]) -> Any:
    """The parameters of a message. Raises JsonRpcInvalidParams.

    Those of a method in `plain` are only checked to be an object, where the protocol wants any; those of methods that
    the protocol does not know are left alone.
    """
    types = METHOD_TO_TYPES.get(method)
    wanted: Any = types[2] if types else None
    if wanted is None:
        return params
    if params is None and method == "initialized":
        # Its object is empty, and some clients leave it out.
        params = {}
    if not isinstance(params, dict):
        raise JsonRpcInvalidParams(f"{method}: params must be an object")
    if method in plain:
        return params
    try:
        return converter.structure(params, wanted)
    except Exception as error:
        raise JsonRpcInvalidParams(f"{method}: {_reason(error)}") from error


def lazy_converter() -> Converter:
    """A converter that is made at its first use: `initialize` and the first edits need none."""
    return cast(Converter, _LazyConverter())


class _LazyConverter:
    @cached_property
    def _converter(self) -> Converter:
        converter = get_converter()
        converter.register_structure_hook(str, _text)
        converter.register_structure_hook(int, _integer)
        return converter

    def __getattr__(self, name: str) -> Any:
        return getattr(self._converter, name)


def _text(value: object, _: type) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a string is wanted, not {type(value).__name__}")
    return value


def _integer(value: object, _: type) -> int:
    # Clients written in Lua send whole numbers as 3.0.
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value):
        raise TypeError(f"a whole number is wanted, not {value!r:.40}")
    return int(value)


def _reason(error: BaseException) -> str:
    """The innermost of the errors that cattrs nests."""
    while inner := getattr(error, "exceptions", None):
        error = inner[0]
    if isinstance(error, KeyError):
        return f"{error.args[0]} is missing"
    return str(error) or type(error).__name__
