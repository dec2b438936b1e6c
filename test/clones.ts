import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './harness/free-port.ts'
import { ROOT } from './runner/sets.ts'

/**
 * Clones the committed state into places in which programs like ours often fail, starts the service there and runs the
 * tests that touch files, sandboxes, sockets and programs.
 *
 *   node test/clones.ts [NAME…]
 */
interface Place {
  /** the folder of the clone, inside a new empty folder of this one */
  below: string
  name: string
  /** an ordinary user instead of the one who runs this; needs root */
  user?: number
  umask?: number
  /** sets TMPDIR to a folder of the clone's own */
  ownTemporaryFolder?: true
}

const PLACES: Readonly<Record<string, Place>> = {
  temporary: { below: tmpdir(), name: 'clone' },
  home: { below: homedir(), name: 'clone' },
  letters: { below: tmpdir(), name: 'with blanks and ü' },
  // initdb wants a user that the system knows: this number is the one without privileges
  user: { below: tmpdir(), name: 'clone', user: 65_534, umask: 0o077 },
  'temporary-folder': { below: homedir(), name: 'clone', ownTemporaryFolder: true },
}

const TESTS = [
  'test/applications/resume-sandbox',
  'test/applications/uploads',
  'test/blobs/folder',
  'test/careers/pictures',
  'test/cli/packed',
  'test/operation/http',
  'src/kernel/embedded-postgres/embedded',
]

const port = await freePort()
const READY = `curl --silent --show-error --fail --retry 120 --retry-delay 1 --retry-all-errors http://127.0.0.1:${port}/readyz`

const chosen = process.argv.slice(2)
const unknown = chosen.filter(name => !PLACES[name])
if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}; there are ${Object.keys(PLACES).join(', ')}`)
for (const name of chosen.length > 0 ? chosen : Object.keys(PLACES)) await tryPlace(name, PLACES[name]!)

async function tryPlace(name: string, place: Place): Promise<void> {
  if (place.user !== undefined && process.getuid?.() !== 0) return console.log(`clone ${name}: left out, needs root`)
  const folder = mkdtempSync(join(place.below, 'hiring-clone-'))
  const clone = join(folder, place.name)
  console.log(`clone ${name}: ${clone}`)
  try {
    execFileSync('git', ['clone', '--quiet', ROOT, clone])
    copyPackages(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
    const temporary = join(folder, 'tmp')
    mkdirSync(temporary)
    // a home that others cannot read
    chmodSync(folder, 0o700)
    if (place.user !== undefined) execFileSync('chown', ['-R', `${place.user}:${place.user}`, folder])
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      PORT: String(port),
      ...(place.ownTemporaryFolder ? { TMPDIR: temporary } : {}),
    }
    const run = (script: string) => runAs(place, clone, env, script)
    await run(`npm start & service=$!; ${READY}; kill $service; wait $service || true`)
    await run(`npm test -- ${TESTS.join(' ')}`)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Installed once, because the registry is not what is tried here. What earlier runs cached stays behind. */
function copyPackages(from: string, to: string): void {
  const packages = readdirSync(from).filter(name => name !== '.cache')
  mkdirSync(to)
  execFileSync('cp', ['-a', ...packages.map(name => join(from, name)), to])
}

function runAs({ user, umask }: Place, cwd: string, env: NodeJS.ProcessEnv, script: string): Promise<void> {
  const mask = umask === undefined ? '' : `umask ${umask.toString(8).padStart(3, '0')}; `
  const command = ['sh', '-ec', mask + script]
  const as = user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups']
  const [program, ...args] = [...as, ...command]
  return new Promise((resolve, reject) =>
    spawn(program!, args, { cwd, env, stdio: 'inherit' }).on('close', code =>
      code === 0 ? resolve() : reject(new Error(`exit code ${code} of: ${script}`)),
    ),
  )
}
