"""YAML as plain values, from PyYAML's events: nothing of the text can execute, recurse or grow.

Only text, null, booleans, integers and decimals are known; all else stays text, so that `2026-01-01` and `010` are what
was written. An alias is the value of its anchor; when aliases multiply, or nesting goes too deep, reading stops.
Import this module only where it is used: it imports PyYAML. Offsets are in the YAML text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

import yaml

from nubos_lsp.text.span import Span

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_DEEPEST = 64
_MOST_VALUES = 100_000
_UNPRINTABLE = re.compile("[^\t\n\r -~\x85\u00a0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LINE_END = re.compile(r"[\r\n]|\Z")
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_DECIMAL = re.compile(r"[-+]?[0-9]{1,17}\.[0-9]{1,17}")
_WORDS: Mapping[str, object] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    **dict.fromkeys(("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"), True),
    **dict.fromkeys(("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"), False),
}  # fmt: skip
_CORE = ("str", "int", "float", "bool", "null", "timestamp", "seq", "map")
_TAGS = {None, "!", *(f"tag:yaml.org,2002:{name}" for name in _CORE)}


class Fault(NamedTuple):
    """What is wrong at a place, in one sentence."""

    span: Span
    message: str


def load(text: str) -> tuple[Mapping[str, object], tuple[Fault, ...]]:
    """The mapping that `text` is, and what is wrong with it. Empty text is an empty mapping."""
    odd = _UNPRINTABLE.search(text)
    if odd:
        message = f"invalid YAML: the character U+{ord(odd[0]):04X} is not allowed"
        return {}, (Fault(Span(*odd.span()), message),)
    reader = _Reader()
    try:
        for event in yaml.parse(text, Loader=_Loader):
            reader.take(event)
    except _StopReading as stop:
        return {}, (*reader.faults, stop.fault)
    except yaml.YAMLError as error:
        return {}, (*reader.faults, _fault(text, error))
    return _mapping(text, reader)


def _mapping(text: str, reader: _Reader) -> tuple[Mapping[str, object], tuple[Fault, ...]]:
    if isinstance(reader.value, dict):
        return reader.value, tuple(reader.faults)
    if reader.value is None:
        return {}, tuple(reader.faults)
    start = len(text) - len(text.lstrip())
    fault = Fault(_to_line_end(text, start), "the frontmatter must be keys with values, such as `slice: S001`")
    return {}, (*reader.faults, fault)


class _StopReading(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class _Frame:
    """A collection being read: `key` is the key that waits for its value, `size` counts all values inside."""

    __slots__ = ("anchor", "key", "size", "value")

    def __init__(self, value: dict[str, object] | list[object], anchor: str | None) -> None:
        self.value = value
        self.anchor = anchor
        self.key: str | None = None
        self.size = 1


class _Reader:
    """Builds the value of the one document from its events."""

    def __init__(self) -> None:
        self.value: object = None
        self.faults: list[Fault] = []
        self._frames: list[_Frame] = []
        self._anchors: dict[str, tuple[object, int]] = {}

    def take(self, event: yaml.Event) -> None:
        """Take the next event; raises _StopReading when it is no use to go on."""
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._check_tag(event)
            if len(self._frames) >= _DEEPEST:
                raise _StopReading(Fault(_span(event), "the frontmatter is nested too deeply"))
            self._frames.append(_Frame({} if isinstance(event, yaml.MappingStartEvent) else [], event.anchor))
        elif isinstance(event, yaml.CollectionEndEvent):
            frame = self._frames.pop()
            self._put(frame.value, frame.size, event, frame.anchor)
        elif isinstance(event, yaml.DocumentStartEvent) and self.value is not None:
            raise _StopReading(Fault(_span(event), "the frontmatter must be one YAML document"))

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        self._check_tag(event)
        text = str(event.value)
        if not self._takes_key():
            plain = event.implicit[0] and event.style in (None, "")
            self._put(_resolved(text) if plain else text, 1, event, event.anchor)
            return
        frame = self._frames[-1]
        if text in frame.value:
            self.faults.append(Fault(_span(event), f"the key `{text}` is given twice"))
        frame.key = text
        self._remember(event.anchor, text, 1)

    def _alias(self, event: yaml.AliasEvent) -> None:
        name = str(event.anchor)
        value, size = self._anchors.get(name, (None, 0))
        if not size:
            self.faults.append(Fault(_span(event), f"the alias `*{name}` has no anchor `&{name}` before it"))
        if size + (self._frames[-1].size if self._frames else 0) > _MOST_VALUES:
            raise _StopReading(Fault(_span(event), "the aliases of the frontmatter multiply to too many values"))
        self._put(value, size, event, None)

    def _put(self, value: object, size: int, event: yaml.Event, anchor: str | None) -> None:
        self._remember(anchor, value, size)
        if not self._frames:
            self.value = value
            return
        frame = self._frames[-1]
        frame.size += size
        if isinstance(frame.value, list):
            frame.value.append(value)
        elif frame.key is None:
            self.faults.append(Fault(_span(event), "a key must be plain text"))
            frame.key = ""
        else:
            frame.value[frame.key] = value
            frame.key = None

    def _takes_key(self) -> bool:
        return bool(self._frames) and isinstance(self._frames[-1].value, dict) and self._frames[-1].key is None

    def _remember(self, anchor: str | None, value: object, size: int) -> None:
        if anchor is not None:
            self._anchors[anchor] = value, size

    def _check_tag(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        if event.tag not in _TAGS:
            self.faults.append(Fault(_span(event), f"the tag `{event.tag}` is not allowed"))


def _resolved(text: str) -> object:
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else text


def _span(event: yaml.Event) -> Span:
    start, end = event.start_mark, event.end_mark
    return Span(start.index, max(start.index, end.index)) if start and end else Span(0, 0)


def _to_line_end(text: str, start: int) -> Span:
    end = _LINE_END.search(text, start)
    return Span(start, start + len(text[start : end.start() if end else None].rstrip()))


def _fault(text: str, error: yaml.YAMLError) -> Fault:
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return Fault(Span(0, len(text)), "invalid YAML")
    at = min(error.problem_mark.index, len(text))
    begun = min(error.context_mark.index, at) if error.context_mark else at
    start, message = _explain(text, at, begun, error.context or "", error.problem or "")
    last = max(0, len(text.rstrip()) - 1)
    return Fault(_to_line_end(text, min(start, last)), f"invalid YAML: {message}")


_TOLD_BY = (
    ("nesting", "it is nested too deeply"),
    ("values are not allowed", "a key cannot stand here; a value that holds a colon and a space needs quotes"),
    ("entries are not allowed", "a list item cannot stand here; give it a line of its own below the key"),
)


def _explain(text: str, at: int, begun: int, context: str, problem: str) -> tuple[int, str]:
    """Where to point and what to say. The two parsers of PyYAML word their errors differently."""
    for words, message in _TOLD_BY:
        if words in problem:
            return at, message
    if "quoted scalar" in context:
        return _explain_quoted(text, at, begun, problem)
    if "flow" in context:
        return _explain_flow(text, at, begun, context)
    if "simple key" in context:
        return begun, "there is no colon behind this key"
    return at, _explain_place(text, at, context, problem)


def _explain_place(text: str, at: int, context: str, problem: str) -> str:
    character = text[at : at + 1]
    if character == "\t":
        return "a tab cannot indent; use spaces"
    if "cannot start any token" in problem or "node content" in problem:
        return f"a value cannot begin with `{character}`; put it in quotes"
    if text[:at].rstrip(" ").endswith(('"', "'")):
        return "text follows a quoted value; put all of it in quotes"
    if "block mapping" in context or "block collection" in context:
        return "this does not belong to the key or the list above; mind its indent"
    return problem


def _explain_quoted(text: str, at: int, begun: int, problem: str) -> tuple[int, str]:
    if "escape character" not in problem:
        unclosed = "end of stream" in problem or "document" in problem
        return (begun, "the quoted value that begins here is not closed") if unclosed else (at, problem)
    at = at if text.startswith("\\", at) else at - 1
    return at, f"`{text[at : at + 2]}` means nothing in double quotes; use single quotes or double the backslash"


def _explain_flow(text: str, at: int, begun: int, context: str) -> tuple[int, str]:
    kind, end = ("list", "]") if "sequence" in context else ("mapping", "}")
    between = text[begun:at]
    if "\n" in between or "\r" in between:
        return begun, f"the {kind} that begins here is not closed"
    return at, f"`,` or `{end}` is missing"
