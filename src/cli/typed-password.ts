import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { UserError } from '../kernel/errors/user-error.ts'

/** Typed twice and unseen at a terminal; the first line of what is piped in otherwise. */
export async function typedPassword(): Promise<string> {
  if (!process.stdin.isTTY) return firstLine()
  const password = await ask('Password: ')
  if (password !== (await ask('Repeat: '))) throw new UserError('the two passwords differ')
  return password
}

/** A secret that was made elsewhere, so it is pasted once. */
export const typedSecret = (prompt: string): Promise<string> =>
  process.stdin.isTTY ? ask(prompt) : firstLine('no secret on standard input')

async function firstLine(missing = 'no password on standard input'): Promise<string> {
  const lines = createInterface({ input: process.stdin })
  for await (const line of lines) {
    lines.close()
    return line
  }
  throw new UserError(missing)
}

async function ask(prompt: string): Promise<string> {
  process.stderr.write(prompt)
  // the line editor echoes to its output: nowhere
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
