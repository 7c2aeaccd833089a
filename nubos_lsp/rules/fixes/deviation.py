"""The attributes of a `<deviation>`, filled as far as the `<pattern_ref>` tells. Source: ADR-0032 section 2."""

from __future__ import annotations

from collections.abc import Sequence

from nubos_lsp.plan.build import Value
from nubos_lsp.plan.references import ReferenceTag
from nubos_lsp.prose.ecmascript import fold
from nubos_lsp.text.edit import TabStop

DEVIATION_ATTRIBUTES = ("ref", "from", "to", "reason")

_TO_WRITE = {
    "ref": "TBD: the symbol of a pattern_ref",
    "from": "TBD: what the code does",
    "to": "TBD: what the plan does instead",
    "reason": "TBD: the criterion or decision that asks for it",
}


def deviation_values(
    reference: ReferenceTag | None, names: Sequence[str] = DEVIATION_ATTRIBUTES, *, reason: str = ""
) -> list[tuple[str, Value]]:
    """The attributes `names` of a deviation from `reference`.

    What is not known, and all that is to be judged, is to type. `reason` stands for the reason until then.
    """
    known = {
        "ref": fold(reference.value("symbol") or reference.value("at")) if reference else "",
        "from": fold(reference.value("behavior")) if reference else "",
    }
    values: list[tuple[str, Value]] = []
    number = 0
    for name in names:
        if known.get(name):
            values.append((name, (known[name],)))
            continue
        number += 1
        values.append((name, (TabStop(number, reason if name == "reason" and reason else _TO_WRITE[name]),)))
    return values
