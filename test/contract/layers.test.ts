import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../../src')

/** Imports run to the left only: a layer may use those before it and itself. */
const LAYERS = ['contract', 'kernel', 'search', 'pages', 'resources', 'workers', 'above', 'app', 'main', 'cli']
const LAYER_OF: Record<string, string> = {
  contract: 'contract',
  kernel: 'kernel',
  search: 'search',
  pages: 'pages',
  resources: 'resources',
  workers: 'workers',
  demo: 'above',
  docs: 'above',
  console: 'above',
  board: 'above',
  'sign-in': 'above',
  'app.ts': 'app',
  'main.ts': 'main',
  cli: 'cli',
}

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map(path => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

const importsOf = ({ path, text }: { path: string; text: string }) =>
  [...text.matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(m =>
    relative(ROOT, resolve(join(ROOT, dirname(path)), m[1]!)),
  )

const layer = (path: string) => LAYERS.indexOf(LAYER_OF[path.split('/')[0]!] ?? 'unknown')

test('layers: imports run one way', () => {
  const wrong = files.flatMap(file =>
    importsOf(file)
      .filter(target => layer(target) > layer(file.path) || layer(file.path) < 0)
      .map(target => `${file.path} imports ${target}`),
  )
  assert.deepEqual(wrong, [])
})

const SLICE_ORDER = ['shape.ts', 'rules.ts', 'store.ts', 'actions.ts', 'routes.ts']

test('slices: shape, then rules and store, then actions, then routes; between slices only shape, store and actions', () => {
  const wrong = files
    .filter(file => file.path.startsWith('resources/'))
    .flatMap(file =>
      importsOf(file)
        .filter(target => target.startsWith('resources/'))
        .filter(target => {
          const [, slice, name] = file.path.split('/')
          const [, otherSlice, otherName] = target.split('/')
          if (slice !== otherSlice) return !['shape.ts', 'store.ts', 'actions.ts'].includes(otherName!)
          const from = SLICE_ORDER.indexOf(name!)
          const to = SLICE_ORDER.indexOf(otherName!)
          return from >= 0 && to >= 0 && to > from
        })
        .map(target => `${file.path} imports ${target}`),
    )
  assert.deepEqual(wrong, [])
})

test('search, resources/pool and resources/jobs: no circle between files', () => {
  const ours = files.filter(file => /^(search|resources\/(pool|jobs))\//.test(file.path))
  const targets = new Map(ours.map(file => [file.path, importsOf(file)]))
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): void => {
    assert.ok(!trail.includes(path), `circle: ${[...trail, path].join(' -> ')}`)
    if (done.has(path)) return
    for (const next of targets.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of targets.keys()) visit(path, [])
})

test('slices: no circle between them', () => {
  const uses = new Map<string, Set<string>>()
  for (const file of files.filter(f => f.path.startsWith('resources/'))) {
    const slice = file.path.split('/')[1]!
    for (const target of importsOf(file).filter(t => t.startsWith('resources/'))) {
      const other = target.split('/')[1]!
      if (other !== slice) uses.set(slice, (uses.get(slice) ?? new Set()).add(other))
    }
  }
  const visit = (slice: string, path: string[]): void => {
    assert.ok(!path.includes(slice), `circle: ${[...path, slice].join(' -> ')}`)
    for (const next of uses.get(slice) ?? []) visit(next, [...path, slice])
  }
  for (const slice of uses.keys()) visit(slice, [])
})

const allowedOnlyIn = (pattern: RegExp, where: (path: string) => boolean) =>
  files.filter(file => pattern.test(file.text) && !where(file.path)).map(file => file.path)

test('the framework is known to the HTTP kernel, the page servers and app.ts alone', () => {
  const pages = /^(kernel\/http|sign-in|console|board|docs)\/|^app\.ts$/
  assert.deepEqual(
    allowedOnlyIn(/from 'fastify'/, path => pages.test(path)),
    [],
  )
})

test('the environment is read by config.ts, and by the command for its own DEBUG', () => {
  assert.deepEqual(
    allowedOnlyIn(/process\.env/, path => ['kernel/config/config.ts', 'cli/main.ts'].includes(path)),
    [],
  )
})

test('the clock is read by clock.ts; log lines, new handles and the embedded server read real time', () => {
  const real = ['kernel/time/clock.ts', 'kernel/telemetry/log.ts', 'kernel/ids/handles.ts']
  assert.deepEqual(
    allowedOnlyIn(
      /Date\.now\(\)|new Date\(\)|performance\.now\(\)/,
      path => real.includes(path) || path.startsWith('kernel/db/embedded'),
    ),
    [],
  )
})

test('SQL is written with the tag: no statement text is joined by hand', () => {
  assert.deepEqual(
    allowedOnlyIn(/\.query\(\s*[`'"]/, path => path.startsWith('kernel/db/')),
    [],
  )
})
