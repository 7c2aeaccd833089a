"""The one notation of tests: a plan as a planner sees it, with marks under its lines.

    Fully mirror `ShareSegmentAction`.<|>
    ^^^^^^^^^^^^ unverified-mirror-claim [insert-pattern-ref]
    -- app/Actions/ShareSegmentAction.php --
    final class ShareSegmentAction

`<|>` is the cursor. Carets under a line mark what a finding covers on it; its rule follows, and in brackets the id of
each fix that is offered, in order. `^^^...` tells that the finding goes on over further lines, `|` that it covers
nothing. Columns are code points; a tab is one. A line `-- path --` begins a further file of the project. An empty first
line is not part of the plan. What is not marked must not be found, and no other fix may be offered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeVar

from nubos_lsp.plan.layout import PlanKind
from nubos_lsp.rules.base import Finding, Fix
from nubos_lsp.rules.catalogue import all_rules
from nubos_lsp.rules.engine import check
from nubos_lsp.rules.fixing import fixes
from nubos_lsp.text.edit import apply_edits
from nubos_lsp.text.span import Span
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.facts import Facts, FileQuestion, SourceFile, answered, compute
from nubos_lsp.workspace.settings import Settings
from nubos_lsp.workspace.snapshot import Snapshot

T = TypeVar("T")

CURSOR = "<|>"
URI = "file:///project/S001-PLAN.md"

_MARK = re.compile(r"([ \t]*)(?:(\^+)(\.\.\.)?|\|) ([a-z][a-z-]*)((?: \[[a-z-]+\])*)")
_FILE = re.compile(r"-- (\S+) --")


class Mark(NamedTuple):
    """A finding as it is shown: its line and columns, from 0; `more` when it goes on over further lines."""

    line: int
    start: int
    end: int
    more: bool
    rule: str
    fixes: tuple[str, ...]


class Marked(NamedTuple):
    """A plan with its marks and the other files of its project."""

    text: str
    cursor: int | None
    marks: tuple[Mark, ...]
    files: Mapping[str, str]
    newline: str

    def document(self, kind: PlanKind = PlanKind.SLICE) -> Document:
        """The plan, opened."""
        return Document.open(URI, 1, self.text, kind)

    def compute(self, function: Callable[[Snapshot], T], kind: PlanKind = PlanKind.SLICE) -> T:
        """`function` of a snapshot, with the files as the world."""
        document = self.document(kind)
        return answered(compute(lambda facts: function(Snapshot(document, Settings(), facts))), self._answer)

    def _answer(self, question: FileQuestion) -> SourceFile | None:
        text = self.files.get(question.path)
        return None if text is None else SourceFile(text)


def read(source: str, newline: str = "\n") -> Marked:
    """The plan that `source` shows, with `newline` as its line end."""
    plan, files = _split(source.removeprefix("\n"))
    lines: list[str] = []
    marks: list[Mark] = []
    for line in plan:
        mark = _MARK.fullmatch(line)
        if mark:
            start = len(mark[1])
            names = tuple(re.findall(r"\[([a-z-]+)\]", mark[5]))
            marks.append(Mark(len(lines) - 1, start, start + len(mark[2] or ""), bool(mark[3]), mark[4], names))
        else:
            lines.append(line)
    text = newline.join(lines)
    cursor = text.find(CURSOR)
    return Marked(text.replace(CURSOR, "", 1), cursor if cursor >= 0 else None, tuple(marks), files, newline)


def _split(source: str) -> tuple[list[str], dict[str, str]]:
    parts: list[tuple[str, list[str]]] = [("", [])]
    for line in source.split("\n"):
        file = _FILE.fullmatch(line)
        if file:
            parts.append((file[1], []))
        else:
            parts[-1][1].append(line)
    if len(parts) > 1:
        parts[0][1].append("")
    return parts[0][1], {path: "\n".join(lines) for path, lines in parts[1:]}


def render(marked: Marked, marks: Iterable[Mark]) -> str:
    """The plan with these marks, as `read` takes it; the cursor is not shown."""
    by_line: dict[int, list[Mark]] = {}
    for mark in sorted(marks):
        by_line.setdefault(mark.line, []).append(mark)
    shown: list[str] = []
    for number, line in enumerate(marked.text.split(marked.newline)):
        shown += [line, *(_rendered(line, mark) for mark in by_line.get(number, ()))]
    if marked.files:
        shown.pop()
    for path, text in marked.files.items():
        shown += [f"-- {path} --", *text.split("\n")]
    return "\n" + "\n".join(shown)


def _rendered(line: str, mark: Mark) -> str:
    margin = re.sub(r"[^\t]", " ", line[: mark.start])
    carets = "^" * (mark.end - mark.start) + "..." * mark.more or "|"
    return " ".join((f"{margin}{carets}", mark.rule, *(f"[{fix}]" for fix in mark.fixes)))


def found(marked: Marked, kind: PlanKind = PlanKind.SLICE) -> tuple[Mark, ...]:
    """The marks that the plan's findings are."""
    return tuple(_mark(marked, finding, offered(marked, finding, kind)) for finding in findings(marked, kind))


def findings(marked: Marked, kind: PlanKind = PlanKind.SLICE) -> tuple[Finding, ...]:
    """What all rules find in the plan."""
    outcome = check(Snapshot(marked.document(kind), Settings(), Facts()), all_rules())
    assert not outcome.failures, outcome.failures
    return outcome.findings


def offered(marked: Marked, finding: Finding, kind: PlanKind = PlanKind.SLICE) -> tuple[Fix, ...]:
    """The fixes of one of its findings."""
    return marked.compute(lambda snapshot: fixes(snapshot, finding), kind)


def _mark(marked: Marked, finding: Finding, offers: Iterable[Fix]) -> Mark:
    line, start = _position(marked, finding.span.start)
    last, end = _position(marked, finding.span.end)
    content = marked.text.split(marked.newline)[line]
    names = tuple(dict.fromkeys(fix.id for fix in offers))
    return Mark(line, start, end if last == line else len(content), last > line, finding.rule, names)


def _position(marked: Marked, offset: int) -> tuple[int, int]:
    lines = marked.text[:offset].split(marked.newline)
    return len(lines) - 1, len(lines[-1])


def assert_marks(source: str, newline: str = "\n", kind: PlanKind = PlanKind.SLICE) -> None:
    """Fail unless the plan has exactly the findings and fixes that are marked in it."""
    __tracebackhide__ = True
    marked = read(source, newline)
    is_found, is_marked = render(marked, found(marked, kind)), render(marked, marked.marks)
    assert is_found == is_marked, f"found:\n{is_found}\nmarked:\n{is_marked}"


def span_of(marked: Marked, text: str) -> Span:
    """Where `text`, which the plan has once, stands in it."""
    assert marked.text.count(text) == 1, text
    return Span(marked.text.index(text), marked.text.index(text) + len(text))


def offers(marked: Marked, kind: PlanKind = PlanKind.SLICE) -> tuple[Fix, ...]:
    """The fixes of all findings, in order."""
    return tuple(fix for finding in findings(marked, kind) for fix in offered(marked, finding, kind))


def fixed(source: str, fix_id: str, newline: str = "\n", *, title: str = "") -> str:
    """The plan after the first fix with that id, and with `title` in its title."""
    marked = read(source, newline)
    fix = next((fix for fix in offers(marked) if fix.id == fix_id and title in fix.title), None)
    assert fix, f"{fix_id} is not offered, but {[(fix.id, fix.title) for fix in offers(marked)]}"
    return apply_edits(marked.text, fix.edits)
