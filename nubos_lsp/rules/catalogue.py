"""Finds the rules: every module in `gate` and `live` is one. Adding a rule is adding a file."""

from __future__ import annotations

import pkgutil
from functools import lru_cache
from importlib import import_module
from types import ModuleType

from nubos_lsp.rules import gate, live
from nubos_lsp.rules.base import Family, Rule


@lru_cache(maxsize=1)
def all_rules() -> tuple[Rule, ...]:
    """All rules, in the order in which a document's findings are reported."""
    rules = [_rule(package, info.name) for package in (gate, live) for info in pkgutil.iter_modules(package.__path__)]
    return tuple(sorted(rules, key=lambda rule: rule.meta.order))


def gate_rules() -> tuple[Rule, ...]:
    """The rules of the seeds' gate."""
    return tuple(rule for rule in all_rules() if rule.meta.family is Family.GATE)


def find_rules(name: str) -> tuple[Rule, ...]:
    """The rule called `name`, or all rules of the category `name`; none when there is no such."""
    exact = tuple(rule for rule in all_rules() if rule.name == name)
    return exact or tuple(rule for rule in all_rules() if rule.meta.category == name)


_PARTS = ("META", "VALID", "INVALID", "FIXES", "check")


def _rule(package: ModuleType, module_name: str) -> Rule:
    module = import_module(f"{package.__name__}.{module_name}")
    missing = [name for name in _PARTS if not hasattr(module, name)]
    if missing:
        raise TypeError(f"the rule module {module.__name__} lacks {', '.join(missing)}")
    return Rule(
        name=module_name.replace("_", "-"),
        meta=module.META,
        page=module.__doc__ or "",
        check=module.check,
        fixes=tuple(module.FIXES),
        valid=tuple(module.VALID),
        invalid=tuple(module.INVALID),
    )
