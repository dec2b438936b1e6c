import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Downloads } from '../downloads/downloads.ts'
import type { Route } from '../kernel/http/route.ts'
import { expandDownloads } from './downloads.ts'
import { expandCalls } from './guide-calls.ts'
import { type Guide, renderGuide } from './markdown.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The guides in the order in which they are read; each is docs/guides/<name>.md. */
export const GUIDE_GROUPS = {
  'Get started': ['first-call', 'choosing-scopes', 'client-libraries', 'testing', 'test-workspaces', 'going-live'],
  'Use cases': [
    'pushing-jobs',
    'submitting-applications',
    'careers-site',
    'moving-and-hiring',
    'checks-and-assessments',
    'sourcing',
    'sync-from-zero',
    'webhooks',
    'sign-in',
    'apps-for-many-customers',
    'mcp',
  ],
  Concepts: [
    'paging-and-syncing',
    'personal-data',
    'erasure',
    'idempotency',
    'errors',
    'limits',
    'versions',
    'not-in-this-api',
  ],
  'For hiring teams': ['hiring-pages', 'company-sign-in'],
  'Moving from another API': ['moving-from-greenhouse', 'moving-from-lever', 'moving-from-ashby', 'moving-from-merge'],
} as const satisfies Record<string, readonly string[]>

export const GUIDES: readonly string[] = Object.values(GUIDE_GROUPS).flat()

export interface NamedGuide extends Guide {
  path: string
  source: string
}

export const readGuide = (name: string, routes: readonly Route[], downloads?: Downloads): NamedGuide =>
  readMarkdown(`docs/guides/${name}.md`, `/docs/guides/${name}`, '/docs/guides', routes, downloads)

/** For those who run the service. */
export const readOperating = (): NamedGuide[] => [
  readMarkdown('docs/operating.md', '/docs/operating', '/docs/operating'),
  readMarkdown('docs/runbook.md', '/docs/operating/runbook', '/docs/operating'),
  readMarkdown('docs/upgrading.md', '/docs/operating/upgrading', '/docs/operating'),
  readMarkdown('docs/high-availability.md', '/docs/operating/high-availability', '/docs/operating'),
  readMarkdown('docs/scaling.md', '/docs/operating/scaling', '/docs/operating'),
  readMarkdown('docs/search.md', '/docs/operating/search', '/docs/operating'),
  readMarkdown('docs/citus.md', '/docs/operating/citus', '/docs/operating'),
  readMarkdown('docs/erasure.md', '/docs/operating/erasure', '/docs/operating'),
  readMarkdown('docs/who-may-do-what.md', '/docs/operating/who-may-do-what', '/docs/operating'),
]

/** `folder`: where links to other files of the same folder lead */
function readMarkdown(
  file: string,
  path: string,
  folder: string,
  routes: readonly Route[] = [],
  downloads?: Downloads,
): NamedGuide {
  const source = readFileSync(join(ROOT, file), 'utf8')
  // A fence that names a file shows that file, which the tests run. In the repository guides lead to each other's files;
  // on the site the pages have no ending.
  const whole = expandDownloads(expandCalls(source, routes), downloads)
    .replace(/```(\w+) file=(\S+)\n```/g, (_, language, shown) => {
      const code = readFileSync(join(ROOT, shown), 'utf8')
      return `\`\`\`${language} title=${basename(shown)}\n${code}\`\`\``
    })
    .replace(/\]\(([a-z-]+)\.md(#[\w-]+)?\)/g, `](${folder}/$1$2)`)
  return { ...renderGuide(whole), path, source: whole }
}
