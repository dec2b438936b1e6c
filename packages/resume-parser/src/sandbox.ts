import { existsSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { sep } from 'node:path'

/**
 * What the operating system adds to Node's own permission flags around the process that reads a stranger's file. Node 24
 * restricts files, programs and addons, but not sockets: without a network namespace the reader could connect to
 * anything that the service can reach.
 */
export interface Sandbox {
  name: 'namespaces, other user' | 'namespaces' | 'other user' | 'node permissions'
  /** the process has no network interface but a loopback of its own, on which nothing listens */
  network: boolean
  description: string
  /** the command that runs `command` inside, with an empty environment */
  wrap(command: ProgramCall): ProgramCall
}

export type ProgramCall = [program: string, ...args: string[]]

/** uid and gid of the parser. Not 65534: with root, the embedded PostgreSQL may run as that user. */
const READER = 65533

const NO_PRIVILEGES = ['--bounding-set=-all', '--inh-caps=-all', '--no-new-privs']
const OTHER_USER = [`--reuid=${READER}`, `--regid=${READER}`, '--clear-groups', ...NO_PRIVILEGES]

/** A network namespace does not hide Unix sockets that have a path: their folders are covered by empty ones. */
const COVER = `
  n=$1; shift
  while [ "$n" -gt 0 ]; do
    mount -t tmpfs -o ro,size=4k,mode=555 tmpfs "$1" || exit 125
    shift; n=$((n - 1))
  done
  exec "$@"`

/** Every system allows it. */
export const LOOSEST: Sandbox = {
  name: 'node permissions',
  network: false,
  description:
    'Node’s permission flags only; the system does not allow network namespaces, so the network is not blocked',
  wrap: command => command,
}

/**
 * Sandboxes from the tightest to the loosest. Whether the system allows one is found out by trying it.
 * `folders` hold Unix sockets or data of the service; `needed` are paths that must stay readable.
 */
export function sandboxes(folders: readonly string[], needed: readonly string[]): Sandbox[] {
  const covered = coverable([...folders, tmpdir(), '/tmp', '/run'], needed)
  const inside =
    (unshare: string[], setpriv: string[]) =>
    (command: ProgramCall): ProgramCall => [
      'unshare',
      ...[...unshare, '--net', '--mount', '--'],
      ...['sh', '-c', COVER, 'sh', String(covered.length), ...covered],
      ...['setpriv', ...setpriv, 'env', '-i', ...command],
    ]
  const root: Sandbox[] = [
    {
      name: 'namespaces, other user',
      network: true,
      description: 'no network; runs as another user, in its own namespaces',
      wrap: inside([], OTHER_USER),
    },
  ]
  const anyUser: Sandbox[] = [
    {
      name: 'namespaces',
      network: true,
      description: 'no network; runs in its own namespaces',
      wrap: inside(['--user', '--map-root-user'], NO_PRIVILEGES),
    },
  ]
  const rootAlone: Sandbox[] = [
    {
      name: 'other user',
      network: false,
      description: 'runs as another user; the system does not allow network namespaces, so the network is not blocked',
      wrap: command => ['setpriv', ...OTHER_USER, 'env', '-i', ...command],
    },
  ]
  if (process.platform !== 'linux') return [LOOSEST]
  return process.getuid?.() === 0 ? [...root, ...anyUser, ...rootAlone, LOOSEST] : [...anyUser, LOOSEST]
}

/** Folders that exist and hold nothing that is needed; not those inside another one, which are gone once it is covered. */
function coverable(folders: readonly string[], needed: readonly string[]): string[] {
  const within = (path: string, folder: string) => `${path}${sep}`.startsWith(folder === sep ? sep : `${folder}${sep}`)
  const real = [...new Set(folders.filter(existsSync).map(folder => realpathSync(folder)))]
  const free = real.filter(folder => !needed.some(path => within(path, folder)))
  return free.filter(folder => !free.some(outer => outer !== folder && within(folder, outer)))
}
