import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ArchiveFile } from './archive.ts'

const TARGET = 'es2022'
/** A package of npm, as `npm pack` would lay it out. */
export interface TypescriptPackage {
  folder: string
  /** folders of its sources, and where their modules are in `dist` */
  sources: Readonly<Record<string, string>>
  declarations: boolean
}

export const SDK: TypescriptPackage = {
  folder: 'packages/sdk',
  sources: { 'packages/sdk/src': '' },
  declarations: true,
}

/** The commands come with their own copy of the SDK: the package has no dependencies. */
export const CLI: TypescriptPackage = {
  folder: 'packages/cli',
  sources: { 'packages/cli/src': 'cli/src/', 'packages/sdk/src': 'sdk/src/' },
  declarations: false,
}

export async function packFiles(root: string, pack: TypescriptPackage, version: string): Promise<ArchiveFile[]> {
  const manifest = readPackageManifest(root, pack, version)
  const programs = new Set(Object.values(manifest.bin ?? {}))
  const modules = await Promise.all(
    Object.entries(pack.sources).flatMap(([folder, target]) =>
      readdirSync(join(root, folder))
        .filter(file => file.endsWith('.ts'))
        .map(file => compile(join(root, folder, file), `dist/${target}`, pack.declarations, version)),
    ),
  )
  const own = [
    { path: 'package.json', bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
    { path: 'README.md', bytes: readFileSync(join(root, pack.folder, 'README.md')) },
    { path: 'LICENSE', bytes: readFileSync(join(root, 'LICENSE')) },
  ]
  return [...own, ...modules.flat()].map(file => ({
    ...file,
    path: `package/${file.path}`,
    executable: programs.has(file.path),
  }))
}

interface Manifest {
  name: string
  version: string
  engines: { node: string }
  bin?: Readonly<Record<string, string>>
}

export function readPackageManifest(root: string, { folder }: TypescriptPackage, version: string): Manifest {
  return { ...(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest), version }
}

/** The module and its declarations, without the compiler: the sources name the types of everything they export. */
async function compile(file: string, target: string, declarations: boolean, version: string): Promise<ArchiveFile[]> {
  const { isolatedDeclaration, transform } = await import('rolldown/experimental')
  const name = basename(file, '.ts')
  const source = withVersion(readFileSync(file, 'utf8'), version)
  const options = {
    target: TARGET,
    typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: 'rewrite' },
  } as const
  const module = requireCode(file, await transform(file, source, options))
  const made = [{ path: `${target}${name}.js`, bytes: Buffer.from(module) }]
  if (!declarations) return made
  const declared = requireCode(file, await isolatedDeclaration(file, source, {}))
  // TypeScript looks for the declarations of a module next to it, by the name of the module
  const types = declared.replaceAll(/(from "\.{1,2}\/[^"\n]*)\.ts"/g, '$1.js"')
  return [...made, { path: `${target}${name}.d.ts`, bytes: Buffer.from(types) }]
}

function requireCode(file: string, { code, errors }: { code: string; errors: { message: string }[] }): string {
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join(' ')}`)
  return code
}

/** The constant of `version.ts`; programs send it as their user agent. */
const withVersion = (source: string, version: string): string =>
  source.replace(/^(export const VERSION = )'[^']*'$/m, `$1'${version}'`)
