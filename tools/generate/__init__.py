"""Writes the files that are derived from the code: one page for each rule, and their index.

`python -m tools.generate` writes them, `python -m tools.generate --check` names those that are out of date.
"""
