"""Decisions without input or output: when to retry and how long to wait, and whether a feed can be continued."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Callable, Mapping

from ._errors import ApiConnectionError, ApiError, CheckpointError, FeedGapError, UnexpectedResponseError

#: Daily budgets: Retry-After is the time until midnight, and no call sleeps that long.
DAILY_BUDGETS = frozenset({"personal_data_quota_exceeded", "message_quota_exceeded"})
#: the longest wait that a limit per minute asks for, and the longest between two attempts of a reader
A_MINUTE = 60
FIRST_BACKOFF_SECONDS = 0.5
MAX_BACKOFF_SECONDS = 8.0
#: a random delay on top of Retry-After, so that several workers do not return in the same moment
RETRY_AFTER_JITTER_SECONDS = 1.0


@dataclass(frozen=True)
class RetryPolicy:
    #: retries after the first attempt
    max_retries: int = 3
    #: A longer Retry-After is raised as the error it came with: that of an exhausted monthly quota can be weeks.
    max_retry_after: float = 60.0

    def wait_before_retry(
        self, error: Exception, *, attempt: int, repeatable: bool, random: Callable[[], float]
    ) -> float | None:
        """Seconds until attempt ``attempt + 1``, or None if ``error`` is final. The first attempt is number 1."""
        if attempt > self.max_retries:
            return None
        if isinstance(error, ApiConnectionError):
            return backoff(attempt, random) if repeatable else None
        if not isinstance(error, ApiError) or not is_transient(error, attempt):
            return None
        if not repeatable and error.status != 429:
            return None
        if error.retry_after_seconds is None:
            return backoff(attempt, random)
        if error.retry_after_seconds > self.max_retry_after:
            return None
        return max(backoff(attempt, random), error.retry_after_seconds + random() * RETRY_AFTER_JITTER_SECONDS)


def is_transient(error: ApiError, attempt: int) -> bool:
    if error.code in DAILY_BUDGETS or error.retry in ("no", "with_new_key"):
        return False
    return error.retry == "after_wait" or attempt == 1


def is_outage(error: Exception) -> bool:
    """Whether the cause ends by itself within minutes, so that a reader that runs for weeks should wait for that.

    That is an outage, or the limit of a minute. A quota that ends tomorrow or next month is none.
    """
    if not isinstance(error, ApiError):
        return isinstance(error, ApiConnectionError)
    if error.retry == "with_new_key":
        return False
    limited = error.code == "rate_limit_exceeded" and (error.retry_after_seconds or 0) <= A_MINUTE
    return error.type == "unavailable" or error.status >= 500 or limited


def outage_wait(error: Exception, outages: int, random: Callable[[], float]) -> float:
    """Doubles from a second to a minute, of which a random half is left out; at least Retry-After."""
    asked = (error.retry_after_seconds if isinstance(error, ApiError) else None) or 0.0
    ceiling = min(float(A_MINUTE), 2.0 ** min(outages - 1, 16))
    return max(asked, ceiling * (0.5 + random() / 2))


def backoff(attempt: int, random: Callable[[], float]) -> float:
    """Doubles from half a second to eight, of which a random half is left out."""
    ceiling = min(MAX_BACKOFF_SECONDS, FIRST_BACKOFF_SECONDS * 2.0 ** min(attempt - 1, 16))
    return ceiling * (0.5 + random() / 2)


@dataclass(frozen=True)
class Position:
    """Where a reader is in the log of a workspace."""

    #: the last sequence that was processed
    after: int
    #: id of the log; another one means that the service was restored from a backup
    epoch: str | None = None
    #: of a sync: plain JSON, which only this package reads
    sync: Mapping[str, Any] | None = None

    def to_json(self) -> str:
        fields = {"after": self.after, "epoch": self.epoch, "sync": self.sync}
        return json.dumps({name: value for name, value in fields.items() if value is not None})

    @classmethod
    def from_json(cls, text: str) -> Position:
        try:
            stored = json.loads(text)
            after, epoch, sync = stored["after"], stored.get("epoch"), stored.get("sync")
        except (ValueError, AttributeError, TypeError, KeyError) as error:
            raise CheckpointError("The checkpoint is not a position of the feed.") from error
        if type(after) is not int or not isinstance(epoch, (str, type(None))) or not isinstance(sync, (dict, type(None))):
            raise CheckpointError("The checkpoint is not a position of the feed.")
        return cls(after, epoch, sync)


@dataclass(frozen=True)
class FeedPage:
    """The envelope of a page of the feed."""

    next_after: int
    gap: bool
    epoch: str
    has_more: bool

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> FeedPage:
        try:
            return cls(
                next_after=int(body["next_after"]),
                gap=bool(body["gap"]),
                epoch=str(body["epoch"]),
                has_more=bool(body["has_more"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise UnexpectedResponseError("The response is not a page of the feed.", status=200) from error


def require_continuous(after: int | None, epoch: str | None, page: FeedPage) -> None:
    """Raises FeedGapError if events between the position of the reader and the page may be lost."""
    changed = epoch is not None and epoch != page.epoch
    if changed or page.gap:
        raise FeedGapError(
            "epoch_changed" if changed else "gap", after=after or 0, next_after=page.next_after, epoch=page.epoch
        )
