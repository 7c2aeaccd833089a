"""What the client said about itself in `initialize`, read leniently.

The parameters stay as they came: structuring them costs a seventh of the start-up, and one unknown value of a newer
protocol would make the server unusable. What is missing or of a wrong type counts as not supported.
"""

from __future__ import annotations

from typing import Any, TypeGuard

ENCODINGS = ("utf-8", "utf-16", "utf-32")


class Client:
    """The parameters of `initialize`. Never raises, whatever they are."""

    def __init__(self, params: dict[str, Any]) -> None:
        self.params = params

    @property
    def capabilities(self) -> dict[str, Any]:
        value = self.params.get("capabilities")
        return value if isinstance(value, dict) else {}

    def get(self, path: str) -> Any:
        """The capability at a dotted path such as `workspace.workspaceEdit.documentChanges`; None if absent."""
        value: Any = self.capabilities
        for name in path.split("."):
            if not isinstance(value, dict):
                return None
            value = value.get(name)
        return value

    def supports(self, path: str) -> bool:
        """Whether the capability at the path is `true`, or an object (which may be empty)."""
        value = self.get(path)
        return value is True or isinstance(value, dict)

    def names(self, path: str) -> tuple[str, ...]:
        """The strings in the list at the path, e.g. of `textDocument.codeAction.resolveSupport.properties`."""
        value = self.get(path)
        return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()

    @property
    def encoding(self) -> str:
        """The position encoding: the first the client lists that the server knows, else utf-16."""
        offered = self.names("general.positionEncodings")
        return next((encoding for encoding in offered if encoding in ENCODINGS), "utf-16")

    @property
    def process_id(self) -> int | None:
        """The process to watch; None if there is none."""
        value = self.params.get("processId")
        return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None

    @property
    def options(self) -> Any:
        """`initializationOptions`, unchecked."""
        return self.params.get("initializationOptions")

    @property
    def roots(self) -> tuple[str, ...]:
        """The URIs of the workspace folders; of the older `rootUri` where there are none."""
        folders = self.params.get("workspaceFolders")
        uris = [folder.get("uri") for folder in folders if isinstance(folder, dict)] if _is_list(folders) else []
        found = tuple(uri for uri in uris if isinstance(uri, str) and uri)
        root = self.params.get("rootUri")
        return found or ((root,) if isinstance(root, str) and root else ())


def _is_list(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)
