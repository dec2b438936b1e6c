import { join } from 'node:path'
import { builtDownloads } from '../src/downloads/build.ts'
import { builtPrograms } from '../src/pages/build-programs.ts'
import { compileService } from './compile-service.ts'

const FOLDER = join(import.meta.dirname, '../web/dist')

/**
 * Builds the console, the hiring pages and the downloads. npm runs it after the installation, so that the first start and
 * the first reader do not wait.
 */
for (const build of [builtPrograms, builtDownloads]) {
  const { directory, milliseconds } = await build(FOLDER)
  if (milliseconds > 0) console.log(`built ${directory} in ${(milliseconds / 1000).toFixed(1)} s`)
}
await compileService()
