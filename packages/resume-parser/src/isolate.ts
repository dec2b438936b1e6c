import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Profile } from './profile.ts'
import type { Contact } from './read-contact.ts'
import { LOOSEST, type Sandbox, sandboxes } from './sandbox.ts'
import { UNREADABLE_REASONS, Unreadable, type UnreadableReason } from './unreadable.ts'

/** What is stored of a résumé. */
export interface ParsedResume {
  text: string
  profile: Profile
}

export interface ReadResume extends ParsedResume {
  /** to fill in the form of the person who sent the file; never stored */
  contact: Contact
}

interface UnreadResume {
  unreadable: string
  reason: string
}

export interface IsolationLimits {
  /** Limits the computing time, so a busy machine does not make a file slow. */
  seconds: number
  /** After this real time, reading is given up and may be retried; it is shorter than the lease of a résumé. */
  waitSeconds: number
  heapMegabytes: number
  /** Limits the whole process; it is checked every 10 ms, so that the peak stays well under 512 MB. */
  rssMegabytes: number
}

/** How one file is read: its limits, and the sandbox if the caller has chosen one. */
export interface ReadOptions extends IsolationLimits {
  sandbox: Sandbox
}

export const SANDBOX_LIMITS: IsolationLimits = {
  seconds: 20,
  waitSeconds: 75,
  heapMegabytes: 192,
  rssMegabytes: 384,
}
const MAX_OUTPUT = 4 * 1024 * 1024

const here = import.meta.dirname
/** It is TypeScript in a checkout and JavaScript in a package. */
const ENTRY = join(here, `child${extname(import.meta.filename)}`)

/** Its own code and the PDF reader's. */
const code = (): string[] => [
  here,
  realpathSync(here),
  dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json'))),
]

/** What the child may read: its code, and installed packages where Node looks for the PDF reader. */
const readable = (): string[] => {
  const paths = code()
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

const TRIAL = Buffer.from('Trial of the résumé reader\nSkills\nReading, writing, arithmetic\n')
const detected = new Map<string, Promise<Sandbox>>()

/** From the tightest to the loosest. Node and the reader's code stay visible inside each of them. */
export const candidatesFor = (folders: readonly string[]): Sandbox[] =>
  sandboxes(folders, [...code(), realpathSync(process.execPath)])

/** A sandbox that is known to work on this system, without a trial. */
export const sandboxNamed = (name: string, folders: readonly string[]): Sandbox | undefined =>
  candidatesFor(folders).find(sandbox => sandbox.name === name)

/**
 * The tightest sandbox that this system allows, found once for each process by reading a small file in it. `folders` are
 * hidden from the reader where it has a mount namespace.
 */
export function detectSandbox(folders: readonly string[] = []): Promise<Sandbox> {
  const key = folders.join('\0')
  const known = detected.get(key)
  if (known) return known
  const search = (async () => {
    for (const sandbox of candidatesFor(folders).slice(0, -1)) {
      const works = await readIn(sandbox, TRIAL, 'text/plain', '2026-01', SANDBOX_LIMITS).then(
        () => true,
        () => false,
      )
      if (works) return sandbox
    }
    return LOOSEST
  })()
  detected.set(key, search)
  return search
}

/**
 * Reads a résumé in a process of its own. Fails with Unreadable when the file is at fault, which includes taking too
 * long and growing too large; with anything else when the reading itself could not be done and may be tried again.
 */
export async function readResumeFile(
  file: Buffer,
  mime: string,
  today: string,
  { sandbox, ...limits }: Partial<ReadOptions> = {},
  signal?: AbortSignal,
): Promise<ReadResume> {
  return readIn(sandbox ?? (await detectSandbox()), file, mime, today, { ...SANDBOX_LIMITS, ...limits }, signal)
}

function readIn(
  sandbox: Sandbox,
  file: Buffer,
  mime: string,
  today: string,
  { seconds, waitSeconds, heapMegabytes, rssMegabytes }: IsolationLimits,
  signal?: AbortSignal,
): Promise<ReadResume> {
  return new Promise((resolve, reject) => {
    const limits = [String(rssMegabytes * 1024 ** 2), String(seconds * 1_000_000)]
    const options = [...isolation(heapMegabytes), ENTRY, mime, today, ...limits]
    const [program, ...args] = sandbox.wrap([process.execPath, ...options])
    const child = spawn(program, args, { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] })
    const chunks: Buffer[] = []
    let bytes = 0
    let fault: Error | undefined
    const kill = (why: Error) => {
      fault ??= why
      child.kill('SIGKILL')
    }
    const timer = setTimeout(() => kill(new Error('the résumé parser did not finish in time')), waitSeconds * 1000)
    const onAbort = () => kill(new Error('stopping'))
    signal?.addEventListener('abort', onAbort)
    // the API's processes come first
    if (child.pid !== undefined) lowerPriority(child.pid)
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_OUTPUT) kill(new Unreadable('the text of the document is too large', 'too_large'))
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
      if (killedBy === 'SIGALRM') return reject(new Unreadable('parsing took too long', 'timeout'))
      if (killedBy !== null) return reject(new Unreadable('parsing needed too much memory', 'too_large'))
      if (code !== 0) return reject(new Error(`the résumé parser exited with code ${code}`))
      const result = resultIn(chunks)
      if (!result) reject(new Error('the résumé parser returned no result'))
      else if ('unreadable' in result) reject(new Unreadable(result.unreadable, reasonIn(result)))
      else resolve(result)
    })
  })
}

/** What the reader wrote; its text is the candidate's, so that no message repeats any of it. */
function resultIn(chunks: readonly Buffer[]): ReadResume | UnreadResume | undefined {
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return undefined
  }
}

/** The reader has run a stranger's file: a reason that is not in the list is not believed. */
const reasonIn = ({ reason }: UnreadResume): UnreadableReason =>
  UNREADABLE_REASONS.find(known => known === reason) ?? 'unreadable'

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, 10)
  } catch {
    // the child may have ended already
  }
}
