"""The service runs in the process that started these tests; ``test/sdk-python`` starts both."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import time
import urllib.request
from typing import Any, Callable, Iterator, cast

import pytest
from network import FaultyNetwork

from hiring_partner import AsyncHiringClient, HiringClient

ORIGIN = os.environ["HIRING_TEST_ORIGIN"]


def control(action: str, **parameters: Any) -> Any:
    """Does what the API cannot: creates a tenant, exhausts a budget, restores a backup."""
    body = json.dumps(parameters).encode()
    request = urllib.request.Request(f"{os.environ['HIRING_TEST_CONTROL']}/{action}", data=body, method="POST")
    with urllib.request.urlopen(request) as response:
        return json.load(response)


class Tenant:
    """A workspace with a job and a key."""

    def __init__(self, facts: Any) -> None:
        self.workspace: str = facts["workspace"]
        self.api_key: str = facts["api_key"]
        self.key_id: str = facts["key_id"]
        self.job_id: str = facts.get("job_id", "")
        self.stages: list[str] = facts.get("stages", [])

    def publish(self, count: int) -> list[str]:
        """Commits events; returns the ids of all events of the workspace."""
        return cast("list[str]", control("publish", workspace=self.workspace, count=count)["ids"])


class Kit:
    """Makes clients of one kind and runs what they return, so that a test is written once for both kinds."""

    def __init__(self, kind: str, network: FaultyNetwork) -> None:
        self.is_async = kind == "async"
        self.network = network
        self.waits: list[float] = []
        self._loop = asyncio.new_event_loop()
        self._clients: list[Any] = []

    def client(self, tenant: Tenant, **settings: Any) -> Any:
        """A client behind the network, which waits for nothing and notes how long it would have waited."""

        def sleep(seconds: float) -> None:
            self.waits.append(round(seconds, 3))

        async def async_sleep(seconds: float) -> None:
            self.waits.append(round(seconds, 3))
            await asyncio.sleep(0)

        options = {
            "base_url": self.network.origin,
            "api_key": tenant.api_key,
            "sleep": async_sleep if self.is_async else sleep,
            "random": lambda: 0.5,
            **settings,
        }
        client = AsyncHiringClient(**options) if self.is_async else HiringClient(**options)
        self._clients.append(client)
        return client

    def run(self, value: Any) -> Any:
        return self._loop.run_until_complete(value) if inspect.isawaitable(value) else value

    def each(self, values: Any) -> Iterator[Any]:
        """The values of an iterator of either kind."""
        if not hasattr(values, "__aiter__"):
            yield from values
            return
        iterator = values.__aiter__()
        while True:
            try:
                yield self._loop.run_until_complete(iterator.__anext__())
            except StopAsyncIteration:
                return

    def handler(self, function: Callable[..., None]) -> Callable[..., Any]:
        """A function of the caller as this kind of client expects it."""
        if not self.is_async:
            return function

        async def handle(*values: Any) -> None:
            await asyncio.sleep(0)
            function(*values)

        return handle

    def close(self) -> None:
        for client in self._clients:
            self.run(client.close())
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()


@pytest.fixture(scope="session")
def network() -> Iterator[FaultyNetwork]:
    network = FaultyNetwork(ORIGIN)
    yield network
    network.close()


@pytest.fixture(params=["sync", "async"])
def kit(request: pytest.FixtureRequest, network: FaultyNetwork) -> Iterator[Kit]:
    network.plan()
    kit = Kit(request.param, network)
    yield kit
    kit.close()


@pytest.fixture
def tenant() -> Tenant:
    return Tenant(control("tenant"))


def until(what: str, holds: Callable[[], bool], limit_seconds: float = 30.0) -> None:
    """Waits for something that happens soon, and says what did not."""
    end = time.monotonic() + limit_seconds
    while not holds():
        assert time.monotonic() < end, f"did not happen: {what}"
        time.sleep(0.01)
