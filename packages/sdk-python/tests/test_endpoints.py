"""Every endpoint, by the description of the API; and a walk through the main ones, which mypy checks too."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote, urlsplit

from conftest import ORIGIN, Kit, Tenant, control
from network import Respond

from hiring_partner import AsyncHiringClient, HiringClient
from hiring_partner.types import Application, Job, JobSummary

DESCRIPTION = json.loads((Path(__file__).parents[3] / "openapi.json").read_text(encoding="utf-8"))
PAGE = Respond(
    200,
    {"content-type": "application/json"},
    json.dumps({"object": "list", "data": [], "has_more": False, "next_cursor": None}),
)


def _methods(client: Any) -> dict[str, Any]:
    """The methods of all namespaces by their name, such as ``jobs.list``."""
    return {
        f"{namespace}.{name}": method
        for namespace, resource in vars(client).items()
        if hasattr(resource, "_client")
        for name, method in inspect.getmembers(resource, callable)
        if not name.startswith("_")
    }


def _value(name: str) -> Any:
    """Something for a parameter that must be given; the service does not see it."""
    return {"size_bytes": 1}.get(name, name)


def test_every_operation_has_a_method_that_makes_exactly_its_call(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant, workspace_id=tenant.workspace)
    # those that combine several requests have no Operation of their own
    by_call = {_operation_of(method): method for method in _methods(client).values() if _operation_of(method)}
    kit.network.plan(lambda _, __: PAGE)
    expected: list[tuple[str, str, bool]] = []
    for path, verbs in DESCRIPTION["paths"].items():
        for verb, operation in verbs.items():
            names = re.findall(r"{(\w+)}", path)
            called = re.sub(r"{(\w+)}", lambda found: quote(f"{found[1]}/ü", safe=""), path)
            text = json.dumps(operation.get("parameters", []))
            expected.append((verb.upper(), f"/api/partner/v1{called}", "Idempotency-Key" in text or "idempotency" in text))
            method = by_call[verb.upper(), path]
            parameters = inspect.signature(method).parameters.values()
            given = {
                parameter.name: _value(parameter.name)
                for parameter in parameters
                if parameter.kind is parameter.KEYWORD_ONLY and parameter.default is parameter.empty
            }
            result = method(*(f"{name}/ü" for name in names), **given)
            kit.run(result.first_page() if hasattr(result, "first_page") else result)
    assert len(expected) > 90
    assert [
        (request.method, urlsplit(request.path).path, "idempotency-key" in request.headers)
        for request in kit.network.requests
    ] == expected
    for request in kit.network.requests:
        assert f"workspace_id={tenant.workspace}" in request.path
        assert request.headers["service-api-version"] == DESCRIPTION["info"]["version"]


def _operation_of(method: Any) -> tuple[str, str] | None:
    """What a generated method calls, from its source: the first two texts of its Operation."""
    found = re.search(r'Operation\(\s*"(\w+)",\s*"([^"]+)"', inspect.getsource(method))
    return (found[1], found[2]) if found else None


def test_both_clients_have_the_same_methods_with_the_same_parameters() -> None:
    one = HiringClient(base_url=ORIGIN, api_key="key")
    other = AsyncHiringClient(base_url=ORIGIN, api_key="key")
    names, others = _methods(one), _methods(other)
    assert names.keys() == others.keys() and len(names) > 90
    for name, method in names.items():
        assert list(inspect.signature(method).parameters) == list(inspect.signature(others[name]).parameters), name
        assert method.__doc__, f"{name} is documented"


def test_jobs_applications_lists_and_people_work_against_the_service() -> None:
    tenant = Tenant(control("tenant", plan="enterprise"))
    with HiringClient(base_url=ORIGIN, api_key=tenant.api_key) as client:
        assert client.meta.get_me().workspace_ids == [tenant.workspace]
        job: Job = client.jobs.push(
            source={"system": "acme_ats", "external_id": "req-1"},
            title="Welder",
            content={"summary": "Join metals."},
            publish=True,
        )
        assert job.status == "published"
        found: list[JobSummary] = client.jobs.list(status=["published", "closed"], q="weld").to_list()
        assert [row.id for row in found] == [job.id]
        resume = client.uploads.send(b"Ada Example\nWelder for 7 years", filename="ada.txt")
        application: Application = client.applications.create(
            job_id=job.id,
            candidate={"first_name": "Ada", "last_name": "Example", "email": "ada@example.org"},
            source={"system": "acme_ats", "external_id": "cand-1"},
            resume_upload_id=resume.upload_id,
        )
        assert application.has_resume
        screen = next(stage for stage in client.jobs.list_pipeline_stages(job.id) if stage.type == "screen")
        assert client.applications.move(application.id, stage_id=screen.id).stage_id == screen.id
        client.applications.create_note(application.id, body="Call on Monday.")
        assert len(client.applications.list_notes(application.id).to_list()) == 1
        assert client.applications.hire(application.id).status == "hired"
        contact = client.applicants.get_contact_info(cast(str, application.applicant_id))
        assert [email.value for email in contact.emails or ()] == ["ada@example.org"]
        people = client.people.resolve_batch(keys=[{"kind": "email", "value": value} for value in ("ada@example.org", "no@example.org")])
        assert [row.person is not None for row in people] == [True, False]
        welders = client.lists.create(name="Welders")
        assert client.lists.list_members(welders.id).to_list() == []
        assert client.jobs.close(job.id).status == "closed"
        assert list(client.suppressions.list()) == []
        assert client.pool.search(query="welder").data == []
        assert client.meta.get_openapi()["openapi"].startswith("3.")
        assert client.analytics.get_hiring_funnel().totals.applications == 1
