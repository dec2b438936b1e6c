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
 * The tools, in the order in which clients show them. The endpoint is the tool: its declaration gives the name, the
 * arguments and the result, and a call runs through the same pipeline. A row adds what a model needs besides.
 */
export const TOOLS: Readonly<Record<Endpoint, ToolRow>> = {
  'GET /me': { omit: ['scope_descriptions'] },
  'GET /me/access': {},
  'GET /audit/personal-data-reads': {},
  'GET /requests': {},
  'GET /requests/{request_id}': {},
  'GET /workspaces': {},
  'GET /workspaces/{workspace_handle}': {},
  'GET /workspaces/{workspace_handle}/users': {},
  'GET /users/{user_handle}': {},

  'GET /jobs': { omit: ['slug', 'source'] },
  'GET /jobs/{job_handle}': {},
  'GET /jobs/by-slug/{slug}': {},
  'GET /jobs/{job_handle}/sections': {},
  'GET /jobs/{job_handle}/pipeline-stages': {},
  'GET /jobs/{job_handle}/application-form': {},
  'GET /jobs/{job_handle}/prescreen-questions': {},
  'GET /jobs/{job_handle}/publish-readiness': {},
  'POST /jobs': { hints: { ...OVERWRITES, ...LEAVES } },
  'POST /jobs/{job_handle}/publish': { hints: { ...CHANGES, ...LEAVES } },
  'POST /jobs/{job_handle}/unpublish': { hints: { ...OVERWRITES, ...LEAVES } },
  'POST /jobs/{job_handle}/close': { hints: { ...OVERWRITES, ...LEAVES } },
  'POST /jobs/{job_handle}/reopen': { hints: { ...CHANGES, ...LEAVES } },

  'GET /applications': {},
  'GET /jobs/{job_handle}/applications': {},
  'GET /applicants/{applicant_handle}/applications': {},
  'GET /people/{person_handle}/applications': {},
  'GET /applications/{application_handle}': {},
  'GET /applications/{application_handle}/answers': {},
  'GET /applications/{application_handle}/score': {},
  'GET /applications/{application_handle}/screening': {},
  'GET /applications/{application_handle}/stage-transitions': {},
  'GET /applications/{application_handle}/notes': { whole: true },
  'GET /applications/{application_handle}/scorecards': { whole: true },
  'POST /applications': { hints: CHANGES },
  'POST /applications/{application_handle}/move': { hints: CHANGES },
  'POST /applications/{application_handle}/reject': { hints: OVERWRITES },
  'POST /applications/{application_handle}/hire': { hints: OVERWRITES },
  'POST /applications/{application_handle}/reopen': { hints: CHANGES },
  'POST /applications/{application_handle}/notes': { hints: CREATES },
  'POST /applications/{application_handle}/scorecards': { hints: CREATES },

  'GET /applicants': { omit: [...PROVENANCE, 'external_refs'] },
  'GET /applicants/{applicant_handle}': {},
  'GET /applicants/{applicant_handle}/contact-info': {},
  'GET /applications/{application_handle}/resume': {
    note: 'Pass raw_text=false unless you need the full text: it costs a unit, and the parsed profile is usually enough.',
  },
  'GET /applicants/{applicant_handle}/resumes': {},
  'GET /people/{person_handle}/resumes': {},
  'POST /uploads': {
    hints: CREATES,
    note: 'Only useful if you can send an HTTP PUT request with the file.',
  },
  'POST /messages': {
    hints: { destructive: true, idempotent: true, ...LEAVES },
    note: 'The email cannot be taken back: show the text to your user before you send it.',
  },

  'GET /sourced-profiles': { omit: PROVENANCE },
  'GET /sourced-profiles/{profile_handle}': {},
  'GET /sourced-profiles/{profile_handle}/attachments': {},
  'GET /sourced-profiles/{profile_handle}/contact-info': {},
  'GET /sourced-profiles/{profile_handle}/list-memberships': {},
  'GET /people/resolve': {},
  'POST /people/resolve:batch': {},
  'GET /people/{person_handle}': {},
  'GET /people/{person_handle}/profiles': {},
  'GET /people/{person_handle}/contact-info': {},
  'GET /pool/profiles': { omit: PROVENANCE },
  'GET /pool/profiles/{profile_handle}': {},
  'POST /pool/search': { omit: PROVENANCE },

  'GET /projects': {},
  'GET /projects/{project_handle}': {},
  'GET /projects/{project_handle}/lists': {},
  'GET /lists': {},
  'GET /lists/{list_handle}': {},
  'GET /lists/{list_handle}/members': {},
  'POST /lists': { hints: CREATES },
  'POST /lists/{list_handle}/members': { hints: CHANGES },
  'POST /lists/{list_handle}/members/{member_handle}/stage': { hints: CHANGES },

  'GET /analytics/hiring-funnel': {},
  'GET /events': {},
  'GET /events/{event_handle}': {},
  'GET /suppressions': {},
  'POST /suppressions/{suppression_id}/acknowledge': {
    hints: OVERWRITES,
    note: 'A statement to the workspace with legal weight: call it only when your user confirmed the deletion.',
  },

  'GET /webhooks/endpoints': { omit: ['signature_scheme'] },
  'GET /webhooks/endpoints/{endpoint_id}': {},
  'GET /webhooks/deliveries': {},
  'GET /webhooks/deliveries/{delivery_id}': {},
  'POST /webhooks/endpoints/{endpoint_id}/disable': { hints: OVERWRITES },
  'POST /webhooks/endpoints/{endpoint_id}/enable': { hints: CHANGES },
  'POST /webhooks/endpoints/{endpoint_id}/test': { hints: { ...CREATES, ...LEAVES } },
  'POST /webhooks/endpoints/{endpoint_id}/recover': {
    hints: { ...CREATES, ...LEAVES },
  },
  'POST /webhooks/deliveries/{delivery_id}/redeliver': {
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
  'POST /webhooks/endpoints/{endpoint_id}': 'decides where events are sent; text in a résumé could redirect them',
  'POST /webhooks/endpoints/{endpoint_id}/rotate-secret':
    'returns a signing secret, which must not enter a conversation',
}

/** `moveApplication` is the tool `move_application`. */
export const toolName = ({ operationId }: Route): string =>
  operationId.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

export const endpointOf = (route: Route): Endpoint => `${route.method} ${route.path}` as Endpoint
