"""The clients with all endpoints, and the calls that combine several requests."""

from __future__ import annotations

import asyncio
import copy
import threading
from dataclasses import dataclass, replace
from typing import Any, AsyncIterator, Awaitable, Callable, Generic, Iterator, Literal, Mapping, Sequence, TypeVar, Union

from ._client import AsyncDriver, SyncDriver, _Client
from ._errors import FeedGapError
from ._feed import After, FeedQuery, FollowOptions, ReaderOptions, end_of_feed, follow, tail
from ._files import FileInput, file_of
from ._flow import call_json
from ._generated import (
    AsyncEvents,
    AsyncResources,
    AsyncUploads,
    Event,
    Events,
    FeedEventType,
    Resources,
    SyncResource,
    Upload,
    Uploads,
    build_event,
    build_object,
)
from ._models import Model
from ._policy import Position
from ._sync import SyncHandlers, SyncOptions, sync
from ._upload import send_file
from ._wire import Operation
from .checkpoints import AsyncCheckpoint, Checkpoint

ClientT = TypeVar("ClientT", bound=_Client)
Tx = TypeVar("Tx")
OnOutage = Callable[[Exception, float], None]
Types = Union[FeedEventType, str, Sequence[Union[FeedEventType, str]]]


@dataclass(frozen=True)
class Upsert(Generic[Tx]):
    resource: SyncResource
    #: Rows as the single read shows them. Insert them, or replace those with the same id.
    rows: list[Model]
    #: The full copy that the rows belong to. Store it with them if you use ``prune``.
    copy: str
    tx: Tx


@dataclass(frozen=True)
class Removal(Generic[Tx]):
    resource: SyncResource
    #: Records to delete. Of stage transitions: the ids of their applications.
    ids: list[str]
    tx: Tx


@dataclass(frozen=True)
class Prune(Generic[Tx]):
    resources: Sequence[SyncResource]
    #: The copy that is complete: rows with another one no longer exist.
    copy: str
    tx: Tx


def _events(raw: list[dict[str, Any]]) -> list[Event]:
    return [build_event(event) for event in raw]


def _handlers(upsert: Any, remove: Any, prune: Any, events: Any) -> SyncHandlers:
    """The caller's functions with typed rows and events. Those of the asynchronous client may be coroutines."""
    return SyncHandlers(
        upsert=lambda resource, rows, copy, tx: upsert(Upsert(resource, [build_object(row) for row in rows], copy, tx)),
        remove=lambda resource, ids, tx: remove(Removal(resource, ids, tx)),
        prune=prune and (lambda resources, copy, tx: prune(Prune(resources, copy, tx))),
        events=events and (lambda raw, tx: events(_events(raw), tx)),
    )


def _derived(client: ClientT, workspace_id: str | None, changes: Mapping[str, Any]) -> ClientT:
    """A client with other settings that shares the connections."""
    other = copy.copy(client)
    context = client._context
    policy = replace(context.policy, **{name: value for name, value in changes.items() if value is not None})
    settings = replace(context.settings, workspace_id=workspace_id or context.settings.workspace_id)
    other._context = replace(context, settings=settings, policy=policy)
    other._owns_http = False
    other._open(other)
    return other


class Feed(Events):
    """The change feed of the workspace."""

    def end(self, *, workspace_id: str | None = None) -> Position:
        """The position after the newest event."""
        position: Position = self._client._run(end_of_feed(self._client._context, workspace_id))
        return position

    def tail(
        self,
        *,
        after: After = None,
        epoch: str | None = None,
        type: Types | None = None,
        exclude_origin: Literal["self"] | None = None,
        workspace_id: str | None = None,
        poll_seconds: float = 2.0,
        once: bool = False,
        stop: threading.Event | None = None,
        on_outage: OnOutage | None = None,
    ) -> Iterator[Event]:
        """Events as they happen. Waits out outages; raises FeedGapError if events were lost.

        ``after`` is where to begin: a sequence, or ``"now"``; otherwise the oldest event that is retained. Nothing is
        stored: use ``follow`` to continue after a restart.
        """
        reader = ReaderOptions(workspace_id, poll_seconds, once, stop, on_outage)
        flow = tail(self._client._context, reader, FeedQuery(type, exclude_origin), after, epoch)
        return map(build_event, self._client._iterate(flow))

    def follow(
        self,
        *,
        checkpoint: Checkpoint[Tx],
        handle: Callable[[list[Event], Tx], None],
        start: After = None,
        batch_size: int = 100,
        on_gap: Callable[[FeedGapError], Position] | None = None,
        type: Types | None = None,
        exclude_origin: Literal["self"] | None = None,
        workspace_id: str | None = None,
        poll_seconds: float = 2.0,
        once: bool = False,
        stop: threading.Event | None = None,
        on_outage: OnOutage | None = None,
    ) -> None:
        """Hands events to ``handle`` in order and stores the position after each batch.

        A process that is killed at any moment continues without a loss. It starts at the position that the checkpoint
        has; ``start`` is for the first time: a sequence, or ``"now"``; otherwise the oldest event that is retained. After
        a crash the events of the last batch come again, so skip ids that you have processed, or write with the ``tx`` of a
        database. ``once`` returns at the end of the log; ``stop`` ends it after the current batch. If events were lost,
        ``on_gap`` makes a full copy and returns its position; without it FeedGapError is raised.
        """
        reader = ReaderOptions(workspace_id, poll_seconds, once, stop, on_outage)
        options = FollowOptions(checkpoint, lambda raw, tx: handle(_events(raw), tx), start, batch_size, on_gap)
        self._client._run(follow(self._client._context, reader, FeedQuery(type, exclude_origin), options))


class Files(Uploads):
    def send(
        self,
        file: FileInput,
        *,
        content_type: str | None = None,
        filename: str | None = None,
        workspace_id: str | None = None,
    ) -> Upload:
        """Uploads a résumé in one call: a path, bytes or an open file.

        Its ``upload_id`` is the ``resume_upload_id`` of an application.
        """
        flow = send_file(self._client._context, file_of(file, content_type, filename), workspace_id)
        return Upload(self._client._run(flow))


class HiringClient(Resources, SyncDriver):
    """Client of the Hiring Partner API.

    ``base_url`` is where the service runs. ``api_key`` is an API key, an access token of the sign-in flow, or a function
    that returns one and is called for each attempt. ``timeout`` is in seconds, for one attempt. A ``Retry-After`` of more
    than ``max_retry_after`` seconds is not waited for: the error is raised. Use it in a ``with`` block, or call ``close``.
    It can be used from several threads.
    """

    events: Feed
    uploads: Files

    def _open(self, client: Any) -> None:
        super()._open(client)
        self.events = Feed(client)
        self.uploads = Files(client)

    def __enter__(self) -> HiringClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def with_options(
        self,
        *,
        workspace_id: str | None = None,
        max_retries: int | None = None,
        max_retry_after: float | None = None,
    ) -> HiringClient:
        """The same client with other settings. It shares the connections, so only the first one is closed."""
        return _derived(self, workspace_id, {"max_retries": max_retries, "max_retry_after": max_retry_after})

    def for_workspace(self, workspace_id: str) -> HiringClient:
        """The same client for another workspace of the key."""
        return self.with_options(workspace_id=workspace_id)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Any call of the API, for endpoints that this version does not know. ``path`` may be one of ``links``."""
        operation = _any_operation(method, path, query, body, idempotency_key, timeout)
        return self._run(call_json(self._context, operation))

    def sync(
        self,
        *,
        resources: Sequence[SyncResource],
        checkpoint: Checkpoint[Tx],
        upsert: Callable[[Upsert[Tx]], None],
        remove: Callable[[Removal[Tx]], None],
        prune: Callable[[Prune[Tx]], None] | None = None,
        events: Callable[[list[Event], Tx], None] | None = None,
        workspace_id: str | None = None,
        poll_seconds: float = 2.0,
        once: bool = False,
        stop: threading.Event | None = None,
        on_outage: OnOutage | None = None,
    ) -> None:
        """Keeps a copy up to date: everything that exists, then every change.

        A process that is killed at any moment continues where it was. ``upsert`` and ``remove`` change your copy; ``prune``
        is called at the end of every full copy, also of one that replaces an earlier copy after a gap. ``events`` gets
        the events of a page, in the transaction of their changes. ``once`` returns when the copy is up to date.
        """
        reader = ReaderOptions(workspace_id, poll_seconds, once, stop, on_outage)
        handlers = _handlers(upsert, remove, prune, events)
        self._run(sync(self._context, SyncOptions(checkpoint, resources, reader, handlers)))


class AsyncFeed(AsyncEvents):
    """The change feed of the workspace."""

    async def end(self, *, workspace_id: str | None = None) -> Position:
        """The position after the newest event."""
        position: Position = await self._client._run(end_of_feed(self._client._context, workspace_id))
        return position

    async def tail(
        self,
        *,
        after: After = None,
        epoch: str | None = None,
        type: Types | None = None,
        exclude_origin: Literal["self"] | None = None,
        workspace_id: str | None = None,
        poll_seconds: float = 2.0,
        once: bool = False,
        stop: asyncio.Event | None = None,
        on_outage: OnOutage | None = None,
    ) -> AsyncIterator[Event]:
        """Events as they happen. Waits out outages; raises FeedGapError if events were lost.

        ``after`` is where to begin: a sequence, or ``"now"``; otherwise the oldest event that is retained. Nothing is
        stored: use ``follow`` to continue after a restart.
        """
        reader = ReaderOptions(workspace_id, poll_seconds, once, stop, on_outage)
        flow = tail(self._client._context, reader, FeedQuery(type, exclude_origin), after, epoch)
        async for event in self._client._iterate(flow):
            yield build_event(event)

    async def follow(
        self,
        *,
        checkpoint: Checkpoint[Tx] | AsyncCheckpoint[Tx],
        handle: Callable[[list[Event], Tx], Awaitable[None] | None],
        start: After = None,
        batch_size: int = 100,
        on_gap: Callable[[FeedGapError], Awaitable[Position] | Position] | None = None,
        type: Types | None = None,
        exclude_origin: Literal["self"] | None = None,
        workspace_id: str | None = None,
        poll_seconds: float = 2.0,
        once: bool = False,
        stop: asyncio.Event | None = None,
        on_outage: OnOutage | None = None,
    ) -> None:
        """Hands events to ``handle`` in order and stores the position after each batch.

        A process that is killed at any moment continues without a loss. It starts at the position that the checkpoint
        has; ``start`` is for the first time: a sequence, or ``"now"``; otherwise the oldest event that is retained. After
        a crash the events of the last batch come again, so skip ids that you have processed, or write with the ``tx`` of a
        database. ``once`` returns at the end of the log; ``stop`` ends it after the current batch. If events were lost,
        ``on_gap`` makes a full copy and returns its position; without it FeedGapError is raised.
        """
        reader = ReaderOptions(workspace_id, poll_seconds, once, stop, on_outage)
        options = FollowOptions(checkpoint, lambda raw, tx: handle(_events(raw), tx), start, batch_size, on_gap)
        await self._client._run(follow(self._client._context, reader, FeedQuery(type, exclude_origin), options))


class AsyncFiles(AsyncUploads):
    async def send(
        self,
        file: FileInput,
        *,
        content_type: str | None = None,
        filename: str | None = None,
        workspace_id: str | None = None,
    ) -> Upload:
        """Uploads a résumé in one call: a path, bytes or an open file.

        Its ``upload_id`` is the ``resume_upload_id`` of an application.
        """
        flow = send_file(self._client._context, file_of(file, content_type, filename), workspace_id)
        return Upload(await self._client._run(flow))


class AsyncHiringClient(AsyncResources, AsyncDriver):
    """Asynchronous client of the Hiring Partner API, for asyncio.

    ``base_url`` is where the service runs. ``api_key`` is an API key, an access token of the sign-in flow, or a function
    that returns one and is called for each attempt. ``timeout`` is in seconds, for one attempt. A ``Retry-After`` of more
    than ``max_retry_after`` seconds is not waited for: the error is raised. Use it in an ``async with`` block, or call ``close``.
    """

    events: AsyncFeed
    uploads: AsyncFiles

    def _open(self, client: Any) -> None:
        super()._open(client)
        self.events = AsyncFeed(client)
        self.uploads = AsyncFiles(client)

    async def __aenter__(self) -> AsyncHiringClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def with_options(
        self,
        *,
        workspace_id: str | None = None,
        max_retries: int | None = None,
        max_retry_after: float | None = None,
    ) -> AsyncHiringClient:
        """The same client with other settings. It shares the connections, so only the first one is closed."""
        return _derived(self, workspace_id, {"max_retries": max_retries, "max_retry_after": max_retry_after})

    def for_workspace(self, workspace_id: str) -> AsyncHiringClient:
        """The same client for another workspace of the key."""
        return self.with_options(workspace_id=workspace_id)

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Any call of the API, for endpoints that this version does not know. ``path`` may be one of ``links``."""
        operation = _any_operation(method, path, query, body, idempotency_key, timeout)
        return await self._run(call_json(self._context, operation))

    async def sync(
        self,
        *,
        resources: Sequence[SyncResource],
        checkpoint: Checkpoint[Tx] | AsyncCheckpoint[Tx],
        upsert: Callable[[Upsert[Tx]], Awaitable[None] | None],
        remove: Callable[[Removal[Tx]], Awaitable[None] | None],
        prune: Callable[[Prune[Tx]], Awaitable[None] | None] | None = None,
        events: Callable[[list[Event], Tx], Awaitable[None] | None] | None = None,
        workspace_id: str | None = None,
        poll_seconds: float = 2.0,
        once: bool = False,
        stop: asyncio.Event | None = None,
        on_outage: OnOutage | None = None,
    ) -> None:
        """Keeps a copy up to date: everything that exists, then every change.

        A process that is killed at any moment continues where it was. ``upsert`` and ``remove`` change your copy; ``prune``
        is called at the end of every full copy, also of one that replaces an earlier copy after a gap. ``events`` gets
        the events of a page, in the transaction of their changes. ``once`` returns when the copy is up to date.
        """
        reader = ReaderOptions(workspace_id, poll_seconds, once, stop, on_outage)
        handlers = _handlers(upsert, remove, prune, events)
        await self._run(sync(self._context, SyncOptions(checkpoint, resources, reader, handlers)))


def _any_operation(
    method: str,
    path: str,
    query: Mapping[str, Any] | None,
    body: Mapping[str, Any] | None,
    idempotency_key: str | None,
    timeout: float | None,
) -> Operation:
    write = method.upper() != "GET"
    return Operation(method.upper(), path, {}, query or {}, body, write, False, idempotency_key, timeout)
