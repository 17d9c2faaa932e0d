"""Conversion between JSON and Python values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from typing import Any, TypeVar

T = TypeVar("T")


def text(value: Any) -> Any:
    """A string, or one of an enum. A newer server may send values that this version does not list."""
    if not isinstance(value, str):
        raise ValueError(f"a string is expected, not {value!r}")
    return value


def integer(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"an integer is expected, not {value!r}")
    return value


def decimal(value: Any) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise ValueError(f"a number is expected, not {value!r}")
    return float(value)


def boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"true or false is expected, not {value!r}")
    return value


def time(value: Any) -> datetime:
    return datetime.fromisoformat(text(value).replace("Z", "+00:00"))


def obj(decode: Callable[[Any], T]) -> Callable[[Any], T]:
    def decoder(value: Any) -> T:
        if not isinstance(value, Mapping):
            raise ValueError(f"an object is expected, not {value!r}")
        return decode(value)

    return decoder


def items(decode: Callable[[Any], T]) -> Callable[[Any], list[T]]:
    def decoder(value: Any) -> list[T]:
        if not isinstance(value, list):
            raise ValueError(f"a list is expected, not {value!r}")
        return [decode(item) for item in value]

    return decoder


def optional(decode: Callable[[Any], T]) -> Callable[[Any], T | None]:
    def decoder(value: Any) -> T | None:
        return None if value is None else decode(value)

    return decoder


def encoded(value: Any) -> Any:
    """A value for JSON: times as RFC 3339, sequences as lists."""
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError("a time needs a time zone, such as datetime.now(timezone.utc)")
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    if isinstance(value, (list, tuple)):
        return [encoded(item) for item in value]
    return value


def picked(value: Mapping[str, Any], fields: Mapping[str, tuple[str, Callable[[Any], Any] | None]]) -> dict[str, Any]:
    """An input under the names of the server. A key that the server does not know is an error."""
    out: dict[str, Any] = {}
    for key, item in value.items():
        if key not in fields:
            raise ValueError(f"{key!r} is not one of {', '.join(fields)}")
        name, encode = fields[key]
        if item is not None:
            out[name] = encode(item) if encode else encoded(item)
    return out
