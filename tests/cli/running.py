"""Runs the command line inside the test's process, and builds projects for it."""

from __future__ import annotations

import json
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, NamedTuple

from nubos_lsp.cli.main import main

CLAIM = "Mirror `ShareSegmentAction`.\n"
CLEAN = "Nothing to see here.\n"


class Ended(NamedTuple):
    """How a command ended and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def payload(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> tuple[str, str]:
        """The code and the message of the only line on stderr."""
        assert self.err.count("\n") == 1, self.err
        code, _, message = self.err.rstrip("\n").partition(": ")
        return code, message

    @property
    def last_line(self) -> str:
        return self.out.splitlines()[-1]


def run(*arguments: str, stdin: bytes = b"", out: StringIO | None = None) -> Ended:
    """Run `nubos-lsp` with these arguments."""
    out, err = out or StringIO(), StringIO()
    code = main(arguments, stdin=BytesIO(stdin), stdout=out, stderr=err)
    return Ended(code, out.getvalue(), err.getvalue())


def lint_text(text: str, *arguments: str, name: str = "S001-PLAN.md") -> Ended:
    """Lint a text from standard input."""
    return run("lint", *arguments, "--stdin-filename", name, stdin=text.encode("utf-8", "surrogatepass"))


def write(root: Path, files: dict[str, str]) -> None:
    """Write files below a folder, exactly as given."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


class Terminal(StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True
