import { rateLimit } from '../kernel/access/rate-limit.ts'
import { ApiError } from '../kernel/errors/api-error.ts'
import { isOwnPost } from '../kernel/http/browser-session.ts'
import type { Route } from '../kernel/http/route.ts'
import type { Arrived, RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { readForm } from '../pages/form.ts'
import { sendPage, sendRedirect } from '../pages/send.ts'
import { countAttemptOf, resetAttempts } from '../sign-in/attempts.ts'
import { waitInWords } from '../sign-in/describe.ts'
import { messagePage } from '../sign-in/pages.ts'
import {
  type Access,
  type Credential,
  type Delivery,
  type Endpoint,
  type List,
  type LoggedCall,
  type PartnerApi,
  type PersonalDataRead,
  partnerApi,
  unlessRefused,
} from './api.ts'
import { type PartnerPage, partnerPage, signInPage } from './layout.ts'
import { accessBody, auditBody, deliveryBody, requestsBody, usageBody, webhooksBody, workspaceChoice } from './pages.ts'
import { hasPartnerCookie, type PartnerSession, partnerSessionOf, signInWithKey, signOut } from './sessions.ts'
import { requestsByHour } from './store.ts'

/** Pages of a key in a minute. They do not count as calls, so that the limits of an exhausted key can be read. */
const PAGES_PER_MINUTE = 60
const WRONG = 'This key is not valid, or not from this IP address. Check that you copied all of it.'

interface View extends Arrived {
  session: PartnerSession
  api: PartnerApi
  query: URLSearchParams
  me: Credential
  /** names of the workspaces, as far as the key may read them */
  names: ReadonlyMap<string, string>
  /** of the calls that address a workspace */
  workspaceQuery: Record<string, string>
  /** empty for a key that has only one */
  workspace: string
  mayWrite: boolean
}

/** The partner's page: what a key has used, may use and may see, for anyone who has the key. */
export function partnerRoutes(routes: readonly Route[], services: Services): RawRoute[] {
  const view = (path: string, show: (view: View) => Promise<void>): RawRoute => ({
    methods: ['GET', 'HEAD'],
    path,
    handler: async arrived => {
      const found = await enter(arrived)
      if (found) await show(await viewOf(arrived, found))
    },
  })

  /** Sends the sign-in page, or a refusal, where it returns nothing. */
  async function enter({ request, response, address }: Arrived): Promise<PartnerSession | undefined> {
    const session = await partnerSessionOf(services, request, address)
    if (!session) {
      const ended = hasPartnerCookie(services, request)
      const headers: Record<string, string> = ended ? { 'Set-Cookie': await signOut(services, undefined) } : {}
      sendPage(response, signInPage({ ended }), { headers })
      return undefined
    }
    const { keyId } = session.authenticated.caller
    const { used, resetSeconds } = await rateLimit(services, `page ${keyId}`, 'general', PAGES_PER_MINUTE)
    if (used <= PAGES_PER_MINUTE) return session
    sendPage(response, TOO_MANY, { status: 429, headers: { 'Retry-After': String(resetSeconds) } })
    return undefined
  }

  const apiOf = ({ request, address }: Arrived, session: PartnerSession): PartnerApi =>
    partnerApi(routes, services, session, { address, userAgent: request.headers['user-agent'] })

  async function viewOf(arrived: Arrived, session: PartnerSession): Promise<View> {
    const api = apiOf(arrived, session)
    const query = new URLSearchParams(arrived.search)
    const [me, workspaces] = await Promise.all([
      api.get<Credential>('/me'),
      unlessRefused(api.get<List<{ id: string; name: string }>>('/workspaces', { query: { limit: '100' } })),
    ])
    const wanted = query.get('workspace_id')
    const workspace = !me.workspace_id_required
      ? ''
      : wanted !== null && me.workspace_ids.includes(wanted)
        ? wanted
        : (me.workspace_ids[0] ?? '')
    return {
      ...arrived,
      session,
      api,
      query,
      me,
      names: new Map(workspaces instanceof ApiError ? [] : workspaces.data.map(({ id, name }) => [id, name])),
      workspace,
      workspaceQuery: workspace === '' ? {} : { workspace_id: workspace },
      mayWrite: me.owner_user_id !== null && me.scopes.includes('webhooks:write'),
    }
  }

  const send = (
    { response, session, me, workspace, query }: View,
    parts: Pick<PartnerPage, 'path' | 'title' | 'description' | 'body'> & { fault?: string; status?: number },
  ) => {
    const done = DONE.get(query.get('done') ?? '')
    sendPage(response, partnerPage({ session, me, workspace, done, ...parts }), { status: parts.status ?? 200 })
  }

  async function showWebhooks(v: View, failed?: ApiError): Promise<void> {
    const filters = {
      endpoint: v.query.get('endpoint_id') ?? '',
      status: v.query.get('status') ?? '',
      workspace: v.workspace,
    }
    const cursor = v.query.get('cursor') ?? ''
    const given = { endpoint_id: filters.endpoint, status: filters.status, cursor }
    const narrowed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
    const [endpoints, deliveries] = await Promise.all([
      unlessRefused(v.api.get<List<Endpoint>>('/webhooks/endpoints', { query: { ...v.workspaceQuery, limit: '100' } })),
      unlessRefused(
        v.api.get<List<Delivery>>('/webhooks/deliveries', { query: { ...v.workspaceQuery, ...narrowed, limit: '25' } }),
      ),
    ])
    const { csrfToken: csrf } = v.session
    send(v, {
      path: '/partner/webhooks',
      title: 'Webhooks',
      description: 'The endpoints of this key and what was delivered to them.',
      body: [
        workspaceChoice('/partner/webhooks', v.me, v.names, v.workspace),
        webhooksBody({ endpoints, deliveries, filters, csrf, mayWrite: v.mayWrite, cursor }),
      ],
      ...(failed ? { fault: failed.message, status: failed.status } : {}),
    })
  }

  async function showDelivery(v: View, failed?: ApiError): Promise<void> {
    const params = { delivery_id: v.params['id'] ?? '' }
    const delivery = await v.api.get<Delivery>('/webhooks/deliveries/{delivery_id}', {
      params,
      query: v.workspaceQuery,
    })
    const endpoint = await v.api.get<Endpoint>('/webhooks/endpoints/{endpoint_id}', {
      params: { endpoint_id: delivery.endpoint_id },
      query: v.workspaceQuery,
    })
    send(v, {
      path: '/partner/webhooks',
      title: 'Delivery',
      description: `The delivery ${delivery.id}.`,
      body: deliveryBody(delivery, endpoint, v.workspace, v.session.csrfToken, v.mayWrite),
      ...(failed ? { fault: failed.message, status: failed.status } : {}),
    })
  }

  /** A form of a page. What the API refuses is said on the page that it came from. */
  const form = (
    path: string,
    act: (arrived: Arrived, api: PartnerApi, query: Record<string, string>) => Promise<string>,
    showAgain: (view: View, failed: ApiError) => Promise<void>,
  ): RawRoute => ({
    methods: ['POST'],
    path,
    handler: async arrived => {
      const { request, response } = arrived
      const fields = await readForm(request)
      const session = await enter(arrived)
      if (!session) return
      if (!isOwnPost(services, request, session, fields)) return sendPage(response, REFUSED, { status: 403 })
      const workspace = fields.get('workspace_id')
      const query: Record<string, string> = workspace ? { workspace_id: workspace } : {}
      try {
        sendRedirect(response, await act(arrived, apiOf(arrived, session), query))
      } catch (error) {
        if (!(error instanceof ApiError) || error.code === 'not_found' || error.status >= 500) throw error
        await showAgain(await viewOf({ ...arrived, search: new URLSearchParams(query).toString() }, session), error)
      }
    },
  })

  const endpointAction = (action: 'test' | 'enable' | 'disable'): RawRoute =>
    form(
      `/partner/endpoints/{id}/${action}`,
      async ({ params }, api, query) => {
        const endpoint = { endpoint_id: params['id'] ?? '' }
        await api.post(`/webhooks/endpoints/{endpoint_id}/${action}`, { params: endpoint, query })
        return `/partner/webhooks?${new URLSearchParams({ ...query, done: action })}`
      },
      showWebhooks,
    )

  return [
    view('/partner', async v => {
      const { caller } = v.session.authenticated
      const hours = await services.db.query(requestsByHour(caller.homeWorkspace, caller.keyId))
      send(v, {
        path: '/partner',
        title: 'Usage',
        description: 'What this key has used, and its limits.',
        body: usageBody(v.me, v.names, hours),
      })
    }),
    view('/partner/webhooks', v => showWebhooks(v)),
    view('/partner/deliveries/{id}', v => showDelivery(v)),
    view('/partner/requests', async v => {
      const cursor = v.query.get('cursor') ?? ''
      const status = v.query.get('status') ?? ''
      const requestId = v.query.get('request_id')?.trim() ?? ''
      const given = Object.entries({ status, request_id: requestId, cursor }).filter(([, value]) => value !== '')
      const query = { ...v.workspaceQuery, limit: '50', ...Object.fromEntries(given) }
      const found = await unlessRefused(v.api.get<List<LoggedCall>>('/requests', { query }))
      send(v, {
        path: '/partner/requests',
        title: 'Requests',
        description: 'The calls of this key in the last seven days, newest first. No bodies and no personal values.',
        body: [
          workspaceChoice('/partner/requests', v.me, v.names, v.workspace),
          requestsBody(found, { status, requestId, workspace: v.workspace }, cursor),
        ],
      })
    }),
    view('/partner/audit', async v => {
      const cursor = v.query.get('cursor') ?? ''
      const query = { ...v.workspaceQuery, limit: '50', ...(cursor === '' ? {} : { cursor }) }
      const rows = await v.api.get<List<PersonalDataRead>>('/audit/personal-data-reads', { query })
      send(v, {
        path: '/partner/audit',
        title: 'Audit',
        description:
          'Every personal value that this key was shown, newest first. The values themselves are not stored.',
        body: [workspaceChoice('/partner/audit', v.me, v.names, v.workspace), auditBody(rows, v.workspace, cursor)],
      })
    }),
    view('/partner/access', async v => {
      const { data } = await v.api.get<List<Access>>('/me/access', { query: { limit: '100' } })
      send(v, {
        path: '/partner/access',
        title: 'Access',
        description: 'What this key can do, and which fields it can read.',
        body: accessBody(v.me, data),
      })
    }),
    endpointAction('test'),
    endpointAction('enable'),
    endpointAction('disable'),
    form(
      '/partner/deliveries/{id}/redeliver',
      async ({ params }, api, query) => {
        const delivery = { delivery_id: params['id'] ?? '' }
        await api.post('/webhooks/deliveries/{delivery_id}/redeliver', { params: delivery, query })
        return `/partner/webhooks?${new URLSearchParams({ ...query, done: 'redeliver' })}`
      },
      showDelivery,
    ),
    {
      methods: ['POST'],
      path: '/partner/sign-in',
      handler: async ({ request, response, address }) => {
        const fields = await readForm(request)
        if (!isOwnPost(services, request)) return sendPage(response, REFUSED, { status: 403 })
        const source = { account: 'api key', address }
        const wait = await countAttemptOf(services, 'key', source)
        if (wait) {
          const fault = `Too many attempts. Try again in ${waitInWords(wait)}.`
          return sendPage(response, signInPage({ fault }), { status: 429, headers: { 'Retry-After': String(wait) } })
        }
        const key = (fields.get('key') ?? '').trim()
        const cookie = await signInWithKey(services, key, { address, userAgent: request.headers['user-agent'] })
        // what was entered is not sent back
        if (!cookie) return sendPage(response, signInPage({ fault: WRONG }), { status: 401 })
        await resetAttempts(services, 'key', source)
        sendRedirect(response, '/partner', { 'Set-Cookie': cookie })
      },
    },
    {
      methods: ['POST'],
      path: '/partner/sign-out',
      handler: async ({ request, response, address }) => {
        const fields = await readForm(request)
        const session = await partnerSessionOf(services, request, address)
        if (!isOwnPost(services, request, session, fields)) return sendPage(response, REFUSED, { status: 403 })
        sendRedirect(response, '/partner', { 'Set-Cookie': await signOut(services, session) })
      },
    },
  ]
}

const DONE: ReadonlyMap<string, string> = new Map([
  ['test', 'A ping was queued. The deliveries show its result in a moment; reload the page.'],
  ['enable', 'The endpoint is enabled and receives new events.'],
  ['disable', 'The endpoint is disabled. Its waiting deliveries were canceled.'],
  ['redeliver', 'The event is sent again, as a new delivery.'],
])

const REFUSED = messagePage(
  'This form cannot be used',
  'The form was not sent from a page of this service, or it has expired. Open the page again and retry.',
  { href: '/partner', label: 'Start again' },
)

const TOO_MANY = messagePage(
  'Too many pages',
  'This key has opened too many pages in a minute. Wait a moment, then reload.',
  { href: '/partner', label: 'Try again' },
)
