"""Retries, idempotency, errors, lists."""

from __future__ import annotations

import copy
import pickle
import time
import traceback
from datetime import datetime, timezone
from email.utils import formatdate
from typing import Any

import pytest
from conftest import Kit, Tenant, control, until
from network import Fault, Respond, refusal

from hiring_partner import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    Attempt,
    FeedGapError,
    HiringClient,
    NotFoundError,
    RateLimitError,
    errors,
    types,
)
from hiring_partner._policy import RetryPolicy


def test_retries_a_write_whose_response_is_lost_under_the_same_key_and_it_is_done_once(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant)
    kit.network.plan(["cut_request", "lose_response", "cut_body"])
    made = kit.run(client.lists.create(name="Made once"))
    keys = [request.headers["idempotency-key"] for request in kit.network.requests]
    assert (len(keys), len(set(keys))) == (4, 1)
    assert kit.waits == [0.375, 0.75, 1.5]
    kit.network.plan()
    assert [row.id for row in kit.each(client.lists.list()) if row.name == "Made once"] == [made.id]
    kit.run(client.lists.create(name="Another one"))
    assert kit.network.requests[-1].headers["idempotency-key"] != keys[0], "each call has a key of its own"
    kit.run(client.lists.create(name="A third one", idempotency_key="chosen-by-caller"))
    assert kit.network.requests[-1].headers["idempotency-key"] == "chosen-by-caller"


def test_gives_up_after_max_retries(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant, max_retries=2)
    kit.network.plan(lambda _, __: "cut_request")
    with pytest.raises(ApiConnectionError):
        kit.run(client.meta.get_me())
    assert len(kit.network.requests) == 3
    kit.network.plan(lambda _, __: "cut_request")
    with pytest.raises(ApiConnectionError):
        kit.run(client.with_options(max_retries=0).meta.get_me())
    assert len(kit.network.requests) == 1


def test_retries_statuses_of_proxies_and_names_the_page_of_a_proxy(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant)
    kit.network.plan([Respond(503), Respond(502), Respond(504)])
    assert kit.run(client.meta.get_me()).object == "credential"
    kit.network.plan(lambda _, __: Respond(404, body="<h1>Not here</h1>"))
    with pytest.raises(NotFoundError) as caught:
        kit.run(client.meta.get_me())
    assert (caught.value.status, caught.value.code, len(kit.network.requests)) == (404, "http_404", 1)
    kit.network.plan(lambda _, __: Respond(200, body="<h1>Sign in to the hotel</h1>"))
    with pytest.raises(errors.UnexpectedResponseError):
        kit.run(client.meta.get_me())


def test_waits_for_retry_after_up_to_the_ceiling(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant)
    kit.network.plan([refusal(429, "rate_limit_exceeded", "rate_limit", 17)])
    kit.run(client.meta.get_me())
    assert kit.waits == [17.5]
    kit.network.plan([Respond(503, {"retry-after": formatdate(time.time() + 9, usegmt=True)})])
    kit.run(client.meta.get_me())
    assert 7 < kit.waits[1] <= 10, "a date counts too"
    kit.network.plan(lambda _, __: refusal(429, "rate_limit_exceeded", "rate_limit", 61))
    with pytest.raises(RateLimitError) as caught:
        kit.run(client.meta.get_me())
    assert caught.value.retry_after_seconds == 61
    assert (len(kit.network.requests), len(kit.waits)) == (1, 2)
    kit.network.plan([refusal(429, "rate_limit_exceeded", "rate_limit", 61)])
    kit.run(client.with_options(max_retry_after=61).meta.get_me())
    assert kit.waits[2] == 61.5


def test_never_waits_for_a_daily_budget_or_the_monthly_quota(kit: Kit, tenant: Tenant) -> None:
    for code, kind, seconds in [
        ("personal_data_quota_exceeded", "rate_limit", 5),
        ("message_quota_exceeded", "rate_limit", 5),
        ("rate_limit_exceeded", "rate_limit", 30 * 86_400),
        ("too_many_pending_uploads", "rate_limit", 600),
        ("delivery_failed", "unavailable", 1),
    ]:
        kit.network.plan(lambda _, __: refusal(429, code, kind, seconds))
        with pytest.raises(ApiError) as caught:
            kit.run(kit.client(tenant).meta.get_me())
        assert (caught.value.code, len(kit.network.requests), kit.waits) == (code, 1, [])


def test_an_exhausted_budget_and_an_exhausted_month_of_the_service_are_raised(kit: Kit, tenant: Tenant) -> None:
    applicant = control("application", workspace=tenant.workspace, email="budget@example.org")["applicant_id"]
    client = kit.client(tenant)
    assert kit.run(client.applicants.get_contact_info(applicant)).emails
    control("exhaust_budget", workspace=tenant.workspace, key_id=tenant.key_id)
    with pytest.raises(errors.PersonalDataQuotaExceededError) as budget:
        kit.run(client.applicants.get_contact_info(applicant))
    assert budget.value.headers["service-personal-data-remaining"] == "0"

    limited = Tenant(control("tenant", plan="starter"))
    control("exhaust_month", workspace=limited.workspace)
    with pytest.raises(errors.RateLimitExceededError) as month:
        kit.run(kit.client(limited, max_retry_after=20).meta.get_me())
    assert (month.value.retry_after_seconds or 0) > 20 and kit.waits == []


def test_every_code_is_retried_as_the_catalogue_says() -> None:
    """The decision is the same code for both clients, so it needs no network."""
    policy = RetryPolicy(max_retries=4)
    daily = {"personal_data_quota_exceeded", "message_quota_exceeded"}
    assert len(ApiError._by_code) > 50
    for code, cls in ApiError._by_code.items():
        limited = issubclass(cls, (RateLimitError, errors.UnavailableError))
        error = cls(429 if limited else 400, {"code": code}, {"retry-after": "1"} if limited else {})
        waits = [
            policy.wait_before_retry(error, attempt=attempt, repeatable=True, random=lambda: 0.5)
            for attempt in range(1, 7)
        ]
        retries = 0 if code in daily else {"no": 0, "with_new_key": 0, "once": 1, "after_wait": 4}[cls.retry]
        assert [wait is not None for wait in waits] == [n < retries for n in range(6)], code
    lost = ApiConnectionError("lost")
    assert policy.wait_before_retry(lost, attempt=1, repeatable=False, random=lambda: 0.5) is None, "it may have happened"


@pytest.mark.parametrize("kit", ["sync"], indirect=True)
def test_a_real_rate_limit_of_the_service_asks_for_at_most_a_minute(kit: Kit) -> None:
    client = kit.client(Tenant(control("tenant", plan="none")), max_retries=0)
    with pytest.raises(errors.RateLimitExceededError) as caught:
        for _ in range(121):  # 60 in each of at most two windows
            kit.run(client.meta.get_me())
    assert (caught.value.retry_after_seconds or 99) <= 60


def test_an_attempt_without_a_response_ends_in_time(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant, max_retries=1, timeout=0.1)
    kit.network.plan(lambda _, __: "silence")
    with pytest.raises(ApiTimeoutError):
        kit.run(client.meta.get_me())
    assert len(kit.network.requests) == 2
    with pytest.raises(ApiTimeoutError):
        kit.run(kit.client(tenant, timeout=600, max_retries=0).meta.get_me(timeout=0.1))


def test_errors_have_a_class_by_code_with_fields_and_request_id(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant)
    with pytest.raises(errors.NotFoundError):
        kit.run(client.jobs.get("job_missing"))
    with pytest.raises(errors.UnauthenticatedError) as wrong:
        kit.run(kit.client(tenant, api_key="svc_live_wrong").meta.get_me())
    assert isinstance(wrong.value, errors.AuthenticationError) and "svc_live_wrong" not in str(wrong.value)
    with pytest.raises(errors.InvalidRequestError) as caught:
        kit.run(client.request("GET", "/jobs", query={"page": 2, "limit": 1000}))
    error = caught.value
    assert sorted(fault.param for fault in error.errors) == ["limit", "page"]
    assert (error.request_id or "").startswith("req_") and (error.doc_url or "").endswith("#invalid_request")
    restored = pickle.loads(pickle.dumps(error))
    assert (type(restored), restored.code, str(restored)) == (type(error), error.code, str(error))
    narrow = control("key", workspace=tenant.workspace, scopes=["jobs:read"])["api_key"]
    with pytest.raises(errors.InsufficientScopeError) as scope:
        kit.run(kit.client(tenant, api_key=narrow).lists.list().first_page())
    assert scope.value.required_scope == "lists:read"
    application = control("application", workspace=tenant.workspace, email="stale@example.org")["id"]
    with pytest.raises(errors.StaleResourceError):
        kit.run(
            client.applications.move(
                application,
                stage_id=tenant.stages[1],
                expected_updated_at=datetime(2020, 1, 1, tzinfo=timezone.utc),
            )
        )


def test_unknown_codes_types_fields_and_values_do_not_break(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant)
    kit.network.plan(lambda _, __: refusal(409, "invented_later", "conflict"))
    with pytest.raises(errors.ConflictError) as caught:
        kit.run(client.meta.get_me())
    assert (caught.value.code, len(kit.network.requests)) == ("invented_later", 1)
    kit.network.plan(lambda _, __: refusal(418, "invented_later", "a_new_type"))
    with pytest.raises(ApiError):
        kit.run(client.meta.get_me())

    kit.network.plan()
    job = kit.run(client.jobs.get(tenant.job_id))
    future = types.Job({**job.to_dict(), "status": "paused", "mood": {"level": 3}, "source": {"system": "x", "era": 1}})
    assert (future.status, future["mood"], getattr(future, "mood")) == ("paused", {"level": 3}, {"level": 3})
    assert (future.source.system, future.source["era"]) == ("x", 1)
    assert types.Job({"object": "job", "id": "job_1", "source": "a text"}).source == "a text", "another type than declared"
    with pytest.raises(AttributeError, match="no field 'title'"):
        types.Job({"object": "job", "id": "job_1"}).title


def test_objects_are_read_only_comparable_and_show_no_values(kit: Kit, tenant: Tenant) -> None:
    job = kit.run(kit.client(tenant).jobs.get(tenant.job_id))
    assert repr(job) == f"<Job {tenant.job_id}>"
    assert job == types.Job(job.to_dict()) and job != types.Job({**job.to_dict(), "title": "Other"})
    assert copy.deepcopy(job) == job and pickle.loads(pickle.dumps(job)) == job
    assert "title" in job and "title" in dir(job) and "title" in list(job)
    with pytest.raises(AttributeError):
        job.title = "Other"
    narrow = control("key", workspace=tenant.workspace, scopes=["jobs:read"])["api_key"]
    seen = kit.run(kit.client(tenant, api_key=narrow).jobs.get(tenant.job_id))
    assert "voice_screening.dial_in_code" in seen.restricted
    assert (seen.voice_screening.dial_in_code, "dial_in_code" in seen.voice_screening) == (None, False)


def test_lists_are_iterated_to_the_end_and_read_by_page(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant)
    made = {kit.run(client.lists.create(name=f"List {n}")).id for n in range(7)}
    first = kit.run(client.lists.list(limit=3).first_page())
    assert (len(first.data), first.has_more, first["object"]) == (3, True, "list")
    second = kit.run(client.lists.list(limit=3, cursor=first.next_cursor).first_page())
    assert {row.id for row in first}.isdisjoint(row.id for row in second)
    kit.network.plan(lambda _, n: "cut_body" if n % 2 == 0 else "none")
    seen = [row.id for row in kit.each(client.lists.list(limit=2))]
    assert len(seen) == 7 and set(seen) == made
    kit.network.plan()
    listing = client.lists.list()
    assert kit.network.requests == [], "nothing is requested before the list is used"
    assert len(kit.run(listing.to_list(limit=2))) == 2
    assert "limit=100" in kit.network.requests[0].path
    assert sum(1 for _ in kit.each(listing)) == sum(1 for _ in kit.each(listing)) == 7, "it can be iterated again"
    assert [len(page) for page in kit.each(client.lists.list(limit=4).pages())] == [4, 3]


def test_query_values_are_written_as_the_service_reads_them(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant)
    after = datetime(2020, 1, 1, tzinfo=timezone.utc)
    rows = kit.run(
        client.jobs.list(
            status=["draft", "published"], include_unpublished=True, updated_after=after, q="Engineer & Größe"
        ).to_list()
    )
    assert rows == []
    path = kit.network.requests[0].path
    assert "status=draft%2Cpublished" in path and "include_unpublished=true" in path
    assert "updated_after=2020-01-01T00%3A00%3A00.000Z" in path and "q=Engineer+%26+Gr%C3%B6%C3%9Fe" in path
    assert [job.id for job in kit.each(client.jobs.list(status="published"))] == [tenant.job_id]
    with pytest.raises(ValueError, match="time zone"):
        kit.run(client.jobs.list(updated_after=datetime(2020, 1, 1)).to_list())
    for handle in ("", ".", ".."):
        with pytest.raises(ValueError, match="job_handle"):
            kit.run(client.jobs.get(handle))
    with pytest.raises(TypeError, match="job_handle must be a str, not None"):
        kit.run(client.jobs.get(None))
    with pytest.raises(errors.NotFoundError):
        kit.run(client.jobs.get("../me"))
    assert kit.network.requests[-1].path.endswith("/jobs/..%2Fme")


def test_null_clears_a_field_and_a_field_that_is_left_out_is_not_sent(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant)
    source: types.PushJobSource = {"system": "acme_ats", "external_id": "1"}
    pushed = kit.run(client.jobs.push(source=source, title="Welder", department="Yard"))
    assert kit.run(client.jobs.push(source=source, title="Welder")).department == "Yard"
    assert kit.run(client.jobs.push(source=source, title="Welder", department=None)).department is None
    assert kit.run(client.jobs.get_by_slug(pushed.slug)).id == pushed.id


def test_the_feed_is_iterated_in_order_and_never_behind_a_gap(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant)
    published = tenant.publish(5)
    events = list(kit.each(client.events.list(limit=2)))
    assert [event.id for event in events] == published
    assert all(isinstance(event, types.JobUpdatedEvent) for event in events)
    assert kit.run(client.events.get(published[0])) == events[0]
    end = kit.run(client.events.end())
    assert (end.after, len(end.epoch or "")) == (events[-1].sequence, 32)
    page = kit.run(client.events.list(after=1_000_000).first_page())
    assert (page.gap, page.next_after, len(page)) == (True, end.after, 0), "a single page shows the gap"
    with pytest.raises(FeedGapError) as caught:
        list(kit.each(client.events.list(after=1_000_000)))
    assert (caught.value.reason, caught.value.after, caught.value.next_after) == ("gap", 1_000_000, end.after)


def test_tail_yields_new_events_waits_out_an_outage_and_stops(kit: Kit, tenant: Tenant) -> None:
    outages: list[Any] = []
    client = kit.client(tenant, max_retries=0)
    tenant.publish(2)
    end = kit.run(client.events.end())
    events = kit.each(client.events.tail(after=end.after, epoch=end.epoch, on_outage=lambda *seen: outages.append(seen)))
    published = tenant.publish(1)
    assert next(events).id == published[-1]
    kit.network.plan(["cut_request", "cut_request", Respond(503), refusal(429, "datastore_unavailable", "unavailable", 2)])
    published = tenant.publish(1)
    assert next(events).id == published[-1]
    assert len(outages) == 4 and outages[-1][1] == 6.0
    assert [event.id for event in kit.each(client.events.tail(once=True))] == published


def test_the_client_reports_attempts_without_personal_data(kit: Kit, tenant: Tenant) -> None:
    attempts: list[Attempt] = []
    client = kit.client(tenant, on_attempt=attempts.append)
    kit.network.plan([Respond(503)])
    with pytest.raises(errors.NotFoundError):
        kit.run(client.people.resolve(email="missing@example.org"))
    assert [(a.path, a.attempt, a.status, a.retry_in) for a in attempts] == [
        ("/people/resolve", 1, 503, 0.375),
        ("/people/resolve", 2, 404, None),
    ]
    assert attempts[1].request_id and "ratelimit-remaining" in attempts[1].headers
    assert "missing" not in repr(attempts)


def test_no_log_line_and_no_error_contains_a_query(kit: Kit, tenant: Tenant, caplog: pytest.LogCaptureFixture) -> None:
    client = kit.client(tenant)
    email = "private.person@example.org"
    with caplog.at_level("INFO"):
        with pytest.raises(errors.NotFoundError) as missing:
            kit.run(client.people.resolve(email=email))
        kit.network.plan(lambda _, __: Respond(308, {"location": "https://elsewhere.example/?email=private.person"}))
        with pytest.raises(errors.UnexpectedResponseError) as moved:
            kit.run(client.people.resolve(email=email))
        kit.network.plan(lambda _, __: "cut_request")
        with pytest.raises(ApiConnectionError) as lost:
            kit.run(client.people.resolve(email=email))
        kit.network.plan()
        kit.run(client.uploads.send(b"text", content_type="text/plain"))
    assert "/people/resolve" in caplog.text and "private.person" not in caplog.text and "?" not in caplog.text
    for error in (missing, moved, lost):
        assert "private.person" not in "".join(traceback.format_exception_only(error.type, error.value))


def test_settings_are_checked_and_redirects_are_not_followed(kit: Kit, tenant: Tenant) -> None:
    for base_url in ("hiring.example", "ftp://hiring.example", "https://hiring.example/?a=1"):
        with pytest.raises(ValueError, match="base_url"):
            kit.client(tenant, base_url=base_url)
    for api_key in ("", "svc key", '"svc"\n'):
        with pytest.raises(ValueError, match="api_key"):
            kit.client(tenant, api_key=api_key)
    client = kit.client(tenant)
    assert tenant.api_key not in repr(client)
    kit.network.plan(lambda _, __: Respond(301, {"location": "https://elsewhere.example/"}))
    with pytest.raises(errors.UnexpectedResponseError, match="redirected to https://elsewhere.example/"):
        kit.run(client.meta.get_me())
    assert len(kit.network.requests) == 1
    kit.network.plan()
    prefixed = kit.client(tenant, base_url=f"{kit.network.origin}/api/partner/v1/", api_key=lambda: tenant.api_key)
    assert kit.run(prefixed.request("GET", "/api/partner/v1/me"))["object"] == "credential"
    assert kit.run(client.for_workspace(tenant.workspace).meta.get_me()).object == "credential"
    assert kit.network.requests[-1].path == f"/api/partner/v1/me?workspace_id={tenant.workspace}"


def test_clients_close_their_connections(tenant: Tenant, kit: Kit) -> None:
    if kit.is_async:
        client = kit.client(tenant)
        kit.run(client.__aenter__())
        kit.run(client.meta.get_me())
        kit.run(client.__aexit__())
    else:
        with HiringClient(base_url=kit.network.origin, api_key=tenant.api_key) as client:
            client.meta.get_me()
    assert client._http.is_closed


def test_a_file_is_uploaded_in_one_call_also_over_a_faulty_network(kit: Kit, tenant: Tenant, tmp_path: Any) -> None:
    client = kit.client(tenant)
    path = tmp_path / "résumé.txt"
    path.write_bytes(b"Ada Byron\nEngineer\n")
    plans: list[list[Fault]] = [[], ["lose_response", "none", "cut_request"], ["none", "lose_response"], ["none", Respond(503)]]
    for faults in plans:
        kit.network.plan(faults)
        upload = kit.run(client.uploads.send(path))
        assert (upload.content_type, upload.size_bytes) == ("text/plain", 19)
        puts = [request for request in kit.network.requests if request.method == "PUT"]
        assert puts and all("authorization" not in request.headers for request in puts)
    application = kit.run(
        client.applications.create(
            job_id=tenant.job_id,
            candidate={"first_name": "Ada", "last_name": "Byron", "email": "upload@example.org"},
            source={"system": "acme_ats"},
            resume_upload_id=upload.upload_id,
        )
    )
    until(
        "a parsed résumé",
        lambda: kit.run(client.applications.get_resume(application.id)).parse_status not in ("pending", "parsing"),
    )
    with open(path, "rb") as opened:
        assert kit.run(client.uploads.send(opened)).size_bytes == 19
    assert kit.run(client.uploads.send(b"%PDF-1.4", content_type="application/pdf")).content_type == "application/pdf"
    with pytest.raises(ValueError, match="content_type"):
        kit.run(client.uploads.send(b"bytes"))
    with pytest.raises(errors.InvalidUploadError):
        kit.run(client.uploads.send(b"bytes", content_type="image/png"))


def test_with_response_gives_status_headers_and_request_id_of_a_call(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant)
    me = kit.run(client.with_response(client.meta.get_me))
    assert (me.status, me.data.object, me.replayed) == (200, "credential", False)
    assert int(me.headers["ratelimit-remaining"]) > 0
    assert me.request_id == me.headers["service-request-id"]
    page = kit.run(client.with_response(client.lists.list(limit=1).first_page))
    assert page.data["object"] == "list" and page.status == 200
    made = [
        kit.run(client.with_response(client.lists.create, name="Headroom", idempotency_key="headroom-0001")) for _ in "ab"
    ]
    assert [one.replayed for one in made] == [False, True]
    assert made[0].data.id == made[1].data.id


def test_with_response_raises_the_error_of_the_call(kit: Kit, tenant: Tenant) -> None:
    client = kit.client(tenant)
    with pytest.raises(NotFoundError):
        kit.run(client.with_response(client.jobs.get, "job_unknown"))
