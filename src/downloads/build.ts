import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_VERSION } from '../contract/version.ts'
import { type BuiltFolder, findOrBuild } from '../pages/built-folder.ts'
import { tarball, zip } from './archive.ts'
import { DISTRIBUTION, PYTHON_FOLDER, readProject, sdistFiles, wheelFiles } from './python-package.ts'
import { CLI, packFiles, readPackageManifest, SDK, type TypescriptPackage } from './typescript-packages.ts'
import { pythonVersion, readBuildVersion } from './version.ts'

const ROOT = join(import.meta.dirname, '../..')
const OPENAPI = 'openapi.json'

/** What becomes part of the files, and what decides about their form: this folder, and the versions of the packages. */
const SOURCES = [
  'packages/sdk',
  'packages/cli',
  PYTHON_FOLDER,
  OPENAPI,
  'LICENSE',
  'src/contract/version.ts',
  'src/downloads',
  'package-lock.json',
]
const IS_MANIFEST = /(?:^|\/)(?:package\.json|pyproject\.toml|README\.md)$/
const IN_SOURCES = /(?:^|\/)src\//
const IS_CODE = /\.(?:ts|py|typed)$/
const isSource = (path: string): boolean => IS_MANIFEST.test(path) || (IN_SOURCES.test(path) && IS_CODE.test(path))

/** A file that partners download, without the URL of the service. */
export interface BuiltDownload {
  name: string
  version: string
  language: 'typescript' | 'javascript' | 'python' | null
  filename: string
  bytes: number
  sha256: string
  /** as lock files of npm have it */
  integrity: string
  /** the program that installs it, and its version */
  requires: string | null
  api_version: string
}

/** The list of the files, next to them. */
export const BUILT_INDEX = 'index.json'

let building: Promise<BuiltFolder> | undefined

/** The folder with the files. They are built once from the sources of a checkout; a package comes with them. */
export function builtDownloads(dataDir: string): Promise<BuiltFolder> {
  building ??= findOrBuild(dataDir, {
    kind: 'downloads',
    readHash: readVersion,
    write: async directory => buildDownloads(directory, await readVersion()),
  }).catch(error => {
    building = undefined
    throw error
  })
  return building
}

const readVersion = (): Promise<string> => readBuildVersion({ root: ROOT, paths: SOURCES, hash: hashOf(SOURCES) })

/** Names and bytes of the files, in the order of their names. */
function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(sourcesIn).sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0')
  return hash.digest('hex')
}

const sourcesIn = (path: string): string[] =>
  /\.\w+$|^LICENSE$/.test(path)
    ? [path]
    : readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
        .map(entry => ({ entry, file: join(entry.parentPath, entry.name).slice(ROOT.length + 1) }))
        .filter(({ entry, file }) => entry.isFile() && !file.includes('/node_modules/') && isSource(file))
        .map(({ file }) => file)

/** Writes the files and their list. The same sources give the same bytes. */
export async function buildDownloads(directory: string, version: string): Promise<void> {
  const ownPython = pythonVersion(version)
  const project = readProject(ROOT, ownPython)
  const python = {
    name: project.name,
    version: ownPython,
    language: 'python',
    requires: `python ${project.requiresPython}`,
  } as const
  const made = [
    await npmPackage(SDK, version, 'typescript'),
    await npmPackage(CLI, version, 'javascript'),
    { ...python, filename: `${DISTRIBUTION}-${ownPython}-py3-none-any.whl`, content: zip(wheelFiles(ROOT, ownPython)) },
    { ...python, filename: `${DISTRIBUTION}-${ownPython}.tar.gz`, content: tarball(sdistFiles(ROOT, ownPython)) },
    {
      name: 'openapi',
      version,
      language: null,
      requires: null,
      filename: `openapi-${version}.json`,
      content: readFileSync(join(ROOT, OPENAPI)),
    },
  ]
  mkdirSync(directory, { recursive: true })
  const index = made.map(({ content, ...about }): BuiltDownload => {
    writeFileSync(join(directory, about.filename), content)
    return {
      ...about,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      integrity: `sha512-${createHash('sha512').update(content).digest('base64')}`,
      api_version: API_VERSION,
    }
  })
  writeFileSync(join(directory, BUILT_INDEX), JSON.stringify(index))
}

async function npmPackage(pack: TypescriptPackage, version: string, language: 'typescript' | 'javascript') {
  const { name, engines } = readPackageManifest(ROOT, pack, version)
  const content = tarball(await packFiles(ROOT, pack, version))
  return { name, version, language, requires: `node ${engines.node}`, filename: `${name}-${version}.tgz`, content }
}
