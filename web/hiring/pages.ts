import type { HiringSessionResponse } from '../../src/hiring/api-types.ts'
import type { PageEntry } from '../ui/app.tsx'
import { lazyPage } from '../ui/lazy.tsx'

export const NAV_GROUPS = ['', 'Sourcing', 'Workspace'] as const

/** Every page, in the order of the navigation. The first that matches is shown. */
export const PAGES: readonly PageEntry<HiringSessionResponse>[] = [
  {
    path: '/',
    component: lazyPage(async () => (await import('./pages/jobs.tsx')).JobsPage),
    nav: { title: 'Jobs', group: '', icon: 'requests' },
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
]
