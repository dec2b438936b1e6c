"""What ``client.sync`` yields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union

from ._flow import CopyBegan, CopyDone, CopyRow, FeedChange
from ._generated import Event, build_event, build_object
from ._models import Model


@dataclass(frozen=True)
class CopyStarted:
    """A full copy follows, from its first row. It comes again if a copy was interrupted or has to be repeated."""

    export_id: str
    resources: tuple[str, ...]


@dataclass(frozen=True)
class CopiedRow:
    """A row of the full copy. ``row["object"]`` is its type."""

    resource: str
    row: Model


@dataclass(frozen=True)
class CopyFinished:
    """Every row was delivered. Rows of your store that were not in the copy no longer exist: delete them."""

    as_of_sequence: int


@dataclass(frozen=True)
class Changed:
    """An event after the copy."""

    event: Event


Change = Union[CopyStarted, CopiedRow, CopyFinished, Changed]


def change_of(step: Any) -> Change:
    if isinstance(step, CopyBegan):
        return CopyStarted(step.export_id, step.resources)
    if isinstance(step, CopyRow):
        return CopiedRow(step.resource, build_object(step.row, row=not step.full))
    if isinstance(step, CopyDone):
        return CopyFinished(step.as_of_sequence)
    assert isinstance(step, FeedChange)
    return Changed(build_event(step.event))
