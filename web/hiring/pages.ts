import type { HiringSessionResponse } from '../../src/hiring/api-types.ts'
import type { PageEntry } from '../ui/app.tsx'
import { lazyPage } from '../ui/lazy.tsx'

export const NAV_GROUPS = ['', 'Sourcing', 'Workspace'] as const

/** Every page, in the order of the navigation. The first that matches is shown. */
export const PAGES: readonly PageEntry<HiringSessionResponse>[] = [
  {
    path: '/',
    component: lazyPage(async () => (await import('./pages/jobs.tsx')).JobsPage),
    nav: { title: 'Jobs', group: '', icon: 'requests', key: 'j', below: '/jobs' },
  },
  { path: '/jobs/new', component: lazyPage(async () => (await import('./pages/job-edit.tsx')).NewJobPage) },
  { path: '/jobs/:id', component: lazyPage(async () => (await import('./pages/board.tsx')).BoardPage) },
  { path: '/jobs/:id/edit', component: lazyPage(async () => (await import('./pages/job-edit.tsx')).JobEditPage) },
  {
    path: '/jobs/:id/history',
    component: lazyPage(async () => (await import('./pages/job-history.tsx')).JobHistoryPage),
  },
  {
    path: '/insight',
    component: lazyPage(async () => (await import('./pages/insight.tsx')).InsightPage),
    nav: { title: 'Insight', group: '', icon: 'overview', key: 'i' },
  },
  {
    path: '/insight/applications',
    component: lazyPage(async () => (await import('./pages/counted-applications.tsx')).CountedApplicationsPage),
  },
  {
    path: '/jobs/:id/stages',
    component: lazyPage(async () => (await import('./pages/job-stages.tsx')).JobStagesPage),
  },
  {
    path: '/jobs/:id/form',
    component: lazyPage(async () => (await import('./pages/job-form.tsx')).JobFormPage),
  },
  {
    path: '/jobs/:id/questions',
    component: lazyPage(async () => (await import('./pages/job-questions.tsx')).JobQuestionsPage),
  },
  {
    path: '/settings/form',
    component: lazyPage(async () => (await import('./pages/template-form.tsx')).TemplateFormPage),
    nav: { title: 'Application form', group: 'Workspace', icon: 'events' },
  },
  {
    path: '/applications/:id',
    component: lazyPage(async () => (await import('./pages/candidate.tsx')).CandidatePage),
  },
  {
    path: '/settings/credits',
    component: lazyPage(async () => (await import('./pages/credits.tsx')).CreditsPage),
    nav: {
      title: 'Credits',
      group: 'Workspace',
      icon: 'overview',
      when: ({ user }) => user.role === 'owner' || user.role === 'admin',
    },
  },
]
