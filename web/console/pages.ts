import type { ComponentType } from 'preact'
import type { SessionAnswer } from '../../src/console/answers.ts'
import { AppPage } from './pages/app-detail.tsx'
import { AppsPage } from './pages/apps.tsx'
import { AuditPage } from './pages/audit.tsx'
import { DeliveriesPage } from './pages/deliveries.tsx'
import { DeliveryPage } from './pages/delivery.tsx'
import { ErasurePage } from './pages/erasure.tsx'
import { ErasuresPage } from './pages/erasures.tsx'
import { EventsPage } from './pages/events.tsx'
import { KeyPage } from './pages/key.tsx'
import { KeysPage } from './pages/keys.tsx'
import { NewAppPage } from './pages/new-app.tsx'
import { NewErasurePage } from './pages/new-erasure.tsx'
import { NewKeyPage } from './pages/new-key.tsx'
import { MailPage, OutboxPage } from './pages/outbox.tsx'
import { OverviewPage } from './pages/overview.tsx'
import { PeoplePage } from './pages/people.tsx'
import { SessionsPage } from './pages/sessions.tsx'
import { SettingsPage } from './pages/settings.tsx'
import { SignaturePage } from './pages/signature.tsx'
import { WebhookPage } from './pages/webhook.tsx'
import { NewWebhookPage } from './pages/webhook-form.tsx'
import { WebhooksPage } from './pages/webhooks.tsx'
import type { IconName } from './ui/icons.tsx'

export interface PageProps {
  /** the named parts of the path */
  params: Readonly<Record<string, string>>
}

export interface PageEntry {
  path: string
  title: string
  component: ComponentType<PageProps>
  /** where it stands in the navigation; pages without are reached from others */
  nav?: { group: NavGroup; icon: IconName; when?: (session: SessionAnswer) => boolean }
}

export const NAV_GROUPS = ['', 'Integration', 'Data protection', 'Workspace'] as const
export type NavGroup = (typeof NAV_GROUPS)[number]

/** Every page, in the order of the navigation. The first that matches is shown: `/keys/new` stands before `/keys/:id`. */
export const PAGES: readonly PageEntry[] = [
  { path: '/', title: 'Overview', component: OverviewPage, nav: { group: '', icon: 'overview' } },
  { path: '/keys', title: 'API keys', component: KeysPage, nav: { group: 'Integration', icon: 'key' } },
  { path: '/keys/new', title: 'Create a key', component: NewKeyPage },
  { path: '/keys/:id', title: 'API key', component: KeyPage },
  {
    path: '/webhooks',
    title: 'Webhook endpoints',
    component: WebhooksPage,
    nav: { group: 'Integration', icon: 'webhook' },
  },
  { path: '/webhooks/new', title: 'Register an endpoint', component: NewWebhookPage },
  { path: '/webhooks/signature', title: 'Check a signature', component: SignaturePage },
  { path: '/webhooks/:id', title: 'Webhook endpoint', component: WebhookPage },
  {
    path: '/deliveries',
    title: 'Delivery log',
    component: DeliveriesPage,
    nav: { group: 'Integration', icon: 'deliveries' },
  },
  { path: '/deliveries/:id', title: 'Delivery', component: DeliveryPage },
  { path: '/events', title: 'Event feed', component: EventsPage, nav: { group: 'Integration', icon: 'events' } },
  { path: '/apps', title: 'Connected apps', component: AppsPage, nav: { group: 'Integration', icon: 'apps' } },
  { path: '/apps/new', title: 'Register an app', component: NewAppPage },
  { path: '/apps/:id', title: 'Connected app', component: AppPage },
  {
    path: '/audit',
    title: 'Personal-data reads',
    component: AuditPage,
    nav: { group: 'Data protection', icon: 'shield' },
  },
  {
    path: '/erasures',
    title: 'Erasure requests',
    component: ErasuresPage,
    nav: { group: 'Data protection', icon: 'eraser' },
  },
  { path: '/erasures/new', title: 'New erasure request', component: NewErasurePage },
  { path: '/erasures/:id', title: 'Erasure request', component: ErasurePage },
  { path: '/people', title: 'People', component: PeoplePage, nav: { group: 'Workspace', icon: 'people' } },
  { path: '/settings', title: 'Settings', component: SettingsPage, nav: { group: 'Workspace', icon: 'settings' } },
  {
    path: '/outbox',
    title: 'Outbox',
    component: OutboxPage,
    nav: { group: 'Workspace', icon: 'mail', when: session => session.has_outbox && session.user.role === 'owner' },
  },
  { path: '/outbox/:id', title: 'Mail', component: MailPage },
  { path: '/sessions', title: 'Your sessions', component: SessionsPage, nav: { group: 'Workspace', icon: 'session' } },
]
