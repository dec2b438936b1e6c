// Generated from openapi.json by `npm run generate`. Do not edit.

import { Core, type Open, type RequestOptions, Resource } from './core.ts'
import type { PagePromise } from './page.ts'
import { path } from './path.ts'
import type { ApiPromise } from './response.ts'

export interface AcceptOrderRequest {
  /** Your id of the order; no other order of yours has it. */
  external_id: string
  /** Opens the test, on `candidate_host` of the package. Required if the service invites, else not allowed. */
  candidate_url?: string | undefined
  /** A page of yours for recruiters. */
  external_url?: string | undefined
  /** An hour to 90 days ahead. Default: what the order says. */
  due_at?: string | undefined
  expected_updated_at?: string | undefined
}

export interface AcknowledgeSuppressionRequest {
  /** When you deleted your copies. */
  deleted_at: string
}

export interface AddCandidateListMembersRequest {
  /** Each with exactly one of `sourced_profile_id` or `applicant_id`. */
  members: ListMember[]
}

export interface AdvanceTestClockRequest {
  /** The time that the clock advances to. Either this or `by_seconds`. */
  to?: string | undefined
  /** By how much it advances, from the time that it has or advances to already. */
  by_seconds?: number | undefined
}

export type AnswerValue = string | boolean | string[]

/** One call of this key, without its body. */
export interface ApiRequest {
  object: 'api_request'
  /** request handle */
  id: string
  /** workspace handle */
  workspace_id: string
  method: string
  /** The path with its placeholders, such as `/jobs/{job_handle}`; null if no endpoint has the path, which is not stored. */
  route: string | null
  /** Parameters of path and query by name. null: the value is not stored, because it may be personal or was not valid. Where no endpoint has the path, `did_you_mean` names the nearest one. */
  params: Record<string, string | null>
  /** The HTTP status of the response. */
  status: number
  /** The error code; null if the call succeeded. */
  code: string | null
  /** The parameter or field that the error named. */
  param: string | null
  /** Milliseconds from the headers of the request to the response. */
  duration_ms: number
  /** user handle */
  acting_user_id: string | null
  created_at: string
}

export interface ApiRequestPage {
  object: 'list'
  data: ApiRequest[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

/** An API version. */
export interface ApiVersion {
  object: 'api_version'
  version: string
  status: Open<VersionStatus>
  released_at: string
  sunset_at: string | null
}

export interface ApiVersionPage {
  object: 'list'
  data: ApiVersion[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

/** A person who applied. Contact details have their own endpoint. */
export interface Applicant {
  object: 'applicant'
  /** applicant handle */
  id: string
  /** workspace handle */
  workspace_id: string
  full_name: string | null
  location: string | null
  linkedin_url: string | null
  github_url: string | null
  portfolio_url: string | null
  created_at: string
  updated_at: string
  provenance: Provenance
  /** The same person in an ATS. Match on `system` and `id`. Empty for people who applied; this version does not import from an ATS, so only the demo has some. */
  external_refs: ApplicantExternalRef[]
  links: ApplicantLinks
  /** Related records; only if the request has `include`. */
  included?: ApplicantIncluded
  /** Fields that the key cannot read; `restricted_reason` says why. */
  restricted?: string[]
  /** included.applications: scope_required:applications:read; included.applications.rejection_reason: scope_required:applications:internal:read; included.applications.withdrawal_reason: scope_required:applications:internal:read; included.applications.start_date: scope_required:applications:internal:read */
  restricted_reason?: RestrictedReasons
}

/** An applicant was created in the workspace. */
export interface ApplicantCreatedEvent {
  object: 'event'
  id: string
  type: 'applicant.created'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ApplicantCreatedEventData
  links: EventLinks
}

export interface ApplicantCreatedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ApplicantCreatedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ApplicantCreatedEventRecord {
  object: 'applicant'
  id: string
  workspace_id: string | null
  updated_at: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** An applicant was deleted. */
export interface ApplicantDeletedEvent {
  object: 'event'
  id: string
  type: 'applicant.deleted'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ApplicantDeletedEventData
  links: EventLinks
}

export interface ApplicantDeletedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ApplicantDeletedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ApplicantDeletedEventRecord {
  object: 'applicant'
  id: string
  workspace_id: string | null
  updated_at: string
  /** Why it was deleted. */
  reason: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

export interface ApplicantExternalRef {
  system: string
  type: string | null
  id: string
  connection_id: string | null
  link_origin: string | null
  last_synced_at: string | null
}

export interface ApplicantIncluded {
  /** Needs applications:read; otherwise listed in `restricted`. */
  applications?: Application[]
}

export interface ApplicantLinks {
  self: string
  applications: string
  resumes: string
  contact_info: string
}

export interface ApplicantMember {
  applicant_id: string
}

export interface ApplicantPage {
  object: 'list'
  data: Applicant[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export interface ApplicantRecipient {
  /** applicant handle */
  applicant_id: string
}

/** The applicant unsubscribed. Stop emailing this person. */
export interface ApplicantUnsubscribedEvent {
  object: 'event'
  id: string
  type: 'applicant.unsubscribed'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ApplicantUnsubscribedEventData
  links: EventLinks
}

export interface ApplicantUnsubscribedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ApplicantUnsubscribedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ApplicantUnsubscribedEventRecord {
  object: 'applicant'
  id: string
  workspace_id: string | null
  updated_at: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** Details of an applicant changed. `contact_info` in `changed` means an email address or phone number. */
export interface ApplicantUpdatedEvent {
  object: 'event'
  id: string
  type: 'applicant.updated'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ApplicantUpdatedEventData
  links: EventLinks
}

export interface ApplicantUpdatedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ApplicantUpdatedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ApplicantUpdatedEventRecord {
  object: 'applicant'
  id: string
  workspace_id: string | null
  updated_at: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** An application of a person for a job. The single read adds `resume_access` if there is a résumé. */
export interface Application {
  object: 'application'
  /** application handle */
  id: string
  /** workspace handle */
  workspace_id: string
  /** job handle */
  job_id: string
  /** applicant handle */
  applicant_id: string | null
  /** pipeline_stage handle */
  stage_id: string
  status: ApplicationStatus
  /** Where the application came from, such as `public_board`, `partner_api:<system>`, `import:<system>` or, for people whom the team added, `team:<how>`. */
  source: string
  /** The id of the application in the system named in `source`. */
  external_id: string | null
  applied_at: string
  updated_at: string
  /** Null if there is no résumé. */
  parse_status: ParseStatus | null
  has_resume: boolean
  /** True: the candidate declined the phone pre-screen and must not be contacted for it. */
  voice_screening_opted_out: boolean
  /** Internal; never sent to the candidate. Needs applications:internal:read; otherwise listed in `restricted`. */
  rejection_reason?: string | null
  /** What the candidate said when they withdrew. Internal. Needs applications:internal:read; otherwise listed in `restricted`. */
  withdrawal_reason?: string | null
  /** The first day at work of a person who was hired, if the team recorded one. Internal. Needs applications:internal:read; otherwise listed in `restricted`. */
  start_date?: string | null
  /** user handle */
  owner_user_id: string | null
  /** Résumés can be downloaded for 90 days, then only viewed. From day 120 they are locked. */
  resume_access?: ResumeAccess
  links: ApplicationLinks
  /** Related records; only if the request has `include`. */
  included?: ApplicationIncluded
  /** Fields that the key cannot read; `restricted_reason` says why. */
  restricted?: string[]
  /** rejection_reason: scope_required:applications:internal:read; withdrawal_reason: scope_required:applications:internal:read; start_date: scope_required:applications:internal:read; included.applicant: scope_required:applicants:read; included.score: scope_required:applications:read; included.job: scope_required:jobs:read; included.stage: scope_required:jobs:read; included.orders: scope_required:orders:read; included.score.rationale: scope_required:applications:internal:read; included.score.model_version: scope_required:applications:internal:read; included.orders.candidate_url: scope_required:orders:write */
  restricted_reason?: RestrictedReasons
}

/** The answers of the candidate on the application form, keyed by field id. */
export interface ApplicationAnswers {
  object: 'application_answers'
  /** application handle */
  application_id: string
  /** Keyed by the id of the form field. */
  answers: Record<string, AnswerValue>
}

/** A candidate applied. */
export interface ApplicationCreatedEvent {
  object: 'event'
  id: string
  type: 'application.created'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ApplicationCreatedEventData
  links: EventLinks
}

export interface ApplicationCreatedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ApplicationCreatedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ApplicationCreatedEventRecord {
  object: 'application'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The status after the change. */
  status: ApplicationStatus
  /** The stage of the application. */
  stage_id: string
  /** The job of the application. */
  job_id: string
  /** The person who applied; null if the person is not known. */
  applicant_id: string | null
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** An application was deleted. */
export interface ApplicationDeletedEvent {
  object: 'event'
  id: string
  type: 'application.deleted'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ApplicationDeletedEventData
  links: EventLinks
}

export interface ApplicationDeletedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ApplicationDeletedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ApplicationDeletedEventRecord {
  object: 'application'
  id: string
  workspace_id: string | null
  updated_at: string
  /** Why it was deleted. */
  reason: string
  /** The job of the application. */
  job_id: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** The questions of a job. Deleted ones are left out, so older applications may have answers to questions that are not listed. */
export interface ApplicationForm {
  object: 'application_form'
  /** job handle */
  job_id: string
  /** Whether the job uses the default form of the workspace. */
  is_template: boolean
  fields: FormField[]
}

export interface ApplicationIncluded {
  /** Needs applicants:read; otherwise listed in `restricted`. */
  applicant?: Applicant | null
  /** Needs applications:read; otherwise listed in `restricted`. */
  score?: ApplicationScore | null
  /** Needs jobs:read; otherwise listed in `restricted`. */
  job?: JobSummary | null
  /** Needs jobs:read; otherwise listed in `restricted`. */
  stage?: PipelineStageSummary | null
  /** Needs orders:read; otherwise listed in `restricted`. */
  orders?: OrderSummary[]
}

export interface ApplicationLinks {
  self: string
  answers: string
  score: string
  resume: string
  screening: string
  stage_transitions: string
}

export interface ApplicationPage {
  object: 'list'
  data: Application[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export interface ApplicationRecipient {
  /** application handle */
  application_id: string
}

/** Parsing of the résumé finished or failed. */
export interface ApplicationResumeParsedEvent {
  object: 'event'
  id: string
  type: 'application.resume_parsed'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ApplicationResumeParsedEventData
  links: EventLinks
}

export interface ApplicationResumeParsedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ApplicationResumeParsedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ApplicationResumeParsedEventRecord {
  object: 'application'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The job of the application. */
  job_id: string
  /** The result of parsing. */
  parse_status: ParseStatus
  /** Why parsing failed; null if it did not. */
  parse_error?: Open<ParseError> | null
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** How well the résumé matches the job. */
export interface ApplicationScore {
  object: 'application_score'
  /** application handle */
  application_id: string
  /** 0 to 100 */
  match_pct: number
  /** Requirements of the job that the résumé does not show. */
  gaps: string[]
  /** Needs applications:internal:read; otherwise listed in `restricted`. */
  rationale?: string | null
  /** The version of the scoring rules. Needs applications:internal:read; otherwise listed in `restricted`. */
  model_version?: string
  /** Fields that the key cannot read; `restricted_reason` says why. */
  restricted?: string[]
  /** rationale: scope_required:applications:internal:read; model_version: scope_required:applications:internal:read */
  restricted_reason?: RestrictedReasons
}

/** The match score was computed or changed. */
export interface ApplicationScoredEvent {
  object: 'event'
  id: string
  type: 'application.scored'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ApplicationScoredEventData
  links: EventLinks
}

export interface ApplicationScoredEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ApplicationScoredEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ApplicationScoredEventRecord {
  object: 'application'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The job of the application. */
  job_id: string
  /** The match score, 0 to 100. */
  match_pct: number
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** A phone pre-screen took place. */
export interface ApplicationScreeningCompletedEvent {
  object: 'event'
  id: string
  type: 'application.screening_completed'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ApplicationScreeningCompletedEventData
  links: EventLinks
}

export interface ApplicationScreeningCompletedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ApplicationScreeningCompletedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ApplicationScreeningCompletedEventRecord {
  object: 'application'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The job of the application. */
  job_id: string
  /** How the call ended. */
  call_status: Open<CallStatus>
  /** How much was answered. */
  completion_state: Open<CompletionState>
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** An application moved to another stage. */
export interface ApplicationStageChangedEvent {
  object: 'event'
  id: string
  type: 'application.stage_changed'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ApplicationStageChangedEventData
  links: EventLinks
}

export interface ApplicationStageChangedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ApplicationStageChangedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ApplicationStageChangedEventRecord {
  object: 'application'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The status after the change. */
  status: ApplicationStatus
  /** The stage of the application. */
  stage_id: string
  /** The job of the application. */
  job_id: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/**
 * The state of an application.
 * 
 * - `new`: Not looked at yet.
 * - `in_review`: Under review.
 * - `advanced`: Advanced to the next steps.
 * - `rejected`: Rejected.
 * - `withdrawn`: The candidate withdrew.
 * - `hired`: Hired.
 */
export type ApplicationStatus = 'new' | 'in_review' | 'advanced' | 'rejected' | 'withdrawn' | 'hired'

/** The status of an application changed. */
export interface ApplicationStatusChangedEvent {
  object: 'event'
  id: string
  type: 'application.status_changed'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ApplicationStatusChangedEventData
  links: EventLinks
}

export interface ApplicationStatusChangedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ApplicationStatusChangedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ApplicationStatusChangedEventRecord {
  object: 'application'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The status after the change. */
  status: ApplicationStatus
  /** The stage of the application. */
  stage_id: string
  /** The job of the application. */
  job_id: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** An application changed; `changed` names what. */
export interface ApplicationUpdatedEvent {
  object: 'event'
  id: string
  type: 'application.updated'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ApplicationUpdatedEventData
  links: EventLinks
}

export interface ApplicationUpdatedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ApplicationUpdatedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ApplicationUpdatedEventRecord {
  object: 'application'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The status after the change. */
  status: ApplicationStatus
  /** The stage of the application. */
  stage_id: string
  /** The job of the application. */
  job_id: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** The applicant withdrew. */
export interface ApplicationWithdrawnEvent {
  object: 'event'
  id: string
  type: 'application.withdrawn'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ApplicationWithdrawnEventData
  links: EventLinks
}

export interface ApplicationWithdrawnEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ApplicationWithdrawnEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ApplicationWithdrawnEventRecord {
  object: 'application'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The status after the change. */
  status: ApplicationStatus
  /** The stage of the application. */
  stage_id: string
  /** The job of the application. */
  job_id: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** A file attached to a sourced profile. */
export interface Attachment {
  object: 'attachment'
  type: Open<AttachmentType>
  filename: string
  mime: string
  bytes: number
  /** UTC, without a zone suffix. */
  uploaded_at: string
  /** The scope that you need to download the file. */
  required_scope: string
  /** Whether this key can download the file. */
  readable: boolean
  links: AttachmentLinks
}

export interface AttachmentLinks {
  content?: string
}

export interface AttachmentPage {
  object: 'list'
  data: Attachment[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export interface CancelOrderRequest {
  /** The vendor can read it. */
  reason?: string | undefined
  expected_updated_at?: string | undefined
}

/** A candidate list. Its `object` is `list`, like the envelope of every list response. */
export interface CandidateList {
  object: 'list'
  /** list handle */
  id: string
  /** workspace handle */
  workspace_id: string
  /** project handle */
  project_id: string | null
  name: string
  description: string | null
  /** Number of members. */
  candidate_count: number
  created_at: string
  updated_at: string
  links: CandidateListLinks
}

export interface CandidateListLinks {
  self: string
  members: string
}

export interface CandidateListPage {
  object: 'list'
  data: CandidateList[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export interface CloseJobRequest {
  expected_updated_at?: string | undefined
}

export interface CompleteOrderRequest {
  /** Your id of the order. Required if you did not accept it. */
  external_id?: string | undefined
  /** Default none. */
  outcome?: OrderOutcome | undefined
  score?: ScoreInput | null | undefined
  sections?: CompleteOrderSection[] | undefined
  summary?: string | null | undefined
  /** A page of yours for recruiters. */
  external_url?: string | undefined
  /** The `upload_id` of each report. Those that a correction leaves out are deleted. */
  report_upload_ids?: string[] | undefined
  /** Default: now. */
  completed_at?: string | undefined
  expected_updated_at?: string | undefined
}

export interface CompleteOrderSection {
  name: string
  score?: ScoreInput | null | undefined
  comment?: string | null | undefined
}

export interface ConfirmDeletionRequest {
  /** When you deleted your copies. */
  deleted_at: string
}

/**
 * The legal basis of processing.
 * 
 * - `candidate_submitted`: The candidate submitted the data.
 * - `customer_provided`: The workspace provided the data.
 * - `legitimate_interest_sourcing`: Sourcing in legitimate interest.
 * - `public_profile`: A public profile.
 */
export type ConsentBasis = 'candidate_submitted' | 'customer_provided' | 'legitimate_interest_sourcing' | 'public_profile'

/**
 * Whether a contact detail was found.
 * 
 * - `found`: It was found.
 * - `not_found`: It was never revealed, or was searched for and not found.
 */
export type ContactFieldState = 'found' | 'not_found'

/** Email addresses and phone numbers that the workspace already has. Reading does not reveal new ones. */
export interface ContactInfo {
  object: 'contact_info'
  subject: RecordSubject
  /** Email addresses that the workspace already has. */
  emails: ContactValue[]
  /** Phone numbers that the workspace already has. Needs contact:phone:read; otherwise listed in `restricted`. */
  phones?: ContactValue[]
  unsubscribed: boolean
  /** `not_found` if a detail was never revealed, or was searched for and not found. */
  field_states?: ContactInfoFieldStates
  /** Records that are only a probable match for this person. Their contact details are not included. */
  excluded_probable_matches?: number
  excluded_reason?: string
  /** Fields that the key cannot read; `restricted_reason` says why. */
  restricted?: string[]
  /** phones: scope_required:contact:phone:read */
  restricted_reason?: RestrictedReasons
}

export interface ContactInfoFieldStates {
  work_email: ContactFieldState
  personal_email: ContactFieldState
  /** Needs contact:phone:read; otherwise absent. */
  phone?: ContactFieldState
}

export interface ContactLicence {
  redistributable: boolean
}

export interface ContactSource {
  object: string
  id: string
  /** workspace handle */
  workspace_id: string | null
}

export interface ContactValue {
  /** Costs one personal-data unit per value. */
  value: string
  kind: Open<ContactKind>
  status: Open<ContactStatus>
  verified_at: string | null
  source: ContactSource
  licence: ContactLicence
}

export interface CreateApplicationAnswer {
  /** The id of the question in the application form. */
  field_id: string
  value: AnswerValue
}

export interface CreateApplicationCandidate {
  /** Not blank. */
  first_name: string
  /** Not blank. */
  last_name: string
  email: string
  /** Digits, spaces and + ( ) . -, with at least one digit. */
  phone?: string | undefined
  /** An https URL on linkedin.com. */
  linkedin_url?: string | undefined
}

export interface CreateApplicationRequest {
  /** A published job that accepts applications. */
  job_id: string
  /** The response does not repeat these values. */
  candidate: CreateApplicationCandidate
  /** The `upload_id` of an uploaded file. Can be used once. */
  resume_upload_id?: string | undefined
  source: CreateApplicationSource
  /** One entry for each question. Name, email, phone and LinkedIn URL go into `candidate`. */
  answers?: CreateApplicationAnswer[] | undefined
  /** Default: the first stage of the job. A final stage is not allowed. */
  stage_id?: string | undefined
}

export interface CreateApplicationSource {
  /** Your system: 2 to 40 characters from a-z, 0-9 and _. Some names are reserved. */
  system: string
  /** Your id of the record. Together with the system it identifies the record. */
  external_id?: string | undefined
}

export interface CreateCandidateListRequest {
  /** 1 to 120 characters. Leading and trailing spaces are removed. */
  name: string
  description?: string | null | undefined
  /** Default: the oldest project of the workspace. */
  project_id?: string | null | undefined
}

export interface CreateExportRequest {
  /** The resources to export. Each needs the scope of its list endpoint. */
  resources: ExportResource[]
  /** `list`: rows as in the list endpoints. `full`: rows as in the single reads, such as a job with its `content`. */
  view?: ExportView | undefined
}

export interface CreateNoteRequest {
  /** Not blank. */
  body: string
}

export interface CreateReportUploadRequest {
  /** A plain file name that ends in `.pdf`. */
  filename?: string | undefined
  /** The exact length of the file, 1 to 5,242,880. */
  size_bytes: number
  /** Reports are PDF files. */
  content_type: ReportMediaType
}

export interface CreateScorecardRating {
  name: string
  score: number
  comment?: string | undefined
}

export interface CreateScorecardRequest {
  recommendation: Recommendation
  summary?: string | undefined
  /** Stages belong to a job. */
  stage_id?: string | undefined
  ratings?: CreateScorecardRating[] | undefined
  interviewed_at?: string | undefined
  /** A page with the whole report. Stored and returned in ASCII: other letters of the host as Punycode, those of the path percent-encoded. */
  report_url?: string | undefined
}

export interface CreateUploadRequest {
  /** PDF, DOCX, DOC, RTF or plain text, as a media type. */
  content_type: ResumeMediaType
  /** The exact length of the file, 1 to 5,242,880. */
  size_bytes: number
  /** A plain file name whose extension matches the type. */
  filename?: string | undefined
}

export interface CreateWebhookEndpointRequest {
  /** An https URL on port 443 or 8443 whose host name resolves only to public IP addresses. */
  url: string
  /** Names from the event catalogue. The key needs the read scope of each. */
  event_types: EventType[]
  description?: string | null | undefined
}

/** The calling key and its limits. */
export interface Credential {
  object: 'credential'
  /** credential handle */
  id: string
  name: string
  /** The kind of the workspace: `test` for keys of a test workspace. In a live workspace `test` is a label. */
  environment: KeyEnvironment
  /** What the key can do. */
  scopes: string[]
  /** description by scope */
  scope_descriptions: Record<string, string>
  /** `single`: one workspace. `list`: several. `all`: every workspace of the account. */
  workspace_scope: Open<WorkspaceScope>
  /** Workspaces that the key has access to. */
  workspace_ids: string[]
  /** Whether `workspace_id` must be sent with every call. */
  workspace_id_required: boolean
  /** user handle */
  owner_user_id: string | null
  /** user handle */
  acting_user_id: string | null
  /** installation handle */
  installation_id: string | null
  /** The app that was installed. */
  app_id: string | null
  /** Whether the key works only from certain IP addresses. */
  ip_allowlist_active: boolean
  plan: CredentialPlan | null
  /** The first of the next month, UTC. */
  quota_resets_at: string
  rate_limits: CredentialRateLimits
  created_at: string
  expires_at: string | null
  previous_secret_expires_at: string | null
  api_version: string
}

export interface CredentialPlan {
  code: Open<PlanCode>
  name: string
}

export interface CredentialRateLimits {
  general_per_minute: number
  expensive_per_minute: number
  download_per_minute: number
  personal_data_reads_per_day: number
  personal_data_reads_used_today: number
  /** null: unlimited */
  requests_per_month: number | null
  requests_used_this_month: number
  messages_per_day: number
  messages_used_today: number
  max_page_size: number
  default_page_size: number
  /** How many rows of a list can be paged through. */
  max_result_window: number
}

/** These records were erased. */
export interface DataSubjectErasureCompletedEvent {
  object: 'event'
  id: string
  type: 'data_subject.erasure_completed'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: DataSubjectErasureCompletedEventData
  links: EventLinks
}

export interface DataSubjectErasureCompletedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: DataSubjectErasureCompletedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface DataSubjectErasureCompletedEventRecord {
  object: 'suppression'
  id: string
  workspace_id: string | null
  updated_at: string
  /** How far the erasure is. */
  status: SuppressionStatus
  /** Why the data must no longer be processed. */
  reason: Open<SuppressionReason>
  /** The records of the person in this workspace. */
  subjects: EventSubject[]
  /** Delete your copies by this time. */
  delete_by: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** Delete your copies of these records within seven days. */
export interface DataSubjectSuppressionAppliedEvent {
  object: 'event'
  id: string
  type: 'data_subject.suppression_applied'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: DataSubjectSuppressionAppliedEventData
  links: EventLinks
}

export interface DataSubjectSuppressionAppliedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: DataSubjectSuppressionAppliedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface DataSubjectSuppressionAppliedEventRecord {
  object: 'suppression'
  id: string
  workspace_id: string | null
  updated_at: string
  /** How far the erasure is. */
  status: SuppressionStatus
  /** Why the data must no longer be processed. */
  reason: Open<SuppressionReason>
  /** The records of the person in this workspace. */
  subjects: EventSubject[]
  /** Delete your copies by this time. */
  delete_by: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** A change in the workspace. All readers see events in the same order. Of a type that this description declares. */
export type Event = JobPublishedEvent | JobUpdatedEvent | JobClosedEvent | JobReopenedEvent | JobUnpublishedEvent | JobDeletedEvent | JobSectionsUpdatedEvent | ApplicationCreatedEvent | ApplicationUpdatedEvent | ApplicationStatusChangedEvent | ApplicationStageChangedEvent | ApplicationWithdrawnEvent | ApplicationDeletedEvent | ApplicationScoredEvent | ApplicationResumeParsedEvent | ApplicationScreeningCompletedEvent | ResumeAccessChangedEvent | ApplicantCreatedEvent | ApplicantUpdatedEvent | ApplicantDeletedEvent | ApplicantUnsubscribedEvent | SourcedProfileCreatedEvent | SourcedProfileUpdatedEvent | SourcedProfileDeletedEvent | SourcedProfileContactInfoRevealedEvent | SourcedProfileAttachmentAddedEvent | OrderCreatedEvent | OrderUpdatedEvent | OrderDeletedEvent | ListCreatedEvent | ListUpdatedEvent | ListDeletedEvent | ListMembershipAddedEvent | ListMembershipRemovedEvent | ListMembershipStageChangedEvent | PoolBatchUpsertedEvent | PersonIdentityLinkedEvent | PersonCanonicalIdChangedEvent | DataSubjectSuppressionAppliedEvent | DataSubjectErasureCompletedEvent

export interface DeclineOrderRequest {
  code: VendorReason
  /** For the hiring team. */
  message?: string | undefined
  expected_updated_at?: string | undefined
}

/**
 * The kind of employment.
 * 
 * - `full_time`: Full-time.
 * - `part_time`: Part-time.
 * - `contract`: For the time of a contract.
 * - `intern`: Internship.
 * - `temp`: Temporary work.
 */
export type EmploymentType = 'full_time' | 'part_time' | 'contract' | 'intern' | 'temp'

export interface ErrorDetail {
  /** Branch on this. */
  code: Open<ErrorCode>
  type: Open<ErrorType>
  /** For people; may change. */
  message: string
  /** The parameter or field at fault. */
  param: string | null
  /** The page about this code. */
  doc_url: string
  /** The scope that the key lacks. */
  required_scope: string | null
  /** As in Retry-After. */
  retry_after_seconds: number | null
  /** As in Service-Request-Id. */
  request_id: string
  /** Every fault of the request. */
  errors?: ErrorFault[]
  /** On resume_locked: the access state. */
  state?: string
  /** On resume_locked: the price of unlocking. */
  unlock_credits?: number
}

export interface ErrorFault {
  param: string
  message: string
}

export interface ErrorResponse {
  detail: ErrorDetail
}

export interface EventLinks {
  /** The path of the event. */
  self: string
  /** The path of the record that changed. Absent if the record is deleted, if no endpoint returns it, and on older events. */
  record?: string
}

export interface EventPage {
  object: 'list'
  data: Event[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
  /** The last sequence read. Send it as `after` to continue. */
  next_after: number
  /** The first sequence that is still retained. */
  oldest_sequence: number
  /** You cannot continue from `after`: the next events are no longer retained, or `after` is beyond the end of the log because the database was restored from a backup. Make a full copy and continue from its `as_of_sequence`. */
  gap: boolean
  /** An opaque id of the log. It changes when the database is restored from a backup. Make a full copy then, because changes that you have processed may have been lost. */
  epoch: string
}

export type EventPreviousAttributes = Record<string, unknown>

export interface EventSubject {
  object: string
  id: string
}

/**
 * Whose changes are left out.
 * 
 * - `self`: Changes that the calling key made.
 */
export type ExcludedOrigin = 'self'

/**
 * The level of experience that a job asks for.
 * 
 * - `intern`: None; for students.
 * - `junior`: A first position.
 * - `mid`: Some years.
 * - `senior`: Many years.
 * - `lead`: Leads a team.
 * - `principal`: Leads a field.
 */
export type ExperienceLevel = 'intern' | 'junior' | 'mid' | 'senior' | 'lead' | 'principal'

/** A full copy of resources with their exact state at `as_of_sequence`. Continue with `GET /events?after=<as_of_sequence>`. */
export interface Export {
  object: 'export'
  id: string
  created_at: string
  /** What is copied. */
  resources: Open<ExportResource>[]
  /** `failed` and `expired` are final, as is `ready`. */
  status: Open<ExportStatus>
  /** The position in the change feed that the files correspond to; null until it is known. */
  as_of_sequence: number | null
  progress: ExportProgress
  /** Gzipped NDJSON. Each URL is valid for 300 seconds; read the export again for a new one. */
  files: ExportFile[]
  expires_at: string
}

export interface ExportFile {
  resource: Open<ExportResource>
  rows: number
  /** Size of the compressed file. */
  bytes: number
  url: string
}

export interface ExportProgress {
  /** Rows written so far. */
  rows_done: number
  /** Null until the rows are counted. */
  rows_total: number | null
}

/**
 * The rows of an export.
 * 
 * - `list`: As in the list endpoints.
 * - `full`: As in the single reads.
 */
export type ExportView = 'list' | 'full'

export interface ExtendOrderRequest {
  /** An hour to 90 days ahead. */
  due_at: string
  expected_updated_at?: string | undefined
}

export interface FailOrderRequest {
  code: VendorReason
  /** For the hiring team. */
  message?: string | undefined
  expected_updated_at?: string | undefined
}

export interface FormField {
  id: string
  label: string
  type: Open<FormFieldType>
  required: boolean
  section: string | null
  help_text: string | null
  options: string[]
  max_length: number | null
  /** The question is shown only if the question `field_id` has one of these answers, or names one of them; `true` or `false` for a question of type boolean. On a field of type `section` it applies to every field up to the next section. Null: always shown. A question that is not shown is not required, and an answer to it is accepted and not stored. */
  condition: FormFieldCondition | null
}

export interface FormFieldCondition {
  field_id: string
  values: string[]
}

export interface FunnelGroup {
  /** A job, a department, a source, or the first day of a week (Monday) or month; null if there is none. */
  key: string | null
  label: string | null
  totals: FunnelTotals
  stages: FunnelStage[]
}

export interface FunnelStage {
  stage_type: Open<StageType>
  /** pipeline_stage handle */
  stage_id?: string
  name?: string
  /** Position of the stage in its job; without job_id, the usual position of the type. */
  position: number
  /** Applications that were ever in the stage: the sum of the next five counts. */
  reached: number
  /** Open applications that are in the stage now. */
  current: number
  /** Applications that moved on to another stage. */
  advanced: number
  /** Applications that were rejected in the stage. */
  rejected: number
  /** Applications that were withdrawn in the stage. */
  withdrawn: number
  /** Applications that were hired in the stage. */
  hired: number
  /** The share of applications that moved on or were hired, of those that reached the stage: 0 to 1. */
  conversion_rate: number | null
  /** Hours in the stage, of applications that moved on. */
  median_hours_in_stage: number | null
}

export interface FunnelTotals {
  applications: number
  new: number
  in_review: number
  advanced: number
  rejected: number
  withdrawn: number
  hired: number
  /** Days from application to hire, of hired applications. */
  median_days_to_hire: number | null
}

export interface HireApplicationRequest {
  expected_updated_at?: string | undefined
}

/** Counts of applications by status and by the stages they reached, computed from stage history. A stage of type `rejected` is not a funnel step: an application moved there counts in its previous stage. Counts and days to hire are exact. For more than 20000 applications, hours in stages are computed from a random sample of about that size, with at least 100 applications (or all) of each group. */
export interface HiringFunnel {
  object: 'hiring_funnel'
  /** workspace handle */
  workspace_id: string
  /** job handle */
  job_id: string | null
  applied_after: string
  applied_before: string
  group_by: Open<FunnelGrouping>
  generated_at: string
  totals: FunnelTotals
  stages: FunnelStage[]
  groups: FunnelGroup[]
  /** Whether there are more groups than the 500 returned. */
  groups_truncated: boolean
}

export interface IdentityInput {
  kind: Open<IdentityKind>
  value: string
}

/** An app in a workspace. */
export interface Installation {
  object: 'installation'
  /** installation handle */
  id: string
  app: InstallationApp
  /** workspace handle */
  workspace_id: string
  workspace_name: string
  /** The environment of the workspace. */
  environment: KeyEnvironment
  status: InstallationStatus
  suspended_by: SuspendedBy | null
  /** What the workspace granted. */
  scopes: string[]
  /** What the app has asked for since. An owner or admin decides about it with the install link. */
  scopes_pending: string[]
  /** credential handle */
  credential_id: string
  key_created_at: string
  installed_at: string
  updated_at: string
  ended_at: string | null
  /** When your copies of the data must be deleted. */
  delete_by: string | null
  deletion_confirmed_at: string | null
  links: InstallationLinks
}

export interface InstallationApp {
  id: string
  name: string
}

/** A notice to the publisher of an app. It is in no feed: its sequence is 0, and links.self is the path of the installation. */
export interface InstallationCreatedEvent {
  object: 'event'
  id: string
  type: 'installation.created'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: InstallationCreatedEventData
  links: EventLinks
}

export interface InstallationCreatedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: InstallationCreatedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface InstallationCreatedEventRecord {
  object: 'installation'
  id: string
  workspace_id: string | null
  updated_at: string
  status: InstallationStatus
  /** The environment of the workspace. */
  environment: KeyEnvironment
  /** What the app has asked for since. */
  scopes: string[]
  /** What the app has asked for since. */
  scopes_pending: string[]
  /** Why it was sent. New values can come. */
  reason: Open<NoticeReason>
  /** When your copies of the data must be deleted; null before the installation ends. */
  delete_by: string | null
}

/** A notice to the publisher of an app. It is in no feed: its sequence is 0, and links.self is the path of the installation. */
export interface InstallationDeletedEvent {
  object: 'event'
  id: string
  type: 'installation.deleted'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: InstallationDeletedEventData
  links: EventLinks
}

export interface InstallationDeletedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: InstallationDeletedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface InstallationDeletedEventRecord {
  object: 'installation'
  id: string
  workspace_id: string | null
  updated_at: string
  status: InstallationStatus
  /** The environment of the workspace. */
  environment: KeyEnvironment
  /** What the app has asked for since. */
  scopes: string[]
  /** What the app has asked for since. */
  scopes_pending: string[]
  /** Why it was sent. New values can come. */
  reason: Open<NoticeReason>
  /** When your copies of the data must be deleted; null before the installation ends. */
  delete_by: string | null
}

/** The key of an installation with its new secret. */
export interface InstallationKey {
  object: 'installation_key'
  /** installation handle */
  installation_id: string
  /** credential handle */
  credential_id: string
  /** Shown once; null in the response to a repeated request. */
  access_token: string | null
  previous_secret_expires_at: string | null
}

export interface InstallationLinks {
  self: string
}

export interface InstallationPage {
  object: 'list'
  data: Installation[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

/**
 * Whether an installation can be used.
 * 
 * - `active`: Its key works.
 * - `suspended`: Its key is refused until it is resumed; `suspended_by` says by whom it was suspended.
 * - `ended`: It was uninstalled. Delete your copies before `delete_by`.
 */
export type InstallationStatus = 'active' | 'suspended' | 'ended'

/** A notice to the publisher of an app. It is in no feed: its sequence is 0, and links.self is the path of the installation. */
export interface InstallationUpdatedEvent {
  object: 'event'
  id: string
  type: 'installation.updated'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: InstallationUpdatedEventData
  links: EventLinks
}

export interface InstallationUpdatedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: InstallationUpdatedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface InstallationUpdatedEventRecord {
  object: 'installation'
  id: string
  workspace_id: string | null
  updated_at: string
  status: InstallationStatus
  /** The environment of the workspace. */
  environment: KeyEnvironment
  /** What the app has asked for since. */
  scopes: string[]
  /** What the app has asked for since. */
  scopes_pending: string[]
  /** Why it was sent. New values can come. */
  reason: Open<NoticeReason>
  /** When your copies of the data must be deleted; null before the installation ends. */
  delete_by: string | null
}

/** An interview of a candidate, as the hiring team planned it. */
export interface Interview {
  object: 'interview'
  id: string
  /** application handle */
  application_id: string
  /** job handle */
  job_id: string
  /** pipeline_stage handle */
  stage_id: string
  status: Open<InterviewStatus>
  kind: Open<InterviewKind>
  /** Null until the candidate has chosen a time. */
  starts_at: string | null
  ends_at: string | null
  /** The IANA time zone of the person who planned it. */
  time_zone: string
  interviewer_user_ids: string[]
  /** Needs applications:internal:read; otherwise listed in `restricted`. */
  title?: string | null
  /** Needs applications:internal:read; otherwise listed in `restricted`. */
  place?: string | null
  /** Needs applications:internal:read; otherwise listed in `restricted`. */
  meeting_url?: string | null
  created_at: string
  updated_at: string
  /** Fields that the key cannot read; `restricted_reason` says why. */
  restricted?: string[]
  /** title: scope_required:applications:internal:read; place: scope_required:applications:internal:read; meeting_url: scope_required:applications:internal:read */
  restricted_reason?: RestrictedReasons
}

export interface InterviewPage {
  object: 'list'
  data: Interview[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

/** A job with its content. */
export interface Job {
  object: 'job'
  /** job handle */
  id: string
  /** workspace handle */
  workspace_id: string
  /** Unique in the workspace; stays the same when the title changes. */
  slug: string
  status: Open<JobStatus>
  title: string
  department: string | null
  team: string | null
  employment_type: EmploymentType | null
  location_type: LocationType | null
  locations: string[]
  experience_level: ExperienceLevel | null
  years_min: number | null
  years_max: number | null
  /** In whole currency units, never cents. */
  compensation: JobCompensation | null
  /** Whether the job accepts applications while it is published. */
  accept_applications: boolean
  /** The URL of an external application page. */
  external_apply_url: string | null
  /** The page of the job on the careers site of the workspace, for candidates. Null unless the job is published and the site is switched on. */
  public_url: string | null
  /** The language of the texts, in the two letters of ISO 639-1, such as `de`. Null: no one chose one, and the careers site detects it from the texts. */
  language: string | null
  source: JobSource
  published_at: string | null
  /** When the job closes automatically. */
  close_at: string | null
  created_at: string
  updated_at: string
  links: JobLinks
  content: JobContent
  application_count: number
  voice_screening: JobVoiceScreening
  /** Fields that the key cannot read; `restricted_reason` says why. */
  restricted?: string[]
  /** voice_screening.dial_in_code: scope_required:jobs:screening:read */
  restricted_reason?: RestrictedReasons
}

/** A job was closed. */
export interface JobClosedEvent {
  object: 'event'
  id: string
  type: 'job.closed'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: JobClosedEventData
  links: EventLinks
}

export interface JobClosedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: JobClosedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface JobClosedEventRecord {
  object: 'job'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The status after the change. */
  status: Open<JobStatus>
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

export interface JobCompensation {
  /** Whole currency units. */
  salary_min: number | null
  /** Whole currency units. */
  salary_max: number | null
  /** Three letters. */
  currency: string
  interval: SalaryInterval
  /** Whole currency units. */
  unit: 'major'
  equity: string | null
  commission: boolean
}

export interface JobContent {
  summary: string | null
  /** Markdown as the customer wrote it. Sanitize it before rendering. */
  description_md: string | null
  responsibilities: string[]
  requirements: string[]
  nice_to_have: string[]
  skills_required: string[]
  skills_preferred: string[]
  benefits: string[]
}

/** A job was deleted. */
export interface JobDeletedEvent {
  object: 'event'
  id: string
  type: 'job.deleted'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: JobDeletedEventData
  links: EventLinks
}

export interface JobDeletedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: JobDeletedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface JobDeletedEventRecord {
  object: 'job'
  id: string
  workspace_id: string | null
  updated_at: string
  /** Why it was deleted. */
  reason: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

export interface JobIncluded {
  /** Needs jobs:read; otherwise listed in `restricted`. */
  pipeline_stages?: PipelineStageSummary[]
}

export interface JobLinks {
  self: string
  applications: string
  application_form: string
  prescreen_questions: string
  pipeline_stages: string
  sections: string
}

export interface JobPage {
  object: 'list'
  data: JobSummary[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

/** A job was published. */
export interface JobPublishedEvent {
  object: 'event'
  id: string
  type: 'job.published'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: JobPublishedEventData
  links: EventLinks
}

export interface JobPublishedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: JobPublishedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface JobPublishedEventRecord {
  object: 'job'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The status after the change. */
  status: Open<JobStatus>
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** A closed job was published again. */
export interface JobReopenedEvent {
  object: 'event'
  id: string
  type: 'job.reopened'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: JobReopenedEventData
  links: EventLinks
}

export interface JobReopenedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: JobReopenedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface JobReopenedEventRecord {
  object: 'job'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The status after the change. */
  status: Open<JobStatus>
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** A job with its stages, its application form and its pre-screen questions. */
export interface JobSections {
  object: 'job'
  /** job handle */
  id: string
  /** workspace handle */
  workspace_id: string
  /** Unique in the workspace; stays the same when the title changes. */
  slug: string
  status: Open<JobStatus>
  title: string
  department: string | null
  team: string | null
  employment_type: EmploymentType | null
  location_type: LocationType | null
  locations: string[]
  experience_level: ExperienceLevel | null
  years_min: number | null
  years_max: number | null
  /** In whole currency units, never cents. */
  compensation: JobCompensation | null
  /** Whether the job accepts applications while it is published. */
  accept_applications: boolean
  /** The URL of an external application page. */
  external_apply_url: string | null
  /** The page of the job on the careers site of the workspace, for candidates. Null unless the job is published and the site is switched on. */
  public_url: string | null
  /** The language of the texts, in the two letters of ISO 639-1, such as `de`. Null: no one chose one, and the careers site detects it from the texts. */
  language: string | null
  source: JobSource
  published_at: string | null
  /** When the job closes automatically. */
  close_at: string | null
  created_at: string
  updated_at: string
  links: JobLinks
  content: JobContent
  application_count: number
  voice_screening: JobVoiceScreening
  pipeline_stages: PipelineStage[]
  application_form: ApplicationForm
  /** Needs jobs:screening:read; otherwise listed in `restricted`. */
  prescreen_questions?: PrescreenQuestions
  /** Fields that the key cannot read; `restricted_reason` says why. */
  restricted?: string[]
  /** voice_screening.dial_in_code: scope_required:jobs:screening:read; prescreen_questions: scope_required:jobs:screening:read */
  restricted_reason?: RestrictedReasons
}

/** The stages, form or questions of a job changed. */
export interface JobSectionsUpdatedEvent {
  object: 'event'
  id: string
  type: 'job.sections_updated'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: JobSectionsUpdatedEventData
  links: EventLinks
}

export interface JobSectionsUpdatedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: JobSectionsUpdatedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface JobSectionsUpdatedEventRecord {
  object: 'job'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The status after the change. */
  status: Open<JobStatus>
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

export interface JobSource {
  /** `tahoe_native` for jobs created in the product, otherwise the name of the partner system. */
  system: string
  /** Your id of the record. Together with the system it identifies the record. */
  external_id: string | null
  company_name: string | null
  /** The logo of the employer. Stored and returned in ASCII: other letters of the host as Punycode, those of the path percent-encoded. */
  company_logo_url: string | null
  /** The public page of the job. Stored and returned in ASCII: other letters of the host as Punycode, those of the path percent-encoded. */
  canonical_url: string | null
}

/** A job in a list. */
export interface JobSummary {
  object: 'job'
  /** job handle */
  id: string
  /** workspace handle */
  workspace_id: string
  /** Unique in the workspace; stays the same when the title changes. */
  slug: string
  status: Open<JobStatus>
  title: string
  department: string | null
  team: string | null
  employment_type: EmploymentType | null
  location_type: LocationType | null
  locations: string[]
  experience_level: ExperienceLevel | null
  years_min: number | null
  years_max: number | null
  /** In whole currency units, never cents. */
  compensation: JobCompensation | null
  /** Whether the job accepts applications while it is published. */
  accept_applications: boolean
  /** The URL of an external application page. */
  external_apply_url: string | null
  /** The page of the job on the careers site of the workspace, for candidates. Null unless the job is published and the site is switched on. */
  public_url: string | null
  /** The language of the texts, in the two letters of ISO 639-1, such as `de`. Null: no one chose one, and the careers site detects it from the texts. */
  language: string | null
  source: JobSource
  published_at: string | null
  /** When the job closes automatically. */
  close_at: string | null
  created_at: string
  updated_at: string
  links: JobLinks
  summary: string | null
  /** Related records; only if the request has `include`. */
  included?: JobIncluded
  /** Fields that the key cannot read; `restricted_reason` says why. */
  restricted?: string[]
  /** included.pipeline_stages: scope_required:jobs:read */
  restricted_reason?: RestrictedReasons
}

/** A job was unpublished and is a draft again. */
export interface JobUnpublishedEvent {
  object: 'event'
  id: string
  type: 'job.unpublished'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: JobUnpublishedEventData
  links: EventLinks
}

export interface JobUnpublishedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: JobUnpublishedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface JobUnpublishedEventRecord {
  object: 'job'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The status after the change. */
  status: Open<JobStatus>
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** Fields of a job changed; `changed` names them. */
export interface JobUpdatedEvent {
  object: 'event'
  id: string
  type: 'job.updated'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: JobUpdatedEventData
  links: EventLinks
}

export interface JobUpdatedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: JobUpdatedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface JobUpdatedEventRecord {
  object: 'job'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The status after the change. */
  status: Open<JobStatus>
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

export interface JobVoiceScreening {
  /** Six digits. Needs jobs:screening:read; otherwise listed in `restricted`. */
  dial_in_code?: string | null
}

/**
 * For production or for tests.
 * 
 * - `live`: For production.
 * - `test`: For tests.
 */
export type KeyEnvironment = 'live' | 'test'

/**
 * How a pre-screen question is answered.
 * 
 * - `boolean`: Yes or no.
 * - `number`: A number.
 * - `text`: Text.
 * - `choice`: One of `choices`.
 * - `multi_choice`: Any of `choices`.
 */
export type AnswerType = 'boolean' | 'number' | 'text' | 'choice' | 'multi_choice'

/**
 * The kind of file of a sourced profile.
 * 
 * - `profile_photo`: A photo.
 * - `resume`: A résumé.
 * - `business_card`: A business card.
 */
export type AttachmentType = 'profile_photo' | 'resume' | 'business_card'

/**
 * The state of a pre-screen call.
 * 
 * - `scheduled`: Planned.
 * - `in_progress`: Taking place now.
 * - `completed`: It took place.
 * - `no_answer`: The candidate did not pick up.
 * - `failed`: It failed for a technical reason.
 */
export type CallStatus = 'scheduled' | 'in_progress' | 'completed' | 'no_answer' | 'failed'

/**
 * How much of a pre-screen was answered.
 * 
 * - `none`: Nothing.
 * - `partial`: A part.
 * - `complete`: All of it.
 */
export type CompletionState = 'none' | 'partial' | 'complete'

/**
 * The kind of a contact detail.
 * 
 * - `work`: Of the workplace.
 * - `personal`: Private.
 * - `submitted`: As the candidate submitted it.
 * - `mobile`: A mobile phone.
 * - `other`: Another kind.
 */
export type ContactKind = 'work' | 'personal' | 'submitted' | 'mobile' | 'other'

/**
 * Whether a contact detail is known to work.
 * 
 * - `verified`: It works.
 * - `unverified`: Not checked.
 * - `invalid`: It does not work.
 */
export type ContactStatus = 'verified' | 'unverified' | 'invalid'

/**
 * The type of a delivered event.
 * 
 * - `job.published`: A job was published.
 * - `job.updated`: Fields of a job changed; `changed` names them.
 * - `job.closed`: A job was closed.
 * - `job.reopened`: A closed job was published again.
 * - `job.unpublished`: A job was unpublished and is a draft again.
 * - `job.deleted`: A job was deleted.
 * - `job.sections_updated`: The stages, form or questions of a job changed.
 * - `application.created`: A candidate applied.
 * - `application.updated`: An application changed; `changed` names what.
 * - `application.status_changed`: The status of an application changed.
 * - `application.stage_changed`: An application moved to another stage.
 * - `application.withdrawn`: The applicant withdrew.
 * - `application.deleted`: An application was deleted.
 * - `application.scored`: The match score was computed or changed.
 * - `application.resume_parsed`: Parsing of the résumé finished or failed.
 * - `application.screening_completed`: A phone pre-screen took place.
 * - `resume.access_changed`: The access state of a résumé changed.
 * - `applicant.created`: An applicant was created in the workspace.
 * - `applicant.updated`: Details of an applicant changed. `contact_info` in `changed` means an email address or phone number.
 * - `applicant.deleted`: An applicant was deleted.
 * - `applicant.unsubscribed`: The applicant unsubscribed. Stop emailing this person.
 * - `sourced_profile.created`: A profile was saved.
 * - `sourced_profile.updated`: A saved profile changed.
 * - `sourced_profile.deleted`: A saved profile was deleted.
 * - `sourced_profile.contact_info_revealed`: Contact details were revealed; `changed` names the fields, never the values.
 * - `sourced_profile.attachment_added`: A file was attached to a saved profile.
 * - `order.created`: A check or assessment was ordered.
 * - `order.updated`: An order or its result changed; `changed` names what.
 * - `order.deleted`: An order was deleted. Delete your copy.
 * - `list.created`: A list was created.
 * - `list.updated`: A list or its membership changed.
 * - `list.deleted`: A list was deleted.
 * - `list_membership.added`: A profile was added to a list.
 * - `list_membership.removed`: A profile was removed from a list. Delete your stored row.
 * - `list_membership.stage_changed`: The stage of a list member changed.
 * - `pool.batch_upserted`: A batch of pool profiles was loaded.
 * - `person.identity_linked`: Two identifiers were found to belong to one person.
 * - `person.canonical_id_changed`: The canonical handle of a person changed. Update your stored handle.
 * - `data_subject.suppression_applied`: Delete your copies of these records within seven days.
 * - `data_subject.erasure_completed`: These records were erased.
 * - `ping`: A test of the endpoint. It is in no feed.
 * - `installation.created`: For installable apps: a workspace installed the app. It is in no feed.
 * - `installation.updated`: For installable apps: an installation changed. It is in no feed.
 * - `installation.deleted`: For installable apps: an installation ended. It is in no feed.
 */
export type DeliveredType = 'job.published' | 'job.updated' | 'job.closed' | 'job.reopened' | 'job.unpublished' | 'job.deleted' | 'job.sections_updated' | 'application.created' | 'application.updated' | 'application.status_changed' | 'application.stage_changed' | 'application.withdrawn' | 'application.deleted' | 'application.scored' | 'application.resume_parsed' | 'application.screening_completed' | 'resume.access_changed' | 'applicant.created' | 'applicant.updated' | 'applicant.deleted' | 'applicant.unsubscribed' | 'sourced_profile.created' | 'sourced_profile.updated' | 'sourced_profile.deleted' | 'sourced_profile.contact_info_revealed' | 'sourced_profile.attachment_added' | 'order.created' | 'order.updated' | 'order.deleted' | 'list.created' | 'list.updated' | 'list.deleted' | 'list_membership.added' | 'list_membership.removed' | 'list_membership.stage_changed' | 'pool.batch_upserted' | 'person.identity_linked' | 'person.canonical_id_changed' | 'data_subject.suppression_applied' | 'data_subject.erasure_completed' | 'ping' | 'installation.created' | 'installation.updated' | 'installation.deleted'

/**
 * The state of a delivery.
 * 
 * - `pending`: The first attempt has not ended.
 * - `retrying`: An attempt failed; another follows.
 * - `delivered`: The receiver accepted it.
 * - `failed`: All attempts failed.
 * - `canceled`: The endpoint was disabled or deleted.
 */
export type DeliveryStatus = 'pending' | 'retrying' | 'delivered' | 'failed' | 'canceled'

/**
 * Why an endpoint is disabled.
 * 
 * - `failing`: 5 days without success.
 * - `gone`: The receiver returned 410.
 * - `manual`: Disabled by a call or a person.
 * - `key_revoked`: The key of the endpoint was revoked.
 */
export type DisabledReason = 'failing' | 'gone' | 'manual' | 'key_revoked'

/**
 * What went wrong. Branch on this.
 * 
 * - `invalid_request`: The request has a missing, malformed or contradictory parameter or body field.
 * - `invalid_cursor`: The cursor is not valid for this request.
 * - `invalid_timestamp`: A time filter is not an RFC 3339 timestamp.
 * - `workspace_id_required`: This key has access to several workspaces, and the request names none.
 * - `unpublished_requires_opt_in`: Draft jobs were requested without include_unpublished=true.
 * - `unknown_event_type`: A name in `type` is not an event type.
 * - `not_an_identity`: The email address is shared by several people and does not identify one person.
 * - `result_window_exceeded`: This listing was paged deeper than 10000 rows.
 * - `unsupported_source_system`: source.system is malformed or reserved.
 * - `invalid_idempotency_key`: The Idempotency-Key header must be 8 to 255 characters from A-Z a-z 0-9 . _ : ~ -
 * - `idempotency_key_required`: This call needs an Idempotency-Key header.
 * - `invalid_stage`: The stage cannot be used here.
 * - `invalid_event_type`: A name in event_types is not in the event catalogue.
 * - `event_type_not_permitted`: The key lacks the read scope of a requested event type.
 * - `webhook_url_not_allowed`: The webhook URL breaks the rules for endpoint URLs.
 * - `invalid_upload`: The file type or size is not accepted.
 * - `candidate_url_not_allowed`: The link for the candidate does not lead to the host of the package.
 * - `unknown_answer_field`: An answer names a question that is not on the form.
 * - `duplicate_answer_field`: A question is answered twice.
 * - `invalid_answer_value`: An answer has the wrong format or is not one of the options.
 * - `answer_field_not_accepted`: This question cannot be answered through the API.
 * - `answer_field_reserved`: Name, email, phone and LinkedIn questions are not answered here.
 * - `missing_required_answers`: Required questions are not answered.
 * - `upload_not_found`: The upload is unknown or has expired.
 * - `resume_rejected`: The uploaded file is empty or larger than 5 MB. The upload id cannot be used again.
 * - `payload_too_large`: The request body is larger than 256 KB.
 * - `request_timeout`: The request did not arrive in time.
 * - `method_not_allowed`: This path does not accept this method.
 * - `unauthenticated`: The request has no valid API key. Send it as `Authorization: Bearer <API_KEY>`.
 * - `insufficient_scope`: The key lacks the scope that this call needs.
 * - `test_workspace_required`: This call exists in test workspaces only.
 * - `write_requires_api_key`: Writes need an API key that belongs to a user.
 * - `webhooks_self_serve_disabled`: This workspace does not allow API keys to register, change or enable webhook endpoints.
 * - `resume_locked`: The résumé is not available in its current access state.
 * - `not_found`: There is no such object, or this key has no access to it.
 * - `job_modified_concurrently`: The job changed during this request.
 * - `invalid_job_transition`: The job cannot make this transition from its current status.
 * - `stale_resource`: The record changed after expected_updated_at; nothing was changed.
 * - `application_modified_concurrently`: Another request is changing this application.
 * - `invalid_application_state`: The application cannot make this transition from its current status.
 * - `invalid_order_state`: The order does not allow this in its current status.
 * - `package_not_available`: The package cannot be ordered.
 * - `order_limit_reached`: The limit of orders or packages is reached.
 * - `idempotency_key_reused`: This Idempotency-Key was used with a different body.
 * - `idempotency_in_flight`: The first request with this Idempotency-Key is still running.
 * - `recipient_unsubscribed`: This person must not be emailed.
 * - `sender_email_missing`: The user that this key belongs to has no valid email address.
 * - `job_not_accepting_applications`: The job is not published or does not accept applications.
 * - `applicant_suppressed`: This person was erased or asked that processing stop. Nothing was created or changed.
 * - `applicant_unsubscribed`: This person unsubscribed in this workspace; nothing was created.
 * - `candidate_consent_required`: The form has a required consent box that only the candidate can tick.
 * - `upload_already_used`: The upload was already used.
 * - `upload_not_completed`: No file has arrived at the upload URL yet.
 * - `application_conflict`: The application was created at the same time and could not be read back.
 * - `webhook_endpoint_exists`: This key already registered this URL in this workspace.
 * - `webhook_endpoint_limit_reached`: The limit of webhook endpoints is reached.
 * - `webhook_endpoint_disabled`: The webhook endpoint is disabled.
 * - `job_not_publishable`: The job is not ready to be published.
 * - `rate_limit_exceeded`: A rate limit, the monthly quota or the limit of exports is exceeded.
 * - `personal_data_quota_exceeded`: The daily budget of personal-data reads does not cover this response.
 * - `message_quota_exceeded`: The daily message cap of this key is reached.
 * - `too_many_pending_uploads`: The workspace has 500 uploads that are not attached yet.
 * - `suppression_check_unavailable`: The suppression list is unavailable. The request was not processed.
 * - `limiter_unavailable`: The rate limiter is unavailable. The request was not processed.
 * - `datastore_unavailable`: The data store is unavailable. The request was not processed.
 * - `pool_search_unavailable`: The pool search is unavailable.
 * - `delivery_failed`: The mail provider did not accept the message. Retries with this Idempotency-Key return this error again.
 * - `internal_error`: Something failed on our side. The request id identifies it in our log.
 */
export type ErrorCode = 'invalid_request' | 'invalid_cursor' | 'invalid_timestamp' | 'workspace_id_required' | 'unpublished_requires_opt_in' | 'unknown_event_type' | 'not_an_identity' | 'result_window_exceeded' | 'unsupported_source_system' | 'invalid_idempotency_key' | 'idempotency_key_required' | 'invalid_stage' | 'invalid_event_type' | 'event_type_not_permitted' | 'webhook_url_not_allowed' | 'invalid_upload' | 'candidate_url_not_allowed' | 'unknown_answer_field' | 'duplicate_answer_field' | 'invalid_answer_value' | 'answer_field_not_accepted' | 'answer_field_reserved' | 'missing_required_answers' | 'upload_not_found' | 'resume_rejected' | 'payload_too_large' | 'request_timeout' | 'method_not_allowed' | 'unauthenticated' | 'insufficient_scope' | 'test_workspace_required' | 'write_requires_api_key' | 'webhooks_self_serve_disabled' | 'resume_locked' | 'not_found' | 'job_modified_concurrently' | 'invalid_job_transition' | 'stale_resource' | 'application_modified_concurrently' | 'invalid_application_state' | 'invalid_order_state' | 'package_not_available' | 'order_limit_reached' | 'idempotency_key_reused' | 'idempotency_in_flight' | 'recipient_unsubscribed' | 'sender_email_missing' | 'job_not_accepting_applications' | 'applicant_suppressed' | 'applicant_unsubscribed' | 'candidate_consent_required' | 'upload_already_used' | 'upload_not_completed' | 'application_conflict' | 'webhook_endpoint_exists' | 'webhook_endpoint_limit_reached' | 'webhook_endpoint_disabled' | 'job_not_publishable' | 'rate_limit_exceeded' | 'personal_data_quota_exceeded' | 'message_quota_exceeded' | 'too_many_pending_uploads' | 'suppression_check_unavailable' | 'limiter_unavailable' | 'datastore_unavailable' | 'pool_search_unavailable' | 'delivery_failed' | 'internal_error'

/**
 * The kind of error.
 * 
 * - `invalid_request`: The request is wrong; fix it before you send it again.
 * - `authentication`: The key is missing or not valid.
 * - `permission`: The key may not do this.
 * - `payment_required`: The workspace must pay for this first.
 * - `not_found`: There is no such record, or the key cannot see it.
 * - `conflict`: The state of the record does not allow this.
 * - `rate_limit`: A limit is exhausted; wait.
 * - `unavailable`: A dependency does not respond; retry.
 * - `server`: A fault of the service.
 */
export type ErrorType = 'invalid_request' | 'authentication' | 'permission' | 'payment_required' | 'not_found' | 'conflict' | 'rate_limit' | 'unavailable' | 'server'

/**
 * What an event is about.
 * 
 * - `job.published`: A job was published.
 * - `job.updated`: Fields of a job changed; `changed` names them.
 * - `job.closed`: A job was closed.
 * - `job.reopened`: A closed job was published again.
 * - `job.unpublished`: A job was unpublished and is a draft again.
 * - `job.deleted`: A job was deleted.
 * - `job.sections_updated`: The stages, form or questions of a job changed.
 * - `application.created`: A candidate applied.
 * - `application.updated`: An application changed; `changed` names what.
 * - `application.status_changed`: The status of an application changed.
 * - `application.stage_changed`: An application moved to another stage.
 * - `application.withdrawn`: The applicant withdrew.
 * - `application.deleted`: An application was deleted.
 * - `application.scored`: The match score was computed or changed.
 * - `application.resume_parsed`: Parsing of the résumé finished or failed.
 * - `application.screening_completed`: A phone pre-screen took place.
 * - `resume.access_changed`: The access state of a résumé changed.
 * - `applicant.created`: An applicant was created in the workspace.
 * - `applicant.updated`: Details of an applicant changed. `contact_info` in `changed` means an email address or phone number.
 * - `applicant.deleted`: An applicant was deleted.
 * - `applicant.unsubscribed`: The applicant unsubscribed. Stop emailing this person.
 * - `sourced_profile.created`: A profile was saved.
 * - `sourced_profile.updated`: A saved profile changed.
 * - `sourced_profile.deleted`: A saved profile was deleted.
 * - `sourced_profile.contact_info_revealed`: Contact details were revealed; `changed` names the fields, never the values.
 * - `sourced_profile.attachment_added`: A file was attached to a saved profile.
 * - `order.created`: A check or assessment was ordered.
 * - `order.updated`: An order or its result changed; `changed` names what.
 * - `order.deleted`: An order was deleted. Delete your copy.
 * - `list.created`: A list was created.
 * - `list.updated`: A list or its membership changed.
 * - `list.deleted`: A list was deleted.
 * - `list_membership.added`: A profile was added to a list.
 * - `list_membership.removed`: A profile was removed from a list. Delete your stored row.
 * - `list_membership.stage_changed`: The stage of a list member changed.
 * - `pool.batch_upserted`: A batch of pool profiles was loaded.
 * - `person.identity_linked`: Two identifiers were found to belong to one person.
 * - `person.canonical_id_changed`: The canonical handle of a person changed. Update your stored handle.
 * - `data_subject.suppression_applied`: Delete your copies of these records within seven days.
 * - `data_subject.erasure_completed`: These records were erased.
 */
export type EventType = 'job.published' | 'job.updated' | 'job.closed' | 'job.reopened' | 'job.unpublished' | 'job.deleted' | 'job.sections_updated' | 'application.created' | 'application.updated' | 'application.status_changed' | 'application.stage_changed' | 'application.withdrawn' | 'application.deleted' | 'application.scored' | 'application.resume_parsed' | 'application.screening_completed' | 'resume.access_changed' | 'applicant.created' | 'applicant.updated' | 'applicant.deleted' | 'applicant.unsubscribed' | 'sourced_profile.created' | 'sourced_profile.updated' | 'sourced_profile.deleted' | 'sourced_profile.contact_info_revealed' | 'sourced_profile.attachment_added' | 'order.created' | 'order.updated' | 'order.deleted' | 'list.created' | 'list.updated' | 'list.deleted' | 'list_membership.added' | 'list_membership.removed' | 'list_membership.stage_changed' | 'pool.batch_upserted' | 'person.identity_linked' | 'person.canonical_id_changed' | 'data_subject.suppression_applied' | 'data_subject.erasure_completed'

/**
 * A resource that can be exported.
 * 
 * - `jobs`: Jobs.
 * - `applications`: Applications.
 * - `applicants`: Applicants.
 * - `sourced_profiles`: Sourced profiles.
 * - `lists`: Candidate lists.
 * - `list_memberships`: Members of candidate lists.
 * - `stage_transitions`: Stage history of applications.
 */
export type ExportResource = 'jobs' | 'applications' | 'applicants' | 'sourced_profiles' | 'lists' | 'list_memberships' | 'stage_transitions'

/**
 * The state of an export.
 * 
 * - `pending`: Waits to run.
 * - `running`: Rows are being written.
 * - `ready`: Final: the files can be downloaded.
 * - `failed`: Final: it failed.
 * - `expired`: Final: the files were deleted.
 */
export type ExportStatus = 'pending' | 'running' | 'ready' | 'failed' | 'expired'

/**
 * Whether the key can read a field.
 * 
 * - `visible`: The key can read it.
 * - `restricted`: The key cannot read it; `reason` says why.
 */
export type FieldAccess = 'visible' | 'restricted'

/**
 * The kind of question on an application form.
 * 
 * - `text`: One line of text.
 * - `textarea`: Several lines of text.
 * - `select`: One of `options`.
 * - `multiselect`: Any of `options`.
 * - `boolean`: Yes or no.
 * - `number`: A number.
 * - `date`: A date.
 * - `url`: A URL.
 * - `email`: An email address.
 * - `phone`: A phone number.
 * - `file`: A file.
 * - `section`: A heading without an answer.
 * - `consent`: An agreement, which only the candidate can give.
 * - `eeo`: An equal-opportunity question, which only the candidate can answer.
 */
export type FormFieldType = 'text' | 'textarea' | 'select' | 'multiselect' | 'boolean' | 'number' | 'date' | 'url' | 'email' | 'phone' | 'file' | 'section' | 'consent' | 'eeo'

/**
 * What the funnel is grouped by.
 * 
 * - `none`: No groups.
 * - `job`: By job.
 * - `department`: By department.
 * - `source`: By source of the application.
 * - `week`: By week of the application, from Monday.
 * - `month`: By month of the application.
 */
export type FunnelGrouping = 'none' | 'job' | 'department' | 'source' | 'week' | 'month'

/**
 * The kind of identifier of a person.
 * 
 * - `email`: An email address.
 * - `linkedin_url`: A LinkedIn URL.
 */
export type IdentityKind = 'email' | 'linkedin_url'

/**
 * How people meet.
 * 
 * - `onsite`: At a place.
 * - `video`: In a video call.
 * - `phone`: On the phone.
 */
export type InterviewKind = 'onsite' | 'video' | 'phone'

/**
 * The state of an interview.
 * 
 * - `proposed`: The candidate can choose one of several times.
 * - `scheduled`: It has a time.
 * - `held`: Its end has passed.
 * - `no_show`: The candidate did not come.
 * - `canceled`: It does not take place.
 * - `expired`: The candidate has chosen none of the offered times.
 */
export type InterviewStatus = 'proposed' | 'scheduled' | 'held' | 'no_show' | 'canceled' | 'expired'

/**
 * Who invites the candidate.
 * 
 * - `service`: The service, by email.
 * - `vendor`: The vendor.
 * - `caller`: The caller who placed the order; the service sends nothing.
 */
export type InvitationBy = 'service' | 'vendor' | 'caller'

/**
 * The state of a job.
 * 
 * - `draft`: Not public.
 * - `published`: Public.
 * - `closed`: No longer accepts applications.
 */
export type JobStatus = 'draft' | 'published' | 'closed'

/**
 * How strong the identifier of a match is.
 * 
 * - `strong`: It identifies one person.
 * - `moderate`: It usually identifies one person.
 */
export type MatchStrength = 'strong' | 'moderate'

/**
 * How well a profile matches the search that found it.
 * 
 * - `strong`: Matches all of it.
 * - `good`: Matches most of it.
 * - `fair`: Matches some of it.
 * - `weak`: Matches little of it.
 */
export type MatchTier = 'strong' | 'good' | 'fair' | 'weak'

/**
 * The state of an email.
 * 
 * - `sent`: The mail server accepted it.
 * - `queued`: Not known to be sent; it is never sent twice.
 */
export type MessageStatus = 'sent' | 'queued'

/**
 * Why the publisher of an app is notified.
 * 
 * - `installed`: An owner or admin installed the app.
 * - `access_granted`: An owner or admin decided again about its access: there is a new key.
 * - `access_requested`: The app asks for more; an owner or admin decides with the install link.
 * - `access_dropped`: The app gave up scopes.
 * - `suspended`: The workspace or the operator suspended it.
 * - `resumed`: Who suspended it resumed it. Recover what was missed.
 * - `uninstalled_by_workspace`: An owner or admin uninstalled it.
 * - `uninstalled_by_app`: The app uninstalled itself.
 * - `ended_by_operator`: The operator revoked the app.
 */
export type NoticeReason = 'installed' | 'access_granted' | 'access_requested' | 'access_dropped' | 'suspended' | 'resumed' | 'uninstalled_by_workspace' | 'uninstalled_by_app' | 'ended_by_operator'

/**
 * What the vendor concludes.
 * 
 * - `recommended`: Recommended.
 * - `not_recommended`: Not recommended.
 * - `inconclusive`: Not certain.
 * - `clear`: Nothing was found.
 * - `consider`: Something was found that a person should look at.
 * - `none`: The vendor draws no conclusion.
 */
export type OrderOutcome = 'recommended' | 'not_recommended' | 'inconclusive' | 'clear' | 'consider' | 'none'

/**
 * Why an order has its status.
 * 
 * - `vendor_timeout`: The vendor did not respond for 7 days.
 * - `vendor_error`: A fault of the vendor.
 * - `unsupported_country`: The vendor does not work in the country.
 * - `candidate_unreachable`: The candidate did not respond to the vendor.
 * - `duplicate`: The vendor has done the same before.
 * - `other`: Something else; the message says what.
 * - `canceled_by_workspace`: The workspace canceled it.
 * - `app_uninstalled`: The vendor was removed from the workspace.
 * - `application_withdrawn`: The candidate withdrew the application.
 * - `application_rejected`: The application was rejected.
 * - `processing_stopped`: The data of the candidate is no longer processed.
 */
export type OrderReason = 'vendor_timeout' | 'vendor_error' | 'unsupported_country' | 'candidate_unreachable' | 'duplicate' | 'other' | 'canceled_by_workspace' | 'app_uninstalled' | 'application_withdrawn' | 'application_rejected' | 'processing_stopped'

/**
 * The state of an order.
 * 
 * - `requested`: The vendor has not accepted it yet.
 * - `invited`: Accepted; the candidate has not started.
 * - `in_progress`: The candidate has started, or the vendor works on it.
 * - `completed`: Done; there is a result.
 * - `declined`: The vendor declined it.
 * - `failed`: It could not be carried out.
 * - `expired`: The due date passed.
 * - `canceled`: Canceled.
 */
export type OrderStatus = 'requested' | 'invited' | 'in_progress' | 'completed' | 'declined' | 'failed' | 'expired' | 'canceled'

/**
 * Who is to do something.
 * 
 * - `vendor`: The vendor.
 * - `candidate`: The candidate.
 * - `workspace`: The workspace.
 */
export type OrderWaitingOn = 'vendor' | 'candidate' | 'workspace'

/**
 * The kind of check or assessment.
 * 
 * - `skills_test`: A test of skills.
 * - `cognitive_test`: A test of reasoning.
 * - `personality_test`: A questionnaire about personality.
 * - `video_interview`: An interview that is recorded.
 * - `work_sample`: A task from the work.
 * - `reference_check`: Questions to former employers.
 * - `background_check`: A check of the past. Findings stay with the vendor.
 * - `identity_check`: A check of identity. Findings stay with the vendor.
 * - `other`: Something else.
 */
export type PackageKind = 'skills_test' | 'cognitive_test' | 'personality_test' | 'video_interview' | 'work_sample' | 'reference_check' | 'background_check' | 'identity_check' | 'other'

/**
 * Whether a package can be ordered.
 * 
 * - `pending`: Waits until an owner or admin offers it.
 * - `active`: Can be ordered.
 * - `withdrawn`: Can no longer be ordered.
 */
export type PackageStatus = 'pending' | 'active' | 'withdrawn'

/**
 * Why a résumé could not be parsed. All but `internal` are faults of the file.
 * 
 * - `no_text`: The file has no text or nearly none: it is empty, or a scan.
 * - `unreadable`: The file is damaged.
 * - `encrypted`: The file needs a password.
 * - `unsupported`: The content is not a PDF, Word, RTF or text document, whatever the file says it is.
 * - `too_large`: The content is too large once it is unpacked.
 * - `timeout`: Reading the file took too long.
 * - `internal`: The service failed three times to read the file. The file may be correct.
 */
export type ParseError = 'no_text' | 'unreadable' | 'encrypted' | 'unsupported' | 'too_large' | 'timeout' | 'internal'

/**
 * What placed an order.
 * 
 * - `user`: A person.
 * - `credential`: An API key or a connected app.
 * - `stage_rule`: A rule of the stage that the application entered.
 */
export type PlacedByObject = 'user' | 'credential' | 'stage_rule'

/**
 * The plan of the workspace.
 * 
 * - `starter`: Starter.
 * - `growth`: Growth.
 * - `enterprise`: Enterprise.
 */
export type PlanCode = 'starter' | 'growth' | 'enterprise'

/**
 * The object of a record of a person.
 * 
 * - `applicant`: A person who applied.
 * - `sourced_profile`: A profile that the workspace saved.
 * - `pool_profile`: A profile of the shared pool.
 */
export type ProfileObject = 'applicant' | 'sourced_profile' | 'pool_profile'

/**
 * Who wrote a pre-screen question.
 * 
 * - `template`: The template of the workspace.
 * - `ai`: Written for the job by the product.
 * - `recruiter`: A recruiter.
 */
export type QuestionSource = 'template' | 'ai' | 'recruiter'

/**
 * What an interviewer recommends.
 * 
 * - `strong_yes`: Certainly hire.
 * - `yes`: Hire.
 * - `no_decision`: Undecided.
 * - `no`: Do not hire.
 * - `strong_no`: Certainly do not hire.
 */
export type Recommendation = 'strong_yes' | 'yes' | 'no_decision' | 'no' | 'strong_no'

/**
 * Why an identifier was not resolved.
 * 
 * - `no_match`: The key can read no matching record.
 * - `not_an_identity`: The value does not identify one person.
 */
export type ResolutionReason = 'no_match' | 'not_an_identity'

/**
 * What a score counts.
 * 
 * - `points`: Points.
 * - `percent`: Percent of what can be reached.
 * - `percentile`: A rank: percent of people who scored lower.
 * - `band`: A rank in bands.
 */
export type ScoreUnit = 'points' | 'percent' | 'percentile' | 'band'

/**
 * Whether the candidate agreed to the pre-screen.
 * 
 * - `pending`: Not decided.
 * - `granted`: Agreed.
 * - `declined`: Declined.
 */
export type ScreeningConsent = 'pending' | 'granted' | 'declined'

/**
 * A value of the candidate that the vendor can read.
 * 
 * - `email`: The email address.
 * - `phone`: The phone number.
 * - `resume`: The résumé.
 */
export type SharedValue = 'email' | 'phone' | 'resume'

/**
 * What happens in a stage of a pipeline.
 * 
 * - `applied`: New applications arrive here.
 * - `screen`: First screening.
 * - `assessment`: Tests and tasks.
 * - `interview`: Interviews.
 * - `offer`: An offer was made.
 * - `hired`: Final: the candidate was hired.
 * - `rejected`: Final: the application was rejected.
 * - `custom`: A stage of the company’s own.
 */
export type StageType = 'applied' | 'screen' | 'assessment' | 'interview' | 'offer' | 'hired' | 'rejected' | 'custom'

/**
 * Why the data must no longer be processed.
 * 
 * - `erasure_request`: The person asked for erasure.
 * - `stop_processing`: The person asked for processing to stop.
 * - `legal_request`: The law requires it.
 */
export type SuppressionReason = 'erasure_request' | 'stop_processing' | 'legal_request'

/**
 * What a test workspace is filled with.
 * 
 * - `none`: Nothing.
 * - `small`: Some jobs, applications, profiles and a list.
 * - `checks`: The same, and packages of a vendor that the service plays.
 */
export type TestWorkspaceSeed = 'none' | 'small' | 'checks'

/**
 * What a user is.
 * 
 * - `person`: A person.
 * - `app`: The user of an installed app: the author of what the app writes.
 */
export type UserKind = 'person' | 'app'

/**
 * Whether a version is maintained.
 * 
 * - `current`: The newest version.
 * - `supported`: An older version without an end date.
 * - `deprecated`: Ends at `sunset_at`.
 */
export type VersionStatus = 'current' | 'supported' | 'deprecated'

/**
 * How many workspaces a key has access to.
 * 
 * - `single`: One workspace.
 * - `list`: Several workspaces.
 * - `all`: Every workspace of the account.
 */
export type WorkspaceScope = 'single' | 'list' | 'all'

/** A list was created. */
export interface ListCreatedEvent {
  object: 'event'
  id: string
  type: 'list.created'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ListCreatedEventData
  links: EventLinks
}

export interface ListCreatedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ListCreatedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ListCreatedEventRecord {
  object: 'list'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The project of the list; null if it has none. */
  project_id: string | null
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** A list was deleted. */
export interface ListDeletedEvent {
  object: 'event'
  id: string
  type: 'list.deleted'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ListDeletedEventData
  links: EventLinks
}

export interface ListDeletedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ListDeletedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ListDeletedEventRecord {
  object: 'list'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The project of the list; null if it has none. */
  project_id: string | null
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

export type ListMember = SourcedProfileMember | ApplicantMember

/** The result for each member in the request. */
export interface ListMemberBatch {
  object: 'list_member_batch'
  /** list handle */
  list_id: string
  /** How many you sent; the other four counts add up to it. */
  requested: number
  added: number
  already_in_list: number
  /** Malformed, in another workspace, or nonexistent. The response does not say which. */
  not_found: number
  /** Applicants cannot be added to a list. */
  unsupported: number
  /** The number of members after the call; null if nothing was added. */
  candidate_count: number | null
  /** One entry for each item, in the order sent. */
  results: ListMemberBatchResult[]
}

export interface ListMemberBatchResult {
  /** Position in the request, from 0. */
  index: number
  status: ListMemberOutcome
  sourced_profile_id: string | null
  applicant_id: string | null
  membership: ListMembership | null
}

/**
 * What became of one item.
 * 
 * - `added`: It was added.
 * - `already_in_list`: It was in the list already.
 * - `not_found`: There is no such profile.
 * - `unsupported`: Applicants cannot be added to a list.
 */
export type ListMemberOutcome = 'added' | 'already_in_list' | 'not_found' | 'unsupported'

/** A sourced profile in a list, with its stage there. */
export interface ListMembership {
  object: 'list_membership'
  /** list_membership handle */
  id: string
  /** list handle */
  list_id: string
  /** sourced_profile handle */
  sourced_profile_id: string
  /** A stage key or a custom label; null if there is none. */
  stage: string | null
  stage_updated_at: string | null
  added_at: string
  /** Related records; only if the request has `include`. */
  included?: ListMembershipIncluded
  /** Fields that the key cannot read; `restricted_reason` says why. */
  restricted?: string[]
  /** included.sourced_profile: scope_required:sourced_profiles:read */
  restricted_reason?: RestrictedReasons
}

/** A profile was added to a list. */
export interface ListMembershipAddedEvent {
  object: 'event'
  id: string
  type: 'list_membership.added'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ListMembershipAddedEventData
  links: EventLinks
}

export interface ListMembershipAddedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ListMembershipAddedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ListMembershipAddedEventRecord {
  object: 'list_membership'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The list. */
  list_id: string
  /** The profile in the list. */
  sourced_profile_id: string
  /** The stage after the change: a stage key or a custom label; null if there is none. */
  stage: string | null
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

export interface ListMembershipIncluded {
  /** Needs sourced_profiles:read; otherwise listed in `restricted`. */
  sourced_profile?: SourcedProfile | null
}

export interface ListMembershipPage {
  object: 'list'
  data: ListMembership[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

/** A profile was removed from a list. Delete your stored row. */
export interface ListMembershipRemovedEvent {
  object: 'event'
  id: string
  type: 'list_membership.removed'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ListMembershipRemovedEventData
  links: EventLinks
}

export interface ListMembershipRemovedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ListMembershipRemovedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ListMembershipRemovedEventRecord {
  object: 'list_membership'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The list. */
  list_id: string
  /** The profile in the list. */
  sourced_profile_id: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** The stage of a list member changed. */
export interface ListMembershipStageChangedEvent {
  object: 'event'
  id: string
  type: 'list_membership.stage_changed'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ListMembershipStageChangedEventData
  links: EventLinks
}

export interface ListMembershipStageChangedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ListMembershipStageChangedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ListMembershipStageChangedEventRecord {
  object: 'list_membership'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The list. */
  list_id: string
  /** The profile in the list. */
  sourced_profile_id: string
  /** The stage after the change: a stage key or a custom label; null if there is none. */
  stage: string | null
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** A list or its membership changed. */
export interface ListUpdatedEvent {
  object: 'event'
  id: string
  type: 'list.updated'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ListUpdatedEventData
  links: EventLinks
}

export interface ListUpdatedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ListUpdatedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ListUpdatedEventRecord {
  object: 'list'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The project of the list; null if it has none. */
  project_id: string | null
  /** The number of members after the change. */
  candidate_count: number
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/**
 * Where the work is done.
 * 
 * - `remote`: From anywhere, or from the named locations.
 * - `hybrid`: Partly on site.
 * - `onsite`: On site.
 */
export type LocationType = 'remote' | 'hybrid' | 'onsite'

/**
 * How certain a match is.
 * 
 * - `exact`: Found by a LinkedIn URL.
 * - `probable`: Found by an email address.
 */
export type MatchConfidence = 'exact' | 'probable'

/** An email to an applicant. `sent`: the mail provider accepted it. `queued`: it is being sent, or its result is unknown because the response of the mail provider was lost. It is never sent twice. */
export interface Message {
  object: 'message'
  /** message handle */
  id: string
  status: Open<MessageStatus>
  /** Exactly one of `application_id` or `applicant_id`. */
  to: MessageTo
  sent_at: string | null
}

export type MessageRecipient = ApplicationRecipient | ApplicantRecipient

export interface MessageTo {
  /** application handle */
  application_id?: string
  /** applicant handle */
  applicant_id?: string
}

export interface MoveApplicationRequest {
  stage_id: string
  expected_updated_at?: string | undefined
}

/** A note on an application, for the hiring team. */
export interface Note {
  object: 'note'
  id: string
  /** application handle */
  application_id: string
  body: string
  /** user handle */
  author_user_id: string | null
  created_at: string
}

export interface NotePage {
  object: 'list'
  data: Note[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export type OpenapiDocument = Record<string, unknown>

/** A test or check of a candidate that a vendor carries out, with its result. */
export interface Order {
  object: 'order'
  /** order handle */
  id: string
  /** workspace handle */
  workspace_id: string
  /** application handle */
  application_id: string
  /** applicant handle */
  applicant_id: string | null
  /** job handle */
  job_id: string
  /** pipeline_stage handle */
  stage_id: string | null
  /** package handle */
  package_id: string
  /** As it was when it was ordered. */
  package_name: string
  kind: Open<PackageKind>
  /** The vendor: a key, or an installed app. */
  vendor: OrderVendor
  status: Open<OrderStatus>
  /** Null: no one. */
  waiting_on: Open<OrderWaitingOn> | null
  /** Why it has this status, where that is not plain. */
  status_reason: OrderStatusReason | null
  placed_by: OrderPlacedBy
  /** What the caller who placed it calls it. */
  source: OrderSource | null
  /** The id that the vendor gave it. */
  external_id: string | null
  /** A page of the vendor for recruiters. */
  external_url: string | null
  /** Opens the test. Needs orders:write; otherwise listed in `restricted`. */
  candidate_url?: string | null
  /** 1, and one more for each repetition. */
  attempt: number
  /** order handle */
  previous_order_id: string | null
  invitation: OrderInvitation
  requested_at: string
  accepted_at: string | null
  started_at: string | null
  completed_at: string | null
  /** Null until it is known. */
  due_at: string | null
  updated_at: string
  result_received: boolean
  links: OrderLinks
  /** Null until the vendor completes the order. Needs orders:results:read; otherwise listed in `restricted`. */
  result?: OrderResult | null
  /** Fields that the key cannot read; `restricted_reason` says why. */
  restricted?: string[]
  /** candidate_url: scope_required:orders:write; result: scope_required:orders:results:read */
  restricted_reason?: RestrictedReasons
}

/** The candidate of an order, as far as its package shares it. */
export interface OrderCandidate {
  object: 'order_candidate'
  /** order handle */
  order_id: string
  first_name: string | null
  last_name: string | null
  /** The language in which the candidate applied, as two letters. */
  language: string | null
  /** Costs one personal-data unit per value. */
  email?: string | null
  /** Costs one personal-data unit per value. */
  phone?: string | null
  resume?: OrderCandidateResume | null
  /** Fields that the key cannot read; `restricted_reason` says why. */
  restricted?: string[]
  /** email: never_exposed:consent_scope; phone: never_exposed:consent_scope; resume: never_exposed:consent_scope */
  restricted_reason?: RestrictedReasons
}

export interface OrderCandidateResume {
  filename: string
  mime: string
  bytes: number
  links: OrderCandidateResumeLinks
}

export interface OrderCandidateResumeLinks {
  download: string
}

/** A check or assessment was ordered. */
export interface OrderCreatedEvent {
  object: 'event'
  id: string
  type: 'order.created'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: OrderCreatedEventData
  links: EventLinks
}

export interface OrderCreatedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: OrderCreatedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface OrderCreatedEventRecord {
  object: 'order'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The status after the change. */
  status: Open<OrderStatus>
  /** The application that it is about. */
  application_id: string
  /** The job of the application. */
  job_id: string
  /** The package that was ordered. */
  package_id: string
  /** 1, and one more for each repetition. */
  attempt: number
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** An order was deleted. Delete your copy. */
export interface OrderDeletedEvent {
  object: 'event'
  id: string
  type: 'order.deleted'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: OrderDeletedEventData
  links: EventLinks
}

export interface OrderDeletedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: OrderDeletedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface OrderDeletedEventRecord {
  object: 'order'
  id: string
  workspace_id: string | null
  updated_at: string
  /** Why it was deleted: `application_deleted`, `retention` or `erasure_request`. */
  reason: string
  /** The package that was ordered. */
  package_id: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

export interface OrderIncluded {
  /** Needs applications:read; otherwise listed in `restricted`. */
  application?: Application | null
  /** Needs applicants:read; otherwise listed in `restricted`. */
  applicant?: Applicant | null
  /** Needs jobs:read; otherwise listed in `restricted`. */
  job?: JobSummary | null
}

export interface OrderInvitation {
  by: Open<InvitationBy>
  sent_at: string | null
  reminders: number
  last_reminded_at: string | null
}

export interface OrderLinks {
  self: string
  application: string
  result: string
  candidate: string
}

export interface OrderPage {
  object: 'list'
  data: OrderSummary[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export interface OrderPlacedBy {
  object: Open<PlacedByObject>
  /** The handle of the person, of the key or of the stage. */
  id: string
}

export interface OrderReport {
  id: string
  filename: string
  mime: string
  bytes: number
  links: OrderResultReportLinks
}

/** What the vendor found. No rule of the service decides by it. */
export interface OrderResult {
  object: 'order_result'
  /** order handle */
  order_id: string
  /** 1, and one more for each correction by the vendor. */
  revision: number
  outcome: Open<OrderOutcome>
  /** Null if the vendor gives no score. */
  score: OrderResultScore | null
  /** The score as part of its scale, 0 to 100, to compare orders of one package. Null for ranks. */
  score_pct: number | null
  /** The parts of the test. */
  sections: ResultSection[]
  summary: string | null
  reports: OrderReport[]
  /** It came after the due date. */
  late: boolean
  completed_at: string
  received_at: string
  updated_at: string
}

export interface OrderResultReportLinks {
  content: string
}

export interface OrderResultScore {
  value: number
  min: number
  max: number
  /** From here on it counts as passed. */
  passing: number | null
  unit: Open<ScoreUnit>
}

/** A signed URL of the résumé file of the candidate of an order. */
export interface OrderResumeDownload {
  object: 'resume_download'
  /** order handle */
  order_id: string
  /** Costs one personal-data unit per value. */
  url: string
  /** Seconds. */
  expires_in: number
  filename: string
  mime: string
  bytes: number
}

export interface OrderSource {
  system: string
  external_id: string
}

export interface OrderStatusReason {
  code: Open<OrderReason>
  message: string | null
}

/** An order in a list. */
export interface OrderSummary {
  object: 'order'
  /** order handle */
  id: string
  /** workspace handle */
  workspace_id: string
  /** application handle */
  application_id: string
  /** applicant handle */
  applicant_id: string | null
  /** job handle */
  job_id: string
  /** pipeline_stage handle */
  stage_id: string | null
  /** package handle */
  package_id: string
  /** As it was when it was ordered. */
  package_name: string
  kind: Open<PackageKind>
  /** The vendor: a key, or an installed app. */
  vendor: OrderVendor
  status: Open<OrderStatus>
  /** Null: no one. */
  waiting_on: Open<OrderWaitingOn> | null
  /** Why it has this status, where that is not plain. */
  status_reason: OrderStatusReason | null
  placed_by: OrderPlacedBy
  /** What the caller who placed it calls it. */
  source: OrderSource | null
  /** The id that the vendor gave it. */
  external_id: string | null
  /** A page of the vendor for recruiters. */
  external_url: string | null
  /** Opens the test. Needs orders:write; otherwise listed in `restricted`. */
  candidate_url?: string | null
  /** 1, and one more for each repetition. */
  attempt: number
  /** order handle */
  previous_order_id: string | null
  invitation: OrderInvitation
  requested_at: string
  accepted_at: string | null
  started_at: string | null
  completed_at: string | null
  /** Null until it is known. */
  due_at: string | null
  updated_at: string
  result_received: boolean
  links: OrderLinks
  /** Related records; only if the request has `include`. */
  included?: OrderIncluded
  /** Fields that the key cannot read; `restricted_reason` says why. */
  restricted?: string[]
  /** candidate_url: scope_required:orders:write; included.application: scope_required:applications:read; included.applicant: scope_required:applicants:read; included.job: scope_required:jobs:read; included.application.rejection_reason: scope_required:applications:internal:read; included.application.withdrawal_reason: scope_required:applications:internal:read; included.application.start_date: scope_required:applications:internal:read */
  restricted_reason?: RestrictedReasons
}

/** An order or its result changed; `changed` names what. */
export interface OrderUpdatedEvent {
  object: 'event'
  id: string
  type: 'order.updated'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: OrderUpdatedEventData
  links: EventLinks
}

export interface OrderUpdatedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: OrderUpdatedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface OrderUpdatedEventRecord {
  object: 'order'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The status after the change. */
  status: Open<OrderStatus>
  /** Who is to do something; null: no one. */
  waiting_on: Open<OrderWaitingOn> | null
  /** The package that was ordered. */
  package_id: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

export interface OrderVendor {
  /** The handle of the vendor. */
  id: string
  name: string
}

/** A test or check that a vendor offers. */
export interface Package {
  object: 'package'
  /** package handle */
  id: string
  /** workspace handle */
  workspace_id: string
  /** The vendor: a key, or an installed app. */
  vendor: PackageVendor
  /** Your id of the package. Publishing it again under the same id changes it. */
  external_id: string
  kind: Open<PackageKind>
  /** Candidates and recruiters read it: one line, without a link. */
  name: string
  description: string | null
  /** How long a candidate needs. */
  duration_minutes: number | null
  /** Language tags (BCP 47), such as `de` or `pt-BR`. */
  languages: string[]
  /** Countries of candidates (ISO 3166-1, two letters). None: all countries. */
  countries: string[]
  /** A page about the package. Stored and returned in ASCII: other letters of the host as Punycode, those of the path percent-encoded. */
  info_url: string | null
  /** Your privacy notice, which candidates are shown. Stored and returned in ASCII: other letters of the host as Punycode, those of the path percent-encoded. */
  privacy_url: string
  /** Who sends the invitation. If the service does, you supply the link when you accept an order. */
  invitation: PackageInvitation
  /** The DNS name of the links that candidates open. Required if the service invites, else null. */
  candidate_host: string | null
  /** What you can read of the candidate of an open order, besides the name. */
  shares: Open<SharedValue>[]
  /** Days from acceptance to the due date, 1 to 90. Default 14. */
  completion_days: number
  status: Open<PackageStatus>
  created_at: string
  updated_at: string
  links: PackageLinks
}

/**
 * Who sends the invitation to the candidate.
 * 
 * - `service`: The service; the vendor supplies the link.
 * - `vendor`: The vendor.
 */
export type PackageInvitation = 'service' | 'vendor'

export interface PackageLinks {
  self: string
}

export interface PackagePage {
  object: 'list'
  data: Package[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export interface PackageVendor {
  /** The handle of the vendor. */
  id: string
  name: string
}

/**
 * The state of parsing a résumé.
 * 
 * - `pending`: Waits for parsing.
 * - `parsing`: Parsing is in progress.
 * - `parsed`: The parsed profile is available.
 * - `failed`: The file could not be parsed.
 */
export type ParseStatus = 'pending' | 'parsing' | 'parsed' | 'failed'

/** What the records of the workspace contain about one identifier. A lookup result, not a record. */
export interface Person {
  object: 'person'
  /** person handle */
  id: string
  /** person handle */
  canonical_id: string
  /** Other handles of the same person. */
  aliases: string[]
  identity: PersonIdentity
  /** Always false: a person is a lookup result, not a record. */
  authoritative: boolean
  display: PersonDisplay
  display_source: PersonDisplaySource
  profiles: PersonProfile[]
  counts: PersonCounts
  links: PersonLinks
  /** Fields that the key cannot read; `restricted_reason` says why. */
  restricted?: string[]
  /** identity.value: scope_required:contact:read */
  restricted_reason?: RestrictedReasons
}

/** The canonical handle of a person changed. Update your stored handle. */
export interface PersonCanonicalIdChangedEvent {
  object: 'event'
  id: string
  type: 'person.canonical_id_changed'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: PersonCanonicalIdChangedEventData
  links: EventLinks
}

export interface PersonCanonicalIdChangedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: PersonCanonicalIdChangedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface PersonCanonicalIdChangedEventRecord {
  object: 'person'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The handle to store for the person. */
  canonical_id: string
  /** The handle that was canonical before. */
  previous_canonical_id: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

export interface PersonCounts {
  profiles: number
  sourced_profiles: number
  applicants: number
  pool_profiles: number
  exact_matches: number
}

export interface PersonDisplay {
  full_name: string | null
  headline: string | null
  location: string | null
  photo_url: string | null
}

export interface PersonDisplaySource {
  object: Open<ProfileObject>
  id: string
  /** workspace handle */
  workspace_id: string | null
}

export interface PersonIdentity {
  kind: Open<IdentityKind>
  /** In normalized form. An email address is free when you resolve it yourself, and charged when you read the person by handle. Needs contact:read; otherwise listed in `restricted`. Costs one personal-data unit per value. */
  value?: string
}

/** Two identifiers were found to belong to one person. */
export interface PersonIdentityLinkedEvent {
  object: 'event'
  id: string
  type: 'person.identity_linked'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: PersonIdentityLinkedEventData
  links: EventLinks
}

export interface PersonIdentityLinkedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: PersonIdentityLinkedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface PersonIdentityLinkedEventRecord {
  object: 'person'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The handle to store for the person. */
  canonical_id: string
  /** The handle that was found to belong to the same person. */
  linked_id: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

export interface PersonLinks {
  self: string
  profiles: string
  contact_info: string
  resumes: string
  applications: string
}

export interface PersonProfile {
  object: Open<ProfileObject>
  id: string
  /** workspace handle */
  workspace_id: string | null
  match: ProfileMatch
  provenance: ProfileOrigin
}

/** One personal-data value that this key received. */
export interface PersonalDataRead {
  object: 'personal_data_read'
  subject: RecordSubject
  field: string
  /** The number of units charged to the daily budget. */
  units: number
  /** request handle */
  request_id: string
  /** user handle */
  acting_user_id: string | null
  at: string
}

export interface PersonalDataReadPage {
  object: 'list'
  data: PersonalDataRead[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

/** The service is up. */
export interface Ping {
  object: 'ping'
  ok: boolean
  api_version: string
}

/** A test of a webhook endpoint. It is in no feed: its sequence is 0, and links.self is the path of the endpoint. */
export interface PingEvent {
  object: 'event'
  id: string
  type: 'ping'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: PingEventData
  links: EventLinks
}

export interface PingEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: PingEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface PingEventRecord {
  object: 'webhook_endpoint'
  id: string
  workspace_id: string | null
  updated_at: string
}

/** A stage of the pipeline of one job. */
export interface PipelineStage {
  object: 'pipeline_stage'
  /** pipeline_stage handle */
  id: string
  /** job handle */
  job_id: string
  name: string
  /** Sort order, ascending. */
  position: number
  type: Open<StageType>
  /** A final stage, such as Hired or Rejected. */
  is_terminal: boolean
  /** Applications in this stage now. */
  application_count: number
}

export interface PipelineStagePage {
  object: 'list'
  data: PipelineStage[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

/** A stage without the number of its applications. */
export interface PipelineStageSummary {
  object: 'pipeline_stage'
  /** pipeline_stage handle */
  id: string
  name: string
  /** Sort order, ascending. */
  position: number
  type: Open<StageType>
  /** A final stage, such as Hired or Rejected. */
  is_terminal: boolean
}

export interface PlaceOrderRequest {
  /** An application that is open, or whose candidate was hired. */
  application_id: string
  /** An active package. */
  package_id: string
  /** When it must be completed. An hour to 90 days ahead. Default: `completion_days` of the package after its acceptance. */
  due_at?: string | undefined
  source?: PlaceOrderSource | undefined
}

export interface PlaceOrderSource {
  /** Your system: 2 to 40 characters from a-z, 0-9 and _. Some names are reserved. */
  system: string
  /** Your id of the record. Together with the system it identifies the record. */
  external_id: string
}

/** A batch of pool profiles was loaded. */
export interface PoolBatchUpsertedEvent {
  object: 'event'
  id: string
  type: 'pool.batch_upserted'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: PoolBatchUpsertedEventData
  links: EventLinks
}

export interface PoolBatchUpsertedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: PoolBatchUpsertedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface PoolBatchUpsertedEventRecord {
  object: 'pool_batch'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The number of profiles in the batch. */
  count: number
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** A public professional profile of the shared pool. The pool has no contact details. */
export interface PoolProfile {
  object: 'pool_profile'
  /** pool_profile handle */
  id: string
  /** workspace handle */
  workspace_id: string | null
  full_name: string | null
  headline: string | null
  job_title: string | null
  company_name: string | null
  company_industry: string | null
  company_website: string | null
  company_linkedin_url: string | null
  department: string | null
  management_level: string | null
  location_full: string | null
  location_country: string | null
  linkedin_url: string | null
  github_url: string | null
  photo_url: string | null
  summary: string | null
  skills: string[]
  languages: string[]
  total_experience_months: number | null
  connections_count: number | null
  follower_count: number | null
  first_seen_at: string
  last_seen_at: string
  /** Only in search results: 0 to 100, relative to the search. */
  match_score?: number
  /** Relative to the search that found the person; not a general rating. */
  match_tier?: Open<MatchTier>
  provenance: PoolProfileProvenance
  links: PoolProfileLinks
}

export interface PoolProfileLinks {
  self: string
}

export interface PoolProfilePage {
  object: 'list'
  data: PoolProfile[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export interface PoolProfileProvenance {
  origin: RecordOrigin
  /** How it was acquired, for example inbound_application, added_by_team, referral, file_import or xray_search. */
  acquisition: string
  provider: string | null
  /** workspace handle */
  owner_workspace_id: string | null
  first_seen_at: string
  last_seen_at: string
  /** Always respect `unsubscribed`, whatever your scopes are. */
  consent: ProvenanceConsent
  licence: ProvenanceLicence
  contact_info_available: boolean
}

export interface PrescreenQuestion {
  id: string
  /** Sort order, ascending. */
  position: number
  prompt: string
  response_key: string
  answer_type: Open<AnswerType>
  choices: string[] | null
  required: boolean
  source: Open<QuestionSource>
}

/** The phone pre-screen questions: standard questions, and up to five specific to the job. */
export interface PrescreenQuestions {
  object: 'prescreen_questions'
  /** job handle */
  job_id: string
  common: PrescreenQuestion[]
  adaptive: PrescreenQuestion[]
}

export interface ProfileMatch {
  on: Open<IdentityKind>
  /** `exact` for a LinkedIn URL, `probable` for an email address. */
  confidence: MatchConfidence
  strength: Open<MatchStrength>
}

export interface ProfileOrigin {
  origin: string
  provider: string | null
}

/** A link to a record of a person; `object` is the type of the record. */
export interface ProfilePointer {
  object: Open<ProfileObject>
  id: string
  /** workspace handle */
  workspace_id: string | null
  match: ProfileMatch
  provenance: ProfileOrigin
}

export interface ProfilePointerPage {
  object: 'list'
  data: ProfilePointer[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export interface ProgressOrderRequest {
  /** Default: now, the first time. */
  started_at?: string | undefined
  waiting_on?: OrderWaitingOn | undefined
  /** For the hiring team. */
  message?: string | undefined
  expected_updated_at?: string | undefined
}

/** A project: a folder of candidate lists. */
export interface Project {
  object: 'project'
  /** project handle */
  id: string
  /** workspace handle */
  workspace_id: string
  name: string
  description: string | null
  created_at: string
  updated_at: string
  links: ProjectLinks
}

export interface ProjectLinks {
  self: string
  lists: string
}

export interface ProjectPage {
  object: 'list'
  data: Project[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export interface Provenance {
  origin: RecordOrigin
  /** How it was acquired, for example inbound_application, added_by_team, referral, file_import or xray_search. */
  acquisition: string
  provider: string | null
  /** workspace handle */
  owner_workspace_id: string | null
  first_seen_at: string
  last_seen_at: string
  /** Always respect `unsubscribed`, whatever your scopes are. */
  consent: ProvenanceConsent
  licence: ProvenanceLicence
}

export interface ProvenanceConsent {
  basis: ConsentBasis
  candidate_facing_notice: boolean
  unsubscribed: boolean
  /** The person asked for processing to stop. Only the record itself is returned, without details. */
  suppressed: boolean
}

export interface ProvenanceLicence {
  redistributable: boolean
  note: string
}

export interface PublishHint {
  param: string
  message: string
}

export interface PublishJobRequest {
  expected_updated_at?: string | undefined
}

export interface PublishPackageRequest {
  /** Your id of the package. Publishing it again under the same id changes it. */
  external_id: string
  kind: PackageKind
  /** Candidates and recruiters read it: one line, without a link. */
  name: string
  description?: string | null | undefined
  /** How long a candidate needs. */
  duration_minutes?: number | null | undefined
  /** Language tags (BCP 47), such as `de` or `pt-BR`. */
  languages?: string[] | null | undefined
  /** Countries of candidates (ISO 3166-1, two letters). None: all countries. */
  countries?: string[] | null | undefined
  /** A page about the package. Stored and returned in ASCII: other letters of the host as Punycode, those of the path percent-encoded. */
  info_url?: string | null | undefined
  /** Your privacy notice, which candidates are shown. Stored and returned in ASCII: other letters of the host as Punycode, those of the path percent-encoded. */
  privacy_url: string
  /** Who sends the invitation. If the service does, you supply the link when you accept an order. */
  invitation: PackageInvitation
  /** The DNS name of the links that candidates open. Required if the service invites, else null. */
  candidate_host?: string | null | undefined
  /** What you can read of the candidate of an open order, besides the name. */
  shares?: SharedValue[] | null | undefined
  /** Days from acceptance to the due date, 1 to 90. Default 14. */
  completion_days?: number | null | undefined
}

/** Whether a job can be published, and what is missing. */
export interface PublishReadiness {
  object: 'publish_readiness'
  /** job handle */
  job_id: string
  ready: boolean
  errors: PublishHint[]
  /** Suggestions that do not prevent publishing. */
  hints: PublishHint[]
}

export interface PushJobCompensation {
  salary_min?: number | null | undefined
  salary_max?: number | null | undefined
  currency?: string | null | undefined
  interval?: SalaryInterval | null | undefined
  equity?: string | null | undefined
  commission?: boolean | null | undefined
  /** Whole currency units. */
  unit?: 'major' | undefined
}

export interface PushJobContent {
  summary?: string | null | undefined
  /** Markdown. Sanitize it before rendering. */
  description_md?: string | null | undefined
  responsibilities?: string[] | null | undefined
  requirements?: string[] | null | undefined
  nice_to_have?: string[] | null | undefined
  skills_required?: string[] | null | undefined
  skills_preferred?: string[] | null | undefined
  benefits?: string[] | null | undefined
}

export interface PushJobRequest {
  source: PushJobSource
  /** At most 300 characters, not counting leading and trailing spaces. */
  title: string
  department?: string | null | undefined
  team?: string | null | undefined
  employment_type?: EmploymentType | null | undefined
  location_type?: LocationType | null | undefined
  locations?: string[] | null | undefined
  experience_level?: ExperienceLevel | null | undefined
  years_min?: number | null | undefined
  years_max?: number | null | undefined
  /** The language of the texts, in the two letters of ISO 639-1, such as `de`. Null: no one chose one, and the careers site detects it from the texts. */
  language?: string | null | undefined
  content?: PushJobContent | null | undefined
  /** In whole currency units, never cents. */
  compensation?: PushJobCompensation | null | undefined
  /** Whether the job accepts applications while it is published. */
  accept_applications?: boolean | null | undefined
  /** Publishes the job after it is stored. */
  publish?: boolean | undefined
  /** Closes the job after it is stored. */
  status?: 'closed' | undefined
}

export interface PushJobSource {
  /** Your system: 2 to 40 characters from a-z, 0-9 and _. Some names are reserved. */
  system: string
  /** Your id of the record. Together with the system it identifies the record. */
  external_id: string
  /** The public page of the job. Stored and returned in ASCII: other letters of the host as Punycode, those of the path percent-encoded. */
  canonical_url?: string | null | undefined
  company_name?: string | null | undefined
  /** The logo of the employer. Stored and returned in ASCII: other letters of the host as Punycode, those of the path percent-encoded. */
  company_logo_url?: string | null | undefined
}

/**
 * Where a record comes from.
 * 
 * - `applicant`: The person applied.
 * - `ats_import`: Added by the team, typed in or from a file. Also imported from an ATS, which this version does not do: only the demo has such records.
 * - `sourced`: Found and saved by the workspace.
 * - `shared_pool`: From the shared pool.
 */
export type RecordOrigin = 'applicant' | 'ats_import' | 'sourced' | 'shared_pool'

export interface RecordSubject {
  object: string
  id: string
}

export interface RecoverWebhookEndpointRequest {
  /** The sequence to start after. */
  after: number
}

export interface RejectApplicationRequest {
  /** Internal; never sent to the candidate. */
  reason: string
  expected_updated_at?: string | undefined
}

export interface ReopenApplicationRequest {
  expected_updated_at?: string | undefined
}

export interface ReopenJobRequest {
  expected_updated_at?: string | undefined
}

export interface RepeatOrderRequest {
  expected_updated_at?: string | undefined
}

/**
 * The type of a report file.
 * 
 * - `application/pdf`: PDF.
 */
export type ReportMediaType = 'application/pdf'

export interface ResetTestWorkspaceRequest {
  /** What to fill the workspace with: nothing (`none`), some jobs, applications, profiles and a list (`small`), or these and packages of a vendor that the service plays (`checks`). */
  seed?: TestWorkspaceSeed | undefined
}

/** The result for one key of a batch. */
export interface Resolution {
  object: 'resolution'
  input: IdentityInput
  matched: boolean
  person?: ResolutionPerson
  /** `no_match`: the key can read no matching record. `not_an_identity`: a role address, or another value that does not identify one person. */
  reason?: Open<ResolutionReason>
}

export interface ResolutionPage {
  object: 'list'
  data: Resolution[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export interface ResolutionPerson {
  object: 'person'
  /** person handle */
  id: string
  /** person handle */
  canonical_id: string
  counts: ResolutionPersonCounts
}

export interface ResolutionPersonCounts {
  profiles: number
  exact_matches: number
}

export interface ResolvePeopleKey {
  /** The kind of identifier. */
  kind: IdentityKind
  value: string
}

export interface ResolvePeopleRequest {
  /** Identifiers to resolve. Results are in the same order. */
  keys: ResolvePeopleKey[]
}

/** What the key can read of one resource. */
export interface ResourceAccess {
  object: 'resource_access'
  resource: string
  /** the read scope; null if any key can read it */
  scope: string | null
  readable: boolean
  fields: ResourceAccessField[]
}

export interface ResourceAccessField {
  name: string
  state: Open<FieldAccess>
  reason: string | null
}

export interface ResourceAccessPage {
  object: 'list'
  data: ResourceAccess[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export type RestrictedReasons = Record<string, string>

export interface ResultSection {
  name: string
  score: Score | null
  comment: string | null
}

/** The résumé of an application. `parsed` is null until the file has been parsed. */
export interface Resume {
  object: 'resume'
  /** resume handle */
  id: string
  /** application handle */
  application_id: string
  filename: string
  mime: string
  bytes: number
  parse_status: ParseStatus
  /** Why parsing failed. Null unless `parse_status` is `failed`, and for files that failed before this field existed. */
  parse_error: Open<ParseError> | null
  /** Résumés can be downloaded for 90 days, then only viewed. From day 120 they are locked. */
  resume_access: ResumeAccess
  parsed: ResumeParsed | null
  links: ResumeLinks
  /** Fields that the key cannot read; `restricted_reason` says why. */
  restricted?: string[]
  /** parsed.raw_text: scope_required:resume:raw_text:read */
  restricted_reason?: RestrictedReasons
}

export interface ResumeAccess {
  state: ResumeAccessState
  free_until: string
  view_until: string
  /** When the state changes next without an action; null if it does not. */
  state_changes_at: string | null
  /** The price of unlocking, which the workspace does in the product. */
  unlock_credits: number
  can_view: boolean
  can_download: boolean
}

/** The access state of a résumé changed. */
export interface ResumeAccessChangedEvent {
  object: 'event'
  id: string
  type: 'resume.access_changed'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: ResumeAccessChangedEventData
  links: EventLinks
}

export interface ResumeAccessChangedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: ResumeAccessChangedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface ResumeAccessChangedEventRecord {
  object: 'resume'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The application of the résumé. */
  application_id: string
  /** The access state after the change. */
  state: ResumeAccessState
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/**
 * What may be done with a résumé.
 * 
 * - `open`: View and download; for 90 days.
 * - `view_only`: View only; until day 120.
 * - `locked`: Neither, until it is unlocked.
 * - `unlocked`: View and download, permanently.
 */
export type ResumeAccessState = 'open' | 'view_only' | 'locked' | 'unlocked'

/** A signed, short-lived URL of a résumé file. Do not store it. */
export interface ResumeDownload {
  object: 'resume_download'
  /** application handle */
  application_id: string
  /** Costs one personal-data unit per value. */
  url: string
  /** seconds */
  expires_in: number
  filename: string
  mime: string
  bytes: number
}

export interface ResumeLinks {
  download: string
}

/**
 * The type of a résumé file.
 * 
 * - `application/pdf`: PDF.
 * - `application/vnd.openxmlformats-officedocument.wordprocessingml.document`: Word (DOCX).
 * - `application/msword`: Word (DOC).
 * - `application/rtf`: RTF.
 * - `text/rtf`: RTF.
 * - `text/plain`: Plain text.
 */
export type ResumeMediaType = 'application/pdf' | 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' | 'application/msword' | 'application/rtf' | 'text/rtf' | 'text/plain'

export interface ResumePage {
  object: 'list'
  data: ResumeSummary[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export interface ResumeParsed {
  current_title: string | null
  current_company: string | null
  seniority: string | null
  total_years_experience: number | null
  city: string | null
  country: string | null
  remote_ok: boolean | null
  education_level: string | null
  skills: string[]
  languages: string[]
  /** 0 to 1 */
  extraction_confidence: number
  parsed_at: string
  structured: ResumeStructure
  work_authorization: string | null
  visa_required: boolean | null
  /** The full text of the résumé. Needs resume:raw_text:read; otherwise listed in `restricted`. Costs one personal-data unit per value. */
  raw_text?: string | null
}

export interface ResumeStructure {
  experience: string[]
  education: string[]
}

/** A résumé in the lists of an applicant or a person. `parsed` is null if it is not parsed yet or is locked. The full text is at `links.detail`. */
export interface ResumeSummary {
  object: 'resume'
  /** resume handle */
  id: string
  /** application handle */
  application_id: string
  /** job handle */
  job_id: string
  filename: string
  mime: string
  bytes: number
  parse_status: ParseStatus
  /** Why parsing failed. Null unless `parse_status` is `failed`, and for files that failed before this field existed. */
  parse_error: Open<ParseError> | null
  /** Résumés can be downloaded for 90 days, then only viewed. From day 120 they are locked. */
  resume_access: ResumeAccess
  has_parsed_profile: boolean
  parsed: ResumeSummaryParsed | null
  links: ResumeSummaryLinks
}

export interface ResumeSummaryLinks {
  detail: string
  download: string
}

export interface ResumeSummaryParsed {
  current_title: string | null
  current_company: string | null
  seniority: string | null
  total_years_experience: number | null
  city: string | null
  country: string | null
  remote_ok: boolean | null
  education_level: string | null
  skills: string[]
  languages: string[]
  /** 0 to 1 */
  extraction_confidence: number
  parsed_at: string
  structured: ResumeStructure
  work_authorization: string | null
  visa_required: boolean | null
}

export interface RotateInstallationKeyRequest {
  /** A secret of the app. The key alone is not enough. */
  client_secret: string
  overlap_hours?: number | undefined
}

export interface RotateWebhookSecretRequest {
  /** How long deliveries are also signed with the old secret. Default 86,400. */
  overlap_seconds?: number | undefined
}

/**
 * The time that the salary is paid for.
 * 
 * - `hourly`: One hour.
 * - `monthly`: One month.
 * - `annual`: One year.
 */
export type SalaryInterval = 'hourly' | 'monthly' | 'annual'

export interface Score {
  value: number
  min: number
  max: number
  /** From here on it counts as passed. */
  passing: number | null
  unit: Open<ScoreUnit>
}

export interface ScoreInput {
  value: number
  min: number
  max: number
  passing?: number | null | undefined
  /** Default points. */
  unit?: ScoreUnit | undefined
}

/** An interviewer’s assessment of an application. */
export interface Scorecard {
  object: 'scorecard'
  id: string
  /** application handle */
  application_id: string
  recommendation: Open<Recommendation>
  summary: string | null
  /** pipeline_stage handle */
  stage_id: string | null
  ratings: ScorecardRating[]
  interviewed_at: string | null
  /** A page with the whole report. Stored and returned in ASCII: other letters of the host as Punycode, those of the path percent-encoded. */
  report_url: string | null
  /** user handle */
  author_user_id: string | null
  created_at: string
}

export interface ScorecardPage {
  object: 'list'
  data: Scorecard[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export interface ScorecardRating {
  name: string
  /** 1 to 5 */
  score: number
  comment: string | null
}

/** Whether a phone pre-screen took place and how it went, never what was said. */
export interface Screening {
  object: 'screening'
  /** application handle */
  application_id: string
  /** If false, the record has no other values. */
  has_screening: boolean
  call_status?: Open<CallStatus>
  completion_state?: Open<CompletionState>
  duration_sec?: number | null
  consent_state?: Open<ScreeningConsent>
  /** Whether the identity of the caller is uncertain. */
  ambiguous_caller?: boolean
  started_at?: string | null
  ended_at?: string | null
  /** Fields that the key cannot read; `restricted_reason` says why. */
  restricted?: string[]
  /** responses: never_exposed:consent_scope; transcript: never_exposed:consent_scope; audio: never_exposed:consent_scope */
  restricted_reason?: RestrictedReasons
}

export interface SearchPoolRequest {
  /** Free text that describes the person you are looking for. */
  query?: string | undefined
  /** Words that must match a certain field. One match per list is enough. */
  terms?: SearchPoolTerms | undefined
  limit?: number | undefined
}

export interface SearchPoolTerms {
  titles?: string[] | undefined
  skills?: string[] | undefined
  companies?: string[] | undefined
  locations?: string[] | undefined
}

export interface SeedTestWorkspaceRequest {
  /** What to fill the workspace with: nothing (`none`), some jobs, applications, profiles and a list (`small`), or these and packages of a vendor that the service plays (`checks`). */
  seed?: TestWorkspaceSeed | undefined
}

export interface SendMessageRequest {
  /** exactly one of the two */
  to: MessageRecipient
  /** a single line */
  subject: string
  /** The message as plain text. */
  body_text: string
  /** sanitized; if nothing remains the text is sent alone, as it is where more than 256 elements are inside one another, or more than 12000 elements and pieces of text in all */
  body_html?: string | undefined
  /** Ignored. Replies go to the user that the key belongs to. */
  reply_to_user?: boolean | undefined
}

export interface SetCandidateListMemberStageRequest {
  /** `requested`, `connected`, `pending`, `declined`, `interviewing`, `hired`, `none`, or a label that a member of the list already has. At most 40 characters; other values return `invalid_stage`. */
  stage: string
}

export interface SimulateTestEventRequest {
  event_type: EventType
}

/**
 * The order of a list.
 * 
 * - `asc`: Oldest first.
 * - `desc`: Newest first.
 */
export type SortOrder = 'asc' | 'desc'

/** A candidate that the workspace found and saved. Any field can be null. */
export interface SourcedProfile {
  object: 'sourced_profile'
  /** sourced_profile handle */
  id: string
  /** workspace handle */
  workspace_id: string
  full_name: string | null
  headline: string | null
  job_title: string | null
  company_name: string | null
  company_industry: string | null
  company_website: string | null
  company_linkedin_url: string | null
  department: string | null
  management_level: string | null
  location_full: string | null
  location_country: string | null
  linkedin_url: string | null
  photo_url: string | null
  summary: string | null
  total_experience_months: number | null
  connections_count: number | null
  follower_count: number | null
  /** Relative to the search that found the person; not a general rating. */
  match_score: number | null
  /** Relative to the search that found the person; not a general rating. */
  match_tier: Open<MatchTier> | null
  created_at: string
  updated_at: string
  /** Whether contact details have been revealed. */
  has_contact_info: boolean
  has_resume: boolean
  has_business_card: boolean
  has_profile_photo: boolean
  /** Whether the profile was copied from a LinkedIn page. This version does not do that: always false. */
  has_linkedin_capture: boolean
  provenance: Provenance
  links: SourcedProfileLinks
}

/** A file was attached to a saved profile. */
export interface SourcedProfileAttachmentAddedEvent {
  object: 'event'
  id: string
  type: 'sourced_profile.attachment_added'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: SourcedProfileAttachmentAddedEventData
  links: EventLinks
}

export interface SourcedProfileAttachmentAddedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: SourcedProfileAttachmentAddedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface SourcedProfileAttachmentAddedEventRecord {
  object: 'sourced_profile'
  id: string
  workspace_id: string | null
  updated_at: string
  /** The kind of file. */
  attachment_type: Open<AttachmentType>
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** Contact details were revealed; `changed` names the fields, never the values. */
export interface SourcedProfileContactInfoRevealedEvent {
  object: 'event'
  id: string
  type: 'sourced_profile.contact_info_revealed'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: SourcedProfileContactInfoRevealedEventData
  links: EventLinks
}

export interface SourcedProfileContactInfoRevealedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: SourcedProfileContactInfoRevealedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface SourcedProfileContactInfoRevealedEventRecord {
  object: 'sourced_profile'
  id: string
  workspace_id: string | null
  updated_at: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** A profile was saved. */
export interface SourcedProfileCreatedEvent {
  object: 'event'
  id: string
  type: 'sourced_profile.created'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: SourcedProfileCreatedEventData
  links: EventLinks
}

export interface SourcedProfileCreatedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: SourcedProfileCreatedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface SourcedProfileCreatedEventRecord {
  object: 'sourced_profile'
  id: string
  workspace_id: string | null
  updated_at: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** A saved profile was deleted. */
export interface SourcedProfileDeletedEvent {
  object: 'event'
  id: string
  type: 'sourced_profile.deleted'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: SourcedProfileDeletedEventData
  links: EventLinks
}

export interface SourcedProfileDeletedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: SourcedProfileDeletedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface SourcedProfileDeletedEventRecord {
  object: 'sourced_profile'
  id: string
  workspace_id: string | null
  updated_at: string
  /** Why it was deleted. */
  reason: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

export interface SourcedProfileLinks {
  self: string
  contact_info: string
  attachments: string
  list_memberships: string
}

export interface SourcedProfileMember {
  sourced_profile_id: string
}

export interface SourcedProfilePage {
  object: 'list'
  data: SourcedProfile[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

/** A saved profile changed. */
export interface SourcedProfileUpdatedEvent {
  object: 'event'
  id: string
  type: 'sourced_profile.updated'
  api_version: string
  created_at: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  workspace_id: string | null
  data: SourcedProfileUpdatedEventData
  links: EventLinks
}

export interface SourcedProfileUpdatedEventData {
  /** The record that changed, without restricted fields. Read the record for the rest. */
  object: SourcedProfileUpdatedEventRecord
  /** Old values of simple fields. */
  previous_attributes?: EventPreviousAttributes
}

export interface SourcedProfileUpdatedEventRecord {
  object: 'sourced_profile'
  id: string
  workspace_id: string | null
  updated_at: string
  /** Names of the fields that changed. */
  changed?: string[]
  /** `api:` and the id of the key whose write caused it. */
  origin?: string
}

/** A stage change of an application. */
export interface StageTransition {
  object: 'stage_transition'
  /** pipeline_stage handle */
  from_stage_id: string | null
  /** pipeline_stage handle */
  to_stage_id: string
  at: string
}

export interface StageTransitionPage {
  object: 'list'
  data: StageTransition[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

/** A person whose data must no longer be processed. Delete your copies of the named records by `delete_by`. */
export interface Suppression {
  object: 'suppression'
  id: string
  /** The position in the log of this workspace: always increasing, never reused, not contiguous. */
  sequence: number
  status: SuppressionStatus
  reason: Open<SuppressionReason>
  /** The handles of the person in this workspace. */
  subjects: SuppressionSubject[]
  /** SHA-256 of the normalized identifiers. Use them to find your copies. */
  identifiers: SuppressionIdentifier[]
  applied_at: string
  /** Delete your copies by this time. */
  delete_by: string
  completed_at: string | null
}

/** A partner’s confirmation that it deleted its copies of a person’s records. */
export interface SuppressionAcknowledgement {
  object: 'suppression_acknowledgement'
  suppression_id: string
  /** workspace handle */
  workspace_id: string
  /** When you deleted your copies. */
  deleted_at: string
  acknowledged_at: string
}

export interface SuppressionIdentifier {
  kind: Open<IdentityKind>
  algorithm: 'sha256'
  /** Hexadecimal digest of a normalized identifier from this workspace or the pool. The identifier itself is not stored. */
  value: string
}

export interface SuppressionPage {
  object: 'list'
  data: Suppression[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
  /** The last sequence read. Send it as `after` to continue. */
  next_after: number
}

/**
 * How far an erasure is.
 * 
 * - `suppressed`: The data of the person is no longer processed.
 * - `erased`: The data of the person was erased.
 */
export type SuppressionStatus = 'suppressed' | 'erased'

export interface SuppressionSubject {
  object: string
  /** The handle of a record of the person in this workspace. */
  id: string
}

/**
 * Who suspended an installation.
 * 
 * - `workspace`: An owner or admin of the workspace.
 * - `operator`: The operator of the service, for every installation of the app.
 */
export type SuspendedBy = 'workspace' | 'operator'

/** The clock of a test workspace, by which deadlines are judged. */
export interface TestClock {
  object: 'test_clock'
  /** workspace handle */
  workspace_id: string
  /** Whether what fell due is done. */
  status: TestClockStatus
  /** The time of the clock. It goes on with real time. */
  now: string
  /** How far the clock is ahead of real time now. */
  offset_seconds: number
  /** How many deadlines pass until the time that the clock advances to, and are still to be done. */
  due: number
}

/**
 * Whether a test clock has reached its time.
 * 
 * - `ready`: What fell due is done.
 * - `advancing`: What falls due until then is being done.
 */
export type TestClockStatus = 'ready' | 'advancing'

/** An operation of the product, and the event that reports it. */
export interface TestEvent {
  object: 'test_event'
  /** workspace handle */
  workspace_id: string
  event_type: string
  /** event handle */
  event_id: string
  /** Its position in the feed. */
  sequence: number
  /** handles of what the operation wrote, by a word for each */
  handles: Record<string, string>
}

/** An email that a test workspace would have sent. */
export interface TestMail {
  object: 'test_mail'
  id: string
  /** workspace handle */
  workspace_id: string
  /** An email address. */
  to: string
  /** Where replies would go, if not to the sender. */
  reply_to: string | null
  subject: string
  /** The plain text. */
  text: string
  /** The URLs in the text, in their order. */
  links: string[]
  sent_at: string
}

export interface TestMailPage {
  object: 'list'
  data: TestMail[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

/** A test workspace was emptied. */
export interface TestReset {
  object: 'test_reset'
  /** workspace handle */
  workspace_id: string
  /** What the workspace was filled with. */
  seed: Open<TestWorkspaceSeed>
  /** The `epoch` of GET /events. A reset changes it. */
  feed_epoch: string
  /** The last number of the feed. Continue with the events after it. */
  sequence: number
}

/** A test workspace was filled. */
export interface TestSeed {
  object: 'test_seed'
  /** workspace handle */
  workspace_id: string
  /** What the workspace was filled with. */
  seed: Open<TestWorkspaceSeed>
  /** The `epoch` of GET /events. A reset changes it. */
  feed_epoch: string
  /** The last number of the feed. Continue with the events after it. */
  sequence: number
}

export interface UninstallAppRequest {
  /** A secret of the app. The key alone is not enough. */
  client_secret: string
}

export interface UnpublishJobRequest {
  expected_updated_at?: string | undefined
}

export interface UpdateWebhookEndpointRequest {
  /** An https URL on port 443 or 8443 whose host name resolves only to public IP addresses. */
  url?: string | undefined
  /** Names from the event catalogue. The key needs the read scope of each. */
  event_types?: EventType[] | undefined
  description?: string | null | undefined
}

/** A reserved résumé upload and the URL to send the file to. */
export interface Upload {
  object: 'upload'
  /** upload handle */
  upload_id: string
  /** As you declared it. */
  content_type: string
  /** As you declared it. */
  size_bytes: number
  max_bytes: number
  /** Where and how to send the file. Do not send an Authorization header. */
  upload: UploadTarget
  expires_at: string
}

export interface UploadTarget {
  method: 'PUT'
  url: string
  /** send them unchanged with the PUT request */
  headers: Record<string, string>
  expires_at: string
}

/** A member of a workspace. */
export interface User {
  object: 'user'
  /** user handle */
  id: string
  /** workspace handle */
  workspace_id: string
  email: string | null
  first_name: string | null
  last_name: string | null
  is_verified: boolean
  role: UserRole
  /** `app`: the user of an installed app. It cannot sign in. */
  kind: Open<UserKind>
  photo_url: string | null
  created_at: string
  updated_at: string
  last_login_at: string | null
  links: UserLinks
}

export interface UserLinks {
  self: string
}

export interface UserPage {
  object: 'list'
  data: User[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

/**
 * The role of a member.
 * 
 * - `owner`: Can do everything, including billing and deletion.
 * - `admin`: Manages members, keys and settings.
 * - `member`: Works with candidates.
 * - `viewer`: Reads jobs, applications and lists.
 */
export type UserRole = 'owner' | 'admin' | 'member' | 'viewer'

/**
 * Why a vendor declines an order, or cannot complete it.
 * 
 * - `vendor_error`: A fault of the vendor.
 * - `unsupported_country`: The vendor does not work in the country.
 * - `candidate_unreachable`: The candidate did not respond to the vendor.
 * - `duplicate`: The vendor has done the same before.
 * - `other`: Something else; the message says what.
 */
export type VendorReason = 'vendor_error' | 'unsupported_country' | 'candidate_unreachable' | 'duplicate' | 'other'

/** The delivery of an event to an endpoint. */
export interface WebhookDelivery {
  object: 'webhook_delivery'
  id: string
  endpoint_id: string
  /** event handle */
  event_id: string
  event_type: Open<DeliveredType>
  status: Open<DeliveryStatus>
  /** The number of attempts so far. */
  attempt: number
  /** HTTP status of the last attempt; null if there was no response. */
  response_status: number | null
  /** `timeout`, `connection_failed`, `tls_failed`, `redirect_refused`, `http_status`, `url_refused: blocked_address`, or `event_expired` when all attempts are used. */
  error: string | null
  /** Null if there are no more attempts. */
  next_attempt_at: string | null
  delivered_at: string | null
  created_at: string
  attempts?: WebhookDeliveryAttempt[]
}

export interface WebhookDeliveryAttempt {
  /** The number of the attempt, from 1. */
  attempt: number
  sent_at: string
  duration_ms: number | null
  response_status: number | null
  error: string | null
  /** The first 1,024 bytes of the response, if it is text; control characters are replaced. Null if there was none, or after the erasure of a person in the workspace. */
  response_body: string | null
}

export interface WebhookDeliveryPage {
  object: 'list'
  data: WebhookDelivery[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

/** A URL that receives events. */
export interface WebhookEndpoint {
  object: 'webhook_endpoint'
  id: string
  url: string
  description: string | null
  /** If empty, the endpoint receives every type, including future ones. */
  event_types: Open<EventType>[]
  enabled: boolean
  disabled_at: string | null
  /** `gone` after a 410, `failing` after 5 days without success, `manual`, or `key_revoked`. */
  disabled_reason: Open<DisabledReason> | null
  /** Shown once, on creation and rotation; null if such a call is replayed. */
  signing_secret?: string | null
  /** Increases with each rotation. */
  signing_secret_version: number
  signing_secret_rotated_at: string | null
  previous_secret_expires_at: string | null
  /** Failed attempts since the last success. */
  consecutive_failures: number
  last_success_at: string | null
  last_failure_at: string | null
  created_at: string
  signature_scheme: WebhookEndpointSignatureScheme
}

export interface WebhookEndpointPage {
  object: 'list'
  data: WebhookEndpoint[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export interface WebhookEndpointSignatureScheme {
  header: string
  format: string
  algorithm: string
  tolerance_seconds: number
  note: string
}

/** The result of a recovery. */
export interface WebhookRecovery {
  object: 'webhook_recovery'
  endpoint_id: string
  /** The sequence that the recovery started after. */
  after: number
  /** The number of deliveries that were queued. */
  queued: number
  has_more: boolean
  /** The last sequence processed. If has_more is true, call again with it. */
  next_after: number
  gap: boolean
}

/** A hiring workspace. */
export interface Workspace {
  object: 'workspace'
  /** workspace handle */
  id: string
  name: string
  /** Fixed when the workspace is created. A test workspace sends no email and holds no real people. */
  environment: KeyEnvironment
  created_at: string
  updated_at: string
  links: WorkspaceLinks
}

export interface WorkspaceLinks {
  self: string
  users: string
  jobs: string
}

export interface WorkspacePage {
  object: 'list'
  data: Workspace[]
  /** Whether there are more rows. */
  has_more: boolean
  /** Send it as `cursor` for the next page; null on the last one. */
  next_cursor: string | null
}

export interface ListVersionsQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export interface ListMyAccessQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export interface ListPersonalDataReadsQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export interface ListRequestsQuery {
  /** Only this call. */
  request_id?: string | undefined
  /** Only calls with this method. */
  method?: 'GET' | 'HEAD' | 'POST' | undefined
  /** Only calls of this endpoint: its path with the placeholders, such as `/jobs/{job_handle}`. */
  route?: string | undefined
  /** Only calls whose response had this status: `404`, or `4xx` for a class. */
  status?: string | undefined
  /** Only calls with this error code. */
  code?: ErrorCode | undefined
  /** Only calls after this time. */
  created_after?: string | undefined
  /** Only calls before this time. */
  created_before?: string | undefined
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export interface ListWorkspacesQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
  /** Only rows changed after this time. */
  updated_after?: string | undefined
  /** Only rows changed before this time. */
  updated_before?: string | undefined
  /** Oldest or newest change first; default desc. */
  order?: SortOrder | undefined
}

export interface ListWorkspaceUsersQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export interface ListInstallationsQuery {
  /** Only installations with this status. */
  status?: InstallationStatus | undefined
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
  /** Only rows changed after this time. */
  updated_after?: string | undefined
  /** Only rows changed before this time. */
  updated_before?: string | undefined
  /** Oldest or newest change first; default desc. */
  order?: SortOrder | undefined
}

export interface ListJobsQuery {
  /** Default published,closed; draft needs include_unpublished=true. Separate several with commas. */
  status?: JobStatus | readonly JobStatus[] | undefined
  /** Include jobs that are not public. */
  include_unpublished?: boolean | undefined
  /** The exact name of a department. */
  department?: string | undefined
  /** The workplace type. */
  location_type?: LocationType | undefined
  /** The employment type. */
  employment_type?: EmploymentType | undefined
  /** Only jobs with these words in their texts (title, summary, description, lists, skills) or facts (department, team, locations, workplace and employment type, these two in English and German). Every word must match: in any grammatical form, as a prefix, or, if there is no prefix match, in a similar spelling. Only the first eight words are used. The best match is first with sort=relevance only. */
  q?: string | undefined
  /** Only jobs published after this time. */
  published_after?: string | undefined
  /** Only jobs published before this time. */
  published_before?: string | undefined
  /** Only jobs with this `source.system`. */
  source_system?: string | undefined
  /** Only jobs with this `source.external_id`. */
  external_id?: string | undefined
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
  /** Only rows changed after this time. */
  updated_after?: string | undefined
  /** Only rows changed before this time. */
  updated_before?: string | undefined
  /** Oldest or newest change first; default desc. */
  order?: SortOrder | undefined
  /** Default updated_at. `relevance` needs q. */
  sort?: 'updated_at' | 'relevance' | undefined
  /** Related records to add below `included`. */
  include?: 'pipeline_stages' | readonly 'pipeline_stages'[] | undefined
}

export interface ListPipelineStagesQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export interface ListSuppressionsQuery {
  /** Only entries after this sequence. */
  after?: number | undefined
  /** Rows per page. */
  limit?: number | undefined
}

export interface ListWebhookEndpointsQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export interface ListWebhookDeliveriesQuery {
  /** Only deliveries to this endpoint. */
  endpoint_id?: string | undefined
  /** Only deliveries of this event. */
  event_id?: string | undefined
  /** Only this type. */
  event_type?: DeliveredType | undefined
  /** Only these states. Separate several with commas. */
  status?: DeliveryStatus | readonly DeliveryStatus[] | undefined
  /** Only deliveries whose last response had this status: `503`, or `5xx` for a class. */
  response_status?: string | undefined
  /** Only deliveries queued after this time. */
  created_after?: string | undefined
  /** Only deliveries queued before this time. */
  created_before?: string | undefined
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export interface ListProjectsQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
  /** Only rows changed after this time. */
  updated_after?: string | undefined
  /** Only rows changed before this time. */
  updated_before?: string | undefined
  /** Oldest or newest change first; default desc. */
  order?: SortOrder | undefined
}

export interface ListProjectListsQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
  /** Only rows changed after this time. */
  updated_after?: string | undefined
  /** Only rows changed before this time. */
  updated_before?: string | undefined
  /** Oldest or newest change first; default desc. */
  order?: SortOrder | undefined
}

export interface ListCandidateListsQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
  /** Only rows changed after this time. */
  updated_after?: string | undefined
  /** Only rows changed before this time. */
  updated_before?: string | undefined
  /** Oldest or newest change first; default desc. */
  order?: SortOrder | undefined
}

export interface ListCandidateListMembersQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
  /** Related records to add below `included`. */
  include?: 'sourced_profile' | readonly 'sourced_profile'[] | undefined
}

export interface ListSourcedProfileMembershipsQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export interface ListSourcedProfilesQuery {
  /** The source of the profile, for example xray, import or github. */
  origin?: string | undefined
  /** Only profiles with, or without, revealed contact details. */
  has_contact_info?: boolean | undefined
  /** A part of the name, title or company; case is ignored. The best match is first with sort=relevance only. */
  q?: string | undefined
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
  /** Only rows changed after this time. */
  updated_after?: string | undefined
  /** Only rows changed before this time. */
  updated_before?: string | undefined
  /** Oldest or newest change first; default desc. */
  order?: SortOrder | undefined
  /** Default updated_at. `relevance` needs q. */
  sort?: 'updated_at' | 'relevance' | undefined
}

export interface ListAttachmentsQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export interface ResolvePersonQuery {
  /** An email address; matches applicants. */
  email?: string | undefined
  /** The URL of a LinkedIn profile; matches all types of records. */
  linkedin_url?: string | undefined
}

export interface ListPersonProfilesQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export interface ListPoolProfilesQuery {
  /** The exact country; case is ignored. */
  country?: string | undefined
  /** A part of the company name; case is ignored. */
  company?: string | undefined
  /** A part of the title; case is ignored. */
  title?: string | undefined
  /** Only profiles seen after this time. */
  updated_after?: string | undefined
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export interface ListApplicationsQuery {
  /** Only applications for this job. */
  job_id?: string | undefined
  /** Only applications of this person. */
  applicant_id?: string | undefined
  /** Only these statuses. Separate several with commas. */
  status?: ApplicationStatus | readonly ApplicationStatus[] | undefined
  /** Only applications in this stage. */
  stage_id?: string | undefined
  /** Only applications submitted after this time. */
  applied_after?: string | undefined
  /** Only applications from this system: `<system>` of `partner_api:<system>`. */
  source_system?: string | undefined
  /** Only applications with this external id. Combine it with source_system to match one system. */
  external_id?: string | undefined
  /** At least this match score; for one job. */
  min_score?: number | undefined
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
  /** Only rows changed after this time. */
  updated_after?: string | undefined
  /** Only rows changed before this time. */
  updated_before?: string | undefined
  /** Oldest or newest change first; default desc. */
  order?: SortOrder | undefined
  /** Default updated_at. `applied_at` needs job_id. `score` needs job_id. */
  sort?: 'updated_at' | 'applied_at' | 'score' | undefined
  /** Related records to add below `included`, at most 3. Separate several with commas. */
  include?: 'applicant' | 'score' | 'job' | 'stage' | 'orders' | readonly ('applicant' | 'score' | 'job' | 'stage' | 'orders')[] | undefined
}

export interface ListJobApplicationsQuery {
  /** Only these statuses. Separate several with commas. */
  status?: ApplicationStatus | readonly ApplicationStatus[] | undefined
  /** Only applications in this stage. */
  stage_id?: string | undefined
  /** Only applications submitted after this time. */
  applied_after?: string | undefined
  /** Only applications from this system: `<system>` of `partner_api:<system>`. */
  source_system?: string | undefined
  /** Only applications with this external id. Combine it with source_system to match one system. */
  external_id?: string | undefined
  /** At least this match score; for one job. */
  min_score?: number | undefined
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
  /** Only rows changed after this time. */
  updated_after?: string | undefined
  /** Only rows changed before this time. */
  updated_before?: string | undefined
  /** Oldest or newest change first; default desc. */
  order?: SortOrder | undefined
  /** Default updated_at. */
  sort?: 'updated_at' | 'applied_at' | 'score' | undefined
  /** Related records to add below `included`, at most 3. Separate several with commas. */
  include?: 'applicant' | 'score' | 'job' | 'stage' | 'orders' | readonly ('applicant' | 'score' | 'job' | 'stage' | 'orders')[] | undefined
}

export interface ListApplicantApplicationsQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
  /** Only rows changed after this time. */
  updated_after?: string | undefined
  /** Only rows changed before this time. */
  updated_before?: string | undefined
  /** Oldest or newest change first; default desc. */
  order?: SortOrder | undefined
  /** Related records to add below `included`, at most 3. Separate several with commas. */
  include?: 'applicant' | 'score' | 'job' | 'stage' | 'orders' | readonly ('applicant' | 'score' | 'job' | 'stage' | 'orders')[] | undefined
}

export interface ListPersonApplicationsQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
  /** Only rows changed after this time. */
  updated_after?: string | undefined
  /** Only rows changed before this time. */
  updated_before?: string | undefined
  /** Oldest or newest change first; default desc. */
  order?: SortOrder | undefined
  /** Related records to add below `included`, at most 3. Separate several with commas. */
  include?: 'applicant' | 'score' | 'job' | 'stage' | 'orders' | readonly ('applicant' | 'score' | 'job' | 'stage' | 'orders')[] | undefined
}

export interface GetApplicationQuery {
  /** Related records to add below `included`, at most 3. Separate several with commas. */
  include?: 'applicant' | 'score' | 'job' | 'stage' | 'orders' | readonly ('applicant' | 'score' | 'job' | 'stage' | 'orders')[] | undefined
}

export interface ListStageTransitionsQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export interface ListNotesQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export interface ListScorecardsQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export interface ListInterviewsQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export interface ListPackagesQuery {
  /** Only these kinds. Separate several with commas. */
  kind?: PackageKind | readonly PackageKind[] | undefined
  /** Only these statuses. Separate several with commas. */
  status?: PackageStatus | readonly PackageStatus[] | undefined
  /** Only packages for candidates of this country. */
  country?: 'AD' | 'AE' | 'AF' | 'AG' | 'AI' | 'AL' | 'AM' | 'AO' | 'AQ' | 'AR' | 'AS' | 'AT' | 'AU' | 'AW' | 'AX' | 'AZ' | 'BA' | 'BB' | 'BD' | 'BE' | 'BF' | 'BG' | 'BH' | 'BI' | 'BJ' | 'BL' | 'BM' | 'BN' | 'BO' | 'BQ' | 'BR' | 'BS' | 'BT' | 'BV' | 'BW' | 'BY' | 'BZ' | 'CA' | 'CC' | 'CD' | 'CF' | 'CG' | 'CH' | 'CI' | 'CK' | 'CL' | 'CM' | 'CN' | 'CO' | 'CR' | 'CU' | 'CV' | 'CW' | 'CX' | 'CY' | 'CZ' | 'DE' | 'DJ' | 'DK' | 'DM' | 'DO' | 'DZ' | 'EC' | 'EE' | 'EG' | 'EH' | 'ER' | 'ES' | 'ET' | 'FI' | 'FJ' | 'FK' | 'FM' | 'FO' | 'FR' | 'GA' | 'GB' | 'GD' | 'GE' | 'GF' | 'GG' | 'GH' | 'GI' | 'GL' | 'GM' | 'GN' | 'GP' | 'GQ' | 'GR' | 'GS' | 'GT' | 'GU' | 'GW' | 'GY' | 'HK' | 'HM' | 'HN' | 'HR' | 'HT' | 'HU' | 'ID' | 'IE' | 'IL' | 'IM' | 'IN' | 'IO' | 'IQ' | 'IR' | 'IS' | 'IT' | 'JE' | 'JM' | 'JO' | 'JP' | 'KE' | 'KG' | 'KH' | 'KI' | 'KM' | 'KN' | 'KP' | 'KR' | 'KW' | 'KY' | 'KZ' | 'LA' | 'LB' | 'LC' | 'LI' | 'LK' | 'LR' | 'LS' | 'LT' | 'LU' | 'LV' | 'LY' | 'MA' | 'MC' | 'MD' | 'ME' | 'MF' | 'MG' | 'MH' | 'MK' | 'ML' | 'MM' | 'MN' | 'MO' | 'MP' | 'MQ' | 'MR' | 'MS' | 'MT' | 'MU' | 'MV' | 'MW' | 'MX' | 'MY' | 'MZ' | 'NA' | 'NC' | 'NE' | 'NF' | 'NG' | 'NI' | 'NL' | 'NO' | 'NP' | 'NR' | 'NU' | 'NZ' | 'OM' | 'PA' | 'PE' | 'PF' | 'PG' | 'PH' | 'PK' | 'PL' | 'PM' | 'PN' | 'PR' | 'PS' | 'PT' | 'PW' | 'PY' | 'QA' | 'RE' | 'RO' | 'RS' | 'RU' | 'RW' | 'SA' | 'SB' | 'SC' | 'SD' | 'SE' | 'SG' | 'SH' | 'SI' | 'SJ' | 'SK' | 'SL' | 'SM' | 'SN' | 'SO' | 'SR' | 'SS' | 'ST' | 'SV' | 'SX' | 'SY' | 'SZ' | 'TC' | 'TD' | 'TF' | 'TG' | 'TH' | 'TJ' | 'TK' | 'TL' | 'TM' | 'TN' | 'TO' | 'TR' | 'TT' | 'TV' | 'TW' | 'TZ' | 'UA' | 'UG' | 'UM' | 'US' | 'UY' | 'UZ' | 'VA' | 'VC' | 'VE' | 'VG' | 'VI' | 'VN' | 'VU' | 'WF' | 'WS' | 'YE' | 'YT' | 'ZA' | 'ZM' | 'ZW' | undefined
  /** Only the package with this id of the vendor. */
  external_id?: string | undefined
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
  /** Only rows changed after this time. */
  updated_after?: string | undefined
  /** Only rows changed before this time. */
  updated_before?: string | undefined
  /** Oldest or newest change first; default desc. */
  order?: SortOrder | undefined
}

export interface ListOrdersQuery {
  /** Only these statuses. Separate several with commas. */
  status?: OrderStatus | readonly OrderStatus[] | undefined
  /** Only these kinds. Separate several with commas. */
  kind?: PackageKind | readonly PackageKind[] | undefined
  /** Only orders of this package. */
  package_id?: string | undefined
  /** Only orders for this application. */
  application_id?: string | undefined
  /** Only orders for applications to this job. */
  job_id?: string | undefined
  /** Only the order with this id: that of the system in source_system if it is given, else that of the vendor. */
  external_id?: string | undefined
  /** Only orders that this system placed. */
  source_system?: string | undefined
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
  /** Only rows changed after this time. */
  updated_after?: string | undefined
  /** Only rows changed before this time. */
  updated_before?: string | undefined
  /** Oldest or newest change first; default desc. */
  order?: SortOrder | undefined
  /** Default updated_at. `score` needs package_id. */
  sort?: 'updated_at' | 'score' | undefined
  /** Related records to add below `included`. Separate several with commas. */
  include?: 'application' | 'applicant' | 'job' | readonly ('application' | 'applicant' | 'job')[] | undefined
}

export interface ListApplicationOrdersQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export interface GetApplicationResumeQuery {
  /** If false, the full text is left out, is not listed in `restricted` and costs nothing. Default true. */
  raw_text?: boolean | undefined
}

export interface ListApplicantResumesQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export interface ListPersonResumesQuery {
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export interface ListApplicantsQuery {
  /** The exact email address; case is ignored. */
  email?: string | undefined
  /** Whether the person currently has applications. */
  has_applications?: boolean | undefined
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
  /** Only rows changed after this time. */
  updated_after?: string | undefined
  /** Only rows changed before this time. */
  updated_before?: string | undefined
  /** Oldest or newest change first; default desc. */
  order?: SortOrder | undefined
  /** Related records to add below `included`. */
  include?: 'applications' | readonly 'applications'[] | undefined
}

export interface GetApplicantQuery {
  /** Related records to add below `included`. */
  include?: 'applications' | readonly 'applications'[] | undefined
}

export interface GetHiringFunnelQuery {
  /** Only applications submitted after this time. Default: 90 days before the end; at most 366 days. */
  applied_after?: string | undefined
  /** Only applications submitted before this time. Default: now. */
  applied_before?: string | undefined
  /** Only applications for this job. The stages are then those of the job. */
  job_id?: string | undefined
  /** Only applications for jobs of this department. */
  department?: string | undefined
  /** Only applications from this source. */
  source?: string | undefined
  /** Adds counts by group, largest groups first. */
  group_by?: FunnelGrouping | undefined
}

export interface ListTestMailsQuery {
  /** Only emails to this address. */
  to?: string | undefined
  /** Rows per page. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Send the same filters. Valid for one hour. */
  cursor?: string | undefined
}

export class Meta extends Resource {
  /** Check that the service is up. */
  ping(options: RequestOptions = {}): ApiPromise<Ping> {
    return this.core.get('/ping', {}, options)
  }

  /** List API versions. */
  listVersions(query: ListVersionsQuery = {}, options: RequestOptions = {}): PagePromise<ApiVersion, ApiVersionPage> {
    return this.core.list('/versions', query, options)
  }

  /** Get the OpenAPI description. */
  getOpenapi(options: RequestOptions = {}): ApiPromise<OpenapiDocument> {
    return this.core.get('/openapi.json', {}, options)
  }

  /** Get the calling key. */
  getMe(options: RequestOptions = {}): ApiPromise<Credential> {
    return this.core.get('/me', {}, options)
  }

  /** List what the calling key can read. */
  listMyAccess(query: ListMyAccessQuery = {}, options: RequestOptions = {}): PagePromise<ResourceAccess, ResourceAccessPage> {
    return this.core.list('/me/access', query, options)
  }

  /** List the key's own personal-data reads. */
  listPersonalDataReads(query: ListPersonalDataReadsQuery = {}, options: RequestOptions = {}): PagePromise<PersonalDataRead, PersonalDataReadPage> {
    return this.core.list('/audit/personal-data-reads', query, options)
  }

  /** List the key's own calls. */
  listRequests(query: ListRequestsQuery = {}, options: RequestOptions = {}): PagePromise<ApiRequest, ApiRequestPage> {
    return this.core.list('/requests', query, options)
  }

  /** Get one of the key's own calls. */
  getRequest(requestId: string, options: RequestOptions = {}): ApiPromise<ApiRequest> {
    return this.core.get(path('/requests/{request_id}', requestId), {}, options)
  }
}

export class Workspaces extends Resource {
  /** List workspaces. */
  list(query: ListWorkspacesQuery = {}, options: RequestOptions = {}): PagePromise<Workspace, WorkspacePage> {
    return this.core.list('/workspaces', query, options)
  }

  /** Get a workspace. */
  get(workspaceId: string, options: RequestOptions = {}): ApiPromise<Workspace> {
    return this.core.get(path('/workspaces/{workspace_handle}', workspaceId), {}, options)
  }

  /** List the members of a workspace. */
  listUsers(workspaceId: string, query: ListWorkspaceUsersQuery = {}, options: RequestOptions = {}): PagePromise<User, UserPage> {
    return this.core.list(path('/workspaces/{workspace_handle}/users', workspaceId), query, options)
  }
}

export class Users extends Resource {
  /** Get a member of the workspace. */
  get(userId: string, options: RequestOptions = {}): ApiPromise<User> {
    return this.core.get(path('/users/{user_handle}', userId), {}, options)
  }
}

export class Installations extends Resource {
  /** List the installations of an app. */
  list(query: ListInstallationsQuery = {}, options: RequestOptions = {}): PagePromise<Installation, InstallationPage> {
    return this.core.list('/installations', query, options)
  }

  /** Get the installation of the calling key. */
  get(installationId: string, options: RequestOptions = {}): ApiPromise<Installation> {
    return this.core.get(path('/installations/{installation_handle}', installationId), {}, options)
  }

  /** Rotate the key of an installation. */
  rotateKey(installationId: string, body: RotateInstallationKeyRequest, options: RequestOptions = {}): ApiPromise<InstallationKey> {
    return this.core.post(path('/installations/{installation_handle}/rotate-key', installationId), body, options)
  }

  /** Uninstall the app from the workspace. */
  uninstallApp(installationId: string, body: UninstallAppRequest, options: RequestOptions = {}): ApiPromise<Installation> {
    return this.core.post(path('/installations/{installation_handle}/uninstall', installationId), body, options)
  }

  /** Confirm that you deleted the data of an ended installation. */
  confirmDeletion(installationId: string, body: ConfirmDeletionRequest, options: RequestOptions = {}): ApiPromise<Installation> {
    return this.core.post(path('/installations/{installation_handle}/confirm-deletion', installationId), body, options)
  }
}

export class Jobs extends Resource {
  /** List jobs. */
  list(query: ListJobsQuery = {}, options: RequestOptions = {}): PagePromise<JobSummary, JobPage> {
    return this.core.list('/jobs', query, options)
  }

  /** Create or update a job of your system. */
  push(body: PushJobRequest, options: RequestOptions = {}): ApiPromise<Job> {
    return this.core.post('/jobs', body, options)
  }

  /** Get a job. */
  get(jobId: string, options: RequestOptions = {}): ApiPromise<Job> {
    return this.core.get(path('/jobs/{job_handle}', jobId), {}, options)
  }

  /** Get a job by its slug. */
  getBySlug(slug: string, options: RequestOptions = {}): ApiPromise<Job> {
    return this.core.get(path('/jobs/by-slug/{slug}', slug), {}, options)
  }

  /** Get a job with all of its sections. */
  getSections(jobId: string, options: RequestOptions = {}): ApiPromise<JobSections> {
    return this.core.get(path('/jobs/{job_handle}/sections', jobId), {}, options)
  }

  /** List the stages of a job. */
  listPipelineStages(jobId: string, query: ListPipelineStagesQuery = {}, options: RequestOptions = {}): PagePromise<PipelineStage, PipelineStagePage> {
    return this.core.list(path('/jobs/{job_handle}/pipeline-stages', jobId), query, options)
  }

  /** Get the application form of a job. */
  getApplicationForm(jobId: string, options: RequestOptions = {}): ApiPromise<ApplicationForm> {
    return this.core.get(path('/jobs/{job_handle}/application-form', jobId), {}, options)
  }

  /** Get the phone pre-screen questions of a job. */
  getPrescreenQuestions(jobId: string, options: RequestOptions = {}): ApiPromise<PrescreenQuestions> {
    return this.core.get(path('/jobs/{job_handle}/prescreen-questions', jobId), {}, options)
  }

  /** Check whether a job can be published. */
  getPublishReadiness(jobId: string, options: RequestOptions = {}): ApiPromise<PublishReadiness> {
    return this.core.get(path('/jobs/{job_handle}/publish-readiness', jobId), {}, options)
  }

  /** Publish a draft. */
  publish(jobId: string, body: PublishJobRequest = {}, options: RequestOptions = {}): ApiPromise<Job> {
    return this.core.post(path('/jobs/{job_handle}/publish', jobId), body, options)
  }

  /** Unpublish a job. */
  unpublish(jobId: string, body: UnpublishJobRequest = {}, options: RequestOptions = {}): ApiPromise<Job> {
    return this.core.post(path('/jobs/{job_handle}/unpublish', jobId), body, options)
  }

  /** Close a published job. */
  close(jobId: string, body: CloseJobRequest = {}, options: RequestOptions = {}): ApiPromise<Job> {
    return this.core.post(path('/jobs/{job_handle}/close', jobId), body, options)
  }

  /** Publish a closed job again. */
  reopen(jobId: string, body: ReopenJobRequest = {}, options: RequestOptions = {}): ApiPromise<Job> {
    return this.core.post(path('/jobs/{job_handle}/reopen', jobId), body, options)
  }

  /** List the applications for a job. */
  listApplications(jobId: string, query: ListJobApplicationsQuery = {}, options: RequestOptions = {}): PagePromise<Application, ApplicationPage> {
    return this.core.list(path('/jobs/{job_handle}/applications', jobId), query, options)
  }
}

export class Events extends Resource {
  /** Get an event. */
  get(eventId: string, options: RequestOptions = {}): ApiPromise<Event> {
    return this.core.get(path('/events/{event_handle}', eventId), {}, options)
  }
}

export class Suppressions extends Resource {
  /** List erasure notices. */
  list(query: ListSuppressionsQuery = {}, options: RequestOptions = {}): PagePromise<Suppression, SuppressionPage> {
    return this.core.log('/suppressions', query, options)
  }

  /** Confirm that you deleted your copies. */
  acknowledge(suppressionId: string, body: AcknowledgeSuppressionRequest, options: RequestOptions = {}): ApiPromise<SuppressionAcknowledgement> {
    return this.core.post(path('/suppressions/{suppression_id}/acknowledge', suppressionId), body, options)
  }
}

export class WebhookEndpoints extends Resource {
  /** List webhook endpoints. */
  list(query: ListWebhookEndpointsQuery = {}, options: RequestOptions = {}): PagePromise<WebhookEndpoint, WebhookEndpointPage> {
    return this.core.list('/webhooks/endpoints', query, options)
  }

  /** Register a webhook endpoint. */
  create(body: CreateWebhookEndpointRequest, options: RequestOptions = {}): ApiPromise<WebhookEndpoint> {
    return this.core.post('/webhooks/endpoints', body, options)
  }

  /** Get a webhook endpoint. */
  get(endpointId: string, options: RequestOptions = {}): ApiPromise<WebhookEndpoint> {
    return this.core.get(path('/webhooks/endpoints/{endpoint_id}', endpointId), {}, options)
  }

  /** Update a webhook endpoint. */
  update(endpointId: string, body: UpdateWebhookEndpointRequest, options: RequestOptions = {}): ApiPromise<WebhookEndpoint> {
    return this.core.post(path('/webhooks/endpoints/{endpoint_id}', endpointId), body, options)
  }

  /** Rotate the signing secret. */
  rotateSecret(endpointId: string, body: RotateWebhookSecretRequest = {}, options: RequestOptions = {}): ApiPromise<WebhookEndpoint> {
    return this.core.post(path('/webhooks/endpoints/{endpoint_id}/rotate-secret', endpointId), body, options)
  }

  /** Disable a webhook endpoint. */
  disable(endpointId: string, options: RequestOptions = {}): ApiPromise<WebhookEndpoint> {
    return this.core.post(path('/webhooks/endpoints/{endpoint_id}/disable', endpointId), undefined, options)
  }

  /** Enable a webhook endpoint. */
  enable(endpointId: string, options: RequestOptions = {}): ApiPromise<WebhookEndpoint> {
    return this.core.post(path('/webhooks/endpoints/{endpoint_id}/enable', endpointId), undefined, options)
  }

  /** Send a ping to a webhook endpoint. */
  test(endpointId: string, options: RequestOptions = {}): ApiPromise<WebhookDelivery> {
    return this.core.post(path('/webhooks/endpoints/{endpoint_id}/test', endpointId), undefined, options)
  }

  /** Deliver missed events again. */
  recover(endpointId: string, body: RecoverWebhookEndpointRequest, options: RequestOptions = {}): ApiPromise<WebhookRecovery> {
    return this.core.post(path('/webhooks/endpoints/{endpoint_id}/recover', endpointId), body, options)
  }
}

export class WebhookDeliveries extends Resource {
  /** List webhook deliveries. */
  list(query: ListWebhookDeliveriesQuery = {}, options: RequestOptions = {}): PagePromise<WebhookDelivery, WebhookDeliveryPage> {
    return this.core.list('/webhooks/deliveries', query, options)
  }

  /** Get a webhook delivery. */
  get(deliveryId: string, options: RequestOptions = {}): ApiPromise<WebhookDelivery> {
    return this.core.get(path('/webhooks/deliveries/{delivery_id}', deliveryId), {}, options)
  }

  /** Deliver an event again. */
  redeliver(deliveryId: string, options: RequestOptions = {}): ApiPromise<WebhookDelivery> {
    return this.core.post(path('/webhooks/deliveries/{delivery_id}/redeliver', deliveryId), undefined, options)
  }
}

export class Projects extends Resource {
  /** List projects. */
  list(query: ListProjectsQuery = {}, options: RequestOptions = {}): PagePromise<Project, ProjectPage> {
    return this.core.list('/projects', query, options)
  }

  /** Get a project. */
  get(projectId: string, options: RequestOptions = {}): ApiPromise<Project> {
    return this.core.get(path('/projects/{project_handle}', projectId), {}, options)
  }

  /** List the candidate lists of a project. */
  listLists(projectId: string, query: ListProjectListsQuery = {}, options: RequestOptions = {}): PagePromise<CandidateList, CandidateListPage> {
    return this.core.list(path('/projects/{project_handle}/lists', projectId), query, options)
  }
}

export class Lists extends Resource {
  /** List candidate lists. */
  list(query: ListCandidateListsQuery = {}, options: RequestOptions = {}): PagePromise<CandidateList, CandidateListPage> {
    return this.core.list('/lists', query, options)
  }

  /** Create a candidate list. */
  create(body: CreateCandidateListRequest, options: RequestOptions = {}): ApiPromise<CandidateList> {
    return this.core.post('/lists', body, options)
  }

  /** Get a candidate list. */
  get(listId: string, options: RequestOptions = {}): ApiPromise<CandidateList> {
    return this.core.get(path('/lists/{list_handle}', listId), {}, options)
  }

  /** List the members of a candidate list. */
  listMembers(listId: string, query: ListCandidateListMembersQuery = {}, options: RequestOptions = {}): PagePromise<ListMembership, ListMembershipPage> {
    return this.core.list(path('/lists/{list_handle}/members', listId), query, options)
  }

  /** Add members to a candidate list. */
  addMembers(listId: string, body: AddCandidateListMembersRequest, options: RequestOptions = {}): ApiPromise<ListMemberBatch> {
    return this.core.post(path('/lists/{list_handle}/members', listId), body, options)
  }

  /** Set the stage of a list member. */
  setMemberStage(listId: string, memberId: string, body: SetCandidateListMemberStageRequest, options: RequestOptions = {}): ApiPromise<ListMembership> {
    return this.core.post(path('/lists/{list_handle}/members/{member_handle}/stage', listId, memberId), body, options)
  }
}

export class SourcedProfiles extends Resource {
  /** List the candidate lists of a sourced profile. */
  listMemberships(profileId: string, query: ListSourcedProfileMembershipsQuery = {}, options: RequestOptions = {}): PagePromise<ListMembership, ListMembershipPage> {
    return this.core.list(path('/sourced-profiles/{profile_handle}/list-memberships', profileId), query, options)
  }

  /** List sourced profiles. */
  list(query: ListSourcedProfilesQuery = {}, options: RequestOptions = {}): PagePromise<SourcedProfile, SourcedProfilePage> {
    return this.core.list('/sourced-profiles', query, options)
  }

  /** Get a sourced profile. */
  get(profileId: string, options: RequestOptions = {}): ApiPromise<SourcedProfile> {
    return this.core.get(path('/sourced-profiles/{profile_handle}', profileId), {}, options)
  }

  /** List the files of a sourced profile. */
  listAttachments(profileId: string, query: ListAttachmentsQuery = {}, options: RequestOptions = {}): PagePromise<Attachment, AttachmentPage> {
    return this.core.list(path('/sourced-profiles/{profile_handle}/attachments', profileId), query, options)
  }

  /** Download a file of a sourced profile. */
  downloadAttachment(profileId: string, kind: AttachmentType, options: RequestOptions = {}): ApiPromise<Blob> {
    return this.core.download(path('/sourced-profiles/{profile_handle}/attachments/{kind}/content', profileId, kind), {}, options)
  }

  /** Get the contact details of a sourced profile. */
  getContactInfo(profileId: string, options: RequestOptions = {}): ApiPromise<ContactInfo> {
    return this.core.get(path('/sourced-profiles/{profile_handle}/contact-info', profileId), {}, options)
  }
}

export class People extends Resource {
  /** Find a person by email address or LinkedIn URL. */
  resolve(query: ResolvePersonQuery = {}, options: RequestOptions = {}): ApiPromise<Person> {
    return this.core.get('/people/resolve', query, options)
  }

  /** Find up to 100 people. */
  resolveBatch(body: ResolvePeopleRequest, options: RequestOptions = {}): ApiPromise<ResolutionPage> {
    return this.core.post('/people/resolve:batch', body, options)
  }

  /** Get a person. */
  get(personId: string, options: RequestOptions = {}): ApiPromise<Person> {
    return this.core.get(path('/people/{person_handle}', personId), {}, options)
  }

  /** List the records of a person. */
  listProfiles(personId: string, query: ListPersonProfilesQuery = {}, options: RequestOptions = {}): PagePromise<ProfilePointer, ProfilePointerPage> {
    return this.core.list(path('/people/{person_handle}/profiles', personId), query, options)
  }

  /** List the applications of a person. */
  listApplications(personId: string, query: ListPersonApplicationsQuery = {}, options: RequestOptions = {}): PagePromise<Application, ApplicationPage> {
    return this.core.list(path('/people/{person_handle}/applications', personId), query, options)
  }

  /** List the résumés of a person. */
  listResumes(personId: string, query: ListPersonResumesQuery = {}, options: RequestOptions = {}): PagePromise<ResumeSummary, ResumePage> {
    return this.core.list(path('/people/{person_handle}/resumes', personId), query, options)
  }

  /** Get the contact details of a person. */
  getContactInfo(personId: string, options: RequestOptions = {}): ApiPromise<ContactInfo> {
    return this.core.get(path('/people/{person_handle}/contact-info', personId), {}, options)
  }
}

export class Pool extends Resource {
  /** List profiles of the shared pool. */
  listProfiles(query: ListPoolProfilesQuery = {}, options: RequestOptions = {}): PagePromise<PoolProfile, PoolProfilePage> {
    return this.core.list('/pool/profiles', query, options)
  }

  /** Get a profile of the shared pool. */
  getProfile(profileId: string, options: RequestOptions = {}): ApiPromise<PoolProfile> {
    return this.core.get(path('/pool/profiles/{profile_handle}', profileId), {}, options)
  }

  /** Search the shared pool. */
  search(body: SearchPoolRequest, options: RequestOptions = {}): ApiPromise<PoolProfilePage> {
    return this.core.post('/pool/search', body, options)
  }
}

export class Applications extends Resource {
  /** List applications. */
  list(query: ListApplicationsQuery = {}, options: RequestOptions = {}): PagePromise<Application, ApplicationPage> {
    return this.core.list('/applications', query, options)
  }

  /** Create an application. */
  create(body: CreateApplicationRequest, options: RequestOptions = {}): ApiPromise<Application> {
    return this.core.post('/applications', body, options)
  }

  /** Get an application. */
  get(applicationId: string, query: GetApplicationQuery = {}, options: RequestOptions = {}): ApiPromise<Application> {
    return this.core.get(path('/applications/{application_handle}', applicationId), query, options)
  }

  /** Get the answers of a candidate. */
  getAnswers(applicationId: string, options: RequestOptions = {}): ApiPromise<ApplicationAnswers> {
    return this.core.get(path('/applications/{application_handle}/answers', applicationId), {}, options)
  }

  /** Get the match score of an application. */
  getScore(applicationId: string, options: RequestOptions = {}): ApiPromise<ApplicationScore> {
    return this.core.get(path('/applications/{application_handle}/score', applicationId), {}, options)
  }

  /** Get the phone pre-screen of an application. */
  getScreening(applicationId: string, options: RequestOptions = {}): ApiPromise<Screening> {
    return this.core.get(path('/applications/{application_handle}/screening', applicationId), {}, options)
  }

  /** List the stage history of an application. */
  listStageTransitions(applicationId: string, query: ListStageTransitionsQuery = {}, options: RequestOptions = {}): PagePromise<StageTransition, StageTransitionPage> {
    return this.core.list(path('/applications/{application_handle}/stage-transitions', applicationId), query, options)
  }

  /** List the notes on an application. */
  listNotes(applicationId: string, query: ListNotesQuery = {}, options: RequestOptions = {}): PagePromise<Note, NotePage> {
    return this.core.list(path('/applications/{application_handle}/notes', applicationId), query, options)
  }

  /** Add a note to an application. */
  createNote(applicationId: string, body: CreateNoteRequest, options: RequestOptions = {}): ApiPromise<Note> {
    return this.core.post(path('/applications/{application_handle}/notes', applicationId), body, options)
  }

  /** List the scorecards of an application. */
  listScorecards(applicationId: string, query: ListScorecardsQuery = {}, options: RequestOptions = {}): PagePromise<Scorecard, ScorecardPage> {
    return this.core.list(path('/applications/{application_handle}/scorecards', applicationId), query, options)
  }

  /** Add a scorecard to an application. */
  createScorecard(applicationId: string, body: CreateScorecardRequest, options: RequestOptions = {}): ApiPromise<Scorecard> {
    return this.core.post(path('/applications/{application_handle}/scorecards', applicationId), body, options)
  }

  /** Move an application to another stage. */
  move(applicationId: string, body: MoveApplicationRequest, options: RequestOptions = {}): ApiPromise<Application> {
    return this.core.post(path('/applications/{application_handle}/move', applicationId), body, options)
  }

  /** Reject an application. */
  reject(applicationId: string, body: RejectApplicationRequest, options: RequestOptions = {}): ApiPromise<Application> {
    return this.core.post(path('/applications/{application_handle}/reject', applicationId), body, options)
  }

  /** Hire an applicant. */
  hire(applicationId: string, body: HireApplicationRequest = {}, options: RequestOptions = {}): ApiPromise<Application> {
    return this.core.post(path('/applications/{application_handle}/hire', applicationId), body, options)
  }

  /** Reopen an application. */
  reopen(applicationId: string, body: ReopenApplicationRequest = {}, options: RequestOptions = {}): ApiPromise<Application> {
    return this.core.post(path('/applications/{application_handle}/reopen', applicationId), body, options)
  }

  /** List the interviews of an application. */
  listInterviews(applicationId: string, query: ListInterviewsQuery = {}, options: RequestOptions = {}): PagePromise<Interview, InterviewPage> {
    return this.core.list(path('/applications/{application_handle}/interviews', applicationId), query, options)
  }

  /** List the orders for an application. */
  listOrders(applicationId: string, query: ListApplicationOrdersQuery = {}, options: RequestOptions = {}): PagePromise<OrderSummary, OrderPage> {
    return this.core.list(path('/applications/{application_handle}/orders', applicationId), query, options)
  }

  /** Get the résumé of an application. */
  getResume(applicationId: string, query: GetApplicationResumeQuery = {}, options: RequestOptions = {}): ApiPromise<Resume> {
    return this.core.get(path('/applications/{application_handle}/resume', applicationId), query, options)
  }

  /** Get a download URL of a résumé. */
  getResumeDownload(applicationId: string, options: RequestOptions = {}): ApiPromise<ResumeDownload> {
    return this.core.get(path('/applications/{application_handle}/resume/download', applicationId), {}, options)
  }
}

export class Applicants extends Resource {
  /** List the applications of an applicant. */
  listApplications(applicantId: string, query: ListApplicantApplicationsQuery = {}, options: RequestOptions = {}): PagePromise<Application, ApplicationPage> {
    return this.core.list(path('/applicants/{applicant_handle}/applications', applicantId), query, options)
  }

  /** List the résumés of an applicant. */
  listResumes(applicantId: string, query: ListApplicantResumesQuery = {}, options: RequestOptions = {}): PagePromise<ResumeSummary, ResumePage> {
    return this.core.list(path('/applicants/{applicant_handle}/resumes', applicantId), query, options)
  }

  /** List applicants. */
  list(query: ListApplicantsQuery = {}, options: RequestOptions = {}): PagePromise<Applicant, ApplicantPage> {
    return this.core.list('/applicants', query, options)
  }

  /** Get an applicant. */
  get(applicantId: string, query: GetApplicantQuery = {}, options: RequestOptions = {}): ApiPromise<Applicant> {
    return this.core.get(path('/applicants/{applicant_handle}', applicantId), query, options)
  }

  /** Get the contact details of an applicant. */
  getContactInfo(applicantId: string, options: RequestOptions = {}): ApiPromise<ContactInfo> {
    return this.core.get(path('/applicants/{applicant_handle}/contact-info', applicantId), {}, options)
  }
}

export class Packages extends Resource {
  /** List the tests and checks that vendors offer. */
  list(query: ListPackagesQuery = {}, options: RequestOptions = {}): PagePromise<Package, PackagePage> {
    return this.core.list('/packages', query, options)
  }

  /** Publish a test or check. */
  publish(body: PublishPackageRequest, options: RequestOptions = {}): ApiPromise<Package> {
    return this.core.post('/packages', body, options)
  }

  /** Get a test or check that a vendor offers. */
  get(packageId: string, options: RequestOptions = {}): ApiPromise<Package> {
    return this.core.get(path('/packages/{package_handle}', packageId), {}, options)
  }

  /** Withdraw a test or check. */
  withdraw(packageId: string, options: RequestOptions = {}): ApiPromise<Package> {
    return this.core.post(path('/packages/{package_handle}/withdraw', packageId), undefined, options)
  }
}

export class Orders extends Resource {
  /** List orders of tests and checks. */
  list(query: ListOrdersQuery = {}, options: RequestOptions = {}): PagePromise<OrderSummary, OrderPage> {
    return this.core.list('/orders', query, options)
  }

  /** Order a test or check for a candidate. */
  place(body: PlaceOrderRequest, options: RequestOptions = {}): ApiPromise<Order> {
    return this.core.post('/orders', body, options)
  }

  /** Get an order of a test or check. */
  get(orderId: string, options: RequestOptions = {}): ApiPromise<Order> {
    return this.core.get(path('/orders/{order_handle}', orderId), {}, options)
  }

  /** Get the candidate of an order. */
  getCandidate(orderId: string, options: RequestOptions = {}): ApiPromise<OrderCandidate> {
    return this.core.get(path('/orders/{order_handle}/candidate', orderId), {}, options)
  }

  /** Get a download URL of the résumé of the candidate of an order. */
  getResumeDownload(orderId: string, options: RequestOptions = {}): ApiPromise<OrderResumeDownload> {
    return this.core.get(path('/orders/{order_handle}/resume/download', orderId), {}, options)
  }

  /** Get the result of an order. */
  getResult(orderId: string, options: RequestOptions = {}): ApiPromise<OrderResult> {
    return this.core.get(path('/orders/{order_handle}/result', orderId), {}, options)
  }

  /** Read a report of a result. */
  readReport(orderId: string, reportId: string, options: RequestOptions = {}): ApiPromise<Blob> {
    return this.core.download(path('/orders/{order_handle}/reports/{report_id}/content', orderId, reportId), {}, options)
  }

  /** Cancel an order. */
  cancel(orderId: string, body: CancelOrderRequest = {}, options: RequestOptions = {}): ApiPromise<Order> {
    return this.core.post(path('/orders/{order_handle}/cancel', orderId), body, options)
  }

  /** Set another due date of an order. */
  extend(orderId: string, body: ExtendOrderRequest, options: RequestOptions = {}): ApiPromise<Order> {
    return this.core.post(path('/orders/{order_handle}/extend', orderId), body, options)
  }

  /** Order the same package again. */
  repeat(orderId: string, body: RepeatOrderRequest = {}, options: RequestOptions = {}): ApiPromise<Order> {
    return this.core.post(path('/orders/{order_handle}/repeat', orderId), body, options)
  }

  /** Accept an order. */
  accept(orderId: string, body: AcceptOrderRequest, options: RequestOptions = {}): ApiPromise<Order> {
    return this.core.post(path('/orders/{order_handle}/accept', orderId), body, options)
  }

  /** Decline an order. */
  decline(orderId: string, body: DeclineOrderRequest, options: RequestOptions = {}): ApiPromise<Order> {
    return this.core.post(path('/orders/{order_handle}/decline', orderId), body, options)
  }

  /** Report progress of an order. */
  progress(orderId: string, body: ProgressOrderRequest = {}, options: RequestOptions = {}): ApiPromise<Order> {
    return this.core.post(path('/orders/{order_handle}/progress', orderId), body, options)
  }

  /** Report that an order cannot be carried out. */
  fail(orderId: string, body: FailOrderRequest, options: RequestOptions = {}): ApiPromise<Order> {
    return this.core.post(path('/orders/{order_handle}/fail', orderId), body, options)
  }

  /** Reserve the upload of a report. */
  createReportUpload(orderId: string, body: CreateReportUploadRequest, options: RequestOptions = {}): ApiPromise<Upload> {
    return this.core.post(path('/orders/{order_handle}/reports', orderId), body, options)
  }

  /** Complete an order with its result. */
  complete(orderId: string, body: CompleteOrderRequest, options: RequestOptions = {}): ApiPromise<Order> {
    return this.core.post(path('/orders/{order_handle}/complete', orderId), body, options)
  }
}

export class Uploads extends Resource {
  /** Reserve a résumé upload. */
  create(body: CreateUploadRequest, options: RequestOptions = {}): ApiPromise<Upload> {
    return this.core.post('/uploads', body, options)
  }
}

export class Messages extends Resource {
  /** Send an email to an applicant. */
  send(body: SendMessageRequest, options: RequestOptions = {}): ApiPromise<Message> {
    return this.core.post('/messages', body, options)
  }
}

export class Analytics extends Resource {
  /** Get the hiring funnel. */
  getHiringFunnel(query: GetHiringFunnelQuery = {}, options: RequestOptions = {}): ApiPromise<HiringFunnel> {
    return this.core.get('/analytics/hiring-funnel', query, options)
  }
}

export class Exports extends Resource {
  /** Start a full export. */
  create(body: CreateExportRequest, options: RequestOptions = {}): ApiPromise<Export> {
    return this.core.post('/exports', body, options)
  }

  /** Get an export. */
  get(exportId: string, options: RequestOptions = {}): ApiPromise<Export> {
    return this.core.get(path('/exports/{export_id}', exportId), {}, options)
  }
}

export class Test extends Resource {
  /** Reset a test workspace. */
  resetWorkspace(body: ResetTestWorkspaceRequest = {}, options: RequestOptions = {}): ApiPromise<TestReset> {
    return this.core.post('/test/reset', body, options)
  }

  /** Fill a test workspace. */
  seedWorkspace(body: SeedTestWorkspaceRequest = {}, options: RequestOptions = {}): ApiPromise<TestSeed> {
    return this.core.post('/test/seed', body, options)
  }

  /** Cause an event in a test workspace. */
  simulateEvent(body: SimulateTestEventRequest, options: RequestOptions = {}): ApiPromise<TestEvent> {
    return this.core.post('/test/simulate', body, options)
  }

  /** Get the clock of a test workspace. */
  getClock(options: RequestOptions = {}): ApiPromise<TestClock> {
    return this.core.get('/test/clock', {}, options)
  }

  /** Advance the clock of a test workspace. */
  advanceClock(body: AdvanceTestClockRequest, options: RequestOptions = {}): ApiPromise<TestClock> {
    return this.core.post('/test/clock/advance', body, options)
  }

  /** List the emails of a test workspace. */
  listMails(query: ListTestMailsQuery = {}, options: RequestOptions = {}): PagePromise<TestMail, TestMailPage> {
    return this.core.list('/test/mailbox', query, options)
  }
}

/** Where each operation is, and what it takes and returns. */
export interface Operations {
  ping: { method: 'GET'; path: '/ping'; query: never; body: undefined; response: Ping }
  listVersions: { method: 'GET'; path: '/versions'; query: 'limit' | 'cursor'; body: undefined; response: ApiVersionPage }
  getOpenapi: { method: 'GET'; path: '/openapi.json'; query: never; body: undefined; response: OpenapiDocument }
  getMe: { method: 'GET'; path: '/me'; query: never; body: undefined; response: Credential }
  listMyAccess: { method: 'GET'; path: '/me/access'; query: 'limit' | 'cursor'; body: undefined; response: ResourceAccessPage }
  listPersonalDataReads: { method: 'GET'; path: '/audit/personal-data-reads'; query: 'limit' | 'cursor'; body: undefined; response: PersonalDataReadPage }
  listRequests: { method: 'GET'; path: '/requests'; query: 'request_id' | 'method' | 'route' | 'status' | 'code' | 'created_after' | 'created_before' | 'limit' | 'cursor'; body: undefined; response: ApiRequestPage }
  getRequest: { method: 'GET'; path: '/requests/{request_id}'; query: never; body: undefined; response: ApiRequest }
  listWorkspaces: { method: 'GET'; path: '/workspaces'; query: 'limit' | 'cursor' | 'updated_after' | 'updated_before' | 'order'; body: undefined; response: WorkspacePage }
  getWorkspace: { method: 'GET'; path: '/workspaces/{workspace_handle}'; query: never; body: undefined; response: Workspace }
  listWorkspaceUsers: { method: 'GET'; path: '/workspaces/{workspace_handle}/users'; query: 'limit' | 'cursor'; body: undefined; response: UserPage }
  getUser: { method: 'GET'; path: '/users/{user_handle}'; query: never; body: undefined; response: User }
  listInstallations: { method: 'GET'; path: '/installations'; query: 'status' | 'limit' | 'cursor' | 'updated_after' | 'updated_before' | 'order'; body: undefined; response: InstallationPage }
  getInstallation: { method: 'GET'; path: '/installations/{installation_handle}'; query: never; body: undefined; response: Installation }
  rotateInstallationKey: { method: 'POST'; path: '/installations/{installation_handle}/rotate-key'; query: never; body: RotateInstallationKeyRequest; response: InstallationKey }
  uninstallApp: { method: 'POST'; path: '/installations/{installation_handle}/uninstall'; query: never; body: UninstallAppRequest; response: Installation }
  confirmDeletion: { method: 'POST'; path: '/installations/{installation_handle}/confirm-deletion'; query: never; body: ConfirmDeletionRequest; response: Installation }
  listJobs: { method: 'GET'; path: '/jobs'; query: 'status' | 'include_unpublished' | 'department' | 'location_type' | 'employment_type' | 'q' | 'published_after' | 'published_before' | 'source_system' | 'external_id' | 'limit' | 'cursor' | 'updated_after' | 'updated_before' | 'order' | 'sort' | 'include'; body: undefined; response: JobPage }
  pushJob: { method: 'POST'; path: '/jobs'; query: never; body: PushJobRequest; response: Job }
  getJob: { method: 'GET'; path: '/jobs/{job_handle}'; query: never; body: undefined; response: Job }
  getJobBySlug: { method: 'GET'; path: '/jobs/by-slug/{slug}'; query: never; body: undefined; response: Job }
  getJobSections: { method: 'GET'; path: '/jobs/{job_handle}/sections'; query: never; body: undefined; response: JobSections }
  listPipelineStages: { method: 'GET'; path: '/jobs/{job_handle}/pipeline-stages'; query: 'limit' | 'cursor'; body: undefined; response: PipelineStagePage }
  getApplicationForm: { method: 'GET'; path: '/jobs/{job_handle}/application-form'; query: never; body: undefined; response: ApplicationForm }
  getPrescreenQuestions: { method: 'GET'; path: '/jobs/{job_handle}/prescreen-questions'; query: never; body: undefined; response: PrescreenQuestions }
  getPublishReadiness: { method: 'GET'; path: '/jobs/{job_handle}/publish-readiness'; query: never; body: undefined; response: PublishReadiness }
  publishJob: { method: 'POST'; path: '/jobs/{job_handle}/publish'; query: never; body: PublishJobRequest | undefined; response: Job }
  unpublishJob: { method: 'POST'; path: '/jobs/{job_handle}/unpublish'; query: never; body: UnpublishJobRequest | undefined; response: Job }
  closeJob: { method: 'POST'; path: '/jobs/{job_handle}/close'; query: never; body: CloseJobRequest | undefined; response: Job }
  reopenJob: { method: 'POST'; path: '/jobs/{job_handle}/reopen'; query: never; body: ReopenJobRequest | undefined; response: Job }
  listEvents: { method: 'GET'; path: '/events'; query: 'after' | 'type' | 'exclude_origin' | 'limit'; body: undefined; response: EventPage }
  getEvent: { method: 'GET'; path: '/events/{event_handle}'; query: never; body: undefined; response: Event }
  listSuppressions: { method: 'GET'; path: '/suppressions'; query: 'after' | 'limit'; body: undefined; response: SuppressionPage }
  acknowledgeSuppression: { method: 'POST'; path: '/suppressions/{suppression_id}/acknowledge'; query: never; body: AcknowledgeSuppressionRequest; response: SuppressionAcknowledgement }
  listWebhookEndpoints: { method: 'GET'; path: '/webhooks/endpoints'; query: 'limit' | 'cursor'; body: undefined; response: WebhookEndpointPage }
  createWebhookEndpoint: { method: 'POST'; path: '/webhooks/endpoints'; query: never; body: CreateWebhookEndpointRequest; response: WebhookEndpoint }
  getWebhookEndpoint: { method: 'GET'; path: '/webhooks/endpoints/{endpoint_id}'; query: never; body: undefined; response: WebhookEndpoint }
  updateWebhookEndpoint: { method: 'POST'; path: '/webhooks/endpoints/{endpoint_id}'; query: never; body: UpdateWebhookEndpointRequest; response: WebhookEndpoint }
  rotateWebhookSecret: { method: 'POST'; path: '/webhooks/endpoints/{endpoint_id}/rotate-secret'; query: never; body: RotateWebhookSecretRequest | undefined; response: WebhookEndpoint }
  disableWebhookEndpoint: { method: 'POST'; path: '/webhooks/endpoints/{endpoint_id}/disable'; query: never; body: undefined; response: WebhookEndpoint }
  enableWebhookEndpoint: { method: 'POST'; path: '/webhooks/endpoints/{endpoint_id}/enable'; query: never; body: undefined; response: WebhookEndpoint }
  testWebhookEndpoint: { method: 'POST'; path: '/webhooks/endpoints/{endpoint_id}/test'; query: never; body: undefined; response: WebhookDelivery }
  recoverWebhookEndpoint: { method: 'POST'; path: '/webhooks/endpoints/{endpoint_id}/recover'; query: never; body: RecoverWebhookEndpointRequest; response: WebhookRecovery }
  listWebhookDeliveries: { method: 'GET'; path: '/webhooks/deliveries'; query: 'endpoint_id' | 'event_id' | 'event_type' | 'status' | 'response_status' | 'created_after' | 'created_before' | 'limit' | 'cursor'; body: undefined; response: WebhookDeliveryPage }
  getWebhookDelivery: { method: 'GET'; path: '/webhooks/deliveries/{delivery_id}'; query: never; body: undefined; response: WebhookDelivery }
  redeliverWebhook: { method: 'POST'; path: '/webhooks/deliveries/{delivery_id}/redeliver'; query: never; body: undefined; response: WebhookDelivery }
  listProjects: { method: 'GET'; path: '/projects'; query: 'limit' | 'cursor' | 'updated_after' | 'updated_before' | 'order'; body: undefined; response: ProjectPage }
  getProject: { method: 'GET'; path: '/projects/{project_handle}'; query: never; body: undefined; response: Project }
  listProjectLists: { method: 'GET'; path: '/projects/{project_handle}/lists'; query: 'limit' | 'cursor' | 'updated_after' | 'updated_before' | 'order'; body: undefined; response: CandidateListPage }
  listCandidateLists: { method: 'GET'; path: '/lists'; query: 'limit' | 'cursor' | 'updated_after' | 'updated_before' | 'order'; body: undefined; response: CandidateListPage }
  createCandidateList: { method: 'POST'; path: '/lists'; query: never; body: CreateCandidateListRequest; response: CandidateList }
  getCandidateList: { method: 'GET'; path: '/lists/{list_handle}'; query: never; body: undefined; response: CandidateList }
  listCandidateListMembers: { method: 'GET'; path: '/lists/{list_handle}/members'; query: 'limit' | 'cursor' | 'include'; body: undefined; response: ListMembershipPage }
  addCandidateListMembers: { method: 'POST'; path: '/lists/{list_handle}/members'; query: never; body: AddCandidateListMembersRequest; response: ListMemberBatch }
  listSourcedProfileMemberships: { method: 'GET'; path: '/sourced-profiles/{profile_handle}/list-memberships'; query: 'limit' | 'cursor'; body: undefined; response: ListMembershipPage }
  setCandidateListMemberStage: { method: 'POST'; path: '/lists/{list_handle}/members/{member_handle}/stage'; query: never; body: SetCandidateListMemberStageRequest; response: ListMembership }
  listSourcedProfiles: { method: 'GET'; path: '/sourced-profiles'; query: 'origin' | 'has_contact_info' | 'q' | 'limit' | 'cursor' | 'updated_after' | 'updated_before' | 'order' | 'sort'; body: undefined; response: SourcedProfilePage }
  getSourcedProfile: { method: 'GET'; path: '/sourced-profiles/{profile_handle}'; query: never; body: undefined; response: SourcedProfile }
  listAttachments: { method: 'GET'; path: '/sourced-profiles/{profile_handle}/attachments'; query: 'limit' | 'cursor'; body: undefined; response: AttachmentPage }
  downloadAttachment: { method: 'GET'; path: '/sourced-profiles/{profile_handle}/attachments/{kind}/content'; query: never; body: undefined; response: Blob }
  resolvePerson: { method: 'GET'; path: '/people/resolve'; query: 'email' | 'linkedin_url'; body: undefined; response: Person }
  resolvePeople: { method: 'POST'; path: '/people/resolve:batch'; query: never; body: ResolvePeopleRequest; response: ResolutionPage }
  getPerson: { method: 'GET'; path: '/people/{person_handle}'; query: never; body: undefined; response: Person }
  listPersonProfiles: { method: 'GET'; path: '/people/{person_handle}/profiles'; query: 'limit' | 'cursor'; body: undefined; response: ProfilePointerPage }
  listPoolProfiles: { method: 'GET'; path: '/pool/profiles'; query: 'country' | 'company' | 'title' | 'updated_after' | 'limit' | 'cursor'; body: undefined; response: PoolProfilePage }
  getPoolProfile: { method: 'GET'; path: '/pool/profiles/{profile_handle}'; query: never; body: undefined; response: PoolProfile }
  searchPool: { method: 'POST'; path: '/pool/search'; query: never; body: SearchPoolRequest; response: PoolProfilePage }
  listApplications: { method: 'GET'; path: '/applications'; query: 'job_id' | 'applicant_id' | 'status' | 'stage_id' | 'applied_after' | 'source_system' | 'external_id' | 'min_score' | 'limit' | 'cursor' | 'updated_after' | 'updated_before' | 'order' | 'sort' | 'include'; body: undefined; response: ApplicationPage }
  createApplication: { method: 'POST'; path: '/applications'; query: never; body: CreateApplicationRequest; response: Application }
  listJobApplications: { method: 'GET'; path: '/jobs/{job_handle}/applications'; query: 'status' | 'stage_id' | 'applied_after' | 'source_system' | 'external_id' | 'min_score' | 'limit' | 'cursor' | 'updated_after' | 'updated_before' | 'order' | 'sort' | 'include'; body: undefined; response: ApplicationPage }
  listApplicantApplications: { method: 'GET'; path: '/applicants/{applicant_handle}/applications'; query: 'limit' | 'cursor' | 'updated_after' | 'updated_before' | 'order' | 'include'; body: undefined; response: ApplicationPage }
  listPersonApplications: { method: 'GET'; path: '/people/{person_handle}/applications'; query: 'limit' | 'cursor' | 'updated_after' | 'updated_before' | 'order' | 'include'; body: undefined; response: ApplicationPage }
  getApplication: { method: 'GET'; path: '/applications/{application_handle}'; query: 'include'; body: undefined; response: Application }
  getApplicationAnswers: { method: 'GET'; path: '/applications/{application_handle}/answers'; query: never; body: undefined; response: ApplicationAnswers }
  getApplicationScore: { method: 'GET'; path: '/applications/{application_handle}/score'; query: never; body: undefined; response: ApplicationScore }
  getApplicationScreening: { method: 'GET'; path: '/applications/{application_handle}/screening'; query: never; body: undefined; response: Screening }
  listStageTransitions: { method: 'GET'; path: '/applications/{application_handle}/stage-transitions'; query: 'limit' | 'cursor'; body: undefined; response: StageTransitionPage }
  listNotes: { method: 'GET'; path: '/applications/{application_handle}/notes'; query: 'limit' | 'cursor'; body: undefined; response: NotePage }
  createNote: { method: 'POST'; path: '/applications/{application_handle}/notes'; query: never; body: CreateNoteRequest; response: Note }
  listScorecards: { method: 'GET'; path: '/applications/{application_handle}/scorecards'; query: 'limit' | 'cursor'; body: undefined; response: ScorecardPage }
  createScorecard: { method: 'POST'; path: '/applications/{application_handle}/scorecards'; query: never; body: CreateScorecardRequest; response: Scorecard }
  moveApplication: { method: 'POST'; path: '/applications/{application_handle}/move'; query: never; body: MoveApplicationRequest; response: Application }
  rejectApplication: { method: 'POST'; path: '/applications/{application_handle}/reject'; query: never; body: RejectApplicationRequest; response: Application }
  hireApplication: { method: 'POST'; path: '/applications/{application_handle}/hire'; query: never; body: HireApplicationRequest | undefined; response: Application }
  reopenApplication: { method: 'POST'; path: '/applications/{application_handle}/reopen'; query: never; body: ReopenApplicationRequest | undefined; response: Application }
  listInterviews: { method: 'GET'; path: '/applications/{application_handle}/interviews'; query: 'limit' | 'cursor'; body: undefined; response: InterviewPage }
  listPackages: { method: 'GET'; path: '/packages'; query: 'kind' | 'status' | 'country' | 'external_id' | 'limit' | 'cursor' | 'updated_after' | 'updated_before' | 'order'; body: undefined; response: PackagePage }
  publishPackage: { method: 'POST'; path: '/packages'; query: never; body: PublishPackageRequest; response: Package }
  getPackage: { method: 'GET'; path: '/packages/{package_handle}'; query: never; body: undefined; response: Package }
  withdrawPackage: { method: 'POST'; path: '/packages/{package_handle}/withdraw'; query: never; body: undefined; response: Package }
  listOrders: { method: 'GET'; path: '/orders'; query: 'status' | 'kind' | 'package_id' | 'application_id' | 'job_id' | 'external_id' | 'source_system' | 'limit' | 'cursor' | 'updated_after' | 'updated_before' | 'order' | 'sort' | 'include'; body: undefined; response: OrderPage }
  placeOrder: { method: 'POST'; path: '/orders'; query: never; body: PlaceOrderRequest; response: Order }
  listApplicationOrders: { method: 'GET'; path: '/applications/{application_handle}/orders'; query: 'limit' | 'cursor'; body: undefined; response: OrderPage }
  getOrder: { method: 'GET'; path: '/orders/{order_handle}'; query: never; body: undefined; response: Order }
  getOrderCandidate: { method: 'GET'; path: '/orders/{order_handle}/candidate'; query: never; body: undefined; response: OrderCandidate }
  getOrderResumeDownload: { method: 'GET'; path: '/orders/{order_handle}/resume/download'; query: never; body: undefined; response: OrderResumeDownload }
  getOrderResult: { method: 'GET'; path: '/orders/{order_handle}/result'; query: never; body: undefined; response: OrderResult }
  readOrderReport: { method: 'GET'; path: '/orders/{order_handle}/reports/{report_id}/content'; query: never; body: undefined; response: Blob }
  cancelOrder: { method: 'POST'; path: '/orders/{order_handle}/cancel'; query: never; body: CancelOrderRequest | undefined; response: Order }
  extendOrder: { method: 'POST'; path: '/orders/{order_handle}/extend'; query: never; body: ExtendOrderRequest; response: Order }
  repeatOrder: { method: 'POST'; path: '/orders/{order_handle}/repeat'; query: never; body: RepeatOrderRequest | undefined; response: Order }
  acceptOrder: { method: 'POST'; path: '/orders/{order_handle}/accept'; query: never; body: AcceptOrderRequest; response: Order }
  declineOrder: { method: 'POST'; path: '/orders/{order_handle}/decline'; query: never; body: DeclineOrderRequest; response: Order }
  progressOrder: { method: 'POST'; path: '/orders/{order_handle}/progress'; query: never; body: ProgressOrderRequest | undefined; response: Order }
  failOrder: { method: 'POST'; path: '/orders/{order_handle}/fail'; query: never; body: FailOrderRequest; response: Order }
  createReportUpload: { method: 'POST'; path: '/orders/{order_handle}/reports'; query: never; body: CreateReportUploadRequest; response: Upload }
  completeOrder: { method: 'POST'; path: '/orders/{order_handle}/complete'; query: never; body: CompleteOrderRequest; response: Order }
  createUpload: { method: 'POST'; path: '/uploads'; query: never; body: CreateUploadRequest; response: Upload }
  getApplicationResume: { method: 'GET'; path: '/applications/{application_handle}/resume'; query: 'raw_text'; body: undefined; response: Resume }
  getResumeDownload: { method: 'GET'; path: '/applications/{application_handle}/resume/download'; query: never; body: undefined; response: ResumeDownload }
  listApplicantResumes: { method: 'GET'; path: '/applicants/{applicant_handle}/resumes'; query: 'limit' | 'cursor'; body: undefined; response: ResumePage }
  listPersonResumes: { method: 'GET'; path: '/people/{person_handle}/resumes'; query: 'limit' | 'cursor'; body: undefined; response: ResumePage }
  listApplicants: { method: 'GET'; path: '/applicants'; query: 'email' | 'has_applications' | 'limit' | 'cursor' | 'updated_after' | 'updated_before' | 'order' | 'include'; body: undefined; response: ApplicantPage }
  getApplicant: { method: 'GET'; path: '/applicants/{applicant_handle}'; query: 'include'; body: undefined; response: Applicant }
  getApplicantContactInfo: { method: 'GET'; path: '/applicants/{applicant_handle}/contact-info'; query: never; body: undefined; response: ContactInfo }
  getSourcedProfileContactInfo: { method: 'GET'; path: '/sourced-profiles/{profile_handle}/contact-info'; query: never; body: undefined; response: ContactInfo }
  getPersonContactInfo: { method: 'GET'; path: '/people/{person_handle}/contact-info'; query: never; body: undefined; response: ContactInfo }
  sendMessage: { method: 'POST'; path: '/messages'; query: never; body: SendMessageRequest; response: Message }
  getHiringFunnel: { method: 'GET'; path: '/analytics/hiring-funnel'; query: 'applied_after' | 'applied_before' | 'job_id' | 'department' | 'source' | 'group_by'; body: undefined; response: HiringFunnel }
  createExport: { method: 'POST'; path: '/exports'; query: never; body: CreateExportRequest; response: Export }
  getExport: { method: 'GET'; path: '/exports/{export_id}'; query: never; body: undefined; response: Export }
  resetTestWorkspace: { method: 'POST'; path: '/test/reset'; query: never; body: ResetTestWorkspaceRequest | undefined; response: TestReset }
  seedTestWorkspace: { method: 'POST'; path: '/test/seed'; query: never; body: SeedTestWorkspaceRequest | undefined; response: TestSeed }
  simulateTestEvent: { method: 'POST'; path: '/test/simulate'; query: never; body: SimulateTestEventRequest; response: TestEvent }
  getTestClock: { method: 'GET'; path: '/test/clock'; query: never; body: undefined; response: TestClock }
  advanceTestClock: { method: 'POST'; path: '/test/clock/advance'; query: never; body: AdvanceTestClockRequest; response: TestClock }
  listTestMails: { method: 'GET'; path: '/test/mailbox'; query: 'to' | 'limit' | 'cursor'; body: undefined; response: TestMailPage }
}

/** Every endpoint, by resource. */
export class Endpoints extends Core {
  readonly meta: Meta = new Meta(this)
  readonly workspaces: Workspaces = new Workspaces(this)
  readonly users: Users = new Users(this)
  readonly installations: Installations = new Installations(this)
  readonly jobs: Jobs = new Jobs(this)
  readonly events: Events = new Events(this)
  readonly suppressions: Suppressions = new Suppressions(this)
  readonly webhookEndpoints: WebhookEndpoints = new WebhookEndpoints(this)
  readonly webhookDeliveries: WebhookDeliveries = new WebhookDeliveries(this)
  readonly projects: Projects = new Projects(this)
  readonly lists: Lists = new Lists(this)
  readonly sourcedProfiles: SourcedProfiles = new SourcedProfiles(this)
  readonly people: People = new People(this)
  readonly pool: Pool = new Pool(this)
  readonly applications: Applications = new Applications(this)
  readonly applicants: Applicants = new Applicants(this)
  readonly packages: Packages = new Packages(this)
  readonly orders: Orders = new Orders(this)
  readonly uploads: Uploads = new Uploads(this)
  readonly messages: Messages = new Messages(this)
  readonly analytics: Analytics = new Analytics(this)
  readonly exports: Exports = new Exports(this)
  readonly test: Test = new Test(this)
}
