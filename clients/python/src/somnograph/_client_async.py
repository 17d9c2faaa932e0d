"""The asynchronous client."""

from __future__ import annotations

import json
import ssl
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, TypeVar

from . import types
from ._codec import encoded
from ._errors import Broken, SomnographError, Unsent, from_graphql
from ._operation import Operation
from ._operations_async import EVENTS, AsyncOperations
from ._protocol import (
    EVENT_STREAM,
    JSON_ANSWER,
    Added,
    EventParser,
    Message,
    Retry,
    parse_address,
    read_answer,
    refusal,
    repeatable,
    request_body,
    request_headers,
    turns,
)
from ._transport_async import AsyncTransport

T = TypeVar("T")

BATCH = 1000
"""Memories in one request."""
SILENCE = 60.0
"""Seconds without a byte after which a stream of events counts as lost. The server sends a comment more often."""


class AsyncMemory(AsyncOperations):
    """The memory of a Somnograph server.

    Reads, and writes with an idempotency key, are repeated after a lost connection; the client gives each write a key. Errors are
    SomnographError.

    Args:
        url: address of the server, such as http://127.0.0.1:8420
        key: API key; None: the server needs none
        user: user of reads and writes that name none
        namespace: namespace of reads and writes that name none; None: default for writes, all for reads
        consent: consent of writes that name none; None: the default of the server
        project: project of writes and contexts that name none
        agent: agent of writes that name none
        session: conversation that contexts and searches belong to if they name none; None: contexts belong to one of this object
        timeout: seconds that a call may take with its repetitions
        retry: when a call is repeated
        tls: settings of TLS; None: the authorities of the machine
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8420",
        key: str | None = None,
        user: str | None = None,
        namespace: str | None = None,
        consent: types.Consent | None = None,
        *,
        project: str | None = None,
        agent: str | None = None,
        session: str | None = None,
        timeout: float = 30.0,
        retry: Retry | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._address = parse_address(url, key)
        self._key = key
        self._timeout = timeout
        self._retry = retry or Retry()
        self._filled: dict[str, Any] = {
            "user": user,
            "namespace": namespace,
            "namespaces": None if namespace is None else [namespace],
            "consent": consent,
            "project": project,
            "agent": agent,
            "session": session or "python-" + uuid.uuid4().hex,
            "askedIn": session,
        }
        if tls is None and self._address.scheme == "https":
            tls = ssl.create_default_context()
        self._transport = AsyncTransport(self._address, tls)

    def __repr__(self) -> str:
        given = {name: self._filled[name] for name in ("user", "namespace", "consent", "project", "agent") if self._filled[name] is not None}
        return f"AsyncMemory({', '.join([repr(str(self._address)), *(f'{name}={value!r}' for name, value in given.items())])})"

    async def __aenter__(self) -> AsyncMemory:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections. Iterators of events end."""
        await self._transport.aclose()

    async def graphql(self, document: str, variables: Mapping[str, Any] | None = None, *, idempotent: bool = False, timeout: float | None = None) -> dict[str, Any]:
        """Runs one GraphQL query or mutation and returns its data.

        Args:
            document: the GraphQL document with one operation
            variables: its variables under the names of the document
            idempotent: a repetition does what the first request did, so that the call may be repeated
            timeout: seconds that the call may take with its repetitions; None: those of the client
        """
        return await self._send(document, {name: encoded(value) for name, value in (variables or {}).items()}, idempotent, timeout or self._timeout)

    async def add(
        self,
        messages: str | Message | Sequence[Message],
        *,
        user: str | None = None,
        session: str | None = None,
        namespace: str | None = None,
        consent: types.Consent | None = None,
        project: str | None = None,
        occurred_at: datetime | str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Added:
        """Adds messages, or a text that the user said.

        Without a session they are a conversation of their own, which is closed at once: its turns become memories, and facts are read
        from them. With one they continue that conversation: they can be searched at once, and become memories when it is closed or
        idle. Messages of the system and messages without text are left out. After an error the messages before it are kept; a
        repetition with the same idempotency key adds the rest.

        Args:
            messages: a text of the user, a message, or several
            user: the user; None: that of the client
            session: the conversation that the messages continue; None: one of their own
            namespace: namespace inside the tenant; None: that of the client
            consent: the permission; None: that of the client
            project: the project; None: that of the client
            occurred_at: when it was said, of messages that do not say it; None: now
            idempotency_key: makes a repetition of the call safe; None: a new one
            timeout: seconds that each request may take with its repetitions; None: those of the client
        """
        key = idempotency_key or uuid.uuid4().hex
        conversation = session or f"add-{key}"
        said: list[types.MemoryRecord] = []
        replayed = True
        for position, turn in enumerate(turns(messages)):
            observed = await self.observe(
                conversation,
                turn.role,  # type: ignore[arg-type]
                turn.text,
                user=user,
                namespace=namespace,
                consent=consent,
                project=project,
                occurred_at=turn.occurred_at or occurred_at,
                idempotency_key=f"{key}/{position}" if turn.id is None else f"{conversation}/{turn.id}",
                timeout=timeout,
            )
            said.append(observed.memory)
            replayed = replayed and observed.replayed
        closed: dict[str, types.KeptMemory] = {}
        if session is None and said:
            report = await self.close_session(conversation, namespace=namespace, first=min(len(said), 200), timeout=timeout)
            closed = {memory.id: memory for memory in report.flushed}
        memories = []
        for memory in said:
            if session is not None and memory.tier == "L0":
                memories.append(types.KeptMemory(**vars(memory), claims=[]))
            else:  # what is not in the report left the buffer before, or an earlier attempt closed the conversation
                memories.append(closed.get(memory.id) or await self.get(memory.id, timeout=timeout))
        return Added(conversation, memories, replayed)

    async def remember_many(self, input: Sequence[types.RememberInput], *, timeout: float | None = None) -> list[types.RememberedItem]:
        """Writes memories, each atomically, and returns the results in order. A result with an error was not written.

        Args:
            input: the memories; more than 1,000 are sent in several requests
            timeout: seconds that each request may take with its repetitions; None: those of the client
        """
        out: list[types.RememberedItem] = []
        keyed: list[types.RememberInput] = []
        for item in input:
            own = item.copy()
            for name in ("user", "namespace", "consent", "project", "agent"):
                if own.get(name) is None:
                    own[name] = self._filled[name]  # type: ignore[literal-required]
            if own.get("idempotency_key") is None:
                own["idempotency_key"] = uuid.uuid4().hex
            keyed.append(own)
        for start in range(0, len(keyed), BATCH):
            out += await super().remember_many(keyed[start : start + BATCH], timeout=timeout)
        return out

    def session(self, id: str, *, user: str | None = None, namespace: str | None = None, consent: types.Consent | None = None, project: str | None = None) -> AsyncSession:
        """A conversation, for a with statement that closes it at its end.

        Args:
            id: the session, 1 to 512 bytes
            user: the person; None: the user of the client
            namespace: namespace inside the tenant; None: that of the client
            consent: the permission; None: that of the client
            project: the project; None: that of the client
        """
        return AsyncSession(self, id, user, namespace, consent, project)

    async def all_memories(self, filter: types.MemoryFilter | None = None, *, page: int = 200) -> AsyncIterator[types.MemoryRecord]:
        """All memories that match a filter, in the order of recording.

        Args:
            filter: the filter; None: all
            page: memories in one request; half as many, down to one, if their answer is too large for the server
        """
        after: str | None = None
        while True:
            try:
                found = await self.list_memories(filter, first=page, after=after)
            except SomnographError as err:
                if err.code != "LIMIT_EXCEEDED" or page <= 1:
                    raise
                page //= 2
                continue
            for memory in found.nodes:
                yield memory
            after = found.page_info.end_cursor
            if not found.page_info.has_next_page:
                return

    async def events(self, after: str | None = None, *, namespaces: list[str] | None = None) -> AsyncIterator[types.MemoryEvent]:
        """Changes of memories in the order of commit, without end.

        After a lost connection the stream resumes after the last event, without loss or repetition. It ends with an error if no
        connection can be made in the attempts of the client's Retry.

        Args:
            after: cursor of the event after which to begin; None: from now on
            namespaces: namespaces; None: that of the client
        """
        if after is None:
            after = await self.event_cursor()
        failures = 0
        while True:
            try:
                async for event in self._subscribe(after, namespaces):
                    failures = 0
                    after = event.cursor
                    if event.kind == "LAGGED":
                        break
                    yield event
                error: SomnographError | None = None
            except (Unsent, Broken, TimeoutError) as err:
                if self._transport.closed:
                    return
                error = SomnographError("UNREACHABLE", f"the stream from {self._address} was lost: {err}")
            except SomnographError as err:
                if not repeatable(err, True):
                    raise
                error = err
            if self._transport.closed:
                return
            failures += 1
            if error is not None and failures >= self._retry.attempts:
                raise error
            await self._transport.sleep(self._retry.pause(failures - 1, error.retry_after if error else None))

    async def event_cursor(self, *, timeout: float | None = None) -> str:
        """The position after the newest change: events after it are all later changes.

        Args:
            timeout: seconds that the call may take with its repetitions; None: those of the client
        """
        return str((await self._send("query EventCursor { eventCursor }", {}, True, timeout or self._timeout))["eventCursor"])

    async def _subscribe(self, after: str | None, namespaces: list[str] | None) -> AsyncIterator[types.MemoryEvent]:
        """The events of one connection."""
        body = request_body(EVENTS.document, {"after": after, "namespaces": namespaces or self._filled["namespaces"]})
        headers = request_headers(self._address, self._key, EVENT_STREAM, len(body))
        head, stream = await self._transport.stream(self._address.path + "/graphql", headers, body, self._timeout, SILENCE)
        try:
            if head.status != 200 or head.media_type != EVENT_STREAM:
                raise refusal(head)
            parser = EventParser()
            async for line in stream.lines():
                event = parser.line(line)
                if event is None:
                    continue
                if event[0] == "complete":
                    return
                if event[0] == "next":
                    answer = json.loads(event[1])
                    if answer.get("errors"):
                        raise from_graphql(answer["errors"][0])
                    yield EVENTS.result(answer["data"])
        finally:
            await stream.aclose()

    async def _call(self, operation: Operation[T], variables: Mapping[str, Any], timeout: float | None) -> T:
        sent = dict(variables)
        for name in operation.filled:
            if sent.get(name) is None:
                sent[name] = self._filled[name]
        if operation.keyed and sent.get("idempotencyKey") is None:
            sent["idempotencyKey"] = uuid.uuid4().hex
        data = await self._send(operation.document, sent, operation.retry or operation.keyed, timeout or operation.seconds or self._timeout)
        try:
            return operation.result(data)
        except (KeyError, TypeError, ValueError) as err:
            raise SomnographError("PROTOCOL", f"the answer to {operation.name} is not what this version of the client expects: {err}") from None

    async def _send(self, document: str, variables: Mapping[str, Any], idempotent: bool, seconds: float) -> dict[str, Any]:
        """Sends a request, and repeats it while that is safe and there is time."""
        body = request_body(document, variables)
        headers = request_headers(self._address, self._key, JSON_ANSWER, len(body))
        deadline = self._transport.now() + seconds
        attempt = 0
        while True:
            left = deadline - self._transport.now()
            again = True
            try:
                response = await self._transport.post(self._address.path + "/graphql", headers, body, left, not idempotent)
                return read_answer(response)
            except Unsent as err:
                error = SomnographError("UNREACHABLE", f"no server answers at {self._address}: {err}")
            except Broken as err:
                error = SomnographError("UNREACHABLE", f"the connection to {self._address} was lost: {err}")
                again = idempotent
            except TimeoutError:
                raise SomnographError("TIMEOUT", f"the server at {self._address} did not answer within {seconds:g} s") from None
            except SomnographError as err:
                error = err
                again = repeatable(err, idempotent)
            pause = self._retry.pause(attempt, error.retry_after)
            attempt += 1
            if not again or attempt >= self._retry.attempts or self._transport.now() + pause >= deadline:
                raise error
            await self._transport.sleep(pause)


class AsyncSession:
    """A conversation. Used in a with statement, it is closed at the end."""

    def __init__(self, memory: AsyncMemory, id: str, user: str | None, namespace: str | None, consent: types.Consent | None, project: str | None) -> None:
        self._memory = memory
        self.id = id
        self._user = user
        self._namespace = namespace
        self._consent = consent
        self._project = project
        self.report: types.SessionReport | None = None
        """What became of the turns, after the session is closed."""

    async def __aenter__(self) -> AsyncSession:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            await self.aclose()
        except SomnographError:
            # The error of the body is the one to see. The server closes an idle session by itself.
            if error is None:
                raise

    async def observe(self, role: types.Role, text: str, *, occurred_at: datetime | str | None = None, idempotency_key: str | None = None) -> types.Observed:
        """Adds a turn. It returns when the turn is durable.

        Args:
            role: who speaks
            text: what is said
            occurred_at: when it was said; None: now
            idempotency_key: makes a repetition of the call safe; None: a new one
        """
        return await self._memory.observe(
            self.id,
            role,
            text,
            user=self._user,
            namespace=self._namespace,
            consent=self._consent,
            project=self._project,
            occurred_at=occurred_at,
            idempotency_key=idempotency_key,
        )

    async def add(
        self,
        messages: str | Message | Sequence[Message],
        *,
        occurred_at: datetime | str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Added:
        """Adds messages as turns.

        Args:
            messages: a text of the user, a message, or several
            occurred_at: when it was said, of messages that do not say it; None: now
            idempotency_key: makes a repetition of the call safe; None: a new one
            timeout: seconds that each request may take with its repetitions; None: those of the client
        """
        return await self._memory.add(
            messages,
            user=self._user,
            session=self.id,
            namespace=self._namespace,
            consent=self._consent,
            project=self._project,
            occurred_at=occurred_at,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    async def context(self, query: str | None = None, *, token_budget: int | None = None, format: types.ContextFormat | None = None) -> types.PromptContext:
        """Builds text for the next prompt of this conversation.

        Args:
            query: what the person asks; None: nothing in particular
            token_budget: most tokens; None: the default of the server
            format: Markdown, XML or JSON; None: Markdown
        """
        return await self._memory.context(
            query, session=self.id, user=self._user, namespaces=self._namespaces(), project=self._project, token_budget=token_budget, format=format
        )

    async def search(self, query: str, *, top_k: int | None = None) -> types.SearchResult:
        """Finds memories of the user of this conversation, from any session.

        Args:
            query: the question
            top_k: most hits; None: the default of the server
        """
        return await self._memory.search(query, user=self._user, namespaces=self._namespaces(), top_k=top_k, asked_in=self.id)

    async def aclose(self) -> types.SessionReport | None:
        """Closes the session and returns what became of its turns; None: it had none."""
        try:
            self.report = await self._memory.close_session(self.id, namespace=self._namespace)
        except SomnographError as err:
            if err.code != "MEMORY_NOT_FOUND":
                raise
        return self.report

    def _namespaces(self) -> list[str] | None:
        return None if self._namespace is None else [self._namespace]
