import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

const running = new Set<ChildProcess>()
after(() => {
  for (const child of running) child.kill('SIGKILL')
})

/** The program of reader.ts. */
export function startReader(env: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'reader.ts')], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let errors = ''
  child.stderr.on('data', chunk => (errors += chunk))
  const ended = new Promise<number | null>(resolve => child.on('close', resolve)).finally(() => running.delete(child))
  /** resolves when it has handled this many batches, or has ended */
  const batches = (count: number) =>
    new Promise<void>(resolve => {
      let lines = 0
      child.stdout.on('data', chunk => {
        lines += String(chunk).split('\n').length - 1
        if (lines >= count) resolve()
      })
      child.on('close', () => resolve())
    })
  return { child, ended, batches, errors: () => errors }
}
