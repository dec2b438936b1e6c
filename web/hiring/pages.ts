import type { HiringSessionResponse } from '../../src/hiring/api-types.ts'
import type { PageEntry } from '../ui/app.tsx'
import { lazyPage } from '../ui/lazy.tsx'

export const NAV_GROUPS = ['', 'Sourcing', 'Workspace'] as const

/** A page that only roles with a scope of the API have in the navigation. */
const may =
  (scope: string) =>
  ({ scopes }: HiringSessionResponse): boolean =>
    scopes.includes(scope)

/** Every page, in the order of the navigation. The first that matches is shown. */
export const PAGES: readonly PageEntry<HiringSessionResponse>[] = [
  {
    path: '/',
    component: lazyPage(async () => (await import('./pages/jobs.tsx')).JobsPage),
    nav: { title: 'Jobs', group: '', icon: 'requests' },
  },
  {
    path: '/pool',
    component: lazyPage(async () => (await import('./pages/pool.tsx')).PoolPage),
    nav: { title: 'Talent pool', group: 'Sourcing', icon: 'search', when: may('pool:read') },
  },
  {
    path: '/profiles',
    component: lazyPage(async () => (await import('./pages/profiles.tsx')).ProfilesPage),
    nav: { title: 'Profiles', group: 'Sourcing', icon: 'people', when: may('sourced_profiles:read') },
  },
  {
    path: '/profiles/:id',
    component: lazyPage(async () => (await import('./pages/profile.tsx')).ProfilePage),
  },
  {
    path: '/lists',
    component: lazyPage(async () => (await import('./pages/lists.tsx')).ListsPage),
    nav: { title: 'Lists', group: 'Sourcing', icon: 'events', when: may('lists:read') },
  },
  {
    path: '/lists/:id',
    component: lazyPage(async () => (await import('./pages/list.tsx')).ListPage),
  },
  {
    path: '/import',
    component: lazyPage(async () => (await import('./pages/import.tsx')).ImportPage),
    nav: { title: 'Import', group: 'Sourcing', icon: 'download', when: may('lists:write') },
  },
]
