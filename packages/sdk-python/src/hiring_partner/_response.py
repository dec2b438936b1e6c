"""The response of a call, for callers who need more than its body."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Generic, Iterator, List, Mapping, TypeVar

from ._errors import HiringError
from ._wire import Response

T = TypeVar("T")


@dataclass(frozen=True)
class ApiResponse(Generic[T]):
    """The result of a call with what the headers of the response say."""

    data: T
    status: int
    #: with lower-case names, such as ``ratelimit-remaining``
    headers: Mapping[str, str]
    request_id: str | None
    #: whether the response repeats that of an earlier call with the same Idempotency-Key
    replayed: bool


#: where the responses of the current thread or task are noted; calls that no one watches note nothing
_responses: ContextVar[List[Response] | None] = ContextVar("hiring_partner_responses", default=None)


@contextmanager
def watch_responses() -> Iterator[List[Response]]:
    responses: List[Response] = []
    before = _responses.set(responses)
    try:
        yield responses
    finally:
        _responses.reset(before)


def note_response(response: Response) -> None:
    watched = _responses.get()
    if watched is not None:
        watched.append(response)


def response_of(data: T, responses: List[Response]) -> ApiResponse[T]:
    if not responses:
        raise HiringError("The function made no call. For a list, use `client.jobs.list().first_page`.")
    last = responses[-1]
    return ApiResponse(
        data=data,
        status=last.status,
        headers=last.headers,
        request_id=last.headers.get("service-request-id"),
        replayed=last.headers.get("idempotent-replayed") == "true",
    )
