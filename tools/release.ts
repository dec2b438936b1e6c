import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Releases the repository in the working directory: writes the version and the changelog, commits, and tags `vX.Y.Z`.
 * Everything is checked before the first write. Publishing the commit and the tag is left to the maintainer.
 */
const USAGE = 'Usage: npm run release -- X.Y.Z [--dry-run]'
/** In the order of their cost. */
const CHECKS = ['generate:check', 'lint', 'types', 'test'] as const
/** Files that name the version once; the packages have that of the service. */
const NAMING_FILES = [
  'package.json',
  'packages/cli/package.json',
  'packages/resume-parser/package.json',
  'packages/sdk/package.json',
  'packages/sdk/src/version.ts',
  'packages/sdk-python/src/hiring_partner/_version.py',
]

class ReleaseError extends Error {}

const ROOT = process.cwd()
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
const print = (text: string): void => void process.stdout.write(`${text}\n`)

interface Section {
  title: string
  text: string
}

/** The level-two sections of the changelog, in their order. */
function sectionsOf(changelog: string): Section[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map(part => {
      const [title = '', ...lines] = part.split('\n')
      return { title: title.trim(), text: lines.join('\n').trim() }
    })
}

function nextVersions(current: string): string[] {
  const [major = 0, minor = 0, patch = 0] = current.split('.').map(Number)
  return [`${major}.${minor}.${patch + 1}`, `${major}.${minor + 1}.0`, `${major + 1}.0.0`]
}

function checkRepository(version: string): void {
  if (git('status', '--porcelain') !== '')
    throw new ReleaseError('the working tree has changes: commit or discard them')
  if (git('tag', '--list', `v${version}`) !== '') throw new ReleaseError(`v${version} exists already`)
}

/** The files to write, by name; none if version and section were committed before. */
function plan(version: string, today: string): Record<string, string> {
  const { version: current } = JSON.parse(read('package.json')) as { version: string }
  const changelog = read('CHANGELOG.md')
  const sections = sectionsOf(changelog)
  const unreleased = sections.find(({ title }) => title === 'Unreleased')
  const own = sections.find(({ title }) => title.startsWith(`${version} - `))
  if (!unreleased) throw new ReleaseError('CHANGELOG.md has no section `## Unreleased`')
  if (version === current) {
    if (!own || !/ - \d{4}-\d\d-\d\d$/.test(own.title) || own.text === '') {
      throw new ReleaseError(`CHANGELOG.md has no section \`## ${version} - YYYY-MM-DD\` with changes`)
    }
    if (unreleased.text !== '')
      throw new ReleaseError(`CHANGELOG.md has unreleased changes: release ${orList(current)}`)
    return {}
  }
  if (!nextVersions(current).includes(version)) {
    throw new ReleaseError(`${version} does not follow ${current}: choose ${orList(current)}`)
  }
  if (git('tag', '--list', `v${current}`) === '')
    throw new ReleaseError(`${current} is not released yet: release it first`)
  if (own) throw new ReleaseError(`CHANGELOG.md has a section for ${version} already`)
  if (unreleased.text === '') throw new ReleaseError('the section `## Unreleased` of CHANGELOG.md is empty')
  // the first two mentions in package-lock.json are those of the package itself
  let seen = 0
  return {
    ...Object.fromEntries(NAMING_FILES.map(file => [file, withVersion(read(file), current, version)])),
    'package-lock.json': read('package-lock.json').replaceAll(/"version": "[^"]*"/g, found =>
      ++seen <= 2 ? `"version": "${version}"` : found,
    ),
    'CHANGELOG.md': changelog.replace(/^## Unreleased\n/m, `## Unreleased\n\n## ${version} - ${today}\n`),
  }
}

/** `"version": "X"`, `VERSION = 'X'` or `VERSION = "X"`. */
const withVersion = (text: string, from: string, to: string): string =>
  text.replace(/(version"?(?:: | = )['"])([^'"]*)/i, (found, start: string, named: string) =>
    named === from ? start + to : found,
  )

const orList = (current: string): string =>
  nextVersions(current)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1')

function runChecks(): void {
  for (const check of CHECKS) {
    print(`npm run ${check}`)
    const { status } = spawnSync('npm', ['run', '-s', check], { cwd: ROOT, stdio: 'inherit' })
    if (status !== 0) throw new ReleaseError(`npm run ${check} fails`)
  }
  if (git('status', '--porcelain') !== '') throw new ReleaseError('the checks changed files in the working tree')
}

function write(version: string, files: Record<string, string>): void {
  const names = Object.keys(files)
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(ROOT, name), text)
    if (names.length > 0) git('commit', '--quiet', '--message', `release: ${version}`, '--', ...names)
  } catch (error) {
    if (names.length > 0) git('restore', '--staged', '--worktree', '--', ...names)
    throw error
  }
  git('tag', '--annotate', `v${version}`, '--message', `v${version}`)
}

function release(args: readonly string[]): void {
  const dryRun = args.includes('--dry-run')
  const [version, ...rest] = args.filter(arg => arg !== '--dry-run')
  if (!version || rest.length > 0 || !/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version)) throw new ReleaseError(USAGE)
  checkRepository(version)
  const files = plan(version, new Date().toISOString().slice(0, 10))
  const steps = [
    `run ${CHECKS.map(check => `npm run ${check}`).join(', ')}`,
    ...(Object.keys(files).length > 0
      ? [`write ${Object.keys(files).join(', ')}`, `commit "release: ${version}"`]
      : ['commit nothing: version and changelog are committed']),
    `tag v${version}`,
  ]
  if (dryRun) {
    for (const step of steps) print(`would ${step}`)
    return
  }
  runChecks()
  write(version, files)
  print(`released ${version}; publish it with: git push --follow-tags`)
}

try {
  release(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  process.stderr.write(`release: ${error.message}\n`)
  process.exitCode = 1
}
