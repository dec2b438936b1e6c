import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { UserError } from '../../src/kernel/errors/user-error.ts'
import { apply, newTenant, upload } from '../applications/setup.ts'
import { temporaryFolder } from '../harness/process.ts'
import { startTestService } from '../harness/service.ts'
import { run, storeOf } from './setup.ts'

const service = await startTestService({ ROLES: 'api' })
const store = storeOf(service)
const folder = temporaryFolder()

/** The command fails with this one line, which the command line prints without a stack. */
async function failsWith(name: string, place: string, message: string | RegExp, settings = {}) {
  await assert.rejects(run(name, [place], { ...store, ...settings }), (error: Error) => {
    assert.ok(error instanceof UserError, error.stack)
    assert.equal(error.message.split('\n').length, 1)
    if (typeof message === 'string') assert.equal(error.message, message)
    else assert.match(error.message, message)
    return true
  })
}

/** A small file system in memory at this folder until the test ends; false where none can be made. */
function mount(t: TestContext, at: string, options: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  mkdirSync(at)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'hiring-test', at]).status !== 0) return false
  t.after(() => spawnSync('umount', ['-l', at]))
  return true
}

test('hiring backup: a target that is a file, or below one: one line names it and the cause', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const fails = (place: string, cause: string) =>
    failsWith('backup', place, `the backup target ${place} cannot be used: ${cause}`)
  await fails(file, 'a part of its path is not a folder (ENOTDIR)')
  await fails(join(file, 'below'), 'a part of its path is not a folder (ENOTDIR)')
})

test('hiring backup: an S3 store that does not respond: one line names the target', async () => {
  await failsWith('backup', 's3://bucket/prefix', /^the backup target s3:\/\/bucket\/prefix cannot be used: .*\S/, {
    BACKUP_S3_ENDPOINT: 'http://127.0.0.1:1',
    BACKUP_S3_ACCESS_KEY_ID: 'a',
    BACKUP_S3_SECRET_ACCESS_KEY: 'b',
    BACKUP_S3_FORCE_PATH_STYLE: 'on',
  })
})

test('hiring backup: a target on a read-only file system: one line says so', async t => {
  const place = join(folder, 'read-only')
  if (!mount(t, place, 'ro')) return t.skip('no file system can be mounted here')
  for (const target of [place, join(place, 'new', 'folder')]) {
    const message = `the backup target ${target} cannot be used: its file system is read-only (EROFS)`
    await failsWith('backup', target, message)
  }
})

const world = { service, ...(await newTenant(service)) }
const withResume = async (bytes: number) =>
  apply(world, { resume_upload_id: await upload(world, Buffer.from(randomBytes(bytes / 2).toString('hex'))) })

test('hiring backup: a target with too little space: one line says how much is missing, and nothing is written', async t => {
  const place = join(folder, 'small')
  if (!mount(t, place, 'size=1m')) return t.skip('no file system can be mounted here')
  await withResume(4_000_000)
  const sizes = String.raw`[\d.]+ [KM]?B`
  await failsWith(
    'backup',
    place,
    new RegExp(
      String.raw`^the backup target ${place} has too little space: at least (2\.9|3\.\d) MB are missing\. The backup takes at least 4\.\d MB \(rows ${sizes}, new files 4\.0 MB\), and ${sizes} are free$`,
    ),
  )
  assert.deepEqual((await run('backup list', [place], store)).json.backups, [])
  assert.deepEqual(filesBelow(place), [])
})

test('hiring backup: a target that fills up while it is written: one line says so; rows count once they are analyzed', async t => {
  const place = join(folder, 'full')
  if (!mount(t, place, 'size=16m')) return t.skip('no file system can be mounted here')
  await run('backup', [place], store)
  // the statistics of the database do not have these rows yet
  const { id } = await apply(world)
  await service.services.db.query(sql`
    insert into notes (workspace_id, id, application_id, body)
    select ${world.workspace}, gen_random_uuid(), ${id},
      (select string_agg(encode(sha256((n * 1000 + i)::text::bytea), 'hex'), '') from generate_series(1, 23) i)
    from generate_series(1, 24000) n`)
  t.after(() =>
    service.services.db
      .query(sql`delete from notes where workspace_id = ${world.workspace}`)
      .then(() => service.services.db.query(sql`analyze notes`)),
  )
  const message = `the backup target ${place} cannot be used: no space is left on its file system (ENOSPC)`
  await failsWith('backup', place, message)
  assert.equal((await run('backup list', [place], store)).json.backups.length, 1)
  assert.deepEqual(readdirSync(join(place, 'tmp')), [])

  await service.services.db.query(sql`analyze notes`)
  const small = join(folder, 'small-for-rows')
  assert.ok(mount(t, small, 'size=1m'))
  await failsWith('backup', small, /too little space: .* \(rows 4\.\d MB, new files 4\.0 MB\)/)
})

test('hiring backup: files of a backup that was interrupted need no more space', async t => {
  const place = join(folder, 'interrupted')
  if (!mount(t, place, 'size=16m')) return t.skip('no file system can be mounted here')
  await run('backup', [place], store)
  for (const part of ['manifests', 'rows']) rmSync(join(place, 'blobs', part), { recursive: true })
  const { bavail, bsize } = statfsSync(place)
  // a megabyte is left, and the file has four
  writeFileSync(join(place, 'other'), Buffer.alloc(bavail * bsize - 1_000_000))
  const { json } = await run('backup', [place], store)
  assert.ok(json.rows > 0)
  assert.deepEqual((await run('backup verify', [place], store)).json.faults, [])
})

/** Every file in a folder and below. */
const filesBelow = (at: string): string[] =>
  readdirSync(at, { recursive: true, withFileTypes: true }).flatMap(entry => (entry.isFile() ? [entry.name] : []))
