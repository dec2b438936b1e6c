import { readConfig } from '../../src/kernel/config/config.ts'
import { startService } from '../../src/main.ts'
import '../harness/check-own-responses.ts'
import { sandboxOfRun } from '../harness/sandbox.ts'

/** A service in a process of its own, for tests of races between processes. Ends with its parent. */
const { SETTINGS = '{}' } = process.env
const running = await startService(readConfig(JSON.parse(SETTINGS)), { chooseSandbox: sandboxOfRun })
process.send?.({ port: running.port })
process.on('disconnect', () => running.stop())
