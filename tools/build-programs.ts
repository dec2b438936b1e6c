import { join } from 'node:path'
import { builtPrograms } from '../src/pages/build-programs.ts'
import { compileService } from './compile-service.ts'

/** Builds the console and the hiring pages. npm runs it after the installation, so that the first start does not wait. */
const { directory, milliseconds } = await builtPrograms(join(import.meta.dirname, '../web/dist'))
if (milliseconds > 0) console.log(`built ${directory} in ${(milliseconds / 1000).toFixed(1)} s`)
await compileService()
