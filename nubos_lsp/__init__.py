"""A language server and linter for nubos-pilot plan files.

The version below is the only place that states it: the distribution's metadata is built from this line.
"""

__version__ = "0.1.0"
