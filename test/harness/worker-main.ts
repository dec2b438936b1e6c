import { readConfig } from '../../src/kernel/config/config.ts'
import { startService } from '../../src/main.ts'
import { testNames } from './receiver.ts'
import { sandboxOfRun } from './sandbox.ts'

/** What `startWorker` runs: the worker role alone, with the tests' names. */
await startService(readConfig({ LOG_LEVEL: 'error', PORT: '0', ...process.env, ROLES: 'worker' }), {
  resolveName: testNames(),
  chooseSandbox: sandboxOfRun,
})
process.stdout.write('ready\n')
