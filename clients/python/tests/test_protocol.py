from __future__ import annotations

import asyncio
import unittest

from somnograph import Message, Retry
from somnograph._protocol import Address, EventParser, Response, Turn, parse_address, turns
from somnograph._transport_async import AsyncTransport


class ProtocolTest(unittest.TestCase):
    def test_addresses(self) -> None:
        for url, want in (
            ("127.0.0.1:8420", "http://127.0.0.1:8420"),
            ("http://127.0.0.1:8420/graphql", "http://127.0.0.1:8420"),
            ("https://memory.example/deep/", "https://memory.example/deep"),
            ("http://[::1]:8420", "http://[::1]:8420"),
        ):
            self.assertEqual(str(parse_address(url, None)), want)
        for url in ("http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1", "https://memory.example"):
            parse_address(url, "sgk_x")

    def test_pauses_grow_to_their_cap_and_heed_the_server(self) -> None:
        low, high = Retry(base=1, cap=5, draw=lambda: 0.0), Retry(base=1, cap=5, draw=lambda: 1.0)
        self.assertEqual([low.pause(n) for n in range(5)], [0.5, 1, 2, 2.5, 2.5])
        self.assertEqual([high.pause(n) for n in range(5)], [1, 2, 4, 5, 5])
        self.assertEqual(high.pause(0, 9), 9)

    def test_events(self) -> None:
        parser = EventParser()
        lines = [":", "", "event: next", "data: {", "data: }", "", "event: complete", "data: ", ""]
        self.assertEqual([event for line in lines if (event := parser.line(line))], [("next", "{\n}"), ("complete", "")])

    def test_messages(self) -> None:
        self.assertEqual(turns("a"), [Turn("USER", "a")])
        self.assertEqual(turns({"content": "a", "id": "m"}), [Turn("USER", "a", "m")])
        mixed: list[Message] = [
            {"role": "developer", "content": "x"},
            {"role": "assistant", "content": None},
            {"role": "tool", "content": ["a", {"type": "image"}, {"text": "b"}]},
        ]
        self.assertEqual(turns(mixed), [Turn("TOOL", "a\nb")])
        for bad, field in (({"role": "robot", "content": "x"}, r"messages\[0\].role"), ({"role": "user", "content": 7}, r"messages\[0\].content")):
            with self.assertRaisesRegex(ValueError, "^" + field):
                turns([bad])  # type: ignore[list-item]


class AsyncTransportTest(unittest.IsolatedAsyncioTestCase):
    async def answer(self, text: bytes) -> Response:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            step = 1 + len(text) // 1000  # a byte at a time: nothing may depend on where packets end
            for n in range(0, len(text), step):
                writer.write(text[n : n + step])
                await writer.drain()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        self.addAsyncCleanup(server.wait_closed)
        self.addCleanup(server.close)
        transport = AsyncTransport(Address("http", "127.0.0.1", server.sockets[0].getsockname()[1], ""), None)
        self.addAsyncCleanup(transport.aclose)
        return await transport.post("/", {"Host": "x"}, b"", 10, False)

    async def test_bodies(self) -> None:
        for text, want in (
            (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", b"abc"),
            (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\nTrailer: x\r\n\r\n", b"abc"),
            (b"HTTP/1.0 200 OK\r\n\r\nabc", b"abc"),
            (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", b"abc"),
            (b"HTTP/1.1 204 No Content\r\n\r\n", b""),
        ):
            self.assertEqual((await self.answer(text)).body, want)

    async def test_broken_answers(self) -> None:
        from somnograph._errors import Broken

        for text in (
            b"",
            b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab",
            b"SSH-2.0\r\n",
            b"HTTP/1.1 200 OK\r\nX: " + b"x" * 70_000 + b"\r\n\r\n",
        ):
            with self.assertRaises(Broken, msg=text[:40]):
                await self.answer(text)


if __name__ == "__main__":
    unittest.main()
