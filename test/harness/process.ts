import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { atFileEnd } from './file-end.ts'
import { refusePersonal } from './personal-data.ts'

const ROOT = join(import.meta.dirname, '../..')
const CHECK_RESPONSES = join(import.meta.dirname, 'check-own-responses.ts')

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

/**
 * The command as a user runs it, in a process of its own. Nothing of the tests' environment but what is given, and no `.env`
 * but that of `folder`.
 */
export const hiring = (args: readonly string[], env: Record<string, string> = {}, folder?: string): Promise<Finished> =>
  finished(spawnProgram([join(ROOT, 'bin/hiring.js'), ...args], env, folder === undefined ? {} : { cwd: folder }))

/** The same, to do something with the process while it runs; `program` is the command of another checkout. */
export function startHiring(
  args: readonly string[],
  env: Record<string, string>,
  program = join(ROOT, 'bin/hiring.js'),
): { child: ChildProcess; ended: Promise<Finished> } {
  const child = spawnProgram([program, ...args], env)
  return { child, ended: finished(child) }
}

/** A program of the repository, by its path there, in a process of its own. */
export const runProgram = (
  path: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Finished> => finished(spawnProgram([join(ROOT, path), ...args], env))

/** What the command prints for each of several calls, one after the other in one process: a start takes longer than they do. */
export async function hiringInTurn(calls: readonly (readonly string[])[]): Promise<string[]> {
  const script = `
    import { main } from ${JSON.stringify(pathToFileURL(join(ROOT, 'src/cli/main.ts')))}
    for (const args of ${JSON.stringify(calls)}) {
      await main(args)
      if (process.exitCode) break
      process.stdout.write('\\0')
    }`
  const { code, stdout, stderr } = await finished(spawnProgram(['--input-type=module', '--eval', script], {}))
  if (code !== 0) throw new Error(stderr)
  return stdout.split('\0').slice(0, -1)
}

function spawnProgram(
  args: readonly string[],
  env: Record<string, string>,
  options: { uid?: number; gid?: number; cwd?: string } = {},
): ChildProcess {
  const child = spawn(process.execPath, [...args], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], HOME: tmpdir(), LOG_LEVEL: 'error', PROCESSES: '1', ...FOR_SPEED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  })
  running.add(child)
  child.on('exit', () => running.delete(child))
  return child
}

/** Variables of the run that change how fast a process starts, and nothing else. */
export const FOR_SPEED: Record<string, string> = Object.fromEntries(
  ['NODE_COMPILE_CACHE', 'HIRING_TEST_SANDBOX'].flatMap(name =>
    process.env[name] ? [[name, process.env[name]!]] : [],
  ),
)

const running = new Set<ChildProcess>()
const folders: string[] = []

atFileEnd(() => {
  for (const child of running) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hiring-op-'))
  folders.push(folder)
  return folder
}

function finished(child: ChildProcess): Promise<Finished> {
  let stdout = ''
  let stderr = ''
  child.stdout!.on('data', chunk => (stdout += chunk))
  child.stderr!.on('data', chunk => (stderr += chunk))
  return new Promise(resolve => child.on('close', code => resolve({ code, stdout, stderr })))
}

export interface Started {
  pid: number
  baseUrl: string
  /** The demo's careers site. */
  careersUrl: string | null
  key: string | null
  signIn: { url: string; email: string; password: string } | null
  /** process ids by name, of a service in several processes */
  processes: Record<string, number> | null
  child: ChildProcess
  /** resolves when the process has ended */
  ended: Promise<Finished>
}

/** Starts a service in a process of its own and waits until it says that it is ready. */
export async function startProcess(
  env: Record<string, string>,
  opts: {
    program?: string
    args?: readonly string[]
    identity?: { uid: number; gid: number }
    /** another version of the program, whose responses have another description */
    described?: false
  } = {},
): Promise<Started> {
  const program = opts.program ?? join(ROOT, 'bin/hiring.js')
  const args = opts.args ?? ['start', '--json']
  const checks = opts.described === false ? [] : ['--import', CHECK_RESPONSES]
  const child = spawnProgram([...checks, program, ...args], { PORT: '0', ...env }, opts.identity)
  const ended = finished(child).then(result => {
    refusePersonal('the log of a process', result.stderr)
    if (result.stderr.includes('differs from its description')) throw new Error(result.stderr)
    return result
  })
  const line = await new Promise<string>((resolve, reject) => {
    let seen = ''
    child.stdout!.on('data', chunk => {
      seen += chunk
      if (seen.includes('\n')) resolve(seen.slice(0, seen.indexOf('\n')))
    })
    ended.then(({ code, stderr }) => reject(new Error(`ended with ${code} before it was ready: ${stderr}`)))
  })
  const facts = JSON.parse(line) as {
    base_url: string
    careers_url: string | null
    key: string | null
    pid: number
    sign_in?: Started['signIn']
    processes?: Started['processes']
  }
  const { pid, base_url: baseUrl, careers_url: careersUrl, key, sign_in } = facts
  return { pid, baseUrl, careersUrl, key, signIn: sign_in ?? null, processes: facts.processes ?? null, child, ended }
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
