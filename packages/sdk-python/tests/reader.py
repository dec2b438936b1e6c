"""A reader of the feed as a partner would write it, in a process of its own that a test kills.

It stores each event that it handles, and prints a line after each batch.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import sys
from typing import Any

from hiring_partner import (
    AsyncHiringClient,
    AsyncPostgresCheckpoint,
    FileCheckpoint,
    HiringClient,
    PostgresCheckpoint,
    Prune,
    Removal,
    SqliteCheckpoint,
    Upsert,
)
from hiring_partner.types import Event

URL, KEY, STORE, PATH = (os.environ.get(f"READER_{name}", "") for name in ("URL", "KEY", "STORE", "PATH"))
HOW: Any = {"poll_seconds": 0.005, "once": os.environ.get("READER_ONCE") == "1"}
RESOURCES = ("jobs", "applications", "lists", "list_memberships", "stage_transitions")


def handled(count: int) -> None:
    sys.stdout.write(f"{count}\n")
    sys.stdout.flush()


def file() -> None:
    with open(f"{PATH}.log", "a", encoding="utf-8") as log, HiringClient(base_url=URL, api_key=KEY) as client:

        def handle(events: list[Event], _: None) -> None:
            log.writelines(f"{event.id}\n" for event in events)
            log.flush()
            os.fsync(log.fileno())
            handled(len(events))

        client.events.follow(checkpoint=FileCheckpoint(PATH), handle=handle, batch_size=7, **HOW)


def sqlite() -> None:
    database = sqlite3.connect(PATH)
    database.execute("create table if not exists handled (id text)")

    def handle(events: list[Event], tx: sqlite3.Connection) -> None:
        for event in events:
            tx.execute("insert into handled (id) values (?)", (event.id,))
        handled(len(events))

    with HiringClient(base_url=URL, api_key=KEY) as client:
        client.events.follow(checkpoint=SqliteCheckpoint(database), handle=handle, batch_size=7, **HOW)


def postgres() -> None:
    import psycopg

    def handle(events: list[Event], tx: psycopg.Connection) -> None:
        for event in events:
            tx.execute("insert into handled (id) values (%s)", (event.id,))
        handled(len(events))

    with psycopg.connect(PATH) as connection, HiringClient(base_url=URL, api_key=KEY) as client:
        connection.execute("create table if not exists handled (place bigserial, id text)")
        client.events.follow(checkpoint=PostgresCheckpoint(connection), handle=handle, batch_size=7, **HOW)


async def asyncpg() -> None:
    import asyncpg as driver  # type: ignore[import-untyped]

    async def handle(events: list[Event], tx: Any) -> None:
        for event in events:
            await tx.execute("insert into handled (id) values ($1)", event.id)
        handled(len(events))

    connection = await driver.connect(**json.loads(PATH))
    await connection.execute("create table if not exists handled (place bigserial, id text)")
    async with AsyncHiringClient(base_url=URL, api_key=KEY) as client:
        await client.events.follow(checkpoint=AsyncPostgresCheckpoint(connection), handle=handle, batch_size=7, **HOW)
    await connection.close()


def copy() -> None:
    """A copy of the workspace, in the database of its checkpoint."""
    database = sqlite3.connect(PATH)
    database.execute(
        "create table if not exists copied (resource text, id text, copy text, row text, primary key (resource, id))"
    )

    def upsert(change: Upsert[sqlite3.Connection]) -> None:
        for row in change.rows:
            value = row.to_dict()
            key = value.get("id") or f"{value['application_id']} {value['at']}"
            values = (change.resource, key, change.copy, json.dumps(value))
            change.tx.execute("insert or replace into copied values (?, ?, ?, ?)", values)
        handled(len(change.rows))

    def remove(change: Removal[sqlite3.Connection]) -> None:
        for id in change.ids:
            change.tx.execute(
                "delete from copied where resource = ? and (id = ? or id like ? || ' %')", (change.resource, id, id)
            )

    def prune(done: Prune[sqlite3.Connection]) -> None:
        done.tx.execute("delete from copied where copy <> ?", (done.copy,))

    with HiringClient(base_url=URL, api_key=KEY) as client:
        client.sync(
            resources=RESOURCES,
            checkpoint=SqliteCheckpoint(database),
            upsert=upsert,
            remove=remove,
            prune=prune,
            **HOW,
        )


if __name__ == "__main__":
    if STORE == "asyncpg":
        asyncio.run(asyncpg())
    else:
        {"file": file, "sqlite": sqlite, "postgres": postgres, "copy": copy}[STORE]()
