"""The names by which a user calls rules: a rule's own, or that of a category for all its rules."""

from __future__ import annotations

from nubos_lsp.cli.errors import did_you_mean, wrong_usage
from nubos_lsp.rules.base import Rule
from nubos_lsp.rules.catalogue import all_rules, find_rules


def named_rules(name: str) -> tuple[Rule, ...]:
    """The rules that `name` calls; raises UsageError when there are none."""
    rules = find_rules(name)
    if rules:
        return rules
    known = sorted({known for rule in all_rules() for known in (rule.name, rule.meta.category)})
    hint = did_you_mean(name, known)
    raise wrong_usage(f'there is no rule or category "{name}".{hint} nubos-lsp rules lists them')
