import { lazyPage } from '../ui/lazy.tsx'
import { listPages, type PageEntry } from '../ui/page-entry.tsx'
import { AlertBadge } from './alert-badge.tsx'
import type { Read } from './api.ts'
import { AlertSettingsPage } from './pages/alert-settings.tsx'
import { AlertsPage } from './pages/alerts.tsx'
import { AppPage } from './pages/app-detail.tsx'
import { AppsPage } from './pages/apps.tsx'
import { AuditPage } from './pages/audit.tsx'
import { ChecksPage } from './pages/checks.tsx'
import { DeliveriesPage } from './pages/deliveries.tsx'
import { DeliveryPage } from './pages/delivery.tsx'
import { ErasurePage } from './pages/erasure.tsx'
import { ErasureRequestPage } from './pages/erasure-requests.tsx'
import { ErasuresPage } from './pages/erasures.tsx'
import { EventsPage } from './pages/events.tsx'
import { InstallationPage } from './pages/installation.tsx'
import { InstallationsPage } from './pages/installations.tsx'
import { KeyPage } from './pages/key.tsx'
import { KeysPage } from './pages/keys.tsx'
import { CapturedMailPage, MailboxPage } from './pages/mailbox.tsx'
import { NewAppPage } from './pages/new-app.tsx'
import { NewKeyPage } from './pages/new-key.tsx'
import { OptOutsPage } from './pages/opt-outs.tsx'
import { MailPage, OutboxPage } from './pages/outbox.tsx'
import { OverviewPage } from './pages/overview.tsx'
import { PeoplePage } from './pages/people.tsx'
import { RequestPage } from './pages/request.tsx'
import { RequestsPage } from './pages/requests.tsx'
import { RetentionPage } from './pages/retention.tsx'
import { SessionsPage } from './pages/sessions.tsx'
import { SettingsPage } from './pages/settings.tsx'
import { WebhookPage } from './pages/webhook.tsx'
import { NewWebhookPage } from './pages/webhook-form.tsx'
import { WebhooksPage } from './pages/webhooks.tsx'

type SessionResponse = Read<'/session'>

export const NAV_GROUPS = ['', 'Integration', 'Data protection', 'Workspace'] as const

/** Every page, in the order of the navigation. The first that matches is shown: `/keys/new` comes before `/keys/:id`. */
export const PAGES: readonly PageEntry<SessionResponse>[] = listPages([
  { path: '/', component: OverviewPage, nav: { title: 'Overview', group: '', icon: 'overview' } },
  { path: '/alerts', component: AlertsPage, nav: { title: 'Alerts', group: '', icon: 'bell', badge: AlertBadge } },
  { path: '/alerts/settings', component: AlertSettingsPage },
  { path: '/keys', component: KeysPage, nav: { title: 'API keys', group: 'Integration', icon: 'key' } },
  { path: '/keys/new', component: NewKeyPage },
  { path: '/keys/:id', component: KeyPage },
  { path: '/requests', component: RequestsPage, nav: { title: 'Request log', group: 'Integration', icon: 'requests' } },
  { path: '/requests/:id', component: RequestPage },
  {
    path: '/webhooks',
    component: WebhooksPage,
    nav: { title: 'Webhook endpoints', group: 'Integration', icon: 'webhook' },
  },
  { path: '/webhooks/new', component: NewWebhookPage },
  {
    path: '/webhooks/signature',
    component: lazyPage(async () => (await import('./pages/check-signature.tsx')).SignaturePage),
  },
  { path: '/webhooks/:id', component: WebhookPage },
  {
    path: '/deliveries',
    component: DeliveriesPage,
    nav: { title: 'Delivery log', group: 'Integration', icon: 'deliveries' },
  },
  { path: '/deliveries/:id', component: DeliveryPage },
  { path: '/events', component: EventsPage, nav: { title: 'Event feed', group: 'Integration', icon: 'events' } },
  {
    path: '/installations',
    component: InstallationsPage,
    nav: { title: 'Installed apps', group: 'Integration', icon: 'download' },
  },
  { path: '/installations/:id', component: InstallationPage },
  {
    path: '/published-apps',
    component: lazyPage(async () => (await import('./pages/published-apps.tsx')).PublishedAppsPage),
    nav: { title: 'Published apps', group: 'Integration', icon: 'external' },
  },
  {
    path: '/published-apps/new',
    component: lazyPage(async () => (await import('./pages/new-published-app.tsx')).NewPublishedAppPage),
  },
  {
    path: '/published-apps/:id',
    component: lazyPage(async () => (await import('./pages/published-app.tsx')).PublishedAppPage),
  },
  { path: '/apps', component: AppsPage, nav: { title: 'Connected apps', group: 'Integration', icon: 'apps' } },
  {
    path: '/checks',
    component: ChecksPage,
    nav: { title: 'Checks', group: 'Integration', icon: 'check' },
  },
  { path: '/apps/new', component: NewAppPage },
  { path: '/apps/:id', component: AppPage },
  {
    path: '/audit',
    component: AuditPage,
    nav: { title: 'Personal-data reads', group: 'Data protection', icon: 'shield' },
  },
  {
    path: '/erasures',
    component: ErasuresPage,
    nav: { title: 'Erasure requests', group: 'Data protection', icon: 'eraser' },
  },
  {
    path: '/erasures/new',
    component: lazyPage(async () => (await import('./pages/new-erasure.tsx')).NewErasurePage),
  },
  { path: '/erasures/requests/:id', component: ErasureRequestPage },
  { path: '/erasures/:id', component: ErasurePage },
  {
    path: '/opt-outs',
    component: OptOutsPage,
    nav: { title: 'Opt-out list', group: 'Data protection', icon: 'mail' },
  },
  {
    path: '/retention',
    component: RetentionPage,
    nav: { title: 'Retention', group: 'Data protection', icon: 'trash' },
  },
  {
    path: '/mailbox',
    component: MailboxPage,
    nav: {
      title: 'Mailbox',
      group: 'Workspace',
      icon: 'mail',
      when: session => session.workspace.environment === 'test',
    },
  },
  { path: '/mailbox/:id', component: CapturedMailPage },
  { path: '/people', component: PeoplePage, nav: { title: 'People', group: 'Workspace', icon: 'people' } },
  {
    path: '/careers',
    component: lazyPage(async () => (await import('./pages/careers-site.tsx')).CareersSitePage),
    nav: { title: 'Careers site', group: 'Workspace', icon: 'globe' },
  },
  { path: '/settings', component: SettingsPage, nav: { title: 'Settings', group: 'Workspace', icon: 'settings' } },
  {
    path: '/company-sign-in',
    component: lazyPage(async () => (await import('./pages/company-sign-in.tsx')).CompanySignInPage),
    nav: {
      title: 'Company sign-in',
      group: 'Workspace',
      icon: 'external',
      when: session => session.user.role === 'owner',
    },
  },
  {
    path: '/outbox',
    component: OutboxPage,
    nav: {
      title: 'Outbox',
      group: 'Workspace',
      icon: 'mail',
      when: session => session.has_outbox && session.user.role === 'owner',
    },
  },
  { path: '/outbox/:id', component: MailPage },
  { path: '/sessions', component: SessionsPage, nav: { title: 'Your sessions', group: 'Workspace', icon: 'session' } },
])
