import { ApiError } from '../kernel/errors/api-error.ts'
import type { Html } from '../pages/html.ts'
import type { Shown } from '../programs/page.ts'
import { type Delivery, type Endpoint, type List, partnerApi, unlessRefused } from './api.ts'
import { page } from './area.ts'
import { deliveryBody, webhooksBody, workspaceChoice } from './pages.ts'
import { readView, shown, type View, view } from './view.ts'

async function showWebhooks(view: View, failed?: ApiError): Promise<Shown<Html>> {
  const { api, query, workspace, workspaceQuery, me, names, mayWrite, session } = view
  const filters = { endpoint: query.get('endpoint_id') ?? '', status: query.get('status') ?? '', workspace }
  const cursor = query.get('cursor') ?? ''
  const given = { endpoint_id: filters.endpoint, status: filters.status, cursor }
  const narrowed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  const [endpoints, deliveries] = await Promise.all([
    unlessRefused(api.get<List<Endpoint>>('/webhooks/endpoints', { query: { ...workspaceQuery, limit: '100' } })),
    unlessRefused(
      api.get<List<Delivery>>('/webhooks/deliveries', { query: { ...workspaceQuery, ...narrowed, limit: '25' } }),
    ),
  ])
  const path = '/partner/webhooks'
  const body = [
    workspaceChoice(path, me, names, workspace),
    webhooksBody({ endpoints, deliveries, filters, csrf: session.csrfToken, mayWrite, cursor }),
  ]
  const description = 'The endpoints of this key and what was delivered to them.'
  return shown(view, { path, title: 'Webhooks', description, body }, failed)
}

async function showDelivery(view: View, id: string, failed?: ApiError): Promise<Shown<Html>> {
  const { api, workspaceQuery: query, workspace, session, mayWrite } = view
  const delivery = await api.get<Delivery>('/webhooks/deliveries/{delivery_id}', { params: { delivery_id: id }, query })
  const endpoint = await api.get<Endpoint>('/webhooks/endpoints/{endpoint_id}', {
    params: { endpoint_id: delivery.endpoint_id },
    query,
  })
  const body = deliveryBody(delivery, endpoint, workspace, session.csrfToken, mayWrite)
  const description = `The delivery ${delivery.id}.`
  return shown(view, { path: '/partner/webhooks', title: 'Delivery', description, body }, failed)
}

/** A form that makes one call of the API. What the API refuses is said on the page that the form came from. */
const action = (
  thing: 'endpoint' | 'delivery',
  name: 'test' | 'enable' | 'disable' | 'redeliver',
  showAgain: (view: View, id: string, failed: ApiError) => Promise<Shown<Html>>,
) => {
  const things = thing === 'endpoint' ? 'endpoints' : 'deliveries'
  return page({
    path: `/${things}/{id}/${name}`,
    session: 'needed',
    csrf: 'session',
    submit: async visit => {
      const { id } = visit.params
      const workspace = visit.form.get('workspace_id')
      const query: Record<string, string> = workspace ? { workspace_id: workspace } : {}
      try {
        const params = { [`${thing}_id`]: id }
        await partnerApi(visit).post(`/webhooks/${things}/{${thing}_id}/${name}`, { params, query })
        return { to: `/partner/webhooks?${new URLSearchParams({ ...query, done: name })}` }
      } catch (error) {
        if (!(error instanceof ApiError) || error.code === 'not_found' || error.status >= 500) throw error
        return showAgain(await readView({ ...visit, query: new URLSearchParams(query) }), id, error)
      }
    },
  })
}

const showWebhooksAgain = (view: View, _: string, failed: ApiError) => showWebhooks(view, failed)

export const webhookPages = [
  view('/webhooks', v => showWebhooks(v)),
  page({
    path: '/deliveries/{id}',
    session: 'needed',
    show: async visit => showDelivery(await readView(visit), visit.params.id),
  }),
  action('endpoint', 'test', showWebhooksAgain),
  action('endpoint', 'enable', showWebhooksAgain),
  action('endpoint', 'disable', showWebhooksAgain),
  action('delivery', 'redeliver', showDelivery),
]
