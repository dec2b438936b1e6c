"""What a client does, step by step, as generators that yield what they need: a request, a pause, a stored position.

The synchronous and the asynchronous client run the same flows and differ only in how they perform an effect, so every
rule is written once.
"""

from __future__ import annotations

import json
import time
import zlib
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Callable, Generator, Iterator, Literal, Mapping, Sequence, TypeVar, Union

from ._errors import (
    ApiConnectionError,
    ApiError,
    CheckpointError,
    ExportFailedError,
    FeedGapError,
    HiringError,
    NotFoundError,
    UnexpectedResponseError,
    error_of,
)
from ._policy import FeedPage, Position, RetryPolicy, backoff, is_outage, outage_wait, require_continuous
from ._wire import Operation, Request, Response, Settings, json_of, object_of, request_of

#: rows of each request of an iteration: the most that the service returns
ITERATION_LIMIT = 100
#: more than any log has: the response then names the end of the log
BEYOND_END = 2**53 - 1
EXPORT_POLL_SECONDS = 1.0


@dataclass(frozen=True)
class Send:
    """Sends a request; the result is its Response. Raises ApiConnectionError."""

    request: Request


@dataclass(frozen=True)
class OpenStream:
    """Like Send, but the body is left to ReadChunk. The result is (Response, stream)."""

    request: Request


@dataclass(frozen=True)
class ReadChunk:
    """The next bytes of a stream, without decoding; empty at its end. Raises ApiConnectionError."""

    stream: Any


@dataclass(frozen=True)
class CloseStream:
    stream: Any


@dataclass(frozen=True)
class Token:
    """The API key or access token, which a function of the caller may supply."""


@dataclass(frozen=True)
class Sleep:
    seconds: float
    #: an event that ends the pause when it is set
    wake: Any = None


@dataclass(frozen=True)
class Load:
    """The stored position, or None."""

    checkpoint: Any


@dataclass(frozen=True)
class Save:
    checkpoint: Any
    position: Position


@dataclass(frozen=True)
class Emit:
    """Gives a value to the caller. The flow continues when the caller wants the next one: this one is processed then."""

    value: Any


Effect = Union[Send, OpenStream, ReadChunk, CloseStream, Token, Sleep, Load, Save, Emit]
T = TypeVar("T")
Flow = Generator[Effect, Any, T]


@dataclass(frozen=True)
class Attempt:
    """One attempt of a call, for logs and metrics. It has no query and no body, which may contain personal data."""

    method: str
    #: template of the path, such as ``/jobs/{job_handle}``
    path: str
    #: from 1
    attempt: int
    duration_seconds: float
    status: int | None
    request_id: str | None
    #: of the response, with lower-case names; the limits and the personal-data budget are there
    headers: Mapping[str, str]
    error: Exception | None
    #: seconds until the next attempt; None if this was the last one
    retry_in: float | None


@dataclass(frozen=True)
class Context:
    settings: Settings
    policy: RetryPolicy
    random: Callable[[], float]
    on_attempt: Callable[[Attempt], None] | None = None


def call(ctx: Context, operation: Operation) -> Flow[Response]:
    """One call, retried where that can help. All attempts of a write share one Idempotency-Key."""
    operation = operation.keyed()

    def attempt() -> Flow[Response]:
        api_key = yield Token()
        response: Response = yield Send(request_of(ctx.settings, operation, api_key))
        return require_success(response)

    return (yield from with_retries(ctx, operation, attempt))


def require_success(response: Response) -> Response:
    if response.status >= 400:
        raise error_of(response.status, response.headers, json_of(response))
    if response.status >= 300:
        target = response.headers.get("location", "another URL")
        raise UnexpectedResponseError(f"The service redirected to {target}: set base_url to it.", status=response.status)
    return response


def with_retries(ctx: Context, operation: Operation, attempt: Callable[[], Flow[Response]]) -> Flow[Response]:
    for number in count(1):
        started = time.monotonic()
        error: HiringError | None = None
        response: Response | None = None
        wait: float | None = None
        try:
            response = yield from attempt()
        except HiringError as caught:
            error = caught
            wait = ctx.policy.wait_before_retry(
                caught, attempt=number, repeatable=operation.repeatable, random=ctx.random
            )
        if ctx.on_attempt is not None:
            ctx.on_attempt(_report(operation, number, time.monotonic() - started, response, error, wait))
        if response is not None:
            return response
        if wait is None:
            assert error is not None
            raise error
        yield Sleep(wait)
    raise AssertionError("unreachable")


def _report(
    operation: Operation,
    number: int,
    seconds: float,
    response: Response | None,
    error: HiringError | None,
    wait: float | None,
) -> Attempt:
    source = response if response is not None else error if isinstance(error, ApiError) else None
    headers = source.headers if source is not None else {}
    return Attempt(
        method=operation.method,
        path=operation.path,
        attempt=number,
        duration_seconds=seconds,
        status=source.status if source is not None else None,
        request_id=headers.get("service-request-id"),
        headers=headers,
        error=error,
        retry_in=wait,
    )


def call_json(ctx: Context, operation: Operation) -> Flow[dict[str, Any]]:
    response = yield from call(ctx, operation)
    return object_of(response)


def call_bytes(ctx: Context, operation: Operation) -> Flow[bytes]:
    response = yield from call(ctx, operation)
    return response.content


Paging = Literal["cursor", "after"]


def pages(ctx: Context, operation: Operation, paging: Paging) -> Flow[None]:
    """Emits every page of a list, as JSON. The pages of a log never continue behind a gap or in another epoch."""
    if operation.query.get("limit") is None:
        operation = operation.with_query(limit=ITERATION_LIMIT)
    position = Position(after=operation.query.get("after"))
    while True:
        body = yield from call_json(ctx, operation)
        if paging == "after" and "epoch" in body:
            position = require_continuous(position, FeedPage.of(body))
        yield Emit(body)
        following = next_page(operation, body, paging)
        if following is None:
            return
        operation = following


def next_page(operation: Operation, body: Mapping[str, Any], paging: Paging) -> Operation | None:
    """The call of the page after ``body``; None after the last one."""
    if not body.get("has_more"):
        return None
    if paging == "after":
        return operation.with_query(after=body["next_after"])
    cursor = body.get("next_cursor")
    return operation.with_query(cursor=cursor) if cursor else None


SaveEach = Literal["page", "event"]


@dataclass(frozen=True)
class FeedOptions:
    """Which events are followed, and how."""

    after: int | Literal["now"] | None = None
    epoch: str | None = None
    type: Sequence[str] | str | None = None
    exclude_origin: str | None = None
    workspace_id: str | None = None
    poll_seconds: float = 2.0
    save_each: SaveEach = "page"
    #: whether to wait for further events at the end of the log
    wait: bool = True
    #: a threading.Event or asyncio.Event that ends the flow
    stop: Any = None
    on_outage: Callable[[Exception, float], None] | None = None

    def stopped(self) -> bool:
        return self.stop is not None and bool(self.stop.is_set())

    def pause(self, seconds: float) -> Sleep:
        return Sleep(seconds, self.stop)

    def operation(self, **query: Any) -> Operation:
        return Operation(
            "GET",
            "/events",
            query={
                "type": self.type,
                "exclude_origin": self.exclude_origin,
                "workspace_id": self.workspace_id,
                "limit": ITERATION_LIMIT,
                **query,
            },
        )


def end_of_feed(ctx: Context, workspace_id: str | None) -> Flow[Position]:
    query = {"after": BEYOND_END, "limit": 1, "workspace_id": workspace_id}
    page = FeedPage.of((yield from call_json(ctx, Operation("GET", "/events", query=query))))
    return Position(after=page.next_after, epoch=page.epoch)


def follow(ctx: Context, options: FeedOptions, checkpoint: Any = None) -> Flow[None]:
    """Emits events from the stored position on. A position is stored only after every event up to it was processed."""
    position: Position | None = None
    if checkpoint is not None:
        position = yield Load(checkpoint)
        if position is not None and position.after is None:
            raise CheckpointError("The checkpoint belongs to a sync whose copy is not finished.")
    if position is None:
        position = yield from _first_position(ctx, options)
        if position is None:
            return
        # events between now and the first stored page must not be lost with the process
        if checkpoint is not None and position.after is not None:
            yield Save(checkpoint, position)
    yield from _follow_from(ctx, options, checkpoint, position)


def _first_position(ctx: Context, options: FeedOptions) -> Flow[Position | None]:
    if options.after == "now":
        return (yield from through_outages(ctx, options, lambda: end_of_feed(ctx, options.workspace_id)))
    return Position(after=options.after, epoch=options.epoch)


def _follow_from(
    ctx: Context, options: FeedOptions, checkpoint: Any, position: Position, wrap: Callable[[Any], Any] = lambda event: event
) -> Flow[None]:
    while not options.stopped():
        body = yield from _feed_body(ctx, options, position)
        if body is None:
            return
        page = FeedPage.of(body)
        stored = position = require_continuous(position, page)
        for event in body["data"]:
            yield Emit(wrap(event))
            position = replace(position, after=int(event["sequence"]))
            if checkpoint is not None and options.save_each == "event":
                yield Save(checkpoint, position)
                stored = position
            if options.stopped():
                break
        else:
            # moves behind events that the key cannot read, too
            position = replace(position, after=page.next_after)
        if checkpoint is not None and position != stored:
            yield Save(checkpoint, position)
        if page.has_more or options.stopped():
            continue
        if not options.wait:
            return
        yield options.pause(options.poll_seconds * (0.75 + ctx.random() / 2))


def _feed_body(ctx: Context, options: FeedOptions, position: Position) -> Flow[dict[str, Any] | None]:
    operation = options.operation(after=position.after)
    if not options.wait:
        return (yield from call_json(ctx, operation))
    return (yield from through_outages(ctx, options, lambda: call_json(ctx, operation)))


def through_outages(ctx: Context, options: FeedOptions, attempt: Callable[[], Flow[T]]) -> Flow[T | None]:
    """Repeats a call while the service is unavailable; None if the caller stopped it."""
    for outages in count(1):
        try:
            return (yield from attempt())
        except HiringError as error:
            if not is_outage(error):
                raise
            wait = outage_wait(outages, ctx.random)
            if options.on_outage is not None:
                options.on_outage(error, wait)
        yield options.pause(wait)
        if options.stopped():
            return None
    raise AssertionError("unreachable")


# --- export and feed as one ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SyncOptions:
    resources: Sequence[str]
    view: str | None
    feed: FeedOptions


@dataclass(frozen=True)
class CopyBegan:
    export_id: str
    resources: tuple[str, ...]


@dataclass(frozen=True)
class CopyRow:
    resource: str
    row: dict[str, Any]
    #: with the fields of a single read
    full: bool


@dataclass(frozen=True)
class CopyDone:
    as_of_sequence: int


@dataclass(frozen=True)
class FeedChange:
    event: dict[str, Any]


def sync(ctx: Context, options: SyncOptions, checkpoint: Any) -> Flow[None]:
    """Emits the rows of an export, then the events after it. A gap of the feed starts a new copy."""
    position: Position | None = yield Load(checkpoint)
    while not options.feed.stopped():
        if position is None or position.after is None:
            position = yield from _copy(ctx, options, checkpoint, position)
            if position is None:
                return
        try:
            yield from _follow_from(ctx, options.feed, checkpoint, position, FeedChange)
            return
        except FeedGapError:
            position = None


def _copy(ctx: Context, options: SyncOptions, checkpoint: Any, unfinished: Position | None) -> Flow[Position | None]:
    feed = options.feed

    def run(flow: Callable[[], Flow[Any]]) -> Flow[Any]:
        return (yield from (through_outages(ctx, feed, flow) if feed.wait else flow()))

    export: dict[str, Any] | None = None
    if unfinished is not None and unfinished.export_id is not None:
        stored = unfinished.export_id
        export = yield from run(lambda: _usable_export(ctx, feed, stored))
    if export is None:
        # The epoch is that of a moment before the copy: if the service is restored during it, the feed shows another
        # epoch than the stored one, and the copy is repeated.
        end: Position | None = yield from run(lambda: end_of_feed(ctx, feed.workspace_id))
        if end is None:
            return None
        created = Operation(
            "POST",
            "/exports",
            query={"workspace_id": feed.workspace_id},
            body={"resources": list(options.resources), **({"view": options.view} if options.view else {})},
            write=True,
        ).keyed()
        export = yield from run(lambda: call_json(ctx, created))
        if export is None:
            return None
        unfinished = Position(epoch=end.epoch, export_id=str(export["id"]))
        yield Save(checkpoint, unfinished)
    assert unfinished is not None
    export_id = str(export["id"])
    while export["status"] not in ("ready", "failed", "expired"):
        yield feed.pause(EXPORT_POLL_SECONDS)
        export = yield from run(lambda: _get_export(ctx, feed, export_id))
        if export is None or feed.stopped():
            return None
    if export["status"] != "ready":
        raise ExportFailedError(export_id, str(export["status"]))
    as_of = int(export["as_of_sequence"])
    resources = [str(file["resource"]) for file in export["files"]]
    yield Emit(CopyBegan(export_id, tuple(resources)))
    for resource in resources:
        complete = yield from _rows(ctx, feed, export_id, resource, options.view == "full")
        if not complete:
            return None
    yield Emit(CopyDone(as_of))
    position = Position(after=as_of, epoch=unfinished.epoch)
    yield Save(checkpoint, position)
    return position


def _get_export(ctx: Context, feed: FeedOptions, export_id: str) -> Flow[dict[str, Any]]:
    operation = Operation(
        "GET", "/exports/{export_id}", {"export_id": export_id}, query={"workspace_id": feed.workspace_id}
    )
    return (yield from call_json(ctx, operation))


def _usable_export(ctx: Context, feed: FeedOptions, export_id: str) -> Flow[dict[str, Any] | None]:
    """The export of an interrupted copy, unless it has expired: a new one after each crash would reach their limit."""
    try:
        export = yield from _get_export(ctx, feed, export_id)
    except NotFoundError:
        return None
    return export if export["status"] in ("pending", "running", "ready") else None


def _rows(ctx: Context, feed: FeedOptions, export_id: str, resource: str, full: bool) -> Flow[bool]:
    """Emits the rows of one file. After a lost connection it continues behind the last row, from a new URL."""
    emitted = 0
    failures = 0
    while not feed.stopped():
        before = emitted
        stream: Any = None
        try:
            export = yield from _get_export(ctx, feed, export_id)
            url = next(file["url"] for file in export["files"] if file["resource"] == resource)
            seen = 0
            response, stream = yield OpenStream(Request("GET", url, {"accept-encoding": "identity"}))
            require_success(response)
            lines = GzipLines()
            while True:
                chunk: bytes = yield ReadChunk(stream)
                for line in lines.feed(chunk):
                    seen += 1
                    if seen > emitted:
                        yield Emit(CopyRow(resource, json.loads(line), full))
                        emitted = seen
                if not chunk:
                    break
            yield CloseStream(stream)
            return True
        except HiringError as error:
            if stream is not None:
                yield CloseStream(stream)
            failures = failures + 1 if emitted == before else 1
            if not is_outage(error) or (not feed.wait and failures > ctx.policy.max_retries):
                raise
            wait = backoff(failures, ctx.random) if not feed.wait else outage_wait(failures, ctx.random)
            if feed.on_outage is not None:
                feed.on_outage(error, wait)
        yield feed.pause(wait)
    return False


class GzipLines:
    """Lines of a gzip file that arrives in chunks. An empty chunk is its end."""

    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(wbits=31)
        self._rest = b""

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        if not chunk:
            if not self._inflate.eof or self._rest:
                raise ApiConnectionError("The file ended before its last row.")
            return
        try:
            text = self._inflate.decompress(chunk)
            while self._inflate.eof and self._inflate.unused_data:  # a gzip file may have several members
                following = zlib.decompressobj(wbits=31)
                text += following.decompress(self._inflate.unused_data)
                self._inflate = following
        except zlib.error as error:
            raise ApiConnectionError("The file is damaged.") from error
        *lines, self._rest = (self._rest + text).split(b"\n")
        yield from (line for line in lines if line)


# --- uploads ------------------------------------------------------------------------------------------------------------


def upload(
    ctx: Context, content: bytes, content_type: str, filename: str | None, workspace_id: str | None
) -> Flow[dict[str, Any]]:
    """Reserves an upload and sends the file. The result is the reservation."""
    body = {"content_type": content_type, "size_bytes": len(content), **({"filename": filename} if filename else {})}
    reserve = Operation("POST", "/uploads", query={"workspace_id": workspace_id}, body=body, write=True)
    reserved = yield from call_json(ctx, reserve)
    target = reserved["upload"]
    # the URL is signed: no API key goes to the file store
    request = Request(str(target["method"]), str(target["url"]), dict(target["headers"]), content)
    attempts = 0

    def attempt() -> Flow[Response]:
        nonlocal attempts
        attempts += 1
        response: Response = yield Send(request)
        # a repeat is refused if the first attempt stored the file and only its response was lost
        if attempts > 1 and response.status in (409, 412):
            return replace(response, status=200)
        return require_success(response)

    yield from with_retries(ctx, Operation("PUT", "upload.url"), attempt)
    return reserved
