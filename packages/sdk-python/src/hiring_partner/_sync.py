"""The flow that keeps a copy up to date: an export, the feed from its position, and a new export after a gap."""

from __future__ import annotations

import json
import uuid
import zlib
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Mapping, Sequence

from ._errors import ApiConnectionError, ExportFailedError, FeedGapError, HiringError, NotFoundError
from ._feed import FeedQuery, FeedReader, ReaderOptions, Stopped, end_of_feed, through_outages
from ._flow import (
    ITERATION_LIMIT,
    CloseStream,
    Context,
    Flow,
    Load,
    OpenStream,
    ReadChunk,
    Save,
    call_json,
    require_success,
)
from ._policy import Position
from ._wire import Operation, Request

#: where the record of an event is read, by the ``object`` of the event
RECORDS: Mapping[str, tuple[str, str]] = {
    "job": ("jobs", "/jobs/{id}"),
    "application": ("applications", "/applications/{id}"),
    "applicant": ("applicants", "/applicants/{id}"),
    "sourced_profile": ("sourced_profiles", "/sourced-profiles/{id}"),
    "candidate_list": ("lists", "/lists/{id}"),
    "list": ("lists", "/lists/{id}"),
}
ROWS_PER_BATCH = 500
EXPORT_POLL_SECONDS = 1.0

Json = dict[str, Any]
Work = Callable[[Any], Any]


@dataclass(frozen=True)
class SyncHandlers:
    """Functions of the caller, with raw rows and events."""

    #: resource, rows, copy, transaction
    upsert: Callable[[str, list[Json], str, Any], Any]
    #: resource, ids, transaction
    remove: Callable[[str, list[str], Any], Any]
    #: resources, copy, transaction
    prune: Callable[[Sequence[str], str, Any], Any] | None
    #: events, transaction
    events: Callable[[list[Json], Any], Any] | None


@dataclass(frozen=True)
class SyncOptions:
    checkpoint: Any
    resources: Sequence[str]
    reader: ReaderOptions
    handlers: SyncHandlers


class Changes:
    """Rows to store and ids to delete, by resource. Resources that are not copied are left out."""

    def __init__(self, resources: Sequence[str]) -> None:
        self.rows: dict[str, list[Json]] = {resource: [] for resource in resources}
        self.ids: dict[str, list[str]] = {resource: [] for resource in resources}

    def wants(self, resource: str) -> bool:
        return resource in self.rows

    def remove(self, kind: str, id: str) -> None:
        """A record is gone, or must not be stored any more. Transitions go with their application."""
        resource = "list_memberships" if kind == "list_membership" else RECORDS.get(kind, ("", ""))[0]
        for affected in (resource, "stage_transitions" if kind == "application" else ""):
            if self.wants(affected):
                self.ids[affected].append(id)

    def work(self, handlers: SyncHandlers, copy: str) -> Iterator[Work]:
        for resource, ids in self.ids.items():
            if ids:
                yield lambda tx, resource=resource, ids=ids: handlers.remove(resource, ids, tx)  # type: ignore[misc]
        for resource, rows in self.rows.items():
            if rows:
                yield lambda tx, resource=resource, rows=rows: handlers.upsert(resource, rows, copy, tx)  # type: ignore[misc]


def sync(ctx: Context, options: SyncOptions) -> Flow[None]:
    try:
        position: Position | None = yield Load(options.checkpoint)
        while not options.reader.stopped():
            state = (position.sync if position is not None else None) or {}
            same = state.get("resources") == list(options.resources)
            if not (same and "copy" in state and "key" not in state):
                position = yield from _copy(ctx, options, position if same else None)
            if position is None:
                continue  # the export is gone: make another one
            try:
                return (yield from _apply_events(ctx, options, position))
            except FeedGapError:
                position = None
    except Stopped:
        return


def _get(ctx: Context, reader: ReaderOptions, path: str, query: Json | None = None, **params: str) -> Flow[Json]:
    operation = Operation("GET", path, params, query={"workspace_id": reader.workspace_id, **(query or {})})
    return (yield from through_outages(ctx, reader, lambda: call_json(ctx, operation)))


def _get_if_exists(
    ctx: Context, reader: ReaderOptions, path: str, query: Json | None = None, **params: str
) -> Flow[Json | None]:
    try:
        return (yield from _get(ctx, reader, path, query, **params))
    except NotFoundError:
        return None


# --- the copy -----------------------------------------------------------------------------------------------------------


def _copy(ctx: Context, options: SyncOptions, earlier: Position | None) -> Flow[Position | None]:
    """Loads the files of an export, from where an earlier run stopped. None if that export no longer exists."""
    reader, handlers, resources = options.reader, options.handlers, list(options.resources)
    epoch = earlier.epoch if earlier is not None else None
    if epoch is None:
        # That of a moment before the copy: if the service is restored during it, the feed shows another epoch than the
        # stored one, and the copy is repeated.
        epoch = (yield from through_outages(ctx, reader, lambda: end_of_feed(ctx, reader.workspace_id))).epoch
    # the key is stored before the request is sent: a process that is killed finds the same export again
    state: Json = {"key": str(uuid.uuid4()), **((earlier.sync if earlier is not None else None) or {})}
    state["resources"] = resources

    def advance(work: Sequence[Work] = (), **progress: Any) -> Flow[None]:
        """Stores rows and progress together. The state changes only then: work that fails is done again."""
        yield Save(options.checkpoint, Position(0, epoch, {**state, **progress}), work)
        state.update(progress)

    if "export" not in state:
        yield from advance()
        post = Operation(
            "POST",
            "/exports",
            query={"workspace_id": reader.workspace_id},
            body={"resources": resources, "view": "full"},
            write=True,
            idempotency_key=state["key"],
        )
        export = yield from through_outages(ctx, reader, lambda: call_json(ctx, post))
        yield from advance(export=export["id"])

    def step() -> Flow[str]:
        """Reads the export for URLs that are valid now, and loads the rest of a file."""
        made = yield from _get_if_exists(ctx, reader, "/exports/{id}", id=state["export"])
        if made is None or made["status"] != "ready":
            return "expired" if made is None else str(made["status"])
        # an erasure replaces the files of an export: what was stored from the old ones belongs to another copy
        if state.get("asOf") != made["as_of_sequence"]:
            as_of = made["as_of_sequence"]
            state.update(asOf=as_of, copy=f"{made['id']}:{as_of}", file=0, rows=0)
        if state["file"] >= len(made["files"]):
            return "loaded"
        file = made["files"][state["file"]]
        source = RowReader(str(file["url"]), state["rows"])
        try:
            yield from load(source, str(file["resource"]))
        except (HiringError, Stopped):
            yield from source.close()
            raise
        yield from source.close()
        state.update(file=state["file"] + 1, rows=0)
        return "ready"

    def load(source: RowReader, resource: str) -> Flow[None]:
        while True:
            rows = yield from source.next_batch()
            if not rows:
                return
            work: Work = lambda tx: handlers.upsert(resource, rows, state["copy"], tx)  # noqa: E731
            yield from advance([work], rows=state["rows"] + len(rows))
            if reader.stopped():
                raise Stopped

    while True:
        status = yield from through_outages(ctx, reader, step)
        if status == "loaded":
            break
        if status == "expired":
            return None
        if status == "failed":
            raise ExportFailedError(str(state["export"]), status)
        if status != "ready":
            yield reader.pause(EXPORT_POLL_SECONDS)
            if reader.stopped():
                raise Stopped
    copied = Position(state["asOf"], epoch, {"resources": resources, "copy": state["copy"]})
    suppressed = yield from _suppressed(ctx, reader, resources)
    work = list(suppressed.work(handlers, state["copy"]))
    if handlers.prune is not None:
        prune = handlers.prune
        work.append(lambda tx: prune(resources, state["copy"], tx))
    yield Save(options.checkpoint, copied, work)
    return copied


def _suppressed(ctx: Context, reader: ReaderOptions, resources: Sequence[str]) -> Flow[Changes]:
    """Records of people who asked for erasure or that processing stop. An export can still have the latter."""
    changes = Changes(resources)
    after, more = 0, True
    while more:
        page = yield from _get(ctx, reader, "/suppressions", {"after": after, "limit": ITERATION_LIMIT})
        for row in page["data"]:
            for subject in row.get("subjects") or ():
                changes.remove(str(subject["object"]), str(subject["id"]))
        after, more = page["next_after"], bool(page["has_more"])
    return changes


class RowReader:
    """The rows of an export file behind the first ``skip``, a batch at a time."""

    def __init__(self, url: str, skip: int) -> None:
        self._url, self._skip = url, skip
        self._stream: Any = None
        self._lines = GzipLines()
        self._waiting: list[Json] = []
        self._ended = False

    def next_batch(self) -> Flow[list[Json]]:
        """Empty at the end. Raises ApiConnectionError if the file is not complete."""
        if self._stream is None:
            response, self._stream = yield OpenStream(Request("GET", self._url, {"accept-encoding": "identity"}))
            if response.status in (403, 404, 410):
                # the URL has expired, or the file was replaced: the next read of the export has another URL
                raise ApiConnectionError(f"The file is no longer at its URL (status {response.status}).")
            require_success(response)
        while not self._ended and len(self._waiting) < ROWS_PER_BATCH:
            chunk: bytes = yield ReadChunk(self._stream)
            self._ended = not chunk
            for line in self._lines.feed(chunk):
                if self._skip > 0:
                    self._skip -= 1
                else:
                    self._waiting.append(json.loads(line))
        batch, self._waiting = self._waiting[:ROWS_PER_BATCH], self._waiting[ROWS_PER_BATCH:]
        return batch

    def close(self) -> Flow[None]:
        if self._stream is not None:
            yield CloseStream(self._stream)


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


# --- the changes after it -----------------------------------------------------------------------------------------------


def _apply_events(ctx: Context, options: SyncOptions, position: Position) -> Flow[None]:
    """Applies the changes after a position: reads each record that events name once for each page."""
    assert position.sync is not None
    copy = str(position.sync["copy"])
    feed = FeedReader(ctx, options.reader, FeedQuery(), position.after, position.epoch)
    stored = position.after
    while True:
        page = yield from feed.next()
        if page is None:
            return
        events, end = page
        if end.after == stored:
            continue
        changes = yield from _changes_of(ctx, options, events)
        work = list(changes.work(options.handlers, copy))
        if events and options.handlers.events is not None:
            notify = options.handlers.events
            work.append(lambda tx, events=events: notify(events, tx))  # type: ignore[misc]
        yield Save(options.checkpoint, Position(end.after, end.epoch, position.sync), work)
        stored = end.after


def _changes_of(ctx: Context, options: SyncOptions, events: Sequence[Json]) -> Flow[Changes]:
    """What the events change, with the state of each record as it is now.

    Events are thin, and a later one may have changed the record again.
    """
    changes = Changes(options.resources)
    # by record, so that each is read once and the last event decides; None: it is gone
    records: dict[tuple[str, str], Json | None] = {}
    for event in events:
        changed = event["data"]["object"]
        kind, id = str(changed["object"]), str(changed["id"])
        if isinstance(changed.get("subjects"), list):
            for subject in changed["subjects"]:
                records[str(subject["object"]), str(subject["id"])] = None
        elif event["type"].endswith((".deleted", ".removed")):
            records[kind, id] = None
        elif kind == "resume":
            records["application", str(changed["application_id"])] = changed
        else:
            records[kind, id] = changed
    for (kind, id), record in records.items():
        if record is None:
            changes.remove(kind, id)
        else:
            yield from _read_record(ctx, options.reader, changes, kind, id, record)
    return changes


def _read_record(ctx: Context, reader: ReaderOptions, changes: Changes, kind: str, id: str, changed: Json) -> Flow[None]:
    resource, path = RECORDS.get(kind, ("", ""))
    if changes.wants(resource):
        row = yield from _get_if_exists(ctx, reader, path, id=id)
        # your copy of a person who asked that processing stop must be deleted, while the service still shows the record
        if row is None or _is_suppressed(row):
            return changes.remove(kind, id)
        changes.rows[resource].append(row)
    if kind == "application" and changes.wants("stage_transitions"):
        rows = yield from _all_rows(ctx, reader, "/applications/{id}/stage-transitions", id)
        changes.rows["stage_transitions"] += [{"application_id": id, **row} for row in rows]
    if kind == "list_membership" and changes.wants("list_memberships"):
        profile = str(changed["sourced_profile_id"])
        rows = yield from _all_rows(ctx, reader, "/sourced-profiles/{id}/list-memberships", profile)
        found = [row for row in rows if row["id"] == id]
        changes.rows["list_memberships"] += found
        if not found:
            changes.ids["list_memberships"].append(id)


def _is_suppressed(row: Json) -> bool:
    provenance = row.get("provenance")
    consent = provenance.get("consent") if isinstance(provenance, dict) else None
    return bool(consent.get("suppressed")) if isinstance(consent, dict) else False


def _all_rows(ctx: Context, reader: ReaderOptions, path: str, id: str) -> Flow[list[Json]]:
    """All rows of a short list; none if the record that it belongs to is gone."""
    rows: list[Json] = []
    cursor: str | None = None
    while True:
        page = yield from _get_if_exists(ctx, reader, path, {"limit": ITERATION_LIMIT, "cursor": cursor}, id=id)
        if page is None:
            return rows
        rows += page["data"]
        cursor = page["next_cursor"]
        if cursor is None:
            return rows
