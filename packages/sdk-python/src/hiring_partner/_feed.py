"""Flows that read the change feed."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Any, Callable, Literal, Sequence, TypeVar, Union

from ._errors import FeedGapError, HiringError
from ._flow import ITERATION_LIMIT, Context, Emit, Flow, Invoke, Load, Save, Sleep, call_json
from ._policy import FeedPage, Position, is_outage, outage_wait, require_continuous
from ._wire import Operation

T = TypeVar("T")
#: more than any log has: the response then names the end of the log
BEYOND_END = 2**53 - 1
After = Union[int, Literal["now"], None]


@dataclass(frozen=True)
class ReaderOptions:
    """How a reader that may run for weeks behaves."""

    workspace_id: str | None = None
    poll_seconds: float = 2.0
    #: whether to return at the end of the log instead of waiting for more
    once: bool = False
    #: a threading.Event or asyncio.Event that ends the reader
    stop: Any = None
    on_outage: Callable[[Exception, float], None] | None = None

    def stopped(self) -> bool:
        return self.stop is not None and bool(self.stop.is_set())

    def pause(self, seconds: float) -> Sleep:
        return Sleep(seconds, self.stop)


@dataclass(frozen=True)
class FeedQuery:
    """Which events are read."""

    type: Sequence[str] | str | None = None
    exclude_origin: str | None = None


class Stopped(Exception):
    """The caller ended the reader while it waited."""


def through_outages(ctx: Context, reader: ReaderOptions, call: Callable[[], Flow[T]]) -> Flow[T]:
    """Repeats a call for as long as an outage lasts. Other errors are raised, and Stopped."""
    for outages in count(1):
        try:
            return (yield from call())
        except HiringError as error:
            if not is_outage(error):
                raise
            wait = outage_wait(error, outages, ctx.random)
            if reader.on_outage is not None:
                reader.on_outage(error, wait)
        yield reader.pause(wait)
        if reader.stopped():
            raise Stopped
    raise AssertionError("unreachable")


def end_of_feed(ctx: Context, workspace_id: str | None) -> Flow[Position]:
    """The end of the log: what happens from now on has a higher sequence."""
    query = {"after": BEYOND_END, "limit": 1, "workspace_id": workspace_id}
    page = FeedPage.of((yield from call_json(ctx, Operation("GET", "/events", query=query))))
    return Position(page.next_after, page.epoch)


class FeedReader:
    """Reads page after page of the log. Never continues behind a gap or in another epoch."""

    def __init__(self, ctx: Context, reader: ReaderOptions, query: FeedQuery, after: int | None, epoch: str | None) -> None:
        self._ctx, self._reader, self._query = ctx, reader, query
        self._after, self._epoch = after, epoch
        self._at_end = False

    def next(self) -> Flow[tuple[list[dict[str, Any]], Position] | None]:
        """The events of the next page, and the position behind them. Pages may be empty, because the position moves.

        None at the end: of the log, if the reader should not wait there, or because the caller stopped it.
        """
        reader = self._reader
        if self._at_end:
            if reader.once:
                return None
            yield reader.pause(reader.poll_seconds * (0.75 + self._ctx.random() / 2))
        if reader.stopped():
            return None
        query = {
            "after": self._after,
            "type": self._query.type,
            "exclude_origin": self._query.exclude_origin,
            "limit": ITERATION_LIMIT,
            "workspace_id": reader.workspace_id,
        }
        operation = Operation("GET", "/events", query=query)
        body = yield from through_outages(self._ctx, reader, lambda: call_json(self._ctx, operation))
        page = FeedPage.of(body)
        require_continuous(self._after, self._epoch, page)
        self._after, self._epoch, self._at_end = page.next_after, page.epoch, not page.has_more
        return list(body["data"]), Position(page.next_after, page.epoch)


def tail(ctx: Context, reader: ReaderOptions, query: FeedQuery, after: After, epoch: str | None) -> Flow[None]:
    """Emits events as they happen."""
    try:
        if after == "now":
            end = yield from through_outages(ctx, reader, lambda: end_of_feed(ctx, reader.workspace_id))
            after, epoch = end.after, end.epoch
        feed = FeedReader(ctx, reader, query, after, epoch)
        while True:
            page = yield from feed.next()
            if page is None:
                return
            for event in page[0]:
                yield Emit(event)
    except Stopped:
        return


@dataclass(frozen=True)
class FollowOptions:
    checkpoint: Any
    #: called with the raw events of a batch and the transaction
    handle: Callable[[list[dict[str, Any]], Any], Any]
    start: After
    batch_size: int
    #: makes a full copy and returns its position
    on_gap: Callable[[FeedGapError], Any] | None


def follow(ctx: Context, reader: ReaderOptions, query: FeedQuery, options: FollowOptions) -> Flow[None]:
    """Hands events to the caller in batches, and stores the position with each batch."""
    try:
        position: Position | None = yield Load(options.checkpoint)
        if position is not None and position.sync is not None:
            raise HiringError("This checkpoint belongs to a sync.")
        if position is None and options.start == "now":
            position = yield from through_outages(ctx, reader, lambda: end_of_feed(ctx, reader.workspace_id))
            # stored before the first event: after a kill, what happened since would be missed otherwise
            yield Save(options.checkpoint, position)
        after = position.after if position is not None else options.start
        epoch = position.epoch if position is not None else None
        assert after != "now"
        while True:
            try:
                return (yield from _follow_from(ctx, reader, query, options, after, epoch))
            except FeedGapError as gap:
                if options.on_gap is None:
                    raise
                lost = gap
            on_gap = options.on_gap
            copied: Position = yield Invoke(lambda: on_gap(lost))
            yield Save(options.checkpoint, copied)
            after, epoch = copied.after, copied.epoch
    except Stopped:
        return


def _follow_from(
    ctx: Context, reader: ReaderOptions, query: FeedQuery, options: FollowOptions, after: int | None, epoch: str | None
) -> Flow[None]:
    feed = FeedReader(ctx, reader, query, after, epoch)
    stored = None if after is None else Position(after, epoch)
    while True:
        page = yield from feed.next()
        if page is None:
            return
        events, end = page
        for start in range(0, len(events), options.batch_size):
            batch = events[start : start + options.batch_size]
            last = start + options.batch_size >= len(events)
            stored = end if last else Position(int(batch[-1]["sequence"]), end.epoch)
            yield Save(options.checkpoint, stored, [lambda tx, batch=batch: options.handle(batch, tx)])  # type: ignore[misc]
            if reader.stopped():
                return
        if stored != end:
            # events that the key cannot read were skipped
            stored = end
            yield Save(options.checkpoint, stored)
