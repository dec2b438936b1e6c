import { createInterface } from 'node:readline'
import type { CommandInput, CommandOutput } from './command.ts'
import { readAccess } from './connect.ts'
import { McpProxy } from './mcp-proxy.ts'
import { stopSignal } from './stop-signal.ts'
import { listed } from './text.ts'

/**
 * Serves the tools of a service on standard input and output, one message a line, until the input ends. The service has
 * the tools; this passes messages on, so that they are always those of its version.
 */
export async function mcp(input: CommandInput): Promise<CommandOutput> {
  const { apiKey, baseUrl } = readAccess(input)
  const url = new URL('/mcp', baseUrl)
  const groups = listed(input.option('groups'))
  if (groups) url.searchParams.set('groups', groups.join(','))
  if (input.flag('read-only')) url.searchParams.set('read_only', 'true')
  const proxy = new McpProxy(url, apiKey, message => process.stdout.write(`${JSON.stringify(message)}\n`))
  const stop = stopSignal()
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  stop.signal.addEventListener('abort', () => lines.close(), { once: true })
  const waiting = new Set<Promise<void>>()
  for await (const line of lines) {
    if (line.trim() === '') continue
    const passed = proxy.pass(line).finally(() => waiting.delete(passed))
    waiting.add(passed)
  }
  await Promise.all(waiting)
  stop.release()
  return { json: undefined, text: '' }
}
