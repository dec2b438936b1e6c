"""From an operation to the bytes of a request, and from a response to JSON. Nothing here does input or output."""

from __future__ import annotations

import json
import re
import uuid
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Any, Final, Mapping
from urllib.parse import quote, urlencode, urlsplit

from ._errors import UnexpectedResponseError
from ._version import API_VERSION, VERSION

API_PREFIX = "/api/partner/v1"


class NotGiven:
    """A body field that is left out. ``None`` is different: it clears the field."""

    def __repr__(self) -> str:
        return "NOT_GIVEN"

    def __bool__(self) -> bool:
        return False


NOT_GIVEN: Final = NotGiven()


@dataclass(frozen=True)
class Operation:
    """One call of an endpoint."""

    method: str
    #: template, such as ``/jobs/{job_handle}``
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    #: None is left out
    query: Mapping[str, Any] = field(default_factory=dict)
    #: NOT_GIVEN is left out; a body without any field is not sent
    body: Mapping[str, Any] | None = None
    #: a write: gets an Idempotency-Key, so that a retry cannot run it twice
    write: bool = False
    #: returns a file
    binary: bool = False
    idempotency_key: str | None = None
    timeout: float | None = None

    def with_query(self, **query: Any) -> Operation:
        return replace(self, query={**self.query, **query})

    def keyed(self) -> Operation:
        """With the Idempotency-Key that all attempts share."""
        if not self.write or self.idempotency_key is not None:
            return self
        return replace(self, idempotency_key=str(uuid.uuid4()))

    @property
    def repeatable(self) -> bool:
        """Whether it may be sent again after its response was lost."""
        return not self.write or self.idempotency_key is not None


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None = None
    timeout: float | None = None


@dataclass(frozen=True)
class Response:
    """A whole response, or the head of one whose body is read as a stream."""

    status: int
    #: names in lower case
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True)
class Settings:
    base_url: str
    workspace_id: str | None
    headers: Mapping[str, str]


def base_url_of(url: str) -> str:
    """The URL of the API. An origin alone gets the path of this version of the API."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise ValueError("base_url must be an http or https URL, such as https://hiring.example")
    path = parts.path.rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path or API_PREFIX}"


def api_key_of(key: str) -> str:
    if not re.fullmatch(r"[\x21-\x7e]+", key):
        raise ValueError("api_key must be the key itself, without spaces, quotes or line breaks")
    return key


def request_of(settings: Settings, operation: Operation, api_key: str) -> Request:
    headers = {
        "accept": "*/*" if operation.binary else "application/json",
        "user-agent": f"hiring-partner-sdk-python/{VERSION}",
        "service-api-version": API_VERSION,
        **{name.lower(): value for name, value in settings.headers.items()},
        "authorization": f"Bearer {api_key_of(api_key)}",
    }
    content = None
    body = body_of(operation.body)
    if body is not None:
        headers["content-type"] = "application/json"
        content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    if operation.write and operation.idempotency_key is not None:
        headers["idempotency-key"] = operation.idempotency_key
    query = {"workspace_id": settings.workspace_id, **_given(operation.query)}
    text = urlencode([(name, _query_text(value)) for name, value in query.items() if value is not None])
    url = url_of(settings.base_url, path_of(operation)) + (f"?{text}" if text else "")
    return Request(operation.method, url, headers, content, operation.timeout)


def url_of(base_url: str, path: str) -> str:
    """A path below the base URL (``/jobs``), or one of ``links`` (``/api/partner/v1/jobs/…``)."""
    if path.startswith(API_PREFIX + "/"):
        parts = urlsplit(base_url)
        return f"{parts.scheme}://{parts.netloc}{path}"
    return base_url + path


def path_of(operation: Operation) -> str:
    path = operation.path
    for name, value in operation.params.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a str, not {value!r}")
        # an empty handle would call the endpoint of the list, a dot that of the parent
        if value in ("", ".", ".."):
            raise ValueError(f"{name} must not be {value!r}")
        path = path.replace("{" + name + "}", quote(value, safe=""))
    return path


def body_of(body: Mapping[str, Any] | None) -> Any:
    """JSON values of a body. A body whose fields were all left out is sent as an empty object."""
    if body is None:
        return None
    return {name: _json(value) for name, value in body.items() if not isinstance(value, NotGiven)}


def _json(value: Any) -> Any:
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, Mapping):
        return {name: _json(item) for name, item in value.items() if not isinstance(item, NotGiven)}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_json(item) for item in value]
    return value


def _given(query: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in query.items() if value is not None}


def _query_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(_query_text(item) for item in value)
    return str(value)


def time_text(value: datetime) -> str:
    """RFC 3339 in UTC with milliseconds, the precision of the service. A time without a zone is refused, because the service would have to guess."""
    if value.tzinfo is None:
        raise ValueError("a datetime needs a time zone, such as datetime.now(timezone.utc)")
    return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def json_of(response: Response) -> Any:
    """The JSON of a response, or None for a body that is not JSON."""
    try:
        return json.loads(response.content)
    except ValueError:
        return None


def object_of(response: Response) -> dict[str, Any]:
    body = json_of(response)
    if not isinstance(body, dict):
        raise UnexpectedResponseError(
            "The response is not a JSON object; base_url may point to another server.", status=response.status
        )
    return body
