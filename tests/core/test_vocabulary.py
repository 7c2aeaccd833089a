"""The language as a table."""

from __future__ import annotations

import re

from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.plan.vocabulary import (
    CITATION_ATTRIBUTES,
    CITATION_ELEMENTS,
    DOCUMENT,
    GRAMMAR,
    TASK_GRAMMAR,
    WORDS,
    Cardinality,
    Content,
    MentionKind,
    children,
    grammar,
    mention,
)


def test_every_parent_is_a_tag_that_takes_tags() -> None:
    for word in WORDS.values():
        for parent in word.parents - {DOCUMENT}:
            assert WORDS[parent].content in (Content.TAGS, Content.COMMANDS), (word.name, parent)


def test_every_tag_can_be_reached_from_the_document() -> None:
    reached, fresh = set[str](), {word.name for word in children(DOCUMENT)}
    while fresh:
        reached |= fresh
        fresh = {child.name for name in fresh for child in children(name)} - reached
    assert reached == set(WORDS)


def test_every_row_explains_itself() -> None:
    for word in WORDS.values():
        for doc in (word.doc, *(attribute.doc for attribute in word.attributes)):
            assert re.fullmatch(r"[A-Z][^\n]{10,118}\.", doc), doc


def test_where_paths_are_cited() -> None:
    assert {("pattern_ref", "at"), ("assumption", "verified_by")} == CITATION_ATTRIBUTES
    assert {"files_read", "read_first", "files_modified", "files"} == CITATION_ELEMENTS


def test_what_attributes_name() -> None:
    assert mention("task", "depends_on") is MentionKind.TASK_ID
    assert mention("deviation", "ref") is MentionKind.REF_NAME
    assert mention("pattern_ref", "symbol") is MentionKind.SYMBOL
    assert mention("task", "wave") is None
    assert mention("task", "at") is None
    assert mention("b", "at") is None


def test_what_a_plan_must_say() -> None:
    required = {word.name: [row.name for row in word.attributes if row.required] for word in WORDS.values()}
    assert required["pattern_ref"] == ["at", "behavior"]
    assert required["deviation"] == ["ref", "from", "to", "reason"]
    assert required["task"] == ["id", "depends_on", "wave", "tier"]
    assert [word.name for word in children("task") if word.cardinality is Cardinality.ONE] == [
        "name",
        "action",
        "verify",
    ]


def test_the_grammars() -> None:
    assert frozenset({"pattern_ref", "deviation"}) == GRAMMAR.empty
    assert GRAMMAR.parents["action"] == {"task"}
    assert TASK_GRAMMAR.parents["action"] == {"task", DOCUMENT}
    assert TASK_GRAMMAR.parents["automated"] == {"verify"}
    assert grammar(PlanKind.TASK) is TASK_GRAMMAR
    assert grammar(PlanKind.SLICE) is grammar(PlanKind.MILESTONE) is GRAMMAR
