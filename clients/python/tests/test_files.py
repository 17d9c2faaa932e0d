from __future__ import annotations

import unittest
from collections.abc import Callable

from server import Server
from somnograph import AsyncMemory, AsyncMemoryFiles, Memory, MemoryFiles, SomnographError, types


class FilesTest(unittest.TestCase):
    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server()
        cls.addClassCleanup(cls.server.close)

    def files(self, user: str) -> MemoryFiles:
        memory = Memory(self.server.url, user=user, consent="EXPLICIT")
        self.addCleanup(memory.close)
        return MemoryFiles(memory, user)

    def test_commands(self) -> None:
        files = self.files("ana")
        self.assertEqual(files.call({"command": "create", "path": "/memories/a/todo.md", "file_text": "one\ntwo\nthree"}), "File created successfully at: /memories/a/todo.md")
        self.assertEqual(files.view("/memories/a/todo.md", [2, 3]), "Here's the content of /memories/a/todo.md with line numbers:\n     2\ttwo\n     3\tthree")
        self.assertIn("     2\t2", files.str_replace("/memories/a/todo.md", "two", "2"))
        files.insert("/memories/a/todo.md", 0, "zero\n")
        files.rename("/memories/a", "/memories/b")
        self.assertIn("     1\tzero\n     2\tone\n     3\t2\n     4\tthree", files.view("/memories/b/todo.md"))
        self.assertEqual(files.view("/memories").split("\n")[1:], ["16B\t/memories", "16B\t/memories/b/", "16B\t/memories/b/todo.md"])
        with self.assertRaisesRegex(ValueError, "does not exist"):
            files.view("/memories/a/todo.md")
        self.assertIn("     1\t", files.create("/memories/empty", "") and files.view("/memories/empty"))
        files.delete("/memories/b")
        files.delete("/memories/empty")
        self.assertEqual(files.view("/memories").split("\n")[1:], ["0B\t/memories"])

    def test_what_is_refused(self) -> None:
        files = self.files("bo")
        files.create("/memories/x", "a\na")
        for path in ("/etc/passwd", "/memories/../x", "/memories//x", "/memories/%2e%2e/x", "/memoriesx", "/memories/a\\b", "/memories/\0"):
            with self.assertRaisesRegex(ValueError, "^Path "):
                files.view(path)
        refused: list[tuple[Callable[[], str], str]] = [
            (lambda: files.create("/memories/x", "b"), "already exists"),
            (lambda: files.create("/memories/x/y", "b"), "not a directory"),
            (lambda: files.str_replace("/memories/x", "a", "b"), "Multiple occurrences.*lines: 1, 2"),
            (lambda: files.str_replace("/memories/x", "q", "b"), "did not appear"),
            (lambda: files.insert("/memories/x", 3, "b"), "insert_line"),
            (lambda: files.delete("/memories"), "Cannot delete"),
            (lambda: files.rename("/memories/x", "/memories/x/y"), "below itself"),
            (lambda: files.call({"command": "format"}), "Unknown command"),
        ]
        for call, why in refused:
            with self.assertRaisesRegex(ValueError, why):
                call()
        with self.assertRaisesRegex(ValueError, "does not exist"):
            self.files("cy").view("/memories/x")


    def test_large_files_are_listed_and_deleted(self) -> None:
        """An answer has at most 32 MiB: of files as large as the server takes, not a thousand fit."""
        with Server("--max-content", "100KiB") as server, Memory(server.url, consent="EXPLICIT") as memory:
            tags = ["memory-tool", "memory-tool:/memories/", "memory-tool:/memories/large/"]
            paths = [f"/memories/large/{n}.txt" for n in range(200)]
            inputs: list[types.RememberInput] = [
                {"content": '"' * 100_000, "type": "DOCUMENT", "on_duplicate": "INSERT", "external_id": f"memory-tool::{path}", "tags": tags, "meta": {"path": path}}
                for path in paths
            ]
            for start in range(0, len(inputs), 100):
                self.assertEqual([item.error for item in memory.remember_many(inputs[start : start + 100])], [None] * 100)
            with self.assertRaises(SomnographError) as refused:
                memory.list_memories(first=1000)
            self.assertEqual(refused.exception.code, "LIMIT_EXCEEDED")
            self.assertEqual(len(list(memory.all_memories(page=1000))), 200)
            files = MemoryFiles(memory)
            self.assertEqual(files.view("/memories").count("97.7K\t/memories/large/"), 200)

    def test_a_file_is_deleted_with_all_its_versions(self) -> None:
        """The server answers at most two versions at once."""
        memory = Narrow(self.server.url, user="vera", consent="EXPLICIT")
        self.addCleanup(memory.close)
        files = MemoryFiles(memory, "vera")
        files.create("/memories/a.txt", "line 0")
        for n in range(4):
            files.str_replace("/memories/a.txt", f"line {n}", f"line {n + 1}")
        every: types.MemoryFilter = {"user": "vera", "statuses": ["ACTIVE", "SUPERSEDED"]}
        self.assertEqual(len(list(memory.all_memories(every))), 5)
        files.delete("/memories/a.txt")
        self.assertEqual(list(memory.all_memories(every)), [])


class Narrow(Memory):
    """A client of a server that answers at most two versions at once."""

    def lineage(self, id: str, *, first: int | None = None, after_version: int | None = None, timeout: float | None = None) -> list[types.MemoryVersion]:
        if first is None or first > 2:
            raise SomnographError("LIMIT_EXCEEDED", "too large")
        return super().lineage(id, first=first, after_version=after_version, timeout=timeout)


class AsyncFilesTest(unittest.IsolatedAsyncioTestCase):
    async def test_the_same_for_asyncio(self) -> None:
        with Server() as server:
            async with AsyncMemory(server.url, user="ana", consent="EXPLICIT") as memory:
                files = AsyncMemoryFiles(memory, "ana")
                await files.create("/memories/x", "one")
                await files.str_replace("/memories/x", "one", "two")
                self.assertIn("     1\ttwo", await files.view("/memories/x"))


if __name__ == "__main__":
    unittest.main()
