"""`nubos-lsp lint`: the findings of plans, for people and for programs.

An error in one plan costs only that plan: it is told, the others are linted, and the exit code says that the result is
not all there is. Source: cli.md, gate-details 29 to 33.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

from nubos_lsp.cli import plans
from nubos_lsp.cli.arguments import Arguments, Command, Option
from nubos_lsp.cli.errors import CLEAN, CRITICAL, FAILED, CommandError, UsageError, internal_error, wrong_usage
from nubos_lsp.cli.formats import style
from nubos_lsp.cli.formats.report import Report, Tally
from nubos_lsp.cli.plans import Selection
from nubos_lsp.cli.rule_names import named_rules
from nubos_lsp.cli.streams import Streams
from nubos_lsp.plan.layout import PlanKind, plan_kind
from nubos_lsp.rules.base import Rule
from nubos_lsp.rules.catalogue import all_rules, gate_rules
from nubos_lsp.rules.engine import Outcome, check
from nubos_lsp.workspace.config import CONFIG_FILE, Config, ConfigError
from nubos_lsp.workspace.document import Document
from nubos_lsp.workspace.facts import Facts, Pending, answered, compute
from nubos_lsp.workspace.settings import Settings
from nubos_lsp.workspace.snapshot import Snapshot
from nubos_lsp.world.files import Project

_SELECT, _IGNORE = "--select", "--ignore"


def run(arguments: Arguments, streams: Streams) -> int:
    """Lint what the arguments name; the exit code."""
    selection = _selection(arguments, streams)
    rules = gate_rules() if arguments.has("--gate") else all_rules()
    settings = Settings(select=_names(arguments, _SELECT), ignore=_names(arguments, _IGNORE))
    lint = Lint(rules, settings, streams)
    write = _write_json if arguments.last("--format") == "json" else _write_text
    thresholds = gc.get_threshold()
    # A lint makes much that stays and next to no cycles: looking for them costs a seventh of its time.
    gc.set_threshold(100_000, *thresholds[1:])
    try:
        tally = write(arguments, selection, lint)
    finally:
        gc.set_threshold(*thresholds)
    if lint.failed:
        return FAILED
    return CRITICAL if tally.has_critical else CLEAN


def _write_text(arguments: Arguments, selection: Selection, lint: Lint) -> Tally:
    from nubos_lsp.cli.formats import text

    tally, output = Tally(), lint.streams.stdout
    paint = style.style_for(output, arguments.last(style.COLOR) or style.AUTO)
    text.write(tally.counted(lint.reports(selection)), output, paint, style.width_of(output))
    if lint.has_result(tally):
        output.write(text.sums(tally, paint) + "\n")
    return tally


def _write_json(arguments: Arguments, selection: Selection, lint: Lint) -> Tally:
    from nubos_lsp.cli.formats import json

    tally = Tally()
    reports = tally.counted(lint.reports(selection))
    payload = json.payload(selection.target, reports, tally, gate=arguments.has("--gate"))
    if lint.has_result(tally):
        json.write(payload, lint.streams.stdout)
    return tally


class Lint:
    """One run. `failed` says whether anything went wrong that makes its result incomplete."""

    def __init__(self, rules: tuple[Rule, ...], settings: Settings, streams: Streams) -> None:
        self.failed = False
        self._rules = rules
        self._settings = settings
        self.streams = streams
        self._projects: dict[str, Project | None] = {}

    def reports(self, selection: Selection) -> Iterator[Report]:
        """What is found in each plan that can be read, one by one; errors are told as they are met."""
        if selection.root and not self._project(selection.root):
            return
        for source in selection.sources:
            try:
                text = source.read()
            except CommandError as error:
                self._tell(error)
                continue
            project = self._project(source.root)
            if project:
                yield self._report(source.path, text, project)

    def has_result(self, tally: Tally) -> bool:
        """Whether there is something to print: not when errors left nothing to lint."""
        return tally.plans > 0 or not self.failed

    def _project(self, root: Path) -> Project | None:
        """The project at `root`; None when its configuration is refused, which is told once."""
        key = str(root)
        if key not in self._projects:
            project = Project(root)
            try:
                read_config(project, self.streams)
            except CommandError as error:
                self._tell(error)
                self._projects[key] = None
            else:
                self._projects[key] = project
        return self._projects[key]

    def _report(self, path: str, text: str, project: Project) -> Report:
        document = Document.open(path, None, text, plan_kind(path.rsplit("/", 1)[-1]) or PlanKind.SLICE)
        outcome = self._check(document, project)
        for failure in outcome.failures:
            error = internal_error(f"rule {failure.rule} on {path}", failure.error)
            error.__cause__ = failure.error
            self._tell(error)
        return Report(path, document, outcome.findings)

    def _check(self, document: Document, project: Project) -> Outcome:
        def once(facts: Facts) -> Outcome:
            outcome = check(Snapshot(document, self._settings, facts), self._rules)
            if outcome.questions:
                raise Pending(outcome.questions[0])
            return outcome

        return answered(compute(once), project.answer)

    def _tell(self, error: CommandError) -> None:
        self.failed = True
        self.streams.tell(error)


def read_config(project: Project, streams: Streams) -> Config:
    """The project's configuration. A file without sense is a warning; raises CommandError for a wrong allow list."""
    path = plans.relative(project.root / CONFIG_FILE)
    file = project.read(CONFIG_FILE)
    if file is None:
        if (project.root / CONFIG_FILE).exists():
            streams.warn("config-ignored", f"{path} is no file that can be read; it is ignored")
        return Config()
    try:
        config = Config.read(file.text)
    except ConfigError as error:
        raise CommandError(error.code, f"{path}: {error.message}") from None
    if config.problem:
        streams.warn("config-ignored", f"{path}: {config.problem}; it is ignored until that is corrected")
    return config


def _selection(arguments: Arguments, streams: Streams) -> Selection:
    """`--milestone` wins over all else; without a value it counts for nothing, as for the gate."""
    milestone, paths = arguments.last("--milestone"), arguments.operands
    if milestone is not None:
        return plans.of_milestone(milestone)
    name = arguments.last("--stdin-filename")
    if name is not None or plans.STDIN in paths:
        if any(path != plans.STDIN for path in paths):
            raise wrong_usage("standard input is linted alone; name either it or paths")
        return plans.of_stdin(name or plans.STDIN, streams)
    if paths:
        return plans.of_paths(paths)
    raise UsageError(
        "plan-lint-missing-target",
        "name what to lint: nubos-lsp lint S001-PLAN.md, or nubos-lsp lint --milestone M001",
    )


def _names(arguments: Arguments, option: str) -> tuple[str, ...]:
    """The rules and categories that an option names; raises UsageError for one that does not exist."""
    names = arguments.listed(option)
    if names == ():
        raise wrong_usage(f"{option} needs the name of a rule or category; nubos-lsp rules lists them")
    for name in names or ():
        named_rules(name)
    return names or ()


COMMAND = Command(
    name="lint",
    usage=("lint [OPTION…] PATH…", "lint [OPTION…] --milestone M001", "lint [OPTION…] --stdin-filename NAME < TEXT"),
    summary="Lint plans by the rules of nubos-pilot's mechanical gate.",
    options=(
        Option("--milestone", "lint all plans of this milestone; wins over paths", "M001", optional=True),
        Option("--stdin-filename", "lint standard input as a file of this name; - as PATH does without a name", "NAME"),
        Option("--format", "text (with the line and the place underlined) or json", "FORMAT", ("text", "json")),
        Option("--gate", "only the rules of the gate; with json exactly the gate's payload"),
        Option(_SELECT, "only these rules or categories; comma-separated, repeatable", "NAME,…"),
        Option(_IGNORE, "all but these rules or categories; wins over --select", "NAME,…"),
        Option(style.COLOR, "auto, always or never; auto heeds NO_COLOR and FORCE_COLOR", "WHEN", style.CHOICES),
    ),
    notes="""
exit code:
  0   no critical finding
  1   something could not be linted, or config.json holds a wrong list; stderr says what to do
  2   a critical finding stands
  64  wrong usage

A file not named like M001-PLAN.md, S001-PLAN.md or T0001-PLAN.md is linted as a slice plan.
""",
    run=run,
)
