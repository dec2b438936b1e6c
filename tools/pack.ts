import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { builtDownloads } from '../src/downloads/build.ts'
import { builtPrograms } from '../src/pages/build-programs.ts'
import { packedFolder } from '../src/pages/built-folder.ts'

/**
 * Packs the service for npm. Node does not run TypeScript inside `node_modules`, so the package has JavaScript: the same
 * files without their types, line by line. The console, the hiring pages and the downloads are built here, not where it
 * is installed.
 */
const USAGE = `Usage: npm run package -- [FOLDER]
Writes hiring-partner-api-VERSION.tgz to FOLDER, by default to the working directory.`

const ROOT = join(import.meta.dirname, '..')
/** Folders with code, and folders and files that are copied as they are. */
const CODE = ['bin', 'src', 'demo', 'packages/cli/src', 'packages/resume-parser/src', 'packages/sdk/src']
const COPIED = ['migrations', 'docs', 'deploy', 'CHANGELOG.md', 'LICENSE', 'README.md', '.env.example']
/** What only a checkout needs. */
const LEFT_OUT = /\.test\.ts$|^demo\/build\//
/** Dependencies of the builds alone. */
const BUILD_DEPENDENCIES = ['rolldown', 'vite']

const filesOf = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .filter(file => !LEFT_OUT.test(file))

/** Imports of other files, and files that a worker or a process is started with. */
const namedAsJavaScript = (code: string): string =>
  code
    .replaceAll(/(['"])(\.{1,2}\/[^'"\n]*)\.ts\1/g, '$1$2.js$1')
    .replaceAll(/((?:import\.meta\.dirname|here), '[\w-]+)\.ts'/g, "$1.js'")

function writeCode(target: string): void {
  for (const file of CODE.flatMap(filesOf)) {
    const isCode = /(?<!\.d)\.ts$/.test(file) || file.startsWith('bin/')
    const to = join(target, isCode ? file.replace(/\.ts$/, '.js') : file)
    mkdirSync(dirname(to), { recursive: true })
    if (!isCode) cpSync(join(ROOT, file), to)
    else {
      const source = readFileSync(join(ROOT, file), 'utf8')
      writeFileSync(to, namedAsJavaScript(file.endsWith('.ts') ? stripTypeScriptTypes(source) : source))
    }
  }
}

function writeManifest(target: string): void {
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>
  const { name, version, description, license, type, bin, engines, dependencies, overrides } = own
  const needed = Object.entries(dependencies as Record<string, string>).filter(([d]) => !BUILD_DEPENDENCIES.includes(d))
  const manifest = {
    name,
    version,
    description,
    license,
    type,
    bin,
    engines,
    dependencies: Object.fromEntries(needed),
    overrides,
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

async function pack(folder: string): Promise<string> {
  const target = mkdtempSync(join(tmpdir(), 'hiring-package-'))
  try {
    writeCode(target)
    for (const path of COPIED) cpSync(join(ROOT, path), join(target, path), { recursive: true })
    const dataDir = join(ROOT, 'data')
    const [programs, downloads] = [await builtPrograms(dataDir), await builtDownloads(dataDir)]
    cpSync(programs.directory, join(target, packedFolder('programs')), { recursive: true })
    cpSync(downloads.directory, join(target, packedFolder('downloads')), { recursive: true })
    writeManifest(target)
    mkdirSync(folder, { recursive: true })
    const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: target,
      encoding: 'utf8',
    })
    const [packed] = JSON.parse(output) as { filename: string }[]
    return join(folder, packed!.filename)
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
}

const [argument = '.'] = process.argv.slice(2)
if (argument === '--help' || argument === '-h') process.stdout.write(`${USAGE}\n`)
else process.stdout.write(`${await pack(resolve(argument))}\n`)
