import type { Command, CommandOption } from './command.ts'

const CONNECTION = {
  key: { value: 'KEY', description: 'API key; default: HIRING_API_KEY' },
  'base-url': {
    value: 'URL',
    description: 'where the service runs; default: HIRING_BASE_URL or http://127.0.0.1:8080',
  },
  workspace: { value: 'H', description: 'workspace, for a key with access to several' },
} satisfies Record<string, CommandOption>
const EVENTS: CommandOption = {
  value: 'T,T',
  description: 'only these event types; default: all that the key can read',
}
const SECRET: CommandOption = {
  value: 'S',
  description: 'signing secret; default: HIRING_WEBHOOK_SECRET, or one that stays the same for the key on this machine',
}
const SKIP_VERIFY: CommandOption = { description: 'accept any certificate of an https receiver' }

/** The implementations are loaded when a command runs. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'listen',
    description: 'Forwards events to a URL of your machine as they happen, signed like webhooks. Needs no endpoint.',
    options: {
      'forward-to': {
        value: 'URL',
        description: 'your receiver, such as http://localhost:3000/webhooks',
        required: true,
      },
      events: EVENTS,
      'replay-from': {
        value: 'WHERE',
        description:
          'first forward earlier events: after a sequence, from a time, from 10m, 2h or 1d ago, or from start',
      },
      'print-json': {
        description: 'also print the body of each event, one a line; other output goes to standard error',
      },
      secret: SECRET,
      'skip-verify': SKIP_VERIFY,
      ...CONNECTION,
    },
    run: async input => (await import('./listen.ts')).listen(input),
  },
  {
    name: 'events tail',
    description: 'Shows the latest events of the change feed.',
    options: {
      follow: { description: 'keep running and show events as they happen' },
      events: EVENTS,
      lines: { value: 'N', description: 'how many of the latest events to show; default 10' },
      from: { value: 'WHERE', description: 'start after a sequence, at a time, 10m, 2h or 1d ago, or at start' },
      ...CONNECTION,
    },
    run: async input => (await import('./tail.ts')).tail(input),
  },
  {
    name: 'resend',
    description: 'Sends events again: to your receiver, or from the service to the endpoints that received them.',
    args: ['EVENT_ID'],
    repeatLast: true,
    options: {
      'forward-to': { value: 'URL', description: 'your receiver; without it, the service delivers the events again' },
      endpoint: { value: 'ID', description: 'without --forward-to: only to this webhook endpoint' },
      secret: SECRET,
      'skip-verify': SKIP_VERIFY,
      ...CONNECTION,
    },
    run: async input => (await import('./resend.ts')).resend(input),
  },
  {
    name: 'mcp',
    description:
      'Serves the tools of the service for AI assistants (Model Context Protocol) on standard input and output.',
    options: {
      groups: { value: 'G,G', description: 'only these groups of tools, such as jobs,applications' },
      'read-only': { description: 'only tools that change nothing' },
      key: CONNECTION.key,
      'base-url': CONNECTION['base-url'],
    },
    run: async input => (await import('./mcp.ts')).mcp(input),
  },
]
