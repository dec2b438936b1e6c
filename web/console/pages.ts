import type { ComponentType } from 'preact'
import { KeyPage } from './pages/key.tsx'
import { KeysPage } from './pages/keys.tsx'
import { NewKeyPage } from './pages/new-key.tsx'
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
  nav?: { group: NavGroup; icon: IconName }
}

export const NAV_GROUPS = ['', 'Integration', 'Data protection', 'Workspace'] as const
export type NavGroup = (typeof NAV_GROUPS)[number]

/** Every page, in the order of the navigation. The first that matches is shown: `/keys/new` stands before `/keys/:id`. */
export const PAGES: readonly PageEntry[] = [
  { path: '/keys', title: 'API keys', component: KeysPage, nav: { group: 'Integration', icon: 'key' } },
  { path: '/keys/new', title: 'Create a key', component: NewKeyPage },
  { path: '/keys/:id', title: 'API key', component: KeyPage },
]
