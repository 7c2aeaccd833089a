"""What rules and features may ask of the world outside the document.

They ask through `Facts` and get an answer at once or `Pending`. Whoever runs them answers the question and runs them
again, so they stay pure and are written straight. "Absent" is None, never Pending.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from functools import cached_property
from typing import NamedTuple, TypeVar

from nubos_lsp.text.lines import content_end, line_starts

T = TypeVar("T")


class FileQuestion(NamedTuple):
    """What does the file at `path` hold? The path is relative to the project root, with `/` separators."""

    path: str


class SourceFile:
    """The text of a cited file; its lines count from 1, as citations do."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return line_starts(self.text)

    @property
    def line_count(self) -> int:
        """The number of lines; a line end at the end of the file begins no further one."""
        return len(self._starts) - (self._starts[-1] == len(self.text))

    def line(self, number: int) -> str:
        """The content of line `number`; "" outside the file."""
        if not 1 <= number <= len(self._starts):
            return ""
        start = self._starts[number - 1]
        behind = self._starts[number] if number < len(self._starts) else len(self.text)
        return self.text[start : content_end(self.text, start, behind)]


class Pending(Exception):
    """A fact that is not known yet."""

    def __init__(self, question: FileQuestion) -> None:
        super().__init__(question)
        self.question = question


class Facts:
    """The answers known so far. None means that there is nothing there, or that it may not be read."""

    def __init__(self, answers: Mapping[FileQuestion, SourceFile | None] | None = None) -> None:
        self._answers = answers or {}

    def file(self, path: str) -> SourceFile | None:
        """The file at `path`, relative to the project root; raises Pending when nobody looked yet."""
        question = FileQuestion(path)
        try:
            return self._answers[question]
        except KeyError:
            raise Pending(question) from None


Answers = Mapping[FileQuestion, "SourceFile | None"]
Computation = Generator["tuple[FileQuestion, ...]", Answers, T]


def compute(function: Callable[[Facts], T]) -> Computation[T]:
    """Run `function` until it has all its facts: yields the open questions, takes the answers, returns the value.

    Each file is asked for once, so the value comes from one view of the world.
    """
    answers: dict[FileQuestion, SourceFile | None] = {}
    while True:
        try:
            return function(Facts(answers))
        except Pending as pending:
            answers.update((yield (pending.question,)))


def answered(computation: Computation[T], answer: Callable[[FileQuestion], SourceFile | None]) -> T:
    """The value of a computation, each of its questions answered at once by `answer`."""
    try:
        questions: Iterable[FileQuestion] = next(computation)
        while True:
            questions = computation.send({question: answer(question) for question in questions})
    except StopIteration as done:
        value: T = done.value
        return value
