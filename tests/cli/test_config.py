"""`.nubos-pilot/config.json`: what an allow list may hold."""

from __future__ import annotations

import pytest

from nubos_lsp.workspace.config import NOT_OVERRIDABLE, Config, ConfigError, allow_commands


def test_bare_names_are_allowed_and_trimmed() -> None:
    value = ["pest", " phpstan\t", "\ufeffa", "x2", "g++", "clang-format", "a.b_c"]
    assert allow_commands(value) == ("pest", "phpstan", "a", "x2", "g++", "clang-format", "a.b_c")


@pytest.mark.parametrize("value", ["pest", 1, {}, {"a": 1}, True, ["a", 1], [None], [["a"]]])
def test_a_list_is_an_array_of_strings(value: object) -> None:
    with pytest.raises(ConfigError) as caught:
        allow_commands(value)
    assert caught.value.code == "plan-lint-invalid-allow-list"


@pytest.mark.parametrize(
    "name", ["", " ", ".", "..", "-x", "_x", "a b", "a/b", "./a", "ä", "a\n", "a;b", "$(x)", "a\u0085"]
)
def test_a_name_is_bare(name: str) -> None:
    if name == "a\n":
        assert allow_commands([name]) == ("a",)
        return
    with pytest.raises(ConfigError) as caught:
        allow_commands([name])
    assert caught.value.code == "plan-lint-invalid-allow-list"


@pytest.mark.parametrize("name", sorted(name for names in NOT_OVERRIDABLE.values() for name in names if name != "."))
def test_a_dangerous_command_cannot_be_allowed(name: str) -> None:
    with pytest.raises(ConfigError) as caught:
        allow_commands(["make", f" {name} "])
    assert caught.value.code == "plan-lint-allow-command-not-overridable"
    assert "take it off the list" in caught.value.message


def test_names_are_case_sensitive() -> None:
    assert allow_commands(["Bash"]) == ("Bash",)


def test_the_first_wrong_entry_is_told() -> None:
    with pytest.raises(ConfigError, match="bash"):
        allow_commands(["bash", "."])


def test_a_long_entry_is_told_in_short() -> None:
    with pytest.raises(ConfigError) as caught:
        allow_commands(["a b" * 1000])
    assert len(caught.value.message) < 200


def test_other_keys_do_not_matter() -> None:
    assert Config.read('{"a": 1, "plan_lint": {"b": 2, "verify_allow_commands": ["x"]}}') == Config(("x",))


def test_what_no_list_can_allow_is_what_the_gate_refuses() -> None:
    """The gate's own table, read from its conformance vectors."""
    refused = """
        . aria2c ash at base64 bash builtin bun chmod chown chrt command crontab curl dash dd deno doas docker
        docker-compose env eval exec httpie ionice kill killall ksh launchctl ln lwp-request mkfs nc ncat netcat nice
        node nohup openssl perl php pkill podman python python3 reboot rm rmdir rsync ruby scp setsid sftp sh shutdown
        socat source ssh stdbuf su sudo systemctl telnet time timeout wget xargs zsh
    """
    assert sorted(name for names in NOT_OVERRIDABLE.values() for name in names) == refused.split()
