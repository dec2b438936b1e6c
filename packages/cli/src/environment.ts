import { homedir } from 'node:os'
import { join } from 'node:path'

/** What the command reads from the environment; nothing else reads it. */
const read = (name: string): string | undefined => process.env[name] || undefined

export const environment = {
  apiKey: () => read('HIRING_API_KEY'),
  baseUrl: () => read('HIRING_BASE_URL'),
  webhookSecret: () => read('HIRING_WEBHOOK_SECRET'),
  /** print the stack of unexpected errors */
  debug: () => read('DEBUG') !== undefined,
  /** where the command stores the seed of its secrets */
  folder: () =>
    read('HIRING_CONFIG_DIR') ?? join(read('XDG_CONFIG_HOME') ?? join(homedir(), '.config'), 'hiring-partner'),
  /** whether text for this stream may have colours: https://no-color.org */
  colours: (stream: { isTTY?: boolean }) => stream.isTTY === true && !read('NO_COLOR') && read('TERM') !== 'dumb',
}
