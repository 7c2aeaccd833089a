"""The language of plans as a table: one row a tag.

All that depends on tag names reads it: the tree, definition, hover, completion, structure rules and docs. A new tag is
one row. Source: plan-format.md (A slice plan), ADR-0032 section 2, rules.md L1 to L3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.syntax.tree import Grammar

DOCUMENT = ""
"""The parent of what stands in no other tag."""


class MentionKind(Enum):
    """What a value, or the content of a tag, names."""

    CITATION = "citation"
    """A path, with or without lines, that is there now."""
    FILE = "file"
    """A path that will be there after the task."""
    EVIDENCE = "evidence"
    """A citation of `<files_read>`, or `cmd:` and a command of `<commands_run>`."""
    TASK_ID = "task id"
    REF_NAME = "ref name"
    """The `symbol` of a `<pattern_ref>`."""
    SYMBOL = "symbol"
    COMMAND = "command"


class Content(Enum):
    """What stands between a tag and its closing tag."""

    PROSE = "prose"
    LIST = "list"
    COMMANDS = "commands"
    TAGS = "tags"
    NONE = "none"


class Cardinality(Enum):
    """How often a tag stands in its parent."""

    ONE = "exactly one"
    OPTIONAL = "at most one"
    MANY = "any number"


@dataclass(frozen=True)
class Attribute:
    """An attribute of a tag. `values` are all it may have; empty means any. `many` allows a list with commas."""

    name: str
    doc: str
    required: bool = True
    values: tuple[str, ...] = ()
    mention: MentionKind | None = None
    many: bool = False


@dataclass(frozen=True)
class Word:
    """A tag. `parents` are the tags it may stand in; `mention` tells what the entries of its content name."""

    name: str
    doc: str
    parents: frozenset[str]
    content: Content
    cardinality: Cardinality = Cardinality.OPTIONAL
    attributes: tuple[Attribute, ...] = ()
    mention: MentionKind | None = None

    def attribute(self, name: str) -> Attribute | None:
        """The row of the attribute `name`; None when the tag has no such attribute."""
        return next((attribute for attribute in self.attributes if attribute.name == name), None)


def _in(*parents: str) -> frozenset[str]:
    return frozenset(parents)


_WORDS = (
    Word(
        "objective",
        "What the plan achieves, in a few sentences: the outcome a user can see, and why it is wanted.",
        _in(DOCUMENT),
        Content.PROSE,
        Cardinality.ONE,
    ),
    Word(
        "context",
        "What the executor must know and cannot see from the tasks: decisions, constraints, earlier slices.",
        _in(DOCUMENT),
        Content.PROSE,
    ),
    Word(
        "reality_check",
        "The evidence the plan rests on: files read, commands run, assumptions with proof. It stands above `<tasks>`.",
        _in(DOCUMENT),
        Content.TAGS,
        Cardinality.ONE,
    ),
    Word(
        "files_read",
        "The source that was read, one `path:line` or `path:line-line` an entry, with a note in parentheses.",
        _in("reality_check"),
        Content.LIST,
        mention=MentionKind.CITATION,
    ),
    Word(
        "commands_run",
        "The commands that were run, one an entry: the command in backticks, then what it printed.",
        _in("reality_check"),
        Content.LIST,
        mention=MentionKind.COMMAND,
    ),
    Word(
        "assumptions",
        "What the plan takes for granted, each with its proof.",
        _in("reality_check"),
        Content.TAGS,
    ),
    Word(
        "assumption",
        "One thing that the plan takes for granted.",
        _in("assumptions"),
        Content.PROSE,
        Cardinality.MANY,
        (
            Attribute(
                "verified_by",
                "The proof: an entry of `<files_read>`, or `cmd:` and a command listed in `<commands_run>`.",
                mention=MentionKind.EVIDENCE,
            ),
        ),
    ),
    Word(
        "pattern_refs",
        "The existing code that the plan mirrors, each with what it was seen to do; only where something is mirrored.",
        _in("reality_check"),
        Content.TAGS,
    ),
    Word(
        "pattern_ref",
        "One piece of existing code that the plan mirrors, and what it does. It covers the claims that name it.",
        _in("pattern_refs"),
        Content.NONE,
        Cardinality.MANY,
        (
            Attribute(
                "symbol",
                "The class, function or method that is mirrored, such as `ShareSegmentAction::handle`.",
                required=False,
                mention=MentionKind.SYMBOL,
            ),
            Attribute(
                "at",
                "Where it stands: `path:line` or `path:line-line`. The place must be listed in `<files_read>` too.",
                mention=MentionKind.CITATION,
            ),
            Attribute(
                "behavior",
                "What the code does, as it was read there; not what the plan wants.",
            ),
        ),
    ),
    Word(
        "deviation",
        "Where the plan must differ from the code it mirrors, so that a mirror claim and a criterion can both hold.",
        _in("pattern_refs"),
        Content.NONE,
        Cardinality.MANY,
        (
            Attribute(
                "ref",
                "The `symbol` of the `<pattern_ref>` that the plan deviates from.",
                mention=MentionKind.REF_NAME,
            ),
            Attribute("from", "What the mirrored code does."),
            Attribute("to", "What the plan does instead."),
            Attribute("reason", "Why: the criterion or decision that requires it."),
        ),
    ),
    Word(
        "unknowns",
        "What is not resolved yet: one entry each, with the reason and the id of the task that resolves it.",
        _in("reality_check"),
        Content.LIST,
        mention=MentionKind.TASK_ID,
    ),
    Word(
        "tasks",
        "The tasks of the slice. They run in parallel, so none may depend on another.",
        _in(DOCUMENT),
        Content.TAGS,
        Cardinality.ONE,
    ),
    Word(
        "task",
        "One unit of work for an executor, one commit. A task plan is scaffolded from it.",
        _in("tasks"),
        Content.TAGS,
        Cardinality.MANY,
        (
            Attribute(
                "id",
                "Milestone, slice and task, such as `M001-S001-T0001`. Numbers restart in each slice and have no gaps.",
                mention=MentionKind.TASK_ID,
            ),
            Attribute(
                "depends_on",
                "The tasks of earlier slices that must be done first, with commas between; may be empty.",
                mention=MentionKind.TASK_ID,
                many=True,
            ),
            Attribute("wave", "The number of the slice."),
            Attribute("tier", "The model that executes the task.", values=("haiku", "sonnet", "opus")),
            Attribute(
                "tdd",
                "Whether the test is written first; then the task needs no automated verification of its own.",
                required=False,
                values=("true", "false"),
            ),
        ),
    ),
    Word(
        "name",
        "What the task does, in a few words.",
        _in("task"),
        Content.PROSE,
        Cardinality.ONE,
    ),
    Word(
        "files_modified",
        "The files that the task creates or changes, with commas between or one an entry.",
        _in("task"),
        Content.LIST,
        mention=MentionKind.FILE,
    ),
    Word(
        "files",
        "The files that the task creates or changes: another name of `<files_modified>`.",
        _in("task"),
        Content.LIST,
        mention=MentionKind.FILE,
    ),
    Word(
        "read_first",
        "The files that the executor reads before anything else.",
        _in("task"),
        Content.LIST,
        mention=MentionKind.CITATION,
    ),
    Word(
        "action",
        "What the executor does, as prose. It cites the decisions (D-01) and criteria (AC-1) it implements.",
        _in("task"),
        Content.PROSE,
        Cardinality.ONE,
    ),
    Word(
        "verify",
        "How to see that the task is done. Only lines in `<automated>` are commands; without it, every line is one.",
        _in("task"),
        Content.COMMANDS,
        Cardinality.ONE,
        mention=MentionKind.COMMAND,
    ),
    Word(
        "automated",
        "Commands that verify the task, one a line. They must not need a person, the network or privileges.",
        _in("verify"),
        Content.COMMANDS,
        Cardinality.MANY,
        mention=MentionKind.COMMAND,
    ),
    Word(
        "manual",
        "What a person checks by hand; never a command.",
        _in("verify"),
        Content.PROSE,
        Cardinality.MANY,
    ),
    Word(
        "acceptance_criteria",
        "What must hold when the task is done, one criterion an entry.",
        _in("task"),
        Content.LIST,
    ),
    Word(
        "done",
        "The state in which the task is done, in one sentence.",
        _in("task"),
        Content.PROSE,
    ),
    Word(
        "verification",
        "What is checked when all tasks of the slice are done.",
        _in(DOCUMENT),
        Content.LIST,
    ),
    Word(
        "success_criteria",
        "What must hold when the slice is done, one criterion an entry.",
        _in(DOCUMENT),
        Content.LIST,
    ),
    Word(
        "output",
        "What to write down when the work is done, and where.",
        _in(DOCUMENT),
        Content.PROSE,
    ),
)

WORDS: Mapping[str, Word] = {word.name: word for word in _WORDS}
"""All tags by name, in the order in which a plan has them."""

_CITING = frozenset({MentionKind.CITATION, MentionKind.EVIDENCE, MentionKind.FILE})

CITATION_ATTRIBUTES = frozenset(
    (word.name, attribute.name) for word in _WORDS for attribute in word.attributes if attribute.mention in _CITING
)
"""The attributes that hold a path, as (tag, attribute)."""

CITATION_ELEMENTS = frozenset(word.name for word in _WORDS if word.mention in _CITING)
"""The tags whose content lists paths."""

_EMPTY = frozenset(word.name for word in _WORDS if word.content is Content.NONE)

GRAMMAR = Grammar({word.name: word.parents for word in _WORDS}, _EMPTY)
"""The tags of a slice or milestone plan."""

TASK_GRAMMAR = Grammar(
    {word.name: word.parents | {DOCUMENT} if "task" in word.parents else word.parents for word in _WORDS}, _EMPTY
)
"""The tags of a task plan, whose sections stand in no `<task>`."""


def grammar(kind: PlanKind) -> Grammar:
    """The grammar of a plan of that kind."""
    return TASK_GRAMMAR if kind is PlanKind.TASK else GRAMMAR


def children(name: str) -> tuple[Word, ...]:
    """The tags that may stand in the tag `name`, or in the document (`DOCUMENT`), in their usual order."""
    return tuple(word for word in _WORDS if name in word.parents)


def mention(tag: str, attribute: str) -> MentionKind | None:
    """What the value of an attribute names; None for one that names nothing, or that is not known."""
    word = WORDS.get(tag)
    row = word.attribute(attribute) if word else None
    return row.mention if row else None
