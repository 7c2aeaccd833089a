"""What can go wrong for a command, as a code and a sentence that says what to do, and the exit codes."""

from __future__ import annotations

from collections.abc import Iterable

CLEAN = 0
FAILED = 1
CRITICAL = 2
WRONG_USAGE = 64
INTERRUPTED = 130
BROKEN_PIPE = 141


class CommandError(Exception):
    """An error for the user. `code` is stable, for programs; `message` is one sentence or two."""

    exit_code = FAILED

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class UsageError(CommandError):
    """The command was called in a way that it does not understand."""

    exit_code = WRONG_USAGE


def wrong_usage(message: str) -> UsageError:
    """A usage error that the gate has no code of its own for."""
    return UsageError("wrong-usage", message)


def internal_error(what: str, error: BaseException) -> CommandError:
    """A defect of ours, told in a line; the traceback is for those who ask."""
    return CommandError("internal-error", f"internal error in {what} ({type(error).__name__}), please report it")


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """` Did you mean "x"?` for the most similar of `names`; "" when none is similar."""
    from difflib import get_close_matches

    close = get_close_matches(name, list(names), n=1, cutoff=0.6)
    return f' Did you mean "{close[0]}"?' if close else ""
