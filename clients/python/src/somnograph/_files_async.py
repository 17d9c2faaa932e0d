"""Anthropic's memory tool over the asynchronous client."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from . import types
from ._client_async import AsyncMemory
from ._errors import SomnographError

ROOT = "/memories"
KIND = "memory-tool"
UNSEARCHABLE = "·"
ATTEMPTS = 10


class AsyncMemoryFiles:
    """The commands of Anthropic's memory tool (memory_20250818).

    A file is a chain of versions: each edit is a new version, a renamed file keeps its versions, delete erases them. Directories
    exist while they hold a file. A command that fails raises ValueError with a text for the model.

    Args:
        memory: the client, with a user, and with a consent if the server has no default
        user: the user whose files they are; None: nobody's
    """

    def __init__(self, memory: AsyncMemory, user: str | None = None) -> None:
        self._memory = memory
        self._user = user

    async def call(self, command: Mapping[str, Any]) -> str:
        """Runs a command as the model sends it: an object with command and its arguments."""
        arguments = {name: value for name, value in command.items() if name != "command"}
        name = command.get("command")
        if name not in ("view", "create", "str_replace", "insert", "delete", "rename"):
            raise ValueError(f"Unknown command: {name}")
        answer: str = await getattr(self, name)(**arguments)
        return answer

    async def view(self, path: str, view_range: list[int] | None = None) -> str:
        at = _safe(path)
        file = None if at == ROOT else await self._get(at)
        if file is None:
            return await self._directory(path, at)
        lines = _text(file).split("\n")
        first, last = view_range if view_range and len(view_range) == 2 else (1, -1)
        first = max(first, 1)
        return f"Here's the content of {path} with line numbers:\n" + _numbered(lines[first - 1 : len(lines) if last == -1 else last], first)

    async def create(self, path: str, file_text: str) -> str:
        at = _safe(path)
        if at == ROOT or await self._below(at) or await self._get(at) is not None:
            raise ValueError(f"File {path} already exists")
        for directory in _directories(at)[1:]:
            if await self._get(directory) is not None:
                raise ValueError(f"The path {directory} is not a directory.")
        try:
            await self._memory.remember(type="DOCUMENT", on_duplicate="INSERT", user=self._user, **self._entry(at, file_text))
        except SomnographError as err:
            if err.code == "VERSION_CONFLICT":
                raise ValueError(f"File {path} already exists") from None
            raise
        return f"File created successfully at: {path}"

    async def str_replace(self, path: str, old_str: str, new_str: str = "") -> str:
        changed = ""

        def change(text: str) -> str:
            nonlocal changed
            starts = [match.start() for match in re.finditer(re.escape(old_str), text)] if old_str else []
            if not starts:
                raise ValueError(f"No replacement was performed, old_str `{old_str}` did not appear verbatim in {path}.")
            if len(starts) > 1:
                lines = ", ".join(str(text.count("\n", 0, start) + 1) for start in starts)
                raise ValueError(f"No replacement was performed. Multiple occurrences of old_str `{old_str}` in lines: {lines}. Please ensure it is unique")
            after = text.replace(old_str, new_str)
            first = max(1, text.count("\n", 0, starts[0]) - 1)
            changed = _numbered(after.split("\n")[first - 1 : first + 4], first)
            return after

        await self._edit(path, change)
        return f"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{changed}"

    async def insert(self, path: str, insert_line: int, insert_text: str) -> str:
        def change(text: str) -> str:
            lines = text.split("\n")
            if not 0 <= insert_line <= len(lines):
                raise ValueError(f"Invalid `insert_line` parameter: {insert_line}. It should be within the range of lines of the file: [0, {len(lines)}]")
            return "\n".join([*lines[:insert_line], insert_text.removesuffix("\n"), *lines[insert_line:]])

        await self._edit(path, change)
        return f"The file {path} has been edited."

    async def delete(self, path: str) -> str:
        at = _safe(path)
        if at == ROOT:
            raise ValueError("Cannot delete the /memories directory itself")
        files = await self._tree(at)
        if not files:
            raise ValueError(f"The path {path} does not exist")
        ids = [id for file in files for id in await self._versions(file)]
        for start in range(0, len(ids), 1000):
            await self._memory.forget(ids[start : start + 1000])
        return f"Successfully deleted {path}"

    async def rename(self, old_path: str, new_path: str) -> str:
        old, new = _safe(old_path), _safe(new_path)
        if old == ROOT:
            raise ValueError("Cannot rename the /memories directory itself")
        if new == ROOT or await self._tree(new):
            raise ValueError(f"The destination {new_path} already exists")
        if new.startswith(old + "/"):
            raise ValueError(f"Cannot rename {old_path} to a path below itself")
        files = await self._tree(old)
        if not files:
            raise ValueError(f"The path {old_path} does not exist")
        for file in files:
            await self._memory.supersede(file.id, **self._entry(new + _path(file)[len(old) :], _text(file)))
        return f"Successfully renamed {old_path} to {new_path}"

    async def _versions(self, file: types.MemoryRecord) -> list[str]:
        """The ids of all versions of a file. It asks for half as many if an answer is too large for the server."""
        ids: list[str] = []
        after, page = 0, 1000
        while True:
            try:
                versions = await self._memory.lineage(file.id, first=page, after_version=after)
            except SomnographError as err:
                if err.code != "LIMIT_EXCEEDED" or page == 1:
                    raise
                page //= 2
                continue
            ids += [version.memory.id for version in versions]
            if len(versions) < page:
                return ids
            after = versions[-1].version

    async def _edit(self, path: str, change: Callable[[str], str]) -> None:
        """Makes a new version of a file; it begins again if another version came in between."""
        at = _safe(path)
        for attempt in range(ATTEMPTS):
            file = None if at == ROOT else await self._get(at)
            if file is None:
                raise ValueError(f"The path {path} does not exist. Please provide a valid path.")
            try:
                await self._memory.supersede(file.id, **self._entry(at, change(_text(file))))
                return
            except SomnographError as err:
                if err.code != "VERSION_CONFLICT" or attempt == ATTEMPTS - 1:
                    raise

    async def _directory(self, path: str, at: str) -> str:
        files = await self._below(at)
        if not files and at != ROOT:
            raise ValueError(f"The path {path} does not exist. Please provide a valid path.")
        sizes = {"": 0}
        for file in files:
            parts = _path(file)[len(at) + 1 :].split("/")
            if any(part.startswith(".") or part == "node_modules" for part in parts):
                continue
            for depth in range(min(2, len(parts)) + 1):
                name = "/".join(parts[:depth]) + ("/" if 0 < depth < len(parts) else "")
                sizes[name] = sizes.get(name, 0) + len(_text(file).encode())
        lines = [f"{_readable(size)}\t{at + '/' + name if name else path}" for name, size in sorted(sizes.items())]
        return f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items and node_modules:\n" + "\n".join(lines)

    async def _get(self, at: str) -> types.MemoryRecord | None:
        try:
            found = await self._memory.get_by_external_id(self._external_id(at))
        except SomnographError as err:
            if err.code == "MEMORY_NOT_FOUND":
                return None
            raise
        return found if found.status == "ACTIVE" and found.user == self._user else None

    async def _tree(self, at: str) -> list[types.MemoryRecord]:
        """The file at a path, or the files of a directory."""
        file = await self._get(at)
        return [file] if file is not None else await self._below(at)

    async def _below(self, directory: str) -> list[types.MemoryRecord]:
        filter: types.MemoryFilter = {"tags": [KIND, _tag(directory)], "types": ["DOCUMENT"], "statuses": ["ACTIVE"]}
        return [file async for file in self._memory.all_memories(filter) if file.user == self._user]

    def _entry(self, at: str, text: str) -> dict[str, Any]:
        empty = not text.strip()
        meta = {"path": at, "text": text} if empty else {"path": at}
        tags = [KIND, *(_tag(directory) for directory in _directories(at))]
        return {"content": UNSEARCHABLE if empty else text, "meta": meta, "tags": tags, "external_id": self._external_id(at)}

    def _external_id(self, at: str) -> str:
        name = ":".join((KIND, quote(self._user or "", safe="!'()*"), at))
        if len(name.encode()) > 512:
            raise ValueError(f"The path {at[:40]}… is too long")
        return name


def _safe(path: str) -> str:
    """A checked path without a slash at its end. Paths that leave the directory in any spelling are refused."""
    if path != ROOT and not path.startswith(ROOT + "/"):
        raise ValueError(f"Path must start with {ROOT}, got: {path}")
    parts = path[len(ROOT) :].removesuffix("/").split("/")[1:]
    for part in parts:
        if part in ("", ".", "..") or re.search(r"[\\\x00-\x1f\x7f]|%(2e|2f|5c|00)", part, re.I):
            raise ValueError(f"Path {path} would escape {ROOT} directory")
    return "/".join([ROOT, *parts])


def _directories(at: str) -> list[str]:
    parts = at.split("/")
    return ["/".join(parts[: depth + 2]) for depth in range(len(parts) - 2)]


def _tag(directory: str) -> str:
    return f"{KIND}:{directory}/"


def _path(file: types.MemoryRecord) -> str:
    return str(file.meta["path"])


def _text(file: types.MemoryRecord) -> str:
    return str(file.meta["text"]) if "text" in file.meta else file.content or ""


def _numbered(lines: list[str], first: int) -> str:
    return "\n".join(f"{first + n:6d}\t{line}" for n, line in enumerate(lines))


def _readable(size: int) -> str:
    if size < 1024:
        return f"{size}B"
    unit, value = ("K", size / 1024) if size < 1 << 20 else ("M", size / (1 << 20))
    return f"{value:.0f}{unit}" if value == int(value) else f"{value:.1f}{unit}"
