"""Settings: what is wrong is told, and never stops anything."""

from __future__ import annotations

import pytest

from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.workspace.settings import Settings, glob_matches


@pytest.mark.parametrize(
    "value",
    [
        {"nubos": {"plans": {"include": ["docs/*.md"]}}},
        {"plans": {"include": ["docs/*.md"]}},
        {"nubos": {"plans.include": ["docs/*.md"]}},
        {"plans.include": ["docs/*.md"]},
    ],
)
def test_settings_may_be_nested_or_dotted_and_wrapped_or_not(value: object) -> None:
    assert Settings.from_json(value) == (Settings(include=("docs/*.md",)), ())


@pytest.mark.parametrize("value", [None, {}, {"nubos": None}, {"nubos": {"unknown": 1}}])
def test_nothing_said_means_the_defaults(value: object) -> None:
    assert Settings.from_json(value) == (Settings(), ())


@pytest.mark.parametrize("value", [[], "text", 3, True])
def test_settings_that_are_no_object_are_told(value: object) -> None:
    settings, problems = Settings.from_json(value)
    assert settings == Settings()
    assert "must be an object" in problems[0]


@pytest.mark.parametrize("value", ["*.md", 3, {"a": 1}, ["a", 1]])
def test_a_wrong_value_is_told_and_the_others_count(value: object) -> None:
    settings, problems = Settings.from_json({"plans": {"include": value}, "rules": {"ignore": ["x"]}})
    assert settings == Settings(ignore=("x",))
    assert problems == ("nubos.plans.include must be a list of strings; it is ignored",)


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("*.plan.md", "docs/a.plan.md", True),
        ("docs/*.md", "docs/a.md", True),
        ("docs/*.md", "docs/b/a.md", False),
        ("docs/**/*.md", "docs/a.md", True),
        ("docs/**/*.md", "docs/b/c/a.md", True),
        ("**/x/*.{md,mdx}", "a/x/b.mdx", True),
        ("**/x/*.{md,mdx}", "a/x/b.txt", False),
        ("a?c.md", "abc.md", True),
        ("[ab].md", "b.md", True),
        ("[!ab].md", "b.md", False),
        ("a(.md", "a(.md", True),
        ("[a-c].md", "b.md", True),
        ("[!a-c].md", "b.md", False),
        ("[z-a].md", "z.md", True),
        ("[!z-a].md", "b.md", True),
        ("[\\w^].md", "^.md", True),
        ("[-x].md", "-.md", True),
        ("a/**/**/**/b.md", "a/b.md", True),
        ("a/**/**/b.md", "a/x/y/b.md", True),
        ("a/***", "a/x/y", True),
        ("x/" + "**/" * 40 + "b.md", "x/" + "y/" * 40 + "c.md", False),
    ],
)
def test_globs(glob: str, path: str, matches: bool) -> None:
    assert glob_matches(glob, path) is matches


def test_a_plans_name_decides_before_the_globs() -> None:
    settings = Settings(include=("*.md",))
    assert settings.kind_of("a/M001-PLAN.md") is PlanKind.MILESTONE
    assert settings.kind_of("a/T0001-PLAN.md") is PlanKind.TASK
    assert settings.kind_of("a/README.md") is PlanKind.SLICE
    assert Settings().kind_of("a/README.md") is None
