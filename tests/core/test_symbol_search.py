"""Finding a symbol in a source file by plain search: which occurrence is taken, and what it costs."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nubos_lsp.workspace.facts import SourceFile
from nubos_lsp.workspace.symbol_search import SymbolPlace, find_symbol

PHP = r"""<?php

namespace App\Actions;

use App\Models\SegmentShare;

/**
 * ShareSegmentAction: handle() is told of here first, handle by handle.
 */
final class ShareSegmentAction
{
    public const LIMIT = 5;

    private static ?SegmentShare $last = null;

    public function __construct(private ShareNotifier $notifier) {}

    public function run(): void
    {
        $this->handle();  // calls handle
    }

    public function handle(User $owner, Segment $segment): SegmentShare
    {
        return $owner;
    }
}
"""

PYTHON = '''"""Exports. CsvExporter.export writes them."""

LIMIT = 3


class Reader:
    def export(self) -> None: ...


class CsvExporter(Reader):
    """export is the door."""

    sink: str

    async def export(self, rows: list[str]) -> int:
        return len(rows)

    class Inner:
        def close(self): ...

    def close(self): ...


def close(): ...
'''

JAVA = """package de.beispiel;

public class Ladder extends Shape implements Climbable {
    int rungs() {
        return climb(3);
    }

    static int climb(int steps)
    {
        return steps;
    }
}
"""

TYPESCRIPT = """import { share } from "./share";
export interface Options { deep: boolean }
export const limit = 5;
export default class Store {
  name: string = "";
  share(options: Options): void {
    share(options);
  }
}
"""

GO = """package share

// Handle is a method of both.
type Client struct {
	Name string
}

type Server struct {
	Name string
}

func (c *Client) Handle() {
}

func (s *Server) Handle() {
}
"""

RUST = """pub struct First;
pub struct Second;

impl First {
    pub fn new() -> Self { First }
}

impl Default for Second {
    fn default() -> Self { Self::new() }
}

impl Second {
    pub fn new() -> Self { Second }
}
"""

CPP = """#include "share.h"

void Other::share(int a) {
}

int Store::share(int a) {
    return share(a);
}
"""

LUA = """local M = {}
M.limit = 5
function M.other() return M.share() end
function M.share()
end
"""


def _line(text: str, symbol: str) -> str | None:
    """The line that is found, with the found name in brackets."""
    place = find_symbol(SourceFile(text), symbol)
    if place is None:
        return None
    line = SourceFile(text).line(place.line)
    end = place.column + place.length
    return f"{line[: place.column]}[{line[place.column : end]}]{line[end:]}".strip()


@pytest.mark.parametrize(
    ("text", "symbol", "expected"),
    [
        (PHP, "ShareSegmentAction::handle", "public function [handle](User $owner, Segment $segment): SegmentShare"),
        (PHP, "ShareSegmentAction->handle", "public function [handle](User $owner, Segment $segment): SegmentShare"),
        (PHP, "ShareSegmentAction.handle", "public function [handle](User $owner, Segment $segment): SegmentShare"),
        (PHP, "ShareSegmentAction#handle", "public function [handle](User $owner, Segment $segment): SegmentShare"),
        (
            PHP,
            r"App\Actions\ShareSegmentAction::handle()",
            "public function [handle](User $owner, Segment $segment): SegmentShare",
        ),
        (PHP, "handle()", "public function [handle](User $owner, Segment $segment): SegmentShare"),
        (PHP, "handle($owner, $segment)", "public function [handle](User $owner, Segment $segment): SegmentShare"),
        (PHP, "`handle`", "public function [handle](User $owner, Segment $segment): SegmentShare"),
        (PHP, "function handle", "public function [handle](User $owner, Segment $segment): SegmentShare"),
        (PHP, "app/Actions/ShareSegmentAction.php", "final class [ShareSegmentAction]"),
        (PHP, "ShareSegmentAction", "final class [ShareSegmentAction]"),
        (PHP, r"App\Actions\ShareSegmentAction", "final class [ShareSegmentAction]"),
        (PHP, "ShareSegmentAction::LIMIT", "public const [LIMIT] = 5;"),
        (PHP, "ShareSegmentAction::$last", "private static ?SegmentShare $[last] = null;"),
        (PHP, "Unknown::handle", "public function [handle](User $owner, Segment $segment): SegmentShare"),
        (PHP, "ShareNotifier", "public function __construct(private [ShareNotifier] $notifier) {}"),
        (PHP, "SegmentShare", r"use App\Models\[SegmentShare];"),
        (PYTHON, "CsvExporter.export", "async def [export](self, rows: list[str]) -> int:"),
        (PYTHON, "Reader.export", "def [export](self) -> None: ..."),
        (PYTHON, "export", "def [export](self) -> None: ..."),
        (PYTHON, "CsvExporter", "class [CsvExporter](Reader):"),
        (PYTHON, "CsvExporter.sink", "[sink]: str"),
        (PYTHON, "LIMIT", "[LIMIT] = 3"),
        (PYTHON, "CsvExporter.Inner.close", "def [close](self): ..."),
        (PYTHON, "door", '"""export is the [door]."""'),
        (JAVA, "Ladder.rungs", "int [rungs]() {"),
        (JAVA, "climb", "static int [climb](int steps)"),
        (JAVA, "Shape", "public class Ladder extends [Shape] implements Climbable {"),
        (TYPESCRIPT, "Store.share", "[share](options: Options): void {"),
        (TYPESCRIPT, "Store.name", '[name]: string = "";'),
        (TYPESCRIPT, "limit", "export const [limit] = 5;"),
        (TYPESCRIPT, "Options", "export interface [Options] { deep: boolean }"),
        (GO, "Server.Handle", "func (s *Server) [Handle]() {"),
        (GO, "Client.Handle", "func (c *Client) [Handle]() {"),
        (GO, "Server", "type [Server] struct {"),
        (RUST, "First::new", "pub fn [new]() -> Self { First }"),
        (RUST, "Second::new", "pub fn [new]() -> Self { Second }"),
        (RUST, "Second::default", "fn [default]() -> Self { Self::new() }"),
        (CPP, "Store::share", "int Store::[share](int a) {"),
        (LUA, "M.share", "function M.[share]()"),
        (LUA, "M.limit", "M.[limit] = 5"),
        ("name: x\nkey:\n  - deep: 1\n", "deep", "- [deep]: 1"),
        ('{\n  "scripts": {"x": "test"},\n  "test": "phpunit"\n}', "test", '"[test]": "phpunit"'),
        ("größe()\ndef größe(): ...\n", "größe", "def [größe](): ..."),
        ("public_x()\n  x_public\nx\n", "x", "[x]"),
        ("// share\nshare()\n", "share", "[share]()"),
        ("# only a comment on share\n", "share", "# only a comment on [share]"),
        ("a = 1  # handle\nhandle()\n", "handle", "[handle]()"),
        ("#define LIMIT 5\nLIMIT\n", "LIMIT", "#define [LIMIT] 5"),
        ("return x == y\nx = 3\n", "x", "[x] = 3"),
        ("static::create([])\nfunction create() {}", "create", "function [create]() {}"),
        ("Route::get('share-dashboard')", "share-dashboard", "Route::get('[share-dashboard]')"),
    ],
)
def test_takes_the_declaration(text: str, symbol: str, expected: str) -> None:
    """A declaration inside the named class is preferred, then any declaration, then code, then a comment."""
    assert _line(text, symbol) == expected


@pytest.mark.parametrize("symbol", ["", "  ", "::", "()", "missing", "handl", "Handle", "`", "$", "x" * 5000, "<b>"])
def test_what_does_not_occur_has_no_place(symbol: str) -> None:
    """An empty, broken or absent symbol gives None, and case matters."""
    assert find_symbol(SourceFile(PHP), symbol) is None


def test_empty_file() -> None:
    """An empty file has no symbols."""
    assert find_symbol(SourceFile(""), "x") is None


def test_inner_container_is_searched_first() -> None:
    """Of two equal methods, that of the nested class is meant when the class is named."""
    text = "class A:\n    def close(self): ...\n    class B:\n        def close(self): ...\n"
    assert find_symbol(SourceFile(text), "A.B.close") == SymbolPlace(4, 12, 5)
    assert find_symbol(SourceFile(text), "A.close") == SymbolPlace(2, 8, 5)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_lines_end_as_in_an_editor(line_end: str) -> None:
    """Lines count from 1 and end at LF, CRLF and CR; columns count code points."""
    text = line_end.join(("", "\u2028\f", "/* 😀 */ function share() {}"))
    assert find_symbol(SourceFile(text), "share") == SymbolPlace(3, 17, 5)


@given(st.text(alphabet="aA:.->#\\/ \n\t(){}=class functiodef$\"'", max_size=300), st.text(max_size=20))
def test_the_place_holds_the_name(text: str, symbol: str) -> None:
    """Whatever is found is there, and nothing raises."""
    source = SourceFile(text)
    for name in (symbol, text[:9]):
        place = find_symbol(source, name)
        if place:
            found = source.line(place.line)[place.column : place.column + place.length]
            assert len(found) == place.length
            assert found in name


@pytest.mark.parametrize(
    "piece",
    [
        "x",
        "x ",
        "x\n",
        "x(",
        "class x ",
        "class x\n",
        "class x{x(){ ",
        "public ",
        "* ",
        "*",
        "if x) {",
        "a::x ",
        "x)\n{",
        "{ ",
    ],
)
def test_a_hostile_file_costs_little(piece: str) -> None:
    """2 MB of the same thing are searched in a fraction of what a quadratic search would take."""
    source = SourceFile(piece * (2_000_000 // len(piece)))
    begun = time.process_time()
    for symbol in ("x", "x::x", "x.x.x"):
        find_symbol(source, symbol)
    assert time.process_time() - begun < 6
