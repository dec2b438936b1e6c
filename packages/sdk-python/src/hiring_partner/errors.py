# Generated from openapi.json by `npm run generate`. Do not edit.
"""Every error of this package: one class for each code of the API, below the class of its type."""

from typing import Literal

from ._errors import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    AuthenticationError,
    CheckpointConflictError,
    CheckpointError,
    ConflictError,
    ExportFailedError,
    FeedGapError,
    FieldFault,
    HiringError,
    InvalidRequestError,
    NotFoundError,
    PaymentRequiredError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    SignatureError,
    UnavailableError,
    UnexpectedResponseError,
)

__all__ = [
    "ApiConnectionError", "ApiError", "ApiTimeoutError", "AuthenticationError", "CheckpointConflictError",
    "CheckpointError", "ConflictError", "ExportFailedError", "FeedGapError", "FieldFault", "HiringError",
    "InvalidRequestError", "NotFoundError", "PaymentRequiredError", "PermissionDeniedError",
    "RateLimitError", "ServerError", "SignatureError", "UnavailableError", "UnexpectedResponseError",
    "ErrorCode", "InvalidCursorError", "InvalidTimestampError", "WorkspaceIdRequiredError",
    "UnpublishedRequiresOptInError", "UnknownEventTypeError", "NotAnIdentityError",
    "ResultWindowExceededError", "UnsupportedSourceSystemError", "InvalidIdempotencyKeyError",
    "IdempotencyKeyRequiredError", "InvalidStageError", "InvalidEventTypeError",
    "EventTypeNotPermittedError", "WebhookUrlNotAllowedError", "InvalidUploadError",
    "CandidateUrlNotAllowedError", "UnknownAnswerFieldError", "DuplicateAnswerFieldError",
    "InvalidAnswerValueError", "AnswerFieldNotAcceptedError", "AnswerFieldReservedError",
    "MissingRequiredAnswersError", "UploadNotFoundError", "ResumeRejectedError", "PayloadTooLargeError",
    "RequestTimeoutError", "MethodNotAllowedError", "UnauthenticatedError", "InsufficientScopeError",
    "TestWorkspaceRequiredError", "WriteRequiresApiKeyError", "WebhooksSelfServeDisabledError",
    "ResumeLockedError", "JobModifiedConcurrentlyError", "InvalidJobTransitionError", "StaleResourceError",
    "ApplicationModifiedConcurrentlyError", "InvalidApplicationStateError", "InvalidOrderStateError",
    "PackageNotAvailableError", "OrderLimitReachedError", "IdempotencyKeyReusedError",
    "IdempotencyInFlightError", "RecipientUnsubscribedError", "SenderEmailMissingError",
    "JobNotAcceptingApplicationsError", "ApplicantSuppressedError", "ApplicantUnsubscribedError",
    "CandidateConsentRequiredError", "UploadAlreadyUsedError", "UploadNotCompletedError",
    "ApplicationConflictError", "WebhookEndpointExistsError", "WebhookEndpointLimitReachedError",
    "WebhookEndpointDisabledError", "JobNotPublishableError", "RateLimitExceededError",
    "PersonalDataQuotaExceededError", "MessageQuotaExceededError", "TooManyPendingUploadsError",
    "SuppressionCheckUnavailableError", "LimiterUnavailableError", "DatastoreUnavailableError",
    "PoolSearchUnavailableError", "DeliveryFailedError", "InternalError",
]

ErrorCode = Literal[
    "invalid_request", "invalid_cursor", "invalid_timestamp", "workspace_id_required",
    "unpublished_requires_opt_in", "unknown_event_type", "not_an_identity", "result_window_exceeded",
    "unsupported_source_system", "invalid_idempotency_key", "idempotency_key_required", "invalid_stage",
    "invalid_event_type", "event_type_not_permitted", "webhook_url_not_allowed", "invalid_upload",
    "candidate_url_not_allowed", "unknown_answer_field", "duplicate_answer_field", "invalid_answer_value",
    "answer_field_not_accepted", "answer_field_reserved", "missing_required_answers", "upload_not_found",
    "resume_rejected", "payload_too_large", "request_timeout", "method_not_allowed", "unauthenticated",
    "insufficient_scope", "test_workspace_required", "write_requires_api_key",
    "webhooks_self_serve_disabled", "resume_locked", "not_found", "job_modified_concurrently",
    "invalid_job_transition", "stale_resource", "application_modified_concurrently",
    "invalid_application_state", "invalid_order_state", "package_not_available", "order_limit_reached",
    "idempotency_key_reused", "idempotency_in_flight", "recipient_unsubscribed", "sender_email_missing",
    "job_not_accepting_applications", "applicant_suppressed", "applicant_unsubscribed",
    "candidate_consent_required", "upload_already_used", "upload_not_completed", "application_conflict",
    "webhook_endpoint_exists", "webhook_endpoint_limit_reached", "webhook_endpoint_disabled",
    "job_not_publishable", "rate_limit_exceeded", "personal_data_quota_exceeded", "message_quota_exceeded",
    "too_many_pending_uploads", "suppression_check_unavailable", "limiter_unavailable",
    "datastore_unavailable", "pool_search_unavailable", "delivery_failed", "internal_error",
]


class InvalidCursorError(InvalidRequestError, code="invalid_cursor", retry="no"):
    """400: The cursor is not valid for this request.

    The message says why. Start again from the first page; send a cursor with the same key, path and
    filters, within one hour.
    """


class InvalidTimestampError(InvalidRequestError, code="invalid_timestamp", retry="no"):
    """400: A time filter is not an RFC 3339 timestamp.

    Send a timestamp such as 2026-11-01T00:00:00Z.
    """


class WorkspaceIdRequiredError(InvalidRequestError, code="workspace_id_required", retry="no"):
    """400: This key has access to several workspaces, and the request names none.

    Add ?workspace_id=<wsp_ handle>; GET /workspaces lists the handles.
    """


class UnpublishedRequiresOptInError(InvalidRequestError, code="unpublished_requires_opt_in", retry="no"):
    """400: Draft jobs were requested without include_unpublished=true.

    Add include_unpublished=true.
    """


class UnknownEventTypeError(InvalidRequestError, code="unknown_event_type", retry="no"):
    """400: A name in `type` is not an event type.

    Use names from the event catalogue.
    """


class NotAnIdentityError(InvalidRequestError, code="not_an_identity", retry="no"):
    """400: The email address is shared by several people and does not identify one person.

    Resolve a personal email address or a LinkedIn URL.
    """


class ResultWindowExceededError(InvalidRequestError, code="result_window_exceeded", retry="no"):
    """400: This listing was paged deeper than 10000 rows.

    Narrow the filters, for example with updated_after and updated_before, and start a new listing.
    """


class UnsupportedSourceSystemError(InvalidRequestError, code="unsupported_source_system", retry="no"):
    """400: source.system is malformed or reserved.

    Send your own system name: 2 to 40 characters from a-z, 0-9 and _.
    """


class InvalidIdempotencyKeyError(InvalidRequestError, code="invalid_idempotency_key", retry="no"):
    """400: The Idempotency-Key header must be 8 to 255 characters from A-Z a-z 0-9 . _ : ~ -

    Use a UUID, for example.
    """


class IdempotencyKeyRequiredError(InvalidRequestError, code="idempotency_key_required", retry="no"):
    """400: This call needs an Idempotency-Key header.

    Send a new unique key for each operation, and the same key for its retries.
    """


class InvalidStageError(InvalidRequestError, code="invalid_stage", retry="no"):
    """400: The stage cannot be used here.

    Read the stages of this job or list and use one of them.
    """


class InvalidEventTypeError(InvalidRequestError, code="invalid_event_type", retry="no"):
    """400: A name in event_types is not in the event catalogue.

    Use names from the event catalogue; `errors` lists every unknown name with the closest match.
    """


class EventTypeNotPermittedError(InvalidRequestError, code="event_type_not_permitted", retry="no"):
    """400: The key lacks the read scope of a requested event type.

    Leave the type out, or use a key that has its scope.
    """


class WebhookUrlNotAllowedError(InvalidRequestError, code="webhook_url_not_allowed", retry="no"):
    """400: The webhook URL breaks the rules for endpoint URLs.

    Use an https URL on port 443 or 8443 whose host name resolves only to public IP addresses. To receive
    events on your own machine, run `hiring-partner listen --forward-to http://localhost:3000/webhooks`, or
    `npx hiring listen` in a checkout: it needs an API key and no endpoint, and the guide Webhooks says
    where to get it. A service with demo data that listens on a loopback address also accepts
    `http://localhost` URLs. For other private hosts, the operator sets WEBHOOK_ALLOW_HOSTS (and WEBHOOK_CA
    for a certificate authority of your own).
    """


class InvalidUploadError(InvalidRequestError, code="invalid_upload", retry="no"):
    """400: The file type or size is not accepted.

    Send a PDF, DOCX, DOC, RTF or TXT file of at most 5 MB.
    """


class CandidateUrlNotAllowedError(InvalidRequestError, code="candidate_url_not_allowed", retry="no"):
    """400: The link for the candidate does not lead to the host of the package.

    Send a link on `candidate_host` and without a port. To use another host, publish the package with it.
    """


class UnknownAnswerFieldError(InvalidRequestError, code="unknown_answer_field", retry="no"):
    """400: An answer names a question that is not on the form.

    Use the field ids of GET /jobs/{job_handle}/application-form; the message lists them.
    """


class DuplicateAnswerFieldError(InvalidRequestError, code="duplicate_answer_field", retry="no"):
    """400: A question is answered twice.

    Send one answer for each question.
    """


class InvalidAnswerValueError(InvalidRequestError, code="invalid_answer_value", retry="no"):
    """400: An answer has the wrong format or is not one of the options.

    Send the format and the options that the application form declares.
    """


class AnswerFieldNotAcceptedError(InvalidRequestError, code="answer_field_not_accepted", retry="no"):
    """400: This question cannot be answered through the API.

    Leave the answer out: equal-opportunity questions, consent boxes, section headers, file and résumé
    fields are not accepted.
    """


class AnswerFieldReservedError(InvalidRequestError, code="answer_field_reserved", retry="no"):
    """400: Name, email, phone and LinkedIn questions are not answered here.

    Send these values in `candidate`.
    """


class MissingRequiredAnswersError(InvalidRequestError, code="missing_required_answers", retry="no"):
    """400: Required questions are not answered.

    Answer each question that `errors` names.
    """


class UploadNotFoundError(InvalidRequestError, code="upload_not_found", retry="no"):
    """400: The upload is unknown or has expired.

    Reserve a new upload and send the file within 15 minutes.
    """


class ResumeRejectedError(InvalidRequestError, code="resume_rejected", retry="no"):
    """400: The uploaded file is empty or larger than 5 MB. The upload id cannot be used again.

    Reserve a new upload with a valid file.
    """


class PayloadTooLargeError(InvalidRequestError, code="payload_too_large", retry="no"):
    """413: The request body is larger than 256 KB.

    Send a smaller body.
    """


class RequestTimeoutError(InvalidRequestError, code="request_timeout", retry="once"):
    """408: The request did not arrive in time.

    Send the complete request without a pause. It was not processed, so you can retry it.
    """


class MethodNotAllowedError(InvalidRequestError, code="method_not_allowed", retry="no"):
    """405: This path does not accept this method.

    Use a method from the Allow header.
    """


class UnauthenticatedError(AuthenticationError, code="unauthenticated", retry="no"):
    """401: The request has no valid API key. Send it as `Authorization: Bearer <API_KEY>`.

    Send `Authorization: Bearer ` and the key: no X-Api-Key header, no bare key, no Basic authentication, no
    query parameter, no quotes. Check that the key is complete, not revoked or expired, and used from an
    allowed IP address.
    """


class InsufficientScopeError(PermissionDeniedError, code="insufficient_scope", retry="no"):
    """403: The key lacks the scope that this call needs.

    Use a key that has `required_scope`. Scopes are fixed when a key is created.
    """


class TestWorkspaceRequiredError(PermissionDeniedError, code="test_workspace_required", retry="no"):
    """403: This call exists in test workspaces only.

    Use a key of a test workspace. `hiring workspaces create --test` creates one, and so do owners and
    admins in the console.
    """


class WriteRequiresApiKeyError(PermissionDeniedError, code="write_requires_api_key", retry="no"):
    """403: Writes need an API key that belongs to a user.

    Use a key created by a user. Access tokens of the sign-in flow can write only if the workspace allows
    it, and cannot manage webhook endpoints.
    """


class WebhooksSelfServeDisabledError(PermissionDeniedError, code="webhooks_self_serve_disabled", retry="no"):
    """403: This workspace does not allow API keys to register, change or enable webhook endpoints.

    Ask an owner or admin of the workspace to register the endpoint in the console, or to allow it for keys
    in the settings.
    """


class ResumeLockedError(PaymentRequiredError, code="resume_locked", retry="no"):
    """403: The résumé is not available in its current access state.

    The workspace can unlock it in the product; `unlock_credits` is the price.
    """


class JobModifiedConcurrentlyError(ConflictError, code="job_modified_concurrently", retry="once"):
    """409: The job changed during this request.

    Read the job again and retry the push.
    """


class InvalidJobTransitionError(ConflictError, code="invalid_job_transition", retry="no"):
    """409: The job cannot make this transition from its current status.

    Read the job and choose a transition that its status allows.
    """


class StaleResourceError(ConflictError, code="stale_resource", retry="no"):
    """409: The record changed after expected_updated_at; nothing was changed.

    Read the record again, check whether your change still applies, and send its new updated_at.
    """


class ApplicationModifiedConcurrentlyError(ConflictError, code="application_modified_concurrently", retry="once"):
    """409: Another request is changing this application.

    Read the application again and retry the call.
    """


class InvalidApplicationStateError(ConflictError, code="invalid_application_state", retry="no"):
    """409: The application cannot make this transition from its current status.

    Only open applications can be rejected or hired, and only rejected ones can be reopened.
    """


class InvalidOrderStateError(ConflictError, code="invalid_order_state", retry="no"):
    """409: The order does not allow this in its current status.

    Read the order and send what its status allows.
    """


class PackageNotAvailableError(ConflictError, code="package_not_available", retry="no"):
    """409: The package cannot be ordered.

    Read the packages with `status=active` and order one of them.
    """


class OrderLimitReachedError(ConflictError, code="order_limit_reached", retry="no"):
    """409: The limit of orders or packages is reached.

    Use the orders or packages that exist. A package that is published again with its `external_id` is
    changed and counts once.
    """


class IdempotencyKeyReusedError(ConflictError, code="idempotency_key_reused", retry="no"):
    """409: This Idempotency-Key was used with a different body.

    Use a new key for a different request.
    """


class IdempotencyInFlightError(ConflictError, code="idempotency_in_flight", retry="after_wait"):
    """409: The first request with this Idempotency-Key is still running.

    Wait a moment and retry the same request.
    """


class RecipientUnsubscribedError(ConflictError, code="recipient_unsubscribed", retry="no"):
    """409: This person must not be emailed.

    Do not retry.
    """


class SenderEmailMissingError(ConflictError, code="sender_email_missing", retry="no"):
    """409: The user that this key belongs to has no valid email address.

    Use the key of a user with an email address.
    """


class JobNotAcceptingApplicationsError(ConflictError, code="job_not_accepting_applications", retry="no"):
    """409: The job is not published or does not accept applications.

    Read the job: status must be published and accept_applications true.
    """


class ApplicantSuppressedError(ConflictError, code="applicant_suppressed", retry="no"):
    """409: This person was erased or asked that processing stop. Nothing was created or changed.

    Do not retry.
    """


class ApplicantUnsubscribedError(ConflictError, code="applicant_unsubscribed", retry="no"):
    """409: This person unsubscribed in this workspace; nothing was created.

    Do not retry.
    """


class CandidateConsentRequiredError(ConflictError, code="candidate_consent_required", retry="no"):
    """409: The form has a required consent box that only the candidate can tick.

    Send the candidate to the public application page.
    """


class UploadAlreadyUsedError(ConflictError, code="upload_already_used", retry="no"):
    """409: The upload was already used.

    Reserve a new upload.
    """


class UploadNotCompletedError(ConflictError, code="upload_not_completed", retry="no"):
    """409: No file has arrived at the upload URL yet.

    PUT the file to upload.url, then retry the call.
    """


class ApplicationConflictError(ConflictError, code="application_conflict", retry="once"):
    """409: The application was created at the same time and could not be read back.

    Retry the call.
    """


class WebhookEndpointExistsError(ConflictError, code="webhook_endpoint_exists", retry="no"):
    """409: This key already registered this URL in this workspace.

    Update the existing endpoint.
    """


class WebhookEndpointLimitReachedError(ConflictError, code="webhook_endpoint_limit_reached", retry="no"):
    """409: The limit of webhook endpoints is reached.

    Disable endpoints that you no longer use. At 100 in total, change the URL of a disabled endpoint and
    enable it.
    """


class WebhookEndpointDisabledError(ConflictError, code="webhook_endpoint_disabled", retry="no"):
    """409: The webhook endpoint is disabled.

    Enable it first.
    """


class JobNotPublishableError(InvalidRequestError, code="job_not_publishable", retry="no"):
    """422: The job is not ready to be published.

    Fix each entry in `errors`.
    """


class RateLimitExceededError(RateLimitError, code="rate_limit_exceeded", retry="after_wait"):
    """429: A rate limit, the monthly quota or the limit of exports is exceeded.

    Wait Retry-After seconds. Spread your requests, or upgrade the plan.
    """


class PersonalDataQuotaExceededError(RateLimitError, code="personal_data_quota_exceeded", retry="after_wait"):
    """429: The daily budget of personal-data reads does not cover this response.

    Wait until midnight UTC, or request fewer values. `Service-Personal-Data-Remaining` is the number of
    values left.
    """


class MessageQuotaExceededError(RateLimitError, code="message_quota_exceeded", retry="after_wait"):
    """429: The daily message cap of this key is reached.

    Wait until midnight UTC.
    """


class TooManyPendingUploadsError(RateLimitError, code="too_many_pending_uploads", retry="after_wait"):
    """429: The workspace has 500 uploads that are not attached yet.

    Attach uploads, or wait until they expire, one hour after they were reserved.
    """


class SuppressionCheckUnavailableError(UnavailableError, code="suppression_check_unavailable", retry="after_wait"):
    """429: The suppression list is unavailable. The request was not processed.

    The request was not processed. Retry it after Retry-After seconds.
    """


class LimiterUnavailableError(UnavailableError, code="limiter_unavailable", retry="after_wait"):
    """429: The rate limiter is unavailable. The request was not processed.

    The request was not processed. Retry it after Retry-After seconds.
    """


class DatastoreUnavailableError(UnavailableError, code="datastore_unavailable", retry="after_wait"):
    """429: The data store is unavailable. The request was not processed.

    The request was not processed. Retry it after Retry-After seconds.
    """


class PoolSearchUnavailableError(UnavailableError, code="pool_search_unavailable", retry="after_wait"):
    """429: The pool search is unavailable.

    The request was not processed. Retry it after Retry-After seconds.
    """


class DeliveryFailedError(UnavailableError, code="delivery_failed", retry="with_new_key"):
    """429: The mail provider did not accept the message. Retries with this Idempotency-Key return this error
    again.

    After Retry-After seconds, send the message with a new Idempotency-Key.
    """


class InternalError(ServerError, code="internal_error", retry="once"):
    """500: Something failed on our side. The request id identifies it in our log.

    Retry once; if it fails again, report the request id.
    """
