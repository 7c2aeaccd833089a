"""Slice plans of any length, as people write them: what the benchmarks type into and lint.

The text is the same in every run. A line has about 50 characters; umlauts, an arrow and citations occur as
in real plans. Every third task claims to mirror something that a `<pattern_ref>` covers.
"""

from __future__ import annotations

_HEAD = """\
---
slice: M001-S{number:03}
milestone: M001
type: execute
status: pending
requirements: [REQ-SHARE-1, REQ-SHARE-2]
---

# S{number:03} Share every kind of report

<objective>
Reports of every kind can be shared with single users. The dialog
behaves alike everywhere: für Ansichten, Berichte und Übersichten.
</objective>

<context>
@.nubos-pilot/milestones/M001/M001-CONTEXT.md
@.nubos-pilot/milestones/M001/slices/S010/S010-PLAN.md
</context>

<reality_check>
  <files_read>
    - composer.json:3 (laravel/framework version)
{reads}
  </files_read>
  <commands_run>
    - `php artisan about` → "Laravel Version: 11.31.0"
  </commands_run>
  <assumptions>
    <assumption verified_by="composer.json:3">Laravel 11.31.</assumption>
    <assumption verified_by="cmd:php artisan about">It boots.</assumption>
  </assumptions>
  <pattern_refs>
{refs}
  </pattern_refs>
  <unknowns>
  </unknowns>
</reality_check>

<tasks>

"""

_REF = """\
    <pattern_ref symbol="Share{part:04}Action::handle"
                 at="app/Actions/Share{part:04}Action.php:34"
                 behavior="firstOrCreate: a second share is a no-op"/>"""

_READ = "    - app/Actions/Share{part:04}Action.php:24-44 (handle)"

_TASK = """\
<task id="M001-S{number:03}-T{task:04}" depends_on="" wave="{number}" tier="sonnet">
  <name>Share report {task} with a single user</name>
  <files_modified>app/Actions/Report{task:04}Action.php</files_modified>
  <read_first>
    - app/Models/Report{task:04}.php
  </read_first>
  <action>
    Add the action for report {task} beside the existing ones, named and tested like them.
    It takes the owner, the report and the grantee, all three loaded by the controller; die Prüfung
    der Rechte geschieht zuerst, wie überall (D-01), und ihre Meldung ist übersetzt (D-02).
    {claim}
    The notifier is called once, after the row was written; no mail leaves before the commit.
  </action>
  <verify>
    <automated>php artisan test --filter=Report{task:04}</automated>
    <manual>Open the dialog, share the report twice with the same grantee, look at the list.</manual>
  </verify>
  <acceptance_criteria>
    - AC-{task}: The grantee sees report {task} in the overview after it was shared.
    - AC-{task}b: Ein zweites Teilen ändert nur `can_edit`; größere Listen werden geblättert.
  </acceptance_criteria>
  <done>The feature test of report {task} passes.</done>
</task>

"""

_TAIL = """\
</tasks>

<verification>
- `php artisan test` is green.
</verification>

<success_criteria>
- Every kind of report can be shared, and shared again.
</success_criteria>
"""

_PLAIN = "Two grantees never see each other in the list, and the owner is always its first entry."
_COVERED = "It follows the same pattern as `Share{part:04}Action::handle`, with the report in place of the segment."
_UNCOVERED = "Mirror the wording of `Unverified{task:04}Dialog` in the dialog and in its help text."
_FILLER = "<!-- padding, so that the plan has its exact length -->\n"
_TASK_LINES = _TASK.count("\n")


def plan(lines: int, findings: int = 3, number: int = 11) -> str:
    """Return the slice plan `S{number}` of exactly `lines` lines (100 or more).

    `findings` of its claims, spread evenly, are covered by nothing; a plan that is too short has fewer.
    """
    parts = max(2, lines // 200)
    head = _head(number, parts)
    room = lines - head.count("\n") - _TAIL.count("\n")
    tasks, padding = divmod(room, _TASK_LINES)
    if tasks < 1:
        raise ValueError(f"a plan of {lines} lines has no room for a task")
    every = max(1, tasks // findings) if findings else tasks + 1
    claims = (_claim(task, tasks, parts, every, findings) for task in range(1, tasks + 1))
    body = (_TASK.format(number=number, task=task, claim=claim) for task, claim in enumerate(claims, 1))
    return head + "".join(body) + _FILLER * padding + _TAIL


def prose_line(text: str) -> int:
    """Return the zero-based line of prose in an `<action>` nearest to the middle of a generated plan."""
    lines = text.split("\n")
    middle = len(lines) // 2
    actions = (index for index, line in enumerate(lines) if line.strip() == "<action>")
    return min(actions, key=lambda index: abs(index - middle)) + 2


def _head(number: int, parts: int) -> str:
    refs = "\n".join(_REF.format(part=part) for part in range(parts))
    reads = "\n".join(_READ.format(part=part) for part in range(parts))
    return _HEAD.format(number=number, refs=refs, reads=reads)


def _claim(task: int, tasks: int, parts: int, every: int, findings: int) -> str:
    if task % every == 0 and task // every <= min(findings, tasks):
        return _UNCOVERED.format(task=task)
    return _COVERED.format(part=task % parts) if task % 3 == 0 else _PLAIN
