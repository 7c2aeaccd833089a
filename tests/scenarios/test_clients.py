"""The main job with each client's own capabilities, driven by pytest-lsp, which also checks the server's messages.

A plan with two claims is opened, one gets its reference by the quick fix, and its `at` leads to the source.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import pytest_lsp
from lsprotocol import types
from lsprotocol.converters import get_converter
from pytest_lsp import ClientServerConfig, LanguageClient, make_test_lsp_client

from tests.lsp.wire import ROOT, environment
from tests.scenarios.buffer import Buffer, Json
from tests.scenarios.editor import CLAIM, edits, initialize_params

EXAMPLE = ROOT / "examples" / "share-dashboards"
PLAN = ".nubos-pilot/milestones/M001/slices/S011/S011-PLAN.md"
SOURCE = "app/Actions/ShareSegmentAction.php"
CLIENTS = ("ale", "eglot", "kate", "neovim", "opencode", "vscode")

converter = get_converter()


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """A copy of the example project."""
    return Path(shutil.copytree(EXAMPLE, tmp_path.resolve() / "project"))


def registering_client() -> LanguageClient:
    """pytest-lsp's client, which lets itself be asked for everything but registrations."""
    client = make_test_lsp_client()
    client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda _params: None)
    return client


@pytest_lsp.fixture(  # type: ignore[untyped-decorator]
    config=ClientServerConfig(
        client_factory=registering_client,
        server_command=[sys.executable, "-m", "nubos_lsp", "serve"],
        server_env=environment(),
    ),
    params=CLIENTS,
)
async def client(lsp_client: LanguageClient, request: pytest.FixtureRequest, example: Path) -> AsyncIterator[None]:
    """The client after its handshake. That it leaves politely is part of each test."""
    params = initialize_params(request.param, example)
    await lsp_client.initialize_session(converter.structure(params, types.InitializeParams))
    yield
    await lsp_client.shutdown_session()


@pytest.mark.asyncio
async def test_a_claim_gets_its_reference(client: LanguageClient, example: Path) -> None:
    plan = example / PLAN
    buffer = Buffer(plan.as_uri(), 0, plan.read_text(encoding="utf-8"), encoding(client))
    item = types.TextDocumentItem(buffer.uri, "markdown", buffer.version, buffer.text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    found = await findings(client, buffer)
    assert [buffer.covered(wire(finding.range)) for finding in found] == ["Fully mirror", "same pattern as"]
    assert {(finding.code, finding.source, finding.severity) for finding in found} == {
        (CLAIM, "nubos", types.DiagnosticSeverity.Error)
    }
    await apply_quick_fix(client, buffer, found[0])
    assert CLAIM not in {finding.code for finding in await findings(client, buffer)}
    symbol = buffer.text.index("<pattern_ref ")
    assert await definition(client, buffer, buffer.text.index("ShareSegmentAction.php:", symbol)) == example / SOURCE


def encoding(client: LanguageClient) -> str:
    """The position encoding that this client and the server agree on."""
    assert client.capabilities
    general = client.capabilities.general
    offered = (general.position_encodings if general else None) or [types.PositionEncodingKind.Utf16]
    return str(getattr(offered[0], "value", offered[0]))


def pulls(client: LanguageClient) -> bool:
    """Whether the client asks for findings."""
    assert client.capabilities
    document = client.capabilities.text_document
    return document is not None and document.diagnostic is not None


async def findings(client: LanguageClient, buffer: Buffer) -> Sequence[types.Diagnostic]:
    """The findings of the version that was sent last, asked for or awaited."""
    identifier = types.TextDocumentIdentifier(buffer.uri)
    if not pulls(client):
        told = await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        assert (told.uri, told.version) == (buffer.uri, buffer.version)
        return list(told.diagnostics)
    report = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(identifier))
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    assert buffer.uri not in client.diagnostics
    return report.items


async def apply_quick_fix(client: LanguageClient, buffer: Buffer, finding: types.Diagnostic) -> None:
    """Apply the first fix that is offered for a finding, and send the change."""
    identifier = types.TextDocumentIdentifier(buffer.uri)
    context = types.CodeActionContext([finding], only=[types.CodeActionKind.QuickFix])
    params = types.CodeActionParams(identifier, finding.range, context)
    action, *_ = await client.text_document_code_action_async(params) or []
    changes = buffer.apply(edits(converter.unstructure(action), buffer))
    buffer.version += 1
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(buffer.version, buffer.uri),
            [converter.structure(change, types.TextDocumentContentChangePartial) for change in changes],
        )
    )


async def definition(client: LanguageClient, buffer: Buffer, offset: int) -> Path:
    """The file that a place leads to, whatever form the answer has."""
    position = converter.structure(buffer.position(offset), types.Position)
    params = types.DefinitionParams(types.TextDocumentIdentifier(buffer.uri), position)
    answer = await client.text_document_definition_async(params)
    assert isinstance(answer, Sequence)
    (place,) = answer
    uri = place.target_uri if isinstance(place, types.LocationLink) else place.uri
    return Path(unquote(urlsplit(uri).path))


def wire(range_: types.Range) -> Json:
    """A range as it was sent."""
    unstructured: Json = converter.unstructure(range_)
    return unstructured
