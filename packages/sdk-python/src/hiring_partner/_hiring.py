"""The clients with all endpoints, and the calls that combine several requests."""

from __future__ import annotations

import asyncio
import copy
import threading
from dataclasses import replace
from typing import Any, AsyncIterator, Callable, Iterator, Literal, Mapping, Sequence, TypeVar, Union

from ._client import AsyncDriver, SyncDriver, _Client
from ._errors import NotFoundError
from ._files import FileInput, file_of
from ._flow import FeedOptions, Flow, SaveEach, SyncOptions, call_json, end_of_feed, follow, sync, upload
from ._generated import (
    AsyncEvents,
    AsyncResources,
    AsyncUploads,
    Event,
    Events,
    EventType,
    ExportResource,
    ExportView,
    Resources,
    Upload,
    Uploads,
    build_event,
    build_object,
)
from ._models import Model
from ._policy import Position
from ._sync import Change, change_of
from ._wire import Operation
from .checkpoints import AsyncCheckpoint, Checkpoint

ClientT = TypeVar("ClientT", bound=_Client)
OnOutage = Callable[[Exception, float], None]
Types = Union[EventType, str, Sequence[Union[EventType, str]]]


def _derived(client: ClientT, workspace_id: str | None, changes: Mapping[str, Any]) -> ClientT:
    """A client with other settings that shares the connections."""
    other = copy.copy(client)
    context = client._context
    policy = replace(context.policy, **{name: value for name, value in changes.items() if value is not None})
    settings = replace(context.settings, workspace_id=workspace_id or context.settings.workspace_id)
    other._context = replace(context, settings=settings, policy=policy)
    other._owns_http = False
    return other


def _record_operation(client: _Client, event: Event, workspace_id: str | None) -> Operation | None:
    links = event["links"]
    path = links.get("record") if isinstance(links, Mapping) else None
    return Operation("GET", path, query={"workspace_id": workspace_id}) if isinstance(path, str) else None


class FeedEvents(Events):
    """The change feed of the workspace."""

    def end(self, *, workspace_id: str | None = None) -> Position:
        """The position after the newest event."""
        position: Position = self._client._run(end_of_feed(self._client._context, workspace_id))
        return position

    def tail(
        self,
        *,
        after: int | Literal["now"] | None = None,
        epoch: str | None = None,
        type: Types | None = None,
        exclude_origin: Literal["self"] | None = None,
        workspace_id: str | None = None,
        poll_seconds: float = 2.0,
        stop: threading.Event | None = None,
        on_outage: OnOutage | None = None,
    ) -> Iterator[Event]:
        """Events as they happen. Waits out outages; raises FeedGapError if events were lost.

        Nothing is stored: use ``follow`` to continue after a restart.
        """
        options = FeedOptions(after, epoch, type, exclude_origin, workspace_id, poll_seconds, "page", True, stop, on_outage)
        return map(build_event, self._client._iterate(follow(self._client._context, options)))

    def follow(
        self,
        checkpoint: Checkpoint,
        *,
        after: int | Literal["now"] | None = None,
        type: Types | None = None,
        exclude_origin: Literal["self"] | None = None,
        workspace_id: str | None = None,
        poll_seconds: float = 2.0,
        save_each: SaveEach = "page",
        wait: bool = True,
        stop: threading.Event | None = None,
        on_outage: OnOutage | None = None,
    ) -> Iterator[Event]:
        """Every event once or, after a crash, more than once; never less.

        It starts at the position that the checkpoint has; ``after`` is for the first start. An event counts as
        processed when the loop asks for the next one. The position is stored after each page, or after each event
        with ``save_each="event"``. At the end of the log it waits for more, or returns with ``wait=False``. ``stop``
        ends it after the current event. Raises FeedGapError if events after the position are no longer retained.
        """
        options = FeedOptions(
            after, None, type, exclude_origin, workspace_id, poll_seconds, save_each, wait, stop, on_outage
        )
        return map(build_event, self._client._iterate(follow(self._client._context, options, checkpoint)))

    def get_record(self, event: Event, *, workspace_id: str | None = None) -> Model | None:
        """The record that an event is about, as it is now; None if it no longer exists."""
        operation = _record_operation(self._client, event, workspace_id)
        if operation is None:
            return None
        try:
            return build_object(self._json(operation))
        except NotFoundError:
            return None


class AsyncFeedEvents(AsyncEvents):
    """The change feed of the workspace."""

    async def end(self, *, workspace_id: str | None = None) -> Position:
        """The position after the newest event."""
        position: Position = await self._client._run(end_of_feed(self._client._context, workspace_id))
        return position

    async def _events(self, flow: Flow[None]) -> AsyncIterator[Event]:
        async for event in self._client._iterate(flow):
            yield build_event(event)

    def tail(
        self,
        *,
        after: int | Literal["now"] | None = None,
        epoch: str | None = None,
        type: Types | None = None,
        exclude_origin: Literal["self"] | None = None,
        workspace_id: str | None = None,
        poll_seconds: float = 2.0,
        stop: asyncio.Event | None = None,
        on_outage: OnOutage | None = None,
    ) -> AsyncIterator[Event]:
        """Events as they happen. Waits out outages; raises FeedGapError if events were lost.

        Nothing is stored: use ``follow`` to continue after a restart.
        """
        options = FeedOptions(after, epoch, type, exclude_origin, workspace_id, poll_seconds, "page", True, stop, on_outage)
        return self._events(follow(self._client._context, options))

    def follow(
        self,
        checkpoint: Checkpoint | AsyncCheckpoint,
        *,
        after: int | Literal["now"] | None = None,
        type: Types | None = None,
        exclude_origin: Literal["self"] | None = None,
        workspace_id: str | None = None,
        poll_seconds: float = 2.0,
        save_each: SaveEach = "page",
        wait: bool = True,
        stop: asyncio.Event | None = None,
        on_outage: OnOutage | None = None,
    ) -> AsyncIterator[Event]:
        """Every event once or, after a crash, more than once; never less. See ``FeedEvents.follow``."""
        options = FeedOptions(
            after, None, type, exclude_origin, workspace_id, poll_seconds, save_each, wait, stop, on_outage
        )
        return self._events(follow(self._client._context, options, checkpoint))

    async def get_record(self, event: Event, *, workspace_id: str | None = None) -> Model | None:
        """The record that an event is about, as it is now; None if it no longer exists."""
        operation = _record_operation(self._client, event, workspace_id)
        if operation is None:
            return None
        try:
            return build_object(await self._json(operation))
        except NotFoundError:
            return None


class FileUploads(Uploads):
    def upload(
        self,
        file: FileInput,
        *,
        content_type: str | None = None,
        filename: str | None = None,
        workspace_id: str | None = None,
    ) -> Upload:
        """Reserves an upload and sends the file: a path, bytes or an open file. Attach it by its ``upload_id``."""
        found = file_of(file, content_type, filename)
        flow = upload(self._client._context, found.content, found.content_type, found.filename, workspace_id)
        return Upload(self._client._run(flow))


class AsyncFileUploads(AsyncUploads):
    async def upload(
        self,
        file: FileInput,
        *,
        content_type: str | None = None,
        filename: str | None = None,
        workspace_id: str | None = None,
    ) -> Upload:
        """Reserves an upload and sends the file: a path, bytes or an open file. Attach it by its ``upload_id``."""
        found = file_of(file, content_type, filename)
        flow = upload(self._client._context, found.content, found.content_type, found.filename, workspace_id)
        return Upload(await self._client._run(flow))


class HiringPartner(Resources, SyncDriver):
    """Client of the Hiring Partner API.

    ``api_key`` is an API key, an access token of the sign-in flow, or a function that returns one and is called for each
    attempt. ``timeout`` is for one attempt. A ``Retry-After`` of more than ``max_retry_after`` seconds is not waited
    for: the error is raised. Use it in a ``with`` block, or call ``close``. It can be used from several threads.
    """

    events: FeedEvents
    uploads: FileUploads

    def _open(self, client: Any) -> None:
        super()._open(client)
        self.events = FeedEvents(client)
        self.uploads = FileUploads(client)

    def __enter__(self) -> HiringPartner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def with_options(
        self,
        *,
        workspace_id: str | None = None,
        max_retries: int | None = None,
        max_retry_after: float | None = None,
    ) -> HiringPartner:
        """The same client with other settings. It shares the connections, so only the first one is closed."""
        other = _derived(self, workspace_id, {"max_retries": max_retries, "max_retry_after": max_retry_after})
        other._open(other)
        return other

    def for_workspace(self, workspace_id: str) -> HiringPartner:
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
        checkpoint: Checkpoint,
        resources: Sequence[ExportResource | str],
        *,
        view: ExportView | str | None = None,
        type: Types | None = None,
        exclude_origin: Literal["self"] | None = None,
        workspace_id: str | None = None,
        poll_seconds: float = 2.0,
        save_each: SaveEach = "page",
        wait: bool = True,
        stop: threading.Event | None = None,
        on_outage: OnOutage | None = None,
    ) -> Iterator[Change]:
        """A full copy of the resources, then every event after it: without a gap, also over restarts.

        Yields CopyStarted, a CopiedRow for each row, CopyFinished, then a Changed for each event. If the feed has a gap,
        or the service was restored from a backup, another copy follows. See ``events.follow`` for the other parameters.
        """
        feed = FeedOptions(None, None, type, exclude_origin, workspace_id, poll_seconds, save_each, wait, stop, on_outage)
        return map(change_of, self._iterate(sync(self._context, SyncOptions(resources, view, feed), checkpoint)))


class AsyncHiringPartner(AsyncResources, AsyncDriver):
    """Asynchronous client of the Hiring Partner API, for asyncio. The parameters are those of ``HiringPartner``."""

    events: AsyncFeedEvents
    uploads: AsyncFileUploads

    def _open(self, client: Any) -> None:
        super()._open(client)
        self.events = AsyncFeedEvents(client)
        self.uploads = AsyncFileUploads(client)

    async def __aenter__(self) -> AsyncHiringPartner:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def with_options(
        self,
        *,
        workspace_id: str | None = None,
        max_retries: int | None = None,
        max_retry_after: float | None = None,
    ) -> AsyncHiringPartner:
        """The same client with other settings. It shares the connections, so only the first one is closed."""
        other = _derived(self, workspace_id, {"max_retries": max_retries, "max_retry_after": max_retry_after})
        other._open(other)
        return other

    def for_workspace(self, workspace_id: str) -> AsyncHiringPartner:
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
        checkpoint: Checkpoint | AsyncCheckpoint,
        resources: Sequence[ExportResource | str],
        *,
        view: ExportView | str | None = None,
        type: Types | None = None,
        exclude_origin: Literal["self"] | None = None,
        workspace_id: str | None = None,
        poll_seconds: float = 2.0,
        save_each: SaveEach = "page",
        wait: bool = True,
        stop: asyncio.Event | None = None,
        on_outage: OnOutage | None = None,
    ) -> AsyncIterator[Change]:
        """A full copy of the resources, then every event after it. See ``HiringPartner.sync``."""
        feed = FeedOptions(None, None, type, exclude_origin, workspace_id, poll_seconds, save_each, wait, stop, on_outage)
        flow = sync(self._context, SyncOptions(resources, view, feed), checkpoint)
        async for step in self._iterate(flow):
            yield change_of(step)


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
