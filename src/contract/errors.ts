/**
 * The error catalogue: one row a code. `message` is the default sentence; `cause`, `remedy` and `retry` feed the error reference,
 * `needs` names the detail fields without which the error may not be raised (checked by the compiler).
 */
export type ErrorType =
  | 'invalid_request'
  | 'authentication'
  | 'permission'
  | 'payment_required'
  | 'not_found'
  | 'conflict'
  | 'rate_limit'
  | 'unavailable'
  | 'server'

export type ErrorNeed = 'required_scope' | 'retry_after_seconds' | 'state' | 'unlock_credits'

export interface ErrorRow {
  status: number
  type: ErrorType
  message: string
  /** why it happens */
  cause: string
  remedy: string
  /** Whether a retry may succeed: never, after the stated wait, once and immediately, or only under a new Idempotency-Key. */
  retry: 'no' | 'after_wait' | 'once' | 'with_new_key'
  needs?: readonly ErrorNeed[]
}

const invalid = (message: string, cause: string, remedy: string, status = 400) =>
  ({ status, type: 'invalid_request', message, cause, remedy, retry: 'no' }) as const
const conflict = (message: string, cause: string, remedy: string) =>
  ({ status: 409, type: 'conflict', message, cause, remedy, retry: 'no' }) as const
const forbidden = (message: string, cause: string, remedy: string) =>
  ({ status: 403, type: 'permission', message, cause, remedy, retry: 'no' }) as const
const limited = (message: string, cause: string, remedy: string) =>
  ({
    status: 429,
    type: 'rate_limit',
    message,
    cause,
    remedy,
    retry: 'after_wait',
    needs: ['retry_after_seconds'],
  }) as const
const unavailable = (message: string, cause: string) =>
  ({
    status: 429,
    type: 'unavailable',
    message,
    cause,
    remedy: 'Nothing was done. Send the same request again after Retry-After seconds.',
    retry: 'after_wait',
    needs: ['retry_after_seconds'],
  }) as const

const table = {
  invalid_request: invalid(
    'The request has a missing, malformed or contradictory parameter or body field.',
    'A parameter or body field is missing, malformed, unknown, given twice, or contradicts another. Unknown query parameters are refused because a misspelt filter that is ignored returns the wrong rows. `errors` lists every fault that was found, with its `param`.',
    'Correct each entry of `errors`; `param` names the field.',
  ),
  invalid_cursor: invalid(
    'The cursor is not valid for this request.',
    'The cursor is malformed, was issued to another key, belongs to another workspace, path or set of filters, or is older than one hour. The message says which.',
    'The message says why. Start again from the first page; send a cursor with the same key, path and filters, within one hour.',
  ),
  invalid_timestamp: invalid(
    'A time filter is not an RFC 3339 timestamp.',
    'A filter such as `updated_after` is not an RFC 3339 time with an offset. A `+` in a query string means a blank: write it as `%2B`, or use `Z`.',
    'Send a timestamp such as 2026-11-01T00:00:00Z.',
  ),
  workspace_id_required: invalid(
    'This key reaches several workspaces and none was named.',
    'The key reaches more than one workspace. There is no default and no mode that reads all of them at once.',
    'Add ?workspace_id=<wsp_ handle>; GET /workspaces lists the handles.',
  ),
  unpublished_requires_opt_in: invalid(
    'Jobs that are not public were requested without include_unpublished=true.',
    '`GET /jobs` was asked for drafts. Since most partners show jobs to the public, drafts are given only to who says so.',
    'Add include_unpublished=true.',
  ),
  unknown_event_type: invalid(
    'A name in `type` is not an event type.',
    'A name in `type` of `GET /events` is not in the event catalogue, perhaps misspelt.',
    'Use names of the event catalogue.',
  ),
  not_an_identity: invalid(
    'The address is shared by several people and does not identify a person.',
    'An address such as `jobs@…` or `info@…` belongs to a role that several people share. Resolving it would tie strangers together.',
    'Resolve a personal address or a LinkedIn URL.',
  ),
  result_window_exceeded: invalid(
    'This listing was paged deeper than 10000 rows.',
    'A listing was followed with cursors past its 10,000th row.',
    'Narrow the filters, for example with updated_after and updated_before, and start a new listing.',
  ),
  unsupported_source_system: invalid(
    'source.system is malformed or reserved.',
    '`source.system` has other characters, is too short or long, starts with `tahoe`, or is a name that the product uses itself.',
    'Send your own system name: 2 to 40 characters of a-z, 0-9 and _.',
  ),
  invalid_idempotency_key: invalid(
    'The Idempotency-Key header must be 8 to 255 characters from A-Z a-z 0-9 . _ : ~ -',
    'The `Idempotency-Key` header is shorter than 8 or longer than 255 characters, or has characters outside the set.',
    'Send a UUID, for example.',
  ),
  idempotency_key_required: invalid(
    'This call needs an Idempotency-Key header.',
    'Sending an e-mail cannot be undone, so a retry must be recognizable: `POST /messages` is refused without the header.',
    'Send a new unique key for each intended action and repeat it on retries.',
  ),
  invalid_stage: invalid(
    'The stage cannot be used here.',
    'The stage is malformed, unknown, of another job or workspace, or final where a final one cannot be used. For list members: not one of the keys, nor a label that a member of the list already has.',
    'Read the stages that are valid for this job or list.',
  ),
  invalid_event_type: invalid(
    'A name in event_types is not in the event catalogue.',
    'A name in `event_types` of a webhook endpoint is not in the event catalogue.',
    'Use names of the event catalogue; `errors` lists every wrong one, with the nearest name.',
  ),
  event_type_not_permitted: invalid(
    'The key lacks the read scope of a requested event type.',
    'A webhook endpoint sees what its key may read. The key lacks the read scope of one of the types, or `events:read`.',
    'Leave the type out, or use a key that holds its scope.',
  ),
  webhook_url_not_allowed: invalid(
    'The webhook URL breaks the rules for endpoint URLs.',
    'The URL is not https, has user info, a fragment or another port than 443 and 8443, names an IP address or localhost, or its host name does not resolve, or resolves to an address that is not public. The message says which.',
    'Use an https URL with a DNS name whose every address is public, on port 443 or 8443. To receive webhooks on localhost, the operator of the service lists the host in WEBHOOK_ALLOW_HOSTS.',
  ),
  invalid_upload: invalid(
    'The file type or size is refused.',
    '`content_type` is not one of the accepted types, or `size_bytes` is not between 1 and 5,242,880.',
    'Send a PDF, DOCX, DOC, RTF or TXT file of at most 5 MB.',
  ),
  unknown_answer_field: invalid(
    'An answer names a question that is not on the form.',
    'The form changed, or the question belongs to another job.',
    'Use the field ids of GET /jobs/{job_handle}/application-form; the message lists them.',
  ),
  duplicate_answer_field: invalid(
    'A question is answered twice.',
    'The same `field_id` stands twice in `answers`.',
    'Send one answer for each question.',
  ),
  invalid_answer_value: invalid(
    'An answer has the wrong shape or is not one of the options.',
    'A choice is not among the options, a list was sent for a single choice, or text for a yes-or-no question.',
    'Send the shape and the options that the application form declares.',
  ),
  answer_field_not_accepted: invalid(
    'This question cannot be answered through the API.',
    'Equal-opportunity answers and consents can come only from the candidate; section headers hold no answer; résumés are attached with `resume_upload_id`.',
    'Leave the answer out: equal-opportunity questions, consent boxes, section headers and résumé fields are not accepted.',
  ),
  answer_field_reserved: invalid(
    'Name, e-mail, phone and LinkedIn questions are not answered here.',
    'The question asks for a detail of the person that has its own place in `candidate`.',
    'Send these values in `candidate`.',
  ),
  missing_required_answers: invalid(
    'Required questions are not answered.',
    'The form has required questions that `answers` does not contain. A required phone number or résumé is not counted.',
    'Answer each question that `errors` names.',
  ),
  upload_not_found: invalid(
    'The upload is unknown or has expired.',
    'The id is unknown, of another workspace, or older than one hour.',
    'Reserve a new upload and send the file within 15 minutes.',
  ),
  resume_rejected: invalid(
    'The uploaded file is empty or larger than 5 MB; the upload id is spent.',
    'The file that arrived at the upload address is empty or larger than 5 MB. The upload id is spent.',
    'Reserve a new upload with a valid file.',
  ),
  payload_too_large: invalid(
    'The request body is larger than 256 KB.',
    'The body is larger than 262,144 bytes. Files are not sent in the body but to the address of an upload.',
    'Send a smaller body.',
    413,
  ),
  request_timeout: {
    ...invalid(
      'The request did not arrive in time.',
      'The head or the body of the request was still incomplete when its time was over: 15 seconds for the head and 30 for the body, unless the operator set other limits. The connection is closed.',
      'Send the whole request without a pause; nothing was processed, so it can be sent again.',
      408,
    ),
    retry: 'once',
  },
  method_not_allowed: invalid(
    'This path does not accept this method.',
    'The path exists, with other methods. HEAD is not served where an answer would be charged.',
    'Use a method of the Allow header.',
    405,
  ),
  unauthenticated: {
    status: 401,
    type: 'authentication',
    message: 'The request has no valid API key. Send it as `Authorization: Bearer <API_KEY>`.',
    cause:
      'The `Authorization` header is missing or has another shape (`X-Api-Key: <key>`, the bare key without `Bearer`, `Basic …`, `Token …`, quotes around the key, a key in the query string or in a cookie), or the key is truncated, mistyped, unknown, revoked, expired, or used from an IP address that its allowlist does not contain. The response is the same for all of them, so that keys cannot be probed for.',
    remedy:
      'Send `Authorization: Bearer ` and the key: no X-Api-Key header, no bare key, no Basic authentication, no query parameter, no quotes. Check that the key is complete, not revoked or expired, and used from an allowed IP address.',
    retry: 'no',
  },
  insufficient_scope: {
    status: 403,
    type: 'permission',
    message: 'The key lacks the scope that this call needs.',
    cause: 'The key was made without the scope in `required_scope`.',
    remedy: 'Use a key that holds `required_scope`. Scopes are fixed when a key is created.',
    retry: 'no',
    needs: ['required_scope'],
  },
  write_requires_api_key: forbidden(
    'Writes need an API key that belongs to a user.',
    'The call changes something and the credential is a token of the sign-in flow (and the workspace has not switched on writes for connected apps, or the call manages webhook endpoints, which belong to API keys) or a key without a user.',
    'Use a key created by a user. Tokens of the sign-in flow can write only where the workspace allows it, and never manage webhook endpoints.',
  ),
  webhooks_self_serve_disabled: forbidden(
    'This workspace does not allow webhook endpoints to be managed through the API.',
    'The workspace wants its webhook endpoints to be registered by its own people.',
    'Ask an owner or admin of the workspace to switch it on in the settings.',
  ),
  resume_locked: {
    status: 403,
    type: 'payment_required',
    message: 'The résumé is not available in its present access state.',
    cause:
      'Résumés can be downloaded for 90 days after the application and viewed for 120. After that the workspace must unlock them.',
    remedy: 'The workspace can unlock it in the product; `unlock_credits` gives the price.',
    retry: 'no',
    needs: ['state', 'unlock_credits'],
  },
  not_found: {
    status: 404,
    type: 'not_found',
    message: 'There is no such object, or this key cannot reach it.',
    cause:
      'No such endpoint: the message names the nearest one. Or no such record, or one in a workspace that the key does not reach: these are the same response on purpose. A handle with the prefix of another type is said to be one.',
    remedy: 'Check the path, the handle and its type prefix, and that the key reaches its workspace.',
    retry: 'no',
  },
  job_modified_concurrently: {
    ...conflict(
      'The job changed during this request.',
      'Two pushes of the same job ran at the same time, or the job was changed in the product meanwhile.',
      'Read the job again and repeat the push.',
    ),
    retry: 'once',
  },
  invalid_job_transition: conflict(
    'The job cannot make the requested move from its present status.',
    'Publish works from draft, unpublish and close from published, reopen from closed. The message names the call that works from the current status. With `POST /jobs` the other fields were stored before this answer.',
    'Read the job and choose a move that its status allows.',
  ),
  stale_resource: conflict(
    'The record changed after expected_updated_at; nothing was changed.',
    'Somebody changed the record after you read it.',
    'Read the record again, decide again, and send its new updated_at.',
  ),
  application_modified_concurrently: {
    ...conflict(
      'The application changed between lock and write.',
      'The application changed at the same moment.',
      'Read the application again and repeat the call.',
    ),
    retry: 'once',
  },
  invalid_application_state: conflict(
    'The application cannot make this move from its present status.',
    'Rejected, withdrawn and hired applications cannot be rejected; only rejected ones can be reopened.',
    'Only open applications can be rejected or hired, and only rejected ones reopened.',
  ),
  idempotency_key_reused: conflict(
    'This Idempotency-Key was used with a different body.',
    'A request with this key and other bytes in its body was answered within 24 hours.',
    'Use a new key for a different request.',
  ),
  idempotency_in_flight: {
    ...conflict(
      'The first request with this Idempotency-Key is still running.',
      'Your first request with this key has not been answered yet, usually because a client timed out and retried.',
      'Wait a moment and send the same request again.',
    ),
    retry: 'after_wait',
  },
  recipient_unsubscribed: conflict(
    'This person must not be e-mailed.',
    'The person unsubscribed, is on the opt-out list of the workspace, or asked to be erased; or the address is reserved for tests.',
    'Do not retry.',
  ),
  sender_email_missing: conflict(
    'The user that this key belongs to has no e-mail address.',
    'Replies go to the user that the key belongs to, and that user has no address.',
    'Use the key of a user with an e-mail address.',
  ),
  job_not_accepting_applications: conflict(
    'The job is not published or does not accept applications.',
    'The job is a draft or closed, or its switch for applications is off.',
    'Read the job: status must be published and accept_applications true.',
  ),
  applicant_suppressed: conflict(
    'This person was erased or asked that processing stop. Nothing was created or changed.',
    'The person asked to be erased or that processing stop. The record of that wish outlives the data. Their applications and list memberships cannot be changed either.',
    'Do not retry.',
  ),
  applicant_unsubscribed: conflict(
    'This person unsubscribed in this workspace; nothing was created.',
    'The person unsubscribed in this workspace. An application that already exists is still returned with 200.',
    'Do not retry.',
  ),
  candidate_consent_required: conflict(
    'The form has a required consent box that only the candidate can tick.',
    'The form has a box that must be ticked by the candidate in person. No API can do it for them.',
    'Send the candidate to the public application page.',
  ),
  upload_already_used: conflict(
    'The upload is already attached.',
    'An upload can be attached once, and it was.',
    'Reserve a new upload.',
  ),
  upload_not_completed: conflict(
    'No file has arrived at the upload URL yet.',
    'The upload was reserved, and the file has not been sent to `upload.url` yet.',
    'PUT the file to upload.url, then repeat the call.',
  ),
  application_conflict: {
    ...conflict(
      'The application was created at the same time and could not be read back.',
      'The same candidate was sent twice at the same moment, and the other request won.',
      'Repeat the call.',
    ),
    retry: 'once',
  },
  webhook_endpoint_exists: conflict(
    'This key already registered this URL in this workspace.',
    'Each key can register a URL once in a workspace, disabled endpoints included.',
    'Update the existing endpoint.',
  ),
  webhook_endpoint_limit_reached: conflict(
    'The number of webhook endpoints is at its limit.',
    'A key can have 10 enabled endpoints and 100 in all; a workspace 20 enabled ones.',
    'Disable endpoints that are no longer used.',
  ),
  webhook_endpoint_disabled: conflict(
    'The webhook endpoint is disabled.',
    'Nothing is sent to a disabled endpoint, not even a test.',
    'Enable it first.',
  ),
  job_not_publishable: invalid(
    'The job is not ready to be published.',
    'The title is blank, there is neither summary nor description, no stage is open for applications, or `close_at` is in the past. `GET /jobs/{job_handle}/publish-readiness` says so beforehand.',
    'Fix each entry in `errors`.',
    422,
  ),
  rate_limit_exceeded: limited(
    'Too many requests for this key, or the monthly quota of the workspace is spent.',
    'More calls in a minute than the tier of the endpoint allows this key, or the monthly quota of the workspace is spent.',
    'Wait Retry-After seconds. Spread requests out, or move to a larger plan.',
  ),
  personal_data_quota_exceeded: limited(
    'The daily budget of personal-data reads does not cover this response.',
    'The values of this response do not fit into what is left of the daily budget; the message says how many it needs and how many are left. It is all or nothing: nothing was shown and nothing charged. A single record can be refused while smaller ones still fit.',
    'Wait for midnight UTC, or request fewer values. `Service-Personal-Data-Remaining` says how many are left.',
  ),
  message_quota_exceeded: limited(
    'The daily message cap of this key is reached.',
    'The key has sent its 200 messages of the day (UTC).',
    'Wait for midnight UTC.',
  ),
  too_many_pending_uploads: limited(
    'The workspace has 500 uploads that are not attached yet.',
    '500 uploads of the workspace are reserved and neither attached nor expired.',
    'Attach uploads, or wait until they expire.',
  ),
  suppression_check_unavailable: unavailable(
    'The suppression list cannot be read at the moment; nothing was done.',
    'Whether the person asked to be erased could not be looked up. Rather than guess, the service did nothing.',
  ),
  limiter_unavailable: unavailable(
    'The rate limiter cannot be asked at the moment; nothing was done.',
    'The store of the rate limiter does not answer.',
  ),
  datastore_unavailable: unavailable(
    'The data store cannot be reached at the moment; nothing was done.',
    'The database does not answer, or not in time.',
  ),
  pool_search_unavailable: unavailable(
    'The pool search cannot answer at the moment.',
    'The pool search is starting or overloaded.',
  ),
  delivery_failed: {
    status: 429,
    type: 'unavailable',
    message: 'The mail provider did not accept the message. This Idempotency-Key keeps reporting the failure.',
    cause:
      'The mail provider refused the message or did not respond. Nothing was sent. A retry with the same Idempotency-Key returns this failure again; a new key sends again.',
    remedy: 'After Retry-After seconds, send the message with a new Idempotency-Key.',
    retry: 'with_new_key',
    needs: ['retry_after_seconds'],
  },
  internal_error: {
    status: 500,
    type: 'server',
    message: 'Something failed on our side. The request id identifies it in our log.',
    cause: 'A fault of the service. It was logged with everything needed to find it; the answer says nothing of it.',
    remedy: 'Retry once; if it fails again, report the request id.',
    retry: 'once',
  },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof table

export const ERRORS: Readonly<Record<ErrorCode, ErrorRow>> = table

export const ERROR_CODES = Object.keys(table) as ErrorCode[]

type NeedsOf<C extends ErrorCode> = (typeof table)[C] extends { needs: readonly (infer N)[] } ? N & ErrorNeed : never

interface Detail {
  required_scope: string
  retry_after_seconds: number
  state: string
  unlock_credits: number
}

export interface FieldFault {
  param: string
  message: string
}

/** What may accompany a code: its needs are mandatory, the rest is optional. */
export type ErrorDetails<C extends ErrorCode> = Pick<Detail, NeedsOf<C>> & {
  message?: string
  param?: string
  errors?: FieldFault[]
}

/** Codes that need nothing can be raised without details. */
export type PlainErrorCode = { [C in ErrorCode]: [NeedsOf<C>] extends [never] ? C : never }[ErrorCode]
