"""Where a reader of the feed stores how far it got."""

from __future__ import annotations

import os
import sqlite3
from typing import Any, Awaitable, Generic, Protocol, TypeVar

from ._errors import CheckpointConflictError

_TABLE = "hiring_checkpoints"
_CREATE = f"create table if not exists {_TABLE} (name text primary key, position text not null)"

Tx = TypeVar("Tx", covariant=True)


class Checkpoint(Protocol[Tx]):
    """A store of your own. The position is a short text.

    ``begin`` starts a transaction, where the store has them, and returns what the handler receives to write with.
    ``commit`` stores the position together with what the handler wrote; it must be durable when ``commit`` returns.
    """

    def load(self) -> str | None:
        """The position that was committed last, or None if there is none."""

    def begin(self) -> Tx: ...

    def commit(self, position: str) -> None: ...

    def rollback(self) -> None: ...


class AsyncCheckpoint(Protocol[Tx]):
    """The same with coroutines, for ``AsyncHiringClient``, which accepts both."""

    def load(self) -> Awaitable[str | None]: ...

    def begin(self) -> Awaitable[Tx]: ...

    def commit(self, position: str) -> Awaitable[None]: ...

    def rollback(self) -> Awaitable[None]: ...


class MemoryCheckpoint:
    """A position that is lost with the process, for tests."""

    def __init__(self, position: str | None = None) -> None:
        self.position = position

    def load(self) -> str | None:
        return self.position

    def begin(self) -> None:
        return None

    def commit(self, position: str) -> None:
        self.position = position

    def rollback(self) -> None:
        return None


class FileCheckpoint:
    """A file with the position. It is replaced in one step after the events of a batch were handled.

    After a crash the events of the last batch come again. For one process at a time.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.path.abspath(path)

    def load(self) -> str | None:
        try:
            with open(self._path, encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def begin(self) -> None:
        return None

    def commit(self, position: str) -> None:
        folder = os.path.dirname(self._path)
        os.makedirs(folder, exist_ok=True)
        with open(f"{self._path}.new", "w", encoding="utf-8") as file:
            file.write(position)
            file.flush()
            os.fsync(file.fileno())
        os.replace(f"{self._path}.new", self._path)
        if os.name == "posix":
            # the new name survives a power failure only if the folder is written too
            directory = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(directory)
            finally:
                os.close(directory)

    def rollback(self) -> None:
        return None


class _Stored:
    """A row of a table, and the text that this process knows of it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._known: str | None = None

    def _require_own(self, stored: str | None) -> None:
        if stored != self._known:
            raise CheckpointConflictError(
                f'Another process saved the checkpoint "{self._name}". Run one reader for each name.'
            )


def _select(mark: str, lock: str = "") -> str:
    return f"select position from {_TABLE} where name = {mark}{lock}"


def _upsert(first: str, second: str) -> str:
    return (
        f"insert into {_TABLE} (name, position) values ({first}, {second}) "
        "on conflict (name) do update set position = excluded.position"
    )


class SqliteCheckpoint(_Stored):
    """A row of a SQLite database, given as its path or as a connection.

    What the handler writes with the connection is committed together with the position, so each event takes effect exactly
    once. Give it a connection of its own: other statements would join its transactions.
    """

    def __init__(self, database: str | os.PathLike[str] | sqlite3.Connection, name: str = "feed") -> None:
        super().__init__(name)
        self._connection: sqlite3.Connection = (
            database if isinstance(database, sqlite3.Connection) else sqlite3.connect(os.fspath(database))
        )

    def _read(self) -> str | None:
        row = self._connection.execute(_select("?"), (self._name,)).fetchone()
        return row[0] if row else None

    def load(self) -> str | None:
        self._connection.execute(_CREATE)
        self._known = self._read()
        return self._known

    def begin(self) -> sqlite3.Connection:
        self._connection.execute("begin immediate")
        try:
            self._require_own(self._read())
        except BaseException:
            self.rollback()
            raise
        return self._connection

    def commit(self, position: str) -> None:
        self._connection.execute(_upsert("?", "?"), (self._name, position))
        # the statement, because commit() does nothing on connections in autocommit mode
        self._connection.execute("commit")
        self._known = position

    def rollback(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("rollback")


ConnectionT = TypeVar("ConnectionT")


class PostgresCheckpoint(_Stored, Generic[ConnectionT]):
    """A row of a PostgreSQL database, through a connection of psycopg (3 or 2) that you opened.

    What the handler writes with the connection is committed together with the position, so each event takes effect exactly
    once. Give it a connection of its own: other statements would join its transactions.
    """

    def __init__(self, connection: ConnectionT, name: str = "feed") -> None:
        super().__init__(name)
        self._connection = connection

    def _execute(self, statement: str, *values: str) -> Any:
        connection: Any = self._connection
        cursor = connection.cursor()
        cursor.execute(statement, values)
        return cursor

    def _end(self, how: str) -> None:
        connection: Any = self._connection
        if connection.autocommit:
            self._execute(how)
        else:
            getattr(connection, how)()

    def _read(self, lock: str = "") -> str | None:
        row = self._execute(_select("%s", lock), self._name).fetchone()
        return row[0] if row else None

    def load(self) -> str | None:
        self._begin()
        self._execute(_CREATE)
        self._known = self._read()
        self._end("commit")
        return self._known

    def _begin(self) -> None:
        connection: Any = self._connection
        if connection.autocommit:
            self._execute("begin")

    def begin(self) -> ConnectionT:
        self._begin()
        try:
            self._require_own(self._read(" for update"))
        except BaseException:
            self.rollback()
            raise
        return self._connection

    def commit(self, position: str) -> None:
        self._execute(_upsert("%s", "%s"), self._name, position)
        self._end("commit")
        self._known = position

    def rollback(self) -> None:
        self._end("rollback")


class AsyncPostgresCheckpoint(_Stored, Generic[ConnectionT]):
    """The same through a connection of asyncpg, or an ``AsyncConnection`` of psycopg."""

    def __init__(self, connection: ConnectionT, name: str = "feed") -> None:
        super().__init__(name)
        self._connection = connection
        self._is_asyncpg = hasattr(connection, "fetchval")

    async def _execute(self, statement: str, *values: str) -> Any:
        connection: Any = self._connection
        return await (connection.execute(statement, *values) if self._is_asyncpg else connection.execute(statement, values))

    @property
    def _autocommit(self) -> bool:
        connection: Any = self._connection
        return self._is_asyncpg or bool(connection.autocommit)

    async def _begin(self) -> None:
        if self._autocommit:
            await self._execute("begin")

    async def _end(self, how: str) -> None:
        if self._autocommit:
            await self._execute(how)
        else:
            await getattr(self._connection, how)()

    async def _read(self, lock: str = "") -> str | None:
        connection: Any = self._connection
        if self._is_asyncpg:
            position: str | None = await connection.fetchval(_select("$1", lock), self._name)
            return position
        row = await (await self._execute(_select("%s", lock), self._name)).fetchone()
        return row[0] if row else None

    async def load(self) -> str | None:
        await self._begin()
        await self._execute(_CREATE)
        self._known = await self._read()
        await self._end("commit")
        return self._known

    async def begin(self) -> ConnectionT:
        await self._begin()
        try:
            self._require_own(await self._read(" for update"))
        except BaseException:
            await self.rollback()
            raise
        return self._connection

    async def commit(self, position: str) -> None:
        marks = ("$1", "$2") if self._is_asyncpg else ("%s", "%s")
        await self._execute(_upsert(*marks), self._name, position)
        await self._end("commit")
        self._known = position

    async def rollback(self) -> None:
        await self._end("rollback")
