"""A full copy and the changes after it."""

from __future__ import annotations

import json
import random
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Kit, Tenant, control
from network import Fault, Passed, Respond
from reader import RESOURCES
from test_readers import Reader, Recorded

from hiring_partner import ApiConnectionError, Prune, Removal, Upsert


class Copy:
    """A copy in memory, with what a partner's handlers do."""

    def __init__(self, kit: Kit, client: Any) -> None:
        self._kit, self._client = kit, client
        self.tables: dict[str, dict[str, tuple[str, Any]]] = {name: {} for name in RESOURCES}
        self.checkpoint = Recorded()
        self.prunes: list[str] = []

    def sync(self, **options: Any) -> None:
        handlers = {
            "upsert": self._kit.handler(self._upsert),
            "remove": self._kit.handler(self._remove),
            "prune": self._kit.handler(self._prune),
        }
        settings = {"resources": RESOURCES, "checkpoint": self.checkpoint, "once": True, **handlers, **options}
        self._kit.run(self._client.sync(**settings))

    def _upsert(self, change: Upsert[None]) -> None:
        for row in change.rows:
            value = row.to_dict()
            self.tables[change.resource][_key_of(value)] = (change.copy, value)

    def _remove(self, change: Removal[None]) -> None:
        table = self.tables[change.resource]
        for key in [key for key in table if key.split(" ")[0] in change.ids]:
            del table[key]

    def _prune(self, done: Prune[None]) -> None:
        self.prunes.append(done.copy)
        for table in self.tables.values():
            for key in [key for key, (copy, _) in table.items() if copy != done.copy]:
                del table[key]

    def rows(self) -> dict[str, list[str]]:
        return {name: _texts(row for _, row in table.values()) for name, table in self.tables.items()}

    def catch_up(self) -> None:
        """Runs until the events of the writes before are in the feed and applied."""
        marker = self._kit.run(self._client.lists.create(name="Marker")).id
        while marker not in self.tables["lists"]:
            self.sync()


def _key_of(row: Any) -> str:
    return str(row.get("id") or f"{row['application_id']} {row['at']}")


def _texts(rows: Any) -> list[str]:
    """Without a count that changes without an event of the job."""
    plain = ({name: value for name, value in row.items() if name != "application_count"} for row in rows)
    return sorted(json.dumps(row, sort_keys=True) for row in plain)


def shown(kit: Kit, client: Any) -> dict[str, list[str]]:
    """The state of the workspace as the endpoints show it."""
    jobs = [kit.run(client.jobs.get(job.id)) for job in kit.each(client.jobs.list(include_unpublished=True))]
    applications = [kit.run(client.applications.get(row.id)) for row in kit.each(client.applications.list())]
    lists = list(kit.each(client.lists.list()))
    members = [row for found in lists if found.candidate_count > 0 for row in kit.each(client.lists.list_members(found.id))]
    transitions = [
        {"application_id": application.id, **row.to_dict()}
        for application in applications
        for row in kit.each(client.applications.list_stage_transitions(application.id))
    ]
    return {
        "jobs": _texts(row.to_dict() for row in jobs),
        "applications": _texts(row.to_dict() for row in applications),
        "lists": _texts(row.to_dict() for row in lists),
        "list_memberships": _texts(row.to_dict() for row in members),
        "stage_transitions": _texts(transitions),
    }


def test_a_full_copy_and_then_the_changes_give_the_state_that_the_endpoints_show(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant)
    control("lists", workspace=tenant.workspace, count=20)
    first = control("application", workspace=tenant.workspace, email="first@example.org")["id"]
    copy = Copy(kit, client)
    copy.sync()
    assert (copy.rows(), len(copy.prunes)) == (shown(kit, client), 1)

    second = control("application", workspace=tenant.workspace, email="second@example.org")["id"]
    kit.run(client.applications.move(first, stage_id=tenant.stages[1]))
    kit.run(client.applications.reject(second, reason="No"))
    made = kit.run(client.lists.create(name="New"))
    profile = control("profile", workspace=tenant.workspace)["id"]
    kit.run(client.lists.add_members(made.id, members=[{"sourced_profile_id": profile}]))
    kit.run(client.jobs.close(tenant.job_id))
    copy.catch_up()
    assert (copy.rows(), len(copy.prunes)) == (shown(kit, client), 1)


def test_records_of_a_person_who_is_erased_are_removed_also_from_a_later_copy(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant)
    kind = "async" if kit.is_async else "sync"
    stays = control("application", workspace=tenant.workspace, email=f"stays-{kind}@example.org")["id"]
    control("application", workspace=tenant.workspace, email=f"leaves-{kind}@example.org")
    copy = Copy(kit, client)
    copy.sync()
    assert len(copy.tables["applications"]) == 2
    control("erase", email=f"leaves-{kind}@example.org")
    copy.catch_up()
    assert list(copy.tables["applications"]) == [stays], "as soon as processing must stop"
    another = Copy(kit, client)
    another.sync()
    assert list(another.tables["applications"]) == [stays]


def test_after_a_gap_it_makes_a_new_copy_and_removes_what_no_longer_exists(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant)
    control("lists", workspace=tenant.workspace, count=3)
    copy = Copy(kit, client)
    copy.sync()
    control("delete_list", workspace=tenant.workspace)
    stored = json.loads(copy.checkpoint.position or "")
    copy.checkpoint.position = json.dumps({**stored, "after": 1_000_000})
    copy.sync()
    assert (len(copy.prunes), len(copy.tables["lists"])) == (2, 2)
    stored = json.loads(copy.checkpoint.position)
    copy.checkpoint.position = json.dumps({**stored, "epoch": "before a restore"})
    copy.sync()
    assert (copy.rows(), len(set(copy.prunes))) == (shown(kit, client), 3)
    narrow = Copy(kit, client)
    narrow.sync(resources=["jobs"])
    assert (len(narrow.tables["jobs"]), len(narrow.tables["lists"])) == (1, 0)
    narrow.sync()
    assert (narrow.rows(), len(narrow.prunes)) == (shown(kit, client), 2), "other resources need a new copy"


def test_files_that_are_cut_and_urls_that_expire_lose_no_row(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant)
    control("lists", workspace=tenant.workspace, count=1_200)
    faults: list[Fault] = ["none", "cut_body", Respond(503), "none", Respond(404), "cut_request", "none", "none"]

    def choose(request: Passed, n: int) -> Fault:
        fault = faults[n % len(faults)]
        return "none" if fault == Respond(404) and not request.path.startswith("/storage") else fault

    kit.network.plan(choose)
    copy = Copy(kit, client)
    copy.sync()
    assert all("authorization" not in passed.headers for passed in kit.network.requests if "/storage/" in passed.path)
    kit.network.plan()
    assert len(copy.tables["lists"]) == 1_200
    assert copy.rows() == shown(kit, client)


def test_a_batch_whose_handler_fails_is_not_lost(kit: Kit, tenant: Tenant) -> None:
    """Not even if the error looks like an outage, which is waited out."""
    client = kit.client(tenant)
    control("lists", workspace=tenant.workspace, count=600)
    copy = Copy(kit, client)
    failures = [ApiConnectionError("the receiving store is unavailable"), ApiConnectionError("again")]

    def upsert(change: Upsert[None]) -> None:
        if change.resource == "lists" and failures and len(copy.tables["lists"]) == (0 if len(failures) == 2 else 500):
            raise failures.pop()
        copy._upsert(change)

    copy.sync(upsert=kit.handler(upsert))
    assert (failures, len(copy.tables["lists"])) == ([], 600)
    with pytest.raises(OSError, match="disk full"):
        another = Copy(kit, client)
        another.sync(upsert=kit.handler(_disk_full))


def _disk_full(_: Any) -> None:
    raise OSError("disk full")


@pytest.mark.parametrize("kit", ["sync"], indirect=True)
def test_a_process_that_is_killed_at_random_moments_ends_with_the_exact_state(
    kit: Kit, tenant: Tenant, tmp_path: Path
) -> None:
    client = kit.client(tenant)
    control("lists", workspace=tenant.workspace, count=1_700)
    path = str(tmp_path / "copy.db")
    for number in range(3):
        made = control("application", workspace=tenant.workspace, email=f"person-{number}@example.org")["id"]
        kit.run(client.applications.move(made, stage_id=tenant.stages[1]))
        reader = Reader(tenant, "copy", path)
        reader.wait_for_batches(1 + number % 3)
        time.sleep(random.random() * 0.03)
        reader.kill()
    marker = kit.run(client.lists.create(name="Marker")).id
    database = sqlite3.connect(path)
    while not database.execute("select 1 from copied where id = ?", (marker,)).fetchone():
        Reader(tenant, "copy", path, once=True).finish()
    state: dict[str, list[Any]] = {name: [] for name in RESOURCES}
    for resource, row in database.execute("select resource, row from copied"):
        state[resource].append(json.loads(row))
    database.close()
    assert {name: _texts(rows) for name, rows in state.items()} == shown(kit, client)
    assert control("exports", workspace=tenant.workspace)["count"] == 1, "every run continued with the same export"
