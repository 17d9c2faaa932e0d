from __future__ import annotations

import unittest
from collections.abc import Callable

from server import Server
from somnograph import AsyncMemory, AsyncMemoryFiles, Memory, MemoryFiles


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
