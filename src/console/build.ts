import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { clock } from '../kernel/time/clock.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = [
  'web/console',
  'src/contract',
  'src/console/api-types.ts',
  'src/pages/assets/check-signature.js',
  'src/careers/accent-variants.ts',
].map(path => join(ROOT, path))
const SHIPPED = join(ROOT, 'web/dist')

export interface BuiltConsole {
  directory: string
  /** 0: it was there */
  milliseconds: number
}

let building: Promise<BuiltConsole> | undefined

/**
 * The built front end. Its folder is named after its sources, so that it is built again when they changed and only
 * then; of processes that build at the same moment the first one's result stays.
 */
export function builtConsole(dataDir: string): Promise<BuiltConsole> {
  building ??= build(dataDir).catch(error => {
    building = undefined
    throw error
  })
  return building
}

async function build(dataDir: string): Promise<BuiltConsole> {
  const name = `console-${hashOfSources()}`
  const places = [SHIPPED, join(dataDir, 'web')]
  const known = places.map(place => join(place, name)).find(existsSync)
  if (known) return { directory: known, milliseconds: 0 }

  const startedAt = clock.monotonic()
  // an installation that the service may only read keeps its front end with the data
  const place = places.find(writable) ?? places[1]!
  mkdirSync(place, { recursive: true })
  const directory = join(place, name)
  const draft = join(place, `.${name}-${process.pid}`)
  const vite = await import('vite')
  try {
    await vite.build({
      root: join(ROOT, 'web/console'),
      base: '/console/',
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
      build: {
        outDir: draft,
        emptyOutDir: true,
        manifest: 'manifest.json',
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        target: 'es2022',
        rolldownOptions: { input: join(ROOT, 'web/console/main.tsx') },
      },
    })
    for (const old of readdirSync(place)) {
      if (old.startsWith('console-') && old !== name) rmSync(join(place, old), { recursive: true, force: true })
    }
    renameSync(draft, directory)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(directory)) throw error
  }
  return { directory, milliseconds: Math.round(clock.monotonic() - startedAt) }
}

function hashOfSources(): string {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap(filesOf)) {
    hash
      .update(`${file.slice(ROOT.length)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}

function filesOf(path: string): string[] {
  if (!existsSync(path)) return []
  const entries = statSync(path).isFile() ? undefined : readdirSync(path, { recursive: true, withFileTypes: true })
  if (!entries) return [path]
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}

function writable(place: string): boolean {
  try {
    accessSync(existsSync(place) ? place : dirname(place), constants.W_OK)
    return true
  } catch {
    return false
  }
}
