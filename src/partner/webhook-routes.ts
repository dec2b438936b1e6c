import { ApiError } from '../kernel/errors/api-error.ts'
import type { Html } from '../pages/html.ts'
import type { Shown } from '../programs/page.ts'
import { apiFor, type CallApi, unlessRefused } from './api.ts'
import { page } from './area.ts'
import { deliveryBody, webhooksBody, workspaceChoice } from './pages.ts'
import { readView, shown, type View, view } from './view.ts'

async function showWebhooks(view: View, failed?: ApiError): Promise<Shown<Html>> {
  const { call, query, workspace, workspaceQuery, me, names, mayWrite, session } = view
  const filters = { endpoint: query.get('endpoint_id') ?? '', status: query.get('status') ?? '', workspace }
  const cursor = query.get('cursor') ?? ''
  const given = { endpoint_id: filters.endpoint, status: filters.status, cursor }
  const narrowed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  const [endpoints, deliveries] = await Promise.all([
    unlessRefused(call('listWebhookEndpoints', {}, { ...workspaceQuery, limit: '100' })),
    unlessRefused(call('listWebhookDeliveries', {}, { ...workspaceQuery, ...narrowed, limit: '25' })),
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
  const { call, workspaceQuery: query, workspace, session, mayWrite } = view
  const delivery = await call('getWebhookDelivery', { delivery_id: id }, query)
  const endpoint = await call('getWebhookEndpoint', { endpoint_id: delivery.endpoint_id }, query)
  const body = deliveryBody(delivery, endpoint, workspace, session.csrfToken, mayWrite)
  const description = `The delivery ${delivery.id}.`
  return shown(view, { path: '/partner/webhooks', title: 'Delivery', description, body }, failed)
}

type ShowAgain = (view: View, id: string, failed: ApiError) => Promise<Shown<Html>>
type Act = (call: CallApi, id: string, query: Record<string, string>) => Promise<unknown>

/** A form that makes one call of the API. What the API refuses is said on the page that the form came from. */
const action = (things: 'endpoints' | 'deliveries', done: string, act: Act, showAgain: ShowAgain) =>
  page({
    path: `/${things}/{id}/${done}`,
    session: 'needed',
    csrf: 'session',
    submit: async visit => {
      const { id } = visit.params
      const workspace = visit.form.get('workspace_id')
      const query: Record<string, string> = workspace ? { workspace_id: workspace } : {}
      try {
        await act(apiFor(visit), id, query)
        return { to: `/partner/webhooks?${new URLSearchParams({ ...query, done })}` }
      } catch (error) {
        if (!(error instanceof ApiError) || error.code === 'not_found' || error.status >= 500) throw error
        return showAgain(await readView({ ...visit, query: new URLSearchParams(query) }), id, error)
      }
    },
  })

const endpointAction = (name: 'test' | 'enable' | 'disable') =>
  action(
    'endpoints',
    name,
    (call, id, query) => call(`${name}WebhookEndpoint`, { endpoint_id: id }, query),
    (view, _, failed) => showWebhooks(view, failed),
  )

export const webhookPages = [
  view('/webhooks', v => showWebhooks(v)),
  page({
    path: '/deliveries/{id}',
    session: 'needed',
    show: async visit => showDelivery(await readView(visit), visit.params.id),
  }),
  endpointAction('test'),
  endpointAction('enable'),
  endpointAction('disable'),
  action(
    'deliveries',
    'redeliver',
    (call, id, query) => call('redeliverWebhook', { delivery_id: id }, query),
    showDelivery,
  ),
]
