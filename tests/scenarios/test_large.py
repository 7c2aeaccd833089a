"""Scenarios of size: one line of megabytes, tags without end, and memory over a long day."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.scenarios.conftest import NewUri
from tests.scenarios.editor import Editor
from tests.scenarios.plans import PHRASE, PLAN, SENTENCE

A_MINUTE = 60.0
MOST_GROWTH = 64 * 1024 * 1024


@pytest.mark.parametrize("word", ["word ", "x", "`", "mirror "])
def test_big_line(new_uri: NewUri, word: str) -> None:
    with Editor() as editor:
        size = 5_000_000
        buffer = editor.open(word * (size // len(word)), new_uri())
        editor.findings(buffer, A_MINUTE)
        # The buffer's own columns would take longer than the server: the places are given as numbers here.
        for column in (0, size // 2, size - 10):
            place = {"line": 0, "character": column}
            editor.change(buffer, {"range": {"start": place, "end": place}, "text": "one "})
        editor.findings(buffer, A_MINUTE)
        place = {"line": 0, "character": size // 3}
        editor.response(
            editor.request("textDocument/definition", {"textDocument": buffer.identifier, "position": place}), A_MINUTE
        )
        editor.close(buffer)
        assert editor.claims(editor.open(PLAN, new_uri()), A_MINUTE) == [PHRASE]


@pytest.mark.parametrize("tag", ["<pattern_refs>", "<a>", "<task id='x'>", "<!--", "</a>", "<a ", "- [", "> ", "**"])
def test_deep_nesting(new_uri: NewUri, tag: str) -> None:
    with Editor() as editor:
        buffer = editor.open(f"{SENTENCE}\n{tag * 20_000}", new_uri())
        editor.findings(buffer, A_MINUTE)
        place = buffer.at("mirror")
        params = {
            "textDocument": buffer.identifier,
            "position": place,
            "range": {"start": place, "end": place},
            "context": {"diagnostics": []},
        }
        methods = ("definition", "codeAction", "documentSymbol", "foldingRange")
        asked = [editor.request(f"textDocument/{method}", params) for method in methods]
        for request in asked:
            response = editor.response(request, A_MINUTE)
            assert "result" in response or response["error"]["code"] == -32601
        assert editor.claims(editor.open(PLAN, new_uri()), A_MINUTE) == [PHRASE]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read from /proc")
def test_memory(new_uri: NewUri) -> None:
    """A plan of 100 KB, 200 times opened, edited and closed: by turns under one URI and under a new one."""
    text = f"{PLAN}\n" * (100_000 // len(PLAN))
    with Editor() as editor:
        uri, before = new_uri(), 0
        for cycle in range(200):
            if cycle == 50:
                before = memory(editor)
            buffer = editor.open(text, uri if cycle % 2 else new_uri())
            editor.replace(buffer, PHRASE, "Look at")
            editor.replace(buffer, "Look at", PHRASE)
            editor.findings(buffer)
            editor.close(buffer)
        editor.drain()
        assert memory(editor) - before < MOST_GROWTH


def memory(editor: Editor) -> int:
    """The resident bytes of the server."""
    status = Path(f"/proc/{editor.process.pid}/status").read_text()
    match = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert match
    return int(match[1]) * 1024
