import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')

interface SourceFile {
  path: string
  text: string
  imports: string[]
}

const importsOf = (path: string, text: string): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(match =>
    relative(ROOT, resolve(ROOT, dirname(path), match[1]!)),
  )

/** Those of them that the compiler erases. */
const typeImportsOf = (path: string, text: string): string[] =>
  importsOf(path, (text.match(/^import type [^']+'[^']+'/gm) ?? []).join('\n'))

/** The source files of a folder without their tests, by their path in the repository. */
const filesIn = (folder: string): SourceFile[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map(file => join(folder, file))
    .filter(path => /\.tsx?$/.test(path) && !path.endsWith('.test.ts') && !path.includes('node_modules'))
    .map(path => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
    .map(({ path, text }) => ({ path, text, imports: importsOf(path, text) }))

const files = filesIn('src')

/** The demo uses the product; the product uses the demo through this file alone. */
const DEMO = 'demo/index.ts'

/** The commands of the package for partners, which the service's own command offers too. */
const PARTNER_COMMANDS = 'packages/cli/src/index.ts'

/** Reads résumés, and knows nothing of the service. */
const RESUME_PARSER = 'packages/resume-parser/src/index.ts'

/** The layer of a file: its folder, for src/ the one below it. */
function layerOf(path: string): string {
  const [top, second] = path.split('/')
  if (path.startsWith('demo/build/')) return 'demo/build'
  return top === 'src' ? second! : top!
}

/** What each layer may import besides itself, a layer or one file of it: the drawing in docs/architecture.md. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  kernel: ['contract'],
  search: ['kernel'],
  pages: ['contract', 'kernel'],
  resources: ['contract', 'kernel', 'search', 'pages', RESUME_PARSER],
  workers: ['contract', 'kernel', 'resources', RESUME_PARSER],
  delivery: ['contract', 'kernel', 'resources'],
  programs: ['contract', 'kernel', 'pages', 'resources'],
  'sign-in': ['contract', 'kernel', 'pages', 'resources', 'programs'],
  careers: ['contract', 'kernel', 'pages', 'resources', 'programs', 'sign-in', RESUME_PARSER],
  console: ['contract', 'kernel', 'pages', 'resources', 'programs', 'sign-in', 'careers'],
  hiring: ['contract', 'kernel', 'pages', 'resources', 'programs', 'sign-in'],
  downloads: ['contract', 'kernel', 'pages'],
  partner: ['contract', 'kernel', 'pages', 'resources', 'programs', 'sign-in', 'downloads'],
  docs: ['contract', 'kernel', 'pages', 'programs', 'downloads'],
  mcp: ['contract', 'kernel'],
  'app.ts': [
    'kernel',
    'search',
    'pages',
    'resources',
    'workers',
    'delivery',
    'sign-in',
    'careers',
    'console',
    'hiring',
    'downloads',
    'partner',
    'docs',
    'mcp',
    DEMO,
  ],
  'main.ts': ['kernel', 'workers', 'app.ts'],
  cli: [
    'contract',
    'kernel',
    'pages',
    'resources',
    'sign-in',
    'careers',
    DEMO,
    'app.ts',
    'main.ts',
    PARTNER_COMMANDS,
    RESUME_PARSER,
  ],
  web: [
    'contract',
    'packages/sdk/src/generated.ts',
    'src/pages/assets/check-signature.js',
    'src/careers/accent-variants.ts',
    'src/careers/apply/questions.ts',
    'src/careers/texts/en.ts',
    'src/kernel/text/stemmer.ts',
    'src/kernel/text/tokenize.ts',
  ],
  demo: ['contract', 'kernel', 'resources', RESUME_PARSER],
  'demo/build': ['contract', 'kernel', 'resources', 'workers', 'delivery', 'main.ts', 'demo', RESUME_PARSER],
  tools: [
    'contract',
    'kernel',
    'resources',
    'programs',
    'console',
    'hiring',
    'docs',
    'downloads',
    'pages',
    'app.ts',
    'main.ts',
    'demo',
    'test/harness/postgres.ts',
  ],
}

/** What may be imported besides for its types alone: the tables of endpoints, from which the browser has its types. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  hiring: ['packages/sdk/src/generated.ts'],
  partner: ['packages/sdk/src/generated.ts'],
  web: ['src/programs/endpoint.ts', 'src/programs/policy.ts', 'src/console/routes.ts', 'src/hiring/routes.ts'],
}

/** The files whose layers are checked. Tests and benchmarks may import any file. */
const layered = [...files, ...filesIn('web'), ...filesIn('demo'), ...filesIn('tools')]

/** The packages, with their tests and benchmarks. */
const packages = ['sdk', 'cli', 'resume-parser'].flatMap(name => filesIn(`packages/${name}`))

test('layers: a folder of src, web, demo and tools imports only what the architecture allows', () => {
  const wrong = layered.flatMap(({ path, text, imports }) => {
    const layer = layerOf(path)
    const allowed = LAYERS[layer]
    if (!allowed) return [`${path} is in no layer`]
    const ofTypes = TYPES[layer] ?? []
    return imports
      .filter(target => layerOf(target) !== layer && !allowed.includes(layerOf(target)) && !allowed.includes(target))
      .filter(target => !(ofTypes.includes(target) && typeImportsOf(path, text).includes(target)))
      .map(target => `${path} imports ${target}`)
  })
  assert.deepEqual(wrong, [])
})

test('packages: none imports another folder, but the commands for partners the index of the SDK', () => {
  const SDK = 'packages/sdk/src/index.ts'
  const wrong = packages.flatMap(({ path, imports }) => {
    const own = path.split('/').slice(0, 2).join('/')
    return imports
      .filter(target => !target.startsWith(`${own}/`) && !(own === 'packages/cli' && target === SDK))
      .map(target => `${path} imports ${target}`)
  })
  assert.deepEqual(wrong, [])
})

test('packages: their code imports neither their tests nor their benchmarks', () => {
  const wrong = packages
    .filter(({ path }) => path.split('/')[2] === 'src')
    .flatMap(({ path, imports }) =>
      imports.filter(target => /\/(test|bench)\//.test(target)).map(target => `${path} imports ${target}`),
    )
  assert.deepEqual(wrong, [])
})

test('layers: every folder that a layer names exists', () => {
  const folders = new Set(layered.map(({ path }) => layerOf(path)))
  assert.deepEqual(
    Object.keys(LAYERS).filter(layer => !folders.has(layer)),
    [],
  )
})

test('files: no circle of imports in src, web, demo, tools, bench and the résumé parser', () => {
  const all = [...layered, ...filesIn('bench'), ...filesIn('packages/resume-parser')]
  const imports = new Map(all.map(file => [file.path, file.imports]))
  const done = new Set<string>()
  const visit = (path: string, stack: readonly string[]): void => {
    const at = stack.indexOf(path)
    assert.equal(at, -1, `circle: ${[...stack.slice(at), path].join(' -> ')}`)
    if (done.has(path)) return
    for (const target of imports.get(path) ?? []) visit(target, [...stack, path])
    done.add(path)
  }
  for (const { path } of all) visit(path, [])
})

/** The parts of a slice, lowest first: a part imports those before it and its own. */
const PARTS = ['shape', 'rules', 'store', 'actions', 'routes', 'index'] as const
type Part = (typeof PARTS)[number]

/** A name that says its part: `shape.ts`, `score-rules.ts`, `store-requests.ts`, `write-routes.ts`. */
const NAMED_PARTS: readonly (readonly [RegExp, Part])[] = [
  [/^shape\.ts$/, 'shape'],
  [/^(fields|([a-z]+-)?rules)\.ts$/, 'rules'],
  [/^(([a-z]+-)?store|store-[a-z]+)\.ts$/, 'store'],
  [/^([a-z]+-)?actions\.ts$/, 'actions'],
  [/^([a-z]+-)*(routes|page)\.ts$/, 'routes'],
  [/^index\.ts$/, 'index'],
]

/** The other files of a slice, each with its part. A folder inside a slice is one part. */
const PLACES: Readonly<Record<string, Part>> = {
  'alerts/notify.ts': 'actions',
  'applicants/read-applicants.ts': 'actions',
  'applications/apply-on-form.ts': 'actions',
  'applications/clear-stage.ts': 'actions',
  'applications/locked-change.ts': 'actions',
  'applications/team-decisions.ts': 'actions',
  'applications/owner.ts': 'actions',
  'applications/create.ts': 'actions',
  'careers/logo-format.ts': 'rules',
  'applications/hide-stopped.ts': 'actions',
  'applications/parse-resume.ts': 'actions',
  'interviews/change.ts': 'actions',
  'interviews/read-interviews.ts': 'actions',
  'orders/change.ts': 'actions',
  'orders/check-link.ts': 'rules',
  'orders/complete.ts': 'actions',
  'orders/place.ts': 'actions',
  'orders/read-orders.ts': 'actions',
  'orders/relations.ts': 'actions',
  'applications/relations.ts': 'actions',
  'applications/score-application.ts': 'actions',
  'applications/write-application.ts': 'actions',
  'deletions/notify.ts': 'actions',
  'deletions/run-deletion.ts': 'actions',
  'erasures/ask-holders.ts': 'actions',
  'erasures/erasure-policy.ts': 'rules',
  'erasures/execute-erasure.ts': 'actions',
  'erasures/find-person.ts': 'actions',
  'erasures/notify-owners.ts': 'actions',
  'exports/run-export.ts': 'actions',
  'exports/sources.ts': 'store',
  'imports/batch-pipeline.ts': 'actions',
  'imports/lines.ts': 'rules',
  'jobs/duplicate.ts': 'actions',
  'jobs/emit-template-forms.ts': 'actions',
  'jobs/defaults.ts': 'actions',
  'jobs/lifecycle.ts': 'rules',
  'jobs/lock.ts': 'actions',
  'jobs/read-job.ts': 'actions',
  'jobs/public-form.ts': 'actions',
  'jobs/read-setup.ts': 'actions',
  'jobs/relations.ts': 'actions',
  'jobs/search-alternatives.ts': 'rules',
  'jobs/search-query.ts': 'rules',
  'jobs/search.ts': 'actions',
  'jobs/sections-event.ts': 'rules',
  'jobs/sections-input.ts': 'rules',
  'jobs/set-sections.ts': 'actions',
  'jobs/set-stages.ts': 'actions',
  'messages/address-mail.ts': 'actions',
  'messages/clean-html.ts': 'rules',
  'messages/deliver.ts': 'actions',
  'messages/message-mail.ts': 'rules',
  'messages/read-messages.ts': 'actions',
  'messages/recipient.ts': 'actions',
  'messages/schedule.ts': 'actions',
  'messages/send-scheduled.ts': 'actions',
  'messages/texts.ts': 'rules',
  'messages/unsubscribe-link.ts': 'rules',
  'pool/invented-people.ts': 'rules',
  'pool/test-pool.ts': 'store',
  'resumes/parsing.ts': 'actions',
  'resumes/stored-profiles.ts': 'actions',
  'shared/author.ts': 'rules',
  'shared/unchanged.ts': 'rules',
  'sourced-profiles/relations.ts': 'actions',
  'shared/cities.ts': 'rules',
  'shared/message-texts.ts': 'store',
  'shared/newest-order.ts': 'store',
  'shared/places.ts': 'rules',
  'shared/profile-fields.ts': 'shape',
  'shared/provenance.ts': 'shape',
  'shared/task-states.ts': 'store',
  'uploads/file-content.ts': 'rules',
  'webhooks/attempt.ts': 'actions',
  'webhooks/targets.ts': 'rules',
}

const slices = files.filter(({ path }) => path.startsWith('src/resources/'))

/** The slice of a file of src/resources/, undefined for other files. */
const sliceOf = (path: string): string | undefined => /^src\/resources\/([^/]+)\//.exec(path)?.[1]

function partOf(path: string): Part | undefined {
  const [, , slice, name] = path.split('/')
  return PLACES[`${slice}/${name}`] ?? NAMED_PARTS.find(([pattern]) => pattern.test(name!))?.[1]
}

test('slices: every file has its part, and every listed file exists', () => {
  const lost = slices.filter(({ path }) => !partOf(path)).map(({ path }) => path)
  const present = new Set(slices.map(({ path }) => path.split('/').slice(2, 4).join('/')))
  const gone = Object.keys(PLACES).filter(place => !present.has(place))
  assert.deepEqual({ lost, gone }, { lost: [], gone: [] })
})

test('slices: shape, rules, store, actions, routes in this order', () => {
  const rank = (path: string) => PARTS.indexOf(partOf(path)!)
  const wrong = slices.flatMap(({ path, imports }) =>
    imports
      .filter(target => sliceOf(target) === sliceOf(path) && rank(target) > rank(path))
      .map(target => `${path} imports ${target}`),
  )
  assert.deepEqual(wrong, [])
})

test('slices: from outside only index.ts and shape.ts are imported, also by the demo and the tools', () => {
  const open = (path: string) => sliceOf(path) === 'shared' || /\/(index|shape)\.ts$/.test(path)
  const wrong = layered.flatMap(({ path, imports }) =>
    imports
      .filter(target => sliceOf(target) && sliceOf(target) !== sliceOf(path) && !open(target))
      .map(target => `${path} imports ${target}`),
  )
  assert.deepEqual(wrong, [])
})

test('slices: index.ts only re-exports, names every export, and every name is used outside', () => {
  const wrong = slices
    .filter(({ path }) => path.endsWith('/index.ts'))
    .flatMap(({ path, text }) => {
      const rest = text.replace(/^export (type )?\{[^}]*\} from '\.\/[^']+'\n/gm, '')
      const names = [...text.matchAll(/\{([^}]*)\}/g)]
        .flatMap(([, list]) => list!.split(','))
        .map(name => name.replace('type ', '').trim())
        .filter(Boolean)
      const users = layered.filter(file => file.imports.includes(path)).map(file => file.text)
      const unused = names.filter(name => !users.some(text => new RegExp(`\\b${name}\\b`).test(text)))
      return [
        ...(rest ? [`${path}: ${rest}`] : []),
        ...unused.map(name => `${path} exports ${name}, which no file uses`),
      ]
    })
  assert.deepEqual(wrong, [])
})

test('slices: inside a slice no file re-exports another', () => {
  const wrong = slices
    .filter(({ path, text }) => !path.endsWith('/index.ts') && /^export (type )?(\{[^}]*\}|\*) from /m.test(text))
    .map(({ path }) => path)
  assert.deepEqual(wrong, [])
})

test('slices: no circle between them', () => {
  const uses = new Map<string, Set<string>>()
  for (const { path, imports } of slices) {
    const slice = sliceOf(path)!
    for (const target of imports) {
      const other = sliceOf(target)
      if (other && other !== slice) uses.set(slice, (uses.get(slice) ?? new Set()).add(other))
    }
  }
  const visit = (slice: string, path: string[]): void => {
    assert.ok(!path.includes(slice), `circle: ${[...path, slice].join(' -> ')}`)
    for (const next of uses.get(slice) ?? []) visit(next, [...path, slice])
  }
  for (const slice of uses.keys()) visit(slice, [])
})

const allowedOnlyIn = (pattern: RegExp, where: (path: string) => boolean) =>
  files
    .map(({ path, text }) => ({ path: path.slice('src/'.length), text }))
    .filter(file => pattern.test(file.text) && !where(file.path))
    .map(file => file.path)

test('layers: Fastify is imported by the HTTP kernel, the page servers and app.ts only', () => {
  const pages = /^(kernel\/http|sign-in|console|docs)\/|^app\.ts$/
  assert.deepEqual(
    allowedOnlyIn(/from 'fastify'/, path => pages.test(path)),
    [],
  )
})

test('layers: the environment is read by config.ts, and by the command for its own DEBUG', () => {
  assert.deepEqual(
    allowedOnlyIn(/process\.env/, path => ['kernel/config/config.ts', 'cli/main.ts'].includes(path)),
    [],
  )
})

test('layers: the clock is read by clock.ts; log lines, new handles and the embedded server read real time', () => {
  const real = ['kernel/time/clock.ts', 'kernel/telemetry/log.ts', 'kernel/ids/handles.ts']
  assert.deepEqual(
    allowedOnlyIn(
      /Date\.now\(\)|new Date\(\)|performance\.now\(\)/,
      path => real.includes(path) || path.startsWith('kernel/embedded-postgres/'),
    ),
    [],
  )
})

test('packages: the résumé parser reads neither the clock nor the environment', () => {
  const wrong = filesIn('packages/resume-parser/src').filter(({ text }) =>
    /Date\.now\(\)|new Date\(\)|performance\.now\(\)|process\.env/.test(text),
  )
  assert.deepEqual(wrong, [])
})

test('layers: only the feed and the sender of webhooks ask whether the store is distributed; others take partitions', () => {
  const different =
    /^kernel\/(citus|feed)\/|^kernel\/db\/database\.ts$|\/(sequence-events|deliver-webhooks|lease-store)\.ts$/
  assert.deepEqual(
    allowedOnlyIn(/\b(isDistributed|isCluster|inCluster)\b/, path => different.test(path)),
    [],
  )
})

test('layers: besides the commands for a cluster, only the database knows whether tables are distributed', () => {
  const knows = /^kernel\/(citus\/|db\/database\.ts$)|^cli\/(check-)?cluster\.ts$/
  assert.deepEqual(
    allowedOnlyIn(/\b(is|ask)?distributed\b/i, path => knows.test(path)),
    [],
  )
})

test('layers: SQL is written with the tag: no statement text is joined by hand', () => {
  assert.deepEqual(
    allowedOnlyIn(/\.query\(\s*[`'"]/, path => /^kernel\/(db|embedded-postgres)\//.test(path)),
    [],
  )
})
