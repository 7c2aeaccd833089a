"""YAML that is valid without doubt, told line by line and without PyYAML: keys with plain values, and lists of such.

It accepts less than YAML does, and never more than PyYAML: what it does not know is for PyYAML to judge.
"""

from __future__ import annotations

import re

_TEXT = r"(?: *(?:[^ :#]|:(?=[^ ])|(?<=[^ ])#))*"
_WORDS = rf"(?:[^\W\d]|/|\.(?=[A-Za-z/])){_TEXT}"
_NUMBER = rf"[0-9]{{1,9}}(?:[ -]+[^\W\d]{_TEXT})?"
_QUOTED = r"""(?:"[^"\\]*"|'[^']*')"""
_TRAILING = r"(?: +#.*| *)"
_KEY = re.compile(rf"([A-Za-z_][A-Za-z0-9_-]{{0,63}}):(?: +({_WORDS}|{_NUMBER}|{_QUOTED}|\[.*\]))?{_TRAILING}")
_ITEM = re.compile(rf"( *)- +(?:{_WORDS}|{_NUMBER}|{_QUOTED}){_TRAILING}")
_LIST_ENTRY = re.compile(r"""[^\W\d][\w ./()-]*|[0-9]{1,9}|"[^"\\]*"|'[^']*'""")


def is_plain(yaml: str) -> bool:
    """Whether `yaml` is a mapping that is valid without doubt: distinct keys with a plain value or a list of such.

    The lists are `[a, b]`, or lines `- a` of one indent below their key. False says nothing.
    """
    keys: set[str] = set()
    indent: str | None = None
    takes_items = False
    for line in yaml.split("\n"):
        line = line.removesuffix("\r")
        content = line.lstrip(" ")
        if not content:
            continue
        if not line.isprintable():
            return False
        if content.startswith("#"):
            continue
        item = _ITEM.fullmatch(line) if takes_items else None
        if item and indent in (None, item[1]):
            indent = item[1]
            continue
        key = _KEY.fullmatch(line)
        if not key or key[1] in keys or not _is_plain_value(key[2] or ""):
            return False
        keys.add(key[1])
        indent, takes_items = None, not key[2]
    return True


def _is_plain_value(value: str) -> bool:
    if not value.startswith("["):
        return True
    entries = value[1:-1].split(",")
    return entries == [""] or all(_LIST_ENTRY.fullmatch(entry.strip(" ")) for entry in entries)
