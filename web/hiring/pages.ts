import { isManager } from '../../src/contract/roles.ts'
import type { Scope } from '../../src/contract/scopes.ts'
import { lazyPage } from '../ui/lazy.tsx'
import { listPages, type PageEntry } from '../ui/page-entry.tsx'
import { ofJob } from './left-job.tsx'
import type { Session } from './session.ts'
import { TaskBadge } from './task-badge.tsx'
import { t } from './texts/index.ts'

export const NAV_GROUPS = ['', 'Sourcing', 'Workspace'] as const

const isForManagers = ({ user }: Session): boolean => isManager(user)

/** A page that only roles with a scope of the API have in the navigation. */
const may =
  (scope: Scope) =>
  ({ scopes }: Session): boolean =>
    scopes.includes(scope)

/** Every page, in the order of the navigation. The first that matches is shown. */
export const PAGES: readonly PageEntry<Session>[] = listPages([
  {
    path: '/',
    component: lazyPage(async () => (await import('./pages/jobs.tsx')).JobsPage),
    nav: { title: () => t.common.nav.jobs, group: '', icon: 'job', key: 'j', below: '/jobs' },
  },
  { path: '/jobs/new', component: lazyPage(async () => (await import('./pages/job-edit.tsx')).NewJobPage) },
  { path: '/jobs/:id', component: ofJob(lazyPage(async () => (await import('./pages/job-board.tsx')).BoardPage)) },
  {
    path: '/jobs/:id/edit',
    component: ofJob(lazyPage(async () => (await import('./pages/job-edit.tsx')).JobEditPage)),
  },
  {
    path: '/jobs/:id/stages',
    component: ofJob(lazyPage(async () => (await import('./pages/job-stages.tsx')).JobStagesPage)),
  },
  {
    path: '/jobs/:id/form',
    component: ofJob(lazyPage(async () => (await import('./pages/job-form.tsx')).JobFormPage)),
  },
  {
    path: '/jobs/:id/questions',
    component: ofJob(lazyPage(async () => (await import('./pages/job-questions.tsx')).JobQuestionsPage)),
  },
  {
    path: '/jobs/:id/team',
    component: ofJob(lazyPage(async () => (await import('./pages/job-team.tsx')).JobTeamPage)),
  },
  {
    path: '/jobs/:id/criteria',
    component: ofJob(lazyPage(async () => (await import('./pages/criteria.tsx')).CriteriaPage)),
  },
  {
    path: '/jobs/:id/history',
    component: ofJob(lazyPage(async () => (await import('./pages/job-history.tsx')).JobHistoryPage)),
  },
  {
    path: '/applications/:id',
    component: lazyPage(async () => (await import('./pages/candidate.tsx')).CandidatePage),
    isKept: true,
  },
  {
    path: '/candidates',
    component: lazyPage(async () => (await import('./pages/candidates.tsx')).CandidatesPage),
    nav: { title: () => t.common.nav.candidates, group: '', icon: 'people', key: 'c' },
  },
  { path: '/views/:id', component: lazyPage(async () => (await import('./pages/saved-view.tsx')).SavedViewPage) },
  {
    path: '/tasks',
    component: lazyPage(async () => (await import('./pages/tasks.tsx')).TasksPage),
    nav: {
      title: () => t.common.nav.tasks,
      group: '',
      icon: 'check',
      key: 't',
      badge: TaskBadge,
      when: may('applications:write'),
    },
  },
  {
    path: '/insight',
    component: lazyPage(async () => (await import('./pages/insight.tsx')).InsightPage),
    nav: { title: () => t.common.nav.insight, group: '', icon: 'overview', key: 'i', when: may('analytics:read') },
  },
  {
    path: '/insight/applications',
    component: lazyPage(async () => (await import('./pages/counted-applications.tsx')).CountedApplicationsPage),
  },
  {
    path: '/pool',
    component: lazyPage(async () => (await import('./pages/pool.tsx')).PoolPage),
    nav: { title: () => t.common.nav.pool, group: 'Sourcing', icon: 'search', key: 'p', when: may('pool:read') },
  },
  {
    path: '/profiles',
    component: lazyPage(async () => (await import('./pages/profiles.tsx')).ProfilesPage),
    nav: {
      title: () => t.common.nav.profiles,
      group: 'Sourcing',
      icon: 'people',
      key: 's',
      when: may('sourced_profiles:read'),
    },
  },
  { path: '/profiles/:id', component: lazyPage(async () => (await import('./pages/profile.tsx')).ProfilePage) },
  {
    path: '/lists',
    component: lazyPage(async () => (await import('./pages/lists.tsx')).ListsPage),
    nav: { title: () => t.common.nav.lists, group: 'Sourcing', icon: 'events', key: 'l', when: may('lists:read') },
  },
  { path: '/lists/:id', component: lazyPage(async () => (await import('./pages/list.tsx')).CandidateListPage) },
  {
    path: '/import',
    component: lazyPage(async () => (await import('./pages/import.tsx')).ImportPage),
    nav: { title: () => t.common.nav.import, group: 'Sourcing', icon: 'download', when: may('lists:write') },
  },
  { path: '/settings/account', component: lazyPage(async () => (await import('./pages/account.tsx')).AccountPage) },
  {
    path: '/settings/form',
    component: lazyPage(async () => (await import('./pages/template-form.tsx')).TemplateFormPage),
    nav: { title: () => t.common.nav.form, group: 'Workspace', icon: 'book', when: isForManagers },
  },
  {
    path: '/settings/templates',
    component: lazyPage(async () => (await import('./pages/templates.tsx')).TemplatesPage),
    nav: { title: () => t.common.nav.templates, group: 'Workspace', icon: 'mail', when: isForManagers },
  },
  {
    path: '/settings/tasks',
    component: lazyPage(async () => (await import('./pages/task-settings.tsx')).TaskSettingsPage),
    nav: { title: () => t.common.nav.taskSettings, group: 'Workspace', icon: 'settings', when: isForManagers },
  },
  {
    path: '/settings/credits',
    component: lazyPage(async () => (await import('./pages/credits.tsx')).CreditsPage),
    nav: { title: () => t.common.nav.credits, group: 'Workspace', icon: 'key', when: isForManagers },
  },
])
