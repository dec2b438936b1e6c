import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { atFileEnd } from './file-end.ts'

const running = new Set<ChildProcess>()
atFileEnd(() => {
  for (const child of running) child.kill('SIGKILL')
})

/** A process of its own with the worker role, on the given settings; it can be killed at any moment. */
export async function startWorker(settings: Record<string, string>): Promise<ChildProcess> {
  const script = join(import.meta.dirname, 'worker-main.ts')
  const child = spawn(process.execPath, [script], {
    // a busy machine must not look like a database that is gone
    env: { DATABASE_WAIT_SECONDS: '30', ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  await once(child.stdout!, 'data')
  return child
}

export async function killWorker(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
