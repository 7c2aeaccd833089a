"""The command itself: help, version, what is no command, and the small commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nubos_lsp import __version__
from nubos_lsp.cli.main import COMMANDS, load
from nubos_lsp.cli.page import page
from nubos_lsp.rules.base import Rule
from nubos_lsp.rules.catalogue import all_rules, find_rules
from tests.cli.running import Terminal, run


@pytest.mark.parametrize("arguments", [("--help",), ("-h",), ("help",)])
def test_help_lists_the_commands(arguments: tuple[str, ...]) -> None:
    ended = run(*arguments)
    assert (ended.code, ended.err) == (0, "")
    assert all(f"\n  {name} " in ended.out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help(name: str) -> None:
    ended = run(name, "--help")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == run("help", name).out == run(name, "-h").out
    shown = [option.name for option in load(name).options if option.help]
    assert all(f"\n  {option}" in ended.out for option in (*shown, "--debug", "--help"))
    assert max(map(len, ended.out.splitlines())) <= 100


def test_help_is_given_even_beside_errors() -> None:
    assert run("lint", "--milestone", "x", "--help").code == 0


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_version(option: str) -> None:
    assert run(option) == (0, f"nubos-lsp {__version__}\n", "")


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("lnt", 'there is no command "lnt". Did you mean "lint"? There are: serve, lint, explain, rules'),
        ("evidence", 'there is no command "evidence". There are: serve, lint, explain, rules'),
        ("S001-PLAN.md", '"S001-PLAN.md" is no command; to lint it: nubos-lsp lint S001-PLAN.md'),
        ("--gate", "--gate is an option of lint, and the command comes first: nubos-lsp lint --gate …"),
        ("--verson", "nubos-lsp serve has no option --verson. nubos-lsp serve --help shows them"),
    ],
)
def test_what_is_no_command_is_wrong_usage(word: str, told: str) -> None:
    ended = run(word)
    assert (ended.code, ended.error) == (64, ("wrong-usage", told))


def test_on_a_terminal_the_bare_name_tells_what_there_is() -> None:
    ended = run(out=Terminal())
    assert ended.code == 0
    assert ended.out == run("--help").out


def test_rules_are_listed_in_a_table() -> None:
    ended = run("rules")
    head, *rows = ended.out.splitlines()
    assert head.split() == ["rule", "category", "severity", "family", "finds"]
    assert [row.split()[0] for row in rows] == [rule.name for rule in all_rules()]


def test_rules_are_listed_for_programs() -> None:
    values = json.loads(run("rules", "--format", "json").out)
    assert [value["rule"] for value in values] == [rule.name for rule in all_rules()]
    assert list(values[0]) == ["rule", "category", "severity", "family", "plans", "summary"]


def test_rules_takes_no_names() -> None:
    assert run("rules", "x").code == 64


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_a_rule_is_explained_by_its_page(rule: Rule) -> None:
    ended = run("explain", rule.name)
    assert (ended.code, ended.out) == (0, page(rule))
    assert "## Example\n```text\n1 | " in ended.out
    assert "^" in ended.out
    assert ended.out.index("## Why it matters") < ended.out.index("## Example") < ended.out.index("## Instead")


def test_a_category_is_explained_by_the_pages_of_its_rules() -> None:
    ended = run("explain", "pattern-claim-unverified")
    headings = [line[2:] for line in ended.out.splitlines() if line.startswith("# ")]
    assert headings == [rule.name for rule in find_rules("pattern-claim-unverified")]


def test_an_example_shows_the_plan_without_the_marks_of_its_case() -> None:
    (rule,) = find_rules("pattern-ref-without-line")
    example = page(rule).partition("```text\n")[2].partition("```")[0].splitlines()
    assert example[0] == "1 | <pattern_refs>"
    assert example[2].startswith("  |          ")
    assert example[2].count("^") == len("src/Cart.php")
    assert example[3].startswith('  = <pattern_ref> "Cart::total" has at="src/Cart.php"')
    assert example[4] == "3 | </pattern_refs>"


def test_an_unknown_rule_is_wrong_usage_with_a_proposal() -> None:
    ended = run("explain", "incomplete-deviations")
    assert ended.code == 64
    assert 'Did you mean "incomplete-deviation"?' in ended.err


@pytest.mark.parametrize("names", [(), ("a", "b")])
def test_one_rule_is_explained_at_a_time(names: tuple[str, ...]) -> None:
    assert run("explain", *names).code == 64


def test_headings_are_bold_on_a_terminal() -> None:
    assert run("explain", "incomplete-deviation", "--color=always").out.startswith(
        "\x1b[1m# incomplete-deviation\x1b[0m"
    )


@pytest.mark.parametrize("address", ["", "2087", "host:", "host:x", "host:70000", "host:-1", "host:٣"])
def test_an_address_has_a_port(address: str) -> None:
    ended = run("serve", "--tcp", address)
    assert (ended.code, ended.error[0]) == (64, "wrong-usage")


def test_a_log_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    ended = run("serve", "--log-file", str(tmp_path))
    assert (ended.code, ended.error[0]) == (1, "log-file-unwritable")


def test_serve_takes_no_operands() -> None:
    assert run("--stdio", "S001-PLAN.md").code == 64
