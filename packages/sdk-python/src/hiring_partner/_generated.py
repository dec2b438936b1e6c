# Generated from openapi.json by `npm run generate`. Do not edit.
"""Classes of responses, types of request bodies, and the endpoints."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, List, Literal, Mapping, Sequence, Type, TypedDict, Union

from ._models import Model, UnionOf
from ._pages import AsyncPager, Page, Pager
from ._resource import AsyncResource, Resource
from ._wire import NOT_GIVEN, NotGiven, Operation


__all__ = [
    "AnswerType", "AnswerValue", "ApiRequest", "ApiVersion", "Applicant", "ApplicantCreatedEvent",
    "ApplicantCreatedEventData", "ApplicantCreatedEventRecord", "ApplicantDeletedEvent",
    "ApplicantDeletedEventData", "ApplicantDeletedEventRecord", "ApplicantExternalRef", "ApplicantIncluded",
    "ApplicantLinks", "ApplicantMember", "ApplicantRecipient", "ApplicantUnsubscribedEvent",
    "ApplicantUnsubscribedEventData", "ApplicantUnsubscribedEventRecord", "ApplicantUpdatedEvent",
    "ApplicantUpdatedEventData", "ApplicantUpdatedEventRecord", "Application", "ApplicationAnswers",
    "ApplicationCreatedEvent", "ApplicationCreatedEventData", "ApplicationCreatedEventRecord",
    "ApplicationDeletedEvent", "ApplicationDeletedEventData", "ApplicationDeletedEventRecord",
    "ApplicationForm", "ApplicationIncluded", "ApplicationLinks", "ApplicationRecipient",
    "ApplicationResumeParsedEvent", "ApplicationResumeParsedEventData",
    "ApplicationResumeParsedEventRecord", "ApplicationScore", "ApplicationScoredEvent",
    "ApplicationScoredEventData", "ApplicationScoredEventRecord", "ApplicationScreeningCompletedEvent",
    "ApplicationScreeningCompletedEventData", "ApplicationScreeningCompletedEventRecord",
    "ApplicationStageChangedEvent", "ApplicationStageChangedEventData",
    "ApplicationStageChangedEventRecord", "ApplicationStatus", "ApplicationStatusChangedEvent",
    "ApplicationStatusChangedEventData", "ApplicationStatusChangedEventRecord", "ApplicationUpdatedEvent",
    "ApplicationUpdatedEventData", "ApplicationUpdatedEventRecord", "ApplicationWithdrawnEvent",
    "ApplicationWithdrawnEventData", "ApplicationWithdrawnEventRecord", "Attachment", "AttachmentLinks",
    "AttachmentType", "CallStatus", "CandidateList", "CandidateListLinks", "CompleteOrderSection",
    "CompletionState", "ConsentBasis", "ContactFieldState", "ContactInfo", "ContactInfoFieldStates",
    "ContactKind", "ContactLicence", "ContactSource", "ContactStatus", "ContactValue",
    "CreateApplicationAnswer", "CreateApplicationCandidate", "CreateApplicationSource",
    "CreateScorecardRating", "Credential", "CredentialPlan", "CredentialRateLimits",
    "DataSubjectErasureCompletedEvent", "DataSubjectErasureCompletedEventData",
    "DataSubjectErasureCompletedEventRecord", "DataSubjectSuppressionAppliedEvent",
    "DataSubjectSuppressionAppliedEventData", "DataSubjectSuppressionAppliedEventRecord", "DeclaredEvent",
    "DeliveredType", "DeliveryStatus", "DisabledReason", "EmploymentType", "Event", "EventLinks",
    "EventPreviousAttributes", "EventSubject", "EventType", "ExcludedOrigin", "ExperienceLevel", "Export",
    "ExportFile", "ExportProgress", "ExportResource", "ExportStatus", "ExportView", "FieldAccess",
    "FormField", "FormFieldCondition", "FormFieldType", "FunnelGroup", "FunnelGrouping", "FunnelStage",
    "FunnelTotals", "HiringFunnel", "IdentityInput", "IdentityKind", "Installation", "InstallationApp",
    "InstallationKey", "InstallationLinks", "InstallationStatus", "Interview", "InterviewKind",
    "InterviewStatus", "InvitationBy", "Job", "JobClosedEvent", "JobClosedEventData",
    "JobClosedEventRecord", "JobCompensation", "JobContent", "JobDeletedEvent", "JobDeletedEventData",
    "JobDeletedEventRecord", "JobIncluded", "JobLinks", "JobPublishedEvent", "JobPublishedEventData",
    "JobPublishedEventRecord", "JobReopenedEvent", "JobReopenedEventData", "JobReopenedEventRecord",
    "JobSections", "JobSectionsUpdatedEvent", "JobSectionsUpdatedEventData",
    "JobSectionsUpdatedEventRecord", "JobSource", "JobStatus", "JobSummary", "JobUnpublishedEvent",
    "JobUnpublishedEventData", "JobUnpublishedEventRecord", "JobUpdatedEvent", "JobUpdatedEventData",
    "JobUpdatedEventRecord", "JobVoiceScreening", "KeyEnvironment", "KnownAnswerType",
    "KnownAttachmentType", "KnownCallStatus", "KnownCompletionState", "KnownContactKind",
    "KnownContactStatus", "KnownDeliveredType", "KnownDeliveryStatus", "KnownDisabledReason",
    "KnownErrorCode", "KnownEventType", "KnownExportResource", "KnownExportStatus", "KnownFieldAccess",
    "KnownFormFieldType", "KnownFunnelGrouping", "KnownIdentityKind", "KnownInterviewKind",
    "KnownInterviewStatus", "KnownInvitationBy", "KnownJobStatus", "KnownMatchStrength", "KnownMatchTier",
    "KnownMessageStatus", "KnownOrderOutcome", "KnownOrderReason", "KnownOrderStatus",
    "KnownOrderWaitingOn", "KnownPackageKind", "KnownPackageStatus", "KnownParseError",
    "KnownPlacedByObject", "KnownPlanCode", "KnownProfileObject", "KnownQuestionSource",
    "KnownRecommendation", "KnownResolutionReason", "KnownScoreUnit", "KnownScreeningConsent",
    "KnownSharedValue", "KnownStageType", "KnownSuppressionReason", "KnownTestWorkspaceSeed",
    "KnownUserKind", "KnownVersionStatus", "KnownWorkspaceScope", "ListCreatedEvent",
    "ListCreatedEventData", "ListCreatedEventRecord", "ListDeletedEvent", "ListDeletedEventData",
    "ListDeletedEventRecord", "ListMember", "ListMemberBatch", "ListMemberBatchResult", "ListMemberOutcome",
    "ListMembership", "ListMembershipAddedEvent", "ListMembershipAddedEventData",
    "ListMembershipAddedEventRecord", "ListMembershipIncluded", "ListMembershipRemovedEvent",
    "ListMembershipRemovedEventData", "ListMembershipRemovedEventRecord", "ListMembershipStageChangedEvent",
    "ListMembershipStageChangedEventData", "ListMembershipStageChangedEventRecord", "ListUpdatedEvent",
    "ListUpdatedEventData", "ListUpdatedEventRecord", "LocationType", "MatchConfidence", "MatchStrength",
    "MatchTier", "Message", "MessageRecipient", "MessageStatus", "MessageTo", "Note", "Order",
    "OrderCandidate", "OrderCandidateResume", "OrderCandidateResumeLinks", "OrderCreatedEvent",
    "OrderCreatedEventData", "OrderCreatedEventRecord", "OrderDeletedEvent", "OrderDeletedEventData",
    "OrderDeletedEventRecord", "OrderIncluded", "OrderInvitation", "OrderLinks", "OrderOutcome",
    "OrderPlacedBy", "OrderReason", "OrderReport", "OrderResult", "OrderResultReportLinks",
    "OrderResultScore", "OrderResumeDownload", "OrderSource", "OrderStatus", "OrderStatusReason",
    "OrderSummary", "OrderUpdatedEvent", "OrderUpdatedEventData", "OrderUpdatedEventRecord", "OrderVendor",
    "OrderWaitingOn", "OtherEvent", "OtherEventData", "OtherEventRecord", "Package", "PackageInvitation",
    "PackageKind", "PackageLinks", "PackageStatus", "PackageVendor", "ParseError", "ParseStatus", "Person",
    "PersonCanonicalIdChangedEvent", "PersonCanonicalIdChangedEventData",
    "PersonCanonicalIdChangedEventRecord", "PersonCounts", "PersonDisplay", "PersonDisplaySource",
    "PersonIdentity", "PersonIdentityLinkedEvent", "PersonIdentityLinkedEventData",
    "PersonIdentityLinkedEventRecord", "PersonLinks", "PersonProfile", "PersonalDataRead", "Ping",
    "PipelineStage", "PipelineStageSummary", "PlaceOrderSource", "PlacedByObject", "PlanCode",
    "PoolBatchUpsertedEvent", "PoolBatchUpsertedEventData", "PoolBatchUpsertedEventRecord", "PoolProfile",
    "PoolProfileLinks", "PoolProfileProvenance", "PrescreenQuestion", "PrescreenQuestions", "ProfileMatch",
    "ProfileObject", "ProfileOrigin", "ProfilePointer", "Project", "ProjectLinks", "Provenance",
    "ProvenanceConsent", "ProvenanceLicence", "PublishHint", "PublishReadiness", "PushJobCompensation",
    "PushJobContent", "PushJobSource", "QuestionSource", "Recommendation", "RecordOrigin", "RecordSubject",
    "ReportMediaType", "Resolution", "ResolutionPerson", "ResolutionPersonCounts", "ResolutionReason",
    "ResolvePeopleKey", "ResourceAccess", "ResourceAccessField", "RestrictedReasons", "ResultSection",
    "Resume", "ResumeAccess", "ResumeAccessChangedEvent", "ResumeAccessChangedEventData",
    "ResumeAccessChangedEventRecord", "ResumeAccessState", "ResumeDownload", "ResumeLinks",
    "ResumeMediaType", "ResumeParsed", "ResumeStructure", "ResumeSummary", "ResumeSummaryLinks",
    "ResumeSummaryParsed", "SalaryInterval", "Score", "ScoreInput", "ScoreUnit", "Scorecard",
    "ScorecardRating", "Screening", "ScreeningConsent", "SearchPoolTerms", "SharedValue", "SortOrder",
    "SourcedProfile", "SourcedProfileAttachmentAddedEvent", "SourcedProfileAttachmentAddedEventData",
    "SourcedProfileAttachmentAddedEventRecord", "SourcedProfileContactInfoRevealedEvent",
    "SourcedProfileContactInfoRevealedEventData", "SourcedProfileContactInfoRevealedEventRecord",
    "SourcedProfileCreatedEvent", "SourcedProfileCreatedEventData", "SourcedProfileCreatedEventRecord",
    "SourcedProfileDeletedEvent", "SourcedProfileDeletedEventData", "SourcedProfileDeletedEventRecord",
    "SourcedProfileLinks", "SourcedProfileMember", "SourcedProfileUpdatedEvent",
    "SourcedProfileUpdatedEventData", "SourcedProfileUpdatedEventRecord", "StageTransition", "StageType",
    "Suppression", "SuppressionAcknowledgement", "SuppressionIdentifier", "SuppressionReason",
    "SuppressionStatus", "SuppressionSubject", "SuspendedBy", "TestClock", "TestClockStatus", "TestEvent",
    "TestMail", "TestReset", "TestSeed", "TestWorkspaceSeed", "Upload", "UploadTarget", "User", "UserKind",
    "UserLinks", "UserRole", "VendorReason", "VersionStatus", "WebhookDelivery", "WebhookDeliveryAttempt",
    "WebhookEndpoint", "WebhookEndpointSignatureScheme", "WebhookRecovery", "Workspace", "WorkspaceLinks",
    "WorkspaceScope", "FeedEventType", "SyncResource",
]


ApplicationStatus = Literal["new", "in_review", "advanced", "rejected", "withdrawn", "hired"]
"""The state of an application. - `new`: Not looked at yet. - `in_review`: Under review. - `advanced`:
Advanced to the next steps. - `rejected`: Rejected. - `withdrawn`: The candidate withdrew. - `hired`:
Hired.
"""
ConsentBasis = Literal["candidate_submitted", "customer_provided", "legitimate_interest_sourcing", "public_profile"]
"""The legal basis of processing. - `candidate_submitted`: The candidate submitted the data. -
`customer_provided`: The workspace provided the data. - `legitimate_interest_sourcing`: Sourcing in
legitimate interest. - `public_profile`: A public profile.
"""
ContactFieldState = Literal["found", "not_found"]
"""Whether a contact detail was found. - `found`: It was found. - `not_found`: It was never revealed, or
was searched for and not found.
"""
EmploymentType = Literal["full_time", "part_time", "contract", "intern", "temp"]
"""The kind of employment. - `full_time`: Full-time. - `part_time`: Part-time. - `contract`: For the time
of a contract. - `intern`: Internship. - `temp`: Temporary work.
"""
ExcludedOrigin = Literal["self"]
"""Whose changes are left out. - `self`: Changes that the calling key made."""
ExperienceLevel = Literal["intern", "junior", "mid", "senior", "lead", "principal"]
"""The level of experience that a job asks for. - `intern`: None; for students. - `junior`: A first
position. - `mid`: Some years. - `senior`: Many years. - `lead`: Leads a team. - `principal`: Leads a
field.
"""
ExportView = Literal["list", "full"]
"""The rows of an export. - `list`: As in the list endpoints. - `full`: As in the single reads."""
InstallationStatus = Literal["active", "suspended", "ended"]
"""Whether an installation can be used. - `active`: Its key works. - `suspended`: Its key is refused until
it is resumed; `suspended_by` says by whom it was suspended. - `ended`: It was uninstalled. Delete your
copies before `delete_by`.
"""
KeyEnvironment = Literal["live", "test"]
"""For production or for tests. - `live`: For production. - `test`: For tests."""
KnownAnswerType = Literal["boolean", "number", "text", "choice", "multi_choice"]
"""How a pre-screen question is answered. - `boolean`: Yes or no. - `number`: A number. - `text`: Text. -
`choice`: One of `choices`. - `multi_choice`: Any of `choices`.
"""
KnownAttachmentType = Literal["profile_photo", "resume", "business_card"]
"""The kind of file of a sourced profile. - `profile_photo`: A photo. - `resume`: A résumé. -
`business_card`: A business card.
"""
KnownCallStatus = Literal["scheduled", "in_progress", "completed", "no_answer", "failed"]
"""The state of a pre-screen call. - `scheduled`: Planned. - `in_progress`: Taking place now. -
`completed`: It took place. - `no_answer`: The candidate did not pick up. - `failed`: It failed for a
technical reason.
"""
KnownCompletionState = Literal["none", "partial", "complete"]
"""How much of a pre-screen was answered. - `none`: Nothing. - `partial`: A part. - `complete`: All of it."""
KnownContactKind = Literal["work", "personal", "submitted", "mobile", "other"]
"""The kind of a contact detail. - `work`: Of the workplace. - `personal`: Private. - `submitted`: As the
candidate submitted it. - `mobile`: A mobile phone. - `other`: Another kind.
"""
KnownContactStatus = Literal["verified", "unverified", "invalid"]
"""Whether a contact detail is known to work. - `verified`: It works. - `unverified`: Not checked. -
`invalid`: It does not work.
"""
KnownDeliveredType = Literal[
    "job.published", "job.updated", "job.closed", "job.reopened", "job.unpublished", "job.deleted",
    "job.sections_updated", "application.created", "application.updated", "application.status_changed",
    "application.stage_changed", "application.withdrawn", "application.deleted", "application.scored",
    "application.resume_parsed", "application.screening_completed", "resume.access_changed",
    "applicant.created", "applicant.updated", "applicant.deleted", "applicant.unsubscribed",
    "sourced_profile.created", "sourced_profile.updated", "sourced_profile.deleted",
    "sourced_profile.contact_info_revealed", "sourced_profile.attachment_added", "order.created",
    "order.updated", "order.deleted", "list.created", "list.updated", "list.deleted",
    "list_membership.added", "list_membership.removed", "list_membership.stage_changed",
    "pool.batch_upserted", "person.identity_linked", "person.canonical_id_changed",
    "data_subject.suppression_applied", "data_subject.erasure_completed", "ping", "installation.created",
    "installation.updated", "installation.deleted",
]
"""The type of a delivered event. - `job.published`: A job was published. - `job.updated`: Fields of a job
changed; `changed` names them. - `job.closed`: A job was closed. - `job.reopened`: A closed job was
published again. - `job.unpublished`: A job was unpublished and is a draft again. - `job.deleted`: A job
was deleted. - `job.sections_updated`: The stages, form or questions of a job changed. -
`application.created`: A candidate applied. - `application.updated`: An application changed; `changed`
names what. - `application.status_changed`: The status of an application changed. -
`application.stage_changed`: An application moved to another stage. - `application.withdrawn`: The
applicant withdrew. - `application.deleted`: An application was deleted. - `application.scored`: The
match score was computed or changed. - `application.resume_parsed`: Parsing of the résumé finished or
failed. - `application.screening_completed`: A phone pre-screen took place. - `resume.access_changed`:
The access state of a résumé changed. - `applicant.created`: An applicant was created in the workspace.
- `applicant.updated`: Details of an applicant changed. `contact_info` in `changed` means an email
address or phone number. - `applicant.deleted`: An applicant was deleted. - `applicant.unsubscribed`:
The applicant unsubscribed. Stop emailing this person. - `sourced_profile.created`: A profile was saved.
- `sourced_profile.updated`: A saved profile changed. - `sourced_profile.deleted`: A saved profile was
deleted. - `sourced_profile.contact_info_revealed`: Contact details were revealed; `changed` names the
fields, never the values. - `sourced_profile.attachment_added`: A file was attached to a saved profile.
- `order.created`: A check or assessment was ordered. - `order.updated`: An order or its result changed;
`changed` names what. - `order.deleted`: An order was deleted. Delete your copy. - `list.created`: A
list was created. - `list.updated`: A list or its membership changed. - `list.deleted`: A list was
deleted. - `list_membership.added`: A profile was added to a list. - `list_membership.removed`: A
profile was removed from a list. Delete your stored row. - `list_membership.stage_changed`: The stage of
a list member changed. - `pool.batch_upserted`: A batch of pool profiles was loaded. -
`person.identity_linked`: Two identifiers were found to belong to one person. -
`person.canonical_id_changed`: The canonical handle of a person changed. Update your stored handle. -
`data_subject.suppression_applied`: Delete your copies of these records within seven days. -
`data_subject.erasure_completed`: These records were erased. - `ping`: A test of the endpoint. It is in
no feed. - `installation.created`: For installable apps: a workspace installed the app. It is in no
feed. - `installation.updated`: For installable apps: an installation changed. It is in no feed. -
`installation.deleted`: For installable apps: an installation ended. It is in no feed.
"""
KnownDeliveryStatus = Literal["pending", "retrying", "delivered", "failed", "canceled"]
"""The state of a delivery. - `pending`: The first attempt has not ended. - `retrying`: An attempt failed;
another follows. - `delivered`: The receiver accepted it. - `failed`: All attempts failed. - `canceled`:
The endpoint was disabled or deleted.
"""
KnownDisabledReason = Literal["failing", "gone", "manual", "key_revoked"]
"""Why an endpoint is disabled. - `failing`: 5 days without success. - `gone`: The receiver returned 410. -
`manual`: Disabled by a call or a person. - `key_revoked`: The key of the endpoint was revoked.
"""
KnownErrorCode = Literal[
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
"""What went wrong. Branch on this. - `invalid_request`: The request has a missing, malformed or
contradictory parameter or body field. - `invalid_cursor`: The cursor is not valid for this request. -
`invalid_timestamp`: A time filter is not an RFC 3339 timestamp. - `workspace_id_required`: This key has
access to several workspaces, and the request names none. - `unpublished_requires_opt_in`: Draft jobs
were requested without include_unpublished=true. - `unknown_event_type`: A name in `type` is not an
event type. - `not_an_identity`: The email address is shared by several people and does not identify one
person. - `result_window_exceeded`: This listing was paged deeper than 10000 rows. -
`unsupported_source_system`: source.system is malformed or reserved. - `invalid_idempotency_key`: The
Idempotency-Key header must be 8 to 255 characters from A-Z a-z 0-9 . _ : ~ - -
`idempotency_key_required`: This call needs an Idempotency-Key header. - `invalid_stage`: The stage
cannot be used here. - `invalid_event_type`: A name in event_types is not in the event catalogue. -
`event_type_not_permitted`: The key lacks the read scope of a requested event type. -
`webhook_url_not_allowed`: The webhook URL breaks the rules for endpoint URLs. - `invalid_upload`: The
file type or size is not accepted. - `candidate_url_not_allowed`: The link for the candidate does not
lead to the host of the package. - `unknown_answer_field`: An answer names a question that is not on the
form. - `duplicate_answer_field`: A question is answered twice. - `invalid_answer_value`: An answer has
the wrong format or is not one of the options. - `answer_field_not_accepted`: This question cannot be
answered through the API. - `answer_field_reserved`: Name, email, phone and LinkedIn questions are not
answered here. - `missing_required_answers`: Required questions are not answered. - `upload_not_found`:
The upload is unknown or has expired. - `resume_rejected`: The uploaded file is empty or larger than 5
MB. The upload id cannot be used again. - `payload_too_large`: The request body is larger than 256 KB. -
`request_timeout`: The request did not arrive in time. - `method_not_allowed`: This path does not accept
this method. - `unauthenticated`: The request has no valid API key. Send it as `Authorization: Bearer
<API_KEY>`. - `insufficient_scope`: The key lacks the scope that this call needs. -
`test_workspace_required`: This call exists in test workspaces only. - `write_requires_api_key`: Writes
need an API key that belongs to a user. - `webhooks_self_serve_disabled`: This workspace does not allow
API keys to register, change or enable webhook endpoints. - `resume_locked`: The résumé is not available
in its current access state. - `not_found`: There is no such object, or this key has no access to it. -
`job_modified_concurrently`: The job changed during this request. - `invalid_job_transition`: The job
cannot make this transition from its current status. - `stale_resource`: The record changed after
expected_updated_at; nothing was changed. - `application_modified_concurrently`: Another request is
changing this application. - `invalid_application_state`: The application cannot make this transition
from its current status. - `invalid_order_state`: The order does not allow this in its current status. -
`package_not_available`: The package cannot be ordered. - `order_limit_reached`: The limit of orders or
packages is reached. - `idempotency_key_reused`: This Idempotency-Key was used with a different body. -
`idempotency_in_flight`: The first request with this Idempotency-Key is still running. -
`recipient_unsubscribed`: This person must not be emailed. - `sender_email_missing`: The user that this
key belongs to has no valid email address. - `job_not_accepting_applications`: The job is not published
or does not accept applications. - `applicant_suppressed`: This person was erased or asked that
processing stop. Nothing was created or changed. - `applicant_unsubscribed`: This person unsubscribed in
this workspace; nothing was created. - `candidate_consent_required`: The form has a required consent box
that only the candidate can tick. - `upload_already_used`: The upload was already used. -
`upload_not_completed`: No file has arrived at the upload URL yet. - `application_conflict`: The
application was created at the same time and could not be read back. - `webhook_endpoint_exists`: This
key already registered this URL in this workspace. - `webhook_endpoint_limit_reached`: The limit of
webhook endpoints is reached. - `webhook_endpoint_disabled`: The webhook endpoint is disabled. -
`job_not_publishable`: The job is not ready to be published. - `rate_limit_exceeded`: A rate limit, the
monthly quota or the limit of exports is exceeded. - `personal_data_quota_exceeded`: The daily budget of
personal-data reads does not cover this response. - `message_quota_exceeded`: The daily message cap of
this key is reached. - `too_many_pending_uploads`: The workspace has 500 uploads that are not attached
yet. - `suppression_check_unavailable`: The suppression list is unavailable. The request was not
processed. - `limiter_unavailable`: The rate limiter is unavailable. The request was not processed. -
`datastore_unavailable`: The data store is unavailable. The request was not processed. -
`pool_search_unavailable`: The pool search is unavailable. - `delivery_failed`: The mail provider did
not accept the message. Retries with this Idempotency-Key return this error again. - `internal_error`:
Something failed on our side. The request id identifies it in our log.
"""
KnownEventType = Literal[
    "job.published", "job.updated", "job.closed", "job.reopened", "job.unpublished", "job.deleted",
    "job.sections_updated", "application.created", "application.updated", "application.status_changed",
    "application.stage_changed", "application.withdrawn", "application.deleted", "application.scored",
    "application.resume_parsed", "application.screening_completed", "resume.access_changed",
    "applicant.created", "applicant.updated", "applicant.deleted", "applicant.unsubscribed",
    "sourced_profile.created", "sourced_profile.updated", "sourced_profile.deleted",
    "sourced_profile.contact_info_revealed", "sourced_profile.attachment_added", "order.created",
    "order.updated", "order.deleted", "list.created", "list.updated", "list.deleted",
    "list_membership.added", "list_membership.removed", "list_membership.stage_changed",
    "pool.batch_upserted", "person.identity_linked", "person.canonical_id_changed",
    "data_subject.suppression_applied", "data_subject.erasure_completed",
]
"""What an event is about. - `job.published`: A job was published. - `job.updated`: Fields of a job
changed; `changed` names them. - `job.closed`: A job was closed. - `job.reopened`: A closed job was
published again. - `job.unpublished`: A job was unpublished and is a draft again. - `job.deleted`: A job
was deleted. - `job.sections_updated`: The stages, form or questions of a job changed. -
`application.created`: A candidate applied. - `application.updated`: An application changed; `changed`
names what. - `application.status_changed`: The status of an application changed. -
`application.stage_changed`: An application moved to another stage. - `application.withdrawn`: The
applicant withdrew. - `application.deleted`: An application was deleted. - `application.scored`: The
match score was computed or changed. - `application.resume_parsed`: Parsing of the résumé finished or
failed. - `application.screening_completed`: A phone pre-screen took place. - `resume.access_changed`:
The access state of a résumé changed. - `applicant.created`: An applicant was created in the workspace.
- `applicant.updated`: Details of an applicant changed. `contact_info` in `changed` means an email
address or phone number. - `applicant.deleted`: An applicant was deleted. - `applicant.unsubscribed`:
The applicant unsubscribed. Stop emailing this person. - `sourced_profile.created`: A profile was saved.
- `sourced_profile.updated`: A saved profile changed. - `sourced_profile.deleted`: A saved profile was
deleted. - `sourced_profile.contact_info_revealed`: Contact details were revealed; `changed` names the
fields, never the values. - `sourced_profile.attachment_added`: A file was attached to a saved profile.
- `order.created`: A check or assessment was ordered. - `order.updated`: An order or its result changed;
`changed` names what. - `order.deleted`: An order was deleted. Delete your copy. - `list.created`: A
list was created. - `list.updated`: A list or its membership changed. - `list.deleted`: A list was
deleted. - `list_membership.added`: A profile was added to a list. - `list_membership.removed`: A
profile was removed from a list. Delete your stored row. - `list_membership.stage_changed`: The stage of
a list member changed. - `pool.batch_upserted`: A batch of pool profiles was loaded. -
`person.identity_linked`: Two identifiers were found to belong to one person. -
`person.canonical_id_changed`: The canonical handle of a person changed. Update your stored handle. -
`data_subject.suppression_applied`: Delete your copies of these records within seven days. -
`data_subject.erasure_completed`: These records were erased.
"""
KnownExportResource = Literal[
    "jobs", "applications", "applicants", "sourced_profiles", "lists", "list_memberships",
    "stage_transitions",
]
"""A resource that can be exported. - `jobs`: Jobs. - `applications`: Applications. - `applicants`:
Applicants. - `sourced_profiles`: Sourced profiles. - `lists`: Candidate lists. - `list_memberships`:
Members of candidate lists. - `stage_transitions`: Stage history of applications.
"""
KnownExportStatus = Literal["pending", "running", "ready", "failed", "expired"]
"""The state of an export. - `pending`: Waits to run. - `running`: Rows are being written. - `ready`:
Final: the files can be downloaded. - `failed`: Final: it failed. - `expired`: Final: the files were
deleted.
"""
KnownFieldAccess = Literal["visible", "restricted"]
"""Whether the key can read a field. - `visible`: The key can read it. - `restricted`: The key cannot read
it; `reason` says why.
"""
KnownFormFieldType = Literal[
    "text", "textarea", "select", "multiselect", "boolean", "number", "date", "url", "email", "phone",
    "file", "section", "consent", "eeo",
]
"""The kind of question on an application form. - `text`: One line of text. - `textarea`: Several lines of
text. - `select`: One of `options`. - `multiselect`: Any of `options`. - `boolean`: Yes or no. -
`number`: A number. - `date`: A date. - `url`: A URL. - `email`: An email address. - `phone`: A phone
number. - `file`: A file. - `section`: A heading without an answer. - `consent`: An agreement, which
only the candidate can give. - `eeo`: An equal-opportunity question, which only the candidate can
answer.
"""
KnownFunnelGrouping = Literal["none", "job", "department", "source", "week", "month"]
"""What the funnel is grouped by. - `none`: No groups. - `job`: By job. - `department`: By department. -
`source`: By source of the application. - `week`: By week of the application, from Monday. - `month`: By
month of the application.
"""
KnownIdentityKind = Literal["email", "linkedin_url"]
"""The kind of identifier of a person. - `email`: An email address. - `linkedin_url`: A LinkedIn URL."""
KnownInterviewKind = Literal["onsite", "video", "phone"]
"""How people meet. - `onsite`: At a place. - `video`: In a video call. - `phone`: On the phone."""
KnownInterviewStatus = Literal["proposed", "scheduled", "held", "no_show", "canceled", "expired"]
"""The state of an interview. - `proposed`: The candidate can choose one of several times. - `scheduled`:
It has a time. - `held`: Its end has passed. - `no_show`: The candidate did not come. - `canceled`: It
does not take place. - `expired`: The candidate has chosen none of the offered times.
"""
KnownInvitationBy = Literal["service", "vendor", "caller"]
"""Who invites the candidate. - `service`: The service, by email. - `vendor`: The vendor. - `caller`: The
caller who placed the order; the service sends nothing.
"""
KnownJobStatus = Literal["draft", "published", "closed"]
"""The state of a job. - `draft`: Not public. - `published`: Public. - `closed`: No longer accepts
applications.
"""
KnownMatchStrength = Literal["strong", "moderate"]
"""How strong the identifier of a match is. - `strong`: It identifies one person. - `moderate`: It usually
identifies one person.
"""
KnownMatchTier = Literal["strong", "good", "fair", "weak"]
"""How well a profile matches the search that found it. - `strong`: Matches all of it. - `good`: Matches
most of it. - `fair`: Matches some of it. - `weak`: Matches little of it.
"""
KnownMessageStatus = Literal["sent", "queued"]
"""The state of an email. - `sent`: The mail server accepted it. - `queued`: Not known to be sent; it is
never sent twice.
"""
KnownOrderOutcome = Literal["recommended", "not_recommended", "inconclusive", "clear", "consider", "none"]
"""What the vendor concludes. - `recommended`: Recommended. - `not_recommended`: Not recommended. -
`inconclusive`: Not certain. - `clear`: Nothing was found. - `consider`: Something was found that a
person should look at. - `none`: The vendor draws no conclusion.
"""
KnownOrderReason = Literal[
    "vendor_timeout", "vendor_error", "unsupported_country", "candidate_unreachable", "duplicate", "other",
    "canceled_by_workspace", "app_uninstalled", "application_withdrawn", "application_rejected",
    "processing_stopped",
]
"""Why an order has its status. - `vendor_timeout`: The vendor did not respond for 7 days. -
`vendor_error`: A fault of the vendor. - `unsupported_country`: The vendor does not work in the country.
- `candidate_unreachable`: The candidate did not respond to the vendor. - `duplicate`: The vendor has
done the same before. - `other`: Something else; the message says what. - `canceled_by_workspace`: The
workspace canceled it. - `app_uninstalled`: The vendor was removed from the workspace. -
`application_withdrawn`: The candidate withdrew the application. - `application_rejected`: The
application was rejected. - `processing_stopped`: The data of the candidate is no longer processed.
"""
KnownOrderStatus = Literal[
    "requested", "invited", "in_progress", "completed", "declined", "failed", "expired", "canceled",
]
"""The state of an order. - `requested`: The vendor has not accepted it yet. - `invited`: Accepted; the
candidate has not started. - `in_progress`: The candidate has started, or the vendor works on it. -
`completed`: Done; there is a result. - `declined`: The vendor declined it. - `failed`: It could not be
carried out. - `expired`: The due date passed. - `canceled`: Canceled.
"""
KnownOrderWaitingOn = Literal["vendor", "candidate", "workspace"]
"""Who is to do something. - `vendor`: The vendor. - `candidate`: The candidate. - `workspace`: The
workspace.
"""
KnownPackageKind = Literal[
    "skills_test", "cognitive_test", "personality_test", "video_interview", "work_sample",
    "reference_check", "background_check", "identity_check", "other",
]
"""The kind of check or assessment. - `skills_test`: A test of skills. - `cognitive_test`: A test of
reasoning. - `personality_test`: A questionnaire about personality. - `video_interview`: An interview
that is recorded. - `work_sample`: A task from the work. - `reference_check`: Questions to former
employers. - `background_check`: A check of the past. Findings stay with the vendor. - `identity_check`:
A check of identity. Findings stay with the vendor. - `other`: Something else.
"""
KnownPackageStatus = Literal["pending", "active", "withdrawn"]
"""Whether a package can be ordered. - `pending`: Waits until an owner or admin offers it. - `active`: Can
be ordered. - `withdrawn`: Can no longer be ordered.
"""
KnownParseError = Literal["no_text", "unreadable", "encrypted", "unsupported", "too_large", "timeout", "internal"]
"""Why a résumé could not be parsed. All but `internal` are faults of the file. - `no_text`: The file has
no text or nearly none: it is empty, or a scan. - `unreadable`: The file is damaged. - `encrypted`: The
file needs a password. - `unsupported`: The content is not a PDF, Word, RTF or text document, whatever
the file says it is. - `too_large`: The content is too large once it is unpacked. - `timeout`: Reading
the file took too long. - `internal`: The service failed three times to read the file. The file may be
correct.
"""
KnownPlacedByObject = Literal["user", "credential", "stage_rule"]
"""What placed an order. - `user`: A person. - `credential`: An API key or a connected app. - `stage_rule`:
A rule of the stage that the application entered.
"""
KnownPlanCode = Literal["starter", "growth", "enterprise"]
"""The plan of the workspace. - `starter`: Starter. - `growth`: Growth. - `enterprise`: Enterprise."""
KnownProfileObject = Literal["applicant", "sourced_profile", "pool_profile"]
"""The object of a record of a person. - `applicant`: A person who applied. - `sourced_profile`: A profile
that the workspace saved. - `pool_profile`: A profile of the shared pool.
"""
KnownQuestionSource = Literal["template", "ai", "recruiter"]
"""Who wrote a pre-screen question. - `template`: The template of the workspace. - `ai`: Written for the
job by the product. - `recruiter`: A recruiter.
"""
KnownRecommendation = Literal["strong_yes", "yes", "no_decision", "no", "strong_no"]
"""What an interviewer recommends. - `strong_yes`: Certainly hire. - `yes`: Hire. - `no_decision`:
Undecided. - `no`: Do not hire. - `strong_no`: Certainly do not hire.
"""
KnownResolutionReason = Literal["no_match", "not_an_identity"]
"""Why an identifier was not resolved. - `no_match`: The key can read no matching record. -
`not_an_identity`: The value does not identify one person.
"""
KnownScoreUnit = Literal["points", "percent", "percentile", "band"]
"""What a score counts. - `points`: Points. - `percent`: Percent of what can be reached. - `percentile`: A
rank: percent of people who scored lower. - `band`: A rank in bands.
"""
KnownScreeningConsent = Literal["pending", "granted", "declined"]
"""Whether the candidate agreed to the pre-screen. - `pending`: Not decided. - `granted`: Agreed. -
`declined`: Declined.
"""
KnownSharedValue = Literal["email", "phone", "resume"]
"""A value of the candidate that the vendor can read. - `email`: The email address. - `phone`: The phone
number. - `resume`: The résumé.
"""
KnownStageType = Literal["applied", "screen", "assessment", "interview", "offer", "hired", "rejected", "custom"]
"""What happens in a stage of a pipeline. - `applied`: New applications arrive here. - `screen`: First
screening. - `assessment`: Tests and tasks. - `interview`: Interviews. - `offer`: An offer was made. -
`hired`: Final: the candidate was hired. - `rejected`: Final: the application was rejected. - `custom`:
A stage of the company’s own.
"""
KnownSuppressionReason = Literal["erasure_request", "stop_processing", "legal_request"]
"""Why the data must no longer be processed. - `erasure_request`: The person asked for erasure. -
`stop_processing`: The person asked for processing to stop. - `legal_request`: The law requires it.
"""
KnownTestWorkspaceSeed = Literal["none", "small", "checks"]
"""What a test workspace is filled with. - `none`: Nothing. - `small`: Some jobs, applications, profiles
and a list. - `checks`: The same, and packages of a vendor that the service plays.
"""
KnownUserKind = Literal["person", "app"]
"""What a user is. - `person`: A person. - `app`: The user of an installed app: the author of what the app
writes.
"""
KnownVersionStatus = Literal["current", "supported", "deprecated"]
"""Whether a version is maintained. - `current`: The newest version. - `supported`: An older version
without an end date. - `deprecated`: Ends at `sunset_at`.
"""
KnownWorkspaceScope = Literal["single", "list", "all"]
"""How many workspaces a key has access to. - `single`: One workspace. - `list`: Several workspaces. -
`all`: Every workspace of the account.
"""
ListMemberOutcome = Literal["added", "already_in_list", "not_found", "unsupported"]
"""What became of one item. - `added`: It was added. - `already_in_list`: It was in the list already. -
`not_found`: There is no such profile. - `unsupported`: Applicants cannot be added to a list.
"""
LocationType = Literal["remote", "hybrid", "onsite"]
"""Where the work is done. - `remote`: From anywhere, or from the named locations. - `hybrid`: Partly on
site. - `onsite`: On site.
"""
MatchConfidence = Literal["exact", "probable"]
"""How certain a match is. - `exact`: Found by a LinkedIn URL. - `probable`: Found by an email address."""
PackageInvitation = Literal["service", "vendor"]
"""Who sends the invitation to the candidate. - `service`: The service; the vendor supplies the link. -
`vendor`: The vendor.
"""
ParseStatus = Literal["pending", "parsing", "parsed", "failed"]
"""The state of parsing a résumé. - `pending`: Waits for parsing. - `parsing`: Parsing is in progress. -
`parsed`: The parsed profile is available. - `failed`: The file could not be parsed.
"""
RecordOrigin = Literal["applicant", "ats_import", "sourced", "shared_pool"]
"""Where a record comes from. - `applicant`: The person applied. - `ats_import`: Added by the team, typed
in or from a file. Also imported from an ATS, which this version does not do: only the demo has such
records. - `sourced`: Found and saved by the workspace. - `shared_pool`: From the shared pool.
"""
ReportMediaType = Literal["application/pdf"]
"""The type of a report file. - `application/pdf`: PDF."""
ResumeAccessState = Literal["open", "view_only", "locked", "unlocked"]
"""What may be done with a résumé. - `open`: View and download; for 90 days. - `view_only`: View only;
until day 120. - `locked`: Neither, until it is unlocked. - `unlocked`: View and download, permanently.
"""
ResumeMediaType = Literal[
    "application/pdf", "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/msword", "application/rtf", "text/rtf", "text/plain",
]
"""The type of a résumé file. - `application/pdf`: PDF. -
`application/vnd.openxmlformats-officedocument.wordprocessingml.document`: Word (DOCX). -
`application/msword`: Word (DOC). - `application/rtf`: RTF. - `text/rtf`: RTF. - `text/plain`: Plain
text.
"""
SalaryInterval = Literal["hourly", "monthly", "annual"]
"""The time that the salary is paid for. - `hourly`: One hour. - `monthly`: One month. - `annual`: One
year.
"""
SortOrder = Literal["asc", "desc"]
"""The order of a list. - `asc`: Oldest first. - `desc`: Newest first."""
SuppressionStatus = Literal["suppressed", "erased"]
"""How far an erasure is. - `suppressed`: The data of the person is no longer processed. - `erased`: The
data of the person was erased.
"""
SuspendedBy = Literal["workspace", "operator"]
"""Who suspended an installation. - `workspace`: An owner or admin of the workspace. - `operator`: The
operator of the service, for every installation of the app.
"""
TestClockStatus = Literal["ready", "advancing"]
"""Whether a test clock has reached its time. - `ready`: What fell due is done. - `advancing`: What falls
due until then is being done.
"""
UserRole = Literal["owner", "admin", "member", "viewer"]
"""The role of a member. - `owner`: Can do everything, including billing and deletion. - `admin`: Manages
members, keys and settings. - `member`: Works with candidates. - `viewer`: Reads jobs, applications and
lists.
"""
VendorReason = Literal["vendor_error", "unsupported_country", "candidate_unreachable", "duplicate", "other"]
"""Why a vendor declines an order, or cannot complete it. - `vendor_error`: A fault of the vendor. -
`unsupported_country`: The vendor does not work in the country. - `candidate_unreachable`: The candidate
did not respond to the vendor. - `duplicate`: The vendor has done the same before. - `other`: Something
else; the message says what.
"""


AnswerType = Union[KnownAnswerType, str]
AttachmentType = Union[KnownAttachmentType, str]
CallStatus = Union[KnownCallStatus, str]
CompletionState = Union[KnownCompletionState, str]
ContactKind = Union[KnownContactKind, str]
ContactStatus = Union[KnownContactStatus, str]
DeliveredType = Union[KnownDeliveredType, str]
DeliveryStatus = Union[KnownDeliveryStatus, str]
DisabledReason = Union[KnownDisabledReason, str]
EventType = Union[KnownEventType, str]
ExportResource = Union[KnownExportResource, str]
ExportStatus = Union[KnownExportStatus, str]
FieldAccess = Union[KnownFieldAccess, str]
FormFieldType = Union[KnownFormFieldType, str]
FunnelGrouping = Union[KnownFunnelGrouping, str]
IdentityKind = Union[KnownIdentityKind, str]
InterviewKind = Union[KnownInterviewKind, str]
InterviewStatus = Union[KnownInterviewStatus, str]
InvitationBy = Union[KnownInvitationBy, str]
JobStatus = Union[KnownJobStatus, str]
MatchStrength = Union[KnownMatchStrength, str]
MatchTier = Union[KnownMatchTier, str]
MessageStatus = Union[KnownMessageStatus, str]
OrderOutcome = Union[KnownOrderOutcome, str]
OrderReason = Union[KnownOrderReason, str]
OrderStatus = Union[KnownOrderStatus, str]
OrderWaitingOn = Union[KnownOrderWaitingOn, str]
PackageKind = Union[KnownPackageKind, str]
PackageStatus = Union[KnownPackageStatus, str]
ParseError = Union[KnownParseError, str]
PlacedByObject = Union[KnownPlacedByObject, str]
PlanCode = Union[KnownPlanCode, str]
ProfileObject = Union[KnownProfileObject, str]
QuestionSource = Union[KnownQuestionSource, str]
Recommendation = Union[KnownRecommendation, str]
ResolutionReason = Union[KnownResolutionReason, str]
ScoreUnit = Union[KnownScoreUnit, str]
ScreeningConsent = Union[KnownScreeningConsent, str]
SharedValue = Union[KnownSharedValue, str]
StageType = Union[KnownStageType, str]
SuppressionReason = Union[KnownSuppressionReason, str]
TestWorkspaceSeed = Union[KnownTestWorkspaceSeed, str]
UserKind = Union[KnownUserKind, str]
VersionStatus = Union[KnownVersionStatus, str]
WorkspaceScope = Union[KnownWorkspaceScope, str]


class ApplicantMember(TypedDict):
    applicant_id: str


class ApplicantRecipient(TypedDict):
    applicant_id: str
    """applicant handle"""


class ApplicationRecipient(TypedDict):
    application_id: str
    """application handle"""


class _CompleteOrderSectionRequired(TypedDict):
    name: str


class CompleteOrderSection(_CompleteOrderSectionRequired, total=False):
    score: Union[ScoreInput, None]
    comment: Union[str, None]


class CreateApplicationAnswer(TypedDict):
    field_id: str
    """The id of the question in the application form."""
    value: AnswerValue


class _CreateApplicationCandidateRequired(TypedDict):
    first_name: str
    """Not blank."""
    last_name: str
    """Not blank."""
    email: str


class CreateApplicationCandidate(_CreateApplicationCandidateRequired, total=False):
    phone: str
    """Digits, spaces and + ( ) . -, with at least one digit."""
    linkedin_url: str
    """An https URL on linkedin.com."""


class _CreateApplicationSourceRequired(TypedDict):
    system: str
    """Your system: 2 to 40 characters from a-z, 0-9 and _. Some names are reserved."""


class CreateApplicationSource(_CreateApplicationSourceRequired, total=False):
    external_id: str
    """Your id of the record. Together with the system it identifies the record."""


class _CreateScorecardRatingRequired(TypedDict):
    name: str
    score: int


class CreateScorecardRating(_CreateScorecardRatingRequired, total=False):
    comment: str


class PlaceOrderSource(TypedDict):
    system: str
    """Your system: 2 to 40 characters from a-z, 0-9 and _. Some names are reserved."""
    external_id: str
    """Your id of the record. Together with the system it identifies the record."""


class PushJobCompensation(TypedDict, total=False):
    salary_min: Union[int, None]
    salary_max: Union[int, None]
    currency: Union[str, None]
    interval: Union[SalaryInterval, str, None]
    equity: Union[str, None]
    commission: Union[bool, None]
    unit: Literal["major"]
    """Whole currency units."""


class PushJobContent(TypedDict, total=False):
    summary: Union[str, None]
    description_md: Union[str, None]
    """Markdown. Sanitize it before rendering."""
    responsibilities: Union[Sequence[str], None]
    requirements: Union[Sequence[str], None]
    nice_to_have: Union[Sequence[str], None]
    skills_required: Union[Sequence[str], None]
    skills_preferred: Union[Sequence[str], None]
    benefits: Union[Sequence[str], None]


class _PushJobSourceRequired(TypedDict):
    system: str
    """Your system: 2 to 40 characters from a-z, 0-9 and _. Some names are reserved."""
    external_id: str
    """Your id of the record. Together with the system it identifies the record."""


class PushJobSource(_PushJobSourceRequired, total=False):
    canonical_url: Union[str, None]
    """The public page of the job. Stored and returned in ASCII: other letters of the host as Punycode, those
    of the path percent-encoded.
    """
    company_name: Union[str, None]
    company_logo_url: Union[str, None]
    """The logo of the employer. Stored and returned in ASCII: other letters of the host as Punycode, those of
    the path percent-encoded.
    """


class ResolvePeopleKey(TypedDict):
    kind: Union[KnownIdentityKind, str]
    """The kind of identifier."""
    value: str


class _ScoreInputRequired(TypedDict):
    value: float
    min: float
    max: float


class ScoreInput(_ScoreInputRequired, total=False):
    passing: Union[float, None]
    unit: Union[KnownScoreUnit, str]
    """Default points."""


class SearchPoolTerms(TypedDict, total=False):
    titles: Sequence[str]
    skills: Sequence[str]
    companies: Sequence[str]
    locations: Sequence[str]


class SourcedProfileMember(TypedDict):
    sourced_profile_id: str


class ApiRequest(Model):
    """One call of this key, without its body."""

    __slots__ = ()

    object: Literal["api_request"]
    id: str
    """request handle"""
    workspace_id: str
    """workspace handle"""
    method: str
    route: Union[str, None]
    """The path with its placeholders, such as `/jobs/{job_handle}`; null if no endpoint has the path, which is
    not stored.
    """
    params: Dict[str, Union[str, None]]
    """Parameters of path and query by name. null: the value is not stored, because it may be personal or was
    not valid. Where no endpoint has the path, `did_you_mean` names the nearest one.
    """
    status: int
    """The HTTP status of the response."""
    code: Union[str, None]
    """The error code; null if the call succeeded."""
    param: Union[str, None]
    """The parameter or field that the error named."""
    duration_ms: int
    """Milliseconds from the headers of the request to the response."""
    acting_user_id: Union[str, None]
    """user handle"""
    created_at: str


class ApiVersion(Model):
    """An API version."""

    __slots__ = ()

    object: Literal["api_version"]
    version: str
    status: VersionStatus
    released_at: str
    sunset_at: Union[str, None]


class Applicant(Model):
    """A person who applied. Contact details have their own endpoint."""

    __slots__ = ()
    _nested = {
        "provenance": "Provenance",
        "external_refs": "[ApplicantExternalRef]",
        "links": "ApplicantLinks",
        "included": "ApplicantIncluded",
    }
    _optional = frozenset({"included", "restricted", "restricted_reason"})

    object: Literal["applicant"]
    id: str
    """applicant handle"""
    workspace_id: str
    """workspace handle"""
    full_name: Union[str, None]
    location: Union[str, None]
    linkedin_url: Union[str, None]
    github_url: Union[str, None]
    portfolio_url: Union[str, None]
    created_at: str
    updated_at: str
    provenance: Provenance
    external_refs: List[ApplicantExternalRef]
    """The same person in an ATS. Match on `system` and `id`. Empty for people who applied; this version does
    not import from an ATS, so only the demo has some.
    """
    links: ApplicantLinks
    included: Union[ApplicantIncluded, None]
    """Related records; only if the request has `include`."""
    restricted: Union[List[Union[Literal["included.applications", "included.applications.rejection_reason", "included.applications.withdrawal_reason", "included.applications.start_date"], str]], None]
    """Fields that the key cannot read; `restricted_reason` says why."""
    restricted_reason: Union[RestrictedReasons, None]
    """included.applications: scope_required:applications:read; included.applications.rejection_reason:
    scope_required:applications:internal:read; included.applications.withdrawal_reason:
    scope_required:applications:internal:read; included.applications.start_date:
    scope_required:applications:internal:read
    """


class ApplicantCreatedEvent(Model):
    """An applicant was created in the workspace."""

    __slots__ = ()
    _nested = {"data": "ApplicantCreatedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["applicant.created"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ApplicantCreatedEventData
    links: EventLinks


class ApplicantCreatedEventData(Model):
    __slots__ = ()
    _nested = {"object": "ApplicantCreatedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ApplicantCreatedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ApplicantCreatedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["applicant"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class ApplicantDeletedEvent(Model):
    """An applicant was deleted."""

    __slots__ = ()
    _nested = {"data": "ApplicantDeletedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["applicant.deleted"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ApplicantDeletedEventData
    links: EventLinks


class ApplicantDeletedEventData(Model):
    __slots__ = ()
    _nested = {"object": "ApplicantDeletedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ApplicantDeletedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ApplicantDeletedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["applicant"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    reason: str
    """Why it was deleted."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class ApplicantExternalRef(Model):
    __slots__ = ()

    system: str
    type: Union[str, None]
    id: str
    connection_id: Union[str, None]
    link_origin: Union[str, None]
    last_synced_at: Union[str, None]


class ApplicantIncluded(Model):
    __slots__ = ()
    _nested = {"applications": "[Application]"}
    _optional = frozenset({"applications"})

    applications: Union[List[Application], None]
    """Needs applications:read; otherwise listed in `restricted`."""


class ApplicantLinks(Model):
    __slots__ = ()

    self: str
    applications: str
    resumes: str
    contact_info: str


class ApplicantUnsubscribedEvent(Model):
    """The applicant unsubscribed. Stop emailing this person."""

    __slots__ = ()
    _nested = {"data": "ApplicantUnsubscribedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["applicant.unsubscribed"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ApplicantUnsubscribedEventData
    links: EventLinks


class ApplicantUnsubscribedEventData(Model):
    __slots__ = ()
    _nested = {"object": "ApplicantUnsubscribedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ApplicantUnsubscribedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ApplicantUnsubscribedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["applicant"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class ApplicantUpdatedEvent(Model):
    """Details of an applicant changed. `contact_info` in `changed` means an email address or phone number."""

    __slots__ = ()
    _nested = {"data": "ApplicantUpdatedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["applicant.updated"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ApplicantUpdatedEventData
    links: EventLinks


class ApplicantUpdatedEventData(Model):
    __slots__ = ()
    _nested = {"object": "ApplicantUpdatedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ApplicantUpdatedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ApplicantUpdatedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["applicant"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class Application(Model):
    """An application of a person for a job. The single read adds `resume_access` if there is a résumé."""

    __slots__ = ()
    _nested = {"resume_access": "ResumeAccess", "links": "ApplicationLinks", "included": "ApplicationIncluded"}
    _optional = frozenset({
        "rejection_reason",
        "withdrawal_reason",
        "start_date",
        "resume_access",
        "included",
        "restricted",
        "restricted_reason",
    })

    object: Literal["application"]
    id: str
    """application handle"""
    workspace_id: str
    """workspace handle"""
    job_id: str
    """job handle"""
    applicant_id: Union[str, None]
    """applicant handle"""
    stage_id: str
    """pipeline_stage handle"""
    status: Union[ApplicationStatus, str]
    source: str
    """Where the application came from, such as `public_board`, `partner_api:<system>`, `import:<system>` or,
    for people whom the team added, `team:<how>`.
    """
    external_id: Union[str, None]
    """The id of the application in the system named in `source`."""
    applied_at: str
    updated_at: str
    parse_status: Union[ParseStatus, str, None]
    """Null if there is no résumé."""
    has_resume: bool
    voice_screening_opted_out: bool
    """True: the candidate declined the phone pre-screen and must not be contacted for it."""
    rejection_reason: Union[str, None]
    """Internal; never sent to the candidate. Needs applications:internal:read; otherwise listed in
    `restricted`.
    """
    withdrawal_reason: Union[str, None]
    """What the candidate said when they withdrew. Internal. Needs applications:internal:read; otherwise listed
    in `restricted`.
    """
    start_date: Union[str, None]
    """The first day at work of a person who was hired, if the team recorded one. Internal. Needs
    applications:internal:read; otherwise listed in `restricted`.
    """
    owner_user_id: Union[str, None]
    """user handle"""
    resume_access: Union[ResumeAccess, None]
    """Résumés can be downloaded for 90 days, then only viewed. From day 120 they are locked."""
    links: ApplicationLinks
    included: Union[ApplicationIncluded, None]
    """Related records; only if the request has `include`."""
    restricted: Union[List[Union[Literal["rejection_reason", "withdrawal_reason", "start_date", "included.applicant", "included.score", "included.job", "included.stage", "included.orders", "included.score.rationale", "included.score.model_version", "included.orders.candidate_url"], str]], None]
    """Fields that the key cannot read; `restricted_reason` says why."""
    restricted_reason: Union[RestrictedReasons, None]
    """rejection_reason: scope_required:applications:internal:read; withdrawal_reason:
    scope_required:applications:internal:read; start_date: scope_required:applications:internal:read;
    included.applicant: scope_required:applicants:read; included.score: scope_required:applications:read;
    included.job: scope_required:jobs:read; included.stage: scope_required:jobs:read; included.orders:
    scope_required:orders:read; included.score.rationale: scope_required:applications:internal:read;
    included.score.model_version: scope_required:applications:internal:read; included.orders.candidate_url:
    scope_required:orders:write
    """


class ApplicationAnswers(Model):
    """The answers of the candidate on the application form, keyed by field id."""

    __slots__ = ()

    object: Literal["application_answers"]
    application_id: str
    """application handle"""
    answers: Dict[str, AnswerValue]
    """Keyed by the id of the form field."""


class ApplicationCreatedEvent(Model):
    """A candidate applied."""

    __slots__ = ()
    _nested = {"data": "ApplicationCreatedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["application.created"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ApplicationCreatedEventData
    links: EventLinks


class ApplicationCreatedEventData(Model):
    __slots__ = ()
    _nested = {"object": "ApplicationCreatedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ApplicationCreatedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ApplicationCreatedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["application"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    status: Union[ApplicationStatus, str]
    """The status after the change."""
    stage_id: str
    """The stage of the application."""
    job_id: str
    """The job of the application."""
    applicant_id: Union[str, None]
    """The person who applied; null if the person is not known."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class ApplicationDeletedEvent(Model):
    """An application was deleted."""

    __slots__ = ()
    _nested = {"data": "ApplicationDeletedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["application.deleted"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ApplicationDeletedEventData
    links: EventLinks


class ApplicationDeletedEventData(Model):
    __slots__ = ()
    _nested = {"object": "ApplicationDeletedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ApplicationDeletedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ApplicationDeletedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["application"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    reason: str
    """Why it was deleted."""
    job_id: str
    """The job of the application."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class ApplicationForm(Model):
    """The questions of a job. Deleted ones are left out, so older applications may have answers to questions
    that are not listed.
    """

    __slots__ = ()
    _nested = {"fields": "[FormField]"}

    object: Literal["application_form"]
    job_id: str
    """job handle"""
    is_template: bool
    """Whether the job uses the default form of the workspace."""
    fields: List[FormField]


class ApplicationIncluded(Model):
    __slots__ = ()
    _nested = {
        "applicant": "Applicant",
        "score": "ApplicationScore",
        "job": "JobSummary",
        "stage": "PipelineStageSummary",
        "orders": "[OrderSummary]",
    }
    _optional = frozenset({"applicant", "score", "job", "stage", "orders"})

    applicant: Union[Applicant, None]
    """Needs applicants:read; otherwise listed in `restricted`."""
    score: Union[ApplicationScore, None]
    """Needs applications:read; otherwise listed in `restricted`."""
    job: Union[JobSummary, None]
    """Needs jobs:read; otherwise listed in `restricted`."""
    stage: Union[PipelineStageSummary, None]
    """Needs jobs:read; otherwise listed in `restricted`."""
    orders: Union[List[OrderSummary], None]
    """Needs orders:read; otherwise listed in `restricted`."""


class ApplicationLinks(Model):
    __slots__ = ()

    self: str
    answers: str
    score: str
    resume: str
    screening: str
    stage_transitions: str


class ApplicationResumeParsedEvent(Model):
    """Parsing of the résumé finished or failed."""

    __slots__ = ()
    _nested = {"data": "ApplicationResumeParsedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["application.resume_parsed"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ApplicationResumeParsedEventData
    links: EventLinks


class ApplicationResumeParsedEventData(Model):
    __slots__ = ()
    _nested = {"object": "ApplicationResumeParsedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ApplicationResumeParsedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ApplicationResumeParsedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"parse_error", "changed", "origin"})

    object: Literal["application"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    job_id: str
    """The job of the application."""
    parse_status: Union[ParseStatus, str]
    """The result of parsing."""
    parse_error: Union[ParseError, None]
    """Why parsing failed; null if it did not."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class ApplicationScore(Model):
    """How well the résumé matches the job."""

    __slots__ = ()
    _optional = frozenset({"rationale", "model_version", "restricted", "restricted_reason"})

    object: Literal["application_score"]
    application_id: str
    """application handle"""
    match_pct: int
    """0 to 100"""
    gaps: List[str]
    """Requirements of the job that the résumé does not show."""
    rationale: Union[str, None]
    """Needs applications:internal:read; otherwise listed in `restricted`."""
    model_version: Union[str, None]
    """The version of the scoring rules. Needs applications:internal:read; otherwise listed in `restricted`."""
    restricted: Union[List[Union[Literal["rationale", "model_version"], str]], None]
    """Fields that the key cannot read; `restricted_reason` says why."""
    restricted_reason: Union[RestrictedReasons, None]
    """rationale: scope_required:applications:internal:read; model_version:
    scope_required:applications:internal:read
    """


class ApplicationScoredEvent(Model):
    """The match score was computed or changed."""

    __slots__ = ()
    _nested = {"data": "ApplicationScoredEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["application.scored"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ApplicationScoredEventData
    links: EventLinks


class ApplicationScoredEventData(Model):
    __slots__ = ()
    _nested = {"object": "ApplicationScoredEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ApplicationScoredEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ApplicationScoredEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["application"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    job_id: str
    """The job of the application."""
    match_pct: int
    """The match score, 0 to 100."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class ApplicationScreeningCompletedEvent(Model):
    """A phone pre-screen took place."""

    __slots__ = ()
    _nested = {"data": "ApplicationScreeningCompletedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["application.screening_completed"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ApplicationScreeningCompletedEventData
    links: EventLinks


class ApplicationScreeningCompletedEventData(Model):
    __slots__ = ()
    _nested = {"object": "ApplicationScreeningCompletedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ApplicationScreeningCompletedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ApplicationScreeningCompletedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["application"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    job_id: str
    """The job of the application."""
    call_status: CallStatus
    """How the call ended."""
    completion_state: CompletionState
    """How much was answered."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class ApplicationStageChangedEvent(Model):
    """An application moved to another stage."""

    __slots__ = ()
    _nested = {"data": "ApplicationStageChangedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["application.stage_changed"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ApplicationStageChangedEventData
    links: EventLinks


class ApplicationStageChangedEventData(Model):
    __slots__ = ()
    _nested = {"object": "ApplicationStageChangedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ApplicationStageChangedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ApplicationStageChangedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["application"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    status: Union[ApplicationStatus, str]
    """The status after the change."""
    stage_id: str
    """The stage of the application."""
    job_id: str
    """The job of the application."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class ApplicationStatusChangedEvent(Model):
    """The status of an application changed."""

    __slots__ = ()
    _nested = {"data": "ApplicationStatusChangedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["application.status_changed"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ApplicationStatusChangedEventData
    links: EventLinks


class ApplicationStatusChangedEventData(Model):
    __slots__ = ()
    _nested = {"object": "ApplicationStatusChangedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ApplicationStatusChangedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ApplicationStatusChangedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["application"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    status: Union[ApplicationStatus, str]
    """The status after the change."""
    stage_id: str
    """The stage of the application."""
    job_id: str
    """The job of the application."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class ApplicationUpdatedEvent(Model):
    """An application changed; `changed` names what."""

    __slots__ = ()
    _nested = {"data": "ApplicationUpdatedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["application.updated"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ApplicationUpdatedEventData
    links: EventLinks


class ApplicationUpdatedEventData(Model):
    __slots__ = ()
    _nested = {"object": "ApplicationUpdatedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ApplicationUpdatedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ApplicationUpdatedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["application"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    status: Union[ApplicationStatus, str]
    """The status after the change."""
    stage_id: str
    """The stage of the application."""
    job_id: str
    """The job of the application."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class ApplicationWithdrawnEvent(Model):
    """The applicant withdrew."""

    __slots__ = ()
    _nested = {"data": "ApplicationWithdrawnEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["application.withdrawn"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ApplicationWithdrawnEventData
    links: EventLinks


class ApplicationWithdrawnEventData(Model):
    __slots__ = ()
    _nested = {"object": "ApplicationWithdrawnEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ApplicationWithdrawnEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ApplicationWithdrawnEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["application"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    status: Union[ApplicationStatus, str]
    """The status after the change."""
    stage_id: str
    """The stage of the application."""
    job_id: str
    """The job of the application."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class Attachment(Model):
    """A file attached to a sourced profile."""

    __slots__ = ()
    _nested = {"links": "AttachmentLinks"}

    object: Literal["attachment"]
    type: AttachmentType
    filename: str
    mime: str
    bytes: int
    uploaded_at: str
    """UTC, without a zone suffix."""
    required_scope: str
    """The scope that you need to download the file."""
    readable: bool
    """Whether this key can download the file."""
    links: AttachmentLinks


class AttachmentLinks(Model):
    __slots__ = ()
    _optional = frozenset({"content"})

    content: Union[str, None]


class CandidateList(Model):
    """A candidate list. Its `object` is `list`, like the envelope of every list response."""

    __slots__ = ()
    _nested = {"links": "CandidateListLinks"}

    object: Literal["list"]
    id: str
    """list handle"""
    workspace_id: str
    """workspace handle"""
    project_id: Union[str, None]
    """project handle"""
    name: str
    description: Union[str, None]
    candidate_count: int
    """Number of members."""
    created_at: str
    updated_at: str
    links: CandidateListLinks


class CandidateListLinks(Model):
    __slots__ = ()

    self: str
    members: str


class ContactInfo(Model):
    """Email addresses and phone numbers that the workspace already has. Reading does not reveal new ones."""

    __slots__ = ()
    _nested = {
        "subject": "RecordSubject",
        "emails": "[ContactValue]",
        "phones": "[ContactValue]",
        "field_states": "ContactInfoFieldStates",
    }
    _optional = frozenset({
        "phones",
        "field_states",
        "excluded_probable_matches",
        "excluded_reason",
        "restricted",
        "restricted_reason",
    })

    object: Literal["contact_info"]
    subject: RecordSubject
    emails: List[ContactValue]
    """Email addresses that the workspace already has."""
    phones: Union[List[ContactValue], None]
    """Phone numbers that the workspace already has. Needs contact:phone:read; otherwise listed in
    `restricted`.
    """
    unsubscribed: bool
    field_states: Union[ContactInfoFieldStates, None]
    """`not_found` if a detail was never revealed, or was searched for and not found."""
    excluded_probable_matches: Union[int, None]
    """Records that are only a probable match for this person. Their contact details are not included."""
    excluded_reason: Union[str, None]
    restricted: Union[List[Union[Literal["phones"], str]], None]
    """Fields that the key cannot read; `restricted_reason` says why."""
    restricted_reason: Union[RestrictedReasons, None]
    """phones: scope_required:contact:phone:read"""


class ContactInfoFieldStates(Model):
    __slots__ = ()
    _optional = frozenset({"phone"})

    work_email: Union[ContactFieldState, str]
    personal_email: Union[ContactFieldState, str]
    phone: Union[ContactFieldState, str, None]
    """Needs contact:phone:read; otherwise absent."""


class ContactLicence(Model):
    __slots__ = ()

    redistributable: bool


class ContactSource(Model):
    __slots__ = ()

    object: str
    id: str
    workspace_id: Union[str, None]
    """workspace handle"""


class ContactValue(Model):
    __slots__ = ()
    _nested = {"source": "ContactSource", "licence": "ContactLicence"}

    value: str
    """Costs one personal-data unit per value."""
    kind: ContactKind
    status: ContactStatus
    verified_at: Union[str, None]
    source: ContactSource
    licence: ContactLicence


class Credential(Model):
    """The calling key and its limits."""

    __slots__ = ()
    _nested = {"plan": "CredentialPlan", "rate_limits": "CredentialRateLimits"}

    object: Literal["credential"]
    id: str
    """credential handle"""
    name: str
    environment: Union[KeyEnvironment, str]
    """The kind of the workspace: `test` for keys of a test workspace. In a live workspace `test` is a label."""
    scopes: List[str]
    """What the key can do."""
    scope_descriptions: Dict[str, str]
    """description by scope"""
    workspace_scope: WorkspaceScope
    """`single`: one workspace. `list`: several. `all`: every workspace of the account."""
    workspace_ids: List[str]
    """Workspaces that the key has access to."""
    workspace_id_required: bool
    """Whether `workspace_id` must be sent with every call."""
    owner_user_id: Union[str, None]
    """user handle"""
    acting_user_id: Union[str, None]
    """user handle"""
    installation_id: Union[str, None]
    """installation handle"""
    app_id: Union[str, None]
    """The app that was installed."""
    ip_allowlist_active: bool
    """Whether the key works only from certain IP addresses."""
    plan: Union[CredentialPlan, None]
    quota_resets_at: str
    """The first of the next month, UTC."""
    rate_limits: CredentialRateLimits
    created_at: str
    expires_at: Union[str, None]
    previous_secret_expires_at: Union[str, None]
    api_version: str


class CredentialPlan(Model):
    __slots__ = ()

    code: PlanCode
    name: str


class CredentialRateLimits(Model):
    __slots__ = ()

    general_per_minute: int
    expensive_per_minute: int
    download_per_minute: int
    personal_data_reads_per_day: int
    personal_data_reads_used_today: int
    requests_per_month: Union[int, None]
    """null: unlimited"""
    requests_used_this_month: int
    messages_per_day: int
    messages_used_today: int
    max_page_size: int
    default_page_size: int
    max_result_window: int
    """How many rows of a list can be paged through."""


class DataSubjectErasureCompletedEvent(Model):
    """These records were erased."""

    __slots__ = ()
    _nested = {"data": "DataSubjectErasureCompletedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["data_subject.erasure_completed"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: DataSubjectErasureCompletedEventData
    links: EventLinks


class DataSubjectErasureCompletedEventData(Model):
    __slots__ = ()
    _nested = {"object": "DataSubjectErasureCompletedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: DataSubjectErasureCompletedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class DataSubjectErasureCompletedEventRecord(Model):
    __slots__ = ()
    _nested = {"subjects": "[EventSubject]"}
    _optional = frozenset({"changed", "origin"})

    object: Literal["suppression"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    status: Union[SuppressionStatus, str]
    """How far the erasure is."""
    reason: SuppressionReason
    """Why the data must no longer be processed."""
    subjects: List[EventSubject]
    """The records of the person in this workspace."""
    delete_by: str
    """Delete your copies by this time."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class DataSubjectSuppressionAppliedEvent(Model):
    """Delete your copies of these records within seven days."""

    __slots__ = ()
    _nested = {"data": "DataSubjectSuppressionAppliedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["data_subject.suppression_applied"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: DataSubjectSuppressionAppliedEventData
    links: EventLinks


class DataSubjectSuppressionAppliedEventData(Model):
    __slots__ = ()
    _nested = {"object": "DataSubjectSuppressionAppliedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: DataSubjectSuppressionAppliedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class DataSubjectSuppressionAppliedEventRecord(Model):
    __slots__ = ()
    _nested = {"subjects": "[EventSubject]"}
    _optional = frozenset({"changed", "origin"})

    object: Literal["suppression"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    status: Union[SuppressionStatus, str]
    """How far the erasure is."""
    reason: SuppressionReason
    """Why the data must no longer be processed."""
    subjects: List[EventSubject]
    """The records of the person in this workspace."""
    delete_by: str
    """Delete your copies by this time."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class EventLinks(Model):
    __slots__ = ()
    _optional = frozenset({"record"})

    self: str
    """The path of the event."""
    record: Union[str, None]
    """The path of the record that changed. Absent if the record is deleted, if no endpoint returns it, and on
    older events.
    """


class EventSubject(Model):
    __slots__ = ()

    object: str
    id: str


class Export(Model):
    """A full copy of resources with their exact state at `as_of_sequence`. Continue with `GET
    /events?after=<as_of_sequence>`.
    """

    __slots__ = ()
    _nested = {"progress": "ExportProgress", "files": "[ExportFile]"}

    object: Literal["export"]
    id: str
    created_at: str
    resources: List[ExportResource]
    """What is copied."""
    status: ExportStatus
    """`failed` and `expired` are final, as is `ready`."""
    as_of_sequence: Union[int, None]
    """The position in the change feed that the files correspond to; null until it is known."""
    progress: ExportProgress
    files: List[ExportFile]
    """Gzipped NDJSON. Each URL is valid for 300 seconds; read the export again for a new one."""
    expires_at: str


class ExportFile(Model):
    __slots__ = ()

    resource: ExportResource
    rows: int
    bytes: int
    """Size of the compressed file."""
    url: str


class ExportProgress(Model):
    __slots__ = ()

    rows_done: int
    """Rows written so far."""
    rows_total: Union[int, None]
    """Null until the rows are counted."""


class FormField(Model):
    __slots__ = ()
    _nested = {"condition": "FormFieldCondition"}

    id: str
    label: str
    type: FormFieldType
    required: bool
    section: Union[str, None]
    help_text: Union[str, None]
    options: List[str]
    max_length: Union[int, None]
    condition: Union[FormFieldCondition, None]
    """The question is shown only if the question `field_id` has one of these answers, or names one of them;
    `true` or `false` for a question of type boolean. On a field of type `section` it applies to every field
    up to the next section. Null: always shown. A question that is not shown is not required, and an answer
    to it is accepted and not stored.
    """


class FormFieldCondition(Model):
    __slots__ = ()

    field_id: str
    values: List[str]


class FunnelGroup(Model):
    __slots__ = ()
    _nested = {"totals": "FunnelTotals", "stages": "[FunnelStage]"}

    key: Union[str, None]
    """A job, a department, a source, or the first day of a week (Monday) or month; null if there is none."""
    label: Union[str, None]
    totals: FunnelTotals
    stages: List[FunnelStage]


class FunnelStage(Model):
    __slots__ = ()
    _optional = frozenset({"stage_id", "name"})

    stage_type: StageType
    stage_id: Union[str, None]
    """pipeline_stage handle"""
    name: Union[str, None]
    position: int
    """Position of the stage in its job; without job_id, the usual position of the type."""
    reached: int
    """Applications that were ever in the stage: the sum of the next five counts."""
    current: int
    """Open applications that are in the stage now."""
    advanced: int
    """Applications that moved on to another stage."""
    rejected: int
    """Applications that were rejected in the stage."""
    withdrawn: int
    """Applications that were withdrawn in the stage."""
    hired: int
    """Applications that were hired in the stage."""
    conversion_rate: Union[float, None]
    """The share of applications that moved on or were hired, of those that reached the stage: 0 to 1."""
    median_hours_in_stage: Union[float, None]
    """Hours in the stage, of applications that moved on."""


class FunnelTotals(Model):
    __slots__ = ()

    applications: int
    new: int
    in_review: int
    advanced: int
    rejected: int
    withdrawn: int
    hired: int
    median_days_to_hire: Union[float, None]
    """Days from application to hire, of hired applications."""


class HiringFunnel(Model):
    """Counts of applications by status and by the stages they reached, computed from stage history. A stage of
    type `rejected` is not a funnel step: an application moved there counts in its previous stage. Counts
    and days to hire are exact. For more than 20000 applications, hours in stages are computed from a random
    sample of about that size, with at least 100 applications (or all) of each group.
    """

    __slots__ = ()
    _nested = {"totals": "FunnelTotals", "stages": "[FunnelStage]", "groups": "[FunnelGroup]"}

    object: Literal["hiring_funnel"]
    workspace_id: str
    """workspace handle"""
    job_id: Union[str, None]
    """job handle"""
    applied_after: str
    applied_before: str
    group_by: FunnelGrouping
    generated_at: str
    totals: FunnelTotals
    stages: List[FunnelStage]
    groups: List[FunnelGroup]
    groups_truncated: bool
    """Whether there are more groups than the 500 returned."""


class IdentityInput(Model):
    __slots__ = ()

    kind: IdentityKind
    value: str


class Installation(Model):
    """An app in a workspace."""

    __slots__ = ()
    _nested = {"app": "InstallationApp", "links": "InstallationLinks"}

    object: Literal["installation"]
    id: str
    """installation handle"""
    app: InstallationApp
    workspace_id: str
    """workspace handle"""
    workspace_name: str
    environment: Union[KeyEnvironment, str]
    """The environment of the workspace."""
    status: Union[InstallationStatus, str]
    suspended_by: Union[SuspendedBy, str, None]
    scopes: List[str]
    """What the workspace granted."""
    scopes_pending: List[str]
    """What the app has asked for since. An owner or admin decides about it with the install link."""
    credential_id: str
    """credential handle"""
    key_created_at: str
    installed_at: str
    updated_at: str
    ended_at: Union[str, None]
    delete_by: Union[str, None]
    """When your copies of the data must be deleted."""
    deletion_confirmed_at: Union[str, None]
    links: InstallationLinks


class InstallationApp(Model):
    __slots__ = ()

    id: str
    name: str


class InstallationKey(Model):
    """The key of an installation with its new secret."""

    __slots__ = ()

    object: Literal["installation_key"]
    installation_id: str
    """installation handle"""
    credential_id: str
    """credential handle"""
    access_token: Union[str, None]
    """Shown once; null in the response to a repeated request."""
    previous_secret_expires_at: Union[str, None]


class InstallationLinks(Model):
    __slots__ = ()

    self: str


class Interview(Model):
    """An interview of a candidate, as the hiring team planned it."""

    __slots__ = ()
    _optional = frozenset({"title", "place", "meeting_url", "restricted", "restricted_reason"})

    object: Literal["interview"]
    id: str
    application_id: str
    """application handle"""
    job_id: str
    """job handle"""
    stage_id: str
    """pipeline_stage handle"""
    status: InterviewStatus
    kind: InterviewKind
    starts_at: Union[str, None]
    """Null until the candidate has chosen a time."""
    ends_at: Union[str, None]
    time_zone: str
    """The IANA time zone of the person who planned it."""
    interviewer_user_ids: List[str]
    title: Union[str, None]
    """Needs applications:internal:read; otherwise listed in `restricted`."""
    place: Union[str, None]
    """Needs applications:internal:read; otherwise listed in `restricted`."""
    meeting_url: Union[str, None]
    """Needs applications:internal:read; otherwise listed in `restricted`."""
    created_at: str
    updated_at: str
    restricted: Union[List[Union[Literal["title", "place", "meeting_url"], str]], None]
    """Fields that the key cannot read; `restricted_reason` says why."""
    restricted_reason: Union[RestrictedReasons, None]
    """title: scope_required:applications:internal:read; place: scope_required:applications:internal:read;
    meeting_url: scope_required:applications:internal:read
    """


class Job(Model):
    """A job with its content."""

    __slots__ = ()
    _nested = {
        "compensation": "JobCompensation",
        "source": "JobSource",
        "links": "JobLinks",
        "content": "JobContent",
        "voice_screening": "JobVoiceScreening",
    }
    _optional = frozenset({"restricted", "restricted_reason"})

    object: Literal["job"]
    id: str
    """job handle"""
    workspace_id: str
    """workspace handle"""
    slug: str
    """Unique in the workspace; stays the same when the title changes."""
    status: JobStatus
    title: str
    department: Union[str, None]
    team: Union[str, None]
    employment_type: Union[EmploymentType, str, None]
    location_type: Union[LocationType, str, None]
    locations: List[str]
    experience_level: Union[ExperienceLevel, str, None]
    years_min: Union[float, None]
    years_max: Union[float, None]
    compensation: Union[JobCompensation, None]
    """In whole currency units, never cents."""
    accept_applications: bool
    """Whether the job accepts applications while it is published."""
    external_apply_url: Union[str, None]
    """The URL of an external application page."""
    public_url: Union[str, None]
    """The page of the job on the careers site of the workspace, for candidates. Null unless the job is
    published and the site is switched on.
    """
    language: Union[str, None]
    """The language of the texts, in the two letters of ISO 639-1, such as `de`. Null: no one chose one, and
    the careers site detects it from the texts.
    """
    source: JobSource
    published_at: Union[str, None]
    close_at: Union[str, None]
    """When the job closes automatically."""
    created_at: str
    updated_at: str
    links: JobLinks
    content: JobContent
    application_count: int
    voice_screening: JobVoiceScreening
    restricted: Union[List[Union[Literal["voice_screening.dial_in_code"], str]], None]
    """Fields that the key cannot read; `restricted_reason` says why."""
    restricted_reason: Union[RestrictedReasons, None]
    """voice_screening.dial_in_code: scope_required:jobs:screening:read"""


class JobClosedEvent(Model):
    """A job was closed."""

    __slots__ = ()
    _nested = {"data": "JobClosedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["job.closed"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: JobClosedEventData
    links: EventLinks


class JobClosedEventData(Model):
    __slots__ = ()
    _nested = {"object": "JobClosedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: JobClosedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class JobClosedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["job"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    status: JobStatus
    """The status after the change."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class JobCompensation(Model):
    __slots__ = ()

    salary_min: Union[int, None]
    """Whole currency units."""
    salary_max: Union[int, None]
    """Whole currency units."""
    currency: str
    """Three letters."""
    interval: Union[SalaryInterval, str]
    unit: Literal["major"]
    """Whole currency units."""
    equity: Union[str, None]
    commission: bool


class JobContent(Model):
    __slots__ = ()

    summary: Union[str, None]
    description_md: Union[str, None]
    """Markdown as the customer wrote it. Sanitize it before rendering."""
    responsibilities: List[str]
    requirements: List[str]
    nice_to_have: List[str]
    skills_required: List[str]
    skills_preferred: List[str]
    benefits: List[str]


class JobDeletedEvent(Model):
    """A job was deleted."""

    __slots__ = ()
    _nested = {"data": "JobDeletedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["job.deleted"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: JobDeletedEventData
    links: EventLinks


class JobDeletedEventData(Model):
    __slots__ = ()
    _nested = {"object": "JobDeletedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: JobDeletedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class JobDeletedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["job"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    reason: str
    """Why it was deleted."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class JobIncluded(Model):
    __slots__ = ()
    _nested = {"pipeline_stages": "[PipelineStageSummary]"}
    _optional = frozenset({"pipeline_stages"})

    pipeline_stages: Union[List[PipelineStageSummary], None]
    """Needs jobs:read; otherwise listed in `restricted`."""


class JobLinks(Model):
    __slots__ = ()

    self: str
    applications: str
    application_form: str
    prescreen_questions: str
    pipeline_stages: str
    sections: str


class JobPublishedEvent(Model):
    """A job was published."""

    __slots__ = ()
    _nested = {"data": "JobPublishedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["job.published"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: JobPublishedEventData
    links: EventLinks


class JobPublishedEventData(Model):
    __slots__ = ()
    _nested = {"object": "JobPublishedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: JobPublishedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class JobPublishedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["job"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    status: JobStatus
    """The status after the change."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class JobReopenedEvent(Model):
    """A closed job was published again."""

    __slots__ = ()
    _nested = {"data": "JobReopenedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["job.reopened"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: JobReopenedEventData
    links: EventLinks


class JobReopenedEventData(Model):
    __slots__ = ()
    _nested = {"object": "JobReopenedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: JobReopenedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class JobReopenedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["job"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    status: JobStatus
    """The status after the change."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class JobSections(Model):
    """A job with its stages, its application form and its pre-screen questions."""

    __slots__ = ()
    _nested = {
        "compensation": "JobCompensation",
        "source": "JobSource",
        "links": "JobLinks",
        "content": "JobContent",
        "voice_screening": "JobVoiceScreening",
        "pipeline_stages": "[PipelineStage]",
        "application_form": "ApplicationForm",
        "prescreen_questions": "PrescreenQuestions",
    }
    _optional = frozenset({"prescreen_questions", "restricted", "restricted_reason"})

    object: Literal["job"]
    id: str
    """job handle"""
    workspace_id: str
    """workspace handle"""
    slug: str
    """Unique in the workspace; stays the same when the title changes."""
    status: JobStatus
    title: str
    department: Union[str, None]
    team: Union[str, None]
    employment_type: Union[EmploymentType, str, None]
    location_type: Union[LocationType, str, None]
    locations: List[str]
    experience_level: Union[ExperienceLevel, str, None]
    years_min: Union[float, None]
    years_max: Union[float, None]
    compensation: Union[JobCompensation, None]
    """In whole currency units, never cents."""
    accept_applications: bool
    """Whether the job accepts applications while it is published."""
    external_apply_url: Union[str, None]
    """The URL of an external application page."""
    public_url: Union[str, None]
    """The page of the job on the careers site of the workspace, for candidates. Null unless the job is
    published and the site is switched on.
    """
    language: Union[str, None]
    """The language of the texts, in the two letters of ISO 639-1, such as `de`. Null: no one chose one, and
    the careers site detects it from the texts.
    """
    source: JobSource
    published_at: Union[str, None]
    close_at: Union[str, None]
    """When the job closes automatically."""
    created_at: str
    updated_at: str
    links: JobLinks
    content: JobContent
    application_count: int
    voice_screening: JobVoiceScreening
    pipeline_stages: List[PipelineStage]
    application_form: ApplicationForm
    prescreen_questions: Union[PrescreenQuestions, None]
    """Needs jobs:screening:read; otherwise listed in `restricted`."""
    restricted: Union[List[Union[Literal["voice_screening.dial_in_code", "prescreen_questions"], str]], None]
    """Fields that the key cannot read; `restricted_reason` says why."""
    restricted_reason: Union[RestrictedReasons, None]
    """voice_screening.dial_in_code: scope_required:jobs:screening:read; prescreen_questions:
    scope_required:jobs:screening:read
    """


class JobSectionsUpdatedEvent(Model):
    """The stages, form or questions of a job changed."""

    __slots__ = ()
    _nested = {"data": "JobSectionsUpdatedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["job.sections_updated"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: JobSectionsUpdatedEventData
    links: EventLinks


class JobSectionsUpdatedEventData(Model):
    __slots__ = ()
    _nested = {"object": "JobSectionsUpdatedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: JobSectionsUpdatedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class JobSectionsUpdatedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["job"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    status: JobStatus
    """The status after the change."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class JobSource(Model):
    __slots__ = ()

    system: str
    """`tahoe_native` for jobs created in the product, otherwise the name of the partner system."""
    external_id: Union[str, None]
    """Your id of the record. Together with the system it identifies the record."""
    company_name: Union[str, None]
    company_logo_url: Union[str, None]
    """The logo of the employer. Stored and returned in ASCII: other letters of the host as Punycode, those of
    the path percent-encoded.
    """
    canonical_url: Union[str, None]
    """The public page of the job. Stored and returned in ASCII: other letters of the host as Punycode, those
    of the path percent-encoded.
    """


class JobSummary(Model):
    """A job in a list."""

    __slots__ = ()
    _nested = {
        "compensation": "JobCompensation",
        "source": "JobSource",
        "links": "JobLinks",
        "included": "JobIncluded",
    }
    _optional = frozenset({"included", "restricted", "restricted_reason"})

    object: Literal["job"]
    id: str
    """job handle"""
    workspace_id: str
    """workspace handle"""
    slug: str
    """Unique in the workspace; stays the same when the title changes."""
    status: JobStatus
    title: str
    department: Union[str, None]
    team: Union[str, None]
    employment_type: Union[EmploymentType, str, None]
    location_type: Union[LocationType, str, None]
    locations: List[str]
    experience_level: Union[ExperienceLevel, str, None]
    years_min: Union[float, None]
    years_max: Union[float, None]
    compensation: Union[JobCompensation, None]
    """In whole currency units, never cents."""
    accept_applications: bool
    """Whether the job accepts applications while it is published."""
    external_apply_url: Union[str, None]
    """The URL of an external application page."""
    public_url: Union[str, None]
    """The page of the job on the careers site of the workspace, for candidates. Null unless the job is
    published and the site is switched on.
    """
    language: Union[str, None]
    """The language of the texts, in the two letters of ISO 639-1, such as `de`. Null: no one chose one, and
    the careers site detects it from the texts.
    """
    source: JobSource
    published_at: Union[str, None]
    close_at: Union[str, None]
    """When the job closes automatically."""
    created_at: str
    updated_at: str
    links: JobLinks
    summary: Union[str, None]
    included: Union[JobIncluded, None]
    """Related records; only if the request has `include`."""
    restricted: Union[List[Union[Literal["included.pipeline_stages"], str]], None]
    """Fields that the key cannot read; `restricted_reason` says why."""
    restricted_reason: Union[RestrictedReasons, None]
    """included.pipeline_stages: scope_required:jobs:read"""


class JobUnpublishedEvent(Model):
    """A job was unpublished and is a draft again."""

    __slots__ = ()
    _nested = {"data": "JobUnpublishedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["job.unpublished"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: JobUnpublishedEventData
    links: EventLinks


class JobUnpublishedEventData(Model):
    __slots__ = ()
    _nested = {"object": "JobUnpublishedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: JobUnpublishedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class JobUnpublishedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["job"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    status: JobStatus
    """The status after the change."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class JobUpdatedEvent(Model):
    """Fields of a job changed; `changed` names them."""

    __slots__ = ()
    _nested = {"data": "JobUpdatedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["job.updated"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: JobUpdatedEventData
    links: EventLinks


class JobUpdatedEventData(Model):
    __slots__ = ()
    _nested = {"object": "JobUpdatedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: JobUpdatedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class JobUpdatedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["job"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    status: JobStatus
    """The status after the change."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class JobVoiceScreening(Model):
    __slots__ = ()
    _optional = frozenset({"dial_in_code"})

    dial_in_code: Union[str, None]
    """Six digits. Needs jobs:screening:read; otherwise listed in `restricted`."""


class ListCreatedEvent(Model):
    """A list was created."""

    __slots__ = ()
    _nested = {"data": "ListCreatedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["list.created"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ListCreatedEventData
    links: EventLinks


class ListCreatedEventData(Model):
    __slots__ = ()
    _nested = {"object": "ListCreatedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ListCreatedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ListCreatedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["list"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    project_id: Union[str, None]
    """The project of the list; null if it has none."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class ListDeletedEvent(Model):
    """A list was deleted."""

    __slots__ = ()
    _nested = {"data": "ListDeletedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["list.deleted"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ListDeletedEventData
    links: EventLinks


class ListDeletedEventData(Model):
    __slots__ = ()
    _nested = {"object": "ListDeletedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ListDeletedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ListDeletedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["list"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    project_id: Union[str, None]
    """The project of the list; null if it has none."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class ListMemberBatch(Model):
    """The result for each member in the request."""

    __slots__ = ()
    _nested = {"results": "[ListMemberBatchResult]"}

    object: Literal["list_member_batch"]
    list_id: str
    """list handle"""
    requested: int
    """How many you sent; the other four counts add up to it."""
    added: int
    already_in_list: int
    not_found: int
    """Malformed, in another workspace, or nonexistent. The response does not say which."""
    unsupported: int
    """Applicants cannot be added to a list."""
    candidate_count: Union[int, None]
    """The number of members after the call; null if nothing was added."""
    results: List[ListMemberBatchResult]
    """One entry for each item, in the order sent."""


class ListMemberBatchResult(Model):
    __slots__ = ()
    _nested = {"membership": "ListMembership"}

    index: int
    """Position in the request, from 0."""
    status: Union[ListMemberOutcome, str]
    sourced_profile_id: Union[str, None]
    applicant_id: Union[str, None]
    membership: Union[ListMembership, None]


class ListMembership(Model):
    """A sourced profile in a list, with its stage there."""

    __slots__ = ()
    _nested = {"included": "ListMembershipIncluded"}
    _optional = frozenset({"included", "restricted", "restricted_reason"})

    object: Literal["list_membership"]
    id: str
    """list_membership handle"""
    list_id: str
    """list handle"""
    sourced_profile_id: str
    """sourced_profile handle"""
    stage: Union[str, None]
    """A stage key or a custom label; null if there is none."""
    stage_updated_at: Union[str, None]
    added_at: str
    included: Union[ListMembershipIncluded, None]
    """Related records; only if the request has `include`."""
    restricted: Union[List[Union[Literal["included.sourced_profile"], str]], None]
    """Fields that the key cannot read; `restricted_reason` says why."""
    restricted_reason: Union[RestrictedReasons, None]
    """included.sourced_profile: scope_required:sourced_profiles:read"""


class ListMembershipAddedEvent(Model):
    """A profile was added to a list."""

    __slots__ = ()
    _nested = {"data": "ListMembershipAddedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["list_membership.added"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ListMembershipAddedEventData
    links: EventLinks


class ListMembershipAddedEventData(Model):
    __slots__ = ()
    _nested = {"object": "ListMembershipAddedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ListMembershipAddedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ListMembershipAddedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["list_membership"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    list_id: str
    """The list."""
    sourced_profile_id: str
    """The profile in the list."""
    stage: Union[str, None]
    """The stage after the change: a stage key or a custom label; null if there is none."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class ListMembershipIncluded(Model):
    __slots__ = ()
    _nested = {"sourced_profile": "SourcedProfile"}
    _optional = frozenset({"sourced_profile"})

    sourced_profile: Union[SourcedProfile, None]
    """Needs sourced_profiles:read; otherwise listed in `restricted`."""


class ListMembershipRemovedEvent(Model):
    """A profile was removed from a list. Delete your stored row."""

    __slots__ = ()
    _nested = {"data": "ListMembershipRemovedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["list_membership.removed"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ListMembershipRemovedEventData
    links: EventLinks


class ListMembershipRemovedEventData(Model):
    __slots__ = ()
    _nested = {"object": "ListMembershipRemovedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ListMembershipRemovedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ListMembershipRemovedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["list_membership"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    list_id: str
    """The list."""
    sourced_profile_id: str
    """The profile in the list."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class ListMembershipStageChangedEvent(Model):
    """The stage of a list member changed."""

    __slots__ = ()
    _nested = {"data": "ListMembershipStageChangedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["list_membership.stage_changed"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ListMembershipStageChangedEventData
    links: EventLinks


class ListMembershipStageChangedEventData(Model):
    __slots__ = ()
    _nested = {"object": "ListMembershipStageChangedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ListMembershipStageChangedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ListMembershipStageChangedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["list_membership"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    list_id: str
    """The list."""
    sourced_profile_id: str
    """The profile in the list."""
    stage: Union[str, None]
    """The stage after the change: a stage key or a custom label; null if there is none."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class ListUpdatedEvent(Model):
    """A list or its membership changed."""

    __slots__ = ()
    _nested = {"data": "ListUpdatedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["list.updated"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ListUpdatedEventData
    links: EventLinks


class ListUpdatedEventData(Model):
    __slots__ = ()
    _nested = {"object": "ListUpdatedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ListUpdatedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ListUpdatedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["list"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    project_id: Union[str, None]
    """The project of the list; null if it has none."""
    candidate_count: int
    """The number of members after the change."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class Message(Model):
    """An email to an applicant. `sent`: the mail provider accepted it. `queued`: it is being sent, or its
    result is unknown because the response of the mail provider was lost. It is never sent twice.
    """

    __slots__ = ()
    _nested = {"to": "MessageTo"}

    object: Literal["message"]
    id: str
    """message handle"""
    status: MessageStatus
    to: MessageTo
    """Exactly one of `application_id` or `applicant_id`."""
    sent_at: Union[str, None]


class MessageTo(Model):
    __slots__ = ()
    _optional = frozenset({"application_id", "applicant_id"})

    application_id: Union[str, None]
    """application handle"""
    applicant_id: Union[str, None]
    """applicant handle"""


class Note(Model):
    """A note on an application, for the hiring team."""

    __slots__ = ()

    object: Literal["note"]
    id: str
    application_id: str
    """application handle"""
    body: str
    author_user_id: Union[str, None]
    """user handle"""
    created_at: str


class Order(Model):
    """A test or check of a candidate that a vendor carries out, with its result."""

    __slots__ = ()
    _nested = {
        "vendor": "OrderVendor",
        "status_reason": "OrderStatusReason",
        "placed_by": "OrderPlacedBy",
        "source": "OrderSource",
        "invitation": "OrderInvitation",
        "links": "OrderLinks",
        "result": "OrderResult",
    }
    _optional = frozenset({"candidate_url", "result", "restricted", "restricted_reason"})

    object: Literal["order"]
    id: str
    """order handle"""
    workspace_id: str
    """workspace handle"""
    application_id: str
    """application handle"""
    applicant_id: Union[str, None]
    """applicant handle"""
    job_id: str
    """job handle"""
    stage_id: Union[str, None]
    """pipeline_stage handle"""
    package_id: str
    """package handle"""
    package_name: str
    """As it was when it was ordered."""
    kind: PackageKind
    vendor: OrderVendor
    """The vendor: a key, or an installed app."""
    status: OrderStatus
    waiting_on: Union[OrderWaitingOn, None]
    """Null: no one."""
    status_reason: Union[OrderStatusReason, None]
    """Why it has this status, where that is not plain."""
    placed_by: OrderPlacedBy
    source: Union[OrderSource, None]
    """What the caller who placed it calls it."""
    external_id: Union[str, None]
    """The id that the vendor gave it."""
    external_url: Union[str, None]
    """A page of the vendor for recruiters."""
    candidate_url: Union[str, None]
    """Opens the test. Needs orders:write; otherwise listed in `restricted`."""
    attempt: int
    """1, and one more for each repetition."""
    previous_order_id: Union[str, None]
    """order handle"""
    invitation: OrderInvitation
    requested_at: str
    accepted_at: Union[str, None]
    started_at: Union[str, None]
    completed_at: Union[str, None]
    due_at: Union[str, None]
    """Null until it is known."""
    updated_at: str
    result_received: bool
    links: OrderLinks
    result: Union[OrderResult, None]
    """Null until the vendor completes the order. Needs orders:results:read; otherwise listed in `restricted`."""
    restricted: Union[List[Union[Literal["candidate_url", "result"], str]], None]
    """Fields that the key cannot read; `restricted_reason` says why."""
    restricted_reason: Union[RestrictedReasons, None]
    """candidate_url: scope_required:orders:write; result: scope_required:orders:results:read"""


class OrderCandidate(Model):
    """The candidate of an order, as far as its package shares it."""

    __slots__ = ()
    _nested = {"resume": "OrderCandidateResume"}
    _optional = frozenset({"email", "phone", "resume", "restricted", "restricted_reason"})

    object: Literal["order_candidate"]
    order_id: str
    """order handle"""
    first_name: Union[str, None]
    last_name: Union[str, None]
    language: Union[str, None]
    """The language in which the candidate applied, as two letters."""
    email: Union[str, None]
    """Costs one personal-data unit per value."""
    phone: Union[str, None]
    """Costs one personal-data unit per value."""
    resume: Union[OrderCandidateResume, None]
    restricted: Union[List[Union[Literal["email", "phone", "resume"], str]], None]
    """Fields that the key cannot read; `restricted_reason` says why."""
    restricted_reason: Union[RestrictedReasons, None]
    """email: never_exposed:consent_scope; phone: never_exposed:consent_scope; resume:
    never_exposed:consent_scope
    """


class OrderCandidateResume(Model):
    __slots__ = ()
    _nested = {"links": "OrderCandidateResumeLinks"}

    filename: str
    mime: str
    bytes: int
    links: OrderCandidateResumeLinks


class OrderCandidateResumeLinks(Model):
    __slots__ = ()

    download: str


class OrderCreatedEvent(Model):
    """A check or assessment was ordered."""

    __slots__ = ()
    _nested = {"data": "OrderCreatedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["order.created"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: OrderCreatedEventData
    links: EventLinks


class OrderCreatedEventData(Model):
    __slots__ = ()
    _nested = {"object": "OrderCreatedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: OrderCreatedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class OrderCreatedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["order"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    status: OrderStatus
    """The status after the change."""
    application_id: str
    """The application that it is about."""
    job_id: str
    """The job of the application."""
    package_id: str
    """The package that was ordered."""
    attempt: int
    """1, and one more for each repetition."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class OrderDeletedEvent(Model):
    """An order was deleted. Delete your copy."""

    __slots__ = ()
    _nested = {"data": "OrderDeletedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["order.deleted"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: OrderDeletedEventData
    links: EventLinks


class OrderDeletedEventData(Model):
    __slots__ = ()
    _nested = {"object": "OrderDeletedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: OrderDeletedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class OrderDeletedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["order"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    reason: str
    """Why it was deleted: `application_deleted`, `retention` or `erasure_request`."""
    package_id: str
    """The package that was ordered."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class OrderIncluded(Model):
    __slots__ = ()
    _nested = {"application": "Application", "applicant": "Applicant", "job": "JobSummary"}
    _optional = frozenset({"application", "applicant", "job"})

    application: Union[Application, None]
    """Needs applications:read; otherwise listed in `restricted`."""
    applicant: Union[Applicant, None]
    """Needs applicants:read; otherwise listed in `restricted`."""
    job: Union[JobSummary, None]
    """Needs jobs:read; otherwise listed in `restricted`."""


class OrderInvitation(Model):
    __slots__ = ()

    by: InvitationBy
    sent_at: Union[str, None]
    reminders: int
    last_reminded_at: Union[str, None]


class OrderLinks(Model):
    __slots__ = ()

    self: str
    application: str
    result: str
    candidate: str


class OrderPlacedBy(Model):
    __slots__ = ()

    object: PlacedByObject
    id: str
    """The handle of the person, of the key or of the stage."""


class OrderReport(Model):
    __slots__ = ()
    _nested = {"links": "OrderResultReportLinks"}

    id: str
    filename: str
    mime: str
    bytes: int
    links: OrderResultReportLinks


class OrderResult(Model):
    """What the vendor found. No rule of the service decides by it."""

    __slots__ = ()
    _nested = {"score": "OrderResultScore", "sections": "[ResultSection]", "reports": "[OrderReport]"}

    object: Literal["order_result"]
    order_id: str
    """order handle"""
    revision: int
    """1, and one more for each correction by the vendor."""
    outcome: OrderOutcome
    score: Union[OrderResultScore, None]
    """Null if the vendor gives no score."""
    score_pct: Union[int, None]
    """The score as part of its scale, 0 to 100, to compare orders of one package. Null for ranks."""
    sections: List[ResultSection]
    """The parts of the test."""
    summary: Union[str, None]
    reports: List[OrderReport]
    late: bool
    """It came after the due date."""
    completed_at: str
    received_at: str
    updated_at: str


class OrderResultReportLinks(Model):
    __slots__ = ()

    content: str


class OrderResultScore(Model):
    __slots__ = ()

    value: float
    min: float
    max: float
    passing: Union[float, None]
    """From here on it counts as passed."""
    unit: ScoreUnit


class OrderResumeDownload(Model):
    """A signed URL of the résumé file of the candidate of an order."""

    __slots__ = ()

    object: Literal["resume_download"]
    order_id: str
    """order handle"""
    url: str
    """Costs one personal-data unit per value."""
    expires_in: int
    """Seconds."""
    filename: str
    mime: str
    bytes: int


class OrderSource(Model):
    __slots__ = ()

    system: str
    external_id: str


class OrderStatusReason(Model):
    __slots__ = ()

    code: OrderReason
    message: Union[str, None]


class OrderSummary(Model):
    """An order in a list."""

    __slots__ = ()
    _nested = {
        "vendor": "OrderVendor",
        "status_reason": "OrderStatusReason",
        "placed_by": "OrderPlacedBy",
        "source": "OrderSource",
        "invitation": "OrderInvitation",
        "links": "OrderLinks",
        "included": "OrderIncluded",
    }
    _optional = frozenset({"candidate_url", "included", "restricted", "restricted_reason"})

    object: Literal["order"]
    id: str
    """order handle"""
    workspace_id: str
    """workspace handle"""
    application_id: str
    """application handle"""
    applicant_id: Union[str, None]
    """applicant handle"""
    job_id: str
    """job handle"""
    stage_id: Union[str, None]
    """pipeline_stage handle"""
    package_id: str
    """package handle"""
    package_name: str
    """As it was when it was ordered."""
    kind: PackageKind
    vendor: OrderVendor
    """The vendor: a key, or an installed app."""
    status: OrderStatus
    waiting_on: Union[OrderWaitingOn, None]
    """Null: no one."""
    status_reason: Union[OrderStatusReason, None]
    """Why it has this status, where that is not plain."""
    placed_by: OrderPlacedBy
    source: Union[OrderSource, None]
    """What the caller who placed it calls it."""
    external_id: Union[str, None]
    """The id that the vendor gave it."""
    external_url: Union[str, None]
    """A page of the vendor for recruiters."""
    candidate_url: Union[str, None]
    """Opens the test. Needs orders:write; otherwise listed in `restricted`."""
    attempt: int
    """1, and one more for each repetition."""
    previous_order_id: Union[str, None]
    """order handle"""
    invitation: OrderInvitation
    requested_at: str
    accepted_at: Union[str, None]
    started_at: Union[str, None]
    completed_at: Union[str, None]
    due_at: Union[str, None]
    """Null until it is known."""
    updated_at: str
    result_received: bool
    links: OrderLinks
    included: Union[OrderIncluded, None]
    """Related records; only if the request has `include`."""
    restricted: Union[List[Union[Literal["candidate_url", "included.application", "included.applicant", "included.job", "included.application.rejection_reason", "included.application.withdrawal_reason", "included.application.start_date"], str]], None]
    """Fields that the key cannot read; `restricted_reason` says why."""
    restricted_reason: Union[RestrictedReasons, None]
    """candidate_url: scope_required:orders:write; included.application: scope_required:applications:read;
    included.applicant: scope_required:applicants:read; included.job: scope_required:jobs:read;
    included.application.rejection_reason: scope_required:applications:internal:read;
    included.application.withdrawal_reason: scope_required:applications:internal:read;
    included.application.start_date: scope_required:applications:internal:read
    """


class OrderUpdatedEvent(Model):
    """An order or its result changed; `changed` names what."""

    __slots__ = ()
    _nested = {"data": "OrderUpdatedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["order.updated"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: OrderUpdatedEventData
    links: EventLinks


class OrderUpdatedEventData(Model):
    __slots__ = ()
    _nested = {"object": "OrderUpdatedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: OrderUpdatedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class OrderUpdatedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["order"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    status: OrderStatus
    """The status after the change."""
    waiting_on: Union[OrderWaitingOn, None]
    """Who is to do something; null: no one."""
    package_id: str
    """The package that was ordered."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class OrderVendor(Model):
    __slots__ = ()

    id: str
    """The handle of the vendor."""
    name: str


class OtherEvent(Model):
    """An event of a type that was added after this description was written. Ignore it."""

    __slots__ = ()
    _nested = {"data": "OtherEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: str
    """A type that this description does not know."""
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: OtherEventData
    links: EventLinks


class OtherEventData(Model):
    __slots__ = ()
    _nested = {"object": "OtherEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: OtherEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class OtherEventRecord(Model):
    __slots__ = ()

    object: str
    id: str
    workspace_id: Union[str, None]
    updated_at: str


class Package(Model):
    """A test or check that a vendor offers."""

    __slots__ = ()
    _nested = {"vendor": "PackageVendor", "links": "PackageLinks"}

    object: Literal["package"]
    id: str
    """package handle"""
    workspace_id: str
    """workspace handle"""
    vendor: PackageVendor
    """The vendor: a key, or an installed app."""
    external_id: str
    """Your id of the package. Publishing it again under the same id changes it."""
    kind: PackageKind
    name: str
    """Candidates and recruiters read it: one line, without a link."""
    description: Union[str, None]
    duration_minutes: Union[int, None]
    """How long a candidate needs."""
    languages: List[str]
    """Language tags (BCP 47), such as `de` or `pt-BR`."""
    countries: List[str]
    """Countries of candidates (ISO 3166-1, two letters). None: all countries."""
    info_url: Union[str, None]
    """A page about the package. Stored and returned in ASCII: other letters of the host as Punycode, those of
    the path percent-encoded.
    """
    privacy_url: str
    """Your privacy notice, which candidates are shown. Stored and returned in ASCII: other letters of the host
    as Punycode, those of the path percent-encoded.
    """
    invitation: Union[PackageInvitation, str]
    """Who sends the invitation. If the service does, you supply the link when you accept an order."""
    candidate_host: Union[str, None]
    """The DNS name of the links that candidates open. Required if the service invites, else null."""
    shares: List[SharedValue]
    """What you can read of the candidate of an open order, besides the name."""
    completion_days: int
    """Days from acceptance to the due date, 1 to 90. Default 14."""
    status: PackageStatus
    created_at: str
    updated_at: str
    links: PackageLinks


class PackageLinks(Model):
    __slots__ = ()

    self: str


class PackageVendor(Model):
    __slots__ = ()

    id: str
    """The handle of the vendor."""
    name: str


class Person(Model):
    """What the records of the workspace contain about one identifier. A lookup result, not a record."""

    __slots__ = ()
    _nested = {
        "identity": "PersonIdentity",
        "display": "PersonDisplay",
        "display_source": "PersonDisplaySource",
        "profiles": "[PersonProfile]",
        "counts": "PersonCounts",
        "links": "PersonLinks",
    }
    _optional = frozenset({"restricted", "restricted_reason"})

    object: Literal["person"]
    id: str
    """person handle"""
    canonical_id: str
    """person handle"""
    aliases: List[str]
    """Other handles of the same person."""
    identity: PersonIdentity
    authoritative: bool
    """Always false: a person is a lookup result, not a record."""
    display: PersonDisplay
    display_source: PersonDisplaySource
    profiles: List[PersonProfile]
    counts: PersonCounts
    links: PersonLinks
    restricted: Union[List[Union[Literal["identity.value"], str]], None]
    """Fields that the key cannot read; `restricted_reason` says why."""
    restricted_reason: Union[RestrictedReasons, None]
    """identity.value: scope_required:contact:read"""


class PersonCanonicalIdChangedEvent(Model):
    """The canonical handle of a person changed. Update your stored handle."""

    __slots__ = ()
    _nested = {"data": "PersonCanonicalIdChangedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["person.canonical_id_changed"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: PersonCanonicalIdChangedEventData
    links: EventLinks


class PersonCanonicalIdChangedEventData(Model):
    __slots__ = ()
    _nested = {"object": "PersonCanonicalIdChangedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: PersonCanonicalIdChangedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class PersonCanonicalIdChangedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["person"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    canonical_id: str
    """The handle to store for the person."""
    previous_canonical_id: str
    """The handle that was canonical before."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class PersonCounts(Model):
    __slots__ = ()

    profiles: int
    sourced_profiles: int
    applicants: int
    pool_profiles: int
    exact_matches: int


class PersonDisplay(Model):
    __slots__ = ()

    full_name: Union[str, None]
    headline: Union[str, None]
    location: Union[str, None]
    photo_url: Union[str, None]


class PersonDisplaySource(Model):
    __slots__ = ()

    object: ProfileObject
    id: str
    workspace_id: Union[str, None]
    """workspace handle"""


class PersonIdentity(Model):
    __slots__ = ()
    _optional = frozenset({"value"})

    kind: IdentityKind
    value: Union[str, None]
    """In normalized form. An email address is free when you resolve it yourself, and charged when you read the
    person by handle. Needs contact:read; otherwise listed in `restricted`. Costs one personal-data unit per
    value.
    """


class PersonIdentityLinkedEvent(Model):
    """Two identifiers were found to belong to one person."""

    __slots__ = ()
    _nested = {"data": "PersonIdentityLinkedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["person.identity_linked"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: PersonIdentityLinkedEventData
    links: EventLinks


class PersonIdentityLinkedEventData(Model):
    __slots__ = ()
    _nested = {"object": "PersonIdentityLinkedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: PersonIdentityLinkedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class PersonIdentityLinkedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["person"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    canonical_id: str
    """The handle to store for the person."""
    linked_id: str
    """The handle that was found to belong to the same person."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class PersonLinks(Model):
    __slots__ = ()

    self: str
    profiles: str
    contact_info: str
    resumes: str
    applications: str


class PersonProfile(Model):
    __slots__ = ()
    _nested = {"match": "ProfileMatch", "provenance": "ProfileOrigin"}

    object: ProfileObject
    id: str
    workspace_id: Union[str, None]
    """workspace handle"""
    match: ProfileMatch
    provenance: ProfileOrigin


class PersonalDataRead(Model):
    """One personal-data value that this key received."""

    __slots__ = ()
    _nested = {"subject": "RecordSubject"}

    object: Literal["personal_data_read"]
    subject: RecordSubject
    field: str
    units: int
    """The number of units charged to the daily budget."""
    request_id: str
    """request handle"""
    acting_user_id: Union[str, None]
    """user handle"""
    at: str


class Ping(Model):
    """The service is up."""

    __slots__ = ()

    object: Literal["ping"]
    ok: bool
    api_version: str


class PipelineStage(Model):
    """A stage of the pipeline of one job."""

    __slots__ = ()

    object: Literal["pipeline_stage"]
    id: str
    """pipeline_stage handle"""
    job_id: str
    """job handle"""
    name: str
    position: int
    """Sort order, ascending."""
    type: StageType
    is_terminal: bool
    """A final stage, such as Hired or Rejected."""
    application_count: int
    """Applications in this stage now."""


class PipelineStageSummary(Model):
    """A stage without the number of its applications."""

    __slots__ = ()

    object: Literal["pipeline_stage"]
    id: str
    """pipeline_stage handle"""
    name: str
    position: int
    """Sort order, ascending."""
    type: StageType
    is_terminal: bool
    """A final stage, such as Hired or Rejected."""


class PoolBatchUpsertedEvent(Model):
    """A batch of pool profiles was loaded."""

    __slots__ = ()
    _nested = {"data": "PoolBatchUpsertedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["pool.batch_upserted"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: PoolBatchUpsertedEventData
    links: EventLinks


class PoolBatchUpsertedEventData(Model):
    __slots__ = ()
    _nested = {"object": "PoolBatchUpsertedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: PoolBatchUpsertedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class PoolBatchUpsertedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["pool_batch"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    count: int
    """The number of profiles in the batch."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class PoolProfile(Model):
    """A public professional profile of the shared pool. The pool has no contact details."""

    __slots__ = ()
    _nested = {"provenance": "PoolProfileProvenance", "links": "PoolProfileLinks"}
    _optional = frozenset({"match_score", "match_tier"})

    object: Literal["pool_profile"]
    id: str
    """pool_profile handle"""
    workspace_id: Union[str, None]
    """workspace handle"""
    full_name: Union[str, None]
    headline: Union[str, None]
    job_title: Union[str, None]
    company_name: Union[str, None]
    company_industry: Union[str, None]
    company_website: Union[str, None]
    company_linkedin_url: Union[str, None]
    department: Union[str, None]
    management_level: Union[str, None]
    location_full: Union[str, None]
    location_country: Union[str, None]
    linkedin_url: Union[str, None]
    github_url: Union[str, None]
    photo_url: Union[str, None]
    summary: Union[str, None]
    skills: List[str]
    languages: List[str]
    total_experience_months: Union[int, None]
    connections_count: Union[int, None]
    follower_count: Union[int, None]
    first_seen_at: str
    last_seen_at: str
    match_score: Union[int, None]
    """Only in search results: 0 to 100, relative to the search."""
    match_tier: Union[MatchTier, None]
    """Relative to the search that found the person; not a general rating."""
    provenance: PoolProfileProvenance
    links: PoolProfileLinks


class PoolProfileLinks(Model):
    __slots__ = ()

    self: str


class PoolProfileProvenance(Model):
    __slots__ = ()
    _nested = {"consent": "ProvenanceConsent", "licence": "ProvenanceLicence"}

    origin: Union[RecordOrigin, str]
    acquisition: str
    """How it was acquired, for example inbound_application, added_by_team, referral, file_import or
    xray_search.
    """
    provider: Union[str, None]
    owner_workspace_id: Union[str, None]
    """workspace handle"""
    first_seen_at: str
    last_seen_at: str
    consent: ProvenanceConsent
    """Always respect `unsubscribed`, whatever your scopes are."""
    licence: ProvenanceLicence
    contact_info_available: bool


class PrescreenQuestion(Model):
    __slots__ = ()

    id: str
    position: int
    """Sort order, ascending."""
    prompt: str
    response_key: str
    answer_type: AnswerType
    choices: Union[List[str], None]
    required: bool
    source: QuestionSource


class PrescreenQuestions(Model):
    """The phone pre-screen questions: standard questions, and up to five specific to the job."""

    __slots__ = ()
    _nested = {"common": "[PrescreenQuestion]", "adaptive": "[PrescreenQuestion]"}

    object: Literal["prescreen_questions"]
    job_id: str
    """job handle"""
    common: List[PrescreenQuestion]
    adaptive: List[PrescreenQuestion]


class ProfileMatch(Model):
    __slots__ = ()

    on: IdentityKind
    confidence: Union[MatchConfidence, str]
    """`exact` for a LinkedIn URL, `probable` for an email address."""
    strength: MatchStrength


class ProfileOrigin(Model):
    __slots__ = ()

    origin: str
    provider: Union[str, None]


class ProfilePointer(Model):
    """A link to a record of a person; `object` is the type of the record."""

    __slots__ = ()
    _nested = {"match": "ProfileMatch", "provenance": "ProfileOrigin"}

    object: ProfileObject
    id: str
    workspace_id: Union[str, None]
    """workspace handle"""
    match: ProfileMatch
    provenance: ProfileOrigin


class Project(Model):
    """A project: a folder of candidate lists."""

    __slots__ = ()
    _nested = {"links": "ProjectLinks"}

    object: Literal["project"]
    id: str
    """project handle"""
    workspace_id: str
    """workspace handle"""
    name: str
    description: Union[str, None]
    created_at: str
    updated_at: str
    links: ProjectLinks


class ProjectLinks(Model):
    __slots__ = ()

    self: str
    lists: str


class Provenance(Model):
    __slots__ = ()
    _nested = {"consent": "ProvenanceConsent", "licence": "ProvenanceLicence"}

    origin: Union[RecordOrigin, str]
    acquisition: str
    """How it was acquired, for example inbound_application, added_by_team, referral, file_import or
    xray_search.
    """
    provider: Union[str, None]
    owner_workspace_id: Union[str, None]
    """workspace handle"""
    first_seen_at: str
    last_seen_at: str
    consent: ProvenanceConsent
    """Always respect `unsubscribed`, whatever your scopes are."""
    licence: ProvenanceLicence


class ProvenanceConsent(Model):
    __slots__ = ()

    basis: Union[ConsentBasis, str]
    candidate_facing_notice: bool
    unsubscribed: bool
    suppressed: bool
    """The person asked for processing to stop. Only the record itself is returned, without details."""


class ProvenanceLicence(Model):
    __slots__ = ()

    redistributable: bool
    note: str


class PublishHint(Model):
    __slots__ = ()

    param: str
    message: str


class PublishReadiness(Model):
    """Whether a job can be published, and what is missing."""

    __slots__ = ()
    _nested = {"errors": "[PublishHint]", "hints": "[PublishHint]"}

    object: Literal["publish_readiness"]
    job_id: str
    """job handle"""
    ready: bool
    errors: List[PublishHint]
    hints: List[PublishHint]
    """Suggestions that do not prevent publishing."""


class RecordSubject(Model):
    __slots__ = ()

    object: str
    id: str


class Resolution(Model):
    """The result for one key of a batch."""

    __slots__ = ()
    _nested = {"input": "IdentityInput", "person": "ResolutionPerson"}
    _optional = frozenset({"person", "reason"})

    object: Literal["resolution"]
    input: IdentityInput
    matched: bool
    person: Union[ResolutionPerson, None]
    reason: Union[ResolutionReason, None]
    """`no_match`: the key can read no matching record. `not_an_identity`: a role address, or another value
    that does not identify one person.
    """


class ResolutionPerson(Model):
    __slots__ = ()
    _nested = {"counts": "ResolutionPersonCounts"}

    object: Literal["person"]
    id: str
    """person handle"""
    canonical_id: str
    """person handle"""
    counts: ResolutionPersonCounts


class ResolutionPersonCounts(Model):
    __slots__ = ()

    profiles: int
    exact_matches: int


class ResourceAccess(Model):
    """What the key can read of one resource."""

    __slots__ = ()
    _nested = {"fields": "[ResourceAccessField]"}

    object: Literal["resource_access"]
    resource: str
    scope: Union[str, None]
    """the read scope; null if any key can read it"""
    readable: bool
    fields: List[ResourceAccessField]


class ResourceAccessField(Model):
    __slots__ = ()

    name: str
    state: FieldAccess
    reason: Union[str, None]


class ResultSection(Model):
    __slots__ = ()
    _nested = {"score": "Score"}

    name: str
    score: Union[Score, None]
    comment: Union[str, None]


class Resume(Model):
    """The résumé of an application. `parsed` is null until the file has been parsed."""

    __slots__ = ()
    _nested = {"resume_access": "ResumeAccess", "parsed": "ResumeParsed", "links": "ResumeLinks"}
    _optional = frozenset({"restricted", "restricted_reason"})

    object: Literal["resume"]
    id: str
    """resume handle"""
    application_id: str
    """application handle"""
    filename: str
    mime: str
    bytes: int
    parse_status: Union[ParseStatus, str]
    parse_error: Union[ParseError, None]
    """Why parsing failed. Null unless `parse_status` is `failed`, and for files that failed before this field
    existed.
    """
    resume_access: ResumeAccess
    """Résumés can be downloaded for 90 days, then only viewed. From day 120 they are locked."""
    parsed: Union[ResumeParsed, None]
    links: ResumeLinks
    restricted: Union[List[Union[Literal["parsed.raw_text"], str]], None]
    """Fields that the key cannot read; `restricted_reason` says why."""
    restricted_reason: Union[RestrictedReasons, None]
    """parsed.raw_text: scope_required:resume:raw_text:read"""


class ResumeAccess(Model):
    __slots__ = ()

    state: Union[ResumeAccessState, str]
    free_until: str
    view_until: str
    state_changes_at: Union[str, None]
    """When the state changes next without an action; null if it does not."""
    unlock_credits: int
    """The price of unlocking, which the workspace does in the product."""
    can_view: bool
    can_download: bool


class ResumeAccessChangedEvent(Model):
    """The access state of a résumé changed."""

    __slots__ = ()
    _nested = {"data": "ResumeAccessChangedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["resume.access_changed"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: ResumeAccessChangedEventData
    links: EventLinks


class ResumeAccessChangedEventData(Model):
    __slots__ = ()
    _nested = {"object": "ResumeAccessChangedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: ResumeAccessChangedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class ResumeAccessChangedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["resume"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    application_id: str
    """The application of the résumé."""
    state: Union[ResumeAccessState, str]
    """The access state after the change."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class ResumeDownload(Model):
    """A signed, short-lived URL of a résumé file. Do not store it."""

    __slots__ = ()

    object: Literal["resume_download"]
    application_id: str
    """application handle"""
    url: str
    """Costs one personal-data unit per value."""
    expires_in: int
    """seconds"""
    filename: str
    mime: str
    bytes: int


class ResumeLinks(Model):
    __slots__ = ()

    download: str


class ResumeParsed(Model):
    __slots__ = ()
    _nested = {"structured": "ResumeStructure"}
    _optional = frozenset({"raw_text"})

    current_title: Union[str, None]
    current_company: Union[str, None]
    seniority: Union[str, None]
    total_years_experience: Union[float, None]
    city: Union[str, None]
    country: Union[str, None]
    remote_ok: Union[bool, None]
    education_level: Union[str, None]
    skills: List[str]
    languages: List[str]
    extraction_confidence: float
    """0 to 1"""
    parsed_at: str
    structured: ResumeStructure
    work_authorization: Union[str, None]
    visa_required: Union[bool, None]
    raw_text: Union[str, None]
    """The full text of the résumé. Needs resume:raw_text:read; otherwise listed in `restricted`. Costs one
    personal-data unit per value.
    """


class ResumeStructure(Model):
    __slots__ = ()

    experience: List[str]
    education: List[str]


class ResumeSummary(Model):
    """A résumé in the lists of an applicant or a person. `parsed` is null if it is not parsed yet or is
    locked. The full text is at `links.detail`.
    """

    __slots__ = ()
    _nested = {"resume_access": "ResumeAccess", "parsed": "ResumeSummaryParsed", "links": "ResumeSummaryLinks"}

    object: Literal["resume"]
    id: str
    """resume handle"""
    application_id: str
    """application handle"""
    job_id: str
    """job handle"""
    filename: str
    mime: str
    bytes: int
    parse_status: Union[ParseStatus, str]
    parse_error: Union[ParseError, None]
    """Why parsing failed. Null unless `parse_status` is `failed`, and for files that failed before this field
    existed.
    """
    resume_access: ResumeAccess
    """Résumés can be downloaded for 90 days, then only viewed. From day 120 they are locked."""
    has_parsed_profile: bool
    parsed: Union[ResumeSummaryParsed, None]
    links: ResumeSummaryLinks


class ResumeSummaryLinks(Model):
    __slots__ = ()

    detail: str
    download: str


class ResumeSummaryParsed(Model):
    __slots__ = ()
    _nested = {"structured": "ResumeStructure"}

    current_title: Union[str, None]
    current_company: Union[str, None]
    seniority: Union[str, None]
    total_years_experience: Union[float, None]
    city: Union[str, None]
    country: Union[str, None]
    remote_ok: Union[bool, None]
    education_level: Union[str, None]
    skills: List[str]
    languages: List[str]
    extraction_confidence: float
    """0 to 1"""
    parsed_at: str
    structured: ResumeStructure
    work_authorization: Union[str, None]
    visa_required: Union[bool, None]


class Score(Model):
    __slots__ = ()

    value: float
    min: float
    max: float
    passing: Union[float, None]
    """From here on it counts as passed."""
    unit: ScoreUnit


class Scorecard(Model):
    """An interviewer’s assessment of an application."""

    __slots__ = ()
    _nested = {"ratings": "[ScorecardRating]"}

    object: Literal["scorecard"]
    id: str
    application_id: str
    """application handle"""
    recommendation: Recommendation
    summary: Union[str, None]
    stage_id: Union[str, None]
    """pipeline_stage handle"""
    ratings: List[ScorecardRating]
    interviewed_at: Union[str, None]
    report_url: Union[str, None]
    """A page with the whole report. Stored and returned in ASCII: other letters of the host as Punycode, those
    of the path percent-encoded.
    """
    author_user_id: Union[str, None]
    """user handle"""
    created_at: str


class ScorecardRating(Model):
    __slots__ = ()

    name: str
    score: int
    """1 to 5"""
    comment: Union[str, None]


class Screening(Model):
    """Whether a phone pre-screen took place and how it went, never what was said."""

    __slots__ = ()
    _optional = frozenset({
        "call_status",
        "completion_state",
        "duration_sec",
        "consent_state",
        "ambiguous_caller",
        "started_at",
        "ended_at",
        "restricted",
        "restricted_reason",
    })

    object: Literal["screening"]
    application_id: str
    """application handle"""
    has_screening: bool
    """If false, the record has no other values."""
    call_status: Union[CallStatus, None]
    completion_state: Union[CompletionState, None]
    duration_sec: Union[int, None]
    consent_state: Union[ScreeningConsent, None]
    ambiguous_caller: Union[bool, None]
    """Whether the identity of the caller is uncertain."""
    started_at: Union[str, None]
    ended_at: Union[str, None]
    restricted: Union[List[Union[Literal["responses", "transcript", "audio"], str]], None]
    """Fields that the key cannot read; `restricted_reason` says why."""
    restricted_reason: Union[RestrictedReasons, None]
    """responses: never_exposed:consent_scope; transcript: never_exposed:consent_scope; audio:
    never_exposed:consent_scope
    """


class SourcedProfile(Model):
    """A candidate that the workspace found and saved. Any field can be null."""

    __slots__ = ()
    _nested = {"provenance": "Provenance", "links": "SourcedProfileLinks"}

    object: Literal["sourced_profile"]
    id: str
    """sourced_profile handle"""
    workspace_id: str
    """workspace handle"""
    full_name: Union[str, None]
    headline: Union[str, None]
    job_title: Union[str, None]
    company_name: Union[str, None]
    company_industry: Union[str, None]
    company_website: Union[str, None]
    company_linkedin_url: Union[str, None]
    department: Union[str, None]
    management_level: Union[str, None]
    location_full: Union[str, None]
    location_country: Union[str, None]
    linkedin_url: Union[str, None]
    photo_url: Union[str, None]
    summary: Union[str, None]
    total_experience_months: Union[int, None]
    connections_count: Union[int, None]
    follower_count: Union[int, None]
    match_score: Union[int, None]
    """Relative to the search that found the person; not a general rating."""
    match_tier: Union[MatchTier, None]
    """Relative to the search that found the person; not a general rating."""
    created_at: str
    updated_at: str
    has_contact_info: bool
    """Whether contact details have been revealed."""
    has_resume: bool
    has_business_card: bool
    has_profile_photo: bool
    has_linkedin_capture: bool
    """Whether the profile was copied from a LinkedIn page. This version does not do that: always false."""
    provenance: Provenance
    links: SourcedProfileLinks


class SourcedProfileAttachmentAddedEvent(Model):
    """A file was attached to a saved profile."""

    __slots__ = ()
    _nested = {"data": "SourcedProfileAttachmentAddedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["sourced_profile.attachment_added"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: SourcedProfileAttachmentAddedEventData
    links: EventLinks


class SourcedProfileAttachmentAddedEventData(Model):
    __slots__ = ()
    _nested = {"object": "SourcedProfileAttachmentAddedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: SourcedProfileAttachmentAddedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class SourcedProfileAttachmentAddedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["sourced_profile"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    attachment_type: AttachmentType
    """The kind of file."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class SourcedProfileContactInfoRevealedEvent(Model):
    """Contact details were revealed; `changed` names the fields, never the values."""

    __slots__ = ()
    _nested = {"data": "SourcedProfileContactInfoRevealedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["sourced_profile.contact_info_revealed"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: SourcedProfileContactInfoRevealedEventData
    links: EventLinks


class SourcedProfileContactInfoRevealedEventData(Model):
    __slots__ = ()
    _nested = {"object": "SourcedProfileContactInfoRevealedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: SourcedProfileContactInfoRevealedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class SourcedProfileContactInfoRevealedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["sourced_profile"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class SourcedProfileCreatedEvent(Model):
    """A profile was saved."""

    __slots__ = ()
    _nested = {"data": "SourcedProfileCreatedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["sourced_profile.created"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: SourcedProfileCreatedEventData
    links: EventLinks


class SourcedProfileCreatedEventData(Model):
    __slots__ = ()
    _nested = {"object": "SourcedProfileCreatedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: SourcedProfileCreatedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class SourcedProfileCreatedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["sourced_profile"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class SourcedProfileDeletedEvent(Model):
    """A saved profile was deleted."""

    __slots__ = ()
    _nested = {"data": "SourcedProfileDeletedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["sourced_profile.deleted"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: SourcedProfileDeletedEventData
    links: EventLinks


class SourcedProfileDeletedEventData(Model):
    __slots__ = ()
    _nested = {"object": "SourcedProfileDeletedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: SourcedProfileDeletedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class SourcedProfileDeletedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["sourced_profile"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    reason: str
    """Why it was deleted."""
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class SourcedProfileLinks(Model):
    __slots__ = ()

    self: str
    contact_info: str
    attachments: str
    list_memberships: str


class SourcedProfileUpdatedEvent(Model):
    """A saved profile changed."""

    __slots__ = ()
    _nested = {"data": "SourcedProfileUpdatedEventData", "links": "EventLinks"}

    object: Literal["event"]
    id: str
    type: Literal["sourced_profile.updated"]
    api_version: str
    created_at: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    workspace_id: Union[str, None]
    data: SourcedProfileUpdatedEventData
    links: EventLinks


class SourcedProfileUpdatedEventData(Model):
    __slots__ = ()
    _nested = {"object": "SourcedProfileUpdatedEventRecord"}
    _optional = frozenset({"previous_attributes"})

    object: SourcedProfileUpdatedEventRecord
    """The record that changed, without restricted fields. Read the record for the rest."""
    previous_attributes: Union[EventPreviousAttributes, None]
    """Old values of simple fields."""


class SourcedProfileUpdatedEventRecord(Model):
    __slots__ = ()
    _optional = frozenset({"changed", "origin"})

    object: Literal["sourced_profile"]
    id: str
    workspace_id: Union[str, None]
    updated_at: str
    changed: Union[List[str], None]
    """Names of the fields that changed."""
    origin: Union[str, None]
    """`api:` and the id of the key whose write caused it."""


class StageTransition(Model):
    """A stage change of an application."""

    __slots__ = ()

    object: Literal["stage_transition"]
    from_stage_id: Union[str, None]
    """pipeline_stage handle"""
    to_stage_id: str
    """pipeline_stage handle"""
    at: str


class Suppression(Model):
    """A person whose data must no longer be processed. Delete your copies of the named records by `delete_by`."""

    __slots__ = ()
    _nested = {"subjects": "[SuppressionSubject]", "identifiers": "[SuppressionIdentifier]"}

    object: Literal["suppression"]
    id: str
    sequence: int
    """The position in the log of this workspace: always increasing, never reused, not contiguous."""
    status: Union[SuppressionStatus, str]
    reason: SuppressionReason
    subjects: List[SuppressionSubject]
    """The handles of the person in this workspace."""
    identifiers: List[SuppressionIdentifier]
    """SHA-256 of the normalized identifiers. Use them to find your copies."""
    applied_at: str
    delete_by: str
    """Delete your copies by this time."""
    completed_at: Union[str, None]


class SuppressionAcknowledgement(Model):
    """A partner’s confirmation that it deleted its copies of a person’s records."""

    __slots__ = ()

    object: Literal["suppression_acknowledgement"]
    suppression_id: str
    workspace_id: str
    """workspace handle"""
    deleted_at: str
    """When you deleted your copies."""
    acknowledged_at: str


class SuppressionIdentifier(Model):
    __slots__ = ()

    kind: IdentityKind
    algorithm: Literal["sha256"]
    value: str
    """Hexadecimal digest of a normalized identifier from this workspace or the pool. The identifier itself is
    not stored.
    """


class SuppressionSubject(Model):
    __slots__ = ()

    object: str
    id: str
    """The handle of a record of the person in this workspace."""


class TestClock(Model):
    """The clock of a test workspace, by which deadlines are judged."""

    __slots__ = ()

    object: Literal["test_clock"]
    workspace_id: str
    """workspace handle"""
    status: Union[TestClockStatus, str]
    """Whether what fell due is done."""
    now: str
    """The time of the clock. It goes on with real time."""
    offset_seconds: int
    """How far the clock is ahead of real time now."""
    due: int
    """How many deadlines pass until the time that the clock advances to, and are still to be done."""


class TestEvent(Model):
    """An operation of the product, and the event that reports it."""

    __slots__ = ()

    object: Literal["test_event"]
    workspace_id: str
    """workspace handle"""
    event_type: str
    event_id: str
    """event handle"""
    sequence: int
    """Its position in the feed."""
    handles: Dict[str, str]
    """handles of what the operation wrote, by a word for each"""


class TestMail(Model):
    """An email that a test workspace would have sent."""

    __slots__ = ()

    object: Literal["test_mail"]
    id: str
    workspace_id: str
    """workspace handle"""
    to: str
    """An email address."""
    reply_to: Union[str, None]
    """Where replies would go, if not to the sender."""
    subject: str
    text: str
    """The plain text."""
    links: List[str]
    """The URLs in the text, in their order."""
    sent_at: str


class TestReset(Model):
    """A test workspace was emptied."""

    __slots__ = ()

    object: Literal["test_reset"]
    workspace_id: str
    """workspace handle"""
    seed: TestWorkspaceSeed
    """What the workspace was filled with."""
    feed_epoch: str
    """The `epoch` of GET /events. A reset changes it."""
    sequence: int
    """The last number of the feed. Continue with the events after it."""


class TestSeed(Model):
    """A test workspace was filled."""

    __slots__ = ()

    object: Literal["test_seed"]
    workspace_id: str
    """workspace handle"""
    seed: TestWorkspaceSeed
    """What the workspace was filled with."""
    feed_epoch: str
    """The `epoch` of GET /events. A reset changes it."""
    sequence: int
    """The last number of the feed. Continue with the events after it."""


class Upload(Model):
    """A reserved résumé upload and the URL to send the file to."""

    __slots__ = ()
    _nested = {"upload": "UploadTarget"}

    object: Literal["upload"]
    upload_id: str
    """upload handle"""
    content_type: str
    """As you declared it."""
    size_bytes: int
    """As you declared it."""
    max_bytes: int
    upload: UploadTarget
    """Where and how to send the file. Do not send an Authorization header."""
    expires_at: str


class UploadTarget(Model):
    __slots__ = ()

    method: Literal["PUT"]
    url: str
    headers: Dict[str, str]
    """send them unchanged with the PUT request"""
    expires_at: str


class User(Model):
    """A member of a workspace."""

    __slots__ = ()
    _nested = {"links": "UserLinks"}

    object: Literal["user"]
    id: str
    """user handle"""
    workspace_id: str
    """workspace handle"""
    email: Union[str, None]
    first_name: Union[str, None]
    last_name: Union[str, None]
    is_verified: bool
    role: Union[UserRole, str]
    kind: UserKind
    """`app`: the user of an installed app. It cannot sign in."""
    photo_url: Union[str, None]
    created_at: str
    updated_at: str
    last_login_at: Union[str, None]
    links: UserLinks


class UserLinks(Model):
    __slots__ = ()

    self: str


class WebhookDelivery(Model):
    """The delivery of an event to an endpoint."""

    __slots__ = ()
    _nested = {"attempts": "[WebhookDeliveryAttempt]"}
    _optional = frozenset({"attempts"})

    object: Literal["webhook_delivery"]
    id: str
    endpoint_id: str
    event_id: str
    """event handle"""
    event_type: DeliveredType
    status: DeliveryStatus
    attempt: int
    """The number of attempts so far."""
    response_status: Union[int, None]
    """HTTP status of the last attempt; null if there was no response."""
    error: Union[str, None]
    """`timeout`, `connection_failed`, `tls_failed`, `redirect_refused`, `http_status`, `url_refused:
    blocked_address`, or `event_expired` when all attempts are used.
    """
    next_attempt_at: Union[str, None]
    """Null if there are no more attempts."""
    delivered_at: Union[str, None]
    created_at: str
    attempts: Union[List[WebhookDeliveryAttempt], None]


class WebhookDeliveryAttempt(Model):
    __slots__ = ()

    attempt: int
    """The number of the attempt, from 1."""
    sent_at: str
    duration_ms: Union[int, None]
    response_status: Union[int, None]
    error: Union[str, None]
    response_body: Union[str, None]
    """The first 1,024 bytes of the response, if it is text; control characters are replaced. Null if there was
    none, or after the erasure of a person in the workspace.
    """


class WebhookEndpoint(Model):
    """A URL that receives events."""

    __slots__ = ()
    _nested = {"signature_scheme": "WebhookEndpointSignatureScheme"}
    _optional = frozenset({"signing_secret"})

    object: Literal["webhook_endpoint"]
    id: str
    url: str
    description: Union[str, None]
    event_types: List[EventType]
    """If empty, the endpoint receives every type, including future ones."""
    enabled: bool
    disabled_at: Union[str, None]
    disabled_reason: Union[DisabledReason, None]
    """`gone` after a 410, `failing` after 5 days without success, `manual`, or `key_revoked`."""
    signing_secret: Union[str, None]
    """Shown once, on creation and rotation; null if such a call is replayed."""
    signing_secret_version: int
    """Increases with each rotation."""
    signing_secret_rotated_at: Union[str, None]
    previous_secret_expires_at: Union[str, None]
    consecutive_failures: int
    """Failed attempts since the last success."""
    last_success_at: Union[str, None]
    last_failure_at: Union[str, None]
    created_at: str
    signature_scheme: WebhookEndpointSignatureScheme


class WebhookEndpointSignatureScheme(Model):
    __slots__ = ()

    header: str
    format: str
    algorithm: str
    tolerance_seconds: int
    note: str


class WebhookRecovery(Model):
    """The result of a recovery."""

    __slots__ = ()

    object: Literal["webhook_recovery"]
    endpoint_id: str
    after: int
    """The sequence that the recovery started after."""
    queued: int
    """The number of deliveries that were queued."""
    has_more: bool
    next_after: int
    """The last sequence processed. If has_more is true, call again with it."""
    gap: bool


class Workspace(Model):
    """A hiring workspace."""

    __slots__ = ()
    _nested = {"links": "WorkspaceLinks"}

    object: Literal["workspace"]
    id: str
    """workspace handle"""
    name: str
    environment: Union[KeyEnvironment, str]
    """Fixed when the workspace is created. A test workspace sends no email and holds no real people."""
    created_at: str
    updated_at: str
    links: WorkspaceLinks


class WorkspaceLinks(Model):
    __slots__ = ()

    self: str
    users: str
    jobs: str


DeclaredEvent = Union[
    JobPublishedEvent,
    JobUpdatedEvent,
    JobClosedEvent,
    JobReopenedEvent,
    JobUnpublishedEvent,
    JobDeletedEvent,
    JobSectionsUpdatedEvent,
    ApplicationCreatedEvent,
    ApplicationUpdatedEvent,
    ApplicationStatusChangedEvent,
    ApplicationStageChangedEvent,
    ApplicationWithdrawnEvent,
    ApplicationDeletedEvent,
    ApplicationScoredEvent,
    ApplicationResumeParsedEvent,
    ApplicationScreeningCompletedEvent,
    ResumeAccessChangedEvent,
    ApplicantCreatedEvent,
    ApplicantUpdatedEvent,
    ApplicantDeletedEvent,
    ApplicantUnsubscribedEvent,
    SourcedProfileCreatedEvent,
    SourcedProfileUpdatedEvent,
    SourcedProfileDeletedEvent,
    SourcedProfileContactInfoRevealedEvent,
    SourcedProfileAttachmentAddedEvent,
    OrderCreatedEvent,
    OrderUpdatedEvent,
    OrderDeletedEvent,
    ListCreatedEvent,
    ListUpdatedEvent,
    ListDeletedEvent,
    ListMembershipAddedEvent,
    ListMembershipRemovedEvent,
    ListMembershipStageChangedEvent,
    PoolBatchUpsertedEvent,
    PersonIdentityLinkedEvent,
    PersonCanonicalIdChangedEvent,
    DataSubjectSuppressionAppliedEvent,
    DataSubjectErasureCompletedEvent,
]
"""A change in the workspace. All readers see events in the same order. Of a type that this description
declares.
"""
_DeclaredEventUnion: UnionOf[DeclaredEvent] = UnionOf(
    "type",
    {
        "job.published": JobPublishedEvent,
        "job.updated": JobUpdatedEvent,
        "job.closed": JobClosedEvent,
        "job.reopened": JobReopenedEvent,
        "job.unpublished": JobUnpublishedEvent,
        "job.deleted": JobDeletedEvent,
        "job.sections_updated": JobSectionsUpdatedEvent,
        "application.created": ApplicationCreatedEvent,
        "application.updated": ApplicationUpdatedEvent,
        "application.status_changed": ApplicationStatusChangedEvent,
        "application.stage_changed": ApplicationStageChangedEvent,
        "application.withdrawn": ApplicationWithdrawnEvent,
        "application.deleted": ApplicationDeletedEvent,
        "application.scored": ApplicationScoredEvent,
        "application.resume_parsed": ApplicationResumeParsedEvent,
        "application.screening_completed": ApplicationScreeningCompletedEvent,
        "resume.access_changed": ResumeAccessChangedEvent,
        "applicant.created": ApplicantCreatedEvent,
        "applicant.updated": ApplicantUpdatedEvent,
        "applicant.deleted": ApplicantDeletedEvent,
        "applicant.unsubscribed": ApplicantUnsubscribedEvent,
        "sourced_profile.created": SourcedProfileCreatedEvent,
        "sourced_profile.updated": SourcedProfileUpdatedEvent,
        "sourced_profile.deleted": SourcedProfileDeletedEvent,
        "sourced_profile.contact_info_revealed": SourcedProfileContactInfoRevealedEvent,
        "sourced_profile.attachment_added": SourcedProfileAttachmentAddedEvent,
        "order.created": OrderCreatedEvent,
        "order.updated": OrderUpdatedEvent,
        "order.deleted": OrderDeletedEvent,
        "list.created": ListCreatedEvent,
        "list.updated": ListUpdatedEvent,
        "list.deleted": ListDeletedEvent,
        "list_membership.added": ListMembershipAddedEvent,
        "list_membership.removed": ListMembershipRemovedEvent,
        "list_membership.stage_changed": ListMembershipStageChangedEvent,
        "pool.batch_upserted": PoolBatchUpsertedEvent,
        "person.identity_linked": PersonIdentityLinkedEvent,
        "person.canonical_id_changed": PersonCanonicalIdChangedEvent,
        "data_subject.suppression_applied": DataSubjectSuppressionAppliedEvent,
        "data_subject.erasure_completed": DataSubjectErasureCompletedEvent,
    },
    Model,
)


Event = Union[
    JobPublishedEvent,
    JobUpdatedEvent,
    JobClosedEvent,
    JobReopenedEvent,
    JobUnpublishedEvent,
    JobDeletedEvent,
    JobSectionsUpdatedEvent,
    ApplicationCreatedEvent,
    ApplicationUpdatedEvent,
    ApplicationStatusChangedEvent,
    ApplicationStageChangedEvent,
    ApplicationWithdrawnEvent,
    ApplicationDeletedEvent,
    ApplicationScoredEvent,
    ApplicationResumeParsedEvent,
    ApplicationScreeningCompletedEvent,
    ResumeAccessChangedEvent,
    ApplicantCreatedEvent,
    ApplicantUpdatedEvent,
    ApplicantDeletedEvent,
    ApplicantUnsubscribedEvent,
    SourcedProfileCreatedEvent,
    SourcedProfileUpdatedEvent,
    SourcedProfileDeletedEvent,
    SourcedProfileContactInfoRevealedEvent,
    SourcedProfileAttachmentAddedEvent,
    OrderCreatedEvent,
    OrderUpdatedEvent,
    OrderDeletedEvent,
    ListCreatedEvent,
    ListUpdatedEvent,
    ListDeletedEvent,
    ListMembershipAddedEvent,
    ListMembershipRemovedEvent,
    ListMembershipStageChangedEvent,
    PoolBatchUpsertedEvent,
    PersonIdentityLinkedEvent,
    PersonCanonicalIdChangedEvent,
    DataSubjectSuppressionAppliedEvent,
    DataSubjectErasureCompletedEvent,
    OtherEvent,
]
"""A change in the workspace. All readers see events in the same order."""
_EventUnion: UnionOf[Event] = UnionOf(
    "type",
    {
        "job.published": JobPublishedEvent,
        "job.updated": JobUpdatedEvent,
        "job.closed": JobClosedEvent,
        "job.reopened": JobReopenedEvent,
        "job.unpublished": JobUnpublishedEvent,
        "job.deleted": JobDeletedEvent,
        "job.sections_updated": JobSectionsUpdatedEvent,
        "application.created": ApplicationCreatedEvent,
        "application.updated": ApplicationUpdatedEvent,
        "application.status_changed": ApplicationStatusChangedEvent,
        "application.stage_changed": ApplicationStageChangedEvent,
        "application.withdrawn": ApplicationWithdrawnEvent,
        "application.deleted": ApplicationDeletedEvent,
        "application.scored": ApplicationScoredEvent,
        "application.resume_parsed": ApplicationResumeParsedEvent,
        "application.screening_completed": ApplicationScreeningCompletedEvent,
        "resume.access_changed": ResumeAccessChangedEvent,
        "applicant.created": ApplicantCreatedEvent,
        "applicant.updated": ApplicantUpdatedEvent,
        "applicant.deleted": ApplicantDeletedEvent,
        "applicant.unsubscribed": ApplicantUnsubscribedEvent,
        "sourced_profile.created": SourcedProfileCreatedEvent,
        "sourced_profile.updated": SourcedProfileUpdatedEvent,
        "sourced_profile.deleted": SourcedProfileDeletedEvent,
        "sourced_profile.contact_info_revealed": SourcedProfileContactInfoRevealedEvent,
        "sourced_profile.attachment_added": SourcedProfileAttachmentAddedEvent,
        "order.created": OrderCreatedEvent,
        "order.updated": OrderUpdatedEvent,
        "order.deleted": OrderDeletedEvent,
        "list.created": ListCreatedEvent,
        "list.updated": ListUpdatedEvent,
        "list.deleted": ListDeletedEvent,
        "list_membership.added": ListMembershipAddedEvent,
        "list_membership.removed": ListMembershipRemovedEvent,
        "list_membership.stage_changed": ListMembershipStageChangedEvent,
        "pool.batch_upserted": PoolBatchUpsertedEvent,
        "person.identity_linked": PersonIdentityLinkedEvent,
        "person.canonical_id_changed": PersonCanonicalIdChangedEvent,
        "data_subject.suppression_applied": DataSubjectSuppressionAppliedEvent,
        "data_subject.erasure_completed": DataSubjectErasureCompletedEvent,
    },
    OtherEvent,
)


AnswerValue = Union[str, bool, List[str]]


EventPreviousAttributes = Dict[str, Any]


ListMember = Union[SourcedProfileMember, ApplicantMember]


MessageRecipient = Union[ApplicationRecipient, ApplicantRecipient]


RestrictedReasons = Dict[str, str]


FeedEventType = Literal[
    "job.published", "job.updated", "job.closed", "job.reopened", "job.unpublished", "job.deleted",
    "job.sections_updated", "application.created", "application.updated", "application.status_changed",
    "application.stage_changed", "application.withdrawn", "application.deleted", "application.scored",
    "application.resume_parsed", "application.screening_completed", "resume.access_changed",
    "applicant.created", "applicant.updated", "applicant.deleted", "applicant.unsubscribed",
    "sourced_profile.created", "sourced_profile.updated", "sourced_profile.deleted",
    "sourced_profile.contact_info_revealed", "sourced_profile.attachment_added", "order.created",
    "order.updated", "order.deleted", "list.created", "list.updated", "list.deleted",
    "list_membership.added", "list_membership.removed", "list_membership.stage_changed",
    "pool.batch_upserted", "person.identity_linked", "person.canonical_id_changed",
    "data_subject.suppression_applied", "data_subject.erasure_completed",
]
SyncResource = Union[KnownExportResource, str]


_OBJECTS: Dict[str, Type[Model]] = {
    "api_request": ApiRequest,
    "api_version": ApiVersion,
    "applicant": Applicant,
    "application": Application,
    "application_answers": ApplicationAnswers,
    "application_form": ApplicationForm,
    "application_score": ApplicationScore,
    "attachment": Attachment,
    "list": CandidateList,
    "contact_info": ContactInfo,
    "credential": Credential,
    "export": Export,
    "hiring_funnel": HiringFunnel,
    "installation": Installation,
    "installation_key": InstallationKey,
    "interview": Interview,
    "job": Job,
    "list_member_batch": ListMemberBatch,
    "list_membership": ListMembership,
    "message": Message,
    "note": Note,
    "order": Order,
    "order_candidate": OrderCandidate,
    "order_result": OrderResult,
    "package": Package,
    "person": Person,
    "personal_data_read": PersonalDataRead,
    "ping": Ping,
    "pipeline_stage": PipelineStage,
    "pool_profile": PoolProfile,
    "prescreen_questions": PrescreenQuestions,
    "project": Project,
    "publish_readiness": PublishReadiness,
    "resolution": Resolution,
    "resource_access": ResourceAccess,
    "resume": Resume,
    "resume_download": ResumeDownload,
    "scorecard": Scorecard,
    "screening": Screening,
    "sourced_profile": SourcedProfile,
    "stage_transition": StageTransition,
    "suppression": Suppression,
    "suppression_acknowledgement": SuppressionAcknowledgement,
    "test_clock": TestClock,
    "test_event": TestEvent,
    "test_mail": TestMail,
    "test_reset": TestReset,
    "test_seed": TestSeed,
    "upload": Upload,
    "user": User,
    "webhook_delivery": WebhookDelivery,
    "webhook_endpoint": WebhookEndpoint,
    "webhook_recovery": WebhookRecovery,
    "workspace": Workspace,
}


def build_object(data: Mapping[str, Any]) -> Model:
    """An object by its type, as a single read returns it."""
    return _OBJECTS.get(str(data.get("object")), Model)(data)


def build_event(data: Any) -> Event:
    return _EventUnion.build(data)


class Meta(Resource):
    def ping(
        self,
        *,
        timeout: Union[float, None] = None,
    ) -> Ping:
        """Check that the service is up

        Returns the API version. Needs no key. Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/ping",
                timeout=timeout,
            ),
            Ping.build,
        )

    def list_versions(
        self,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[ApiVersion]:
        """List API versions

        Needs no key. Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/versions",
                query={"limit": limit, "cursor": cursor},
                timeout=timeout,
            ),
            ApiVersion.build,
            "cursor",
        )

    def get_openapi(
        self,
        *,
        timeout: Union[float, None] = None,
    ) -> Dict[str, Any]:
        """Get the OpenAPI description

        The description of the running service, with its own URL. Needs no key. Rate tier: general.
        """
        return self._json(
            Operation(
                "GET",
                "/openapi.json",
                timeout=timeout,
            )
        )

    def get_me(
        self,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Credential:
        """Get the calling key

        Its scopes, workspaces and limits. Any valid key. Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/me",
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Credential.build,
        )

    def list_my_access(
        self,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[ResourceAccess]:
        """List what the calling key can read

        One row for each resource, with the fields that the key can read. Any valid key. Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/me/access",
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            ResourceAccess.build,
            "cursor",
        )

    def list_personal_data_reads(
        self,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[PersonalDataRead]:
        """List the key's own personal-data reads

        Every personal-data value that the key was shown, newest first. Any valid key. Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/audit/personal-data-reads",
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            PersonalDataRead.build,
            "cursor",
        )

    def list_requests(
        self,
        *,
        request_id: Union[str, None] = None,
        method: Union[Literal["GET", "HEAD", "POST"], str, None] = None,
        route: Union[str, None] = None,
        status: Union[str, None] = None,
        code: Union[KnownErrorCode, str, None] = None,
        created_after: Union[str, datetime, None] = None,
        created_before: Union[str, datetime, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[ApiRequest]:
        """List the key's own calls

        The calls of the last seven days, newest first, also those that were refused. Any valid key. Rate tier:
        general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/requests",
                query={
                    "request_id": request_id,
                    "method": method,
                    "route": route,
                    "status": status,
                    "code": code,
                    "created_after": created_after,
                    "created_before": created_before,
                    "limit": limit,
                    "cursor": cursor,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            ApiRequest.build,
            "cursor",
        )

    def get_request(
        self,
        request_id: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ApiRequest:
        """Get one of the key's own calls

        Any valid key. Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/requests/{request_id}",
                params={"request_id": request_id},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            ApiRequest.build,
        )


class Workspaces(Resource):
    def list(
        self,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[Workspace]:
        """List workspaces

        Those that the key has access to, most recently updated first. Scope: `workspaces:read` (Read the
        workspaces that the key has access to.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/workspaces",
                query={
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            Workspace.build,
            "cursor",
        )

    def get(
        self,
        workspace_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Workspace:
        """Get a workspace

        Scope: `workspaces:read` (Read the workspaces that the key has access to.) Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/workspaces/{workspace_handle}",
                params={"workspace_handle": workspace_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Workspace.build,
        )

    def list_users(
        self,
        workspace_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[User]:
        """List the members of a workspace

        All members, on one page. Scope: `users:read` (Read the members of the workspace.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/workspaces/{workspace_handle}/users",
                params={"workspace_handle": workspace_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            User.build,
            "cursor",
        )


class Users(Resource):
    def get(
        self,
        user_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> User:
        """Get a member of the workspace

        Scope: `users:read` (Read the members of the workspace.) Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/users/{user_handle}",
                params={"user_handle": user_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            User.build,
        )


class Installations(Resource):
    def list(
        self,
        *,
        status: Union[InstallationStatus, str, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[Installation]:
        """List the installations of an app

        In every workspace, most recently updated first. Needs a token of the app itself (`client_credentials`).
        Scope: `installations:manage` (List the installations of an app and confirm deletions.) Rate tier:
        general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/installations",
                query={
                    "status": status,
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            Installation.build,
            "cursor",
        )

    def get(
        self,
        installation_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Installation:
        """Get the installation of the calling key

        A key reads its own installation only. Any valid key. Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/installations/{installation_handle}",
                params={"installation_handle": installation_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Installation.build,
        )

    def rotate_key(
        self,
        installation_handle: str,
        *,
        client_secret: str,
        workspace_id: Union[str, None] = None,
        overlap_hours: Union[int, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> InstallationKey:
        """Rotate the key of an installation

        Needs the key of the installation and a secret of the app. The previous secret of the key works until
        the overlap ends. Any valid key. Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/installations/{installation_handle}/rotate-key",
                params={"installation_handle": installation_handle},
                query={"workspace_id": workspace_id},
                body={"client_secret": client_secret, "overlap_hours": overlap_hours},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            InstallationKey.build,
        )

    def uninstall_app(
        self,
        installation_handle: str,
        *,
        client_secret: str,
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Installation:
        """Uninstall the app from the workspace

        Needs the key of the installation and a secret of the app. The key ends with this call. Delete your
        copies before `delete_by`, and confirm it. Any valid key. Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/installations/{installation_handle}/uninstall",
                params={"installation_handle": installation_handle},
                query={"workspace_id": workspace_id},
                body={"client_secret": client_secret},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Installation.build,
        )

    def confirm_deletion(
        self,
        installation_handle: str,
        *,
        deleted_at: Union[str, datetime],
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Installation:
        """Confirm that you deleted the data of an ended installation

        Needs a token of the app itself (`client_credentials`). The console of the workspace shows the
        confirmation; the first one counts. Scope: `installations:manage` (List the installations of an app and
        confirm deletions.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/installations/{installation_handle}/confirm-deletion",
                params={"installation_handle": installation_handle},
                query={"workspace_id": workspace_id},
                body={"deleted_at": deleted_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Installation.build,
        )


class Jobs(Resource):
    def list(
        self,
        *,
        status: Union[KnownJobStatus, str, Sequence[Union[KnownJobStatus, str]], None] = None,
        include_unpublished: Union[bool, None] = None,
        department: Union[str, None] = None,
        location_type: Union[LocationType, str, None] = None,
        employment_type: Union[EmploymentType, str, None] = None,
        q: Union[str, None] = None,
        published_after: Union[str, datetime, None] = None,
        published_before: Union[str, datetime, None] = None,
        source_system: Union[str, None] = None,
        external_id: Union[str, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        sort: Union[Literal["updated_at", "relevance"], str, None] = None,
        include: Union[Literal["pipeline_stages"], str, Sequence[Union[Literal["pipeline_stages"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[JobSummary]:
        """List jobs

        Most recently updated first. By default only published and closed jobs. Scope: `jobs:read` (Read jobs,
        their sections, stages and application forms.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/jobs",
                query={
                    "status": status,
                    "include_unpublished": include_unpublished,
                    "department": department,
                    "location_type": location_type,
                    "employment_type": employment_type,
                    "q": q,
                    "published_after": published_after,
                    "published_before": published_before,
                    "source_system": source_system,
                    "external_id": external_id,
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "sort": sort,
                    "include": include,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            JobSummary.build,
            "cursor",
        )

    def push(
        self,
        *,
        source: PushJobSource,
        title: str,
        workspace_id: Union[str, None] = None,
        department: Union[str, None, NotGiven] = NOT_GIVEN,
        team: Union[str, None, NotGiven] = NOT_GIVEN,
        employment_type: Union[EmploymentType, str, None, NotGiven] = NOT_GIVEN,
        location_type: Union[LocationType, str, None, NotGiven] = NOT_GIVEN,
        locations: Union[Sequence[str], None, NotGiven] = NOT_GIVEN,
        experience_level: Union[ExperienceLevel, str, None, NotGiven] = NOT_GIVEN,
        years_min: Union[float, None, NotGiven] = NOT_GIVEN,
        years_max: Union[float, None, NotGiven] = NOT_GIVEN,
        language: Union[str, None, NotGiven] = NOT_GIVEN,
        content: Union[PushJobContent, None, NotGiven] = NOT_GIVEN,
        compensation: Union[PushJobCompensation, None, NotGiven] = NOT_GIVEN,
        accept_applications: Union[bool, None, NotGiven] = NOT_GIVEN,
        publish: Union[bool, NotGiven] = NOT_GIVEN,
        status: Union[Literal["closed"], NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Job:
        """Create or update a job of your system

        Your `source.external_id` identifies it. Omitted fields keep their values; null clears a field. The
        fields are stored even if the requested publishing or closing fails. Scope: `jobs:write` (Push jobs from
        a partner system.) Rate tier: expensive.
        """
        return self._one(
            Operation(
                "POST",
                "/jobs",
                query={"workspace_id": workspace_id},
                body={
                    "source": source,
                    "title": title,
                    "department": department,
                    "team": team,
                    "employment_type": employment_type,
                    "location_type": location_type,
                    "locations": locations,
                    "experience_level": experience_level,
                    "years_min": years_min,
                    "years_max": years_max,
                    "language": language,
                    "content": content,
                    "compensation": compensation,
                    "accept_applications": accept_applications,
                    "publish": publish,
                    "status": status,
                },
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Job.build,
        )

    def get(
        self,
        job_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Job:
        """Get a job

        With its content. Scope: `jobs:read` (Read jobs, their sections, stages and application forms.) Rate
        tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/jobs/{job_handle}",
                params={"job_handle": job_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Job.build,
        )

    def get_by_slug(
        self,
        slug: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Job:
        """Get a job by its slug

        With its content. Scope: `jobs:read` (Read jobs, their sections, stages and application forms.) Rate
        tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/jobs/by-slug/{slug}",
                params={"slug": slug},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Job.build,
        )

    def get_sections(
        self,
        job_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> JobSections:
        """Get a job with all of its sections

        The job with its stages, application form and pre-screen questions. Scope: `jobs:read` (Read jobs, their
        sections, stages and application forms.) Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/jobs/{job_handle}/sections",
                params={"job_handle": job_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            JobSections.build,
        )

    def list_pipeline_stages(
        self,
        job_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[PipelineStage]:
        """List the stages of a job

        In pipeline order. Scope: `jobs:read` (Read jobs, their sections, stages and application forms.) Rate
        tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/jobs/{job_handle}/pipeline-stages",
                params={"job_handle": job_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            PipelineStage.build,
            "cursor",
        )

    def get_application_form(
        self,
        job_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ApplicationForm:
        """Get the application form of a job

        Scope: `jobs:read` (Read jobs, their sections, stages and application forms.) Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/jobs/{job_handle}/application-form",
                params={"job_handle": job_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            ApplicationForm.build,
        )

    def get_prescreen_questions(
        self,
        job_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> PrescreenQuestions:
        """Get the phone pre-screen questions of a job

        Scope: `jobs:screening:read` (Read pre-screen questions and the phone code of a job.) Rate tier:
        general.
        """
        return self._one(
            Operation(
                "GET",
                "/jobs/{job_handle}/prescreen-questions",
                params={"job_handle": job_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            PrescreenQuestions.build,
        )

    def get_publish_readiness(
        self,
        job_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> PublishReadiness:
        """Check whether a job can be published

        What is missing, and suggestions for improvement. Scope: `jobs:read` (Read jobs, their sections, stages
        and application forms.) Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/jobs/{job_handle}/publish-readiness",
                params={"job_handle": job_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            PublishReadiness.build,
        )

    def publish(
        self,
        job_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Job:
        """Publish a draft

        A job that is already published does not change. Scope: `jobs:manage` (Publish, unpublish, close and
        reopen any job of the workspace.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/jobs/{job_handle}/publish",
                params={"job_handle": job_handle},
                query={"workspace_id": workspace_id},
                body={"expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Job.build,
        )

    def unpublish(
        self,
        job_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Job:
        """Unpublish a job

        The job becomes a draft again. Scope: `jobs:manage` (Publish, unpublish, close and reopen any job of the
        workspace.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/jobs/{job_handle}/unpublish",
                params={"job_handle": job_handle},
                query={"workspace_id": workspace_id},
                body={"expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Job.build,
        )

    def close(
        self,
        job_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Job:
        """Close a published job

        Scope: `jobs:manage` (Publish, unpublish, close and reopen any job of the workspace.) Rate tier:
        general.
        """
        return self._one(
            Operation(
                "POST",
                "/jobs/{job_handle}/close",
                params={"job_handle": job_handle},
                query={"workspace_id": workspace_id},
                body={"expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Job.build,
        )

    def reopen(
        self,
        job_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Job:
        """Publish a closed job again

        Scope: `jobs:manage` (Publish, unpublish, close and reopen any job of the workspace.) Rate tier:
        general.
        """
        return self._one(
            Operation(
                "POST",
                "/jobs/{job_handle}/reopen",
                params={"job_handle": job_handle},
                query={"workspace_id": workspace_id},
                body={"expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Job.build,
        )

    def list_applications(
        self,
        job_handle: str,
        *,
        status: Union[ApplicationStatus, str, Sequence[Union[ApplicationStatus, str]], None] = None,
        stage_id: Union[str, None] = None,
        applied_after: Union[str, datetime, None] = None,
        source_system: Union[str, None] = None,
        external_id: Union[str, None] = None,
        min_score: Union[int, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        sort: Union[Literal["updated_at", "applied_at", "score"], str, None] = None,
        include: Union[Literal["applicant", "score", "job", "stage", "orders"], str, Sequence[Union[Literal["applicant", "score", "job", "stage", "orders"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[Application]:
        """List the applications for a job

        Most recently updated first. Scope: `applications:read` (Read applications, their stage, status and
        match score.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/jobs/{job_handle}/applications",
                params={"job_handle": job_handle},
                query={
                    "status": status,
                    "stage_id": stage_id,
                    "applied_after": applied_after,
                    "source_system": source_system,
                    "external_id": external_id,
                    "min_score": min_score,
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "sort": sort,
                    "include": include,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            Application.build,
            "cursor",
        )


class Events(Resource):
    def list(
        self,
        *,
        after: Union[int, None] = None,
        type: Union[KnownEventType, str, Sequence[Union[KnownEventType, str]], None] = None,
        exclude_origin: Union[ExcludedOrigin, str, None] = None,
        limit: Union[int, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[Event]:
        """Read the change feed

        Every change in the workspace that the key can read, oldest first. Each workspace has its own log and
        its own sequence numbers. Scope: `events:read` (Read the change feed and erasure notices.) Rate tier:
        general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/events",
                query={
                    "after": after,
                    "type": type,
                    "exclude_origin": exclude_origin,
                    "limit": limit,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            _EventUnion.build,
            "after",
        )

    def get(
        self,
        event_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Event:
        """Get an event

        Scope: `events:read` (Read the change feed and erasure notices.) Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/events/{event_handle}",
                params={"event_handle": event_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            _EventUnion.build,
        )


class Suppressions(Resource):
    def list(
        self,
        *,
        after: Union[int, None] = None,
        limit: Union[int, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[Suppression]:
        """List erasure notices

        Notices about people whose data must no longer be processed, oldest first. Unlike events, they never
        expire. A key that has only the scopes of vendors besides `events:read` gets the notices that name its
        orders, with these alone. Scope: `events:read` (Read the change feed and erasure notices.) Rate tier:
        general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/suppressions",
                query={"after": after, "limit": limit, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            Suppression.build,
            "after",
        )

    def acknowledge(
        self,
        suppression_id: str,
        *,
        deleted_at: Union[str, datetime],
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> SuppressionAcknowledgement:
        """Confirm that you deleted your copies

        The notice names the records. A repeated call replaces the time. The only write without a write scope:
        every key that reads notices can confirm them. Scope: `events:read` (Read the change feed and erasure
        notices.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/suppressions/{suppression_id}/acknowledge",
                params={"suppression_id": suppression_id},
                query={"workspace_id": workspace_id},
                body={"deleted_at": deleted_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            SuppressionAcknowledgement.build,
        )


class WebhookEndpoints(Resource):
    def list(
        self,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[WebhookEndpoint]:
        """List webhook endpoints

        Endpoints of the calling key, newest first. For the token of an app: its own, and with `workspace_id`
        the one of its installation there. Scope: `webhooks:read` (Read webhook endpoints and the delivery log.)
        Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/webhooks/endpoints",
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            WebhookEndpoint.build,
            "cursor",
        )

    def create(
        self,
        *,
        url: str,
        event_types: Sequence[Union[KnownEventType, str]],
        workspace_id: Union[str, None] = None,
        description: Union[str, None, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookEndpoint:
        """Register a webhook endpoint

        The signing secret is shown only once. Scope: `webhooks:write` (Register and manage webhook endpoints.)
        Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/webhooks/endpoints",
                query={"workspace_id": workspace_id},
                body={"url": url, "event_types": event_types, "description": description},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            WebhookEndpoint.build,
        )

    def get(
        self,
        endpoint_id: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookEndpoint:
        """Get a webhook endpoint

        An endpoint of the calling key. Scope: `webhooks:read` (Read webhook endpoints and the delivery log.)
        Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/webhooks/endpoints/{endpoint_id}",
                params={"endpoint_id": endpoint_id},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            WebhookEndpoint.build,
        )

    def update(
        self,
        endpoint_id: str,
        *,
        workspace_id: Union[str, None] = None,
        url: Union[str, NotGiven] = NOT_GIVEN,
        event_types: Union[Sequence[Union[KnownEventType, str]], NotGiven] = NOT_GIVEN,
        description: Union[str, None, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookEndpoint:
        """Update a webhook endpoint

        Its URL, event types or description. Scope: `webhooks:write` (Register and manage webhook endpoints.)
        Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/webhooks/endpoints/{endpoint_id}",
                params={"endpoint_id": endpoint_id},
                query={"workspace_id": workspace_id},
                body={"url": url, "event_types": event_types, "description": description},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            WebhookEndpoint.build,
        )

    def rotate_secret(
        self,
        endpoint_id: str,
        *,
        workspace_id: Union[str, None] = None,
        overlap_seconds: Union[int, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookEndpoint:
        """Rotate the signing secret

        The new secret is shown only once. Deliveries are also signed with the previous secret until the overlap
        ends. Scope: `webhooks:write` (Register and manage webhook endpoints.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/webhooks/endpoints/{endpoint_id}/rotate-secret",
                params={"endpoint_id": endpoint_id},
                query={"workspace_id": workspace_id},
                body={"overlap_seconds": overlap_seconds},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            WebhookEndpoint.build,
        )

    def disable(
        self,
        endpoint_id: str,
        *,
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookEndpoint:
        """Disable a webhook endpoint

        Its pending deliveries are canceled. Scope: `webhooks:write` (Register and manage webhook endpoints.)
        Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/webhooks/endpoints/{endpoint_id}/disable",
                params={"endpoint_id": endpoint_id},
                query={"workspace_id": workspace_id},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            WebhookEndpoint.build,
        )

    def enable(
        self,
        endpoint_id: str,
        *,
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookEndpoint:
        """Enable a webhook endpoint

        New events are delivered again. Its URL is checked and its failure count is reset. Scope:
        `webhooks:write` (Register and manage webhook endpoints.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/webhooks/endpoints/{endpoint_id}/enable",
                params={"endpoint_id": endpoint_id},
                query={"workspace_id": workspace_id},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            WebhookEndpoint.build,
        )

    def test(
        self,
        endpoint_id: str,
        *,
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookDelivery:
        """Send a ping to a webhook endpoint

        Queues a `ping` to the endpoint, with one attempt. The delivery log has the result, even if the URL
        cannot be reached. At most 10 a minute for a workspace. Scope: `webhooks:write` (Register and manage
        webhook endpoints.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/webhooks/endpoints/{endpoint_id}/test",
                params={"endpoint_id": endpoint_id},
                query={"workspace_id": workspace_id},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            WebhookDelivery.build,
        )

    def recover(
        self,
        endpoint_id: str,
        *,
        after: int,
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookRecovery:
        """Deliver missed events again

        Queues every event after a sequence that the endpoint subscribes to and has not acknowledged. At most 30
        a minute for a workspace. Scope: `webhooks:write` (Register and manage webhook endpoints.) Rate tier:
        general.
        """
        return self._one(
            Operation(
                "POST",
                "/webhooks/endpoints/{endpoint_id}/recover",
                params={"endpoint_id": endpoint_id},
                query={"workspace_id": workspace_id},
                body={"after": after},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            WebhookRecovery.build,
        )


class WebhookDeliveries(Resource):
    def list(
        self,
        *,
        endpoint_id: Union[str, None] = None,
        event_id: Union[str, None] = None,
        event_type: Union[KnownDeliveredType, str, None] = None,
        status: Union[KnownDeliveryStatus, str, Sequence[Union[KnownDeliveryStatus, str]], None] = None,
        response_status: Union[str, None] = None,
        created_after: Union[str, datetime, None] = None,
        created_before: Union[str, datetime, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[WebhookDelivery]:
        """List webhook deliveries

        The delivery log of the calling key's endpoints, newest first. Scope: `webhooks:read` (Read webhook
        endpoints and the delivery log.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/webhooks/deliveries",
                query={
                    "endpoint_id": endpoint_id,
                    "event_id": event_id,
                    "event_type": event_type,
                    "status": status,
                    "response_status": response_status,
                    "created_after": created_after,
                    "created_before": created_before,
                    "limit": limit,
                    "cursor": cursor,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            WebhookDelivery.build,
            "cursor",
        )

    def get(
        self,
        delivery_id: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookDelivery:
        """Get a webhook delivery

        The delivery with its attempts. Scope: `webhooks:read` (Read webhook endpoints and the delivery log.)
        Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/webhooks/deliveries/{delivery_id}",
                params={"delivery_id": delivery_id},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            WebhookDelivery.build,
        )

    def redeliver(
        self,
        delivery_id: str,
        *,
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookDelivery:
        """Deliver an event again

        A new delivery with one attempt. At most 20 a minute for a workspace; for more, recover the endpoint.
        Scope: `webhooks:write` (Register and manage webhook endpoints.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/webhooks/deliveries/{delivery_id}/redeliver",
                params={"delivery_id": delivery_id},
                query={"workspace_id": workspace_id},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            WebhookDelivery.build,
        )


class Projects(Resource):
    def list(
        self,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[Project]:
        """List projects

        Most recently updated first. Scope: `lists:read` (Read projects, candidate lists and their members.)
        Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/projects",
                query={
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            Project.build,
            "cursor",
        )

    def get(
        self,
        project_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Project:
        """Get a project

        Scope: `lists:read` (Read projects, candidate lists and their members.) Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/projects/{project_handle}",
                params={"project_handle": project_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Project.build,
        )

    def list_lists(
        self,
        project_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[CandidateList]:
        """List the candidate lists of a project

        Most recently updated first. Scope: `lists:read` (Read projects, candidate lists and their members.)
        Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/projects/{project_handle}/lists",
                params={"project_handle": project_handle},
                query={
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            CandidateList.build,
            "cursor",
        )


class Lists(Resource):
    def list(
        self,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[CandidateList]:
        """List candidate lists

        All lists, including those without a project, most recently updated first. Scope: `lists:read` (Read
        projects, candidate lists and their members.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/lists",
                query={
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            CandidateList.build,
            "cursor",
        )

    def create(
        self,
        *,
        name: str,
        workspace_id: Union[str, None] = None,
        description: Union[str, None, NotGiven] = NOT_GIVEN,
        project_id: Union[str, None, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> CandidateList:
        """Create a candidate list

        It is in the oldest project by default. Names do not have to be unique. Scope: `lists:write` (Create
        candidate lists, add members and set their stage.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/lists",
                query={"workspace_id": workspace_id},
                body={"name": name, "description": description, "project_id": project_id},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            CandidateList.build,
        )

    def get(
        self,
        list_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> CandidateList:
        """Get a candidate list

        Scope: `lists:read` (Read projects, candidate lists and their members.) Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/lists/{list_handle}",
                params={"list_handle": list_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            CandidateList.build,
        )

    def list_members(
        self,
        list_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        include: Union[Literal["sourced_profile"], str, Sequence[Union[Literal["sourced_profile"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[ListMembership]:
        """List the members of a candidate list

        In the order they were added. Scope: `lists:read` (Read projects, candidate lists and their members.)
        Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/lists/{list_handle}/members",
                params={"list_handle": list_handle},
                query={"limit": limit, "cursor": cursor, "include": include, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            ListMembership.build,
            "cursor",
        )

    def add_members(
        self,
        list_handle: str,
        *,
        members: Sequence[ListMember],
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ListMemberBatch:
        """Add members to a candidate list

        Members are sourced profiles. The call always succeeds; each item has its own status. Scope:
        `lists:write` (Create candidate lists, add members and set their stage.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/lists/{list_handle}/members",
                params={"list_handle": list_handle},
                query={"workspace_id": workspace_id},
                body={"members": members},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            ListMemberBatch.build,
        )

    def set_member_stage(
        self,
        list_handle: str,
        member_handle: str,
        *,
        stage: str,
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ListMembership:
        """Set the stage of a list member

        A stage key, `none`, or a custom label that the list already uses. Scope: `lists:write` (Create
        candidate lists, add members and set their stage.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/lists/{list_handle}/members/{member_handle}/stage",
                params={"list_handle": list_handle, "member_handle": member_handle},
                query={"workspace_id": workspace_id},
                body={"stage": stage},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            ListMembership.build,
        )


class SourcedProfiles(Resource):
    def list_memberships(
        self,
        profile_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[ListMembership]:
        """List the candidate lists of a sourced profile

        In the order it was added to them. Scope: `lists:read` (Read projects, candidate lists and their
        members.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/sourced-profiles/{profile_handle}/list-memberships",
                params={"profile_handle": profile_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            ListMembership.build,
            "cursor",
        )

    def list(
        self,
        *,
        origin: Union[str, None] = None,
        has_contact_info: Union[bool, None] = None,
        q: Union[str, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        sort: Union[Literal["updated_at", "relevance"], str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[SourcedProfile]:
        """List sourced profiles

        Candidates that the workspace found and saved, most recently updated first. Scope:
        `sourced_profiles:read` (Read candidates that the workspace found and saved.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/sourced-profiles",
                query={
                    "origin": origin,
                    "has_contact_info": has_contact_info,
                    "q": q,
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "sort": sort,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            SourcedProfile.build,
            "cursor",
        )

    def get(
        self,
        profile_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> SourcedProfile:
        """Get a sourced profile

        Scope: `sourced_profiles:read` (Read candidates that the workspace found and saved.) Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/sourced-profiles/{profile_handle}",
                params={"profile_handle": profile_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            SourcedProfile.build,
        )

    def list_attachments(
        self,
        profile_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[Attachment]:
        """List the files of a sourced profile

        Files that the key cannot download have `readable: false`. Scope: `attachments:read` (List files
        attached to sourced profiles and download their photos.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/sourced-profiles/{profile_handle}/attachments",
                params={"profile_handle": profile_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            Attachment.build,
            "cursor",
        )

    def download_attachment(
        self,
        profile_handle: str,
        kind: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> bytes:
        """Download a file of a sourced profile

        Needs the scope of the type of the file in addition to attachments:read, and costs one personal-data
        unit. Scope: `attachments:read` (List files attached to sourced profiles and download their photos.)
        Rate tier: download. Personal-data values of the response are charged to the daily budget and audited.
        """
        return self._bytes(
            Operation(
                "GET",
                "/sourced-profiles/{profile_handle}/attachments/{kind}/content",
                params={"profile_handle": profile_handle, "kind": kind},
                query={"workspace_id": workspace_id},
                binary=True,
                timeout=timeout,
            )
        )

    def get_contact_info(
        self,
        profile_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ContactInfo:
        """Get the contact details of a sourced profile

        Contact details that the workspace has already revealed. Scope: `contact:read` (Read email addresses
        that the workspace already has.) Rate tier: general. Personal-data values of the response are charged to
        the daily budget and audited.
        """
        return self._one(
            Operation(
                "GET",
                "/sourced-profiles/{profile_handle}/contact-info",
                params={"profile_handle": profile_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            ContactInfo.build,
        )


class People(Resource):
    def resolve(
        self,
        *,
        email: Union[str, None] = None,
        linkedin_url: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Person:
        """Find a person by email address or LinkedIn URL

        Searches the records that the key can read. Scope: `people:resolve` (Find a person by email address or
        LinkedIn URL.) Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/people/resolve",
                query={"email": email, "linkedin_url": linkedin_url, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            Person.build,
        )

    def resolve_batch(
        self,
        *,
        keys: Sequence[ResolvePeopleKey],
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Page[Resolution]:
        """Find up to 100 people

        Returns one row for each identifier, in the order of the request. Scope: `people:resolve` (Find a person
        by email address or LinkedIn URL.) Rate tier: expensive.
        """
        return self._page(
            Operation(
                "POST",
                "/people/resolve:batch",
                query={"workspace_id": workspace_id},
                body={"keys": keys},
                timeout=timeout,
            ),
            Resolution.build,
        )

    def get(
        self,
        person_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Person:
        """Get a person

        The same object as from resolve, by handle. Scope: `people:resolve` (Find a person by email address or
        LinkedIn URL.) Rate tier: general. Personal-data values of the response are charged to the daily budget
        and audited.
        """
        return self._one(
            Operation(
                "GET",
                "/people/{person_handle}",
                params={"person_handle": person_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Person.build,
        )

    def list_profiles(
        self,
        person_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[ProfilePointer]:
        """List the records of a person

        Only handles and links. Scope: `people:resolve` (Find a person by email address or LinkedIn URL.) Rate
        tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/people/{person_handle}/profiles",
                params={"person_handle": person_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            ProfilePointer.build,
            "cursor",
        )

    def list_applications(
        self,
        person_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        include: Union[Literal["applicant", "score", "job", "stage", "orders"], str, Sequence[Union[Literal["applicant", "score", "job", "stage", "orders"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[Application]:
        """List the applications of a person

        From applicants that are an exact match, most recently updated first. Scope: `applications:read` (Read
        applications, their stage, status and match score.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/people/{person_handle}/applications",
                params={"person_handle": person_handle},
                query={
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "include": include,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            Application.build,
            "cursor",
        )

    def list_resumes(
        self,
        person_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[ResumeSummary]:
        """List the résumés of a person

        From applicants that are an exact match, one per application, newest first. Scope: `resume:read` (Read
        résumé details and the parsed profile.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/people/{person_handle}/resumes",
                params={"person_handle": person_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            ResumeSummary.build,
            "cursor",
        )

    def get_contact_info(
        self,
        person_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ContactInfo:
        """Get the contact details of a person

        From applicants and sourced profiles that are an exact match. Each value is listed once. Scope:
        `contact:read` (Read email addresses that the workspace already has.) Rate tier: general. Personal-data
        values of the response are charged to the daily budget and audited.
        """
        return self._one(
            Operation(
                "GET",
                "/people/{person_handle}/contact-info",
                params={"person_handle": person_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            ContactInfo.build,
        )


class Pool(Resource):
    def list_profiles(
        self,
        *,
        country: Union[str, None] = None,
        company: Union[str, None] = None,
        title: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[PoolProfile]:
        """List profiles of the shared pool

        Public professional profiles, most recently seen first. Scope: `pool:read` (Read profiles of the shared
        pool.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/pool/profiles",
                query={
                    "country": country,
                    "company": company,
                    "title": title,
                    "updated_after": updated_after,
                    "limit": limit,
                    "cursor": cursor,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            PoolProfile.build,
            "cursor",
        )

    def get_profile(
        self,
        profile_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> PoolProfile:
        """Get a profile of the shared pool

        Scope: `pool:read` (Read profiles of the shared pool.) Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/pool/profiles/{profile_handle}",
                params={"profile_handle": profile_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            PoolProfile.build,
        )

    def search(
        self,
        *,
        workspace_id: Union[str, None] = None,
        query: Union[str, NotGiven] = NOT_GIVEN,
        terms: Union[SearchPoolTerms, NotGiven] = NOT_GIVEN,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        timeout: Union[float, None] = None,
    ) -> Page[PoolProfile]:
        """Search the shared pool

        Best matches first. Word order, word endings and accents do not matter; small misspellings and common
        synonyms match too. Does not cost personal-data units. Scope: `pool:search` (Search the shared pool.)
        Rate tier: expensive.
        """
        return self._page(
            Operation(
                "POST",
                "/pool/search",
                query={"workspace_id": workspace_id},
                body={"query": query, "terms": terms, "limit": limit},
                timeout=timeout,
            ),
            PoolProfile.build,
        )


class Applications(Resource):
    def list(
        self,
        *,
        job_id: Union[str, None] = None,
        applicant_id: Union[str, None] = None,
        status: Union[ApplicationStatus, str, Sequence[Union[ApplicationStatus, str]], None] = None,
        stage_id: Union[str, None] = None,
        applied_after: Union[str, datetime, None] = None,
        source_system: Union[str, None] = None,
        external_id: Union[str, None] = None,
        min_score: Union[int, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        sort: Union[Literal["updated_at", "applied_at", "score"], str, None] = None,
        include: Union[Literal["applicant", "score", "job", "stage", "orders"], str, Sequence[Union[Literal["applicant", "score", "job", "stage", "orders"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[Application]:
        """List applications

        Most recently updated first. Scope: `applications:read` (Read applications, their stage, status and
        match score.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/applications",
                query={
                    "job_id": job_id,
                    "applicant_id": applicant_id,
                    "status": status,
                    "stage_id": stage_id,
                    "applied_after": applied_after,
                    "source_system": source_system,
                    "external_id": external_id,
                    "min_score": min_score,
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "sort": sort,
                    "include": include,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            Application.build,
            "cursor",
        )

    def create(
        self,
        *,
        job_id: str,
        candidate: CreateApplicationCandidate,
        source: CreateApplicationSource,
        workspace_id: Union[str, None] = None,
        resume_upload_id: Union[str, NotGiven] = NOT_GIVEN,
        answers: Union[Sequence[CreateApplicationAnswer], NotGiven] = NOT_GIVEN,
        stage_id: Union[str, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Application:
        """Create an application

        Returns the existing one of the same person or external id for the job, if there is one. No email is
        sent and no consent is recorded. Scope: `applications:write` (Upload résumés, create applications, move,
        reject, hire and reopen them.) Rate tier: expensive.
        """
        return self._one(
            Operation(
                "POST",
                "/applications",
                query={"workspace_id": workspace_id},
                body={
                    "job_id": job_id,
                    "candidate": candidate,
                    "resume_upload_id": resume_upload_id,
                    "source": source,
                    "answers": answers,
                    "stage_id": stage_id,
                },
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Application.build,
        )

    def get(
        self,
        application_handle: str,
        *,
        include: Union[Literal["applicant", "score", "job", "stage", "orders"], str, Sequence[Union[Literal["applicant", "score", "job", "stage", "orders"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Application:
        """Get an application

        With `resume_access` if it has a résumé. Scope: `applications:read` (Read applications, their stage,
        status and match score.) Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/applications/{application_handle}",
                params={"application_handle": application_handle},
                query={"include": include, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            Application.build,
        )

    def get_answers(
        self,
        application_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ApplicationAnswers:
        """Get the answers of a candidate

        The answers to the application form, keyed by field id. Scope: `applications:answers:read` (Read the
        answers that candidates gave on application forms.) Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/applications/{application_handle}/answers",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            ApplicationAnswers.build,
        )

    def get_score(
        self,
        application_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ApplicationScore:
        """Get the match score of an application

        How well the résumé matches the job; 404 until it is scored. Scope: `applications:read` (Read
        applications, their stage, status and match score.) Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/applications/{application_handle}/score",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            ApplicationScore.build,
        )

    def get_screening(
        self,
        application_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Screening:
        """Get the phone pre-screen of an application

        Whether a phone pre-screen took place and how it went. Scope: `screening:metadata:read` (Read whether a
        phone pre-screen took place and how it went, never what was said.) Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/applications/{application_handle}/screening",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Screening.build,
        )

    def list_stage_transitions(
        self,
        application_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[StageTransition]:
        """List the stage history of an application

        Oldest first. Scope: `applications:internal:read` (Read rejection reasons, score rationale, stage
        history, notes and scorecards.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/applications/{application_handle}/stage-transitions",
                params={"application_handle": application_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            StageTransition.build,
            "cursor",
        )

    def list_notes(
        self,
        application_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[Note]:
        """List the notes on an application

        Newest first. Scope: `applications:internal:read` (Read rejection reasons, score rationale, stage
        history, notes and scorecards.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/applications/{application_handle}/notes",
                params={"application_handle": application_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            Note.build,
            "cursor",
        )

    def create_note(
        self,
        application_handle: str,
        *,
        body: str,
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Note:
        """Add a note to an application

        A note for the hiring team. Scope: `notes:write` (Add notes to applications.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/applications/{application_handle}/notes",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                body={"body": body},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Note.build,
        )

    def list_scorecards(
        self,
        application_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[Scorecard]:
        """List the scorecards of an application

        Newest first. Scope: `applications:internal:read` (Read rejection reasons, score rationale, stage
        history, notes and scorecards.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/applications/{application_handle}/scorecards",
                params={"application_handle": application_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            Scorecard.build,
            "cursor",
        )

    def create_scorecard(
        self,
        application_handle: str,
        *,
        recommendation: Union[KnownRecommendation, str],
        workspace_id: Union[str, None] = None,
        summary: Union[str, NotGiven] = NOT_GIVEN,
        stage_id: Union[str, NotGiven] = NOT_GIVEN,
        ratings: Union[Sequence[CreateScorecardRating], NotGiven] = NOT_GIVEN,
        interviewed_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        report_url: Union[str, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Scorecard:
        """Add a scorecard to an application

        The scorecard of an interviewer. Scope: `scorecards:write` (Add scorecards to applications.) Rate tier:
        general.
        """
        return self._one(
            Operation(
                "POST",
                "/applications/{application_handle}/scorecards",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                body={
                    "recommendation": recommendation,
                    "summary": summary,
                    "stage_id": stage_id,
                    "ratings": ratings,
                    "interviewed_at": interviewed_at,
                    "report_url": report_url,
                },
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Scorecard.build,
        )

    def move(
        self,
        application_handle: str,
        *,
        stage_id: str,
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Application:
        """Move an application to another stage

        The stage must be one of its job. The status does not change. Scope: `applications:write` (Upload
        résumés, create applications, move, reject, hire and reopen them.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/applications/{application_handle}/move",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                body={"stage_id": stage_id, "expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Application.build,
        )

    def reject(
        self,
        application_handle: str,
        *,
        reason: str,
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Application:
        """Reject an application

        It must be open. The reason stays in the workspace; the candidate is not notified. Scope:
        `applications:write` (Upload résumés, create applications, move, reject, hire and reopen them.) Rate
        tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/applications/{application_handle}/reject",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                body={"reason": reason, "expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Application.build,
        )

    def hire(
        self,
        application_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Application:
        """Hire an applicant

        The application must be open (`new`, `in_review` or `advanced`). It moves to the job’s first stage of
        type `hired`, if the job has one. Scope: `applications:write` (Upload résumés, create applications,
        move, reject, hire and reopen them.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/applications/{application_handle}/hire",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                body={"expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Application.build,
        )

    def reopen(
        self,
        application_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Application:
        """Reopen an application

        It must be rejected. It returns to review in its previous stage. Scope: `applications:write` (Upload
        résumés, create applications, move, reject, hire and reopen them.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/applications/{application_handle}/reopen",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                body={"expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Application.build,
        )

    def list_interviews(
        self,
        application_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[Interview]:
        """List the interviews of an application

        Newest first. Interviews are planned by people in the product; no endpoint changes them. Scope:
        `applications:read` (Read applications, their stage, status and match score.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/applications/{application_handle}/interviews",
                params={"application_handle": application_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            Interview.build,
            "cursor",
        )

    def list_orders(
        self,
        application_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[OrderSummary]:
        """List the orders for an application

        Newest first. Scope: `orders:read` (Read every order of the workspace, without results.) Rate tier:
        general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/applications/{application_handle}/orders",
                params={"application_handle": application_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            OrderSummary.build,
            "cursor",
        )

    def get_resume(
        self,
        application_handle: str,
        *,
        raw_text: Union[bool, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Resume:
        """Get the résumé of an application

        The résumé with its parsed profile. The full text costs one personal-data unit; `raw_text=false` leaves
        it out. Scope: `resume:read` (Read résumé details and the parsed profile.) Rate tier: general.
        Personal-data values of the response are charged to the daily budget and audited.
        """
        return self._one(
            Operation(
                "GET",
                "/applications/{application_handle}/resume",
                params={"application_handle": application_handle},
                query={"raw_text": raw_text, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            Resume.build,
        )

    def get_resume_download(
        self,
        application_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ResumeDownload:
        """Get a download URL of a résumé

        A signed URL of the résumé file, valid for 300 seconds. Each call costs one personal-data unit. Scope:
        `resume:download` (Download résumé files.) Rate tier: download. Personal-data values of the response are
        charged to the daily budget and audited.
        """
        return self._one(
            Operation(
                "GET",
                "/applications/{application_handle}/resume/download",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            ResumeDownload.build,
        )


class Applicants(Resource):
    def list_applications(
        self,
        applicant_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        include: Union[Literal["applicant", "score", "job", "stage", "orders"], str, Sequence[Union[Literal["applicant", "score", "job", "stage", "orders"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[Application]:
        """List the applications of an applicant

        Most recently updated first. Scope: `applications:read` (Read applications, their stage, status and
        match score.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/applicants/{applicant_handle}/applications",
                params={"applicant_handle": applicant_handle},
                query={
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "include": include,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            Application.build,
            "cursor",
        )

    def list_resumes(
        self,
        applicant_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[ResumeSummary]:
        """List the résumés of an applicant

        One per application, newest first. Scope: `resume:read` (Read résumé details and the parsed profile.)
        Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/applicants/{applicant_handle}/resumes",
                params={"applicant_handle": applicant_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            ResumeSummary.build,
            "cursor",
        )

    def list(
        self,
        *,
        email: Union[str, None] = None,
        has_applications: Union[bool, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        include: Union[Literal["applications"], str, Sequence[Union[Literal["applications"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[Applicant]:
        """List applicants

        People who applied, most recently updated first. Scope: `applicants:read` (Read the people who applied,
        without their contact details.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/applicants",
                query={
                    "email": email,
                    "has_applications": has_applications,
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "include": include,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            Applicant.build,
            "cursor",
        )

    def get(
        self,
        applicant_handle: str,
        *,
        include: Union[Literal["applications"], str, Sequence[Union[Literal["applications"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Applicant:
        """Get an applicant

        Scope: `applicants:read` (Read the people who applied, without their contact details.) Rate tier:
        general.
        """
        return self._one(
            Operation(
                "GET",
                "/applicants/{applicant_handle}",
                params={"applicant_handle": applicant_handle},
                query={"include": include, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            Applicant.build,
        )

    def get_contact_info(
        self,
        applicant_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ContactInfo:
        """Get the contact details of an applicant

        As the applicant gave them. One personal-data unit for each value returned. Scope: `contact:read` (Read
        email addresses that the workspace already has.) Rate tier: general. Personal-data values of the
        response are charged to the daily budget and audited.
        """
        return self._one(
            Operation(
                "GET",
                "/applicants/{applicant_handle}/contact-info",
                params={"applicant_handle": applicant_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            ContactInfo.build,
        )


class Packages(Resource):
    def list(
        self,
        *,
        kind: Union[KnownPackageKind, str, Sequence[Union[KnownPackageKind, str]], None] = None,
        status: Union[KnownPackageStatus, str, Sequence[Union[KnownPackageStatus, str]], None] = None,
        country: Union[Literal["AD", "AE", "AF", "AG", "AI", "AL", "AM", "AO", "AQ", "AR", "AS", "AT", "AU", "AW", "AX", "AZ", "BA", "BB", "BD", "BE", "BF", "BG", "BH", "BI", "BJ", "BL", "BM", "BN", "BO", "BQ", "BR", "BS", "BT", "BV", "BW", "BY", "BZ", "CA", "CC", "CD", "CF", "CG", "CH", "CI", "CK", "CL", "CM", "CN", "CO", "CR", "CU", "CV", "CW", "CX", "CY", "CZ", "DE", "DJ", "DK", "DM", "DO", "DZ", "EC", "EE", "EG", "EH", "ER", "ES", "ET", "FI", "FJ", "FK", "FM", "FO", "FR", "GA", "GB", "GD", "GE", "GF", "GG", "GH", "GI", "GL", "GM", "GN", "GP", "GQ", "GR", "GS", "GT", "GU", "GW", "GY", "HK", "HM", "HN", "HR", "HT", "HU", "ID", "IE", "IL", "IM", "IN", "IO", "IQ", "IR", "IS", "IT", "JE", "JM", "JO", "JP", "KE", "KG", "KH", "KI", "KM", "KN", "KP", "KR", "KW", "KY", "KZ", "LA", "LB", "LC", "LI", "LK", "LR", "LS", "LT", "LU", "LV", "LY", "MA", "MC", "MD", "ME", "MF", "MG", "MH", "MK", "ML", "MM", "MN", "MO", "MP", "MQ", "MR", "MS", "MT", "MU", "MV", "MW", "MX", "MY", "MZ", "NA", "NC", "NE", "NF", "NG", "NI", "NL", "NO", "NP", "NR", "NU", "NZ", "OM", "PA", "PE", "PF", "PG", "PH", "PK", "PL", "PM", "PN", "PR", "PS", "PT", "PW", "PY", "QA", "RE", "RO", "RS", "RU", "RW", "SA", "SB", "SC", "SD", "SE", "SG", "SH", "SI", "SJ", "SK", "SL", "SM", "SN", "SO", "SR", "SS", "ST", "SV", "SX", "SY", "SZ", "TC", "TD", "TF", "TG", "TH", "TJ", "TK", "TL", "TM", "TN", "TO", "TR", "TT", "TV", "TW", "TZ", "UA", "UG", "UM", "US", "UY", "UZ", "VA", "VC", "VE", "VG", "VI", "VN", "VU", "WF", "WS", "YE", "YT", "ZA", "ZM", "ZW"], str, None] = None,
        external_id: Union[str, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[Package]:
        """List the tests and checks that vendors offer

        Most recently updated first. A vendor lists its own. Scope: `orders:read` (Read every order of the
        workspace, without results.) or `orders:write` (Order checks and assessments, and cancel, extend and
        repeat orders.) or `orders:fulfill` (For vendors: publish packages, and read and update the orders of
        your own packages.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/packages",
                query={
                    "kind": kind,
                    "status": status,
                    "country": country,
                    "external_id": external_id,
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            Package.build,
            "cursor",
        )

    def publish(
        self,
        *,
        external_id: str,
        kind: Union[KnownPackageKind, str],
        name: str,
        privacy_url: str,
        invitation: Union[PackageInvitation, str],
        workspace_id: Union[str, None] = None,
        description: Union[str, None, NotGiven] = NOT_GIVEN,
        duration_minutes: Union[int, None, NotGiven] = NOT_GIVEN,
        languages: Union[Sequence[str], None, NotGiven] = NOT_GIVEN,
        countries: Union[Sequence[str], None, NotGiven] = NOT_GIVEN,
        info_url: Union[str, None, NotGiven] = NOT_GIVEN,
        candidate_host: Union[str, None, NotGiven] = NOT_GIVEN,
        shares: Union[Sequence[Union[KnownSharedValue, str]], None, NotGiven] = NOT_GIVEN,
        completion_days: Union[int, None, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Package:
        """Publish a test or check

        Creates the package with this `external_id`, or changes it: a field that is left out stays, null clears
        it. A new package waits as `pending` until an owner or admin offers it. So does an active one when it
        shares more, or when `name`, `kind`, `invitation`, `candidate_host` or `privacy_url` change. Packages of
        an installed app are `active` immediately, and their `candidate_host`, `privacy_url` and `info_url` are
        in a domain of the app. Their `kind` stays once it is `background_check` or `identity_check`. Scope:
        `orders:fulfill` (For vendors: publish packages, and read and update the orders of your own packages.)
        Rate tier: expensive.
        """
        return self._one(
            Operation(
                "POST",
                "/packages",
                query={"workspace_id": workspace_id},
                body={
                    "external_id": external_id,
                    "kind": kind,
                    "name": name,
                    "description": description,
                    "duration_minutes": duration_minutes,
                    "languages": languages,
                    "countries": countries,
                    "info_url": info_url,
                    "privacy_url": privacy_url,
                    "invitation": invitation,
                    "candidate_host": candidate_host,
                    "shares": shares,
                    "completion_days": completion_days,
                },
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Package.build,
        )

    def get(
        self,
        package_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Package:
        """Get a test or check that a vendor offers

        Scope: `orders:read` (Read every order of the workspace, without results.) or `orders:write` (Order
        checks and assessments, and cancel, extend and repeat orders.) or `orders:fulfill` (For vendors: publish
        packages, and read and update the orders of your own packages.) Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/packages/{package_handle}",
                params={"package_handle": package_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Package.build,
        )

    def withdraw(
        self,
        package_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Package:
        """Withdraw a test or check

        No one can order it from now on. Open orders go on. Scope: `orders:fulfill` (For vendors: publish
        packages, and read and update the orders of your own packages.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/packages/{package_handle}/withdraw",
                params={"package_handle": package_handle},
                query={"workspace_id": workspace_id},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Package.build,
        )


class Orders(Resource):
    def list(
        self,
        *,
        status: Union[KnownOrderStatus, str, Sequence[Union[KnownOrderStatus, str]], None] = None,
        kind: Union[KnownPackageKind, str, Sequence[Union[KnownPackageKind, str]], None] = None,
        package_id: Union[str, None] = None,
        application_id: Union[str, None] = None,
        job_id: Union[str, None] = None,
        external_id: Union[str, None] = None,
        source_system: Union[str, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        sort: Union[Literal["updated_at", "score"], str, None] = None,
        include: Union[Literal["application", "applicant", "job"], str, Sequence[Union[Literal["application", "applicant", "job"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[OrderSummary]:
        """List orders of tests and checks

        Most recently updated first. A vendor lists the orders of its own packages. Scope: `orders:read` (Read
        every order of the workspace, without results.) or `orders:fulfill` (For vendors: publish packages, and
        read and update the orders of your own packages.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/orders",
                query={
                    "status": status,
                    "kind": kind,
                    "package_id": package_id,
                    "application_id": application_id,
                    "job_id": job_id,
                    "external_id": external_id,
                    "source_system": source_system,
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "sort": sort,
                    "include": include,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            OrderSummary.build,
            "cursor",
        )

    def place(
        self,
        *,
        application_id: str,
        package_id: str,
        workspace_id: Union[str, None] = None,
        due_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        source: Union[PlaceOrderSource, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Order a test or check for a candidate

        The vendor of the package carries it out. The service sends the candidate no email. The same `source`
        again, or a package that is open for the application, returns the order that exists. Scope:
        `orders:write` (Order checks and assessments, and cancel, extend and repeat orders.) Rate tier:
        expensive.
        """
        return self._one(
            Operation(
                "POST",
                "/orders",
                query={"workspace_id": workspace_id},
                body={"application_id": application_id, "package_id": package_id, "due_at": due_at, "source": source},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Order.build,
        )

    def get(
        self,
        order_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Get an order of a test or check

        Scope: `orders:read` (Read every order of the workspace, without results.) or `orders:fulfill` (For
        vendors: publish packages, and read and update the orders of your own packages.) Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/orders/{order_handle}",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Order.build,
        )

    def get_candidate(
        self,
        order_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> OrderCandidate:
        """Get the candidate of an order

        For the vendor of the order, while it is open. Email address and phone number cost one personal-data
        unit each, as far as the package shares them. Scope: `orders:candidate:read` (For vendors: read name,
        email, phone and résumé of the candidates of your own open orders.) Rate tier: general. Personal-data
        values of the response are charged to the daily budget and audited.
        """
        return self._one(
            Operation(
                "GET",
                "/orders/{order_handle}/candidate",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            OrderCandidate.build,
        )

    def get_resume_download(
        self,
        order_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> OrderResumeDownload:
        """Get a download URL of the résumé of the candidate of an order

        For the vendor of the order, while it is open and if the package shares the résumé. A signed URL, valid
        for 300 seconds. Each call costs one personal-data unit. Scope: `orders:candidate:read` (For vendors:
        read name, email, phone and résumé of the candidates of your own open orders.) Rate tier: download.
        Personal-data values of the response are charged to the daily budget and audited.
        """
        return self._one(
            Operation(
                "GET",
                "/orders/{order_handle}/resume/download",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            OrderResumeDownload.build,
        )

    def get_result(
        self,
        order_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> OrderResult:
        """Get the result of an order

        404 until the vendor has completed it. A vendor reads the results that it sent. Scope:
        `orders:results:read` (Read the results of orders and their reports.) or `orders:fulfill` (For vendors:
        publish packages, and read and update the orders of your own packages.) Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/orders/{order_handle}/result",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            OrderResult.build,
        )

    def read_report(
        self,
        order_handle: str,
        report_id: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> bytes:
        """Read a report of a result

        The PDF. Each call costs one personal-data unit. Scope: `orders:results:read` (Read the results of
        orders and their reports.) or `orders:fulfill` (For vendors: publish packages, and read and update the
        orders of your own packages.) Rate tier: download. Personal-data values of the response are charged to
        the daily budget and audited.
        """
        return self._bytes(
            Operation(
                "GET",
                "/orders/{order_handle}/reports/{report_id}/content",
                params={"order_handle": order_handle, "report_id": report_id},
                query={"workspace_id": workspace_id},
                binary=True,
                timeout=timeout,
            )
        )

    def cancel(
        self,
        order_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        reason: Union[str, NotGiven] = NOT_GIVEN,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Cancel an order

        It must be open. One that is canceled already is returned unchanged. Scope: `orders:write` (Order checks
        and assessments, and cancel, extend and repeat orders.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/orders/{order_handle}/cancel",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                body={"reason": reason, "expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Order.build,
        )

    def extend(
        self,
        order_handle: str,
        *,
        due_at: Union[str, datetime],
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Set another due date of an order

        The vendor must have accepted it. One that has expired is open again. Scope: `orders:write` (Order
        checks and assessments, and cancel, extend and repeat orders.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/orders/{order_handle}/extend",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                body={"due_at": due_at, "expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Order.build,
        )

    def repeat(
        self,
        order_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Order the same package again

        The order must have ended. The new one is the next `attempt`. Scope: `orders:write` (Order checks and
        assessments, and cancel, extend and repeat orders.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/orders/{order_handle}/repeat",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                body={"expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Order.build,
        )

    def accept(
        self,
        order_handle: str,
        *,
        external_id: str,
        workspace_id: Union[str, None] = None,
        candidate_url: Union[str, NotGiven] = NOT_GIVEN,
        external_url: Union[str, NotGiven] = NOT_GIVEN,
        due_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Accept an order

        The same `external_id` again returns the order unchanged. Scope: `orders:fulfill` (For vendors: publish
        packages, and read and update the orders of your own packages.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/orders/{order_handle}/accept",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                body={
                    "external_id": external_id,
                    "candidate_url": candidate_url,
                    "external_url": external_url,
                    "due_at": due_at,
                    "expected_updated_at": expected_updated_at,
                },
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Order.build,
        )

    def decline(
        self,
        order_handle: str,
        *,
        code: Union[VendorReason, str],
        workspace_id: Union[str, None] = None,
        message: Union[str, NotGiven] = NOT_GIVEN,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Decline an order

        Before you accept it. The same reason again returns the order unchanged. Scope: `orders:fulfill` (For
        vendors: publish packages, and read and update the orders of your own packages.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/orders/{order_handle}/decline",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                body={"code": code, "message": message, "expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Order.build,
        )

    def progress(
        self,
        order_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        started_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        waiting_on: Union[KnownOrderWaitingOn, str, NotGiven] = NOT_GIVEN,
        message: Union[str, NotGiven] = NOT_GIVEN,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Report progress of an order

        The candidate has started, or someone else has to do something. What is left out stays. Scope:
        `orders:fulfill` (For vendors: publish packages, and read and update the orders of your own packages.)
        Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/orders/{order_handle}/progress",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                body={
                    "started_at": started_at,
                    "waiting_on": waiting_on,
                    "message": message,
                    "expected_updated_at": expected_updated_at,
                },
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Order.build,
        )

    def fail(
        self,
        order_handle: str,
        *,
        code: Union[VendorReason, str],
        workspace_id: Union[str, None] = None,
        message: Union[str, NotGiven] = NOT_GIVEN,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Report that an order cannot be carried out

        After you accepted it. The same reason again returns the order unchanged. Scope: `orders:fulfill` (For
        vendors: publish packages, and read and update the orders of your own packages.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/orders/{order_handle}/fail",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                body={"code": code, "message": message, "expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Order.build,
        )

    def create_report_upload(
        self,
        order_handle: str,
        *,
        size_bytes: int,
        content_type: Union[ReportMediaType, str],
        workspace_id: Union[str, None] = None,
        filename: Union[str, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Upload:
        """Reserve the upload of a report

        Then PUT the PDF to `upload.url` with exactly the headers in `upload.headers`, and complete the order
        with its `upload_id`. Scope: `orders:fulfill` (For vendors: publish packages, and read and update the
        orders of your own packages.) Rate tier: expensive.
        """
        return self._one(
            Operation(
                "POST",
                "/orders/{order_handle}/reports",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                body={"filename": filename, "size_bytes": size_bytes, "content_type": content_type},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Upload.build,
        )

    def complete(
        self,
        order_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        external_id: Union[str, NotGiven] = NOT_GIVEN,
        outcome: Union[KnownOrderOutcome, str, NotGiven] = NOT_GIVEN,
        score: Union[ScoreInput, None, NotGiven] = NOT_GIVEN,
        sections: Union[Sequence[CompleteOrderSection], NotGiven] = NOT_GIVEN,
        summary: Union[str, None, NotGiven] = NOT_GIVEN,
        external_url: Union[str, NotGiven] = NOT_GIVEN,
        report_upload_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        completed_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Complete an order with its result

        What you send is the whole result. A different one is the next `revision`; the same again changes
        nothing. Of a background or identity check only the outcome is stored. Nothing is decided by a result.
        Scope: `orders:fulfill` (For vendors: publish packages, and read and update the orders of your own
        packages.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/orders/{order_handle}/complete",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                body={
                    "external_id": external_id,
                    "outcome": outcome,
                    "score": score,
                    "sections": sections,
                    "summary": summary,
                    "external_url": external_url,
                    "report_upload_ids": report_upload_ids,
                    "completed_at": completed_at,
                    "expected_updated_at": expected_updated_at,
                },
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Order.build,
        )


class Uploads(Resource):
    def create(
        self,
        *,
        content_type: Union[ResumeMediaType, str],
        size_bytes: int,
        workspace_id: Union[str, None] = None,
        filename: Union[str, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Upload:
        """Reserve a résumé upload

        Then PUT the file to `upload.url` with exactly the headers in `upload.headers`. Scope:
        `applications:write` (Upload résumés, create applications, move, reject, hire and reopen them.) Rate
        tier: expensive.
        """
        return self._one(
            Operation(
                "POST",
                "/uploads",
                query={"workspace_id": workspace_id},
                body={"content_type": content_type, "size_bytes": size_bytes, "filename": filename},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Upload.build,
        )


class Messages(Resource):
    def send(
        self,
        *,
        to: MessageRecipient,
        subject: str,
        body_text: str,
        workspace_id: Union[str, None] = None,
        body_html: Union[str, NotGiven] = NOT_GIVEN,
        reply_to_user: Union[bool, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Message:
        """Send an email to an applicant

        At most one email is sent per Idempotency-Key. Scope: `messages:send` (Send an email to an applicant.)
        Rate tier: expensive.
        """
        return self._one(
            Operation(
                "POST",
                "/messages",
                query={"workspace_id": workspace_id},
                body={
                    "to": to,
                    "subject": subject,
                    "body_text": body_text,
                    "body_html": body_html,
                    "reply_to_user": reply_to_user,
                },
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Message.build,
        )


class Analytics(Resource):
    def get_hiring_funnel(
        self,
        *,
        applied_after: Union[str, datetime, None] = None,
        applied_before: Union[str, datetime, None] = None,
        job_id: Union[str, None] = None,
        department: Union[str, None] = None,
        source: Union[str, None] = None,
        group_by: Union[KnownFunnelGrouping, str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> HiringFunnel:
        """Get the hiring funnel

        Computed from stage history. It has only counts and no personal data. Scope: `analytics:read` (Read
        aggregate hiring-funnel counts.) Rate tier: expensive.
        """
        return self._one(
            Operation(
                "GET",
                "/analytics/hiring-funnel",
                query={
                    "applied_after": applied_after,
                    "applied_before": applied_before,
                    "job_id": job_id,
                    "department": department,
                    "source": source,
                    "group_by": group_by,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            HiringFunnel.build,
        )


class Exports(Resource):
    def create(
        self,
        *,
        resources: Sequence[Union[KnownExportResource, str]],
        workspace_id: Union[str, None] = None,
        view: Union[ExportView, str, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Export:
        """Start a full export

        Whole resources as files, with their state at one point of the change feed. Needs the read scope of each
        resource. Draft jobs are included. Contact details and résumé texts are never exported. Any valid key.
        Rate tier: expensive.
        """
        return self._one(
            Operation(
                "POST",
                "/exports",
                query={"workspace_id": workspace_id},
                body={"resources": resources, "view": view},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Export.build,
        )

    def get(
        self,
        export_id: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Export:
        """Get an export

        Its progress, and its files (gzipped NDJSON) when it is ready. Each file URL is valid for 300 seconds;
        read the export again for a new one. Any valid key. Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/exports/{export_id}",
                params={"export_id": export_id},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Export.build,
        )


class Test(Resource):
    def reset_workspace(
        self,
        *,
        workspace_id: Union[str, None] = None,
        seed: Union[KnownTestWorkspaceSeed, str, NotGiven] = NOT_GIVEN,
        timeout: Union[float, None] = None,
    ) -> TestReset:
        """Reset a test workspace

        Deletes every record without an event for each, and begins another `epoch` of the change feed, so that
        readers make a full copy. Members, keys, webhook endpoints and settings stay, and sequence numbers go
        on. A second reset waits for the first. Scope: `test:manage` (Reset and fill a test workspace, and read
        its captured emails.) Rate tier: expensive.
        """
        return self._one(
            Operation(
                "POST",
                "/test/reset",
                query={"workspace_id": workspace_id},
                body={"seed": seed},
                timeout=timeout,
            ),
            TestReset.build,
        )

    def seed_workspace(
        self,
        *,
        workspace_id: Union[str, None] = None,
        seed: Union[KnownTestWorkspaceSeed, str, NotGiven] = NOT_GIVEN,
        timeout: Union[float, None] = None,
    ) -> TestSeed:
        """Fill a test workspace

        Adds records to those that are there, with their events. A repeat adds them again. Scope: `test:manage`
        (Reset and fill a test workspace, and read its captured emails.) Rate tier: expensive.
        """
        return self._one(
            Operation(
                "POST",
                "/test/seed",
                query={"workspace_id": workspace_id},
                body={"seed": seed},
                timeout=timeout,
            ),
            TestSeed.build,
        )

    def simulate_event(
        self,
        *,
        event_type: Union[KnownEventType, str],
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> TestEvent:
        """Cause an event in a test workspace

        Performs an operation of the product that an event of this type reports, as `hiring trigger` does, and
        returns the event. Webhook endpoints receive it. The pool is shared with live workspaces: its events
        cannot be caused. Scope: `test:manage` (Reset and fill a test workspace, and read its captured emails.)
        Rate tier: expensive.
        """
        return self._one(
            Operation(
                "POST",
                "/test/simulate",
                query={"workspace_id": workspace_id},
                body={"event_type": event_type},
                timeout=timeout,
            ),
            TestEvent.build,
        )

    def get_clock(
        self,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> TestClock:
        """Get the clock of a test workspace

        After an advance, read it until its `status` is `ready`. Scope: `test:manage` (Reset and fill a test
        workspace, and read its captured emails.) Rate tier: general.
        """
        return self._one(
            Operation(
                "GET",
                "/test/clock",
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            TestClock.build,
        )

    def advance_clock(
        self,
        *,
        workspace_id: Union[str, None] = None,
        to: Union[str, datetime, NotGiven] = NOT_GIVEN,
        by_seconds: Union[int, NotGiven] = NOT_GIVEN,
        timeout: Union[float, None] = None,
    ) -> TestClock:
        """Advance the clock of a test workspace

        Forward only, to a time or by seconds, and at most 400 days ahead of real time. What falls due until
        then is done in the background, in order of time and with its events: reminders and ends of orders,
        access to résumés, the closing of jobs, retention. Nothing else follows the clock: keys, cursors, rate
        limits, signatures and `updated_at` stay on real time. A reset sets it back to real time. Scope:
        `test:manage` (Reset and fill a test workspace, and read its captured emails.) Rate tier: general.
        """
        return self._one(
            Operation(
                "POST",
                "/test/clock/advance",
                query={"workspace_id": workspace_id},
                body={"to": to, "by_seconds": by_seconds},
                timeout=timeout,
            ),
            TestClock.build,
        )

    def list_mails(
        self,
        *,
        to: Union[str, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Pager[TestMail]:
        """List the emails of a test workspace

        Emails to candidates and members, newest first. None of them was sent. Sign-in links and invitations of
        members are sent, and are not in the mailbox. Scope: `test:manage` (Reset and fill a test workspace, and
        read its captured emails.) Rate tier: general.
        """
        return Pager(
            self._client,
            Operation(
                "GET",
                "/test/mailbox",
                query={"to": to, "limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            TestMail.build,
            "cursor",
        )


class Resources:
    """The endpoints of a client, by namespace."""

    meta: Meta
    workspaces: Workspaces
    users: Users
    installations: Installations
    jobs: Jobs
    events: Events
    suppressions: Suppressions
    webhook_endpoints: WebhookEndpoints
    webhook_deliveries: WebhookDeliveries
    projects: Projects
    lists: Lists
    sourced_profiles: SourcedProfiles
    people: People
    pool: Pool
    applications: Applications
    applicants: Applicants
    packages: Packages
    orders: Orders
    uploads: Uploads
    messages: Messages
    analytics: Analytics
    exports: Exports
    test: Test

    def _open(self, client: Any) -> None:
        self.meta = Meta(client)
        self.workspaces = Workspaces(client)
        self.users = Users(client)
        self.installations = Installations(client)
        self.jobs = Jobs(client)
        self.events = Events(client)
        self.suppressions = Suppressions(client)
        self.webhook_endpoints = WebhookEndpoints(client)
        self.webhook_deliveries = WebhookDeliveries(client)
        self.projects = Projects(client)
        self.lists = Lists(client)
        self.sourced_profiles = SourcedProfiles(client)
        self.people = People(client)
        self.pool = Pool(client)
        self.applications = Applications(client)
        self.applicants = Applicants(client)
        self.packages = Packages(client)
        self.orders = Orders(client)
        self.uploads = Uploads(client)
        self.messages = Messages(client)
        self.analytics = Analytics(client)
        self.exports = Exports(client)
        self.test = Test(client)


class AsyncMeta(AsyncResource):
    async def ping(
        self,
        *,
        timeout: Union[float, None] = None,
    ) -> Ping:
        """Check that the service is up

        Returns the API version. Needs no key. Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/ping",
                timeout=timeout,
            ),
            Ping.build,
        )

    def list_versions(
        self,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[ApiVersion]:
        """List API versions

        Needs no key. Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/versions",
                query={"limit": limit, "cursor": cursor},
                timeout=timeout,
            ),
            ApiVersion.build,
            "cursor",
        )

    async def get_openapi(
        self,
        *,
        timeout: Union[float, None] = None,
    ) -> Dict[str, Any]:
        """Get the OpenAPI description

        The description of the running service, with its own URL. Needs no key. Rate tier: general.
        """
        return await self._json(
            Operation(
                "GET",
                "/openapi.json",
                timeout=timeout,
            )
        )

    async def get_me(
        self,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Credential:
        """Get the calling key

        Its scopes, workspaces and limits. Any valid key. Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/me",
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Credential.build,
        )

    def list_my_access(
        self,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[ResourceAccess]:
        """List what the calling key can read

        One row for each resource, with the fields that the key can read. Any valid key. Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/me/access",
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            ResourceAccess.build,
            "cursor",
        )

    def list_personal_data_reads(
        self,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[PersonalDataRead]:
        """List the key's own personal-data reads

        Every personal-data value that the key was shown, newest first. Any valid key. Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/audit/personal-data-reads",
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            PersonalDataRead.build,
            "cursor",
        )

    def list_requests(
        self,
        *,
        request_id: Union[str, None] = None,
        method: Union[Literal["GET", "HEAD", "POST"], str, None] = None,
        route: Union[str, None] = None,
        status: Union[str, None] = None,
        code: Union[KnownErrorCode, str, None] = None,
        created_after: Union[str, datetime, None] = None,
        created_before: Union[str, datetime, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[ApiRequest]:
        """List the key's own calls

        The calls of the last seven days, newest first, also those that were refused. Any valid key. Rate tier:
        general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/requests",
                query={
                    "request_id": request_id,
                    "method": method,
                    "route": route,
                    "status": status,
                    "code": code,
                    "created_after": created_after,
                    "created_before": created_before,
                    "limit": limit,
                    "cursor": cursor,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            ApiRequest.build,
            "cursor",
        )

    async def get_request(
        self,
        request_id: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ApiRequest:
        """Get one of the key's own calls

        Any valid key. Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/requests/{request_id}",
                params={"request_id": request_id},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            ApiRequest.build,
        )


class AsyncWorkspaces(AsyncResource):
    def list(
        self,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[Workspace]:
        """List workspaces

        Those that the key has access to, most recently updated first. Scope: `workspaces:read` (Read the
        workspaces that the key has access to.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/workspaces",
                query={
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            Workspace.build,
            "cursor",
        )

    async def get(
        self,
        workspace_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Workspace:
        """Get a workspace

        Scope: `workspaces:read` (Read the workspaces that the key has access to.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/workspaces/{workspace_handle}",
                params={"workspace_handle": workspace_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Workspace.build,
        )

    def list_users(
        self,
        workspace_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[User]:
        """List the members of a workspace

        All members, on one page. Scope: `users:read` (Read the members of the workspace.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/workspaces/{workspace_handle}/users",
                params={"workspace_handle": workspace_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            User.build,
            "cursor",
        )


class AsyncUsers(AsyncResource):
    async def get(
        self,
        user_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> User:
        """Get a member of the workspace

        Scope: `users:read` (Read the members of the workspace.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/users/{user_handle}",
                params={"user_handle": user_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            User.build,
        )


class AsyncInstallations(AsyncResource):
    def list(
        self,
        *,
        status: Union[InstallationStatus, str, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[Installation]:
        """List the installations of an app

        In every workspace, most recently updated first. Needs a token of the app itself (`client_credentials`).
        Scope: `installations:manage` (List the installations of an app and confirm deletions.) Rate tier:
        general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/installations",
                query={
                    "status": status,
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            Installation.build,
            "cursor",
        )

    async def get(
        self,
        installation_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Installation:
        """Get the installation of the calling key

        A key reads its own installation only. Any valid key. Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/installations/{installation_handle}",
                params={"installation_handle": installation_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Installation.build,
        )

    async def rotate_key(
        self,
        installation_handle: str,
        *,
        client_secret: str,
        workspace_id: Union[str, None] = None,
        overlap_hours: Union[int, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> InstallationKey:
        """Rotate the key of an installation

        Needs the key of the installation and a secret of the app. The previous secret of the key works until
        the overlap ends. Any valid key. Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/installations/{installation_handle}/rotate-key",
                params={"installation_handle": installation_handle},
                query={"workspace_id": workspace_id},
                body={"client_secret": client_secret, "overlap_hours": overlap_hours},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            InstallationKey.build,
        )

    async def uninstall_app(
        self,
        installation_handle: str,
        *,
        client_secret: str,
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Installation:
        """Uninstall the app from the workspace

        Needs the key of the installation and a secret of the app. The key ends with this call. Delete your
        copies before `delete_by`, and confirm it. Any valid key. Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/installations/{installation_handle}/uninstall",
                params={"installation_handle": installation_handle},
                query={"workspace_id": workspace_id},
                body={"client_secret": client_secret},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Installation.build,
        )

    async def confirm_deletion(
        self,
        installation_handle: str,
        *,
        deleted_at: Union[str, datetime],
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Installation:
        """Confirm that you deleted the data of an ended installation

        Needs a token of the app itself (`client_credentials`). The console of the workspace shows the
        confirmation; the first one counts. Scope: `installations:manage` (List the installations of an app and
        confirm deletions.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/installations/{installation_handle}/confirm-deletion",
                params={"installation_handle": installation_handle},
                query={"workspace_id": workspace_id},
                body={"deleted_at": deleted_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Installation.build,
        )


class AsyncJobs(AsyncResource):
    def list(
        self,
        *,
        status: Union[KnownJobStatus, str, Sequence[Union[KnownJobStatus, str]], None] = None,
        include_unpublished: Union[bool, None] = None,
        department: Union[str, None] = None,
        location_type: Union[LocationType, str, None] = None,
        employment_type: Union[EmploymentType, str, None] = None,
        q: Union[str, None] = None,
        published_after: Union[str, datetime, None] = None,
        published_before: Union[str, datetime, None] = None,
        source_system: Union[str, None] = None,
        external_id: Union[str, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        sort: Union[Literal["updated_at", "relevance"], str, None] = None,
        include: Union[Literal["pipeline_stages"], str, Sequence[Union[Literal["pipeline_stages"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[JobSummary]:
        """List jobs

        Most recently updated first. By default only published and closed jobs. Scope: `jobs:read` (Read jobs,
        their sections, stages and application forms.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/jobs",
                query={
                    "status": status,
                    "include_unpublished": include_unpublished,
                    "department": department,
                    "location_type": location_type,
                    "employment_type": employment_type,
                    "q": q,
                    "published_after": published_after,
                    "published_before": published_before,
                    "source_system": source_system,
                    "external_id": external_id,
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "sort": sort,
                    "include": include,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            JobSummary.build,
            "cursor",
        )

    async def push(
        self,
        *,
        source: PushJobSource,
        title: str,
        workspace_id: Union[str, None] = None,
        department: Union[str, None, NotGiven] = NOT_GIVEN,
        team: Union[str, None, NotGiven] = NOT_GIVEN,
        employment_type: Union[EmploymentType, str, None, NotGiven] = NOT_GIVEN,
        location_type: Union[LocationType, str, None, NotGiven] = NOT_GIVEN,
        locations: Union[Sequence[str], None, NotGiven] = NOT_GIVEN,
        experience_level: Union[ExperienceLevel, str, None, NotGiven] = NOT_GIVEN,
        years_min: Union[float, None, NotGiven] = NOT_GIVEN,
        years_max: Union[float, None, NotGiven] = NOT_GIVEN,
        language: Union[str, None, NotGiven] = NOT_GIVEN,
        content: Union[PushJobContent, None, NotGiven] = NOT_GIVEN,
        compensation: Union[PushJobCompensation, None, NotGiven] = NOT_GIVEN,
        accept_applications: Union[bool, None, NotGiven] = NOT_GIVEN,
        publish: Union[bool, NotGiven] = NOT_GIVEN,
        status: Union[Literal["closed"], NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Job:
        """Create or update a job of your system

        Your `source.external_id` identifies it. Omitted fields keep their values; null clears a field. The
        fields are stored even if the requested publishing or closing fails. Scope: `jobs:write` (Push jobs from
        a partner system.) Rate tier: expensive.
        """
        return await self._one(
            Operation(
                "POST",
                "/jobs",
                query={"workspace_id": workspace_id},
                body={
                    "source": source,
                    "title": title,
                    "department": department,
                    "team": team,
                    "employment_type": employment_type,
                    "location_type": location_type,
                    "locations": locations,
                    "experience_level": experience_level,
                    "years_min": years_min,
                    "years_max": years_max,
                    "language": language,
                    "content": content,
                    "compensation": compensation,
                    "accept_applications": accept_applications,
                    "publish": publish,
                    "status": status,
                },
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Job.build,
        )

    async def get(
        self,
        job_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Job:
        """Get a job

        With its content. Scope: `jobs:read` (Read jobs, their sections, stages and application forms.) Rate
        tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/jobs/{job_handle}",
                params={"job_handle": job_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Job.build,
        )

    async def get_by_slug(
        self,
        slug: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Job:
        """Get a job by its slug

        With its content. Scope: `jobs:read` (Read jobs, their sections, stages and application forms.) Rate
        tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/jobs/by-slug/{slug}",
                params={"slug": slug},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Job.build,
        )

    async def get_sections(
        self,
        job_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> JobSections:
        """Get a job with all of its sections

        The job with its stages, application form and pre-screen questions. Scope: `jobs:read` (Read jobs, their
        sections, stages and application forms.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/jobs/{job_handle}/sections",
                params={"job_handle": job_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            JobSections.build,
        )

    def list_pipeline_stages(
        self,
        job_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[PipelineStage]:
        """List the stages of a job

        In pipeline order. Scope: `jobs:read` (Read jobs, their sections, stages and application forms.) Rate
        tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/jobs/{job_handle}/pipeline-stages",
                params={"job_handle": job_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            PipelineStage.build,
            "cursor",
        )

    async def get_application_form(
        self,
        job_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ApplicationForm:
        """Get the application form of a job

        Scope: `jobs:read` (Read jobs, their sections, stages and application forms.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/jobs/{job_handle}/application-form",
                params={"job_handle": job_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            ApplicationForm.build,
        )

    async def get_prescreen_questions(
        self,
        job_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> PrescreenQuestions:
        """Get the phone pre-screen questions of a job

        Scope: `jobs:screening:read` (Read pre-screen questions and the phone code of a job.) Rate tier:
        general.
        """
        return await self._one(
            Operation(
                "GET",
                "/jobs/{job_handle}/prescreen-questions",
                params={"job_handle": job_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            PrescreenQuestions.build,
        )

    async def get_publish_readiness(
        self,
        job_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> PublishReadiness:
        """Check whether a job can be published

        What is missing, and suggestions for improvement. Scope: `jobs:read` (Read jobs, their sections, stages
        and application forms.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/jobs/{job_handle}/publish-readiness",
                params={"job_handle": job_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            PublishReadiness.build,
        )

    async def publish(
        self,
        job_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Job:
        """Publish a draft

        A job that is already published does not change. Scope: `jobs:manage` (Publish, unpublish, close and
        reopen any job of the workspace.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/jobs/{job_handle}/publish",
                params={"job_handle": job_handle},
                query={"workspace_id": workspace_id},
                body={"expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Job.build,
        )

    async def unpublish(
        self,
        job_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Job:
        """Unpublish a job

        The job becomes a draft again. Scope: `jobs:manage` (Publish, unpublish, close and reopen any job of the
        workspace.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/jobs/{job_handle}/unpublish",
                params={"job_handle": job_handle},
                query={"workspace_id": workspace_id},
                body={"expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Job.build,
        )

    async def close(
        self,
        job_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Job:
        """Close a published job

        Scope: `jobs:manage` (Publish, unpublish, close and reopen any job of the workspace.) Rate tier:
        general.
        """
        return await self._one(
            Operation(
                "POST",
                "/jobs/{job_handle}/close",
                params={"job_handle": job_handle},
                query={"workspace_id": workspace_id},
                body={"expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Job.build,
        )

    async def reopen(
        self,
        job_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Job:
        """Publish a closed job again

        Scope: `jobs:manage` (Publish, unpublish, close and reopen any job of the workspace.) Rate tier:
        general.
        """
        return await self._one(
            Operation(
                "POST",
                "/jobs/{job_handle}/reopen",
                params={"job_handle": job_handle},
                query={"workspace_id": workspace_id},
                body={"expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Job.build,
        )

    def list_applications(
        self,
        job_handle: str,
        *,
        status: Union[ApplicationStatus, str, Sequence[Union[ApplicationStatus, str]], None] = None,
        stage_id: Union[str, None] = None,
        applied_after: Union[str, datetime, None] = None,
        source_system: Union[str, None] = None,
        external_id: Union[str, None] = None,
        min_score: Union[int, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        sort: Union[Literal["updated_at", "applied_at", "score"], str, None] = None,
        include: Union[Literal["applicant", "score", "job", "stage", "orders"], str, Sequence[Union[Literal["applicant", "score", "job", "stage", "orders"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[Application]:
        """List the applications for a job

        Most recently updated first. Scope: `applications:read` (Read applications, their stage, status and
        match score.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/jobs/{job_handle}/applications",
                params={"job_handle": job_handle},
                query={
                    "status": status,
                    "stage_id": stage_id,
                    "applied_after": applied_after,
                    "source_system": source_system,
                    "external_id": external_id,
                    "min_score": min_score,
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "sort": sort,
                    "include": include,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            Application.build,
            "cursor",
        )


class AsyncEvents(AsyncResource):
    def list(
        self,
        *,
        after: Union[int, None] = None,
        type: Union[KnownEventType, str, Sequence[Union[KnownEventType, str]], None] = None,
        exclude_origin: Union[ExcludedOrigin, str, None] = None,
        limit: Union[int, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[Event]:
        """Read the change feed

        Every change in the workspace that the key can read, oldest first. Each workspace has its own log and
        its own sequence numbers. Scope: `events:read` (Read the change feed and erasure notices.) Rate tier:
        general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/events",
                query={
                    "after": after,
                    "type": type,
                    "exclude_origin": exclude_origin,
                    "limit": limit,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            _EventUnion.build,
            "after",
        )

    async def get(
        self,
        event_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Event:
        """Get an event

        Scope: `events:read` (Read the change feed and erasure notices.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/events/{event_handle}",
                params={"event_handle": event_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            _EventUnion.build,
        )


class AsyncSuppressions(AsyncResource):
    def list(
        self,
        *,
        after: Union[int, None] = None,
        limit: Union[int, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[Suppression]:
        """List erasure notices

        Notices about people whose data must no longer be processed, oldest first. Unlike events, they never
        expire. A key that has only the scopes of vendors besides `events:read` gets the notices that name its
        orders, with these alone. Scope: `events:read` (Read the change feed and erasure notices.) Rate tier:
        general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/suppressions",
                query={"after": after, "limit": limit, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            Suppression.build,
            "after",
        )

    async def acknowledge(
        self,
        suppression_id: str,
        *,
        deleted_at: Union[str, datetime],
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> SuppressionAcknowledgement:
        """Confirm that you deleted your copies

        The notice names the records. A repeated call replaces the time. The only write without a write scope:
        every key that reads notices can confirm them. Scope: `events:read` (Read the change feed and erasure
        notices.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/suppressions/{suppression_id}/acknowledge",
                params={"suppression_id": suppression_id},
                query={"workspace_id": workspace_id},
                body={"deleted_at": deleted_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            SuppressionAcknowledgement.build,
        )


class AsyncWebhookEndpoints(AsyncResource):
    def list(
        self,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[WebhookEndpoint]:
        """List webhook endpoints

        Endpoints of the calling key, newest first. For the token of an app: its own, and with `workspace_id`
        the one of its installation there. Scope: `webhooks:read` (Read webhook endpoints and the delivery log.)
        Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/webhooks/endpoints",
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            WebhookEndpoint.build,
            "cursor",
        )

    async def create(
        self,
        *,
        url: str,
        event_types: Sequence[Union[KnownEventType, str]],
        workspace_id: Union[str, None] = None,
        description: Union[str, None, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookEndpoint:
        """Register a webhook endpoint

        The signing secret is shown only once. Scope: `webhooks:write` (Register and manage webhook endpoints.)
        Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/webhooks/endpoints",
                query={"workspace_id": workspace_id},
                body={"url": url, "event_types": event_types, "description": description},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            WebhookEndpoint.build,
        )

    async def get(
        self,
        endpoint_id: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookEndpoint:
        """Get a webhook endpoint

        An endpoint of the calling key. Scope: `webhooks:read` (Read webhook endpoints and the delivery log.)
        Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/webhooks/endpoints/{endpoint_id}",
                params={"endpoint_id": endpoint_id},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            WebhookEndpoint.build,
        )

    async def update(
        self,
        endpoint_id: str,
        *,
        workspace_id: Union[str, None] = None,
        url: Union[str, NotGiven] = NOT_GIVEN,
        event_types: Union[Sequence[Union[KnownEventType, str]], NotGiven] = NOT_GIVEN,
        description: Union[str, None, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookEndpoint:
        """Update a webhook endpoint

        Its URL, event types or description. Scope: `webhooks:write` (Register and manage webhook endpoints.)
        Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/webhooks/endpoints/{endpoint_id}",
                params={"endpoint_id": endpoint_id},
                query={"workspace_id": workspace_id},
                body={"url": url, "event_types": event_types, "description": description},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            WebhookEndpoint.build,
        )

    async def rotate_secret(
        self,
        endpoint_id: str,
        *,
        workspace_id: Union[str, None] = None,
        overlap_seconds: Union[int, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookEndpoint:
        """Rotate the signing secret

        The new secret is shown only once. Deliveries are also signed with the previous secret until the overlap
        ends. Scope: `webhooks:write` (Register and manage webhook endpoints.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/webhooks/endpoints/{endpoint_id}/rotate-secret",
                params={"endpoint_id": endpoint_id},
                query={"workspace_id": workspace_id},
                body={"overlap_seconds": overlap_seconds},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            WebhookEndpoint.build,
        )

    async def disable(
        self,
        endpoint_id: str,
        *,
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookEndpoint:
        """Disable a webhook endpoint

        Its pending deliveries are canceled. Scope: `webhooks:write` (Register and manage webhook endpoints.)
        Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/webhooks/endpoints/{endpoint_id}/disable",
                params={"endpoint_id": endpoint_id},
                query={"workspace_id": workspace_id},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            WebhookEndpoint.build,
        )

    async def enable(
        self,
        endpoint_id: str,
        *,
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookEndpoint:
        """Enable a webhook endpoint

        New events are delivered again. Its URL is checked and its failure count is reset. Scope:
        `webhooks:write` (Register and manage webhook endpoints.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/webhooks/endpoints/{endpoint_id}/enable",
                params={"endpoint_id": endpoint_id},
                query={"workspace_id": workspace_id},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            WebhookEndpoint.build,
        )

    async def test(
        self,
        endpoint_id: str,
        *,
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookDelivery:
        """Send a ping to a webhook endpoint

        Queues a `ping` to the endpoint, with one attempt. The delivery log has the result, even if the URL
        cannot be reached. At most 10 a minute for a workspace. Scope: `webhooks:write` (Register and manage
        webhook endpoints.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/webhooks/endpoints/{endpoint_id}/test",
                params={"endpoint_id": endpoint_id},
                query={"workspace_id": workspace_id},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            WebhookDelivery.build,
        )

    async def recover(
        self,
        endpoint_id: str,
        *,
        after: int,
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookRecovery:
        """Deliver missed events again

        Queues every event after a sequence that the endpoint subscribes to and has not acknowledged. At most 30
        a minute for a workspace. Scope: `webhooks:write` (Register and manage webhook endpoints.) Rate tier:
        general.
        """
        return await self._one(
            Operation(
                "POST",
                "/webhooks/endpoints/{endpoint_id}/recover",
                params={"endpoint_id": endpoint_id},
                query={"workspace_id": workspace_id},
                body={"after": after},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            WebhookRecovery.build,
        )


class AsyncWebhookDeliveries(AsyncResource):
    def list(
        self,
        *,
        endpoint_id: Union[str, None] = None,
        event_id: Union[str, None] = None,
        event_type: Union[KnownDeliveredType, str, None] = None,
        status: Union[KnownDeliveryStatus, str, Sequence[Union[KnownDeliveryStatus, str]], None] = None,
        response_status: Union[str, None] = None,
        created_after: Union[str, datetime, None] = None,
        created_before: Union[str, datetime, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[WebhookDelivery]:
        """List webhook deliveries

        The delivery log of the calling key's endpoints, newest first. Scope: `webhooks:read` (Read webhook
        endpoints and the delivery log.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/webhooks/deliveries",
                query={
                    "endpoint_id": endpoint_id,
                    "event_id": event_id,
                    "event_type": event_type,
                    "status": status,
                    "response_status": response_status,
                    "created_after": created_after,
                    "created_before": created_before,
                    "limit": limit,
                    "cursor": cursor,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            WebhookDelivery.build,
            "cursor",
        )

    async def get(
        self,
        delivery_id: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookDelivery:
        """Get a webhook delivery

        The delivery with its attempts. Scope: `webhooks:read` (Read webhook endpoints and the delivery log.)
        Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/webhooks/deliveries/{delivery_id}",
                params={"delivery_id": delivery_id},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            WebhookDelivery.build,
        )

    async def redeliver(
        self,
        delivery_id: str,
        *,
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> WebhookDelivery:
        """Deliver an event again

        A new delivery with one attempt. At most 20 a minute for a workspace; for more, recover the endpoint.
        Scope: `webhooks:write` (Register and manage webhook endpoints.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/webhooks/deliveries/{delivery_id}/redeliver",
                params={"delivery_id": delivery_id},
                query={"workspace_id": workspace_id},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            WebhookDelivery.build,
        )


class AsyncProjects(AsyncResource):
    def list(
        self,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[Project]:
        """List projects

        Most recently updated first. Scope: `lists:read` (Read projects, candidate lists and their members.)
        Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/projects",
                query={
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            Project.build,
            "cursor",
        )

    async def get(
        self,
        project_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Project:
        """Get a project

        Scope: `lists:read` (Read projects, candidate lists and their members.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/projects/{project_handle}",
                params={"project_handle": project_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Project.build,
        )

    def list_lists(
        self,
        project_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[CandidateList]:
        """List the candidate lists of a project

        Most recently updated first. Scope: `lists:read` (Read projects, candidate lists and their members.)
        Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/projects/{project_handle}/lists",
                params={"project_handle": project_handle},
                query={
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            CandidateList.build,
            "cursor",
        )


class AsyncLists(AsyncResource):
    def list(
        self,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[CandidateList]:
        """List candidate lists

        All lists, including those without a project, most recently updated first. Scope: `lists:read` (Read
        projects, candidate lists and their members.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/lists",
                query={
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            CandidateList.build,
            "cursor",
        )

    async def create(
        self,
        *,
        name: str,
        workspace_id: Union[str, None] = None,
        description: Union[str, None, NotGiven] = NOT_GIVEN,
        project_id: Union[str, None, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> CandidateList:
        """Create a candidate list

        It is in the oldest project by default. Names do not have to be unique. Scope: `lists:write` (Create
        candidate lists, add members and set their stage.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/lists",
                query={"workspace_id": workspace_id},
                body={"name": name, "description": description, "project_id": project_id},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            CandidateList.build,
        )

    async def get(
        self,
        list_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> CandidateList:
        """Get a candidate list

        Scope: `lists:read` (Read projects, candidate lists and their members.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/lists/{list_handle}",
                params={"list_handle": list_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            CandidateList.build,
        )

    def list_members(
        self,
        list_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        include: Union[Literal["sourced_profile"], str, Sequence[Union[Literal["sourced_profile"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[ListMembership]:
        """List the members of a candidate list

        In the order they were added. Scope: `lists:read` (Read projects, candidate lists and their members.)
        Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/lists/{list_handle}/members",
                params={"list_handle": list_handle},
                query={"limit": limit, "cursor": cursor, "include": include, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            ListMembership.build,
            "cursor",
        )

    async def add_members(
        self,
        list_handle: str,
        *,
        members: Sequence[ListMember],
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ListMemberBatch:
        """Add members to a candidate list

        Members are sourced profiles. The call always succeeds; each item has its own status. Scope:
        `lists:write` (Create candidate lists, add members and set their stage.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/lists/{list_handle}/members",
                params={"list_handle": list_handle},
                query={"workspace_id": workspace_id},
                body={"members": members},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            ListMemberBatch.build,
        )

    async def set_member_stage(
        self,
        list_handle: str,
        member_handle: str,
        *,
        stage: str,
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ListMembership:
        """Set the stage of a list member

        A stage key, `none`, or a custom label that the list already uses. Scope: `lists:write` (Create
        candidate lists, add members and set their stage.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/lists/{list_handle}/members/{member_handle}/stage",
                params={"list_handle": list_handle, "member_handle": member_handle},
                query={"workspace_id": workspace_id},
                body={"stage": stage},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            ListMembership.build,
        )


class AsyncSourcedProfiles(AsyncResource):
    def list_memberships(
        self,
        profile_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[ListMembership]:
        """List the candidate lists of a sourced profile

        In the order it was added to them. Scope: `lists:read` (Read projects, candidate lists and their
        members.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/sourced-profiles/{profile_handle}/list-memberships",
                params={"profile_handle": profile_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            ListMembership.build,
            "cursor",
        )

    def list(
        self,
        *,
        origin: Union[str, None] = None,
        has_contact_info: Union[bool, None] = None,
        q: Union[str, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        sort: Union[Literal["updated_at", "relevance"], str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[SourcedProfile]:
        """List sourced profiles

        Candidates that the workspace found and saved, most recently updated first. Scope:
        `sourced_profiles:read` (Read candidates that the workspace found and saved.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/sourced-profiles",
                query={
                    "origin": origin,
                    "has_contact_info": has_contact_info,
                    "q": q,
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "sort": sort,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            SourcedProfile.build,
            "cursor",
        )

    async def get(
        self,
        profile_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> SourcedProfile:
        """Get a sourced profile

        Scope: `sourced_profiles:read` (Read candidates that the workspace found and saved.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/sourced-profiles/{profile_handle}",
                params={"profile_handle": profile_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            SourcedProfile.build,
        )

    def list_attachments(
        self,
        profile_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[Attachment]:
        """List the files of a sourced profile

        Files that the key cannot download have `readable: false`. Scope: `attachments:read` (List files
        attached to sourced profiles and download their photos.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/sourced-profiles/{profile_handle}/attachments",
                params={"profile_handle": profile_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            Attachment.build,
            "cursor",
        )

    async def download_attachment(
        self,
        profile_handle: str,
        kind: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> bytes:
        """Download a file of a sourced profile

        Needs the scope of the type of the file in addition to attachments:read, and costs one personal-data
        unit. Scope: `attachments:read` (List files attached to sourced profiles and download their photos.)
        Rate tier: download. Personal-data values of the response are charged to the daily budget and audited.
        """
        return await self._bytes(
            Operation(
                "GET",
                "/sourced-profiles/{profile_handle}/attachments/{kind}/content",
                params={"profile_handle": profile_handle, "kind": kind},
                query={"workspace_id": workspace_id},
                binary=True,
                timeout=timeout,
            )
        )

    async def get_contact_info(
        self,
        profile_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ContactInfo:
        """Get the contact details of a sourced profile

        Contact details that the workspace has already revealed. Scope: `contact:read` (Read email addresses
        that the workspace already has.) Rate tier: general. Personal-data values of the response are charged to
        the daily budget and audited.
        """
        return await self._one(
            Operation(
                "GET",
                "/sourced-profiles/{profile_handle}/contact-info",
                params={"profile_handle": profile_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            ContactInfo.build,
        )


class AsyncPeople(AsyncResource):
    async def resolve(
        self,
        *,
        email: Union[str, None] = None,
        linkedin_url: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Person:
        """Find a person by email address or LinkedIn URL

        Searches the records that the key can read. Scope: `people:resolve` (Find a person by email address or
        LinkedIn URL.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/people/resolve",
                query={"email": email, "linkedin_url": linkedin_url, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            Person.build,
        )

    async def resolve_batch(
        self,
        *,
        keys: Sequence[ResolvePeopleKey],
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Page[Resolution]:
        """Find up to 100 people

        Returns one row for each identifier, in the order of the request. Scope: `people:resolve` (Find a person
        by email address or LinkedIn URL.) Rate tier: expensive.
        """
        return await self._page(
            Operation(
                "POST",
                "/people/resolve:batch",
                query={"workspace_id": workspace_id},
                body={"keys": keys},
                timeout=timeout,
            ),
            Resolution.build,
        )

    async def get(
        self,
        person_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Person:
        """Get a person

        The same object as from resolve, by handle. Scope: `people:resolve` (Find a person by email address or
        LinkedIn URL.) Rate tier: general. Personal-data values of the response are charged to the daily budget
        and audited.
        """
        return await self._one(
            Operation(
                "GET",
                "/people/{person_handle}",
                params={"person_handle": person_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Person.build,
        )

    def list_profiles(
        self,
        person_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[ProfilePointer]:
        """List the records of a person

        Only handles and links. Scope: `people:resolve` (Find a person by email address or LinkedIn URL.) Rate
        tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/people/{person_handle}/profiles",
                params={"person_handle": person_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            ProfilePointer.build,
            "cursor",
        )

    def list_applications(
        self,
        person_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        include: Union[Literal["applicant", "score", "job", "stage", "orders"], str, Sequence[Union[Literal["applicant", "score", "job", "stage", "orders"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[Application]:
        """List the applications of a person

        From applicants that are an exact match, most recently updated first. Scope: `applications:read` (Read
        applications, their stage, status and match score.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/people/{person_handle}/applications",
                params={"person_handle": person_handle},
                query={
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "include": include,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            Application.build,
            "cursor",
        )

    def list_resumes(
        self,
        person_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[ResumeSummary]:
        """List the résumés of a person

        From applicants that are an exact match, one per application, newest first. Scope: `resume:read` (Read
        résumé details and the parsed profile.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/people/{person_handle}/resumes",
                params={"person_handle": person_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            ResumeSummary.build,
            "cursor",
        )

    async def get_contact_info(
        self,
        person_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ContactInfo:
        """Get the contact details of a person

        From applicants and sourced profiles that are an exact match. Each value is listed once. Scope:
        `contact:read` (Read email addresses that the workspace already has.) Rate tier: general. Personal-data
        values of the response are charged to the daily budget and audited.
        """
        return await self._one(
            Operation(
                "GET",
                "/people/{person_handle}/contact-info",
                params={"person_handle": person_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            ContactInfo.build,
        )


class AsyncPool(AsyncResource):
    def list_profiles(
        self,
        *,
        country: Union[str, None] = None,
        company: Union[str, None] = None,
        title: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[PoolProfile]:
        """List profiles of the shared pool

        Public professional profiles, most recently seen first. Scope: `pool:read` (Read profiles of the shared
        pool.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/pool/profiles",
                query={
                    "country": country,
                    "company": company,
                    "title": title,
                    "updated_after": updated_after,
                    "limit": limit,
                    "cursor": cursor,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            PoolProfile.build,
            "cursor",
        )

    async def get_profile(
        self,
        profile_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> PoolProfile:
        """Get a profile of the shared pool

        Scope: `pool:read` (Read profiles of the shared pool.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/pool/profiles/{profile_handle}",
                params={"profile_handle": profile_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            PoolProfile.build,
        )

    async def search(
        self,
        *,
        workspace_id: Union[str, None] = None,
        query: Union[str, NotGiven] = NOT_GIVEN,
        terms: Union[SearchPoolTerms, NotGiven] = NOT_GIVEN,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        timeout: Union[float, None] = None,
    ) -> Page[PoolProfile]:
        """Search the shared pool

        Best matches first. Word order, word endings and accents do not matter; small misspellings and common
        synonyms match too. Does not cost personal-data units. Scope: `pool:search` (Search the shared pool.)
        Rate tier: expensive.
        """
        return await self._page(
            Operation(
                "POST",
                "/pool/search",
                query={"workspace_id": workspace_id},
                body={"query": query, "terms": terms, "limit": limit},
                timeout=timeout,
            ),
            PoolProfile.build,
        )


class AsyncApplications(AsyncResource):
    def list(
        self,
        *,
        job_id: Union[str, None] = None,
        applicant_id: Union[str, None] = None,
        status: Union[ApplicationStatus, str, Sequence[Union[ApplicationStatus, str]], None] = None,
        stage_id: Union[str, None] = None,
        applied_after: Union[str, datetime, None] = None,
        source_system: Union[str, None] = None,
        external_id: Union[str, None] = None,
        min_score: Union[int, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        sort: Union[Literal["updated_at", "applied_at", "score"], str, None] = None,
        include: Union[Literal["applicant", "score", "job", "stage", "orders"], str, Sequence[Union[Literal["applicant", "score", "job", "stage", "orders"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[Application]:
        """List applications

        Most recently updated first. Scope: `applications:read` (Read applications, their stage, status and
        match score.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/applications",
                query={
                    "job_id": job_id,
                    "applicant_id": applicant_id,
                    "status": status,
                    "stage_id": stage_id,
                    "applied_after": applied_after,
                    "source_system": source_system,
                    "external_id": external_id,
                    "min_score": min_score,
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "sort": sort,
                    "include": include,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            Application.build,
            "cursor",
        )

    async def create(
        self,
        *,
        job_id: str,
        candidate: CreateApplicationCandidate,
        source: CreateApplicationSource,
        workspace_id: Union[str, None] = None,
        resume_upload_id: Union[str, NotGiven] = NOT_GIVEN,
        answers: Union[Sequence[CreateApplicationAnswer], NotGiven] = NOT_GIVEN,
        stage_id: Union[str, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Application:
        """Create an application

        Returns the existing one of the same person or external id for the job, if there is one. No email is
        sent and no consent is recorded. Scope: `applications:write` (Upload résumés, create applications, move,
        reject, hire and reopen them.) Rate tier: expensive.
        """
        return await self._one(
            Operation(
                "POST",
                "/applications",
                query={"workspace_id": workspace_id},
                body={
                    "job_id": job_id,
                    "candidate": candidate,
                    "resume_upload_id": resume_upload_id,
                    "source": source,
                    "answers": answers,
                    "stage_id": stage_id,
                },
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Application.build,
        )

    async def get(
        self,
        application_handle: str,
        *,
        include: Union[Literal["applicant", "score", "job", "stage", "orders"], str, Sequence[Union[Literal["applicant", "score", "job", "stage", "orders"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Application:
        """Get an application

        With `resume_access` if it has a résumé. Scope: `applications:read` (Read applications, their stage,
        status and match score.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/applications/{application_handle}",
                params={"application_handle": application_handle},
                query={"include": include, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            Application.build,
        )

    async def get_answers(
        self,
        application_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ApplicationAnswers:
        """Get the answers of a candidate

        The answers to the application form, keyed by field id. Scope: `applications:answers:read` (Read the
        answers that candidates gave on application forms.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/applications/{application_handle}/answers",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            ApplicationAnswers.build,
        )

    async def get_score(
        self,
        application_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ApplicationScore:
        """Get the match score of an application

        How well the résumé matches the job; 404 until it is scored. Scope: `applications:read` (Read
        applications, their stage, status and match score.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/applications/{application_handle}/score",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            ApplicationScore.build,
        )

    async def get_screening(
        self,
        application_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Screening:
        """Get the phone pre-screen of an application

        Whether a phone pre-screen took place and how it went. Scope: `screening:metadata:read` (Read whether a
        phone pre-screen took place and how it went, never what was said.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/applications/{application_handle}/screening",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Screening.build,
        )

    def list_stage_transitions(
        self,
        application_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[StageTransition]:
        """List the stage history of an application

        Oldest first. Scope: `applications:internal:read` (Read rejection reasons, score rationale, stage
        history, notes and scorecards.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/applications/{application_handle}/stage-transitions",
                params={"application_handle": application_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            StageTransition.build,
            "cursor",
        )

    def list_notes(
        self,
        application_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[Note]:
        """List the notes on an application

        Newest first. Scope: `applications:internal:read` (Read rejection reasons, score rationale, stage
        history, notes and scorecards.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/applications/{application_handle}/notes",
                params={"application_handle": application_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            Note.build,
            "cursor",
        )

    async def create_note(
        self,
        application_handle: str,
        *,
        body: str,
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Note:
        """Add a note to an application

        A note for the hiring team. Scope: `notes:write` (Add notes to applications.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/applications/{application_handle}/notes",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                body={"body": body},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Note.build,
        )

    def list_scorecards(
        self,
        application_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[Scorecard]:
        """List the scorecards of an application

        Newest first. Scope: `applications:internal:read` (Read rejection reasons, score rationale, stage
        history, notes and scorecards.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/applications/{application_handle}/scorecards",
                params={"application_handle": application_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            Scorecard.build,
            "cursor",
        )

    async def create_scorecard(
        self,
        application_handle: str,
        *,
        recommendation: Union[KnownRecommendation, str],
        workspace_id: Union[str, None] = None,
        summary: Union[str, NotGiven] = NOT_GIVEN,
        stage_id: Union[str, NotGiven] = NOT_GIVEN,
        ratings: Union[Sequence[CreateScorecardRating], NotGiven] = NOT_GIVEN,
        interviewed_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        report_url: Union[str, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Scorecard:
        """Add a scorecard to an application

        The scorecard of an interviewer. Scope: `scorecards:write` (Add scorecards to applications.) Rate tier:
        general.
        """
        return await self._one(
            Operation(
                "POST",
                "/applications/{application_handle}/scorecards",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                body={
                    "recommendation": recommendation,
                    "summary": summary,
                    "stage_id": stage_id,
                    "ratings": ratings,
                    "interviewed_at": interviewed_at,
                    "report_url": report_url,
                },
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Scorecard.build,
        )

    async def move(
        self,
        application_handle: str,
        *,
        stage_id: str,
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Application:
        """Move an application to another stage

        The stage must be one of its job. The status does not change. Scope: `applications:write` (Upload
        résumés, create applications, move, reject, hire and reopen them.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/applications/{application_handle}/move",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                body={"stage_id": stage_id, "expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Application.build,
        )

    async def reject(
        self,
        application_handle: str,
        *,
        reason: str,
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Application:
        """Reject an application

        It must be open. The reason stays in the workspace; the candidate is not notified. Scope:
        `applications:write` (Upload résumés, create applications, move, reject, hire and reopen them.) Rate
        tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/applications/{application_handle}/reject",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                body={"reason": reason, "expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Application.build,
        )

    async def hire(
        self,
        application_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Application:
        """Hire an applicant

        The application must be open (`new`, `in_review` or `advanced`). It moves to the job’s first stage of
        type `hired`, if the job has one. Scope: `applications:write` (Upload résumés, create applications,
        move, reject, hire and reopen them.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/applications/{application_handle}/hire",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                body={"expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Application.build,
        )

    async def reopen(
        self,
        application_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Application:
        """Reopen an application

        It must be rejected. It returns to review in its previous stage. Scope: `applications:write` (Upload
        résumés, create applications, move, reject, hire and reopen them.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/applications/{application_handle}/reopen",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                body={"expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Application.build,
        )

    def list_interviews(
        self,
        application_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[Interview]:
        """List the interviews of an application

        Newest first. Interviews are planned by people in the product; no endpoint changes them. Scope:
        `applications:read` (Read applications, their stage, status and match score.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/applications/{application_handle}/interviews",
                params={"application_handle": application_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            Interview.build,
            "cursor",
        )

    def list_orders(
        self,
        application_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[OrderSummary]:
        """List the orders for an application

        Newest first. Scope: `orders:read` (Read every order of the workspace, without results.) Rate tier:
        general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/applications/{application_handle}/orders",
                params={"application_handle": application_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            OrderSummary.build,
            "cursor",
        )

    async def get_resume(
        self,
        application_handle: str,
        *,
        raw_text: Union[bool, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Resume:
        """Get the résumé of an application

        The résumé with its parsed profile. The full text costs one personal-data unit; `raw_text=false` leaves
        it out. Scope: `resume:read` (Read résumé details and the parsed profile.) Rate tier: general.
        Personal-data values of the response are charged to the daily budget and audited.
        """
        return await self._one(
            Operation(
                "GET",
                "/applications/{application_handle}/resume",
                params={"application_handle": application_handle},
                query={"raw_text": raw_text, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            Resume.build,
        )

    async def get_resume_download(
        self,
        application_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ResumeDownload:
        """Get a download URL of a résumé

        A signed URL of the résumé file, valid for 300 seconds. Each call costs one personal-data unit. Scope:
        `resume:download` (Download résumé files.) Rate tier: download. Personal-data values of the response are
        charged to the daily budget and audited.
        """
        return await self._one(
            Operation(
                "GET",
                "/applications/{application_handle}/resume/download",
                params={"application_handle": application_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            ResumeDownload.build,
        )


class AsyncApplicants(AsyncResource):
    def list_applications(
        self,
        applicant_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        include: Union[Literal["applicant", "score", "job", "stage", "orders"], str, Sequence[Union[Literal["applicant", "score", "job", "stage", "orders"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[Application]:
        """List the applications of an applicant

        Most recently updated first. Scope: `applications:read` (Read applications, their stage, status and
        match score.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/applicants/{applicant_handle}/applications",
                params={"applicant_handle": applicant_handle},
                query={
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "include": include,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            Application.build,
            "cursor",
        )

    def list_resumes(
        self,
        applicant_handle: str,
        *,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[ResumeSummary]:
        """List the résumés of an applicant

        One per application, newest first. Scope: `resume:read` (Read résumé details and the parsed profile.)
        Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/applicants/{applicant_handle}/resumes",
                params={"applicant_handle": applicant_handle},
                query={"limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            ResumeSummary.build,
            "cursor",
        )

    def list(
        self,
        *,
        email: Union[str, None] = None,
        has_applications: Union[bool, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        include: Union[Literal["applications"], str, Sequence[Union[Literal["applications"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[Applicant]:
        """List applicants

        People who applied, most recently updated first. Scope: `applicants:read` (Read the people who applied,
        without their contact details.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/applicants",
                query={
                    "email": email,
                    "has_applications": has_applications,
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "include": include,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            Applicant.build,
            "cursor",
        )

    async def get(
        self,
        applicant_handle: str,
        *,
        include: Union[Literal["applications"], str, Sequence[Union[Literal["applications"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Applicant:
        """Get an applicant

        Scope: `applicants:read` (Read the people who applied, without their contact details.) Rate tier:
        general.
        """
        return await self._one(
            Operation(
                "GET",
                "/applicants/{applicant_handle}",
                params={"applicant_handle": applicant_handle},
                query={"include": include, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            Applicant.build,
        )

    async def get_contact_info(
        self,
        applicant_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> ContactInfo:
        """Get the contact details of an applicant

        As the applicant gave them. One personal-data unit for each value returned. Scope: `contact:read` (Read
        email addresses that the workspace already has.) Rate tier: general. Personal-data values of the
        response are charged to the daily budget and audited.
        """
        return await self._one(
            Operation(
                "GET",
                "/applicants/{applicant_handle}/contact-info",
                params={"applicant_handle": applicant_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            ContactInfo.build,
        )


class AsyncPackages(AsyncResource):
    def list(
        self,
        *,
        kind: Union[KnownPackageKind, str, Sequence[Union[KnownPackageKind, str]], None] = None,
        status: Union[KnownPackageStatus, str, Sequence[Union[KnownPackageStatus, str]], None] = None,
        country: Union[Literal["AD", "AE", "AF", "AG", "AI", "AL", "AM", "AO", "AQ", "AR", "AS", "AT", "AU", "AW", "AX", "AZ", "BA", "BB", "BD", "BE", "BF", "BG", "BH", "BI", "BJ", "BL", "BM", "BN", "BO", "BQ", "BR", "BS", "BT", "BV", "BW", "BY", "BZ", "CA", "CC", "CD", "CF", "CG", "CH", "CI", "CK", "CL", "CM", "CN", "CO", "CR", "CU", "CV", "CW", "CX", "CY", "CZ", "DE", "DJ", "DK", "DM", "DO", "DZ", "EC", "EE", "EG", "EH", "ER", "ES", "ET", "FI", "FJ", "FK", "FM", "FO", "FR", "GA", "GB", "GD", "GE", "GF", "GG", "GH", "GI", "GL", "GM", "GN", "GP", "GQ", "GR", "GS", "GT", "GU", "GW", "GY", "HK", "HM", "HN", "HR", "HT", "HU", "ID", "IE", "IL", "IM", "IN", "IO", "IQ", "IR", "IS", "IT", "JE", "JM", "JO", "JP", "KE", "KG", "KH", "KI", "KM", "KN", "KP", "KR", "KW", "KY", "KZ", "LA", "LB", "LC", "LI", "LK", "LR", "LS", "LT", "LU", "LV", "LY", "MA", "MC", "MD", "ME", "MF", "MG", "MH", "MK", "ML", "MM", "MN", "MO", "MP", "MQ", "MR", "MS", "MT", "MU", "MV", "MW", "MX", "MY", "MZ", "NA", "NC", "NE", "NF", "NG", "NI", "NL", "NO", "NP", "NR", "NU", "NZ", "OM", "PA", "PE", "PF", "PG", "PH", "PK", "PL", "PM", "PN", "PR", "PS", "PT", "PW", "PY", "QA", "RE", "RO", "RS", "RU", "RW", "SA", "SB", "SC", "SD", "SE", "SG", "SH", "SI", "SJ", "SK", "SL", "SM", "SN", "SO", "SR", "SS", "ST", "SV", "SX", "SY", "SZ", "TC", "TD", "TF", "TG", "TH", "TJ", "TK", "TL", "TM", "TN", "TO", "TR", "TT", "TV", "TW", "TZ", "UA", "UG", "UM", "US", "UY", "UZ", "VA", "VC", "VE", "VG", "VI", "VN", "VU", "WF", "WS", "YE", "YT", "ZA", "ZM", "ZW"], str, None] = None,
        external_id: Union[str, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[Package]:
        """List the tests and checks that vendors offer

        Most recently updated first. A vendor lists its own. Scope: `orders:read` (Read every order of the
        workspace, without results.) or `orders:write` (Order checks and assessments, and cancel, extend and
        repeat orders.) or `orders:fulfill` (For vendors: publish packages, and read and update the orders of
        your own packages.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/packages",
                query={
                    "kind": kind,
                    "status": status,
                    "country": country,
                    "external_id": external_id,
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            Package.build,
            "cursor",
        )

    async def publish(
        self,
        *,
        external_id: str,
        kind: Union[KnownPackageKind, str],
        name: str,
        privacy_url: str,
        invitation: Union[PackageInvitation, str],
        workspace_id: Union[str, None] = None,
        description: Union[str, None, NotGiven] = NOT_GIVEN,
        duration_minutes: Union[int, None, NotGiven] = NOT_GIVEN,
        languages: Union[Sequence[str], None, NotGiven] = NOT_GIVEN,
        countries: Union[Sequence[str], None, NotGiven] = NOT_GIVEN,
        info_url: Union[str, None, NotGiven] = NOT_GIVEN,
        candidate_host: Union[str, None, NotGiven] = NOT_GIVEN,
        shares: Union[Sequence[Union[KnownSharedValue, str]], None, NotGiven] = NOT_GIVEN,
        completion_days: Union[int, None, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Package:
        """Publish a test or check

        Creates the package with this `external_id`, or changes it: a field that is left out stays, null clears
        it. A new package waits as `pending` until an owner or admin offers it. So does an active one when it
        shares more, or when `name`, `kind`, `invitation`, `candidate_host` or `privacy_url` change. Packages of
        an installed app are `active` immediately, and their `candidate_host`, `privacy_url` and `info_url` are
        in a domain of the app. Their `kind` stays once it is `background_check` or `identity_check`. Scope:
        `orders:fulfill` (For vendors: publish packages, and read and update the orders of your own packages.)
        Rate tier: expensive.
        """
        return await self._one(
            Operation(
                "POST",
                "/packages",
                query={"workspace_id": workspace_id},
                body={
                    "external_id": external_id,
                    "kind": kind,
                    "name": name,
                    "description": description,
                    "duration_minutes": duration_minutes,
                    "languages": languages,
                    "countries": countries,
                    "info_url": info_url,
                    "privacy_url": privacy_url,
                    "invitation": invitation,
                    "candidate_host": candidate_host,
                    "shares": shares,
                    "completion_days": completion_days,
                },
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Package.build,
        )

    async def get(
        self,
        package_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Package:
        """Get a test or check that a vendor offers

        Scope: `orders:read` (Read every order of the workspace, without results.) or `orders:write` (Order
        checks and assessments, and cancel, extend and repeat orders.) or `orders:fulfill` (For vendors: publish
        packages, and read and update the orders of your own packages.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/packages/{package_handle}",
                params={"package_handle": package_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Package.build,
        )

    async def withdraw(
        self,
        package_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Package:
        """Withdraw a test or check

        No one can order it from now on. Open orders go on. Scope: `orders:fulfill` (For vendors: publish
        packages, and read and update the orders of your own packages.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/packages/{package_handle}/withdraw",
                params={"package_handle": package_handle},
                query={"workspace_id": workspace_id},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Package.build,
        )


class AsyncOrders(AsyncResource):
    def list(
        self,
        *,
        status: Union[KnownOrderStatus, str, Sequence[Union[KnownOrderStatus, str]], None] = None,
        kind: Union[KnownPackageKind, str, Sequence[Union[KnownPackageKind, str]], None] = None,
        package_id: Union[str, None] = None,
        application_id: Union[str, None] = None,
        job_id: Union[str, None] = None,
        external_id: Union[str, None] = None,
        source_system: Union[str, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        updated_after: Union[str, datetime, None] = None,
        updated_before: Union[str, datetime, None] = None,
        order: Union[SortOrder, str, None] = None,
        sort: Union[Literal["updated_at", "score"], str, None] = None,
        include: Union[Literal["application", "applicant", "job"], str, Sequence[Union[Literal["application", "applicant", "job"], str]], None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[OrderSummary]:
        """List orders of tests and checks

        Most recently updated first. A vendor lists the orders of its own packages. Scope: `orders:read` (Read
        every order of the workspace, without results.) or `orders:fulfill` (For vendors: publish packages, and
        read and update the orders of your own packages.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/orders",
                query={
                    "status": status,
                    "kind": kind,
                    "package_id": package_id,
                    "application_id": application_id,
                    "job_id": job_id,
                    "external_id": external_id,
                    "source_system": source_system,
                    "limit": limit,
                    "cursor": cursor,
                    "updated_after": updated_after,
                    "updated_before": updated_before,
                    "order": order,
                    "sort": sort,
                    "include": include,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            OrderSummary.build,
            "cursor",
        )

    async def place(
        self,
        *,
        application_id: str,
        package_id: str,
        workspace_id: Union[str, None] = None,
        due_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        source: Union[PlaceOrderSource, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Order a test or check for a candidate

        The vendor of the package carries it out. The service sends the candidate no email. The same `source`
        again, or a package that is open for the application, returns the order that exists. Scope:
        `orders:write` (Order checks and assessments, and cancel, extend and repeat orders.) Rate tier:
        expensive.
        """
        return await self._one(
            Operation(
                "POST",
                "/orders",
                query={"workspace_id": workspace_id},
                body={"application_id": application_id, "package_id": package_id, "due_at": due_at, "source": source},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Order.build,
        )

    async def get(
        self,
        order_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Get an order of a test or check

        Scope: `orders:read` (Read every order of the workspace, without results.) or `orders:fulfill` (For
        vendors: publish packages, and read and update the orders of your own packages.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/orders/{order_handle}",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Order.build,
        )

    async def get_candidate(
        self,
        order_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> OrderCandidate:
        """Get the candidate of an order

        For the vendor of the order, while it is open. Email address and phone number cost one personal-data
        unit each, as far as the package shares them. Scope: `orders:candidate:read` (For vendors: read name,
        email, phone and résumé of the candidates of your own open orders.) Rate tier: general. Personal-data
        values of the response are charged to the daily budget and audited.
        """
        return await self._one(
            Operation(
                "GET",
                "/orders/{order_handle}/candidate",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            OrderCandidate.build,
        )

    async def get_resume_download(
        self,
        order_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> OrderResumeDownload:
        """Get a download URL of the résumé of the candidate of an order

        For the vendor of the order, while it is open and if the package shares the résumé. A signed URL, valid
        for 300 seconds. Each call costs one personal-data unit. Scope: `orders:candidate:read` (For vendors:
        read name, email, phone and résumé of the candidates of your own open orders.) Rate tier: download.
        Personal-data values of the response are charged to the daily budget and audited.
        """
        return await self._one(
            Operation(
                "GET",
                "/orders/{order_handle}/resume/download",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            OrderResumeDownload.build,
        )

    async def get_result(
        self,
        order_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> OrderResult:
        """Get the result of an order

        404 until the vendor has completed it. A vendor reads the results that it sent. Scope:
        `orders:results:read` (Read the results of orders and their reports.) or `orders:fulfill` (For vendors:
        publish packages, and read and update the orders of your own packages.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/orders/{order_handle}/result",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            OrderResult.build,
        )

    async def read_report(
        self,
        order_handle: str,
        report_id: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> bytes:
        """Read a report of a result

        The PDF. Each call costs one personal-data unit. Scope: `orders:results:read` (Read the results of
        orders and their reports.) or `orders:fulfill` (For vendors: publish packages, and read and update the
        orders of your own packages.) Rate tier: download. Personal-data values of the response are charged to
        the daily budget and audited.
        """
        return await self._bytes(
            Operation(
                "GET",
                "/orders/{order_handle}/reports/{report_id}/content",
                params={"order_handle": order_handle, "report_id": report_id},
                query={"workspace_id": workspace_id},
                binary=True,
                timeout=timeout,
            )
        )

    async def cancel(
        self,
        order_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        reason: Union[str, NotGiven] = NOT_GIVEN,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Cancel an order

        It must be open. One that is canceled already is returned unchanged. Scope: `orders:write` (Order checks
        and assessments, and cancel, extend and repeat orders.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/orders/{order_handle}/cancel",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                body={"reason": reason, "expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Order.build,
        )

    async def extend(
        self,
        order_handle: str,
        *,
        due_at: Union[str, datetime],
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Set another due date of an order

        The vendor must have accepted it. One that has expired is open again. Scope: `orders:write` (Order
        checks and assessments, and cancel, extend and repeat orders.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/orders/{order_handle}/extend",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                body={"due_at": due_at, "expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Order.build,
        )

    async def repeat(
        self,
        order_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Order the same package again

        The order must have ended. The new one is the next `attempt`. Scope: `orders:write` (Order checks and
        assessments, and cancel, extend and repeat orders.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/orders/{order_handle}/repeat",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                body={"expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Order.build,
        )

    async def accept(
        self,
        order_handle: str,
        *,
        external_id: str,
        workspace_id: Union[str, None] = None,
        candidate_url: Union[str, NotGiven] = NOT_GIVEN,
        external_url: Union[str, NotGiven] = NOT_GIVEN,
        due_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Accept an order

        The same `external_id` again returns the order unchanged. Scope: `orders:fulfill` (For vendors: publish
        packages, and read and update the orders of your own packages.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/orders/{order_handle}/accept",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                body={
                    "external_id": external_id,
                    "candidate_url": candidate_url,
                    "external_url": external_url,
                    "due_at": due_at,
                    "expected_updated_at": expected_updated_at,
                },
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Order.build,
        )

    async def decline(
        self,
        order_handle: str,
        *,
        code: Union[VendorReason, str],
        workspace_id: Union[str, None] = None,
        message: Union[str, NotGiven] = NOT_GIVEN,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Decline an order

        Before you accept it. The same reason again returns the order unchanged. Scope: `orders:fulfill` (For
        vendors: publish packages, and read and update the orders of your own packages.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/orders/{order_handle}/decline",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                body={"code": code, "message": message, "expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Order.build,
        )

    async def progress(
        self,
        order_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        started_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        waiting_on: Union[KnownOrderWaitingOn, str, NotGiven] = NOT_GIVEN,
        message: Union[str, NotGiven] = NOT_GIVEN,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Report progress of an order

        The candidate has started, or someone else has to do something. What is left out stays. Scope:
        `orders:fulfill` (For vendors: publish packages, and read and update the orders of your own packages.)
        Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/orders/{order_handle}/progress",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                body={
                    "started_at": started_at,
                    "waiting_on": waiting_on,
                    "message": message,
                    "expected_updated_at": expected_updated_at,
                },
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Order.build,
        )

    async def fail(
        self,
        order_handle: str,
        *,
        code: Union[VendorReason, str],
        workspace_id: Union[str, None] = None,
        message: Union[str, NotGiven] = NOT_GIVEN,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Report that an order cannot be carried out

        After you accepted it. The same reason again returns the order unchanged. Scope: `orders:fulfill` (For
        vendors: publish packages, and read and update the orders of your own packages.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/orders/{order_handle}/fail",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                body={"code": code, "message": message, "expected_updated_at": expected_updated_at},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Order.build,
        )

    async def create_report_upload(
        self,
        order_handle: str,
        *,
        size_bytes: int,
        content_type: Union[ReportMediaType, str],
        workspace_id: Union[str, None] = None,
        filename: Union[str, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Upload:
        """Reserve the upload of a report

        Then PUT the PDF to `upload.url` with exactly the headers in `upload.headers`, and complete the order
        with its `upload_id`. Scope: `orders:fulfill` (For vendors: publish packages, and read and update the
        orders of your own packages.) Rate tier: expensive.
        """
        return await self._one(
            Operation(
                "POST",
                "/orders/{order_handle}/reports",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                body={"filename": filename, "size_bytes": size_bytes, "content_type": content_type},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Upload.build,
        )

    async def complete(
        self,
        order_handle: str,
        *,
        workspace_id: Union[str, None] = None,
        external_id: Union[str, NotGiven] = NOT_GIVEN,
        outcome: Union[KnownOrderOutcome, str, NotGiven] = NOT_GIVEN,
        score: Union[ScoreInput, None, NotGiven] = NOT_GIVEN,
        sections: Union[Sequence[CompleteOrderSection], NotGiven] = NOT_GIVEN,
        summary: Union[str, None, NotGiven] = NOT_GIVEN,
        external_url: Union[str, NotGiven] = NOT_GIVEN,
        report_upload_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        completed_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        expected_updated_at: Union[str, datetime, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Order:
        """Complete an order with its result

        What you send is the whole result. A different one is the next `revision`; the same again changes
        nothing. Of a background or identity check only the outcome is stored. Nothing is decided by a result.
        Scope: `orders:fulfill` (For vendors: publish packages, and read and update the orders of your own
        packages.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/orders/{order_handle}/complete",
                params={"order_handle": order_handle},
                query={"workspace_id": workspace_id},
                body={
                    "external_id": external_id,
                    "outcome": outcome,
                    "score": score,
                    "sections": sections,
                    "summary": summary,
                    "external_url": external_url,
                    "report_upload_ids": report_upload_ids,
                    "completed_at": completed_at,
                    "expected_updated_at": expected_updated_at,
                },
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Order.build,
        )


class AsyncUploads(AsyncResource):
    async def create(
        self,
        *,
        content_type: Union[ResumeMediaType, str],
        size_bytes: int,
        workspace_id: Union[str, None] = None,
        filename: Union[str, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Upload:
        """Reserve a résumé upload

        Then PUT the file to `upload.url` with exactly the headers in `upload.headers`. Scope:
        `applications:write` (Upload résumés, create applications, move, reject, hire and reopen them.) Rate
        tier: expensive.
        """
        return await self._one(
            Operation(
                "POST",
                "/uploads",
                query={"workspace_id": workspace_id},
                body={"content_type": content_type, "size_bytes": size_bytes, "filename": filename},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Upload.build,
        )


class AsyncMessages(AsyncResource):
    async def send(
        self,
        *,
        to: MessageRecipient,
        subject: str,
        body_text: str,
        workspace_id: Union[str, None] = None,
        body_html: Union[str, NotGiven] = NOT_GIVEN,
        reply_to_user: Union[bool, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Message:
        """Send an email to an applicant

        At most one email is sent per Idempotency-Key. Scope: `messages:send` (Send an email to an applicant.)
        Rate tier: expensive.
        """
        return await self._one(
            Operation(
                "POST",
                "/messages",
                query={"workspace_id": workspace_id},
                body={
                    "to": to,
                    "subject": subject,
                    "body_text": body_text,
                    "body_html": body_html,
                    "reply_to_user": reply_to_user,
                },
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Message.build,
        )


class AsyncAnalytics(AsyncResource):
    async def get_hiring_funnel(
        self,
        *,
        applied_after: Union[str, datetime, None] = None,
        applied_before: Union[str, datetime, None] = None,
        job_id: Union[str, None] = None,
        department: Union[str, None] = None,
        source: Union[str, None] = None,
        group_by: Union[KnownFunnelGrouping, str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> HiringFunnel:
        """Get the hiring funnel

        Computed from stage history. It has only counts and no personal data. Scope: `analytics:read` (Read
        aggregate hiring-funnel counts.) Rate tier: expensive.
        """
        return await self._one(
            Operation(
                "GET",
                "/analytics/hiring-funnel",
                query={
                    "applied_after": applied_after,
                    "applied_before": applied_before,
                    "job_id": job_id,
                    "department": department,
                    "source": source,
                    "group_by": group_by,
                    "workspace_id": workspace_id,
                },
                timeout=timeout,
            ),
            HiringFunnel.build,
        )


class AsyncExports(AsyncResource):
    async def create(
        self,
        *,
        resources: Sequence[Union[KnownExportResource, str]],
        workspace_id: Union[str, None] = None,
        view: Union[ExportView, str, NotGiven] = NOT_GIVEN,
        idempotency_key: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Export:
        """Start a full export

        Whole resources as files, with their state at one point of the change feed. Needs the read scope of each
        resource. Draft jobs are included. Contact details and résumé texts are never exported. Any valid key.
        Rate tier: expensive.
        """
        return await self._one(
            Operation(
                "POST",
                "/exports",
                query={"workspace_id": workspace_id},
                body={"resources": resources, "view": view},
                write=True,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
            Export.build,
        )

    async def get(
        self,
        export_id: str,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> Export:
        """Get an export

        Its progress, and its files (gzipped NDJSON) when it is ready. Each file URL is valid for 300 seconds;
        read the export again for a new one. Any valid key. Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/exports/{export_id}",
                params={"export_id": export_id},
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            Export.build,
        )


class AsyncTest(AsyncResource):
    async def reset_workspace(
        self,
        *,
        workspace_id: Union[str, None] = None,
        seed: Union[KnownTestWorkspaceSeed, str, NotGiven] = NOT_GIVEN,
        timeout: Union[float, None] = None,
    ) -> TestReset:
        """Reset a test workspace

        Deletes every record without an event for each, and begins another `epoch` of the change feed, so that
        readers make a full copy. Members, keys, webhook endpoints and settings stay, and sequence numbers go
        on. A second reset waits for the first. Scope: `test:manage` (Reset and fill a test workspace, and read
        its captured emails.) Rate tier: expensive.
        """
        return await self._one(
            Operation(
                "POST",
                "/test/reset",
                query={"workspace_id": workspace_id},
                body={"seed": seed},
                timeout=timeout,
            ),
            TestReset.build,
        )

    async def seed_workspace(
        self,
        *,
        workspace_id: Union[str, None] = None,
        seed: Union[KnownTestWorkspaceSeed, str, NotGiven] = NOT_GIVEN,
        timeout: Union[float, None] = None,
    ) -> TestSeed:
        """Fill a test workspace

        Adds records to those that are there, with their events. A repeat adds them again. Scope: `test:manage`
        (Reset and fill a test workspace, and read its captured emails.) Rate tier: expensive.
        """
        return await self._one(
            Operation(
                "POST",
                "/test/seed",
                query={"workspace_id": workspace_id},
                body={"seed": seed},
                timeout=timeout,
            ),
            TestSeed.build,
        )

    async def simulate_event(
        self,
        *,
        event_type: Union[KnownEventType, str],
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> TestEvent:
        """Cause an event in a test workspace

        Performs an operation of the product that an event of this type reports, as `hiring trigger` does, and
        returns the event. Webhook endpoints receive it. The pool is shared with live workspaces: its events
        cannot be caused. Scope: `test:manage` (Reset and fill a test workspace, and read its captured emails.)
        Rate tier: expensive.
        """
        return await self._one(
            Operation(
                "POST",
                "/test/simulate",
                query={"workspace_id": workspace_id},
                body={"event_type": event_type},
                timeout=timeout,
            ),
            TestEvent.build,
        )

    async def get_clock(
        self,
        *,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> TestClock:
        """Get the clock of a test workspace

        After an advance, read it until its `status` is `ready`. Scope: `test:manage` (Reset and fill a test
        workspace, and read its captured emails.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "GET",
                "/test/clock",
                query={"workspace_id": workspace_id},
                timeout=timeout,
            ),
            TestClock.build,
        )

    async def advance_clock(
        self,
        *,
        workspace_id: Union[str, None] = None,
        to: Union[str, datetime, NotGiven] = NOT_GIVEN,
        by_seconds: Union[int, NotGiven] = NOT_GIVEN,
        timeout: Union[float, None] = None,
    ) -> TestClock:
        """Advance the clock of a test workspace

        Forward only, to a time or by seconds, and at most 400 days ahead of real time. What falls due until
        then is done in the background, in order of time and with its events: reminders and ends of orders,
        access to résumés, the closing of jobs, retention. Nothing else follows the clock: keys, cursors, rate
        limits, signatures and `updated_at` stay on real time. A reset sets it back to real time. Scope:
        `test:manage` (Reset and fill a test workspace, and read its captured emails.) Rate tier: general.
        """
        return await self._one(
            Operation(
                "POST",
                "/test/clock/advance",
                query={"workspace_id": workspace_id},
                body={"to": to, "by_seconds": by_seconds},
                timeout=timeout,
            ),
            TestClock.build,
        )

    def list_mails(
        self,
        *,
        to: Union[str, None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        workspace_id: Union[str, None] = None,
        timeout: Union[float, None] = None,
    ) -> AsyncPager[TestMail]:
        """List the emails of a test workspace

        Emails to candidates and members, newest first. None of them was sent. Sign-in links and invitations of
        members are sent, and are not in the mailbox. Scope: `test:manage` (Reset and fill a test workspace, and
        read its captured emails.) Rate tier: general.
        """
        return AsyncPager(
            self._client,
            Operation(
                "GET",
                "/test/mailbox",
                query={"to": to, "limit": limit, "cursor": cursor, "workspace_id": workspace_id},
                timeout=timeout,
            ),
            TestMail.build,
            "cursor",
        )


class AsyncResources:
    """The endpoints of a client, by namespace."""

    meta: AsyncMeta
    workspaces: AsyncWorkspaces
    users: AsyncUsers
    installations: AsyncInstallations
    jobs: AsyncJobs
    events: AsyncEvents
    suppressions: AsyncSuppressions
    webhook_endpoints: AsyncWebhookEndpoints
    webhook_deliveries: AsyncWebhookDeliveries
    projects: AsyncProjects
    lists: AsyncLists
    sourced_profiles: AsyncSourcedProfiles
    people: AsyncPeople
    pool: AsyncPool
    applications: AsyncApplications
    applicants: AsyncApplicants
    packages: AsyncPackages
    orders: AsyncOrders
    uploads: AsyncUploads
    messages: AsyncMessages
    analytics: AsyncAnalytics
    exports: AsyncExports
    test: AsyncTest

    def _open(self, client: Any) -> None:
        self.meta = AsyncMeta(client)
        self.workspaces = AsyncWorkspaces(client)
        self.users = AsyncUsers(client)
        self.installations = AsyncInstallations(client)
        self.jobs = AsyncJobs(client)
        self.events = AsyncEvents(client)
        self.suppressions = AsyncSuppressions(client)
        self.webhook_endpoints = AsyncWebhookEndpoints(client)
        self.webhook_deliveries = AsyncWebhookDeliveries(client)
        self.projects = AsyncProjects(client)
        self.lists = AsyncLists(client)
        self.sourced_profiles = AsyncSourcedProfiles(client)
        self.people = AsyncPeople(client)
        self.pool = AsyncPool(client)
        self.applications = AsyncApplications(client)
        self.applicants = AsyncApplicants(client)
        self.packages = AsyncPackages(client)
        self.orders = AsyncOrders(client)
        self.uploads = AsyncUploads(client)
        self.messages = AsyncMessages(client)
        self.analytics = AsyncAnalytics(client)
        self.exports = AsyncExports(client)
        self.test = AsyncTest(client)
