import { createInterface } from 'node:readline/promises'
import { UserError } from '../kernel/errors/user-error.ts'
import type { VerbInput } from './verb.ts'

export const YES = { description: 'do not ask for confirmation; required without a terminal' } as const

/** Someone at a terminal reads what will be done and types yes; a script gives --yes. */
export async function typeYes(
  input: VerbInput,
  { refusal, shown, question }: { refusal: string; shown: string; question: string },
): Promise<void> {
  if (input.flag('yes')) return
  if (!process.stdin.isTTY || !process.stderr.isTTY || input.json)
    throw new UserError(`${refusal}. There is no terminal to confirm it: use --yes`)
  process.stderr.write(`${shown}\n`)
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const reply = await asking.question(`${question} Type yes: `)
    if (reply.trim() !== 'yes') throw new UserError('nothing was changed')
  } finally {
    asking.close()
  }
}
