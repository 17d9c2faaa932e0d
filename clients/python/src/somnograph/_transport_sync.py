"""HTTP for the synchronous client, with the standard library's http.client."""

from __future__ import annotations

import http.client
import select
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping

from ._errors import Broken, Unsent
from ._protocol import Address, Response

MAX_ANSWER = 256 << 20
MAX_LINE = 64 << 20


def _answered(response: http.client.HTTPResponse) -> Response:
    return Response(response.status, {name.lower(): value for name, value in response.getheaders()})


class Transport:
    """Connections to one server. It may be used by several threads."""

    def __init__(self, address: Address, tls: ssl.SSLContext | None) -> None:
        self._address = address
        self._tls = tls
        self._lock = threading.Lock()
        self._idle: list[http.client.HTTPConnection] = []
        self._streams: set[Stream] = set()
        self.closed = False

    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def post(self, path: str, headers: Mapping[str, str], body: bytes, seconds: float, fresh: bool) -> Response:
        """Sends a request. fresh: over a new connection, so that a failure to send it is certain."""
        deadline = time.monotonic() + seconds
        connection = self._connect(seconds, fresh)
        try:
            response = self._send(connection, path, headers, body, deadline)
            text = bytearray()
            while True:
                self._limit(connection, deadline)
                part = response.read1(1 << 16)
                if not part:
                    break
                text += part
                if len(text) > MAX_ANSWER:
                    raise Broken(f"the answer is larger than {MAX_ANSWER} bytes")
            if response.length:
                raise Broken("the answer is incomplete")
            answer = _answered(response)
            keep = not response.will_close
            response.close()  # else the connection takes no other request
        except (OSError, http.client.HTTPException, ValueError) as err:
            connection.close()
            raise _lost(err) from None
        except BaseException:
            connection.close()
            raise
        self._release(connection, keep)
        return Response(answer.status, answer.headers, bytes(text))

    def stream(self, path: str, headers: Mapping[str, str], body: bytes, seconds: float, silence: float) -> tuple[Response, Stream]:
        """Sends a request and returns the head of the answer and its lines. silence: longest time without a byte."""
        connection = self._connect(seconds, True)
        try:
            response = self._send(connection, path, headers, body, time.monotonic() + seconds)
            if connection.sock is not None:
                connection.sock.settimeout(silence)
        except (OSError, http.client.HTTPException, ValueError) as err:
            connection.close()
            raise _lost(err) from None
        except BaseException:
            connection.close()
            raise
        stream = Stream(self, connection, response)
        with self._lock:
            self._streams.add(stream)
        return _answered(response), stream

    def close(self) -> None:
        """Closes all connections. Streams end."""
        with self._lock:
            self.closed = True
            idle, self._idle = self._idle, []
            streams = list(self._streams)
        for connection in idle:
            connection.close()
        for stream in streams:
            stream.interrupt()

    def _connect(self, seconds: float, fresh: bool) -> http.client.HTTPConnection:
        with self._lock:
            if self.closed:
                raise RuntimeError("the client is closed")
            while self._idle and not fresh:
                connection = self._idle.pop()
                if _alive(connection):
                    return connection
                connection.close()
        made: http.client.HTTPConnection
        if self._address.scheme == "https":
            made = http.client.HTTPSConnection(self._address.host, self._address.port, timeout=seconds, context=self._tls)
        else:
            made = http.client.HTTPConnection(self._address.host, self._address.port, timeout=seconds)
        try:
            made.connect()
        except OSError as err:
            made.close()
            raise Unsent(_reason(err)) from None
        if made.sock is not None:
            made.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made

    def _send(self, connection: http.client.HTTPConnection, path: str, headers: Mapping[str, str], body: bytes, deadline: float) -> http.client.HTTPResponse:
        self._limit(connection, deadline)
        connection.request("POST", path, body, dict(headers))
        self._limit(connection, deadline)
        return connection.getresponse()

    def _limit(self, connection: http.client.HTTPConnection, deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if connection.sock is not None:
            connection.sock.settimeout(left)

    def _release(self, connection: http.client.HTTPConnection, keep: bool) -> None:
        with self._lock:
            if keep and not self.closed and len(self._idle) < 16:
                self._idle.append(connection)
                return
        connection.close()

    def _forget(self, stream: Stream) -> None:
        with self._lock:
            self._streams.discard(stream)


class Stream:
    """The lines of a long answer."""

    def __init__(self, transport: Transport, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        self._transport = transport
        self._connection = connection
        self._response = response

    def lines(self) -> Iterator[str]:
        """The lines without their ends. Raises Broken where the connection is lost; ends where the server ends the answer."""
        while True:
            try:
                line = self._response.readline(MAX_LINE)
            except (OSError, http.client.HTTPException, ValueError, AttributeError) as err:
                raise _lost(err) from None
            if not line:
                return
            yield line.decode("utf-8", "replace").rstrip("\r\n")

    def interrupt(self) -> None:
        """Ends a read that another thread waits for."""
        if self._connection.sock is not None:
            try:
                self._connection.sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self) -> None:
        self._transport._forget(self)
        self._response.close()
        self._connection.close()


def _alive(connection: http.client.HTTPConnection) -> bool:
    """Whether the server has not closed an idle connection."""
    if connection.sock is None:
        return False
    try:
        return not select.select([connection.sock], [], [], 0)[0]
    except (OSError, ValueError):
        return False


def _reason(err: BaseException) -> str:
    return str(err) or type(err).__name__


def _lost(err: BaseException) -> BaseException:
    return TimeoutError() if isinstance(err, TimeoutError) else Broken(_reason(err))
