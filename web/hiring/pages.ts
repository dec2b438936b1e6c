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
