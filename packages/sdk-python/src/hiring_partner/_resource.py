"""The base of the generated endpoints."""

from __future__ import annotations

from typing import Any, Callable, Dict, TypeVar

from ._flow import call_bytes, call_json
from ._pages import Page
from ._wire import Operation

T = TypeVar("T")


class Resource:
    def __init__(self, client: Any) -> None:
        self._client = client

    def _json(self, operation: Operation) -> Dict[str, Any]:
        body: Dict[str, Any] = self._client._run(call_json(self._client._context, operation))
        return body

    def _one(self, operation: Operation, build: Callable[[Any], T]) -> T:
        return build(self._json(operation))

    def _page(self, operation: Operation, build: Callable[[Any], T]) -> Page[T]:
        return Page(self._json(operation), build)

    def _bytes(self, operation: Operation) -> bytes:
        content: bytes = self._client._run(call_bytes(self._client._context, operation))
        return content


class AsyncResource:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def _json(self, operation: Operation) -> Dict[str, Any]:
        body: Dict[str, Any] = await self._client._run(call_json(self._client._context, operation))
        return body

    async def _one(self, operation: Operation, build: Callable[[Any], T]) -> T:
        return build(await self._json(operation))

    async def _page(self, operation: Operation, build: Callable[[Any], T]) -> Page[T]:
        return Page(await self._json(operation), build)

    async def _bytes(self, operation: Operation) -> bytes:
        content: bytes = await self._client._run(call_bytes(self._client._context, operation))
        return content
