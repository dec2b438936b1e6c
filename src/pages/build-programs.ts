import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getOrCreate } from '../kernel/async/get-or-create.ts'
import { present } from '../kernel/errors/present.ts'
import type { Packed } from '../kernel/http/packed.ts'
import { isAssetName, packAsset } from './assets.ts'
import { type BuiltFolder, findOrBuild } from './built-folder.ts'
import { checkSources, hashOfSources } from './program-sources.ts'

const ROOT = join(import.meta.dirname, '../..')

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

let building: Promise<BuiltFolder> | undefined

/** The built front ends: the console and the hiring pages. */
export function builtPrograms(dataDir: string): Promise<BuiltFolder> {
  building ??= findOrBuild(dataDir, {
    kind: 'programs',
    readHash: () => hashOfSources(ROOT, PROGRAM_SOURCES),
    write: buildPrograms,
  }).catch(error => {
    building = undefined
    throw error
  })
  return building
}

async function buildPrograms(directory: string): Promise<void> {
  const vite = await import('vite')
  await vite.build({
    root: join(ROOT, 'web'),
    base: ASSETS_BASE,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [checkSources(ROOT, PROGRAM_SOURCES.entries)],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: directory,
      emptyOutDir: true,
      manifest: 'manifest.json',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      target: 'es2022',
      // colors of both themes stay as they are written: what they are lowered to needs the tokens in the same file
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      rolldownOptions: { input: PROGRAM_SOURCES.entries },
    },
  })
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
