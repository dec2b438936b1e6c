import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getOrCreate } from '../kernel/async/get-or-create.ts'
import { present } from '../kernel/errors/present.ts'
import type { Packed } from '../kernel/http/packed.ts'
import { clock } from '../kernel/time/clock.ts'
import { isAssetName, packAsset } from './assets.ts'
import { checkSources, hashOfSources } from './program-sources.ts'

const ROOT = join(import.meta.dirname, '../..')
const SHIPPED = join(ROOT, 'web/dist')
/** Their folder in a package, which has no sources to build them from. */
export const PACKED_PROGRAMS = 'programs-packed'

/** Their first files. The viewer of résumés is a document of its own, so that nothing else loads pdf.js. */
const PROGRAMS = {
  console: 'console/main.tsx',
  hiring: 'hiring/main.tsx',
  'resume-viewer': 'hiring/resume-viewer/main.ts',
} as const
export type ProgramName = keyof typeof PROGRAMS

/**
 * What the programs are built from. The lock file has the versions of the packages that become part of them, such as
 * pdf.js, and of the builder; this file has its options.
 */
export const PROGRAM_SOURCES = {
  entries: Object.values(PROGRAMS).map(file => join(ROOT, 'web', file)),
  settings: [join(ROOT, 'package-lock.json'), import.meta.filename],
}

/** Where the files of the programs are served. */
export const ASSETS_BASE = '/web/'

export interface BuiltPrograms {
  directory: string
  /** 0: it was there */
  milliseconds: number
}

let building: Promise<BuiltPrograms> | undefined

/**
 * The built front ends: the console and the hiring pages. Their folder is named after the sources, so that it is built again when they changed
 * and only then; of processes that build at the same moment the first one's result stays.
 */
export function builtPrograms(dataDir: string): Promise<BuiltPrograms> {
  building ??= build(dataDir).catch(error => {
    building = undefined
    throw error
  })
  return building
}

async function build(dataDir: string): Promise<BuiltPrograms> {
  const packed = join(SHIPPED, PACKED_PROGRAMS)
  if (existsSync(packed)) return { directory: packed, milliseconds: 0 }
  const name = `programs-${hashOfSources(ROOT, PROGRAM_SOURCES)}`
  const withData = join(dataDir, 'web')
  const places = [SHIPPED, withData]
  const known = places.map(place => join(place, name)).find(existsSync)
  if (known) return { directory: known, milliseconds: 0 }

  const startedAt = clock.monotonic()
  // an installation that the service may only read keeps its front end with the data
  const place = places.find(writable) ?? withData
  mkdirSync(place, { recursive: true })
  const directory = join(place, name)
  const draft = join(place, `.${name}-${process.pid}`)
  const vite = await import('vite')
  try {
    await vite.build({
      root: join(ROOT, 'web'),
      base: ASSETS_BASE,
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      plugins: [checkSources(ROOT, PROGRAM_SOURCES.entries)],
      oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
      build: {
        outDir: draft,
        emptyOutDir: true,
        manifest: 'manifest.json',
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        target: 'es2022',
        rolldownOptions: { input: PROGRAM_SOURCES.entries },
      },
    })
    for (const old of readdirSync(place)) {
      if (/^(programs|console)-/.test(old) && old !== name) rmSync(join(place, old), { recursive: true, force: true })
    }
    renameSync(draft, directory)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(directory)) throw error
  }
  return { directory, milliseconds: Math.round(clock.monotonic() - startedAt) }
}

function writable(place: string): boolean {
  try {
    accessSync(existsSync(place) ? place : dirname(place), constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** What the document of a program loads, and the files of all programs by name. */
export interface Program {
  script: string
  styles: readonly string[]
  asset: (name: string) => Packed | undefined
}

interface ManifestEntry {
  file: string
  css?: string[]
  imports?: string[]
}

const programs = new Map<string, Program>()

/** A program of a built front end, read once: a newer build may delete its folder. */
export const programIn = (directory: string, name: ProgramName): Program =>
  getOrCreate(programs, `${directory} ${name}`, () => {
    const manifest = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')) as Record<string, ManifestEntry>
    const main = PROGRAMS[name]
    const stylesOf = (key: string): string[] => {
      const { imports = [], css = [] } = present(manifest[key], key)
      return [...imports.flatMap(stylesOf), ...css]
    }
    return {
      script: ASSETS_BASE + present(manifest[main], main).file,
      styles: [...new Set(stylesOf(main))].map(file => ASSETS_BASE + file),
      asset: assetsIn(directory),
    }
  })

const assetsByDirectory = new Map<string, Program['asset']>()

/** Files are read together and compressed one by one, when they are first asked for: pdf.js is larger than all others. */
const assetsIn = (directory: string): Program['asset'] =>
  getOrCreate(assetsByDirectory, directory, () => {
    const names = readdirSync(join(directory, 'assets')).filter(isAssetName)
    const files = new Map(names.map(name => [name, readFileSync(join(directory, 'assets', name))]))
    const packed = new Map<string, Packed>()
    return name => {
      const bytes = files.get(name)
      return bytes && getOrCreate(packed, name, () => packAsset(name, bytes))
    }
  })
