"""Where a follower of the feed stores its position.

A checkpoint has ``load`` and ``save``, which exchange a short text. Those of ``AsyncHiringPartner`` may be coroutines.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from typing import Any, Awaitable, Protocol

_TABLE = "hiring_partner_checkpoints"
_CREATE = f"create table if not exists {_TABLE} (name text primary key, position text not null)"


class Checkpoint(Protocol):
    """A store of your own: a position must survive a crash once ``save`` has returned."""

    def load(self) -> str | None:
        """The text that was saved last, or None if there is none."""

    def save(self, position: str) -> None: ...


class AsyncCheckpoint(Protocol):
    def load(self) -> Awaitable[str | None]: ...

    def save(self, position: str) -> Awaitable[None]: ...


class MemoryCheckpoint:
    """A position that is lost with the process, for tests."""

    def __init__(self, position: str | None = None) -> None:
        self.position = position

    def load(self) -> str | None:
        return self.position

    def save(self, position: str) -> None:
        self.position = position


class FileCheckpoint:
    """A position in a file. The file is replaced, never overwritten: a crash leaves the old or the new position."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)

    def load(self) -> str | None:
        try:
            with open(self._path, encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def save(self, position: str) -> None:
        folder = os.path.dirname(os.path.abspath(self._path))
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=os.path.basename(self._path) + ".")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(position)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, self._path)
        except BaseException:
            os.unlink(temporary)
            raise
        if os.name == "posix":
            # without this, the new name may be lost with the power
            directory = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(directory)
            finally:
                os.close(directory)


class SqliteCheckpoint:
    """A position in a SQLite database, given as its path or as a connection.

    With a connection, ``save`` commits it: rows that you wrote since the last position are committed together with the
    new one, and none of them is written twice.
    """

    def __init__(self, database: str | os.PathLike[str] | sqlite3.Connection, name: str = "default") -> None:
        self._connection: sqlite3.Connection = (
            database
            if isinstance(database, sqlite3.Connection)
            else sqlite3.connect(os.fspath(database), check_same_thread=False)
        )
        self._name = name
        self._connection.execute(_CREATE)
        self._connection.commit()

    def load(self) -> str | None:
        row = self._connection.execute(f"select position from {_TABLE} where name = ?", (self._name,)).fetchone()
        return row[0] if row else None

    def save(self, position: str) -> None:
        self._connection.execute(
            f"insert into {_TABLE} (name, position) values (?, ?) "
            "on conflict (name) do update set position = excluded.position",
            (self._name, position),
        )
        self._connection.commit()


class PostgresCheckpoint:
    """A position in PostgreSQL, through a connection of psycopg (3 or 2) that you opened.

    ``save`` commits the connection: rows that you wrote since the last position are committed together with the new
    one, and none of them is written twice.
    """

    def __init__(self, connection: Any, name: str = "default") -> None:
        self._connection, self._name = connection, name
        self._execute(_CREATE, ())
        connection.commit()

    def _execute(self, statement: str, values: tuple[str, ...]) -> Any:
        cursor = self._connection.cursor()
        cursor.execute(statement, values)
        return cursor

    def load(self) -> str | None:
        row = self._execute(f"select position from {_TABLE} where name = %s", (self._name,)).fetchone()
        return row[0] if row else None

    def save(self, position: str) -> None:
        self._execute(
            f"insert into {_TABLE} (name, position) values (%s, %s) "
            "on conflict (name) do update set position = excluded.position",
            (self._name, position),
        )
        self._connection.commit()


class AsyncPostgresCheckpoint:
    """A position in PostgreSQL, through an open connection of psycopg's ``AsyncConnection`` or of asyncpg.

    With psycopg, ``save`` commits the connection. asyncpg commits each statement unless you opened a transaction.
    """

    def __init__(self, connection: Any, name: str = "default") -> None:
        self._connection, self._name = connection, name
        self._asyncpg = hasattr(connection, "fetchval")

    async def load(self) -> str | None:
        if self._asyncpg:
            await self._connection.execute(_CREATE)
            position: str | None = await self._connection.fetchval(
                f"select position from {_TABLE} where name = $1", self._name
            )
            return position
        await self._connection.execute(_CREATE)
        cursor = await self._connection.execute(f"select position from {_TABLE} where name = %s", (self._name,))
        row = await cursor.fetchone()
        await self._connection.commit()
        return row[0] if row else None

    async def save(self, position: str) -> None:
        values = ("$1", "$2") if self._asyncpg else ("%s", "%s")
        statement = (
            f"insert into {_TABLE} (name, position) values ({values[0]}, {values[1]}) "
            "on conflict (name) do update set position = excluded.position"
        )
        if self._asyncpg:
            await self._connection.execute(statement, self._name, position)
            return
        await self._connection.execute(statement, (self._name, position))
        await self._connection.commit()
