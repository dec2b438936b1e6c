/**
 * The enumerations of the API: the name of each, which generated clients take as the name of a type, what its values
 * mean, and whether new values can come. Fields, parameters and bodies declare their values themselves; the OpenAPI
 * description finds the row by them.
 *
 * `closed`: the specification fixes the values. `open`: new values can come without a new version, so a response may
 * have one that a client does not know. Requests accept exactly the values of the row either way.
 */
import { ERROR_CODES, ERRORS } from './errors.ts'
import { EVENT_TYPES, EVENTS } from './events.ts'

export interface EnumRow {
  open: boolean
  about: string
  /** what each value means */
  values: Readonly<Record<string, string>>
}

const open = (about: string, values: EnumRow['values']): EnumRow => ({ open: true, about, values })
const closed = (about: string, values: EnumRow['values']): EnumRow => ({ open: false, about, values })

const eventTypes = Object.fromEntries(EVENT_TYPES.map(type => [type, EVENTS[type].description]))

export const ENUMS: Readonly<Record<string, EnumRow>> = {
  error_code: open(
    'What went wrong. Branch on this.',
    Object.fromEntries(ERROR_CODES.map(code => [code, ERRORS[code].message])),
  ),
  error_type: open('The kind of error.', {
    invalid_request: 'The request is wrong; fix it before you send it again.',
    authentication: 'The key is missing or not valid.',
    permission: 'The key may not do this.',
    payment_required: 'The workspace must pay for this first.',
    not_found: 'There is no such record, or the key cannot see it.',
    conflict: 'The state of the record does not allow this.',
    rate_limit: 'A limit is exhausted; wait.',
    unavailable: 'A dependency does not respond; retry.',
    server: 'A fault of the service.',
  }),
  version_status: open('Whether a version is maintained.', {
    current: 'The newest version.',
    supported: 'An older version without an end date.',
    deprecated: 'Ends at `sunset_at`.',
  }),
  key_environment: closed('For production or for tests.', { live: 'For production.', test: 'For tests.' }),
  test_workspace_seed: open('What a test workspace is filled with.', {
    none: 'Nothing.',
    small: 'Some jobs, applications, profiles and a list.',
    checks: 'The same, and packages of a vendor that the service plays.',
  }),
  test_clock_status: closed('Whether a test clock has reached its time.', {
    ready: 'What fell due is done.',
    advancing: 'What falls due until then is being done.',
  }),
  workspace_scope: open('How many workspaces a key has access to.', {
    single: 'One workspace.',
    list: 'Several workspaces.',
    all: 'Every workspace of the account.',
  }),
  plan_code: open('The plan of the workspace.', {
    starter: 'Starter.',
    growth: 'Growth.',
    enterprise: 'Enterprise.',
  }),
  field_access: open('Whether the key can read a field.', {
    visible: 'The key can read it.',
    restricted: 'The key cannot read it; `reason` says why.',
  }),
  user_kind: open('What a user is.', {
    person: 'A person.',
    app: 'The user of an installed app: the author of what the app writes.',
  }),
  installation_status: closed('Whether an installation can be used.', {
    active: 'Its key works.',
    suspended: 'Its key is refused until it is resumed; `suspended_by` says by whom it was suspended.',
    ended: 'It was uninstalled. Delete your copies before `delete_by`.',
  }),
  notice_reason: open('Why the publisher of an app is notified.', {
    installed: 'An owner or admin installed the app.',
    access_granted: 'An owner or admin decided again about its access: there is a new key.',
    access_requested: 'The app asks for more; an owner or admin decides with the install link.',
    access_dropped: 'The app gave up scopes.',
    suspended: 'The workspace or the operator suspended it.',
    resumed: 'Who suspended it resumed it. Recover what was missed.',
    uninstalled_by_workspace: 'An owner or admin uninstalled it.',
    uninstalled_by_app: 'The app uninstalled itself.',
    ended_by_operator: 'The operator revoked the app.',
  }),
  suspended_by: closed('Who suspended an installation.', {
    workspace: 'An owner or admin of the workspace.',
    operator: 'The operator of the service, for every installation of the app.',
  }),
  user_role: closed('The role of a member.', {
    owner: 'Can do everything, including billing and deletion.',
    admin: 'Manages members, keys and settings.',
    member: 'Works with candidates.',
    viewer: 'Reads jobs, applications and lists.',
  }),
  job_status: open('The state of a job.', {
    draft: 'Not public.',
    published: 'Public.',
    closed: 'No longer accepts applications.',
  }),
  employment_type: closed('The kind of employment.', {
    full_time: 'Full-time.',
    part_time: 'Part-time.',
    contract: 'For the time of a contract.',
    intern: 'Internship.',
    temp: 'Temporary work.',
  }),
  location_type: closed('Where the work is done.', {
    remote: 'From anywhere, or from the named locations.',
    hybrid: 'Partly on site.',
    onsite: 'On site.',
  }),
  experience_level: closed('The level of experience that a job asks for.', {
    intern: 'None; for students.',
    junior: 'A first position.',
    mid: 'Some years.',
    senior: 'Many years.',
    lead: 'Leads a team.',
    principal: 'Leads a field.',
  }),
  salary_interval: closed('The time that the salary is paid for.', {
    hourly: 'One hour.',
    monthly: 'One month.',
    annual: 'One year.',
  }),
  stage_type: open('What happens in a stage of a pipeline.', {
    applied: 'New applications arrive here.',
    screen: 'First screening.',
    assessment: 'Tests and tasks.',
    interview: 'Interviews.',
    offer: 'An offer was made.',
    hired: 'Final: the candidate was hired.',
    rejected: 'Final: the application was rejected.',
    custom: 'A stage of the company’s own.',
  }),
  form_field_type: open('The kind of question on an application form.', {
    text: 'One line of text.',
    textarea: 'Several lines of text.',
    select: 'One of `options`.',
    multiselect: 'Any of `options`.',
    boolean: 'Yes or no.',
    number: 'A number.',
    date: 'A date.',
    url: 'A URL.',
    email: 'An email address.',
    phone: 'A phone number.',
    file: 'A file.',
    section: 'A heading without an answer.',
    consent: 'An agreement, which only the candidate can give.',
    eeo: 'An equal-opportunity question, which only the candidate can answer.',
  }),
  answer_type: open('How a pre-screen question is answered.', {
    boolean: 'Yes or no.',
    number: 'A number.',
    text: 'Text.',
    choice: 'One of `choices`.',
    multi_choice: 'Any of `choices`.',
  }),
  question_source: open('Who wrote a pre-screen question.', {
    template: 'The template of the workspace.',
    ai: 'Written for the job by the product.',
    recruiter: 'A recruiter.',
  }),
  event_type: open('What an event is about.', eventTypes),
  delivered_type: open('The type of a delivered event.', {
    ...eventTypes,
    ping: 'A test of the endpoint. It is in no feed.',
    'installation.created': 'For installable apps: a workspace installed the app. It is in no feed.',
    'installation.updated': 'For installable apps: an installation changed. It is in no feed.',
    'installation.deleted': 'For installable apps: an installation ended. It is in no feed.',
  }),
  excluded_origin: closed('Whose changes are left out.', { self: 'Changes that the calling key made.' }),
  suppression_status: closed('How far an erasure is.', {
    suppressed: 'The data of the person is no longer processed.',
    erased: 'The data of the person was erased.',
  }),
  suppression_reason: open('Why the data must no longer be processed.', {
    erasure_request: 'The person asked for erasure.',
    stop_processing: 'The person asked for processing to stop.',
    legal_request: 'The law requires it.',
  }),
  identity_kind: open('The kind of identifier of a person.', {
    email: 'An email address.',
    linkedin_url: 'A LinkedIn URL.',
  }),
  disabled_reason: open('Why an endpoint is disabled.', {
    failing: '5 days without success.',
    gone: 'The receiver returned 410.',
    manual: 'Disabled by a call or a person.',
    key_revoked: 'The key of the endpoint was revoked.',
  }),
  delivery_status: open('The state of a delivery.', {
    pending: 'The first attempt has not ended.',
    retrying: 'An attempt failed; another follows.',
    delivered: 'The receiver accepted it.',
    failed: 'All attempts failed.',
    canceled: 'The endpoint was disabled or deleted.',
  }),
  package_kind: open('The kind of check or assessment.', {
    skills_test: 'A test of skills.',
    cognitive_test: 'A test of reasoning.',
    personality_test: 'A questionnaire about personality.',
    video_interview: 'An interview that is recorded.',
    work_sample: 'A task from the work.',
    reference_check: 'Questions to former employers.',
    background_check: 'A check of the past. Findings stay with the vendor.',
    identity_check: 'A check of identity. Findings stay with the vendor.',
    other: 'Something else.',
  }),
  package_status: open('Whether a package can be ordered.', {
    pending: 'Waits until an owner or admin offers it.',
    active: 'Can be ordered.',
    withdrawn: 'Can no longer be ordered.',
  }),
  package_invitation: closed('Who sends the invitation to the candidate.', {
    service: 'The service; the vendor supplies the link.',
    vendor: 'The vendor.',
  }),
  shared_value: open('A value of the candidate that the vendor can read.', {
    email: 'The email address.',
    phone: 'The phone number.',
    resume: 'The résumé.',
  }),
  order_status: open('The state of an order.', {
    requested: 'The vendor has not accepted it yet.',
    invited: 'Accepted; the candidate has not started.',
    in_progress: 'The candidate has started, or the vendor works on it.',
    completed: 'Done; there is a result.',
    declined: 'The vendor declined it.',
    failed: 'It could not be carried out.',
    expired: 'The due date passed.',
    canceled: 'Canceled.',
  }),
  order_waiting_on: open('Who is to do something.', {
    vendor: 'The vendor.',
    candidate: 'The candidate.',
    workspace: 'The workspace.',
  }),
  order_reason: open('Why an order has its status.', {
    vendor_timeout: 'The vendor did not respond for 7 days.',
    vendor_error: 'A fault of the vendor.',
    unsupported_country: 'The vendor does not work in the country.',
    candidate_unreachable: 'The candidate did not respond to the vendor.',
    duplicate: 'The vendor has done the same before.',
    other: 'Something else; the message says what.',
    canceled_by_workspace: 'The workspace canceled it.',
    app_uninstalled: 'The vendor was removed from the workspace.',
    application_withdrawn: 'The candidate withdrew the application.',
    application_rejected: 'The application was rejected.',
    processing_stopped: 'The data of the candidate is no longer processed.',
  }),
  vendor_reason: closed('Why a vendor declines an order, or cannot complete it.', {
    vendor_error: 'A fault of the vendor.',
    unsupported_country: 'The vendor does not work in the country.',
    candidate_unreachable: 'The candidate did not respond to the vendor.',
    duplicate: 'The vendor has done the same before.',
    other: 'Something else; the message says what.',
  }),
  placed_by_object: open('What placed an order.', {
    user: 'A person.',
    credential: 'An API key or a connected app.',
    stage_rule: 'A rule of the stage that the application entered.',
  }),
  invitation_by: open('Who invites the candidate.', {
    service: 'The service, by email.',
    vendor: 'The vendor.',
    caller: 'The caller who placed the order; the service sends nothing.',
  }),
  order_outcome: open('What the vendor concludes.', {
    recommended: 'Recommended.',
    not_recommended: 'Not recommended.',
    inconclusive: 'Not certain.',
    clear: 'Nothing was found.',
    consider: 'Something was found that a person should look at.',
    none: 'The vendor draws no conclusion.',
  }),
  score_unit: open('What a score counts.', {
    points: 'Points.',
    percent: 'Percent of what can be reached.',
    percentile: 'A rank: percent of people who scored lower.',
    band: 'A rank in bands.',
  }),
  list_member_outcome: closed('What became of one item.', {
    added: 'It was added.',
    already_in_list: 'It was in the list already.',
    not_found: 'There is no such profile.',
    unsupported: 'Applicants cannot be added to a list.',
  }),
  match_tier: open('How well a profile matches the search that found it.', {
    strong: 'Matches all of it.',
    good: 'Matches most of it.',
    fair: 'Matches some of it.',
    weak: 'Matches little of it.',
  }),
  record_origin: closed('Where a record comes from.', {
    applicant: 'The person applied.',
    ats_import:
      'Added by the team, typed in or from a file. Also imported from an ATS, which this version does not do: only the demo has such records.',
    sourced: 'Found and saved by the workspace.',
    shared_pool: 'From the shared pool.',
  }),
  consent_basis: closed('The legal basis of processing.', {
    candidate_submitted: 'The candidate submitted the data.',
    customer_provided: 'The workspace provided the data.',
    legitimate_interest_sourcing: 'Sourcing in legitimate interest.',
    public_profile: 'A public profile.',
  }),
  attachment_type: open('The kind of file of a sourced profile.', {
    profile_photo: 'A photo.',
    resume: 'A résumé.',
    business_card: 'A business card.',
  }),
  profile_object: open('The object of a record of a person.', {
    applicant: 'A person who applied.',
    sourced_profile: 'A profile that the workspace saved.',
    pool_profile: 'A profile of the shared pool.',
  }),
  match_confidence: closed('How certain a match is.', {
    exact: 'Found by a LinkedIn URL.',
    probable: 'Found by an email address.',
  }),
  match_strength: open('How strong the identifier of a match is.', {
    strong: 'It identifies one person.',
    moderate: 'It usually identifies one person.',
  }),
  resolution_reason: open('Why an identifier was not resolved.', {
    no_match: 'The key can read no matching record.',
    not_an_identity: 'The value does not identify one person.',
  }),
  interview_status: open('The state of an interview.', {
    proposed: 'The candidate can choose one of several times.',
    scheduled: 'It has a time.',
    held: 'Its end has passed.',
    no_show: 'The candidate did not come.',
    canceled: 'It does not take place.',
    expired: 'The candidate has chosen none of the offered times.',
  }),
  interview_kind: open('How people meet.', {
    onsite: 'At a place.',
    video: 'In a video call.',
    phone: 'On the phone.',
  }),
  application_status: closed('The state of an application.', {
    new: 'Not looked at yet.',
    in_review: 'Under review.',
    advanced: 'Advanced to the next steps.',
    rejected: 'Rejected.',
    withdrawn: 'The candidate withdrew.',
    hired: 'Hired.',
  }),
  parse_status: closed('The state of parsing a résumé.', {
    pending: 'Waits for parsing.',
    parsing: 'Parsing is in progress.',
    parsed: 'The parsed profile is available.',
    failed: 'The file could not be parsed.',
  }),
  parse_error: open('Why a résumé could not be parsed. All but `internal` are faults of the file.', {
    no_text: 'The file has no text or nearly none: it is empty, or a scan.',
    unreadable: 'The file is damaged.',
    encrypted: 'The file needs a password.',
    unsupported: 'The content is not a PDF, Word, RTF or text document, whatever the file says it is.',
    too_large: 'The content is too large once it is unpacked.',
    timeout: 'Reading the file took too long.',
    internal: 'The service failed three times to read the file. The file may be correct.',
  }),
  resume_access_state: closed('What may be done with a résumé.', {
    open: 'View and download; for 90 days.',
    view_only: 'View only; until day 120.',
    locked: 'Neither, until it is unlocked.',
    unlocked: 'View and download, permanently.',
  }),
  resume_media_type: closed('The type of a résumé file.', {
    'application/pdf': 'PDF.',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word (DOCX).',
    'application/msword': 'Word (DOC).',
    'application/rtf': 'RTF.',
    'text/rtf': 'RTF.',
    'text/plain': 'Plain text.',
  }),
  report_media_type: closed('The type of a report file.', { 'application/pdf': 'PDF.' }),
  call_status: open('The state of a pre-screen call.', {
    scheduled: 'Planned.',
    in_progress: 'Taking place now.',
    completed: 'It took place.',
    no_answer: 'The candidate did not pick up.',
    failed: 'It failed for a technical reason.',
  }),
  completion_state: open('How much of a pre-screen was answered.', {
    none: 'Nothing.',
    partial: 'A part.',
    complete: 'All of it.',
  }),
  screening_consent: open('Whether the candidate agreed to the pre-screen.', {
    pending: 'Not decided.',
    granted: 'Agreed.',
    declined: 'Declined.',
  }),
  recommendation: open('What an interviewer recommends.', {
    strong_yes: 'Certainly hire.',
    yes: 'Hire.',
    no_decision: 'Undecided.',
    no: 'Do not hire.',
    strong_no: 'Certainly do not hire.',
  }),
  contact_kind: open('The kind of a contact detail.', {
    work: 'Of the workplace.',
    personal: 'Private.',
    submitted: 'As the candidate submitted it.',
    mobile: 'A mobile phone.',
    other: 'Another kind.',
  }),
  contact_status: open('Whether a contact detail is known to work.', {
    verified: 'It works.',
    unverified: 'Not checked.',
    invalid: 'It does not work.',
  }),
  contact_field_state: closed('Whether a contact detail was found.', {
    found: 'It was found.',
    not_found: 'It was never revealed, or was searched for and not found.',
  }),
  message_status: open('The state of an email.', {
    sent: 'The mail server accepted it.',
    queued: 'Not known to be sent; it is never sent twice.',
  }),
  funnel_grouping: open('What the funnel is grouped by.', {
    none: 'No groups.',
    job: 'By job.',
    department: 'By department.',
    source: 'By source of the application.',
    week: 'By week of the application, from Monday.',
    month: 'By month of the application.',
  }),
  export_resource: open('A resource that can be exported.', {
    jobs: 'Jobs.',
    applications: 'Applications.',
    applicants: 'Applicants.',
    sourced_profiles: 'Sourced profiles.',
    lists: 'Candidate lists.',
    list_memberships: 'Members of candidate lists.',
    stage_transitions: 'Stage history of applications.',
  }),
  export_status: open('The state of an export.', {
    pending: 'Waits to run.',
    running: 'Rows are being written.',
    ready: 'Final: the files can be downloaded.',
    failed: 'Final: it failed.',
    expired: 'Final: the files were deleted.',
  }),
  export_view: closed('The rows of an export.', {
    list: 'As in the list endpoints.',
    full: 'As in the single reads.',
  }),
  sort_order: closed('The order of a list.', { asc: 'Oldest first.', desc: 'Newest first.' }),
}

const named = new Map(Object.entries(ENUMS).map(([name, row]) => [Object.keys(row.values).join(), { name, ...row }]))

/** The enumeration that has these values, in this order. */
export const findEnum = (values: readonly string[]): (EnumRow & { name: string }) | undefined =>
  named.get(values.join())

export const enumValues = (name: string): string[] => Object.keys(ENUMS[name]!.values)
