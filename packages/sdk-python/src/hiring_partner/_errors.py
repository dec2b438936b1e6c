"""Errors. Those of the API have one class for each code, in ``_generated``; here are their bases and all others."""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime
from typing import Any, ClassVar, Literal, Mapping

#: Whether a retry may succeed: never, after the stated wait, once, or only under a new Idempotency-Key.
Retry = Literal["no", "after_wait", "once", "with_new_key"]
SignatureReason = Literal["missing", "malformed", "expired", "no_match"]
GapReason = Literal["gap", "epoch_changed"]


class HiringError(Exception):
    """The base of every error of this package."""


class ApiConnectionError(HiringError):
    """No complete response arrived: the connection failed or was lost. A write may have been processed."""


class ApiTimeoutError(ApiConnectionError):
    """No response arrived in time. A write may have been processed."""


class UnexpectedResponseError(HiringError):
    """A response that is not one of the API, such as the page of a proxy."""

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status


class FieldFault:
    """One fault of a request: the parameter or body field, and what is wrong with it."""

    __slots__ = ("param", "message")

    def __init__(self, param: str, message: str) -> None:
        self.param, self.message = param, message

    def __repr__(self) -> str:
        return f"FieldFault({self.param!r}, {self.message!r})"


class ApiError(HiringError):
    """An error response of the API. Branch on the class or on ``code``; ``message`` is for people and may change."""

    _by_code: ClassVar[dict[str, type[ApiError]]] = {}
    _by_type: ClassVar[dict[str, type[ApiError]]] = {}
    retry: ClassVar[Retry] = "no"

    status: int
    code: str
    #: group of the code, such as ``conflict``
    type: str
    message: str
    #: the first parameter or body field at fault
    param: str | None
    #: every fault of the request
    errors: list[FieldFault]
    required_scope: str | None
    retry_after_seconds: float | None
    #: identifies the request in the service's log; include it when you ask for support
    request_id: str | None
    doc_url: str | None
    #: names in lower case
    headers: dict[str, str]
    #: the whole ``detail`` object, with fields that this version does not know
    detail: dict[str, Any]

    def __init_subclass__(cls, *, code: str | None = None, type: str | None = None, retry: Retry = "no") -> None:
        super().__init_subclass__()
        cls.retry = retry
        if code is not None:
            ApiError._by_code[code] = cls
        if type is not None:
            ApiError._by_type[type] = cls

    def __init__(
        self, status: int, detail: Mapping[str, Any], headers: Mapping[str, str]
    ) -> None:
        self.status = status
        self.headers = dict(headers)
        self.detail = dict(detail)
        #: ``http_<status>`` where a proxy responded and not the service
        self.code = str(detail.get("code"))
        self.type = str(detail.get("type") or "unknown")
        self.message = str(detail.get("message") or "")
        self.param = _text(detail.get("param"))
        self.errors = [
            FieldFault(str(fault.get("param")), str(fault.get("message")))
            for fault in detail.get("errors") or ()
            if isinstance(fault, Mapping)
        ]
        self.required_scope = _text(detail.get("required_scope"))
        waited = retry_after_of(headers)
        self.retry_after_seconds = _number(detail.get("retry_after_seconds")) if waited is None else waited
        self.request_id = _text(detail.get("request_id")) or headers.get("service-request-id")
        self.doc_url = _text(detail.get("doc_url"))
        super().__init__(f"{self.code}: {self.message} (status {status}, request {self.request_id})")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.status, self.detail, self.headers)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


class InvalidRequestError(ApiError, type="invalid_request", code="invalid_request"):
    """400, 405, 408, 413, 422: the request is wrong; ``errors`` lists every fault."""


class AuthenticationError(ApiError, type="authentication"):
    """401: the key is missing, unknown, expired or revoked."""


class PermissionDeniedError(ApiError, type="permission"):
    """403: the key may not do this; ``required_scope`` names a missing scope."""


class PaymentRequiredError(ApiError, type="payment_required"):
    """403: the workspace must unlock the record first."""


class NotFoundError(ApiError, type="not_found", code="not_found"):
    """404: no such record, or none that this key has access to."""


class ConflictError(ApiError, type="conflict"):
    """409: the request is valid but conflicts with the current state."""


class RateLimitError(ApiError, type="rate_limit", retry="after_wait"):
    """429: a rate limit, quota or budget is exhausted."""


class UnavailableError(ApiError, type="unavailable", retry="after_wait"):
    """429 or 503: a part of the service is unavailable. The request was not processed."""


class ServerError(ApiError, type="server", retry="once"):
    """500: a fault of the service."""


class SignatureError(HiringError):
    """A webhook that must not be trusted: respond with 400. No part of the secret or of the body is in the message."""

    def __init__(self, reason: SignatureReason, message: str) -> None:
        super().__init__(message)
        #: ``expired``: signed too long ago or in the future, so it may be replayed; or this machine's clock is wrong
        self.reason: SignatureReason = reason


class FeedGapError(HiringError):
    """Events are missing between the position of the reader and the feed: make a full copy, as ``client.sync`` does."""

    def __init__(self, reason: GapReason, *, after: int, next_after: int, epoch: str) -> None:
        super().__init__(
            "The service was restored from a backup. Make a full copy."
            if reason == "epoch_changed"
            else f"The feed has no events directly after {after}. Make a full copy."
        )
        #: ``gap``: the position is no longer in the log. ``epoch_changed``: the service was restored from a backup.
        self.reason: GapReason = reason
        #: the position of the reader
        self.after = after
        #: what the service returned: the end of the log and its epoch at this moment
        self.next_after, self.epoch = next_after, epoch


class ExportFailedError(HiringError):
    """The service could not write the export."""

    def __init__(self, export_id: str, status: str) -> None:
        super().__init__(f"Export {export_id} is {status}.")
        self.export_id, self.status = export_id, status


class CheckpointError(HiringError):
    """A stored checkpoint that cannot be read. It is never treated as missing, because that would repeat the whole feed."""


class CheckpointConflictError(CheckpointError):
    """Another process saved a position: two readers with one checkpoint would process events twice."""


def error_of(status: int, headers: Mapping[str, str], body: Any) -> ApiError:
    """The error of a response; a code that this version does not know gets the class of its type."""
    detail = body.get("detail") if isinstance(body, Mapping) else None
    if not isinstance(detail, Mapping) or not isinstance(detail.get("code"), str):
        message = f"HTTP status {status}, and the response is not one of the service. Check base_url and any proxy."
        return _by_status(status)(status, {"code": f"http_{status}", "message": message}, headers)
    cls = ApiError._by_code.get(detail["code"]) or ApiError._by_type.get(str(detail.get("type")))
    return (cls or _by_status(status))(status, detail, headers)


def _by_status(status: int) -> type[ApiError]:
    named = {401: AuthenticationError, 403: PermissionDeniedError, 404: NotFoundError, 409: ConflictError}
    if status == 429:
        return RateLimitError
    if status >= 500:
        return UnavailableError if status in (502, 503, 504) else ServerError
    return named.get(status, InvalidRequestError if status >= 400 else ApiError)


def retry_after_of(headers: Mapping[str, str]) -> float | None:
    """Seconds of ``Retry-After``, which is a number or a date."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit() and len(text) <= 12:
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError, IndexError):
        return None
