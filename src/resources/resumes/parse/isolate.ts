import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Profile } from './profile.ts'
import { Unreadable } from './unreadable.ts'

export interface ReadResume {
  text: string
  profile: Profile
}

export interface IsolationLimits {
  seconds: number
  heapMegabytes: number
  /** of the whole process; checked every 10 ms, so that the peak stays well under 512 MB */
  rssMegabytes: number
}

export const LIMITS: IsolationLimits = { seconds: 20, heapMegabytes: 192, rssMegabytes: 384 }
const MAX_OUTPUT = 4 * 1024 * 1024

const here = dirname(fileURLToPath(import.meta.url))
const ENTRY = join(here, 'child.ts')

/** What the child may read: its own code and installed packages, where Node looks for the PDF reader. */
const readable = (): string[] => {
  const paths = [here, realpathSync(here), dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')))]
  for (let folder = here; folder !== dirname(folder); folder = dirname(folder))
    paths.push(join(folder, 'node_modules'), join(folder, 'package.json'))
  return [...new Set(paths)].map(path => `--allow-fs-read=${path}`)
}

/** No files beyond those, no writing, no programs. With an empty environment there is no secret to be found either. */
export const isolation = (heapMegabytes: number): string[] => [
  `--max-old-space-size=${heapMegabytes}`,
  '--permission',
  ...readable(),
  '--allow-worker',
  '--no-warnings',
]

/**
 * Reads a résumé in a process of its own. Fails with Unreadable when the file is at fault, which includes taking too
 * long and growing too large; with anything else when the reading itself could not be done and may be tried again.
 */
export function readResumeFile(
  file: Buffer,
  mime: string,
  today: string,
  limits: Partial<IsolationLimits> = {},
  signal?: AbortSignal,
): Promise<ReadResume> {
  const { seconds, heapMegabytes, rssMegabytes } = { ...LIMITS, ...limits }
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [...isolation(heapMegabytes), ENTRY, mime, today, String(rssMegabytes * 1024 * 1024)],
      { env: {}, stdio: ['pipe', 'pipe', 'ignore'] },
    )
    const chunks: Buffer[] = []
    let bytes = 0
    let fault: Error | undefined
    const kill = (why: Error) => {
      fault ??= why
      child.kill('SIGKILL')
    }
    const timer = setTimeout(() => kill(new Unreadable('reading took too long')), seconds * 1000)
    const onAbort = () => kill(new Error('stopping'))
    signal?.addEventListener('abort', onAbort)
    // the API's processes come first
    if (child.pid !== undefined) lowerPriority(child.pid)
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_OUTPUT) kill(new Unreadable('the document is too large inside'))
      else chunks.push(chunk)
    })
    child.on('error', error => {
      fault ??= error
    })
    // a child that ended early does not take the rest of the file; its end says why
    child.stdin.on('error', () => {})
    child.stdin.end(file)
    child.on('close', (code, killedBy) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      if (fault) return reject(fault)
      if (killedBy !== null) return reject(new Unreadable('reading needed too much memory'))
      if (code !== 0) return reject(new Error(`the résumé reader ended with code ${code}`))
      const answer = answerIn(chunks)
      if (!answer) reject(new Error('the résumé reader gave no answer'))
      else if ('unreadable' in answer) reject(new Unreadable(answer.unreadable))
      else resolve(answer)
    })
  })
}

/** What the reader wrote; its text is the candidate's, so that no message repeats any of it. */
function answerIn(chunks: readonly Buffer[]): ReadResume | { unreadable: string } | undefined {
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return undefined
  }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, 10)
  } catch {
    // the child may have ended already
  }
}
