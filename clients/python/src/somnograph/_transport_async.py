"""HTTP/1.1 for the asynchronous client, over asyncio's streams. No thread is used, so a cancelled call ends at once."""

from __future__ import annotations

import asyncio
import ssl
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from types import TracebackType

from ._errors import Broken, Unsent
from ._protocol import Address, Response

MAX_ANSWER = 256 << 20
MAX_LINE = 64 << 20
MAX_HEAD = 64 << 10

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class AsyncTransport:
    """Connections to one server, for one event loop."""

    def __init__(self, address: Address, tls: ssl.SSLContext | None) -> None:
        self._address = address
        self._tls = tls
        self._idle: list[Connection] = []
        self._streams: set[AsyncStream] = set()
        self.closed = False

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def post(self, path: str, headers: Mapping[str, str], body: bytes, seconds: float, fresh: bool) -> Response:
        """Sends a request. fresh: over a new connection, so that a failure to send it is certain."""
        async with _Within(seconds):
            return await self._post(path, headers, body, fresh)

    async def _post(self, path: str, headers: Mapping[str, str], body: bytes, fresh: bool) -> Response:
        connection = await self._connect(fresh)
        keep = False
        try:
            head = await self._send(connection, path, headers, body)
            text = bytearray()
            async for part in _body(connection[0], head):
                text += part
                if len(text) > MAX_ANSWER:
                    raise Broken(f"the answer is larger than {MAX_ANSWER} bytes")
            keep = head.headers.get("connection", "").lower() != "close" and _delimited(head)
            return Response(head.status, head.headers, bytes(text))
        except (OSError, EOFError, ValueError) as err:
            raise Broken(str(err) or type(err).__name__) from None
        finally:
            if keep and not self.closed and len(self._idle) < 16:
                self._idle.append(connection)
            else:
                connection[1].close()

    async def stream(self, path: str, headers: Mapping[str, str], body: bytes, seconds: float, silence: float) -> tuple[Response, AsyncStream]:
        """Sends a request and returns the head of the answer and its lines. silence: longest time without a byte."""
        async with _Within(seconds):
            connection = await self._connect(True)
            try:
                head = await self._send(connection, path, headers, body)
            except (OSError, EOFError, ValueError) as err:
                connection[1].close()
                raise Broken(str(err) or type(err).__name__) from None
            except BaseException:
                connection[1].close()
                raise
        stream = AsyncStream(self, connection, head, silence)
        self._streams.add(stream)
        return head, stream

    async def aclose(self) -> None:
        """Closes all connections. Streams end."""
        self.closed = True
        idle, self._idle = self._idle, []
        for _, writer in idle:
            writer.close()
        for stream in list(self._streams):
            await stream.aclose()
        for _, writer in idle:
            await _closed(writer)

    async def _connect(self, fresh: bool) -> Connection:
        if self.closed:
            raise RuntimeError("the client is closed")
        while self._idle and not fresh:
            connection = self._idle.pop()
            if not connection[0].at_eof() and not connection[1].is_closing():
                return connection
            connection[1].close()
        tls = self._tls if self._address.scheme == "https" else None
        try:
            return await asyncio.open_connection(self._address.host, self._address.port, ssl=tls, limit=1 << 20)
        except OSError as err:
            raise Unsent(str(err) or type(err).__name__) from None

    async def _send(self, connection: Connection, path: str, headers: Mapping[str, str], body: bytes) -> Response:
        reader, writer = connection
        head = f"POST {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n"
        writer.write(head.encode("latin-1") + body)
        await writer.drain()
        response = await _head(reader)
        while 100 <= response.status < 200:
            response = await _head(reader)
        return response

    def _forget(self, stream: AsyncStream) -> None:
        self._streams.discard(stream)


class AsyncStream:
    """The lines of a long answer."""

    def __init__(self, transport: AsyncTransport, connection: Connection, head: Response, silence: float) -> None:
        self._transport = transport
        self._connection = connection
        self._head = head
        self._silence = silence

    async def lines(self) -> AsyncIterator[str]:
        """The lines without their ends. Raises Broken where the connection is lost; ends where the server ends the answer."""
        rest = bytearray()
        parts = _body(self._connection[0], self._head)
        try:
            while True:
                try:
                    async with _Within(self._silence):
                        part = await parts.__anext__()
                except StopAsyncIteration:
                    return
                except TimeoutError:
                    raise
                except (OSError, EOFError, ValueError) as err:
                    raise Broken(str(err) or type(err).__name__) from None
                rest += part
                if len(rest) > MAX_LINE:
                    raise Broken(f"a line is longer than {MAX_LINE} bytes")
                *lines, tail = bytes(rest).split(b"\n")
                rest = bytearray(tail)
                for line in lines:
                    yield line.decode("utf-8", "replace").rstrip("\r")
        finally:
            await parts.aclose()

    async def aclose(self) -> None:
        self._transport._forget(self)
        self._connection[1].close()
        await _closed(self._connection[1])


class _Within:
    """A time limit for a block, after which it raises TimeoutError. asyncio.timeout is not in Python 3.10, and asyncio.wait_for can
    lose a cancellation before 3.12."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._expired = False

    async def __aenter__(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self._expire)

    def _expire(self) -> None:
        self._expired = True
        self._task.cancel()

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._timer.cancel()
        if not self._expired:
            return
        others = 0
        if sys.version_info >= (3, 11):
            others = self._task.uncancel()
        if others == 0 and kind is asyncio.CancelledError:
            raise TimeoutError from None


async def _closed(writer: asyncio.StreamWriter) -> None:
    try:
        await writer.wait_closed()
    except (OSError, ssl.SSLError):
        pass


async def _head(reader: asyncio.StreamReader) -> Response:
    status = await _line(reader)
    version, _, rest = status.partition(" ")
    code = rest[:3]
    if not version.startswith("HTTP/1.") or not code.isdigit():
        raise ValueError("the answer is not one of HTTP/1.1")
    headers: dict[str, str] = {}
    size = 0
    while True:
        line = await _line(reader)
        if not line:
            return Response(int(code), headers)
        size += len(line)
        if size > MAX_HEAD:
            raise ValueError(f"the head of the answer is larger than {MAX_HEAD} bytes")
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()


async def _line(reader: asyncio.StreamReader) -> str:
    line = await reader.readline()
    if not line.endswith(b"\n"):
        raise EOFError("the server closed the connection")
    return line.decode("latin-1").rstrip("\r\n")


def _delimited(head: Response) -> bool:
    return "content-length" in head.headers or _chunked(head)


def _chunked(head: Response) -> bool:
    return head.headers.get("transfer-encoding", "").lower() == "chunked"


async def _body(reader: asyncio.StreamReader, head: Response) -> AsyncGenerator[bytes, None]:
    if head.status in (204, 304):
        return
    if _chunked(head):
        while True:
            size = int((await _line(reader)).split(";")[0], 16)
            if size == 0:
                while await _line(reader):
                    pass
                return
            yield await reader.readexactly(size)
            if await _line(reader):
                raise ValueError("a chunk has no end")
    elif "content-length" in head.headers:
        left = int(head.headers["content-length"])
        while left > 0:
            part = await reader.read(min(left, 1 << 16))
            if not part:
                raise EOFError("the server closed the connection")
            left -= len(part)
            yield part
    else:
        while True:
            part = await reader.read(1 << 16)
            if not part:
                return
            yield part
