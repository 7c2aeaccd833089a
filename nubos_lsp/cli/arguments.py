"""Reads the arguments of a sub-command from a table of its options, and writes its help from the same table.

The standard library's parser costs a third of what a whole cold lint may cost, and takes no options between paths.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from nubos_lsp.cli.errors import did_you_mean, wrong_usage
from nubos_lsp.cli.streams import Streams


class Option(NamedTuple):
    """An option. `value` names its value in the help, "" for a flag; an `optional` value may be left out.

    `help` is "" for what is accepted and not shown.
    """

    name: str
    help: str
    value: str = ""
    choices: tuple[str, ...] = ()
    optional: bool = False


class Arguments:
    """The arguments of one call: the values of each option that was given, and all else."""

    def __init__(self) -> None:
        self.values: dict[str, list[str]] = {}
        self.operands: list[str] = []

    def has(self, name: str) -> bool:
        """Whether the option was given."""
        return name in self.values

    def last(self, name: str) -> str | None:
        """The value that counts of an option: the last; None when there is none."""
        values = self.values.get(name)
        return values[-1] if values else None

    def listed(self, name: str) -> tuple[str, ...] | None:
        """The items of a repeatable, comma-separated option; None when it was not given."""
        if name not in self.values:
            return None
        return tuple(item for value in self.values[name] for item in map(str.strip, value.split(",")) if item)


class Command(NamedTuple):
    """A sub-command: how it is called, what it does, and `notes` for the end of its help."""

    name: str
    usage: tuple[str, ...]
    summary: str
    options: tuple[Option, ...]
    notes: str
    run: Callable[[Arguments, Streams], int]


HELP = Option("--help", "show this help")
DEBUG = Option("--debug", "show the traceback of an internal error; also by NUBOS_DEBUG=1")
_SHORT = {"-h": "--help"}


def parse(command: Command, words: Sequence[str]) -> Arguments:
    """The arguments that `words` are. Raises UsageError for what the command does not know."""
    options = {option.name: option for option in (*command.options, DEBUG, HELP)}
    arguments = Arguments()
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        if word == "--":
            arguments.operands.extend(reversed(rest))
            break
        if word == "-" or not word.startswith("-"):
            arguments.operands.append(word)
        else:
            _read_option(command, options, word, rest, arguments)
    return arguments


def _read_option(
    command: Command, options: dict[str, Option], word: str, rest: list[str], arguments: Arguments
) -> None:
    name, equals, value = word.partition("=")
    option = options.get(_SHORT.get(name, name))
    if option is None:
        raise wrong_usage(
            f"nubos-lsp {command.name} has no option {name}.{did_you_mean(name, options)}"
            f" nubos-lsp {command.name} --help shows them"
        )
    values = arguments.values.setdefault(option.name, [])
    if not option.value:
        if equals:
            raise wrong_usage(f"{option.name} takes no value")
        return
    if not equals:
        if not rest or rest[-1].startswith("--"):
            if option.optional:
                return
            raise wrong_usage(f"{option.name} needs a value: {option.name} {option.value}")
        value = rest.pop()
    if option.choices and value not in option.choices:
        raise wrong_usage(f'{option.name} takes {" or ".join(option.choices)}, not "{value}"')
    values.append(value)


def help_text(command: Command) -> str:
    """What `--help` prints."""
    usage = "\n".join(
        f"{'usage:' if not index else '      '} nubos-lsp {line}" for index, line in enumerate(command.usage)
    )
    rows = [_row(option) for option in (*command.options, DEBUG, HELP) if option.help]
    parts = [usage, command.summary, "options:\n" + "\n".join(rows), command.notes.strip()]
    return "\n\n".join(part for part in parts if part) + "\n"


def _row(option: Option) -> str:
    from textwrap import wrap

    left = f"  {option.name} {option.value}".rstrip()
    lines = wrap(option.help, 52)
    rows = [f"{left:<26}{lines[0]}"] if len(left) < 26 else [left, " " * 26 + lines[0]]
    return "\n".join((*rows, *(" " * 26 + line for line in lines[1:])))
