"""The two clients. Both run the same flows; here is only how each of them performs an effect."""

from __future__ import annotations

import asyncio
import inspect
import logging
import random
import time
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, AsyncIterator, Awaitable, Callable, Iterator, Mapping, NoReturn, ParamSpec, TypeVar, Union

import httpx

from ._errors import ApiConnectionError, ApiTimeoutError
from ._flow import (
    Attempt,
    CloseStream,
    Context,
    Effect,
    Emit,
    Flow,
    Invoke,
    Load,
    OpenStream,
    ReadChunk,
    Save,
    Send,
    Sleep,
    Token,
)
from ._policy import Position, RetryPolicy
from ._response import ApiResponse, response_of, watch_responses
from ._wire import Request, Response, Settings, api_key_of, base_url_of

P = ParamSpec("P")
T = TypeVar("T")
DEFAULT_TIMEOUT_SECONDS = 30.0

ApiKey = Union[str, Callable[[], str]]
AsyncApiKey = Union[str, Callable[[], Union[str, Awaitable[str]]]]


_is_own_request: ContextVar[bool] = ContextVar("hiring_partner_request", default=False)


class _HideQueries(logging.Filter):
    """httpx logs the URL of each request. Queries of this API can contain an email address, those of files a signature."""

    def filter(self, record: logging.LogRecord) -> bool:
        if _is_own_request.get() and isinstance(record.args, tuple):
            record.args = tuple(
                value.copy_with(query=None) if isinstance(value, httpx.URL) else value for value in record.args
            )
        return True


logging.getLogger("httpx").addFilter(_HideQueries())


@contextmanager
def _own_request() -> Iterator[None]:
    before = _is_own_request.set(True)
    try:
        yield
    finally:
        _is_own_request.reset(before)


class _Client:
    """Settings that both clients share."""

    _context: Context
    _api_key: Any
    _timeout: float
    _owns_http: bool

    def _open(self, client: Any) -> None:
        """Makes the endpoints of ``client``."""

    def _configure(
        self,
        *,
        base_url: str,
        api_key: Any,
        workspace_id: str | None,
        timeout: float,
        max_retries: int,
        max_retry_after: float,
        headers: Mapping[str, str] | None,
        on_attempt: Callable[[Attempt], None] | None,
        random: Callable[[], float],
    ) -> None:
        if isinstance(api_key, str):
            api_key_of(api_key)
        self._api_key = api_key
        self._timeout = timeout
        self._context = Context(
            settings=Settings(base_url_of(base_url), workspace_id, dict(headers or {})),
            policy=RetryPolicy(max_retries, max_retry_after),
            random=random,
            on_attempt=on_attempt,
        )

    @property
    def base_url(self) -> str:
        """The URL of the API, with its prefix and without a slash at its end."""
        return self._context.settings.base_url

    @property
    def workspace_id(self) -> str | None:
        return self._context.settings.workspace_id

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.base_url}>"

    def _httpx_request(self, http: httpx.Client | httpx.AsyncClient, request: Request) -> httpx.Request:
        return http.build_request(
            request.method,
            request.url,
            headers=dict(request.headers),
            content=request.content,
            timeout=self._timeout if request.timeout is None else request.timeout,
        )

    def _deadline(self, request: Request) -> float:
        return time.monotonic() + (self._timeout if request.timeout is None else request.timeout)


def _head(response: httpx.Response, content: bytes = b"") -> Response:
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Response(response.status_code, headers, content)


def _check(deadline: float) -> None:
    if time.monotonic() > deadline:
        raise ApiTimeoutError("No complete response arrived in time.")


def _fail(error: httpx.HTTPError | httpx.InvalidURL | httpx.StreamError) -> NoReturn:
    """Raises what the flows know. Errors that a retry cannot cure are left as they are."""
    if isinstance(error, httpx.TimeoutException):
        raise ApiTimeoutError("No complete response arrived in time.") from error
    permanent = (httpx.UnsupportedProtocol, httpx.LocalProtocolError, httpx.InvalidURL)
    if isinstance(error, (httpx.TransportError, httpx.DecodingError, httpx.StreamError)) and not isinstance(
        error, permanent
    ):
        raise ApiConnectionError(f"The request failed without a response: {error or type(error).__name__}") from error
    raise error


_HTTPX_ERRORS = (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError)


def _position(text: str | None) -> Position | None:
    return None if text is None else Position.from_json(text)


class SyncDriver(_Client):
    """Runs flows with ``httpx.Client`` and ``time.sleep``."""

    def __init__(
        self,
        *,
        base_url: str,
        api_key: ApiKey,
        workspace_id: str | None = None,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        max_retries: int = 3,
        max_retry_after: float = 60.0,
        headers: Mapping[str, str] | None = None,
        on_attempt: Callable[[Attempt], None] | None = None,
        http_client: httpx.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
        random: Callable[[], float] = random.random,
    ) -> None:
        self._configure(
            base_url=base_url,
            api_key=api_key,
            workspace_id=workspace_id,
            timeout=timeout,
            max_retries=max_retries,
            max_retry_after=max_retry_after,
            headers=headers,
            on_attempt=on_attempt,
            random=random,
        )
        self._owns_http = http_client is None
        self._http = http_client if http_client is not None else httpx.Client()
        self._sleep = sleep
        self._open(self)

    def close(self) -> None:
        """Closes the connections, unless ``http_client`` was given."""
        if self._owns_http:
            self._http.close()

    def with_response(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> ApiResponse[T]:
        """Makes a call and returns its result with status, headers and request id: ``with_response(client.jobs.get, id)``."""
        with watch_responses() as responses:
            return response_of(call(*args, **kwargs), responses)

    def _run(self, flow: Flow[T]) -> T:
        result: Any = None
        failure: Exception | None = None
        streams: list[Any] = []
        try:
            while True:
                try:
                    effect = flow.send(result) if failure is None else flow.throw(failure)
                except StopIteration as end:
                    value: T = end.value
                    return value
                result = failure = None
                try:
                    result = self._perform(effect)
                except Exception as error:
                    failure = error
                if isinstance(effect, OpenStream) and failure is None:
                    streams.append(result[1])
        finally:
            for stream in streams:
                stream[0].close()

    def _iterate(self, flow: Flow[None]) -> Iterator[Any]:
        result: Any = None
        failure: Exception | None = None
        try:
            while True:
                try:
                    effect = flow.send(result) if failure is None else flow.throw(failure)
                except StopIteration:
                    return
                result = failure = None
                if isinstance(effect, Emit):
                    yield effect.value
                    continue
                try:
                    result = self._perform(effect)
                except Exception as error:
                    failure = error
        finally:
            flow.close()

    def _perform(self, effect: Effect) -> Any:
        try:
            if isinstance(effect, Send):
                return self._send(effect.request)
            if isinstance(effect, OpenStream):
                response = self._open_response(effect.request)
                return _head(response), (response, response.iter_raw())
            if isinstance(effect, ReadChunk):
                return next((chunk for chunk in effect.stream[1] if chunk), b"")
        except _HTTPX_ERRORS as error:
            _fail(error)
        if isinstance(effect, CloseStream):
            return effect.stream[0].close()
        if isinstance(effect, Token):
            return self._api_key() if callable(self._api_key) else self._api_key
        if isinstance(effect, Sleep):
            return self._sleep(effect.seconds) if effect.wake is None else effect.wake.wait(effect.seconds)
        if isinstance(effect, Load):
            return _position(effect.checkpoint.load())
        if isinstance(effect, Save):
            return self._save(effect)
        if isinstance(effect, Invoke):
            return _require_done(effect.function())
        raise AssertionError(f"{type(effect).__name__} is for iterations")

    def _open_response(self, request: Request) -> httpx.Response:
        with _own_request():
            return self._http.send(self._httpx_request(self._http, request), stream=True, follow_redirects=False)

    def _save(self, effect: Save) -> None:
        checkpoint = effect.checkpoint
        transaction = checkpoint.begin()
        try:
            for work in effect.work:
                _require_done(work(transaction))
            checkpoint.commit(effect.position.to_json())
        except BaseException:
            # the failure itself is raised, not that of a connection that it may have closed
            with suppress(Exception):
                checkpoint.rollback()
            raise

    def _send(self, request: Request) -> Response:
        deadline = self._deadline(request)
        response = self._open_response(request)
        try:
            content = bytearray()
            for chunk in response.iter_bytes():
                content += chunk
                _check(deadline)
            return _head(response, bytes(content))
        finally:
            response.close()


class AsyncDriver(_Client):
    """Runs flows with ``httpx.AsyncClient`` and ``asyncio.sleep``."""

    def __init__(
        self,
        *,
        base_url: str,
        api_key: AsyncApiKey,
        workspace_id: str | None = None,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        max_retries: int = 3,
        max_retry_after: float = 60.0,
        headers: Mapping[str, str] | None = None,
        on_attempt: Callable[[Attempt], None] | None = None,
        http_client: httpx.AsyncClient | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        random: Callable[[], float] = random.random,
    ) -> None:
        self._configure(
            base_url=base_url,
            api_key=api_key,
            workspace_id=workspace_id,
            timeout=timeout,
            max_retries=max_retries,
            max_retry_after=max_retry_after,
            headers=headers,
            on_attempt=on_attempt,
            random=random,
        )
        self._owns_http = http_client is None
        self._http = http_client if http_client is not None else httpx.AsyncClient()
        self._sleep = sleep
        self._open(self)

    async def close(self) -> None:
        """Closes the connections, unless ``http_client`` was given."""
        if self._owns_http:
            await self._http.aclose()

    async def with_response(
        self, call: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> ApiResponse[T]:
        """Makes a call and returns its result with status, headers and request id: ``with_response(client.jobs.get, id)``."""
        with watch_responses() as responses:
            return response_of(await call(*args, **kwargs), responses)

    async def _run(self, flow: Flow[T]) -> T:
        result: Any = None
        failure: Exception | None = None
        streams: list[Any] = []
        try:
            while True:
                try:
                    effect = flow.send(result) if failure is None else flow.throw(failure)
                except StopIteration as end:
                    value: T = end.value
                    return value
                result = failure = None
                try:
                    result = await self._perform(effect)
                except Exception as error:
                    failure = error
                if isinstance(effect, OpenStream) and failure is None:
                    streams.append(result[1])
        finally:
            for stream in streams:
                await stream[0].aclose()

    async def _iterate(self, flow: Flow[None]) -> AsyncIterator[Any]:
        result: Any = None
        failure: Exception | None = None
        try:
            while True:
                try:
                    effect = flow.send(result) if failure is None else flow.throw(failure)
                except StopIteration:
                    return
                result = failure = None
                if isinstance(effect, Emit):
                    yield effect.value
                    continue
                try:
                    result = await self._perform(effect)
                except Exception as error:
                    failure = error
        finally:
            flow.close()

    async def _perform(self, effect: Effect) -> Any:
        try:
            if isinstance(effect, Send):
                return await self._send(effect.request)
            if isinstance(effect, OpenStream):
                response = await self._open_response(effect.request)
                return _head(response), (response, response.aiter_raw())
            if isinstance(effect, ReadChunk):
                async for chunk in effect.stream[1]:
                    if chunk:
                        return chunk
                return b""
        except _HTTPX_ERRORS as error:
            _fail(error)
        if isinstance(effect, CloseStream):
            return await effect.stream[0].aclose()
        if isinstance(effect, Token):
            return await _settled(self._api_key() if callable(self._api_key) else self._api_key)
        if isinstance(effect, Sleep):
            if effect.wake is None:
                return await self._sleep(effect.seconds)
            try:
                return await asyncio.wait_for(effect.wake.wait(), effect.seconds)
            except asyncio.TimeoutError:
                return None
        if isinstance(effect, Load):
            return _position(await _settled(effect.checkpoint.load()))
        if isinstance(effect, Save):
            return await self._save(effect)
        if isinstance(effect, Invoke):
            return await _settled(effect.function())
        raise AssertionError(f"{type(effect).__name__} is for iterations")

    async def _open_response(self, request: Request) -> httpx.Response:
        with _own_request():
            return await self._http.send(self._httpx_request(self._http, request), stream=True, follow_redirects=False)

    async def _save(self, effect: Save) -> None:
        checkpoint = effect.checkpoint
        transaction = await _settled(checkpoint.begin())
        try:
            for work in effect.work:
                await _settled(work(transaction))
            await _settled(checkpoint.commit(effect.position.to_json()))
        except BaseException:
            # the failure itself is raised, not that of a connection that it may have closed
            with suppress(Exception):
                await _settled(checkpoint.rollback())
            raise

    async def _send(self, request: Request) -> Response:
        deadline = self._deadline(request)
        response = await self._open_response(request)
        try:
            content = bytearray()
            async for chunk in response.aiter_bytes():
                content += chunk
                _check(deadline)
            return _head(response, bytes(content))
        finally:
            await response.aclose()


def _require_done(value: Any) -> Any:
    """Refuses a coroutine, which would never run: its events would count as processed."""
    if inspect.iscoroutine(value):
        value.close()
        raise TypeError("HiringClient calls plain functions; use AsyncHiringClient for coroutine functions")
    return value


async def _settled(value: Any) -> Any:
    """The value itself, or what it resolves to: functions and checkpoints of the caller may be synchronous."""
    return await value if inspect.isawaitable(value) else value
