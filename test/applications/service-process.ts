import { readConfig } from '../../src/kernel/config.ts'
import { startService } from '../../src/main.ts'

/** A service in a process of its own, for tests of races between processes. Ends with its parent. */
const { SETTINGS = '{}' } = process.env
const running = await startService(readConfig(JSON.parse(SETTINGS)))
process.send?.({ port: running.port })
process.on('disconnect', () => running.stop())
