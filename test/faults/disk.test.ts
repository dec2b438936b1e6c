import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statfsSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { until } from '../harness/receiver.ts'
import { figure, readiness, startCluster } from './cluster.ts'
import { assertNothingLost, Load } from './load.ts'

const folders = { files: '', postgres: '' }
/** Small file systems in memory, which root may make. */
function mountSmall(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root can make a small file system'
  for (const name of ['files', 'postgres'] as const) {
    const folder = mkdtempSync(join(tmpdir(), `hiring-disk-${name}-`))
    const size = name === 'files' ? '300m' : '400m'
    // PostgreSQL runs as another user
    const made = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=1777`, 'hiring-test', folder])
    if (made.status !== 0) return `no file system can be mounted here: ${made.stderr}`
    folders[name] = folder
    mounted.push(folder)
  }
  return false
}
const mounted: string[] = []
const skip = mountSmall()
const unmount = () => {
  for (const folder of mounted) {
    spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Takes the last byte of the file system. */
function fill(folder: string): () => void {
  const path = join(folder, 'filler')
  const { bavail, bsize } = statfsSync(folder)
  const chunk = Buffer.alloc(1024 ** 2)
  try {
    for (let left = bavail * bsize + chunk.length; left > 0; left -= chunk.length)
      writeFileSync(path, chunk, { flag: 'a' })
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
  }
  return () => unlinkSync(path)
}

test('disk full: 429 datastore_unavailable, parts named, service without a restart; nothing acknowledged is lost', {
  skip,
}, async t => {
  const cluster = await startCluster({
    dataDir: join(folders.files, 'data'),
    postgresDir: join(folders.postgres, 'postgres'),
  })
  const api = await cluster.start('api')
  const worker = await cluster.start('worker')
  const load = new Load(cluster, () => [api])
  await load.start()
  const back = async () => {
    await load.progress()
    for (const node of [api, worker]) await until('ready', async () => (await readiness(node)).status === 200)
  }

  await t.test(
    'of the files: an upload is refused and can be repeated, the API goes on, /readyz names files and disk',
    async () => {
      const bytes = randomBytes(2 * 1024 ** 2)
      const upload = await load.call('POST', '/uploads', { content_type: 'application/pdf', size_bytes: bytes.length })
      const { url, headers } = upload.upload
      const put = () => fetch(url, { method: 'PUT', headers, body: bytes })
      const began = performance.now()
      const free = fill(folders.files)
      const refused = await put()
      const { detail } = (await refused.json()) as { detail: { code: string } }
      assert.deepEqual([refused.status, detail.code], [429, 'datastore_unavailable'])
      assert.ok(Number(refused.headers.get('retry-after')) >= 1)
      await until('files and disk are named', async () => {
        const { status, failing } = await readiness(api)
        return status === 503 && failing.includes('files') && failing.includes('disk')
      })
      await load.progress()
      assert.deepEqual(load.refusals(began), [], 'what needs no file goes on')
      free()
      await back()
      assert.equal((await put()).status, 200, 'the same URL takes the file afterwards')
      assert.equal((await put()).status, 409, 'and only once')
    },
  )

  await t.test('of the database: writes are refused with 429, then service without a restart', async () => {
    const began = performance.now()
    const before = await figure(api, 'hiring_http_failures_total', 'unavailable')
    const free = fill(folders.postgres)
    await until('writes are refused', () => load.refusals(began).length > 0)
    await until('metrics', async () => (await figure(api, 'hiring_http_failures_total', 'unavailable')) > before)
    free()
    await back()
    const refusals = load.refusals(began)
    assert.deepEqual(
      refusals.filter(r => r !== '429 datastore_unavailable'),
      [],
    )
    assert.ok(load.slowestMs(began) < 25_000)
  })

  await load.stop()
  await assertNothingLost(cluster, load)
})
// after the hooks of the cluster, which were registered first
after(unmount)
