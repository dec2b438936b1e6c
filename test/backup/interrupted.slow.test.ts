import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { apply, newTenant, upload, type World } from '../applications/setup.ts'
import { cloneDatabase } from '../harness/postgres.ts'
import { hiring, startHiring, temporaryFolder } from '../harness/process.ts'
import { until } from '../harness/receiver.ts'
import { startS3 } from '../harness/s3.ts'
import { startTestService } from '../harness/service.ts'
import { storeOf } from './setup.ts'

const service = await startTestService({ ROLES: 'api' })
const bucket = await startS3('backups')
const { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = bucket.settings as Record<string, string>
/** Settings of the backups alone: the files of the service are in a folder. */
const settings: Record<string, string> = {
  BACKUP_KEY: '0e'.repeat(32),
  BACKUP_S3_ENDPOINT: S3_ENDPOINT!,
  BACKUP_S3_ACCESS_KEY_ID: S3_ACCESS_KEY_ID!,
  BACKUP_S3_SECRET_ACCESS_KEY: S3_SECRET_ACCESS_KEY!,
  BACKUP_S3_FORCE_PATH_STYLE: 'on',
}
const place = 's3://backups/hiring/daily'
const names = (under: string) => [...bucket.objects.keys()].filter(key => key.startsWith(`hiring/daily/${under}/`))

before(async () => {
  const world: World = { service, ...(await newTenant(service)) }
  for (let i = 0; i < 3; i++) await apply(world, { resume_upload_id: await upload(world, Buffer.from(`Résumé ${i}`)) })
})

/** Starts the command, waits until it sends a request of this kind, which gets no response, and signals it. */
async function interrupted(
  args: readonly string[],
  env: Record<string, string>,
  [method, part]: readonly [string, string],
  signal: 'SIGKILL' | 'SIGINT',
) {
  let held = false
  bucket.hold = (verb, key) => {
    if (verb === method && key.includes(part)) held = true
    return held && verb === method && key.includes(part)
  }
  const { child, ended } = startHiring(args, env)
  await until('the command waits for the store', () => held)
  child.kill(signal)
  const result = await ended
  bucket.hold = undefined
  return result
}

test('hiring backup: killed: no backup exists, and the next one uses the files that were stored and clears the rest', async () => {
  const env = { ...storeOf(service), ...settings }
  await interrupted(['backup', place], env, ['PUT', 'files.index'], 'SIGKILL')
  assert.deepEqual([names('manifests').length, names('files').length], [0, 3])
  assert.ok(names('rows').length > 100)
  const none = await hiring(['backup', 'verify', place], env)
  assert.deepEqual([none.code, none.stderr], [1, `hiring: there is no backup in ${place}\n`])

  const left = names('rows')[0]!.split('/')[3]!
  const made = await hiring(['backup', place, '--json'], env)
  assert.equal(made.code, 0, made.stderr)
  const { files, new_files, name } = JSON.parse(made.stdout)
  assert.deepEqual([files, new_files], [3, 0])
  assert.notEqual(name, left)
  assert.deepEqual([...new Set(names('rows').map(key => key.split('/')[3]))], [name])
  const verified = await hiring(['backup', 'verify', place], env)
  assert.match(verified.stdout, /is intact: \d+ tables, [\d,]+ rows, 3 files/)
})

test('hiring backup: Ctrl-C: ends with 130, says that there is no new backup, and leaves no rows of it', async () => {
  const env = { ...storeOf(service), ...settings }
  const [before, backups] = [names('rows').length, names('manifests').length]
  const { code, stdout } = await interrupted(['backup', place], env, ['PUT', '/workspaces'], 'SIGINT')
  assert.deepEqual([code, stdout], [130, 'canceled; there is no new backup\n'])
  assert.deepEqual([names('rows').length, names('manifests').length], [before, backups])
})

test('hiring restore: killed: no service starts on the half, and the next restore continues', async () => {
  const database = await cloneDatabase('template0')
  const env = { ...settings, DATA_DIR: temporaryFolder(), DATABASE_URL: database.url }
  await interrupted(['restore', place], env, ['GET', '/webhook_secrets'], 'SIGKILL')
  const start = await hiring(['sending'], env)
  assert.equal(start.code, 1)
  assert.match(start.stderr, /a restore of the backup \S+ into this database did not end: run hiring restore again/)
  const done = await hiring(['restore', place, '--json'], env)
  assert.equal(done.code, 0, done.stderr)
  assert.equal(JSON.parse(done.stdout).files, 3)
  const shown = await hiring(['sending', 'on', '--json'], env)
  assert.deepEqual([shown.code, JSON.parse(shown.stdout).sending], [0, 'on'], shown.stderr)
  await database.drop()
})
