"""Findings as LSP diagnostics, in plain wire values: on this hot path, structuring would cost many times more."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from nubos_lsp.lsp.client import Client
from nubos_lsp.lsp.convert import Json, to_range
from nubos_lsp.lsp.uris import file_uri
from nubos_lsp.rules.base import Finding, Severity
from nubos_lsp.text.encoding import PositionEncoding
from nubos_lsp.workspace.document import Document

SOURCE = "nubos"

_SEVERITIES = {Severity.CRITICAL: 1, Severity.MAJOR: 2, Severity.MINOR: 3, Severity.ADVICE: 4}
_PACKAGE = Path(__file__).resolve().parent.parent


class DiagnosticShape(NamedTuple):
    """What of a diagnostic the client can use."""

    encoding: PositionEncoding
    related: bool
    links: bool
    data: bool

    @classmethod
    def of(cls, client: Client) -> DiagnosticShape:
        """The shape for a client: the capabilities for pushed and for pulled diagnostics are alike."""

        def has(name: str) -> bool:
            return client.supports(f"textDocument.publishDiagnostics.{name}") or client.supports(
                f"textDocument.diagnostic.{name}"
            )

        return cls(
            PositionEncoding(client.encoding),
            related=has("relatedInformation"),
            links=has("codeDescriptionSupport"),
            data=has("dataSupport"),
        )


def to_diagnostic(document: Document, finding: Finding, shape: DiagnosticShape) -> Json:
    """One diagnostic, its positions in the client's encoding."""
    diagnostic: Json = {
        "range": to_range(document, finding.span, shape.encoding),
        "severity": _SEVERITIES[finding.severity],
        "code": finding.category,
        "source": SOURCE,
        "message": f"{finding.message}\n{finding.hint}",
    }
    link = rule_page(finding.rule) if shape.links else None
    if link:
        diagnostic["codeDescription"] = {"href": link}
    if shape.related and finding.related:
        diagnostic["relatedInformation"] = [
            {
                "location": {"uri": document.uri, "range": to_range(document, related.span, shape.encoding)},
                "message": related.message,
            }
            for related in finding.related
        ]
    if shape.data:
        diagnostic["data"] = {"rule": finding.rule}
    return diagnostic


@cache
def rule_page(rule: str) -> str | None:
    """A link to the rule's page: in the installed package, or in the checkout that the server runs from."""
    for folder in (_PACKAGE / "pages", _PACKAGE.parent / "docs" / "rules"):
        page = folder / f"{rule}.md"
        if page.is_file():
            return file_uri(page)
    return None
