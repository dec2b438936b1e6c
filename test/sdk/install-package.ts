import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { VERSION } from '../../packages/sdk/src/index.ts'
import { buildDownloads } from '../../src/downloads/build.ts'
import { packFiles, SDK } from '../../src/downloads/typescript-packages.ts'
import { temporaryFolder } from '../harness/process.ts'

const ROOT = join(import.meta.dirname, '../..')
export const PACKAGE = join(ROOT, SDK.folder)

/** An empty folder with the package in it, as the service offers it and `npm install` installs it. */
export async function installPackage(): Promise<string> {
  const folder = temporaryFolder()
  const downloads = temporaryFolder()
  await buildDownloads(downloads, VERSION)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const args = ['install', '--offline', '--no-audit', '--no-fund', '--silent']
  execFileSync('npm', [...args, join(downloads, `hiring-partner-sdk-${VERSION}.tgz`)], { cwd: folder, stdio: 'pipe' })
  return folder
}

/** The same without npm. */
export async function buildPackage(): Promise<string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  for (const { path, bytes } of await packFiles(ROOT, SDK, VERSION)) {
    const file = join(folder, 'node_modules/hiring-partner-sdk', path.replace(/^package\//, ''))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes)
  }
  return folder
}
