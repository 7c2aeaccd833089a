"""What a project says in `.nubos-pilot/config.json`. Not a setting of the user: the gate reads the same file.

A file that cannot be understood says nothing, with a problem to tell. A wrong allow list is refused: a gate that
ignores it would pass what its author wanted judged. Source: cli.md, gate-details 32 and 33.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from nubos_lsp.plan.layout import PROJECT_FOLDER
from nubos_lsp.prose.ecmascript import trim

CONFIG_FILE = f"{PROJECT_FOLDER}/config.json"
"""Below the project root."""

NOT_OVERRIDABLE = {
    "runs text or a file as code": ("eval", "source", ".", "exec"),
    "transfers data over the network": (
        *("curl", "wget", "aria2c", "httpie", "lwp-request", "nc", "ncat", "netcat", "socat", "telnet"),
        *("ssh", "scp", "sftp", "rsync"),
    ),
    "takes other rights": ("sudo", "doas", "su"),
    "changes files or devices": ("rm", "rmdir", "ln", "chmod", "chown", "dd", "mkfs"),
    "halts or signals": ("shutdown", "reboot", "kill", "killall", "pkill"),
    "schedules or controls services": ("crontab", "at", "systemctl", "launchctl"),
    "decodes or fetches payloads": ("base64", "openssl"),
    "is a shell": ("sh", "bash", "zsh", "dash", "ksh", "ash"),
    "is an interpreter that takes code as an argument": (
        *("node", "deno", "bun", "php", "python", "python3", "ruby", "perl"),
    ),
    "runs another command, which is judged instead": (
        *("env", "time", "nohup", "setsid", "command", "builtin", "nice", "ionice", "chrt", "stdbuf", "xargs"),
        *("timeout", "docker", "podman", "docker-compose"),
    ),
}
"""Commands that no allow list can allow, by the reason."""

_BARE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
_KEY = "plan_lint.verify_allow_commands"


class ConfigError(Exception):
    """An allow list that is refused; `code` is the gate's name of the error."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Config(NamedTuple):
    """What the file says, and in `problem` why it says nothing, a sentence for the user."""

    verify_allow_commands: tuple[str, ...] = ()
    problem: str | None = None

    @classmethod
    def read(cls, text: str) -> Config:
        """The configuration that `text` is; raises ConfigError for a wrong allow list."""
        value, problem = _json(text)
        if problem:
            return cls(problem=problem)
        if value is None:
            return cls()
        if not isinstance(value, Mapping):
            return cls(problem="it is no JSON object")
        section = value.get("plan_lint")
        if section is not None and not isinstance(section, Mapping):
            return cls(problem="its plan_lint is no object")
        return cls(allow_commands((section or {}).get("verify_allow_commands")))


def allow_commands(value: object) -> tuple[str, ...]:
    """The names of an allow list; none for None. Raises ConfigError at the first entry that is refused."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise _invalid("it must be an array of command names")
    return tuple(map(_allowed, value))


def _allowed(entry: object) -> str:
    name = trim(entry) if isinstance(entry, str) else ""
    if not _BARE_NAME.fullmatch(name):
        raise _invalid(f"{_shown(entry)} is no bare command name; write one such as {_shown('phpstan')}")
    for reason, names in NOT_OVERRIDABLE.items():
        if name in names:
            raise ConfigError(
                "plan-lint-allow-command-not-overridable",
                f"{_KEY} cannot allow {_shown(name)}: it {reason}; take it off the list",
            )
    return name


def _invalid(reason: str) -> ConfigError:
    return ConfigError("plan-lint-invalid-allow-list", f"{_KEY}: {reason}")


def _shown(value: object) -> str:
    import json

    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _json(text: str) -> tuple[object, str | None]:
    """The value of a JSON text, or why there is none. Python's reader is more lenient: NaN is refused here."""
    import json

    try:
        return json.loads(text, parse_constant=_no_constant), None
    except json.JSONDecodeError as error:
        return None, f"it is no JSON: {error.msg[:1].lower()}{error.msg[1:]} at line {error.lineno}"
    except (ValueError, RecursionError):
        return None, "it is no JSON that can be read"


def _no_constant(name: str) -> object:
    raise ValueError(name)
