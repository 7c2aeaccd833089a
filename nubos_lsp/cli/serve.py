"""`nubos-lsp serve`: the language server, as editors start it. Only this file of the command line knows of it."""

from __future__ import annotations

from nubos_lsp.cli.arguments import Arguments, Command, Option
from nubos_lsp.cli.errors import CommandError, wrong_usage
from nubos_lsp.cli.streams import Streams

_LEVELS = ("error", "warning", "info", "debug")


def run(arguments: Arguments, streams: Streams) -> int:  # noqa: ARG001 - the server takes the process's own
    """Serve until the client is gone; the exit code."""
    if arguments.operands:
        raise wrong_usage(
            f'serve takes no arguments, and "{arguments.operands[0]}" is one; nubos-lsp --help lists the commands'
        )
    address = arguments.last("--tcp")
    host, port = _host_port(address) if address is not None else ("", 0)
    _start_logging(arguments)
    from nubos_lsp.lsp import server

    if address is None:
        return server.serve_stdio()
    try:
        return server.serve_tcp(host, port)
    except OSError as error:
        raise CommandError(
            "cannot-listen", f"cannot listen on {address}: {error.strerror or error}; choose another address"
        ) from error


def _host_port(address: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT`; without a host this machine alone can connect."""
    host, colon, port = address.rpartition(":")
    if not colon or not (port.isascii() and port.isdigit()) or int(port) > 65535:
        raise wrong_usage(f'--tcp takes HOST:PORT, such as 127.0.0.1:2087, not "{address}"')
    return host.removeprefix("[").removesuffix("]") or "127.0.0.1", int(port)


def _start_logging(arguments: Arguments) -> None:
    import logging

    level = (arguments.last("--log-level") or "warning").upper()
    path = arguments.last("--log-file")
    try:
        handler = logging.FileHandler(path, encoding="utf-8") if path else logging.StreamHandler()
    except OSError as error:
        raise CommandError(
            "log-file-unwritable", f"cannot write the log to {path}: {error.strerror}; name another file"
        ) from error
    logging.basicConfig(level=level, handlers=[handler], format="%(asctime)s %(levelname)s %(name)s: %(message)s")


COMMAND = Command(
    name="serve",
    usage=("serve [OPTION…]",),
    summary="Speak LSP with an editor over standard input and output, until it is gone.",
    options=(
        Option("--tcp", "listen here instead, for one client; without HOST on 127.0.0.1", "HOST:PORT"),
        Option("--log-level", f"{', '.join(_LEVELS)}; warning unless given", "LEVEL", _LEVELS),
        Option("--log-file", "append the log to this file instead of standard error", "FILE"),
        Option("--stdio", "the default; accepted because editors pass it"),
        Option("--clientProcessId", "", "PID"),
    ),
    notes="Editors may also start nubos-lsp without a command: with both streams piped it serves.",
    run=run,
)
