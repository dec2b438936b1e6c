import { readConfig } from '../../src/kernel/config/config.ts'
import { startService } from '../../src/main.ts'
import { testNames } from '../harness/receiver.ts'
import { sandboxOfRun } from '../harness/sandbox.ts'

/** What `startNode` runs: the service with the roles of its settings, and with the tests' names. */
const { port, metricsPort, stop } = await startService(readConfig(process.env), {
  resolveName: testNames(),
  chooseSandbox: sandboxOfRun,
})
process.once('SIGTERM', () => void stop().then(() => process.exit()))
process.stdout.write(`${JSON.stringify({ port, metricsPort })}\n`)
