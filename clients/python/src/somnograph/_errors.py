"""Errors of the client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class SomnographError(Exception):
    """A call failed.

    Attributes:
        code: code of the server, such as CONSENT_REQUIRED, or UNREACHABLE (no server answers, or the connection was lost), TIMEOUT (the time for the call ran
            out; a write may have happened) or PROTOCOL (the answer is not from a Somnograph server)
        message: message for people
        field: path of the argument at fault, or None
        request_id: id of the entry in the server's log for an INTERNAL error, or None
        retry_after: seconds to wait for a RATE_LIMITED call, or None
    """

    def __init__(
        self,
        code: str,
        message: str,
        field: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        self.code = code
        self.message = message
        self.field = field
        self.request_id = request_id
        self.retry_after = retry_after
        at = f"{field}: " if field and not message.startswith(field) else ""
        log = f" (log entry {request_id})" if request_id else ""
        super().__init__(f"{code}: {at}{message}{log}")


class Unsent(Exception):
    """The request did not reach the server."""


class Broken(Exception):
    """The connection ended before the answer was there. The server may have executed the request."""


def from_graphql(error: Mapping[str, Any]) -> SomnographError:
    """The error of an answer."""
    extensions = error.get("extensions")
    if not isinstance(extensions, Mapping):
        extensions = {}
    after = extensions.get("retryAfter")
    return SomnographError(
        str(extensions.get("code", "PROTOCOL")),
        str(error.get("message", "")),
        field=_text(extensions.get("field")),
        request_id=_text(extensions.get("id")),
        retry_after=float(after) if isinstance(after, (int, float)) else None,
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
