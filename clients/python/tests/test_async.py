from __future__ import annotations

import asyncio
import unittest

from server import Network, Server
from somnograph import AsyncMemory, SomnographError


class AsyncMemoryTest(unittest.IsolatedAsyncioTestCase):
    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server()
        cls.addClassCleanup(cls.server.close)

    def memory(self, user: str, url: str = "", **options: object) -> AsyncMemory:
        memory = AsyncMemory(url or self.server.url, user=user, consent="EXPLICIT", **options)  # type: ignore[arg-type]
        self.addAsyncCleanup(memory.aclose)
        return memory

    async def test_the_life_of_a_memory(self) -> None:
        memory = self.memory("ana")
        (added,) = (await memory.add("I moved from Oslo to Bergen in May.")).memories
        self.assertIn("Bergen", (await memory.context("Where do I live?")).text)
        self.assertEqual((await memory.search("Where do I live?")).hits[0].memory.id, added.id)
        self.assertEqual([fact.object for fact in await memory.facts("user", predicate="lives in")], ["Bergen"])
        self.assertTrue((await memory.sleep(deep=False)).complete)
        self.assertEqual((await memory.forget(user="ana")).ids, [added.id])

    async def test_a_session_is_closed_at_the_end_of_its_block(self) -> None:
        async with self.memory("bo").session("talk") as session:
            await session.add("My boat is called Heron.")
            self.assertIn("Heron", (await session.context("What is my boat called?")).text)
        assert session.report is not None
        self.assertEqual(len(session.report.flushed), 1)

    async def test_calls_at_once_share_connections(self) -> None:
        with Network(self.server.port) as network:
            memory = self.memory("cy", network.url)
            written = await asyncio.gather(*(memory.add(f"Box {n} is on shelf {n * 3}.") for n in range(40)))
            self.assertEqual(len({added.memories[0].id for added in written}), 40)
            self.assertEqual([m.content async for m in memory.all_memories({"user": "cy"}, page=7)].__len__(), 40)
            before = network.accepted
            for _ in range(5):
                await memory.search("Where is box 3?")
            self.assertEqual(network.accepted, before)
            await memory.aclose()

    async def test_a_lost_answer_is_asked_for_again_and_nothing_is_written_twice(self) -> None:
        with Network(self.server.port) as network:
            memory = self.memory("di", network.url)
            network.lose_answers(3)
            await memory.add([{"role": "user", "content": f"Key {n} opens door {n}."} for n in range(3)])
            network.lose_answers(2)
            await memory.observe("gate", "USER", "The gate code is 4711.")
            self.assertEqual(len((await memory.list_memories({"user": "di"})).nodes), 4)
            await memory.aclose()

    async def test_a_cancelled_call_ends_at_once(self) -> None:
        with Network(self.server.port) as network:
            memory = self.memory("ed", network.url)

            async def watch() -> None:
                async for _ in memory.events():
                    pass

            watching = asyncio.create_task(watch())
            while network.accepted == 0:
                await asyncio.sleep(0.01)
            watching.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await watching
            await memory.aclose()

    async def test_events_resume_after_a_cut(self) -> None:
        with Network(self.server.port) as network:
            memory = self.memory("flo", network.url, namespace="cuts")
            writer = self.memory("flo", namespace="cuts")
            seen: list[str] = []

            async def watch() -> None:
                async for event in memory.events():
                    if event.kind == "CREATED":
                        seen.append(event.id or "")

            watching = asyncio.create_task(watch())
            written: list[str] = []
            while not seen:
                written += [m.id for m in (await writer.add(f"Event number {len(written)} of the stream.")).memories]
                await asyncio.sleep(0.02)
            first = written.index(seen[0])
            for round in range(3):
                network.cut()
                for n in range(5):
                    written += [m.id for m in (await writer.add(f"Round {round} has item {n}.")).memories]
                async with asyncio.timeout(30) if hasattr(asyncio, "timeout") else _nothing():
                    while len(seen) < len(written) - first:
                        await asyncio.sleep(0.01)
            self.assertEqual(seen, written[first:])
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            await memory.aclose()

    async def test_a_stream_that_is_refused_raises(self) -> None:
        memory = self.memory("gil")
        with self.assertRaises(SomnographError) as caught:
            async for _ in memory.events(after="no cursor"):
                pass
        self.assertEqual((caught.exception.code, caught.exception.field), ("INVALID_REQUEST", "after"))


class _nothing:
    async def __aenter__(self) -> None:
        pass

    async def __aexit__(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    unittest.main()
