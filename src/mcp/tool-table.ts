import type { Route } from '../kernel/http/route.ts'

/** What a client should know before it runs a write. Reads need no row of this: they change nothing. */
export interface WriteHints {
  /** overwrites or ends something, or cannot be taken back: clients ask their user first */
  destructive: boolean
  /** a repeat with the same arguments changes nothing further */
  idempotent: boolean
  /** reaches people or systems outside the service */
  openWorld?: true
}

export interface ToolRow {
  name: string
  /** of a write */
  hints?: WriteHints
  /** fields that a model rarely needs; the API returns them */
  omit?: readonly string[]
  /** rows of the list are shown whole, because no other tool returns one */
  whole?: true
  /** what the summary of the endpoint does not say to a model */
  note?: string
}

type Endpoint = `${Route['method']} /${string}`

const CREATES: WriteHints = { destructive: false, idempotent: false }
/** can be reversed, and the history of the record shows it */
const CHANGES: WriteHints = { destructive: false, idempotent: true }
const OVERWRITES: WriteHints = { destructive: true, idempotent: true }
const LEAVES = { openWorld: true } as const

const PROVENANCE = ['provenance'] as const

/**
 * The tools, in the order in which clients show them. The endpoint is the tool: its declaration gives the arguments and
 * the result, and a call runs through the same pipeline. A row adds what a model needs besides.
 */
export const TOOLS: Readonly<Record<Endpoint, ToolRow>> = {
  'GET /me': { name: 'get_me', omit: ['scope_descriptions'] },
  'GET /me/access': { name: 'list_my_access' },
  'GET /audit/personal-data-reads': { name: 'list_personal_data_reads' },
  'GET /workspaces': { name: 'list_workspaces' },
  'GET /workspaces/{workspace_handle}': { name: 'get_workspace' },
  'GET /workspaces/{workspace_handle}/users': { name: 'list_workspace_users' },
  'GET /users/{user_handle}': { name: 'get_user' },

  'GET /jobs': { name: 'list_jobs', omit: ['slug', 'source'] },
  'GET /jobs/{job_handle}': { name: 'get_job' },
  'GET /jobs/by-slug/{slug}': { name: 'get_job_by_slug' },
  'GET /jobs/{job_handle}/sections': { name: 'get_job_sections' },
  'GET /jobs/{job_handle}/pipeline-stages': { name: 'list_pipeline_stages' },
  'GET /jobs/{job_handle}/application-form': { name: 'get_application_form' },
  'GET /jobs/{job_handle}/prescreen-questions': { name: 'get_prescreen_questions' },
  'GET /jobs/{job_handle}/publish-readiness': { name: 'get_publish_readiness' },
  'POST /jobs': { name: 'push_job', hints: { ...OVERWRITES, ...LEAVES } },
  'POST /jobs/{job_handle}/publish': { name: 'publish_job', hints: { ...CHANGES, ...LEAVES } },
  'POST /jobs/{job_handle}/unpublish': { name: 'unpublish_job', hints: { ...OVERWRITES, ...LEAVES } },
  'POST /jobs/{job_handle}/close': { name: 'close_job', hints: { ...OVERWRITES, ...LEAVES } },
  'POST /jobs/{job_handle}/reopen': { name: 'reopen_job', hints: { ...CHANGES, ...LEAVES } },

  'GET /applications': { name: 'list_applications' },
  'GET /jobs/{job_handle}/applications': { name: 'list_job_applications' },
  'GET /applicants/{applicant_handle}/applications': { name: 'list_applicant_applications' },
  'GET /people/{person_handle}/applications': { name: 'list_person_applications' },
  'GET /applications/{application_handle}': { name: 'get_application' },
  'GET /applications/{application_handle}/answers': { name: 'get_application_answers' },
  'GET /applications/{application_handle}/score': { name: 'get_application_score' },
  'GET /applications/{application_handle}/screening': { name: 'get_application_screening' },
  'GET /applications/{application_handle}/stage-transitions': { name: 'list_stage_transitions' },
  'GET /applications/{application_handle}/notes': { name: 'list_notes', whole: true },
  'GET /applications/{application_handle}/scorecards': { name: 'list_scorecards', whole: true },
  'POST /applications': { name: 'create_application', hints: CHANGES },
  'POST /applications/{application_handle}/move': { name: 'move_application', hints: CHANGES },
  'POST /applications/{application_handle}/reject': { name: 'reject_application', hints: OVERWRITES },
  'POST /applications/{application_handle}/hire': { name: 'hire_application', hints: OVERWRITES },
  'POST /applications/{application_handle}/reopen': { name: 'reopen_application', hints: CHANGES },
  'POST /applications/{application_handle}/notes': { name: 'create_note', hints: CREATES },
  'POST /applications/{application_handle}/scorecards': { name: 'create_scorecard', hints: CREATES },

  'GET /applicants': { name: 'list_applicants', omit: [...PROVENANCE, 'external_refs'] },
  'GET /applicants/{applicant_handle}': { name: 'get_applicant' },
  'GET /applicants/{applicant_handle}/contact-info': { name: 'get_applicant_contact_info' },
  'GET /applications/{application_handle}/resume': {
    name: 'get_resume',
    note: 'Pass raw_text=false unless you need the full text: it costs a unit, and the parsed profile is usually enough.',
  },
  'GET /applicants/{applicant_handle}/resumes': { name: 'list_applicant_resumes' },
  'GET /people/{person_handle}/resumes': { name: 'list_person_resumes' },
  'POST /uploads': {
    name: 'create_upload',
    hints: CREATES,
    note: 'Only useful if you can send an HTTP PUT request with the file.',
  },
  'POST /messages': {
    name: 'send_message',
    hints: { destructive: true, idempotent: true, ...LEAVES },
    note: 'The email cannot be taken back: show the text to your user before you send it.',
  },

  'GET /sourced-profiles': { name: 'list_sourced_profiles', omit: PROVENANCE },
  'GET /sourced-profiles/{profile_handle}': { name: 'get_sourced_profile' },
  'GET /sourced-profiles/{profile_handle}/attachments': { name: 'list_attachments' },
  'GET /sourced-profiles/{profile_handle}/contact-info': { name: 'get_sourced_profile_contact_info' },
  'GET /sourced-profiles/{profile_handle}/list-memberships': { name: 'list_profile_memberships' },
  'GET /people/resolve': { name: 'resolve_person' },
  'POST /people/resolve:batch': { name: 'resolve_people' },
  'GET /people/{person_handle}': { name: 'get_person' },
  'GET /people/{person_handle}/profiles': { name: 'list_person_profiles' },
  'GET /people/{person_handle}/contact-info': { name: 'get_person_contact_info' },
  'GET /pool/profiles': { name: 'list_pool_profiles', omit: PROVENANCE },
  'GET /pool/profiles/{profile_handle}': { name: 'get_pool_profile' },
  'POST /pool/search': { name: 'search_pool', omit: PROVENANCE },

  'GET /projects': { name: 'list_projects' },
  'GET /projects/{project_handle}': { name: 'get_project' },
  'GET /projects/{project_handle}/lists': { name: 'list_project_lists' },
  'GET /lists': { name: 'list_lists' },
  'GET /lists/{list_handle}': { name: 'get_list' },
  'GET /lists/{list_handle}/members': { name: 'list_members' },
  'POST /lists': { name: 'create_list', hints: CREATES },
  'POST /lists/{list_handle}/members': { name: 'add_list_members', hints: CHANGES },
  'POST /lists/{list_handle}/members/{member_handle}/stage': { name: 'set_member_stage', hints: CHANGES },

  'GET /analytics/hiring-funnel': { name: 'get_hiring_funnel' },
  'GET /events': { name: 'list_events' },
  'GET /events/{event_handle}': { name: 'get_event' },
  'GET /suppressions': { name: 'list_suppressions' },
  'POST /suppressions/{suppression_id}/acknowledge': {
    name: 'acknowledge_suppression',
    hints: OVERWRITES,
    note: 'A statement to the workspace with legal weight: call it only when your user confirmed the deletion.',
  },

  'GET /webhooks/endpoints': { name: 'list_webhook_endpoints', omit: ['signature_scheme'] },
  'GET /webhooks/endpoints/{endpoint_id}': { name: 'get_webhook_endpoint' },
  'GET /webhooks/deliveries': { name: 'list_webhook_deliveries' },
  'GET /webhooks/deliveries/{delivery_id}': { name: 'get_webhook_delivery' },
  'POST /webhooks/endpoints/{endpoint_id}': { name: 'update_webhook_endpoint', hints: OVERWRITES },
  'POST /webhooks/endpoints/{endpoint_id}/disable': { name: 'disable_webhook_endpoint', hints: OVERWRITES },
  'POST /webhooks/endpoints/{endpoint_id}/enable': { name: 'enable_webhook_endpoint', hints: CHANGES },
  'POST /webhooks/endpoints/{endpoint_id}/test': { name: 'test_webhook_endpoint', hints: { ...CREATES, ...LEAVES } },
  'POST /webhooks/endpoints/{endpoint_id}/recover': {
    name: 'recover_webhook_endpoint',
    hints: { ...CREATES, ...LEAVES },
  },
  'POST /webhooks/deliveries/{delivery_id}/redeliver': {
    name: 'redeliver_webhook',
    hints: { ...CREATES, ...LEAVES },
  },
}

/** Endpoints that are no tools, and why. */
export const LEFT_OUT: Readonly<Record<Endpoint, string>> = {
  'GET /ping': 'says nothing about the data of a workspace',
  'GET /versions': 'says nothing about the data of a workspace',
  'GET /openapi.json': 'tools/list describes the tools',
  'GET /sourced-profiles/{profile_handle}/attachments/{kind}/content': 'returns the bytes of a file',
  'GET /applications/{application_handle}/resume/download':
    'returns a URL that opens a personal file without a key; text in a résumé could make a model pass it on',
  'POST /exports': 'whole resources leave by URL, which is nothing for a conversation',
  'GET /exports/{export_id}': 'returns URLs that open whole resources without a key',
  'POST /webhooks/endpoints': 'returns a signing secret, which must not enter a conversation',
  'POST /webhooks/endpoints/{endpoint_id}/rotate-secret':
    'returns a signing secret, which must not enter a conversation',
}

export const endpointOf = (route: Route): Endpoint => `${route.method} ${route.path}` as Endpoint
