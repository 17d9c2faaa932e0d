"""Real servers for the tests, and a network in front of them that can be cut."""

from __future__ import annotations

import os
import re
import select
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from types import TracebackType

BINARY = os.environ.get("SOMNOGRAPH_BIN", "somnograph")
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("SOMNOGRAPH_")}
"""That of the server: its settings are variables too."""


class Server:
    """A server on a free port with a directory of its own. It can be killed and started again on the same port."""

    def __init__(self, *flags: str) -> None:
        self.directory = tempfile.mkdtemp(prefix="somnograph-python-")
        self.data = os.path.join(self.directory, "data")
        self.keys = os.path.join(self.directory, "keys")
        self.flags = flags
        self.port = 0
        self.process: subprocess.Popen[str] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [BINARY, "serve", "--addr", f"127.0.0.1:{self.port}", "--data", self.data, "--keys", self.keys]
        with open(os.path.join(self.directory, "log"), "a") as log:
            self.process = subprocess.Popen([*command, *self.flags], stdout=subprocess.PIPE, stderr=log, text=True, env=ENVIRONMENT)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"graphql +https?://[^/]*:(\d+)/", line):
                self.port = int(found[1])
            if line.startswith("ready in"):
                return
        with open(os.path.join(self.directory, "log")) as log:
            raise RuntimeError("the server did not start: " + log.read())

    def kill(self) -> None:
        """Ends the process at once, as a crash does."""
        assert self.process is not None and self.process.stdout is not None
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def run(self, *arguments: str) -> str:
        """The output of a command."""
        return subprocess.run([BINARY, *arguments], check=True, capture_output=True, text=True, env=ENVIRONMENT).stdout

    def close(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(60)
        if self.process is not None and self.process.stdout is not None:
            self.process.stdout.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class Network:
    """A forwarder to a server. It can cut its connections, and lose answers after their requests were delivered."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._lose = 0
        self.accepted = 0
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def lose_answers(self, count: int) -> None:
        """The next answers are read from the server, and the connection is closed instead of passing them on."""
        with self._lock:
            self._lose = count

    def cut(self) -> None:
        """Ends all connections."""
        with self._lock:
            connections, self._open = self._open, set()
        for connection in connections:
            _shut(connection)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self.accepted += 1
            threading.Thread(target=self._forward, args=(client,), daemon=True).start()

    def _forward(self, client: socket.socket) -> None:
        try:
            server = socket.create_connection(("127.0.0.1", self._target))
        except OSError:
            client.close()
            return
        with self._lock:
            self._open |= {client, server}
        try:
            while True:
                for source in select.select([client, server], [], [])[0]:
                    data = source.recv(1 << 16)
                    if not data:
                        return
                    if source is server and self._loses():
                        return
                    (server if source is client else client).sendall(data)
        except (OSError, ValueError):
            pass
        finally:
            with self._lock:
                self._open -= {client, server}
            _shut(client)
            _shut(server)
            client.close()
            server.close()

    def _loses(self) -> bool:
        with self._lock:
            if self._lose == 0:
                return False
            self._lose -= 1
            return True

    def close(self) -> None:
        _shut(self._listener)
        self._listener.close()
        self.cut()
        self._thread.join()

    def __enter__(self) -> Network:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def until(condition: object, seconds: float = 30) -> None:
    """Waits for a condition, a function that returns whether it holds."""
    deadline = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        if time.monotonic() > deadline:
            raise AssertionError("the condition does not come true")
        time.sleep(0.01)


def _shut(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
