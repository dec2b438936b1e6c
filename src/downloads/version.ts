import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Digits of a commit, and of the hash of changed sources. */
const SHOWN_DIGITS = 8

/** The sources of a build. */
export interface Sources {
  root: string
  /** folders and files below the root */
  paths: readonly string[]
  hash: string
}

/**
 * The version of what is built here. A release has its number. Another build is `NEXT-dev.COMMITS+COMMIT`, and the hash of
 * its sources follows where they are not those of the commit: builds with different bytes never share a version, because
 * caches and lock files keep them by it.
 */
export async function readBuildVersion({ root, paths, hash }: Sources): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const digits = hash.slice(0, SHOWN_DIGITS)
  const checkout = await readCheckout(root, paths, version)
  if (!checkout) return hasUnreleasedChanges(root) ? `${next(version)}-dev.0+${digits}` : version
  const { isReleased, commits, commit, isChanged } = checkout
  if (isReleased && !isChanged) return version
  return `${next(version)}-dev.${commits}+${commit}${isChanged ? `.${digits}` : ''}`
}

interface Checkout {
  isReleased: boolean
  /** since the last release, or all of them */
  commits: string
  commit: string
  /** whether the sources differ from those of the commit */
  isChanged: boolean
}

/** undefined where there is no repository, or no git to read it. */
async function readCheckout(root: string, paths: readonly string[], version: string): Promise<Checkout | undefined> {
  if (!existsSync(join(root, '.git'))) return undefined
  const git = async (...args: string[]) => (await run('git', args, { cwd: root })).stdout.trim()
  try {
    const isTagged = (await git('tag', '--list', `v${version}`)) !== ''
    const [commits, commit, changes] = await Promise.all([
      git('rev-list', '--count', isTagged ? `v${version}..HEAD` : 'HEAD'),
      git('rev-parse', `--short=${SHOWN_DIGITS}`, 'HEAD'),
      git('status', '--porcelain', '--', ...paths),
    ])
    return { isReleased: isTagged && commits === '0', commits, commit, isChanged: changes !== '' }
  } catch {
    return undefined // the sources are named by their hash instead
  }
}

const hasUnreleasedChanges = (root: string): boolean =>
  /^## Unreleased\n+(?!## )\S/m.test(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))

/** The minor version that follows. */
function next(version: string): string {
  const [major, minor] = version.split('.').map(Number)
  return `${major}.${Number(minor) + 1}.0`
}

/** PEP 440. A part with leading zeros would be read as a number, so each part begins with a letter. */
export const pythonVersion = (version: string): string =>
  version.replace('-dev.', '.dev').replace(/\+(\w+)(?:\.(\w+))?$/, (_, commit: string, hash?: string) => {
    return `+g${commit}${hash === undefined ? '' : `.s${hash}`}`
  })
