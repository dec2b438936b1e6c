"""Readers of the feed: checkpoints, kills, gaps."""

from __future__ import annotations

import asyncio
import json
import os
import random
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable

import psycopg
import pytest
from conftest import ORIGIN, Kit, Tenant, control
from network import Fault, Respond, refusal

from hiring_partner import (
    AsyncPostgresCheckpoint,
    FeedGapError,
    FileCheckpoint,
    HiringError,
    MemoryCheckpoint,
    Position,
    PostgresCheckpoint,
    SqliteCheckpoint,
    errors,
)

KILLS = 3


class Reader:
    """A process of ``reader.py``."""

    def __init__(self, tenant: Tenant, store: str, path: str, once: bool = False) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("reader.py"))],
            env={
                **os.environ,
                "READER_URL": ORIGIN,
                "READER_KEY": tenant.api_key,
                "READER_STORE": store,
                "READER_PATH": path,
                "READER_ONCE": "1" if once else "0",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_for_batches(self, count: int) -> None:
        assert self._process.stdout is not None
        for _ in range(count):
            if not self._process.stdout.readline():
                return

    def kill(self) -> None:
        self._process.kill()
        assert self._process.communicate()[1] == ""

    def finish(self) -> None:
        _, failures = self._process.communicate()
        assert (self._process.returncode, failures) == (0, "")


def _sqlite_rows(path: str) -> list[str]:
    with sqlite3.connect(path) as database:
        return [row[0] for row in database.execute("select id from handled order by rowid")]


def _postgres_rows(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        return [row[0] for row in connection.execute("select id from handled order by place")]


def _asyncpg_rows(parameters: str) -> list[str]:
    given = json.loads(parameters)
    return _postgres_rows(psycopg.conninfo.make_conninfo(dbname=given.pop("database"), **given))


STORES: dict[str, tuple[Callable[[Path], str], Callable[[str], list[str]]]] = {
    "file": (lambda folder: str(folder / "feed.json"), lambda path: Path(f"{path}.log").read_text().splitlines()),
    "sqlite": (lambda folder: str(folder / "copy.db"), _sqlite_rows),
    "postgres": (lambda _: str(control("database")["url"]), _postgres_rows),
    "asyncpg": (lambda _: json.dumps(control("database")["parameters"]), _asyncpg_rows),
}


@pytest.mark.parametrize("store", STORES)
def test_a_reader_that_is_killed_at_random_moments_loses_nothing(store: str, tenant: Tenant, tmp_path: Path) -> None:
    opened, handled = STORES[store]
    path = opened(tmp_path)
    for _ in range(KILLS):
        tenant.publish(60)
        reader = Reader(tenant, store, path)
        reader.wait_for_batches(random.randint(1, 6))
        time.sleep(random.random() * 0.008)
        reader.kill()
    published = tenant.publish(3)
    Reader(tenant, store, path, once=True).finish()
    seen = handled(path)
    assert list(dict.fromkeys(seen)) == published, "none is lost, and their order is kept"
    if store != "file":
        assert seen == published, "and none is handled twice"


class Recorded(MemoryCheckpoint):
    """A checkpoint that shows what is saved."""

    def __init__(self, position: Position | None = None) -> None:
        super().__init__(position.to_json() if position else None)
        self.saved: list[Any] = []

    def commit(self, position: str) -> None:
        super().commit(position)
        self.saved.append(json.loads(position))


def test_the_position_is_saved_after_a_batch_and_a_batch_that_fails_comes_again(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant)
    published = tenant.publish(10)
    checkpoint, seen = Recorded(), list[str]()

    def handle(events: list[Any], _: None, fails: bool = False) -> None:
        if fails and len(seen) == 4:
            raise OSError("disk full")
        seen.extend(event.id for event in events)

    def follow(handler: Callable[..., None]) -> None:
        kit.run(client.events.follow(checkpoint=checkpoint, handle=kit.handler(handler), batch_size=4, once=True))

    with pytest.raises(OSError, match="disk full"):
        follow(lambda events, tx: handle(events, tx, fails=True))
    assert (seen, len(checkpoint.saved)) == (published[:4], 1)
    follow(handle)
    assert seen == published
    saved = len(checkpoint.saved)
    follow(handle)
    assert len(checkpoint.saved) == saved, "without events nothing is saved"


@pytest.mark.parametrize("kit", ["sync"], indirect=True)
def test_a_coroutine_function_as_handler_of_the_synchronous_client_is_refused(kit: Kit, tenant: Tenant) -> None:
    tenant.publish(2)
    checkpoint = Recorded()

    async def handle(events: list[Any], _: None) -> None:
        raise AssertionError("never runs")

    with pytest.raises(TypeError, match="AsyncHiringClient"):
        kit.run(kit.client(tenant).events.follow(checkpoint=checkpoint, handle=handle, once=True))
    assert checkpoint.saved == [], "its events do not count as processed"


def test_start_now_skips_the_past_and_stores_its_beginning_before_the_first_event(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant)
    tenant.publish(5)
    checkpoint, seen = Recorded(), list[str]()

    def follow() -> None:
        handle = kit.handler(lambda events, _: seen.extend(event.id for event in events))
        kit.run(client.events.follow(checkpoint=checkpoint, handle=handle, start="now", once=True))

    follow()
    assert (seen, len(checkpoint.saved)) == ([], 1)
    published = tenant.publish(2)
    follow()
    assert seen == published[-2:]


def test_a_faulty_network_loses_and_reorders_nothing(kit: Kit, tenant: Tenant) -> None:
    published = tenant.publish(450)
    client = kit.client(tenant, max_retries=1, timeout=5)
    faults: list[Fault] = [
        "cut_request",
        "cut_body",
        "lose_response",
        Respond(503),
        refusal(429, "rate_limit_exceeded", "rate_limit", 1),
        Respond(502, body="<html>"),
    ]
    kit.network.plan(lambda _, n: "none" if n % 4 == 3 else faults[n % len(faults)])
    seen: list[str] = []
    handle = kit.handler(lambda events, _: seen.extend(event.id for event in events))
    kit.run(client.events.follow(checkpoint=Recorded(), handle=handle, once=True))
    assert seen == published


def test_a_gap_and_a_new_epoch_are_raised_or_end_with_the_position_of_a_full_copy(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant)
    published = tenant.publish(6)
    end = kit.run(client.events.end())
    seen: list[str] = []
    handle = kit.handler(lambda events, _: seen.extend(event.id for event in events))
    for position, reason in [
        (Position(end.after + 100, end.epoch), "gap"),
        (Position(end.after - 2, "before the restore"), "epoch_changed"),
    ]:
        with pytest.raises(FeedGapError) as caught:
            kit.run(client.events.follow(checkpoint=Recorded(position), handle=handle, once=True))
        assert (caught.value.reason, seen) == (reason, []), "no event behind a gap is handled"
        gaps: list[str] = []

        def on_gap(gap: FeedGapError) -> Position:
            gaps.append(gap.reason)
            return Position(end.after - 3, end.epoch)

        checkpoint = Recorded(position)
        kit.run(client.events.follow(checkpoint=checkpoint, handle=handle, once=True, on_gap=on_gap))
        assert (gaps, seen) == ([reason], published[-3:])
        assert checkpoint.saved[-1] == {"after": end.after, "epoch": end.epoch}
        seen.clear()


def test_a_reader_of_a_service_that_was_restored_gets_a_gap(tenant: Tenant, kit: Kit) -> None:
    client = kit.client(tenant)
    tenant.publish(2)
    checkpoint = Recorded()
    handle = kit.handler(lambda *_: None)
    kit.run(client.events.follow(checkpoint=checkpoint, handle=handle, once=True))
    control("new_epoch")
    with pytest.raises(FeedGapError):
        kit.run(client.events.follow(checkpoint=checkpoint, handle=handle, once=True))


def test_a_reader_ends_after_the_batch_at_hand_and_while_it_waits(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant)
    published = tenant.publish(9)
    stop: Any = asyncio.Event() if kit.is_async else threading.Event()
    checkpoint = Recorded()
    seen: list[str] = []

    def handle(events: list[Any], _: None) -> None:
        seen.extend(event.id for event in events)
        stop.set()

    kit.run(client.events.follow(checkpoint=checkpoint, handle=kit.handler(handle), batch_size=3, stop=stop))
    assert (seen, len(checkpoint.saved)) == (published[:3], 1)
    kit.run(client.events.follow(checkpoint=checkpoint, handle=kit.handler(handle), stop=stop))
    assert len(checkpoint.saved) == 1

    stop.clear()
    kit.network.plan(lambda _, n: "cut_request" if n > 0 else "none")
    stopping = lambda *_: stop.set()  # noqa: E731
    client = kit.client(tenant, max_retries=0)
    kit.run(client.events.follow(checkpoint=checkpoint, handle=lambda *_: None, stop=stop, on_outage=stopping, poll_seconds=0))


def test_a_second_reader_with_the_same_checkpoint_is_refused_and_what_it_did_is_undone(tmp_path: Path) -> None:
    url = control("database")["url"]
    sqlite = [sqlite3.connect(tmp_path / "copy.db") for _ in range(2)]
    manual = sqlite3.connect(tmp_path / "manual.db", isolation_level=None)
    postgres = [psycopg.connect(url), psycopg.connect(url, autocommit=True)]
    pairs: list[tuple[Any, Any, Any]] = [
        (SqliteCheckpoint(sqlite[0]), SqliteCheckpoint(sqlite[1]), sqlite[0]),
        (SqliteCheckpoint(manual), SqliteCheckpoint(tmp_path / "manual.db"), manual),
        (PostgresCheckpoint(postgres[0]), PostgresCheckpoint(postgres[1]), postgres[0]),
    ]
    for first, second, connection in pairs:
        connection.execute("create table rows (n integer)")
        connection.commit()
        assert (first.load(), second.load()) == (None, None)
        first.begin().execute("insert into rows values (1)")
        first.commit("one")
        with pytest.raises(errors.CheckpointConflictError):
            second.begin()
        assert second.load() == "one"
        second.begin().execute("insert into rows values (2)")
        second.rollback()
        second.begin().execute("insert into rows values (3)")
        second.commit("two")
        assert [row[0] for row in connection.execute("select n from rows order by n")] == [1, 3]
        connection.commit()
        assert first.load() == "two"
    assert SqliteCheckpoint(sqlite[0], "another").load() is None
    connections: list[Any] = [*sqlite, manual, *postgres]
    for opened in connections:
        opened.close()


def test_asynchronous_postgres_checkpoints_commit_with_the_rows() -> None:
    import asyncpg  # type: ignore[import-untyped]

    async def scenario() -> None:
        database = control("database")
        url = database["url"]
        psycopg_manual = await psycopg.AsyncConnection.connect(url)
        psycopg_auto = await psycopg.AsyncConnection.connect(url, autocommit=True)
        connections: list[Any] = [await asyncpg.connect(**database["parameters"]), psycopg_manual, psycopg_auto]
        await connections[0].execute("create table rows (n integer)")
        last: str | None = None
        for number, connection in enumerate(connections):
            checkpoint: AsyncPostgresCheckpoint[Any] = AsyncPostgresCheckpoint(connection)
            assert await checkpoint.load() == last
            await (await checkpoint.begin()).execute(f"insert into rows values ({number})")
            await checkpoint.rollback()
            await (await checkpoint.begin()).execute(f"insert into rows values ({number})")
            await checkpoint.commit(last := f"position {number}")
        other: AsyncPostgresCheckpoint[Any] = AsyncPostgresCheckpoint(connections[0])
        with pytest.raises(errors.CheckpointConflictError):
            await other.begin()
        assert await connections[0].fetchval("select array_agg(n order by n) from rows") == [0, 1, 2]
        for connection in connections:
            await connection.close()

    asyncio.run(scenario())


def test_a_file_is_replaced_in_one_step_and_a_damaged_one_is_refused(kit: Kit, tenant: Tenant, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "feed.json"
    checkpoint = FileCheckpoint(path)
    assert checkpoint.load() is None
    checkpoint.commit('{"after": 1}')
    assert FileCheckpoint(path).load() == '{"after": 1}'
    assert [entry.name for entry in path.parent.iterdir()] == ["feed.json"]
    for damaged in ("", "{", "[]", '{"after": "1"}', '{"epoch": "e"}', '{"after": 1, "epoch": 2}'):
        path.write_text(damaged)
        with pytest.raises(errors.CheckpointError):
            kit.run(kit.client(tenant).events.follow(checkpoint=checkpoint, handle=lambda *_: None, once=True))
        assert path.read_text() == damaged, "it is not treated as missing, which would repeat the whole feed"
    path.write_text('{"after": 0, "epoch": "e", "sync": {}}')
    with pytest.raises(HiringError, match="belongs to a sync"):
        kit.run(kit.client(tenant).events.follow(checkpoint=checkpoint, handle=lambda *_: None, once=True))
