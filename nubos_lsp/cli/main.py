"""The command line's entry: finds the sub-command, and turns every way to end into an exit code and a clear line."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from typing import BinaryIO, TextIO

from nubos_lsp import __version__
from nubos_lsp.cli.arguments import Command, help_text, parse
from nubos_lsp.cli.errors import (
    BROKEN_PIPE,
    CLEAN,
    FAILED,
    INTERRUPTED,
    CommandError,
    did_you_mean,
    internal_error,
    wrong_usage,
)
from nubos_lsp.cli.streams import Streams

COMMANDS = ("serve", "lint", "explain", "rules")
"""Each is a module of this package with a `COMMAND`. Only the one that is called is loaded."""

_DEFAULT = "serve"


def main(
    arguments: Sequence[str] | None = None,
    *,
    stdin: BinaryIO | None = None,
    stdout: TextIO | None = None,
    stderr: TextIO | None = None,
) -> int:
    """Run a command line, by default this process's; the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    streams = Streams(stdin, stdout, stderr)
    try:
        code = _run(words, streams)
        streams.stdout.flush()
        return code
    except CommandError as error:
        streams.tell(error)
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output(streams)
        return BROKEN_PIPE
    except OSError as error:
        _drop_output(streams)
        streams.tell(CommandError("system-error", f"{error.strerror or error}{_file_of(error)}"))
        return FAILED
    except Exception as error:  # noqa: BLE001 - the door: a defect is a line, never a traceback
        failure = internal_error("nubos-lsp", error)
        failure.__cause__ = error
        streams.tell(failure)
        return FAILED


def _run(words: list[str], streams: Streams) -> int:
    if not words:
        return _without_command(streams)
    first, *rest = words
    if first in ("--help", "-h", "help"):
        streams.stdout.write(help_text(load(rest[0])) if rest and rest[0] in COMMANDS else overview())
        return CLEAN
    if first in ("--version", "-V"):
        streams.stdout.write(f"nubos-lsp {__version__}\n")
        return CLEAN
    if first.startswith("-"):
        _expect_no_other_commands_option(first)
        return _run_command(_DEFAULT, words, streams)
    if first not in COMMANDS:
        raise _unknown(first)
    return _run_command(first, rest, streams)


def _without_command(streams: Streams) -> int:
    """Editors start the bare name with both streams piped; a person at a terminal wants to know what there is."""
    if _is_terminal(sys.stdin) or _is_terminal(streams.stdout):
        streams.stdout.write(overview())
        return CLEAN
    return _run_command(_DEFAULT, [], streams)


def _run_command(name: str, words: list[str], streams: Streams) -> int:
    streams.errors_as_json = _wants_json(words)
    command = load(name)
    arguments = parse(command, words)
    if arguments.has("--help"):
        streams.stdout.write(help_text(command))
        return CLEAN
    streams.debug = streams.debug or arguments.has("--debug")
    return command.run(arguments, streams)


def load(name: str) -> Command:
    """The sub-command called `name`, one of COMMANDS."""
    # What loading makes stays: looking for garbage in it costs some milliseconds of a cold start.
    gc.disable()
    try:
        command: Command = import_module(f"nubos_lsp.cli.{name}").COMMAND
    finally:
        gc.freeze()
        gc.enable()
    return command


def overview() -> str:
    """What `--help` prints without a command."""
    rows = "\n".join(f"  {name:<10}{load(name).summary}" for name in COMMANDS)
    return f"""usage: nubos-lsp COMMAND [OPTION…]

The language server and linter for nubos-pilot plan files.

commands:
{rows}

  nubos-lsp COMMAND --help tells more. --version prints the version.
  Without a command, and started by an editor, it serves.
"""


def _unknown(name: str) -> CommandError:
    if os.path.exists(name) or name.endswith(".md"):
        return wrong_usage(f'"{name}" is no command; to lint it: nubos-lsp lint {name}')
    return wrong_usage(f'there is no command "{name}".{did_you_mean(name, COMMANDS)} There are: {", ".join(COMMANDS)}')


def _expect_no_other_commands_option(word: str) -> None:
    """An option that stands first is one of `serve`; one of `lint` alone was meant for it."""
    name = word.partition("=")[0]
    if not _has_option(_DEFAULT, name) and _has_option("lint", name):
        raise wrong_usage(f"{name} is an option of lint, and the command comes first: nubos-lsp lint {word} …")


def _has_option(command: str, name: str) -> bool:
    return any(option.name == name for option in load(command).options)


def _wants_json(words: Sequence[str]) -> bool:
    """Whether errors are to be JSON too, even those in the arguments themselves."""
    formats = [word for before, word in pairwise(("", *words)) if before == "--format" or word.startswith("--format=")]
    return formats[-1:] in (["json"], ["--format=json"])


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _drop_output(streams: Streams) -> None:
    """Send what cannot be written to stdout nowhere: else Python tries again at exit, and complains."""
    try:
        streams.stdout.flush()
    except OSError:
        if streams.stdout is sys.stdout:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _file_of(error: OSError) -> str:
    return f": {error.filename}" if error.filename else ""
