"""The door: what the `nubos-lsp` command and `python -m nubos_lsp` start."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line with this process's arguments; the exit code."""
    from nubos_lsp.cli.main import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
