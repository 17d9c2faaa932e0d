"""The description of one operation of the server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Operation(Generic[T]):
    """An operation and what a client needs to know to send it."""

    name: str
    kind: str
    """query, mutation or subscription."""
    path: tuple[str, ...]
    """The fields from the root to the result."""
    document: str
    """The GraphQL document."""
    decode: Callable[[Any], T]
    """Decodes the value of the last field."""
    filled: tuple[str, ...] = ()
    """Variables that the client fills in."""
    retry: bool = False
    """A repetition does what the first request did."""
    keyed: bool = False
    """An idempotency key makes it so."""
    seconds: float | None = None
    """Time that the call may take; None: the default of the client."""

    def result(self, data: Any) -> T:
        """The result in the data of an answer."""
        for field in self.path:
            data = data[field]
        return self.decode(data)
