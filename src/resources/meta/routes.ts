import { API_LIMITS } from '../../contract/limits.ts'
import { PLANS } from '../../contract/plans.ts'
import { EVERY_SCOPE, SCOPES } from '../../contract/scopes.ts'
import { API_VERSION, VERSIONS } from '../../contract/version.ts'
import { usedToday } from '../../kernel/access/budget.ts'
import { secondsToNextMonth } from '../../kernel/access/usage.ts'
import { mustNameWorkspace } from '../../kernel/access/workspace.ts'
import { getOrCreate } from '../../kernel/async/get-or-create.ts'
import type { Described } from '../../kernel/http/described.ts'
import { openapi } from '../../kernel/http/openapi.ts'
import { choose, type Packed, packLarge } from '../../kernel/http/packed.ts'
import { JSON_TYPE } from '../../kernel/http/reply.ts'
import { type Call, HandlerResponse, type Route, readAll, readOne, readText } from '../../kernel/http/route.ts'
import type { Row } from '../../kernel/http/shape.ts'
import { accessTo } from './rules.ts'
import { credentialShape, pingShape, resourceAccessShape, versionShape } from './shape.ts'
import { keyFacts } from './store.ts'

const group = 'Meta'

/** The whole service, for the endpoints that describe it. */
export type Catalogue = Omit<Described, 'publicUrl'>

export const metaRoutes = (catalogue: () => Catalogue): readonly Route[] => [
  readOne({
    path: '/ping',
    operationId: 'ping',
    limited: 'keys',
    tool: { leftOut: 'says nothing about the data of a workspace' },
    summary: 'Check that the service is up',
    description: 'Returns the API version.',
    group,
    scope: 'public',
    shape: pingShape,
    handler: async () => ({ ok: true, api_version: API_VERSION }),
  }),
  readAll({
    path: '/versions',
    operationId: 'listVersions',
    limited: 'keys',
    tool: { leftOut: 'says nothing about the data of a workspace' },
    summary: 'List API versions',
    group,
    scope: 'public',
    shape: versionShape,
    handler: async () => VERSIONS,
  }),
  readText({
    path: '/openapi.json',
    operationId: 'getOpenapi',
    limited: 'keys',
    summary: 'Get the OpenAPI description',
    description: 'The description of the running service, with its own URL.',
    group,
    scope: 'public',
    returns: 'OpenAPI 3.1',
    component: 'openapi_document',
    example: { openapi: '3.1.0', info: { title: 'Hiring Partner API', version: API_VERSION }, paths: {} },
    handler: async call => describe(catalogue(), call),
  }),
  readOne({
    path: '/me',
    operationId: 'getMe',
    limited: 'keys',
    tool: { omit: ['scope_descriptions'] },
    summary: 'Get the calling key',
    description: 'Its scopes, workspaces and limits.',
    group,
    scope: 'any key',
    workspace: 'any',
    shape: credentialShape,
    handler: credential,
  }),
  readAll({
    path: '/me/access',
    operationId: 'listMyAccess',
    limited: 'keys',
    summary: 'List what the calling key can read',
    description: 'One row for each resource, with the fields that the key can read.',
    group,
    scope: 'any key',
    workspace: 'any',
    shape: resourceAccessShape,
    handler: async ({ caller }) =>
      catalogue()
        .shapes.filter(shape => shape.resource)
        .map(shape => accessTo(shape, caller.scopes)),
  }),
]

async function credential({ db, caller, services, now }: Call<object, object>): Promise<Row<typeof credentialShape>> {
  const [facts, readsUsed, requestsUsed] = await Promise.all([
    db.one(keyFacts(caller)),
    usedToday(db, caller),
    services.usage.usedThisMonth(caller.homeWorkspace, now),
  ])
  const { allowances } = caller
  const scopes = EVERY_SCOPE.filter(scope => caller.scopes.has(scope))
  return {
    id: caller.keyId,
    name: caller.name,
    environment: caller.environment,
    scopes,
    scope_descriptions: Object.fromEntries(scopes.map(scope => [scope, SCOPES[scope].description])),
    workspace_scope: caller.workspaceScope,
    workspace_ids: facts?.workspace_ids ?? [...caller.workspaceIds],
    workspace_id_required: mustNameWorkspace(caller),
    owner_user_id: caller.userId ?? caller.actingUserId,
    acting_user_id: caller.actingUserId,
    installation_id: caller.installation?.id ?? null,
    app_id: caller.installation?.appId ?? caller.ownTokenOf ?? null,
    ip_allowlist_active: caller.hasAllowlist,
    plan: caller.plan && { code: caller.plan, name: PLANS[caller.plan].name },
    quota_resets_at: new Date(now - (now % 1000) + secondsToNextMonth(now - (now % 1000)) * 1000).toISOString(),
    rate_limits: {
      general_per_minute: allowances.perMinute.general,
      expensive_per_minute: allowances.perMinute.expensive,
      download_per_minute: allowances.perMinute.download,
      personal_data_reads_per_day: allowances.personalDataReadsPerDay,
      personal_data_reads_used_today: readsUsed,
      requests_per_month: allowances.requestsPerMonth,
      requests_used_this_month: requestsUsed,
      messages_per_day: API_LIMITS.messagesPerDay,
      messages_used_today: facts?.messages_used_today ?? 0,
      max_page_size: API_LIMITS.maxPageSize,
      default_page_size: API_LIMITS.defaultPageSize,
      max_result_window: API_LIMITS.maxResultWindow,
    },
    created_at: caller.createdAt,
    expires_at: caller.expiresAt,
    previous_secret_expires_at: facts?.previous_secret_expires_at ?? null,
    api_version: API_VERSION,
  }
}

const descriptions = new Map<string, Promise<Packed>>()

/** Written and compressed once, at its first request. */
const descriptionOf = (catalogue: Catalogue, publicUrl: string): Promise<Packed> =>
  getOrCreate(descriptions, publicUrl, () => {
    const made = packLarge(Buffer.from(JSON.stringify(openapi({ ...catalogue, publicUrl }))), JSON_TYPE)
    made.catch(() => descriptions.delete(publicUrl)) // the next request tries again
    return made
  })

async function describe(catalogue: Catalogue, { services, header }: Call): Promise<HandlerResponse<Buffer>> {
  const { status, body, headers } = choose(await descriptionOf(catalogue, services.publicUrl), header)
  return new HandlerResponse(body, status, { headers })
}
