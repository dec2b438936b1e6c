"""Decisions without input or output: when to retry and how long to wait, and whether a feed can be continued."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Callable, Mapping

from ._errors import ApiConnectionError, ApiError, CheckpointError, FeedGapError

#: Daily budgets: Retry-After is the time until midnight, and no call sleeps that long.
DAILY_BUDGETS = frozenset({"personal_data_quota_exceeded", "message_quota_exceeded"})
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
    """Whether the cause can end by itself, so that a reader that runs for weeks should wait for that."""
    if isinstance(error, ApiError):
        return (error.type == "unavailable" or error.status >= 500) and error.retry != "with_new_key"
    return isinstance(error, ApiConnectionError)


def outage_wait(outages: int, random: Callable[[], float]) -> float:
    """Doubles from a second to a minute, of which a random half is left out. The first outage is number 1."""
    return float(min(60.0, 2.0 ** min(outages - 1, 16))) * (0.5 + random() / 2)


def backoff(attempt: int, random: Callable[[], float]) -> float:
    """Doubles from half a second to eight, of which a random half is left out."""
    ceiling = min(MAX_BACKOFF_SECONDS, FIRST_BACKOFF_SECONDS * 2.0 ** min(attempt - 1, 16))
    return ceiling * (0.5 + random() / 2)


@dataclass(frozen=True)
class Position:
    """What a checkpoint stores: a position of the feed, or an export that is being copied."""

    #: the last sequence that was processed
    after: int | None = None
    #: id of the log; another one means that the service was restored from a backup
    epoch: str | None = None
    #: an export whose rows are not all processed yet
    export_id: str | None = None

    def to_json(self) -> str:
        fields = {"after": self.after, "epoch": self.epoch, "export_id": self.export_id}
        return json.dumps({name: value for name, value in fields.items() if value is not None})

    @classmethod
    def from_json(cls, text: str) -> Position:
        try:
            stored = json.loads(text)
            after, epoch, export_id = stored.get("after"), stored.get("epoch"), stored.get("export_id")
        except (ValueError, AttributeError) as error:
            raise CheckpointError("The checkpoint is not a JSON object.") from error
        valid = (
            (after is None or (isinstance(after, int) and not isinstance(after, bool) and after >= 0))
            and (epoch is None or isinstance(epoch, str))
            and (export_id is None or isinstance(export_id, str))
            and (after is not None or export_id is not None)
        )
        if not valid:
            raise CheckpointError("The checkpoint has neither a position of the feed nor an export.")
        return cls(after, epoch, export_id)


@dataclass(frozen=True)
class FeedPage:
    """The envelope of a page of the feed."""

    next_after: int
    gap: bool
    epoch: str
    has_more: bool

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> FeedPage:
        return cls(
            next_after=int(body["next_after"]),
            gap=bool(body["gap"]),
            epoch=str(body["epoch"]),
            has_more=bool(body["has_more"]),
        )


def require_continuous(position: Position, page: FeedPage) -> Position:
    """The position with the log's epoch; raises FeedGapError if events between position and page may be lost."""
    known = position.epoch is None or position.epoch == page.epoch
    if not known or page.gap:
        raise FeedGapError(
            "gap" if known else "epoch_changed",
            after=position.after or 0,
            next_after=page.next_after,
            epoch=page.epoch,
        )
    return replace(position, epoch=page.epoch)
