"""What every test shares: how hard Hypothesis tries, and the flag that rewrites marked plans.

`default` is for the desk: few examples, new ones each time. `ci` tries more, always the same, so that a change is not
judged by chance; it is taken where `CI` is set, or with `--hypothesis-profile=ci`.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite("tests.marked")  # So that a wrong mark shows what was found.

settings.register_profile("default", max_examples=50, deadline=None)
settings.register_profile(
    "ci",
    max_examples=300,
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ci" if os.environ.get("CI") else "default")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update-marked`: a failing rule case is rewritten to what is found now, to be reviewed in the diff."""
    parser.addoption("--update-marked", action="store_true", help="rewrite the marks of the rules' own cases")
