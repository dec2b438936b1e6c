/**
 * The error catalogue: one table with one row for each code, in the order of the statuses. `message` is the default
 * message; `cause`, `remedy` and `retry` are shown in the error reference; `needs` lists the detail fields without which
 * the error cannot be raised (checked by the compiler).
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
    remedy: 'The request was not processed. Retry it after Retry-After seconds.',
    retry: 'after_wait',
    needs: ['retry_after_seconds'],
  }) as const

const table = {
  // 400: a parameter, header or body field is wrong

  invalid_request: invalid(
    'The request has a missing, malformed or contradictory parameter or body field.',
    'A parameter or body field is missing, malformed, unknown, given twice, or contradicts another. Unknown query parameters are rejected, because ignoring a misspelled filter would return the wrong rows. `errors` lists every problem with its `param`.',
    'Fix each entry in `errors`; `param` names the field.',
  ),
  invalid_cursor: invalid(
    'The cursor is not valid for this request.',
    'The cursor is malformed, was issued to another key, belongs to another workspace, path or set of filters, or is older than one hour. The message says which.',
    'The message says why. Start again from the first page; send a cursor with the same key, path and filters, within one hour.',
  ),
  invalid_timestamp: invalid(
    'A time filter is not an RFC 3339 timestamp.',
    'A filter such as `updated_after` is not an RFC 3339 time with an offset. A `+` in a query string means a space: encode it as `%2B`, or use `Z`.',
    'Send a timestamp such as 2026-11-01T00:00:00Z.',
  ),
  workspace_id_required: invalid(
    'This key has access to several workspaces, and the request names none.',
    'The key has access to more than one workspace. There is no default workspace, and no call reads the records of several workspaces.',
    'Add ?workspace_id=<wsp_ handle>; GET /workspaces lists the handles.',
  ),
  unpublished_requires_opt_in: invalid(
    'Draft jobs were requested without include_unpublished=true.',
    '`status` of `GET /jobs` includes `draft`. Most partners show jobs to the public, so drafts are returned only on request.',
    'Add include_unpublished=true.',
  ),
  unknown_event_type: invalid(
    'A name in `type` is not an event type.',
    'A name in `type` of `GET /events` is not in the event catalogue. It may be misspelled.',
    'Use names from the event catalogue.',
  ),
  not_an_identity: invalid(
    'The email address is shared by several people and does not identify one person.',
    'An email address such as `jobs@…` or `info@…` is a role address that several people share. Resolving it would link unrelated people.',
    'Resolve a personal email address or a LinkedIn URL.',
  ),
  result_window_exceeded: invalid(
    'This listing was paged deeper than 10000 rows.',
    'You paged past row 10,000 of a list.',
    'Narrow the filters, for example with updated_after and updated_before, and start a new listing.',
  ),
  unsupported_source_system: invalid(
    'source.system is malformed or reserved.',
    '`source.system` has characters that are not allowed, is too short or too long, starts with `tahoe`, or is a name that the product uses.',
    'Send your own system name: 2 to 40 characters from a-z, 0-9 and _.',
  ),
  invalid_idempotency_key: invalid(
    'The Idempotency-Key header must be 8 to 255 characters from A-Z a-z 0-9 . _ : ~ -',
    'The `Idempotency-Key` header is shorter than 8 or longer than 255 characters, or has characters that are not allowed.',
    'Use a UUID, for example.',
  ),
  idempotency_key_required: invalid(
    'This call needs an Idempotency-Key header.',
    'An email cannot be unsent, so the service must be able to recognize retries. `POST /messages` requires the header.',
    'Send a new unique key for each operation, and the same key for its retries.',
  ),
  invalid_stage: invalid(
    'The stage cannot be used here.',
    'The stage is malformed, unknown, belongs to another job or workspace, or is final where a final stage is not allowed. For list members: it is neither a stage key nor a label that a member of the list already has. The match is exact; custom labels can only be created in the product.',
    'Read the stages of this job or list and use one of them.',
  ),
  invalid_event_type: invalid(
    'A name in event_types is not in the event catalogue.',
    'A name in `event_types` of a webhook endpoint is not in the event catalogue.',
    'Use names from the event catalogue; `errors` lists every unknown name with the closest match.',
  ),
  event_type_not_permitted: invalid(
    'The key lacks the read scope of a requested event type.',
    'A webhook endpoint receives the events that its key can read. The key lacks the read scope of one of the types, or `events:read`. A delivery can be sent again only while the key can still read its type.',
    'Leave the type out, or use a key that has its scope.',
  ),
  webhook_url_not_allowed: invalid(
    'The webhook URL breaks the rules for endpoint URLs.',
    'The URL is not https, is malformed or too long, contains user info or a fragment, uses a port other than 443 and 8443, names an IP address or localhost, or its host name does not resolve or resolves to a non-public IP address. The message says which.',
    'Use an https URL on port 443 or 8443 whose host name resolves only to public IP addresses. To receive events on your own machine, run `hiring-partner listen --forward-to http://localhost:3000/webhooks`, or `npx hiring listen` in a checkout: it needs an API key and no endpoint, and the guide Webhooks says where to get it. A service with demo data that listens on a loopback address also accepts `http://localhost` URLs. For other private hosts, the operator sets WEBHOOK_ALLOW_HOSTS (and WEBHOOK_CA for a certificate authority of your own).',
  ),
  invalid_upload: invalid(
    'The file type or size is not accepted.',
    '`content_type` is not one of the accepted types, or `size_bytes` is not between 1 and 5,242,880.',
    'Send a PDF, DOCX, DOC, RTF or TXT file of at most 5 MB.',
  ),
  candidate_url_not_allowed: invalid(
    'The link for the candidate does not lead to the host of the package.',
    '`candidate_url` is not an https URL whose host is exactly `candidate_host` of the package, as it was when the order was placed.',
    'Send a link on `candidate_host` and without a port. To use another host, publish the package with it.',
  ),
  unknown_answer_field: invalid(
    'An answer names a question that is not on the form.',
    'The form changed, or the question belongs to another job.',
    'Use the field ids of GET /jobs/{job_handle}/application-form; the message lists them.',
  ),
  duplicate_answer_field: invalid(
    'A question is answered twice.',
    'The same `field_id` occurs twice in `answers`.',
    'Send one answer for each question.',
  ),
  invalid_answer_value: invalid(
    'An answer has the wrong format or is not one of the options.',
    'The value has another type than the question expects, is not among its options, names an option twice, is too long, or is not a number, date, URL, email address or phone number where the question asks for one.',
    'Send the format and the options that the application form declares.',
  ),
  answer_field_not_accepted: invalid(
    'This question cannot be answered through the API.',
    'Only the candidate can give equal-opportunity answers, consents and files other than the résumé. Section headers have no answer. Attach résumés with `resume_upload_id`.',
    'Leave the answer out: equal-opportunity questions, consent boxes, section headers, file and résumé fields are not accepted.',
  ),
  answer_field_reserved: invalid(
    'Name, email, phone and LinkedIn questions are not answered here.',
    'The question asks for a detail that has its own field in `candidate`.',
    'Send these values in `candidate`.',
  ),
  missing_required_answers: invalid(
    'Required questions are not answered.',
    'The form has required questions that `answers` does not contain, or requires a LinkedIn URL that `candidate` does not contain. Required phone numbers and résumés are not checked, nor questions whose `condition` is not met.',
    'Answer each question that `errors` names.',
  ),
  upload_not_found: invalid(
    'The upload is unknown or has expired.',
    'The id is unknown, belongs to another workspace, or is older than one hour.',
    'Reserve a new upload and send the file within 15 minutes.',
  ),
  resume_rejected: invalid(
    'The uploaded file is empty or larger than 5 MB. The upload id cannot be used again.',
    'The upload is checked when it is attached: the file has no bytes, or more than 5 MB. A report of an order must be a PDF.',
    'Reserve a new upload with a valid file.',
  ),
  // 413, 408, 405: the request as a whole is not accepted

  payload_too_large: invalid(
    'The request body is larger than 256 KB.',
    'The body is larger than 262,144 bytes. Send files to an upload URL, not in the body.',
    'Send a smaller body.',
    413,
  ),
  request_timeout: {
    ...invalid(
      'The request did not arrive in time.',
      'The headers or the body of the request did not arrive within the timeout: 15 seconds for the headers and 30 for the body, unless the operator set other limits. The connection is closed.',
      'Send the complete request without a pause. It was not processed, so you can retry it.',
      408,
    ),
    retry: 'once',
  },
  method_not_allowed: invalid(
    'This path does not accept this method.',
    'The path exists, but with other methods. HEAD is not supported where the response would be charged.',
    'Use a method from the Allow header.',
    405,
  ),
  // 401, 403, 404: the key has no access

  unauthenticated: {
    status: 401,
    type: 'authentication',
    message: 'The request has no valid API key. Send it as `Authorization: Bearer <API_KEY>`.',
    cause:
      'The `Authorization` header is missing or malformed (`X-Api-Key: <key>`, the bare key without `Bearer`, `Basic …`, `Token …`, quotes around the key, a key in the query string or in a cookie), or the key is truncated, mistyped, unknown, revoked, expired, or used from an IP address that its allowlist does not contain. All of these return the same response, so that keys cannot be guessed.',
    remedy:
      'Send `Authorization: Bearer ` and the key: no X-Api-Key header, no bare key, no Basic authentication, no query parameter, no quotes. Check that the key is complete, not revoked or expired, and used from an allowed IP address.',
    retry: 'no',
  },
  insufficient_scope: {
    status: 403,
    type: 'permission',
    message: 'The key lacks the scope that this call needs.',
    cause:
      'The key does not have the scope in `required_scope`: it was created without it, or the role of its user no longer allows it.',
    remedy: 'Use a key that has `required_scope`. Scopes are fixed when a key is created.',
    retry: 'no',
    needs: ['required_scope'],
  },
  test_workspace_required: forbidden(
    'This call exists in test workspaces only.',
    'The call resets, fills or reads a test workspace as a whole, and the key belongs to a live workspace. Nothing was changed.',
    'Use a key of a test workspace. `hiring workspaces create --test` creates one, and so do owners and admins in the console.',
  ),
  write_requires_api_key: forbidden(
    'Writes need an API key that belongs to a user.',
    'The call is a write, and the credential cannot write. It is either a key without a user, or an access token of the sign-in flow in a workspace that does not allow writes for connected apps. Access tokens never manage webhook endpoints, which belong to API keys.',
    'Use a key created by a user. Access tokens of the sign-in flow can write only if the workspace allows it, and cannot manage webhook endpoints.',
  ),
  webhooks_self_serve_disabled: forbidden(
    'This workspace does not allow API keys to register, change or enable webhook endpoints.',
    'The workspace turned off this setting for the API. Its owners and admins register, change and enable endpoints in the console. A key can still read, disable, test and recover its endpoints and rotate their secrets.',
    'Ask an owner or admin of the workspace to register the endpoint in the console, or to allow it for keys in the settings.',
  ),
  resume_locked: {
    status: 403,
    type: 'payment_required',
    message: 'The résumé is not available in its current access state.',
    cause:
      'Résumés can be downloaded for 90 days after the application and viewed for 120. After that the workspace must unlock them.',
    remedy: 'The workspace can unlock it in the product; `unlock_credits` is the price.',
    retry: 'no',
    needs: ['state', 'unlock_credits'],
  },
  not_found: {
    status: 404,
    type: 'not_found',
    message: 'There is no such object, or this key has no access to it.',
    cause:
      'The endpoint does not exist; the message names the closest one. Or the record does not exist, or it is in a workspace that the key has no access to; both return the same response on purpose. If the handle has the prefix of another type, the message says so.',
    remedy: 'Check the path, the handle and its type prefix, and that the key has access to its workspace.',
    retry: 'no',
  },
  // 409, 422: the request is valid but conflicts with the current state

  job_modified_concurrently: {
    ...conflict(
      'The job changed during this request.',
      'Two pushes of the same job ran at the same time, or the job was changed in the product during the push.',
      'Read the job again and retry the push.',
    ),
    retry: 'once',
  },
  invalid_job_transition: conflict(
    'The job cannot make this transition from its current status.',
    'Publish works from draft, unpublish and close from published, reopen from closed. The message names the call that works from the current status. With `POST /jobs` the other fields are already stored.',
    'Read the job and choose a transition that its status allows.',
  ),
  stale_resource: conflict(
    'The record changed after expected_updated_at; nothing was changed.',
    'The record was changed after you read it.',
    'Read the record again, check whether your change still applies, and send its new updated_at.',
  ),
  application_modified_concurrently: {
    ...conflict(
      'Another request is changing this application.',
      'Another request was changing the application and did not complete within 3 seconds. Nothing was changed by this one.',
      'Read the application again and retry the call.',
    ),
    retry: 'once',
  },
  invalid_application_state: conflict(
    'The application cannot make this transition from its current status.',
    'Rejected, withdrawn and hired applications cannot be rejected or hired, and only rejected ones can be reopened. The message names the current status.',
    'Only open applications can be rejected or hired, and only rejected ones can be reopened.',
  ),
  invalid_order_state: conflict(
    'The order does not allow this in its current status.',
    'The message names the status. A vendor accepts or declines what is requested, and completes what is open or expired at most 30 days ago. Open orders can be canceled, those that are not can be repeated.',
    'Read the order and send what its status allows.',
  ),
  package_not_available: conflict(
    'The package cannot be ordered.',
    'The package waits for an owner or admin to offer it, or it is withdrawn.',
    'Read the packages with `status=active` and order one of them.',
  ),
  order_limit_reached: conflict(
    'The limit of orders or packages is reached.',
    'An application can have 50 orders, and a vendor 200 packages in a workspace. Withdrawn packages count.',
    'Use the orders or packages that exist. A package that is published again with its `external_id` is changed and counts once.',
  ),
  idempotency_key_reused: conflict(
    'This Idempotency-Key was used with a different body.',
    'A request with this key and a different body completed within the last 24 hours.',
    'Use a new key for a different request.',
  ),
  idempotency_in_flight: {
    ...conflict(
      'The first request with this Idempotency-Key is still running.',
      'Your first request with this key has not completed yet. Usually a client timed out and retried.',
      'Wait a moment and retry the same request.',
    ),
    retry: 'after_wait',
  },
  recipient_unsubscribed: conflict(
    'This person must not be emailed.',
    'The person unsubscribed, is on the opt-out list of the workspace, asked to be erased, or has no email address; or the email address is in a domain reserved for tests. The response does not reveal which.',
    'Do not retry.',
  ),
  sender_email_missing: conflict(
    'The user that this key belongs to has no valid email address.',
    'Replies go to the user that the key belongs to, and that user has no valid email address.',
    'Use the key of a user with an email address.',
  ),
  job_not_accepting_applications: conflict(
    'The job is not published or does not accept applications.',
    'The job is a draft or closed, or does not accept applications.',
    'Read the job: status must be published and accept_applications true.',
  ),
  applicant_suppressed: conflict(
    'This person was erased or asked that processing stop. Nothing was created or changed.',
    'The person asked for erasure, or for processing to stop. The service keeps a record of that request after the data is deleted. Their applications and list memberships cannot be changed either.',
    'Do not retry.',
  ),
  applicant_unsubscribed: conflict(
    'This person unsubscribed in this workspace; nothing was created.',
    'The person unsubscribed in this workspace. An application that already exists is still returned with 200.',
    'Do not retry.',
  ),
  candidate_consent_required: conflict(
    'The form has a required consent box that only the candidate can tick.',
    'The form has a required checkbox that only the candidate can tick. The API cannot do this for them.',
    'Send the candidate to the public application page.',
  ),
  upload_already_used: conflict(
    'The upload was already used.',
    'An upload can be used only once. This one is attached to an application, or its file was rejected with `resume_rejected`.',
    'Reserve a new upload.',
  ),
  upload_not_completed: conflict(
    'No file has arrived at the upload URL yet.',
    'The upload was reserved, but no file has been sent to `upload.url` yet.',
    'PUT the file to upload.url, then retry the call.',
  ),
  application_conflict: {
    ...conflict(
      'The application was created at the same time and could not be read back.',
      'The same candidate was sent twice at the same moment, and the other request created the application.',
      'Retry the call.',
    ),
    retry: 'once',
  },
  webhook_endpoint_exists: conflict(
    'This key already registered this URL in this workspace.',
    'Each key can register a URL once in a workspace, disabled endpoints included.',
    'Update the existing endpoint.',
  ),
  webhook_endpoint_limit_reached: conflict(
    'The limit of webhook endpoints is reached.',
    'A key can have 10 enabled endpoints and 100 in total; a workspace can have 20 enabled ones.',
    'Disable endpoints that you no longer use. At 100 in total, change the URL of a disabled endpoint and enable it.',
  ),
  webhook_endpoint_disabled: conflict(
    'The webhook endpoint is disabled.',
    'Nothing is sent to a disabled endpoint, not even a test.',
    'Enable it first.',
  ),
  job_not_publishable: invalid(
    'The job is not ready to be published.',
    'The title is blank, there is neither summary nor description, every stage is final, or `close_at` is in the past. `GET /jobs/{job_handle}/publish-readiness` lists these problems in advance.',
    'Fix each entry in `errors`.',
    422,
  ),
  // 429: a limit is reached, or a part of the service is unavailable

  rate_limit_exceeded: limited(
    'A rate limit, the monthly quota or the limit of exports is exceeded.',
    'The key made more calls in a minute than the tier of the endpoint allows, the monthly quota of the workspace is exhausted, or the workspace has its maximum number of exports. The message says which.',
    'Wait Retry-After seconds. Spread your requests, or upgrade the plan.',
  ),
  personal_data_quota_exceeded: limited(
    'The daily budget of personal-data reads does not cover this response.',
    'The response needs more units than are left in the daily budget; the message has both numbers. No data was returned and nothing was charged. A smaller response may still fit.',
    'Wait until midnight UTC, or request fewer values. `Service-Personal-Data-Remaining` is the number of values left.',
  ),
  message_quota_exceeded: limited(
    'The daily message cap of this key is reached.',
    'The key has sent 200 messages today (UTC).',
    'Wait until midnight UTC.',
  ),
  too_many_pending_uploads: limited(
    'The workspace has 500 uploads that are not attached yet.',
    'The workspace has 500 reserved uploads that are neither attached nor expired. Reports are counted apart: 10 for an order, 100 for a vendor.',
    'Attach uploads, or wait until they expire, one hour after they were reserved.',
  ),
  suppression_check_unavailable: unavailable(
    'The suppression list is unavailable. The request was not processed.',
    'The service could not check whether the person asked to be erased, so it did not process the request.',
  ),
  limiter_unavailable: unavailable(
    'The rate limiter is unavailable. The request was not processed.',
    'The rate limiter does not respond.',
  ),
  datastore_unavailable: unavailable(
    'The data store is unavailable. The request was not processed.',
    'The database or the file store does not respond, or not in time.',
  ),
  pool_search_unavailable: unavailable(
    'The pool search is unavailable.',
    'The pool search is overloaded, or the database does not respond in time.',
  ),
  delivery_failed: {
    status: 429,
    type: 'unavailable',
    message: 'The mail provider did not accept the message. Retries with this Idempotency-Key return this error again.',
    cause:
      'The mail provider refused the message or could not be reached. Nothing was sent. A retry with the same Idempotency-Key returns this failure again; a new key sends again.',
    remedy: 'After Retry-After seconds, send the message with a new Idempotency-Key.',
    retry: 'with_new_key',
    needs: ['retry_after_seconds'],
  },
  // 500

  internal_error: {
    status: 500,
    type: 'server',
    message: 'Something failed on our side. The request id identifies it in our log.',
    cause: 'An internal error of the service. The log has the details under the request id; the response does not.',
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
