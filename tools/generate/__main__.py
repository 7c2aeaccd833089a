"""`python -m tools.generate [--check]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from tools.generate.rule_pages import FOLDER, STAMP, rule_pages

ROOT = Path(__file__).parents[2]


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Write or check the generated files below `root`; 1 when a check finds one that is out of date."""
    parser = argparse.ArgumentParser(prog="python -m tools.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; name what is out of date and exit with 1")
    options = parser.parse_args(arguments)
    wanted = rule_pages()
    stale = [*_differing(root, wanted), *_orphans(root, wanted)]
    for path in stale:
        print(f"{'out of date' if options.check else 'written' if path in wanted else 'removed'}: {path}")
    if options.check:
        if stale:
            print("run: python -m tools.generate", file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        _bring_up_to_date(root / path, wanted.get(path))
    return 0


def _differing(root: Path, wanted: Mapping[str, str]) -> list[str]:
    return [path for path, text in wanted.items() if _text(root / path) != text]


def _orphans(root: Path, wanted: Mapping[str, str]) -> list[str]:
    """Pages that were generated for rules that are gone; files without the stamp are somebody's own."""
    paths = {path.relative_to(root).as_posix(): path for path in sorted((root / FOLDER).glob("*.md"))}
    return [name for name, path in paths.items() if name not in wanted and (_text(path) or "").startswith(STAMP)]


def _bring_up_to_date(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))


def _text(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except FileNotFoundError:
        return None


if __name__ == "__main__":
    sys.exit(main())
