"""The checks one by one, each in an environment of its own: `nox -l` lists them, `nox -s types` runs one.

`./test` runs the same checks, and builds the wheel, in one environment that is kept.
"""

from __future__ import annotations

import nox

nox.needs_version = ">=2025.10.14"
nox.options.sessions = ["lint", "types", "docs", "tests"]
nox.options.reuse_venv = "yes"

OLDEST, NEWEST = "3.10", "3.14"
PYTHONS = [OLDEST, "3.11", "3.12", "3.13", NEWEST]


@nox.session
def lint(session: nox.Session) -> None:
    """Linter and formatter; change nothing."""
    session.install("-e", ".[dev]")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")


@nox.session
def types(session: nox.Session) -> None:
    """Strict types."""
    session.install("-e", ".[dev]")
    session.run("mypy", "nubos_lsp", "tests", "tools", "benchmarks")


@nox.session
def docs(session: nox.Session) -> None:
    """Fail where a generated page is out of date."""
    session.install("-e", ".[dev]")
    session.run("python", "-m", "tools.generate", "--check")


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Every test; arguments after `--` go to pytest."""
    session.install("-e", ".[dev]")
    session.run("python", "-m", "pytest", *session.posargs)


@nox.session
def build(session: nox.Session) -> None:
    """Build sdist and wheel into dist/."""
    session.install("build")
    session.run("python", "-m", "build", "--outdir", "dist", ".")
