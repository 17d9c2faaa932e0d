"""What both clients share and what needs no connection: addresses, requests, answers, the policy of repetition."""

from __future__ import annotations

import ipaddress
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypedDict
from urllib.parse import urlsplit

from ._errors import SomnographError, from_graphql
from .types import KeptMemory

JSON_ANSWER = "application/graphql-response+json, application/json"
EVENT_STREAM = "text/event-stream"


@dataclass(frozen=True)
class Retry:
    """When a call is repeated.

    The pause before attempt n is drawn from [0.5, 1] · min(cap, base · 2^n) seconds, and is at least what the server asks for.
    """

    attempts: int = 8
    """Attempts of a call, with the first."""
    base: float = 0.1
    """Longest first pause in seconds."""
    cap: float = 5.0
    """Longest pause in seconds."""
    draw: Callable[[], float] = field(default=random.random, repr=False)
    """Random numbers in [0, 1)."""

    def pause(self, attempt: int, after: float | None = None) -> float:
        """Seconds before the next attempt, after attempt number `attempt`, from 0, failed."""
        longest = min(self.cap, self.base * float(2 ** min(attempt, 30)))
        return max(longest * (0.5 + self.draw() / 2), after or 0.0)


class Message(TypedDict, total=False):
    """A message of a conversation as models exchange it."""

    role: str
    """user, assistant or tool; omitted: user. Those of the system and of the developer are left out."""
    content: Any
    """The text, or a list of parts with a text each."""
    id: str
    """Names the message in its session: sent again, it is kept once."""
    occurred_at: datetime | str
    """When it was said; omitted: now, or that of the call."""


@dataclass(frozen=True)
class Turn:
    """What one message says."""

    role: str
    text: str
    id: str | None = None
    occurred_at: datetime | str | None = None


@dataclass(frozen=True)
class Added:
    """What add kept."""

    session: str
    """The conversation."""
    memories: list[KeptMemory]
    """The messages as memories, in their order. Claims are read when the conversation is closed. One that only repeats an earlier
    memory has the status CONSOLIDATED."""
    replayed: bool
    """Whether all of it had been added before, so that nothing was written."""


@dataclass(frozen=True)
class Address:
    """The place of a server."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == {"http": 80, "https": 443}[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}{self.path}"


def parse_address(url: str, key: str | None) -> Address:
    """Reads the URL of a server. A key is sent over https, or to this machine."""
    parts = urlsplit(url if "://" in url else "http://" + url)
    try:
        port = parts.port
    except ValueError:
        port = -1
    if parts.scheme not in ("http", "https") or not parts.hostname or port == -1:
        raise ValueError("url: the address of a server is expected, such as http://127.0.0.1:8420")
    if parts.username or parts.password:
        raise ValueError("url: no name and password are allowed; give the API key as key")
    path = parts.path.rstrip("/")
    if path.endswith("/graphql"):
        path = path[: -len("/graphql")]
    address = Address(parts.scheme, parts.hostname, port or (443 if parts.scheme == "https" else 80), path)
    if key is not None:
        if not key or not key.isascii() or not key.isprintable() or " " in key:
            raise ValueError("key: an API key is expected, such as sgk_…")
        if parts.scheme != "https" and not _loopback(parts.hostname):
            raise ValueError("key: an API key is sent over https only, or to this machine")
    return address


def _loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def request_headers(address: Address, key: str | None, accept: str, size: int) -> dict[str, str]:
    headers = {
        "Host": address.authority,
        "Content-Type": "application/json",
        "Accept": accept,
        "Content-Length": str(size),
        "User-Agent": "somnograph-python",
    }
    if key is not None:
        headers["Authorization"] = "Bearer " + key
    return headers


def request_body(document: str, variables: Mapping[str, Any]) -> bytes:
    given = {name: value for name, value in variables.items() if value is not None}
    return json.dumps({"query": document, "variables": given}, ensure_ascii=False, separators=(",", ":")).encode()


@dataclass(frozen=True)
class Response:
    """An answer over HTTP; the names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").split(";")[0].strip().lower()


def read_answer(response: Response) -> dict[str, Any]:
    """The data of an answer. An error of the server is raised."""
    answer: Any = None
    if response.media_type.endswith("json"):
        try:
            answer = json.loads(response.body)
        except ValueError:
            answer = None
    if isinstance(answer, dict) and isinstance(answer.get("errors"), list) and answer["errors"]:
        raise from_graphql(answer["errors"][0])
    if isinstance(answer, dict) and isinstance(answer.get("data"), dict):
        return dict(answer["data"])
    raise refusal(response)


def refusal(response: Response) -> SomnographError:
    """The error of an answer that is not one of GraphQL."""
    after = response.headers.get("retry-after", "")
    seconds = float(after) if after.isdigit() else None
    codes = {401: "UNAUTHENTICATED", 403: "FORBIDDEN", 413: "LIMIT_EXCEEDED", 429: "RATE_LIMITED", 502: "UNAVAILABLE", 503: "UNAVAILABLE", 504: "UNAVAILABLE"}
    if response.status in codes:
        return SomnographError(codes[response.status], f"the server answered with status {response.status}", retry_after=seconds)
    return SomnographError("PROTOCOL", f"the answer with status {response.status} is not from a Somnograph server; check the URL")


def repeatable(error: SomnographError, idempotent: bool) -> bool:
    """Whether a call may be repeated after an error. A RATE_LIMITED call was not executed."""
    return error.code == "RATE_LIMITED" or idempotent and error.code == "UNAVAILABLE"


def turns(messages: str | Message | Sequence[Message]) -> list[Turn]:
    """The messages that say something. Instructions (system, developer) are left out."""
    if isinstance(messages, str):
        return [Turn("USER", messages)]
    if isinstance(messages, Mapping):
        messages = [messages]
    out: list[Turn] = []
    for position, message in enumerate(messages):
        if not isinstance(message, Mapping):
            raise ValueError(f"messages[{position}]: an object with role and content is expected")
        role = str(message.get("role", "user")).lower()
        if role in ("system", "developer"):
            continue
        if role not in ROLES:
            raise ValueError(f"messages[{position}].role: user, assistant, tool or system is expected, not {role!r}")
        said = _said(message.get("content"), position)
        if said.strip():
            out.append(Turn(ROLES[role], said, message.get("id"), message.get("occurred_at")))
    return out


ROLES = {"user": "USER", "human": "USER", "assistant": "ASSISTANT", "ai": "ASSISTANT", "model": "ASSISTANT", "tool": "TOOL", "function": "TOOL"}


TEXTS = ("text", "input_text", "output_text")


def _is_text(part: Any) -> bool:
    return isinstance(part, Mapping) and part.get("type", "text") in TEXTS


def _said(content: Any, position: int) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        parts = [part if isinstance(part, str) else part.get("text") for part in content if isinstance(part, str) or _is_text(part)]
        return "\n".join(part for part in parts if isinstance(part, str))
    raise ValueError(f"messages[{position}].content: a text or a list of parts is expected")


class EventParser:
    """Reads server-sent events line by line."""

    def __init__(self) -> None:
        self._name = ""
        self._data: list[str] = []

    def line(self, line: str) -> tuple[str, str] | None:
        """The event that a line without its end completes, as its name and data; None: none."""
        if line:
            name, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if name == "event":
                self._name = value
            elif name == "data":
                self._data.append(value)
            return None
        if not self._name and not self._data:
            return None
        event = (self._name, "\n".join(self._data))
        self._name, self._data = "", []
        return event
