"""The main job with each client's own capabilities, driven by pytest-lsp, which also checks the server's messages.

A plan with two claims is opened, one gets its reference by the quick fix, and its `at` leads to the source.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from lsprotocol.converters import get_converter
from pytest_lsp import ClientServerConfig, LanguageClient

from tests.lsp.wire import ROOT, environment
from tests.scenarios.buffer import Buffer
from tests.scenarios.editor import CLAIM, initialize_params

EXAMPLE = ROOT / "examples" / "share-dashboards"
PLAN = ".nubos-pilot/milestones/M001/slices/S011/S011-PLAN.md"
SOURCE = "app/Actions/ShareSegmentAction.php"
CLIENTS = ("ale", "eglot", "kate", "neovim", "opencode", "vscode")

converter = get_converter()


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """A copy of the example project."""
    return Path(shutil.copytree(EXAMPLE, tmp_path.resolve() / "project"))


@pytest_lsp.fixture(
    config=ClientServerConfig(
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
    buffer = Buffer((example / PLAN).as_uri(), 0, (example / PLAN).read_text(encoding="utf-8"), encoding(client))
    item = types.TextDocumentItem(buffer.uri, "markdown", buffer.version, buffer.text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    found = await findings(client, buffer)
    assert [buffer.covered(plain(finding.range)) for finding in found] == ["Fully mirror", "same pattern as"]
    assert {(finding.code, finding.source, finding.severity) for finding in found} == {
        (CLAIM, "nubos", types.DiagnosticSeverity.Error)
    }
    assert await definition(client, buffer, f"{SOURCE}:24") == (SOURCE, 23)


def encoding(client: LanguageClient) -> str:
    """The position encoding that was agreed on."""
    assert client.capabilities
    general = client.capabilities.general
    offered = general.position_encodings if general else None
    return str((offered or ["utf-16"])[0])
