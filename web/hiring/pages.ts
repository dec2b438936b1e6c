import type { HiringSessionResponse } from '../../src/hiring/api-types.ts'
import type { PageEntry } from '../ui/app.tsx'
import { lazyPage } from '../ui/lazy.tsx'
import { TaskBadge } from './task-badge.tsx'

export const NAV_GROUPS = ['', 'Sourcing', 'Workspace'] as const

const isManager = ({ user }: HiringSessionResponse): boolean => user.role === 'owner' || user.role === 'admin'

/** Every page, in the order of the navigation. The first that matches is shown. */
export const PAGES: readonly PageEntry<HiringSessionResponse>[] = [
  {
    path: '/',
    component: lazyPage(async () => (await import('./pages/jobs.tsx')).JobsPage),
    nav: { title: 'Jobs', group: '', icon: 'requests' },
  },
  {
    path: '/tasks',
    component: lazyPage(async () => (await import('./pages/tasks.tsx')).TasksPage),
    nav: {
      title: 'My tasks',
      group: '',
      icon: 'check',
      badge: TaskBadge,
      when: ({ scopes }) => scopes.includes('applications:write'),
    },
  },
  {
    path: '/jobs/:id/criteria',
    component: lazyPage(async () => (await import('./pages/criteria.tsx')).CriteriaPage),
  },
  {
    path: '/settings/templates',
    component: lazyPage(async () => (await import('./pages/templates.tsx')).TemplatesPage),
    nav: { title: 'Message templates', group: 'Workspace', icon: 'mail', when: isManager },
  },
  {
    path: '/settings/tasks',
    component: lazyPage(async () => (await import('./pages/task-settings.tsx')).TaskSettingsPage),
    nav: { title: 'Task settings', group: 'Workspace', icon: 'settings', when: isManager },
  },
]
