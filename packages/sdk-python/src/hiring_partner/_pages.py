"""Lists that are read page by page."""

from __future__ import annotations

from typing import Any, AsyncIterator, Callable, Generic, Iterator, Mapping, TypeVar

from ._flow import Flow, Paging, call_json, pages
from ._wire import Operation

T = TypeVar("T")


class Page(Generic[T]):
    """One page as the service returned it."""

    def __init__(self, body: Mapping[str, Any], build: Callable[[Any], T]) -> None:
        self._body = body
        #: the rows
        self.data: list[T] = [build(row) for row in body.get("data") or ()]
        self.has_more: bool = bool(body.get("has_more"))
        self.next_cursor: str | None = body.get("next_cursor")
        #: Pages of a log only: the sequence to continue after.
        self.next_after: int | None = body.get("next_after")
        #: Pages of the feed only: events between ``after`` and this page are missing.
        self.gap: bool | None = body.get("gap")
        #: Pages of the feed only: the id of the log, which changes when the service is restored from a backup.
        self.epoch: str | None = body.get("epoch")

    def __iter__(self) -> Iterator[T]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, field: str) -> Any:
        """A field of the envelope by its JSON name."""
        return self._body[field]

    def __repr__(self) -> str:
        return f"<Page of {len(self.data)}, has_more={self.has_more}>"


class _Listing(Generic[T]):
    def __init__(self, client: Any, operation: Operation, build: Callable[[Any], T], paging: Paging) -> None:
        self._client, self._operation, self._build, self._paging = client, operation, build, paging

    def _flow(self) -> Flow[None]:
        return pages(self._client._context, self._operation, self._paging)

    def _page(self, body: Any) -> Page[T]:
        return Page(body, self._build)


class Pager(_Listing[T]):
    """All rows of a list: iterate over it. Nothing is requested before, and pages are requested as they are needed."""

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.data

    def pages(self) -> Iterator[Page[T]]:
        for body in self._client._iterate(self._flow()):
            yield self._page(body)

    def first_page(self) -> Page[T]:
        """One page of ``limit`` rows, 25 if not given. ``cursor`` continues behind an earlier page."""
        return self._page(self._client._run(call_json(self._client._context, self._operation)))

    def to_list(self, limit: int | None = None) -> list[T]:
        """All rows, or the first ``limit`` of them."""
        rows: list[T] = []
        for page in self.pages():
            rows += page.data
            if limit is not None and len(rows) >= limit:
                break
        return rows[:limit]


class AsyncPager(_Listing[T]):
    """All rows of a list: iterate over it with ``async for``."""

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for row in page.data:
                yield row

    async def pages(self) -> AsyncIterator[Page[T]]:
        async for body in self._client._iterate(self._flow()):
            yield self._page(body)

    async def first_page(self) -> Page[T]:
        """One page of ``limit`` rows, 25 if not given. ``cursor`` continues behind an earlier page."""
        return self._page(await self._client._run(call_json(self._client._context, self._operation)))

    async def to_list(self, limit: int | None = None) -> list[T]:
        """All rows, or the first ``limit`` of them."""
        rows: list[T] = []
        async for page in self.pages():
            rows += page.data
            if limit is not None and len(rows) >= limit:
                break
        return rows[:limit]
