import { accessSync, constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { clock } from '../kernel/time/clock.ts'

const SHIPPED = join(import.meta.dirname, '../../web/dist')

export interface BuiltFolder {
  directory: string
  /** 0: it was there */
  milliseconds: number
}

/** What is built from the sources of a checkout, and comes ready with a package. */
export interface Build {
  kind: 'programs' | 'downloads'
  /** a hash of everything that decides about the result */
  readHash: () => string | Promise<string>
  write: (directory: string) => Promise<void>
}

/** Their folder in a package, which has no sources to build them from. */
export const packedFolder = (kind: Build['kind']): string => join('web/dist', `${kind}-packed`)

/** Names of what earlier versions built. */
const OLD: Readonly<Record<Build['kind'], RegExp>> = {
  programs: /^(?:programs|console)-/,
  downloads: /^downloads-/,
}

/**
 * The result of a build. Its folder is named after the sources, so that it is built again when they changed and only then;
 * of processes that build at the same moment the first one's result stays.
 */
export async function findOrBuild(dataDir: string, { kind, readHash, write }: Build): Promise<BuiltFolder> {
  const packed = join(SHIPPED, `${kind}-packed`)
  if (existsSync(packed)) return { directory: packed, milliseconds: 0 }
  const name = `${kind}-${await readHash()}`
  const withData = join(dataDir, 'web')
  const places = [SHIPPED, withData]
  const known = places.map(place => join(place, name)).find(existsSync)
  if (known) return { directory: known, milliseconds: 0 }

  const startedAt = clock.monotonic()
  // an installation that the service may only read has its builds with the data
  const place = places.find(writable) ?? withData
  mkdirSync(place, { recursive: true })
  const directory = join(place, name)
  const draft = join(place, `.${name}-${process.pid}`)
  try {
    await write(draft)
    for (const old of readdirSync(place)) {
      if (OLD[kind].test(old) && old !== name) rmSync(join(place, old), { recursive: true, force: true })
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
