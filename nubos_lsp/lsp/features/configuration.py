"""Settings and folders: `initialized`, `workspace/didChangeConfiguration`, `workspace/didChangeWorkspaceFolders`."""

from __future__ import annotations

from typing import Any

from nubos_lsp.lsp.session import Session

_SECTION = "nubos"


async def initialized(session: Session, _params: Any) -> None:
    """Ask for the settings, and to be told when they change, where the client offers that."""
    if session.client.supports("workspace.didChangeConfiguration.dynamicRegistration"):
        registration = {
            "id": "nubos-configuration",
            "method": "workspace/didChangeConfiguration",
            "registerOptions": {"section": _SECTION},
        }
        await session.wire.ask("client/registerCapability", {"registrations": [registration]})
    await _pull(session)


async def did_change_configuration(session: Session, params: Any) -> None:
    """Take over the settings that are sent, or ask for them when none are: many clients send an empty object."""
    settings = params.get("settings")
    section = _section(settings)
    if not settings or section is None:
        await _pull(session)
    elif session.configure(section):
        session.refresh()


def did_change_workspace_folders(session: Session, params: Any) -> None:
    """Take over opened and closed folders; documents may belong to another project then."""
    event = params.get("event")
    event = event if isinstance(event, dict) else {}
    session.change_folders(added=_uris(event.get("added")), removed=_uris(event.get("removed")))


async def _pull(session: Session) -> None:
    if not session.client.supports("workspace.configuration"):
        return
    answer = await session.wire.ask("workspace/configuration", {"items": [{"section": _SECTION}]})
    value = answer[0] if isinstance(answer, list) and answer else None
    section = _section(value)
    if section is not None and session.configure(section):
        session.refresh()


def _section(settings: object) -> object:
    """What of the settings is for this server: many clients send those of all servers, each under its name."""
    return settings.get(_SECTION, settings) if isinstance(settings, dict) else settings


def _uris(folders: object) -> list[str]:
    if not isinstance(folders, list):
        return []
    uris = (folder.get("uri") for folder in folders if isinstance(folder, dict))
    return [uri for uri in uris if isinstance(uri, str)]
