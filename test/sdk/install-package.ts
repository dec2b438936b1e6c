import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '../../packages/sdk/src/index.ts'
import { temporaryFolder } from '../harness/process.ts'

export const PACKAGE = join(import.meta.dirname, '../../packages/sdk')

/** An empty folder with the package in it, as `npm pack` and `npm install` make it. */
export function installPackage(): string {
  const folder = temporaryFolder()
  const npm = (...args: string[]) =>
    execFileSync('npm', [...args, '--no-audit', '--no-fund', '--silent'], { cwd: folder, stdio: 'pipe' })
  npm('pack', '--pack-destination', folder, PACKAGE)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  npm('install', '--offline', join(folder, `hiring-partner-sdk-${VERSION}.tgz`))
  return folder
}

/** The same without npm, for a second test file: two that pack at the same time would write the same files. */
export function buildPackage(): string {
  const folder = temporaryFolder()
  const target = join(folder, 'node_modules/hiring-partner-sdk')
  mkdirSync(target, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  copyFileSync(join(PACKAGE, 'package.json'), join(target, 'package.json'))
  const args = ['-p', join(PACKAGE, 'tsconfig.build.json'), '--outDir', join(target, 'dist')]
  execFileSync(join(PACKAGE, '../../node_modules/.bin/tsc'), args, { stdio: 'pipe' })
  return folder
}
