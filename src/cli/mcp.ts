import { UserError } from '../kernel/errors/user-error.ts'
import type { Verb } from './verb.ts'

export const mcpVerb: Verb = {
  name: 'mcp',
  description:
    'Serves the tools of the Model Context Protocol on standard input and output, for a service that HIRING_BASE_URL and HIRING_API_KEY name.',
  options: {
    url: {
      value: 'ORIGIN',
      description: 'the service, such as https://hiring.example.com; instead of HIRING_BASE_URL',
    },
    groups: { value: 'LIST', description: 'only these groups of tools, separated with commas: jobs,applications' },
    'read-only': { description: 'only tools that change nothing' },
  },
  run: async input => {
    const { HIRING_BASE_URL: origin, HIRING_API_KEY: key } = input.config({
      HIRING_BASE_URL: input.option('url'),
    })
    if (origin === undefined) throw new UserError('name the service with HIRING_BASE_URL or --url')
    if (key === undefined) throw new UserError('HIRING_API_KEY is not set: create a key in the console, under API keys')
    // loaded here, because no other command needs the SDK and all routes
    const [{ serveStdio }, { routes }] = await Promise.all([import('../mcp/stdio.ts'), import('../app.ts')])
    const selection = { groups: input.option('groups')?.split(','), readOnly: input.flag('read-only') }
    await serveStdio(routes, { origin, key }, selection)
    return { json: {}, text: '' }
  },
}
