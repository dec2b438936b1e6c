import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
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

/** A small file system in memory at this folder; false where none can be made. */
function mount(at: string, options: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  mkdirSync(at)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'hiring-test', at]).status !== 0) return false
  after(() => spawnSync('umount', ['-l', at]))
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
  if (!mount(place, 'ro')) return t.skip('no file system can be mounted here')
  for (const target of [place, join(place, 'new', 'folder')]) {
    const message = `the backup target ${target} cannot be used: its file system is read-only (EROFS)`
    await failsWith('backup', target, message)
  }
})

test('hiring backup: a full target: one line says so, and no backup is left there', async t => {
  const place = join(folder, 'full')
  if (!mount(place, 'size=512k')) return t.skip('no file system can be mounted here')
  const world = { service, ...(await newTenant(service)) }
  await apply(world, { resume_upload_id: await upload(world, Buffer.alloc(2 * 1024 ** 2, 'résumé ')) })
  const message = `the backup target ${place} cannot be used: no space is left on its file system (ENOSPC)`
  await failsWith('backup', place, message)
  assert.deepEqual((await run('backup list', [place], store)).json.backups, [])
  assert.deepEqual(readdirSync(join(place, 'tmp')), [])
})
