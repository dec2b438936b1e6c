import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atFileEnd } from './file-end.ts'
import type { Finished } from './process.ts'

const INSTALL_MS = 90_000
/** What Python and its tools compute again otherwise, for all runs on this machine. */
export const PYTHON_CACHE = join(tmpdir(), 'hiring-python-cache')

interface RunOptions {
  cwd?: string
  env?: Record<string, string>
  /** the process is ended then */
  timeoutMs?: number
}

export interface Python {
  /** the interpreter of a virtual environment */
  program: string
  run(args: readonly string[], opts?: RunOptions): Promise<Finished>
}

/** Settings of pip, such as certificates, are passed on; nothing else of the tests' environment is. */
const SETTINGS = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(PATH|HOME|TMPDIR|PIP_|SSL_|REQUESTS_|https?_proxy|no_proxy)/i.test(name),
  ),
) as Record<string, string>

/**
 * A virtual environment with the packages of a requirements file, made once for each content of the file and kept in the
 * folder for temporary files. Returns the reason if there is no suitable Python or the packages cannot be installed.
 */
export async function pythonWith(requirements: string): Promise<Python | string> {
  const version = spawnSync('python3', ['-c', 'import sys; print(*sys.version_info[:3])'], { encoding: 'utf8' })
  if (version.error || version.status !== 0) return 'python3 is not installed'
  const [major = 0, minor = 0] = version.stdout.split(' ').map(Number)
  if (major < 3 || (major === 3 && minor < 10)) return `python3 is ${version.stdout.trim()}, and 3.10 is needed`
  const hash = createHash('sha256').update(version.stdout).update(readFileSync(requirements)).digest('hex')
  const folder = join(tmpdir(), `hiring-python-${hash.slice(0, 16)}`)
  if (!existsSync(folder)) {
    // made under another name, so that an interrupted installation is never used
    const unfinished = `${folder}.${process.pid}`
    const made =
      (await command('python3', ['-m', 'venv', unfinished])).code === 0
        ? await command(join(unfinished, 'bin/python'), ['-m', 'pip', 'install', '-q', '-r', requirements], {
            timeoutMs: INSTALL_MS,
          })
        : { code: 1, stderr: 'python3 -m venv does not work', stdout: '' }
    if (made.code === 0 && !existsSync(folder)) renameSync(unfinished, folder)
    else rmSync(unfinished, { recursive: true, force: true })
    if (made.code !== 0) return `the packages cannot be installed: ${made.stderr.trim().split('\n').at(-1)}`
  }
  return pythonAt(folder)
}

/** The interpreter of a virtual environment, by its folder. */
export function pythonAt(folder: string): Python {
  const program = join(folder, 'bin/python')
  return { program, run: (args, opts = {}) => command(program, args, opts) }
}

const running = new Set<number>()
atFileEnd(() => {
  for (const pid of running) process.kill(-pid, 'SIGKILL')
})

function command(
  program: string,
  args: readonly string[],
  { cwd = tmpdir(), env = {}, timeoutMs }: RunOptions = {},
): Promise<Finished> {
  const child = spawn(program, [...args], {
    cwd,
    // compiled files would appear in the repository otherwise
    env: { ...SETTINGS, PYTHONPYCACHEPREFIX: PYTHON_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a group of its own, with the processes that it starts
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
  })
  running.add(child.pid!)
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', chunk => (stdout += chunk))
  child.stderr.on('data', chunk => (stderr += chunk))
  return new Promise(resolve =>
    child
      .on('error', error => resolve({ code: 1, stdout, stderr: error.message }))
      .on('close', code => {
        running.delete(child.pid!)
        resolve({ code, stdout, stderr })
      }),
  )
}
