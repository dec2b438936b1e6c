// The lock that lets several processes share the directory of the embedded PostgreSQL, and what the system says about
// processes.

import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** The children get nothing of our environment: it holds secrets, and PG* variables would change what they do. */
export const childEnvironment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

/** A start may be long when much of the log is replayed after a crash; processes that wait for the starter wait longer. */
export const startTimeoutMs = 300_000
const lockTimeoutMs = startTimeoutMs + 60_000

export const hasProc = fs.existsSync('/proc/self/stat')
const bootId = readIfThere('/proc/sys/kernel/random/boot_id')?.trim()

/** When a process began, as text to compare; undefined if it is not alive. Number and begin together are unique. */
function processBegin(pid: number): string | undefined {
  try {
    if (!hasProc) return ps(pid, 'lstart=').replaceAll(' ', '_') || undefined
    // The name, in parentheses, may hold anything; state is the first field behind it, and the twentieth the
    // start time, counted from the boot.
    const fields = fs
      .readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${bootId}:${fields[19]}`
  } catch {
    return undefined
  }
}

export function ps(pid: number, column: string): string {
  return execFileSync('ps', ['-ww', '-o', column, '-p', String(pid)], {
    encoding: 'utf8',
    env: childEnvironment,
  }).trim()
}

/**
 * Runs `work` while this caller, alone among all processes on the directory, holds the lock file. Its content names the
 * holder, and it is made by link(), so that it never exists without content.
 */
export async function withLock<T>(path: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + lockTimeoutMs
  for (let waitMs = 5; !takeLock(path); waitMs = Math.min(waitMs * 2, 40)) {
    if (performance.now() > deadline) throw new Error(`Another process is busy with the database: see ${path}.`)
    await sleep(waitMs, undefined, { signal })
  }
  try {
    return await work()
  } finally {
    fs.rmSync(path, { force: true })
  }
}

function takeLock(path: string): boolean {
  const id = randomBytes(6).toString('hex')
  const draft = `${path}-${id}`
  fs.writeFileSync(draft, `${process.pid} ${processBegin(process.pid)} ${id}`)
  // The owner of the directory must be able to read a lock that root took.
  fs.chmodSync(draft, 0o644)
  try {
    fs.linkSync(draft, path)
    return true
  } catch (error) {
    if (code(error) !== 'EEXIST') throw error
  } finally {
    fs.rmSync(draft)
  }
  const holder = readIfThere(path)
  const [pid, begin, holderId] = holder?.split(' ') ?? []
  if (holder === undefined || (begin && processBegin(Number(pid)) === begin)) return false
  // The holder died (with the machine, if the file is empty). Among those who see that, one may remove its file: who
  // holds the lock on removing exactly this file. A slow second one finds another content afterwards and leaves it.
  const removal = `${path}-${holderId}-stale`
  if (!takeLock(removal)) return false
  if (readIfThere(path) === holder) fs.rmSync(path)
  fs.rmSync(removal)
  return false
}

export function readIfThere(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'utf8')
  } catch (error) {
    if (code(error) === 'ENOENT') return undefined
    throw error
  }
}

export function code(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? '')
}
