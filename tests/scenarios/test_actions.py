"""Scenarios of code actions: what is offered where, and that applying it leaves the text as it should be."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.scenarios.buffer import Buffer, Json
from tests.scenarios.conftest import NewUri, Pool
from tests.scenarios.editor import CLAIM, Editor, edits
from tests.scenarios.plans import PHRASE, PLAN, SENTENCE

DOCUMENT_CHANGES: Json = {"workspace": {"workspaceEdit": {"documentChanges": True}}}
SNIPPETS: Json = {"workspace": {"workspaceEdit": {"documentChanges": True, "snippetEditSupport": True}}}

SINGLE_QUOTES = """<pattern_ref symbol="Other" at='app/Other.php:1' behavior="b"/>"""
UNSAFE_AND_SAFE = PLAN.replace("  <pattern_refs>\n", f"  <pattern_refs>\n    {SINGLE_QUOTES}\n")
"""On one line something of each kind: a finding, its safe fix, and what else can be done there."""


@pytest.fixture(params=["plain", "versioned", "snippets"])
def fixing(pool: Pool, request: pytest.FixtureRequest) -> Iterator[Editor]:
    """A client for each form of edits."""
    capabilities = {"plain": {}, "versioned": DOCUMENT_CHANGES, "snippets": SNIPPETS}
    shared = pool.get(request.param, capabilities[request.param])
    yield shared
    shared.settle()


@pytest.fixture
def versioned(pool: Pool) -> Iterator[Editor]:
    """A client that takes document changes and no snippets."""
    shared = pool.get("versioned", DOCUMENT_CHANGES)
    yield shared
    shared.settle()


def quick_fix(editor: Editor, buffer: Buffer, **context: object) -> Json:
    """The first fix that is offered for the plan's claim, at its phrase."""
    return fixes_of(editor.actions(buffer, buffer.range_of(PHRASE), **context))[0]


def fixes_of(actions: list[Json]) -> list[Json]:
    """The quick fixes of claims."""
    return [action for action in actions if [each["code"] for each in action.get("diagnostics", [])] == [CLAIM]]


@pytest.mark.parametrize("text", [PLAN, f"{SENTENCE}\n", SENTENCE, f"# S001\n\n  - {SENTENCE}"])
def test_fix_works(fixing: Editor, new_uri: NewUri, text: str) -> None:
    buffer = fixing.open(text, new_uri())
    assert fixing.claims(buffer) == [PHRASE]
    fixing.apply(buffer, quick_fix(fixing, buffer))
    assert fixing.claims(buffer) == []


def test_fix_emoji(fixing: Editor, new_uri: NewUri) -> None:
    text = PLAN.replace(SENTENCE, f"Grüße 😀😀 {SENTENCE} 🎉")
    buffer = fixing.open(f"😀 ß\n{text}", new_uri())
    before, action = buffer.text, quick_fix(fixing, buffer)
    assert buffer.covered(action["diagnostics"][0]["range"]) == PHRASE
    fixing.apply(buffer, action)
    assert fixing.claims(buffer) == []
    assert _without_added_lines(before, buffer.text) == before


@pytest.mark.parametrize("text", [PLAN, f"{SENTENCE}\n", f"one\n{SENTENCE}"])
def test_fix_crlf(fixing: Editor, new_uri: NewUri, text: str) -> None:
    buffer = fixing.open(text.replace("\n", "\r\n"), new_uri())
    fixing.apply(buffer, quick_fix(fixing, buffer))
    assert fixing.claims(buffer) == []
    assert buffer.text.count("\n") == buffer.text.count("\r\n") == buffer.text.count("\r")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-32"])
def test_fix_in_other_encodings(pool: Pool, new_uri: NewUri, encoding: str) -> None:
    editor = pool.get(encoding, {"general": {"positionEncodings": [encoding]}})
    buffer = editor.open(f"Grüße 😀 {SENTENCE} ü", new_uri())
    editor.apply(buffer, quick_fix(editor, buffer))
    assert editor.claims(buffer) == []
    assert buffer.text.startswith(f"Grüße 😀 {SENTENCE} ü")
    editor.settle()


def test_action_empty_context(editor: Editor, new_uri: NewUri) -> None:
    buffer = editor.open(PLAN, new_uri())
    for place in (buffer.range_of(PHRASE), buffer.range_of("mirror"), _cursor(buffer, PHRASE), _cursor(buffer, ".\n")):
        assert fixes_of(editor.actions(buffer, place))


@pytest.mark.parametrize(
    "diagnostics",
    [
        [{"code": 7, "source": "other", "message": "m", "data": {"a": [None, {"b": 1}]}}],
        [{"code": {"value": "x", "target": "y"}, "message": "", "data": "text", "severity": 99, "tags": [42]}],
        [{"source": "nubos", "code": CLAIM, "message": "an old one", "data": {"rule": 5}}],
        [{"source": "nubos", "code": CLAIM, "message": "an old one", "data": {"rule": "no-such-rule"}}],
        [{"message": "m", "data": [1, "two", None]}, {"message": "no range", "range": None}],
        [None, 4, "text", []],
        "text",
        None,
    ],
)
def test_action_foreign(editor: Editor, new_uri: NewUri, diagnostics: object) -> None:
    buffer = editor.open(PLAN, new_uri())
    place = buffer.range_of(PHRASE)
    if isinstance(diagnostics, list):
        diagnostics = [{"range": place, **each} if isinstance(each, dict) else each for each in diagnostics]
    assert fixes_of(editor.actions(buffer, place, diagnostics=diagnostics))


def test_action_with_a_bare_diagnostic(editor: Editor, new_uri: NewUri) -> None:
    """ALE gives back one diagnostic, and of it range, code and message only."""
    buffer = editor.open(PLAN, new_uri())
    (finding,) = editor.findings(buffer)
    bare = {name: finding[name] for name in ("range", "code", "message")}
    action = quick_fix(editor, buffer, diagnostics=[bare])
    assert {name: action["diagnostics"][0][name] for name in bare} == bare
    editor.apply(buffer, action)
    assert editor.claims(buffer) == []


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        (["quickfix"], {"quickfix"}),
        (["refactor"], {"refactor.rewrite"}),
        (["refactor.rewrite"], {"refactor.rewrite"}),
        (["refactor.rewrite.more"], set()),
        (["refactor.extract"], set()),
        (["source"], {"source.fixAll.nubos"}),
        (["source.fixAll"], {"source.fixAll.nubos"}),
        (["source.fixAll.nubos"], {"source.fixAll.nubos"}),
        (["source.fixAll.other"], set()),
        (["source.organizeImports"], set()),
        (["quick"], set()),
        (["source.fix"], set()),
        (["quickfix", "refactor"], {"quickfix", "refactor.rewrite"}),
        ([""], {"quickfix", "refactor.rewrite", "source.fixAll.nubos"}),
        ([7, None, "quickfix"], {"quickfix"}),
    ],
)
def test_action_only(editor: Editor, new_uri: NewUri, only: list[object], expected: set[str]) -> None:
    buffer = editor.open(UNSAFE_AND_SAFE, new_uri())
    actions = editor.actions(buffer, buffer.range_of("Other"), only=only)
    assert {action["kind"] for action in actions} == expected


@pytest.mark.parametrize("only", [None, [], "quickfix", {}])
def test_action_only_is_no_list(editor: Editor, new_uri: NewUri, only: object) -> None:
    buffer = editor.open(PLAN, new_uri())
    assert fixes_of(editor.actions(buffer, buffer.range_of(PHRASE), only=only))


def test_fix_all_fixes_all_that_is_safe(fixing: Editor, new_uri: NewUri) -> None:
    buffer = fixing.open(UNSAFE_AND_SAFE, new_uri())
    assert "'" in buffer.text
    (action,) = fixing.actions(buffer, buffer.range(0, 0), only=["source.fixAll"])
    fixing.apply(buffer, action)
    assert "'" not in buffer.text
    assert fixing.actions(buffer, buffer.range(0, 0), only=["source.fixAll"]) == []


def test_action_elsewhere(editor: Editor, new_uri: NewUri) -> None:
    buffer = editor.open(f"# S001\n\nOne.\n\n{PLAN}", new_uri())
    for place in (_cursor(buffer, "One"), _cursor(buffer, "<files_read>"), buffer.range(0, 0)):
        assert editor.actions(buffer, place, only=["quickfix"]) == []


def test_edit_changes(editor: Editor, new_uri: NewUri) -> None:
    buffer = editor.open(PLAN, new_uri())
    edit = quick_fix(editor, buffer)["edit"]
    assert list(edit) == ["changes"]
    assert list(edit["changes"]) == [buffer.uri]


def test_edit_version(versioned: Editor, new_uri: NewUri) -> None:
    buffer = versioned.open(PLAN, new_uri())
    versioned.insert(buffer, PHRASE, "One ")
    versioned.insert(buffer, PHRASE, "two ")
    (change,) = quick_fix(versioned, buffer)["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": buffer.uri, "version": 3}


def test_edit_no_snippet(pool: Pool, new_uri: NewUri) -> None:
    for name, capabilities in (("plain", {}), ("versioned", DOCUMENT_CHANGES)):
        editor = pool.get(name, capabilities)
        buffer = editor.open(PLAN, new_uri())
        for action in editor.actions(buffer, buffer.range(0, len(buffer.text)), only=[""]):
            for edit in edits(action, buffer):
                assert set(edit) == {"range", "newText"}
                assert "$1" not in edit["newText"]
                assert "${" not in edit["newText"]
        editor.settle()


def test_edit_snippet(pool: Pool, new_uri: NewUri) -> None:
    """Where the client can, the same fix has tab stops; what it inserts is otherwise the same."""
    with_stops, without = pool.get("snippets", SNIPPETS), pool.get("versioned", DOCUMENT_CHANGES)
    uri = new_uri()
    first, second = with_stops.open(PLAN, uri), without.open(PLAN, uri)
    action = quick_fix(with_stops, first)
    (change,) = action["edit"]["documentChanges"]
    snippets = [edit["snippet"] for edit in change["edits"] if "snippet" in edit]
    assert snippets
    assert all(snippet["kind"] == "snippet" and "${1" in snippet["value"] for snippet in snippets)
    assert edits(action, first) == edits(quick_fix(without, second), second)
    with_stops.settle()
    without.settle()


def _cursor(buffer: Buffer, text: str) -> Json:
    position = buffer.at(text)
    return {"start": position, "end": position}


def _without_added_lines(before: str, after: str) -> str:
    """`after` without the lines that `before` does not have; what else differs, stays different."""
    wanted = before.splitlines(keepends=True)
    return "".join(line for line in after.splitlines(keepends=True) if wanted and line == wanted[0] and wanted.pop(0))
