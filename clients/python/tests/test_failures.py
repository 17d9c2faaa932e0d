from __future__ import annotations

import asyncio
import http.server
import json
import socket
import threading
import time
import unittest
from collections.abc import Callable
from typing import Any

from server import Network, Server, until
from somnograph import AsyncMemory, Memory, Retry, SomnographError

SCOPES = "memory:read,memory:write,memory:share"


class Fake(http.server.BaseHTTPRequestHandler):
    """Answers as a test says; each answer is (status, headers, body)."""

    protocol_version = "HTTP/1.1"
    answers: list[tuple[int, dict[str, str], bytes]] = []
    requests: list[dict[str, Any]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        Fake.requests.append({"headers": dict(self.headers), "body": json.loads(body)})
        status, headers, answer = Fake.answers.pop(0)
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(answer)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:
        pass


class FailuresTest(unittest.TestCase):
    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server()
        cls.addClassCleanup(cls.server.close)

    def fake(self, *answers: tuple[int, dict[str, str], bytes]) -> str:
        Fake.answers, Fake.requests = list(answers), []
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Fake)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        self.addCleanup(server.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_address[1]}"

    def refused(self, url: str, call: Callable[[Memory], object], **options: Any) -> SomnographError:
        with Memory(url, **options) as memory, self.assertRaises(SomnographError) as caught:
            call(memory)
        return caught.exception

    def test_a_killed_server_is_waited_for_and_nothing_is_written_twice(self) -> None:
        with Server() as server, Memory(server.url, user="ana", consent="EXPLICIT", retry=Retry(attempts=50)) as memory:
            failures: list[BaseException] = []
            written: list[str] = []

            def write(worker: int) -> None:
                try:
                    for n in range(30):
                        written.extend(m.id for m in memory.add(f"Worker {worker} packed crate {n * 13 + worker}.").memories)
                except BaseException as err:
                    failures.append(err)

            workers = [threading.Thread(target=write, args=(n,)) for n in range(4)]
            for worker in workers:
                worker.start()
            for at in (20, 60):
                until(lambda: len(written) >= at or failures)
                server.kill()
                server.start()
            for worker in workers:
                worker.join()
            self.assertEqual(failures, [])
            stored = [m.id for m in memory.all_memories()]
            self.assertEqual(len(stored), 120)
            self.assertEqual(sorted(stored), sorted(written))

    def test_a_lost_answer_is_asked_for_again_and_nothing_is_written_twice(self) -> None:
        with Network(self.server.port) as network, Memory(network.url, user="bo", consent="EXPLICIT") as memory:
            network.lose_answers(3)
            memory.add([{"role": "user", "content": f"Key {n} opens door {n}."} for n in range(3)])
            network.lose_answers(2)
            memory.observe("talk", "USER", "The gate code is 4711.")
            network.lose_answers(1)
            memory.adjudicate("The anchor is in the bow.", "anchor", [{"source": "x", "weight": 1, "confidence": 1}])
            self.assertEqual(len(memory.list_memories({"user": "bo"}).nodes), 5)

    def test_a_write_that_cannot_be_repeated_is_not(self) -> None:
        with Network(self.server.port) as network:
            network.lose_answers(1)
            error = self.refused(network.url, lambda m: m.graphql("mutation { sleep(input: {dryRun: true}) { report { id } } }"))
            self.assertEqual(error.code, "UNREACHABLE")
            self.assertEqual(network.accepted, 1)

    def test_a_stream_resumes_after_a_cut_and_ends_when_the_client_is_closed(self) -> None:
        with Network(self.server.port) as network, Memory(self.server.url, consent="EXPLICIT", namespace="cuts") as writer:
            memory = Memory(network.url, namespace="cuts")
            seen: list[str] = []

            def watch() -> None:
                for event in memory.events():
                    if event.kind == "CREATED":
                        seen.append(event.id or "")

            watching = threading.Thread(target=watch)
            watching.start()
            written: list[str] = []
            while not seen:
                written += [m.id for m in writer.add(f"Event number {len(written)} of the stream.").memories]
                time.sleep(0.02)
            first = written.index(seen[0])
            for round in range(3):
                network.cut()
                written += [m.id for n in range(5) for m in writer.add(f"Round {round} has item {n}.").memories]
                until(lambda: len(seen) >= len(written) - first)
            self.assertEqual(seen, written[first:])
            memory.close()
            watching.join(10)
            self.assertFalse(watching.is_alive())

    def test_a_stream_gives_up_without_a_server(self) -> None:
        error = self.refused("http://127.0.0.1:1", lambda m: list(m.events()), retry=Retry(attempts=2, base=0.01))
        self.assertEqual(error.code, "UNREACHABLE")

    def test_no_server(self) -> None:
        error = self.refused("http://127.0.0.1:1", lambda m: m.search("x"), retry=Retry(attempts=2, base=0.01))
        self.assertEqual(error.code, "UNREACHABLE")
        self.assertIn("http://127.0.0.1:1", str(error))

    def test_another_server(self) -> None:
        url = self.fake((200, {"Content-Type": "text/html"}, b"<html>"), (404, {}, b"{}"), (200, {}, b'{"data":{"search":{}}}'))
        for _ in range(3):
            self.assertEqual(self.refused(url, lambda m: m.search("x")).code, "PROTOCOL")

    def test_an_overloaded_server_is_asked_after_the_time_that_it_says(self) -> None:
        limited = b'{"errors":[{"message":"busy","extensions":{"code":"RATE_LIMITED","retryAfter":1}}]}'
        away = b'{"errors":[{"message":"away","extensions":{"code":"UNAVAILABLE"}}]}'
        data = b'{"data":{"search":{"hits":[],"noMatch":true,"unsure":false,"degraded":[],"latencyMs":1}}}'
        url = self.fake((429, {}, limited), (200, {}, away), (503, {"Content-Type": "text/plain", "Retry-After": "1"}, b""), (200, {}, data))
        started = time.monotonic()
        with Memory(url, retry=Retry(base=0.01)) as memory:
            self.assertTrue(memory.search("x").no_match)
        self.assertGreaterEqual(time.monotonic() - started, 2)
        self.assertEqual(len(Fake.requests), 4)

    def test_a_write_keeps_its_key_when_it_is_repeated(self) -> None:
        away = b'{"errors":[{"message":"away","extensions":{"code":"UNAVAILABLE"}}]}'
        none = b'{"errors":[{"message":"no","extensions":{"code":"FORBIDDEN"}}]}'
        url = self.fake((200, {}, away), (200, {}, none))
        self.refused(url, lambda m: m.remember("x"), retry=Retry(base=0.01))
        keys = {request["body"]["variables"]["idempotencyKey"] for request in Fake.requests}
        self.assertEqual((len(Fake.requests), len(keys)), (2, 1))

    def test_the_number_of_attempts_is_bounded(self) -> None:
        away = b'{"errors":[{"message":"away","extensions":{"code":"UNAVAILABLE"}}]}'
        url = self.fake((200, {}, away), (200, {}, away), (200, {}, away), (200, {}, away))
        self.assertEqual(self.refused(url, lambda m: m.search("x"), retry=Retry(attempts=3, base=0.001)).code, "UNAVAILABLE")
        self.assertEqual(len(Fake.requests), 3)

    def test_an_internal_error_has_the_id_of_the_log_entry(self) -> None:
        url = self.fake((200, {}, b'{"errors":[{"message":"internal error","extensions":{"code":"INTERNAL","id":"e-17"}}]}'))
        error = self.refused(url, lambda m: m.search("x"))
        self.assertEqual((error.code, error.request_id), ("INTERNAL", "e-17"))

    def test_a_call_ends_at_its_deadline(self) -> None:
        silent = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(silent.close)
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        self.assertEqual(self.refused(url, lambda m: m.search("x", timeout=0.2)).code, "TIMEOUT")

        async def call() -> None:
            async with AsyncMemory(url) as memory:
                await memory.search("x", timeout=0.2)

        with self.assertRaises(SomnographError) as caught:
            asyncio.run(call())
        self.assertEqual(caught.exception.code, "TIMEOUT")

    def test_keys_are_shown_nowhere_and_sent_to_nobody_else(self) -> None:
        key = "sgk_0123_secret"
        memory = Memory("http://127.0.0.1:1", key=key, user="ana", timeout=0.1, retry=Retry(attempts=1))
        with self.assertRaises(SomnographError) as caught:
            memory.search("x")
        for text in (repr(memory), str(memory), repr(caught.exception), str(vars(caught.exception))):
            self.assertNotIn("secret", text)
        with self.assertRaisesRegex(ValueError, "^key: .*https") as refused:
            Memory("http://memory.example:8420", key=key)
        self.assertNotIn("secret", str(refused.exception))
        for bad in ("", "with blank", "line\nbreak"):
            with self.assertRaisesRegex(ValueError, "^key: "):
                Memory("http://127.0.0.1:1", key=bad)
        for bad in ("ftp://x", "http://", "http://user:pass@x", "http://x:port"):
            with self.assertRaisesRegex(ValueError, "^url: "):
                Memory(bad)


class KeysTest(unittest.TestCase):
    def test_a_key_is_needed_and_says_who_writes(self) -> None:
        with Server() as server:
            server.kill()
            made = json.loads(server.run("keys", "create", "--data", server.data, "--keys", server.keys, "--scopes", SCOPES, "--user", "ana", "--json"))
            server.flags = ("--auth", "keys")
            server.start()
            for wrong in (None, made["key"][:-1] + ("0" if made["key"][-1] != "0" else "1")):
                with Memory(server.url, key=wrong, consent="EXPLICIT") as memory, self.assertRaises(SomnographError) as caught:
                    memory.search("x")
                self.assertEqual(caught.exception.code, "UNAUTHENTICATED")
                with Memory(server.url, key=wrong) as memory, self.assertRaises(SomnographError) as caught:
                    next(memory.events())
                self.assertEqual(caught.exception.code, "UNAUTHENTICATED")
            with Memory(server.url, key=made["key"], consent="EXPLICIT") as memory:
                (added,) = memory.add("My dog is called Biscuit.").memories
                self.assertEqual(added.user, "ana")
                with self.assertRaises(SomnographError) as caught:
                    memory.sleep()
                self.assertEqual(caught.exception.code, "FORBIDDEN")


class RateTest(unittest.TestCase):
    def test_a_rate_limit_is_waited_for_until_the_deadline(self) -> None:
        with Server("--rate-limit", "6000", "--rate-burst", "200") as server, Memory(server.url, consent="EXPLICIT") as memory:
            for n in range(8):
                memory.add(f"Crate {n} weighs {n * 11} kg.")
            with self.assertRaises(SomnographError) as caught:
                for n in range(100):
                    memory.search("crate", timeout=0.3)
            self.assertEqual(caught.exception.code, "RATE_LIMITED")
            self.assertGreaterEqual(caught.exception.retry_after or 0, 1)


if __name__ == "__main__":
    unittest.main()
