import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { buildDownloads } from '../../src/downloads/build.ts'
import { pythonVersion, readBuildVersion } from '../../src/downloads/version.ts'

const VERSION = '1.2.0-dev.7+0a1b2c3d'
const folder = mkdtempSync(join(tmpdir(), 'hiring-downloads-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const contentOf = (directory: string) =>
  readdirSync(directory).map(name => [name, readFileSync(join(directory, name), 'base64')])

test('downloads: two builds of the same sources have the same bytes', async () => {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  await buildDownloads(first, VERSION)
  await buildDownloads(second, VERSION)
  assert.deepEqual(contentOf(second), contentOf(first))
})

/** The files of an archive, extracted with the programs that users have. */
function extract(name: string): string {
  const built = join(folder, 'built')
  const target = join(folder, name)
  mkdirSync(target)
  const [program, ...args] = name.endsWith('.whl') ? ['python3', '-m', 'zipfile', '-e'] : ['tar', 'xzf']
  const to = name.endsWith('.whl') ? [target] : ['-C', target]
  execFileSync(program!, [...args, join(built, name), ...to])
  return target
}

test('downloads: archives open with tar and zip, have the version of the build, licences, and no sources of npm packages', async () => {
  await buildDownloads(join(folder, 'built'), VERSION)
  const sdk = join(extract(`hiring-partner-sdk-${VERSION}.tgz`), 'package')
  assert.deepEqual(readdirSync(sdk).sort(), ['LICENSE', 'README.md', 'dist', 'package.json'])
  const manifest = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8'))
  assert.deepEqual([manifest.version, manifest.scripts, manifest.dependencies], [VERSION, undefined, undefined])
  assert.match(readFileSync(join(sdk, 'dist/version.js'), 'utf8'), /VERSION = "1\.2\.0-dev\.7\+0a1b2c3d"/)

  const cli = join(extract(`hiring-partner-cli-${VERSION}.tgz`), 'package')
  const program = join(cli, JSON.parse(readFileSync(join(cli, 'package.json'), 'utf8')).bin['hiring-partner'])
  assert.equal(execFileSync(program, ['--version'], { encoding: 'utf8' }), `${VERSION}\n`)
  const all = readdirSync(cli, { recursive: true, encoding: 'utf8' })
  assert.deepEqual(
    all.filter(file => file.endsWith('.ts')),
    [],
  )

  const python = pythonVersion(VERSION)
  assert.equal(python, '1.2.0.dev7+g0a1b2c3d')
  const wheel = extract(`hiring_partner_sdk-${python}-py3-none-any.whl`)
  assert.match(
    readFileSync(join(wheel, 'hiring_partner/_version.py'), 'utf8'),
    /^VERSION = "1\.2\.0\.dev7\+g0a1b2c3d"$/m,
  )
  const metadata = readFileSync(join(wheel, `hiring_partner_sdk-${python}.dist-info/METADATA`), 'utf8')
  assert.match(metadata, /^Name: hiring-partner-sdk\nVersion: 1\.2\.0\.dev7\+g0a1b2c3d\n/m)
  assert.match(metadata, /^Requires-Python: >=3\.10\nRequires-Dist: httpx>=0\.27,<1\n/m)
  const sdist = extract(`hiring_partner_sdk-${python}.tar.gz`)
  assert.deepEqual(readdirSync(join(sdist, `hiring_partner_sdk-${python}`)).sort(), [
    'LICENSE',
    'PKG-INFO',
    'README.md',
    'pyproject.toml',
    'src',
  ])
})

const HASH = '0123456789abcdef'

/** A checkout with one source and a changelog. */
function checkout(unreleased: string): {
  root: string
  git: (...args: string[]) => string
  version: () => Promise<string>
} {
  const root = mkdtempSync(join(folder, 'checkout-'))
  writeFileSync(join(root, 'package.json'), '{ "version": "1.4.2" }')
  writeFileSync(
    join(root, 'CHANGELOG.md'),
    `# Changelog\n\n## Unreleased\n\n${unreleased}## 1.4.2 - 2026-01-01\n\n- One.\n`,
  )
  writeFileSync(join(root, 'source'), 'first')
  const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false']
  const git = (...args: string[]) => execFileSync('git', [...who, ...args], { cwd: root, encoding: 'utf8' }).trim()
  return { root, git, version: () => readBuildVersion({ root, paths: ['source'], hash: HASH }) }
}

test('version of a build: a release has its number, other commits the next one with their count and commit', async () => {
  const { root, git, version } = checkout('- Two.\n\n')
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'one')
  assert.equal(await version(), `1.5.0-dev.1+${git('rev-parse', '--short=8', 'HEAD')}`)
  git('tag', 'v1.4.2')
  assert.equal(await version(), '1.4.2')
  git('commit', '--quiet', '--allow-empty', '--message', 'two')
  const commit = git('rev-parse', '--short=8', 'HEAD')
  assert.equal(await version(), `1.5.0-dev.1+${commit}`)
  writeFileSync(join(root, 'CHANGELOG.md'), 'not a source')
  assert.equal(await version(), `1.5.0-dev.1+${commit}`)
})

test('version of a build: sources that are not those of the commit have their hash in it, also at a release', async () => {
  const { root, git, version } = checkout('')
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'one')
  git('tag', 'v1.4.2')
  writeFileSync(join(root, 'source'), 'second')
  assert.equal(await version(), `1.5.0-dev.0+${git('rev-parse', '--short=8', 'HEAD')}.01234567`)
})

test('version of a build: without a repository, the changelog says whether it is a release', async () => {
  assert.equal(await checkout('').version(), '1.4.2')
  assert.equal(await checkout('### Added\n\n- Two.\n\n').version(), '1.5.0-dev.0+01234567')
})

test('version of a build: as Python writes it', () => {
  assert.equal(pythonVersion('1.4.2'), '1.4.2')
  assert.equal(pythonVersion('1.5.0-dev.12+00345678'), '1.5.0.dev12+g00345678')
  assert.equal(pythonVersion('1.5.0-dev.12+00345678.0a2b3c4d'), '1.5.0.dev12+g00345678.s0a2b3c4d')
})
