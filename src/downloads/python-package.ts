import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../kernel/crypto/signing.ts'
import { present } from '../kernel/errors/present.ts'
import type { ArchiveFile } from './archive.ts'

export const PYTHON_FOLDER = 'packages/sdk-python'
const MODULES = 'src/hiring_partner'
/** The name of the distribution in names of files. */
export const DISTRIBUTION = 'hiring_partner_sdk'
/** The form of the metadata, the same that the build backend of the sdist writes. */
const METADATA_VERSION = '2.4'

/** What pyproject.toml says about the package. */
export interface PythonProject {
  name: string
  requiresPython: string
  metadata: string
}

export function readProject(root: string, version: string): PythonProject {
  const project = readFileSync(join(root, PYTHON_FOLDER, 'pyproject.toml'), 'utf8')
  const value = (name: string): string => present(new RegExp(`^${name} = "(.*)"$`, 'm').exec(project)?.[1], name)
  const list = (name: string): string[] => {
    const [, inner = ''] = present(new RegExp(`^${name} = \\[([^\\]]*)\\]$`, 'm').exec(project), name)
    return [...inner.matchAll(/"([^"]*)"/g)].map(([, one = '']) => one)
  }
  const fields = [
    ['Metadata-Version', METADATA_VERSION],
    ['Name', value('name')],
    ['Version', version],
    ['Summary', value('description')],
    ['License-Expression', value('license')],
    ...list('license-files').map(file => ['License-File', file]),
    ...list('classifiers').map(classifier => ['Classifier', classifier]),
    ['Requires-Python', value('requires-python')],
    // as in the metadata of other backends, specifiers have an order of their own
    ...list('dependencies').map(dependency => ['Requires-Dist', dependency]),
    ['Description-Content-Type', 'text/markdown'],
  ]
  const readme = readFileSync(join(root, PYTHON_FOLDER, 'README.md'), 'utf8')
  const metadata = `${fields.map(([name, text]) => `${name}: ${text}`).join('\n')}\n\n${readme}`
  return { name: value('name'), requiresPython: value('requires-python'), metadata }
}

/** The modules, with the version of the build. */
const readModules = (root: string, version: string): ArchiveFile[] =>
  readdirSync(join(root, PYTHON_FOLDER, MODULES))
    .filter(file => /\.(?:py|typed)$/.test(file))
    .map(file => {
      const bytes = readFileSync(join(root, PYTHON_FOLDER, MODULES, file))
      return { path: file, bytes: file === '_version.py' ? withVersion(bytes, version) : bytes }
    })

const withVersion = (source: Buffer, version: string): Buffer =>
  Buffer.from(source.toString().replace(/^VERSION = "[^"]*"$/m, `VERSION = "${version}"`))

/** PEP 427: the modules, and a folder that describes them. */
export function wheelFiles(root: string, version: string): ArchiveFile[] {
  const info = `${DISTRIBUTION}-${version}.dist-info`
  const files = [
    ...readModules(root, version).map(file => ({ ...file, path: `hiring_partner/${file.path}` })),
    { path: `${info}/METADATA`, bytes: Buffer.from(readProject(root, version).metadata) },
    { path: `${info}/WHEEL`, bytes: Buffer.from(WHEEL) },
    { path: `${info}/licenses/LICENSE`, bytes: readFileSync(join(root, 'LICENSE')) },
  ]
  const records = files.map(
    ({ path, bytes }) => `${path},sha256=${sha256(bytes).toString('base64url')},${bytes.length}`,
  )
  return [...files, { path: `${info}/RECORD`, bytes: Buffer.from(`${[...records, `${info}/RECORD,,`].join('\n')}\n`) }]
}

const WHEEL = `Wheel-Version: 1.0
Generator: hiring-partner-api
Root-Is-Purelib: true
Tag: py3-none-any
`

/** The sources with what builds them, as the build backend lays them out. */
export function sdistFiles(root: string, version: string): ArchiveFile[] {
  const top = `${DISTRIBUTION}-${version}`
  const copied = ['pyproject.toml', 'README.md'].map(path => ({
    path,
    bytes: readFileSync(join(root, PYTHON_FOLDER, path)),
  }))
  return [
    ...copied,
    { path: 'LICENSE', bytes: readFileSync(join(root, 'LICENSE')) },
    { path: 'PKG-INFO', bytes: Buffer.from(readProject(root, version).metadata) },
    ...readModules(root, version).map(file => ({ ...file, path: `${MODULES}/${file.path}` })),
  ].map(file => ({ ...file, path: `${top}/${file.path}` }))
}
