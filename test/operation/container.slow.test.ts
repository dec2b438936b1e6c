import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startTcpProxy } from '../faults/tcp-proxy.ts'
import { freePort } from '../harness/free-port.ts'
import { cloneDatabase, stopOwnServer } from '../harness/postgres.ts'
import { temporaryFolder } from '../harness/process.ts'
import { until } from '../harness/receiver.ts'

/*
 * Takes minutes and the network, so it runs only where it is asked for: as root, with buildah, and with
 *   CONTAINER_BASE     an image with Node 24, npm and the user node
 *   CONTAINER_STORAGE  the folder of buildah's images, if it is not the usual one
 */
const base = process.env['CONTAINER_BASE']
const storage = process.env['CONTAINER_STORAGE']
const skip =
  base === undefined || spawnSync('buildah', ['--version']).error ? 'needs buildah and CONTAINER_BASE' : false
const options = [
  '--storage-driver',
  'vfs',
  ...(storage ? ['--root', join(storage, 'store'), '--runroot', join(storage, 'run')] : []),
]
const buildah = (...args: string[]) =>
  execFileSync('buildah', [...options, ...args], {
    encoding: 'utf8',
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()

after(stopOwnServer)

test('Containerfile: the image starts as another user than root, on a read-only file system, is ready, and stops', {
  skip,
  timeout: 1_200_000,
}, async () => {
  const image = 'hiring-container-test'
  buildah(
    'bud',
    '--isolation',
    'chroot',
    '--format',
    'docker',
    '--build-arg',
    `BASE=${base}`,
    '-t',
    image,
    '-f',
    'deploy/Containerfile',
    '.',
  )
  const { config } = JSON.parse(buildah('inspect', '--type', 'image', image)).Docker
  assert.equal(config.User, 'node')
  assert.match(config.Healthcheck.Test.join(' '), /127\.0\.0\.1:9464\/readyz/)

  const container = buildah('from', image)
  const root = buildah('mount', container)
  const database = await cloneDatabase()
  const { host, port: socket, user, password, database: name } = database.connection
  const proxy = await startTcpProxy({ path: join(host, `.s.PGSQL.${socket}`) })
  const data = temporaryFolder()
  const uid = execFileSync('chroot', [root, 'id', '-u', 'node'], { encoding: 'utf8' }).trim()
  chownSync(data, Number(uid), Number(uid))
  const [port, metricsPort] = [await freePort(), await freePort()]
  // as the engines of containers do it: a mount namespace of its own, the image read-only, and the variables of the image
  const settings = {
    ...Object.fromEntries((config.Env as string[]).map(pair => pair.split(/=(.*)/s).slice(0, 2))),
    PORT: port,
    METRICS_PORT: metricsPort,
    SECRET_KEY: 'ab'.repeat(32),
    DATABASE_URL: `postgres://${user}:${password}@127.0.0.1:${proxy.port}/${name}`,
  }
  const script = `set -e
    mount --bind "$1" "$1"
    mount -t tmpfs tmpfs "$1/tmp"
    mount --bind "$2" "$1/data"
    mount -t proc proc "$1/proc"
    mount -o remount,ro,bind "$1"
    root=$1 user=$3; shift 3
    exec chroot --userspec="$user" "$root" /usr/bin/env -i "$@"`
  const command = [
    '/bin/sh',
    '-c',
    `cd ${config.WorkingDir} && exec ${[...config.Entrypoint, ...config.Cmd].join(' ')}`,
  ]
  const pairs = Object.entries(settings).map(([key, value]) => `${key}=${value}`)
  const child = spawn(
    'unshare',
    ['-m', '--propagation', 'private', 'sh', '-c', script, 'sh', root, data, `${uid}:${uid}`, ...pairs, ...command],
    { stdio: 'ignore' },
  )
  const ended = once(child, 'exit')
  try {
    const health = `http://127.0.0.1:${metricsPort}`
    await until('ready', async () => (await fetch(`${health}/readyz`).catch(() => undefined))?.status === 200)
    const status = execFileSync('cat', [`/proc/${child.pid}/status`], { encoding: 'utf8' })
    assert.match(status, new RegExp(`^Uid:\\t${uid}\\t${uid}`, 'm'))
    for (const path of ['/healthz', '/docs', '/console', '/api/partner/v1/ping']) {
      assert.equal((await fetch(`http://127.0.0.1:${port}${path}`)).status, 200, path)
    }
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  } finally {
    child.kill('SIGKILL')
    buildah('umount', container)
    buildah('rm', container)
    await database.drop()
  }
})
