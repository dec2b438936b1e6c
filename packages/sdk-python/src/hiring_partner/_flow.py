"""What a client does, step by step, as generators that yield what they need: a request, a pause, a stored position.

The synchronous and the asynchronous client run the same flows and differ only in how they perform an effect, so every
rule is written once.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import count
from typing import Any, Callable, Generator, Literal, Mapping, Sequence, TypeVar, Union

from ._errors import ApiError, HiringError, UnexpectedResponseError, error_of
from ._policy import FeedPage, Position, RetryPolicy, require_continuous
from ._response import note_response
from ._wire import Operation, Request, Response, Settings, json_of, object_of, request_of

#: rows of each request of an iteration: the most that the service returns
ITERATION_LIMIT = 100


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
    """Does the work, then stores the position: in one transaction, where the checkpoint has them.

    Never the other way round: a process that is killed in between must find the old position.
    """

    checkpoint: Any
    position: Position
    #: functions of the caller, called in order with the transaction
    work: Sequence[Callable[[Any], Any]] = ()


@dataclass(frozen=True)
class Invoke:
    """The result of a function of the caller, which may be a coroutine in the asynchronous client."""

    function: Callable[[], Any]


@dataclass(frozen=True)
class Emit:
    """Gives a value to the caller of an iteration. The flow continues when the caller wants the next one."""

    value: Any


Effect = Union[Send, OpenStream, ReadChunk, CloseStream, Token, Sleep, Load, Save, Invoke, Emit]
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

    response = yield from with_retries(ctx, operation, attempt)
    note_response(response)
    return response


def require_success(response: Response) -> Response:
    if response.status >= 400:
        raise error_of(response.status, response.headers, json_of(response))
    if response.status >= 300:
        # without the query, which can contain an email address
        target = response.headers.get("location", "another URL").partition("?")[0]
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
    after: int | None = operation.query.get("after")
    epoch: str | None = None
    while True:
        body = yield from call_json(ctx, operation)
        if paging == "after" and "epoch" in body:
            page = FeedPage.of(body)
            require_continuous(after, epoch, page)
            after, epoch = page.next_after, page.epoch
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
