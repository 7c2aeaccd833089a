"""Where a command reads from and writes to, and how it tells errors. Tests pass their own streams."""

from __future__ import annotations

import os
import sys
from io import StringIO, TextIOWrapper
from typing import BinaryIO, TextIO

from nubos_lsp.cli.errors import CommandError
from nubos_lsp.cli.formats.cells import printable


class Streams:
    """The three streams. `errors_as_json` puts each error into a JSON envelope; `debug` adds tracebacks."""

    def __init__(
        self,
        stdin: BinaryIO | None = None,
        stdout: TextIO | None = None,
        stderr: TextIO | None = None,
    ) -> None:
        self._stdin = stdin
        self.stdout = stdout or _standard(sys.stdout)
        self.stderr = stderr or _standard(sys.stderr)
        self.errors_as_json = False
        self.debug = os.environ.get("NUBOS_DEBUG", "") not in ("", "0")

    @property
    def stdin(self) -> BinaryIO | None:
        """The bytes of standard input; None when it is closed."""
        if self._stdin is not None or sys.stdin is None:
            return self._stdin
        return sys.stdin.buffer

    def tell(self, error: CommandError) -> None:
        """Write an error to stderr, in one line; the traceback of its cause too when debugging."""
        self._note("error", f"{error.code}: ", {"code": error.code, "message": error.message})
        if self.debug and error.__cause__ is not None:
            import traceback

            traceback.print_exception(error.__cause__, file=self.stderr)

    def warn(self, code: str, message: str) -> None:
        """Write a warning to stderr, in one line; it changes no exit code."""
        self._note("warning", f"warning: {code}: ", {"code": code, "message": message})

    def _note(self, kind: str, prefix: str, note: dict[str, str]) -> None:
        line = f"{prefix}{printable(note['message'])}"
        if self.errors_as_json:
            import json

            line = json.dumps({kind: note}, ensure_ascii=False)
        try:
            self.stderr.write(line + "\n")
            self.stderr.flush()
        except OSError:
            return  # Nobody is there to be told.


def _standard(stream: TextIO | None) -> TextIO:
    """A standard stream as UTF-8, whatever the locale; one that swallows all for a closed one."""
    if stream is None:
        return StringIO()
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return stream
