import { routes } from '../../src/app.ts'
import { describeRoutes } from './description.ts'
import { checkEveryPort } from './responses.ts'

/** Loaded into a service that runs in a process of its own: its responses are compared as well. */
checkEveryPort(describeRoutes(routes), difference => {
  process.stderr.write(`a response differs from its description: ${difference}\n`)
  process.exitCode = 1
})
