import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { atFileEnd, atProcessEnd } from '../harness/file-end.ts'
import { until } from '../harness/receiver.ts'

const BIN = join(import.meta.dirname, '../../packages/cli/src/bin.ts')

/** The settings folder of the machine, for all files of this process. */
export const configFolder = mkdtempSync(join(tmpdir(), 'hiring-cli-'))
// for commands that run in this process too, which must not use the settings of the machine
process.env['HIRING_CONFIG_DIR'] = configFolder
for (const name of ['HIRING_API_KEY', 'HIRING_BASE_URL', 'HIRING_WEBHOOK_SECRET']) delete process.env[name]
atProcessEnd(() => rmSync(configFolder, { recursive: true, force: true }))

export interface RunningCommand {
  pid: number
  stdout: () => string
  stderr: () => string
  /** waits for a text in the output */
  shows(text: string | RegExp): Promise<void>
  /** Ctrl-C; resolves to the exit code */
  interrupt(): Promise<number | null>
  /** resolves to the exit code */
  ended: Promise<number | null>
}

const running = new Set<ChildProcess>()
atFileEnd(() => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts `hiring-partner` as a process of its own. */
export function startCommand(
  args: readonly string[],
  env: Record<string, string> = {},
  program: readonly string[] = [process.execPath, BIN],
): RunningCommand {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(program[0]!, [...program.slice(1), ...args], {
    env: { PATH, HOME, HIRING_CONFIG_DIR: configFolder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', text => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text
  })
  const ended = new Promise<number | null>(resolve =>
    child.on('close', code => {
      running.delete(child)
      resolve(code)
    }),
  )
  const includes = (text: string | RegExp) => {
    const all = stdout + stderr
    return typeof text === 'string' ? all.includes(text) : text.test(all)
  }
  return {
    pid: child.pid!,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    shows: text =>
      until(`the command shows ${text}`, () => {
        if (!includes(text) && child.exitCode !== null) throw new Error(`it ended: ${stdout}${stderr}`)
        return includes(text)
      }),
    interrupt: () => {
      child.kill('SIGINT')
      return ended
    },
  }
}

/** Runs a command to its end. */
export async function runCommand(args: readonly string[], env: Record<string, string> = {}) {
  const command = startCommand(args, env)
  return { code: await command.ended, stdout: command.stdout(), stderr: command.stderr() }
}

export interface LocalReceiver {
  url: string
  received: { headers: IncomingMessage['headers']; rawHeaders: string[]; body: string; path: string }[]
  respond: (response: ServerResponse, body: string) => void
  close(): Promise<void>
}

/** A receiver without TLS, as a developer runs one. */
export async function startLocalReceiver(port = 0): Promise<LocalReceiver> {
  const receiver: LocalReceiver = {
    url: '',
    received: [],
    respond: response => void response.end('ok'),
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      const { headers, rawHeaders, url: path = '' } = request
      receiver.received.push({ headers, rawHeaders, body, path })
      receiver.respond(response, body)
    })
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  receiver.url = `http://localhost:${(server.address() as AddressInfo).port}/webhooks`
  after(() => receiver.close().catch(() => {}))
  return receiver
}
