import assert from 'node:assert/strict'
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { chooseManifest, writeManifest } from '../../src/kernel/backup/manifest.ts'
import { createMarker, setMarker } from '../../src/kernel/backup/marker.ts'
import { openTarget } from '../../src/kernel/backup/target.ts'
import { readConfig } from '../../src/kernel/config/config.ts'
import { Database } from '../../src/kernel/db/database.ts'
import { openReadyStore } from '../../src/kernel/services/open-store.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { apply, newTenant, upload, type World } from '../applications/setup.ts'
import { cloneDatabase, type TestDatabase } from '../harness/postgres.ts'
import { temporaryFolder } from '../harness/process.ts'
import { startTestService } from '../harness/service.ts'
import { connect, run, storeOf } from './setup.ts'

const service = await startTestService({ ROLES: 'api' })
const store = storeOf(service)
const BACKUP_KEY = '0c'.repeat(32)
const folder = temporaryFolder()
const place = join(folder, 'backups')
let world: World
let empty: TestDatabase

before(async () => {
  world = { service, ...(await newTenant(service)) }
  await apply(world, { resume_upload_id: await upload(world, Buffer.from('First résumé')) })
  empty = await cloneDatabase('template0')
})

/** Names of files of a backup, by their path below the folder of the target. */
const filesBelow = (target: string, under: string) =>
  readdirSync(join(target, 'blobs', under), { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('+blob'),
  )

let copies = 0
/** A copy of the target in which something can be damaged. */
function copied(): string {
  const copy = join(folder, `copy-${++copies}`)
  cpSync(place, copy, { recursive: true })
  return copy
}

/** Restoring is refused with these words, and the database stays empty. */
async function refused(words: RegExp, target: string, settings: Record<string, string> = {}, args: string[] = []) {
  const DATA_DIR = temporaryFolder()
  const restoring = run('restore', [target, ...args], { DATA_DIR, DATABASE_URL: empty.url, BACKUP_KEY, ...settings })
  await assert.rejects(restoring, (error: Error) => words.test(error.message) || assert.fail(error.message))
}

const tablesIn = async (database: TestDatabase) => {
  const client = await connect(database.connection)
  const { rows } = await client.query(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  await client.end()
  return rows.map(row => row.relname)
}

test('hiring backup: the second one stores only new files, and list, verify and prune agree', async () => {
  const settings = { ...store, BACKUP_KEY }
  const first = (await run('backup', [place], settings)).json
  assert.deepEqual([first.files, first.new_files, first.lost_files, first.has_secret_key], [1, 1, [], true])
  await apply(world, { resume_upload_id: await upload(world, Buffer.from('Second résumé')) })
  const second = (await run('backup', [place], settings)).json
  assert.deepEqual([second.files, second.new_files, second.new_file_bytes], [2, 1, Buffer.byteLength('Second résumé')])
  assert.equal(filesBelow(place, 'files').length, 2)
  const { json, text } = await run('backup list', [place], settings)
  assert.deepEqual(
    json.backups.map((backup: { name: string }) => backup.name),
    [first.name, second.name],
  )
  assert.match(text, /^NAME +RELEASE +ROWS +FILES +NEW FILES +SECRET KEY\n/)
  assert.equal(text.trim().split('\n').length, 3)
  for (const name of [first.name, second.name]) {
    const checked = await run('backup verify', [place, name], settings)
    assert.deepEqual([checked.json.intact, checked.json.faults, checked.exitCode], [true, [], 0])
  }
  // names and contents say nothing about people
  const stored = filesBelow(place, '.').map(file => file + readFileSync(join(place, 'blobs', file), 'latin1'))
  for (const secret of ['First r', 'resumes/', world.workspace, 'example.org', 'workspace_id'])
    assert.ok(!stored.some(text => text.includes(secret)), secret)

  const target = copied()
  const pruned = (await run('backup prune', [target], settings, { keep: '1' })).json
  assert.deepEqual(pruned, { removed: [first.name], kept: [second.name], removed_files: 0 })
  assert.equal((await run('backup verify', [target], settings)).json.intact, true)
  assert.deepEqual(readdirSync(join(target, 'blobs/rows')), [second.name])
})

test('hiring backup: doctor knows when it was made; another installation and another key are refused', async () => {
  const { doctorVerb } = await import('../../src/cli/doctor.ts')
  const check = async (BACKUP_MAX_AGE_HOURS: string) => {
    const config = () => readConfig({ ...store, PORT: '0', BACKUP_MAX_AGE_HOURS })
    const { json } = await doctorVerb.run({
      args: [],
      option: () => undefined,
      options: () => [],
      flag: () => false,
      json: true,
      config,
    })
    return (json as { checks: { name: string; state: string; detail: string }[] }).checks.find(
      c => c.name === 'backup',
    )!
  }
  assert.equal((await check('1')).state, 'ok')
  await service.services.db.query({
    text: `update installation set last_backup_at = app_now() - interval '3 hours'`,
    values: [],
    name: '',
  })
  assert.deepEqual(
    [(await check('2')).state, (await check('2')).detail.startsWith('the last one is too old')],
    ['warning', true],
  )

  const other = await cloneDatabase()
  const settings = { DATA_DIR: temporaryFolder(), DATABASE_URL: other.url }
  await assert.rejects(run('backup', [place], { ...settings, BACKUP_KEY }), /has backups of another installation/)
  assert.match(
    (await run('backup', [join(folder, 'other')], settings)).text,
    /not encrypted[\s\S]*without the secret key/,
  )
  await other.drop()
  await assert.rejects(
    run('backup', [place], { ...store, BACKUP_KEY: '0d'.repeat(32) }),
    /the backup key is not the one/,
  )
  await assert.rejects(run('backup', [place], store), /this backup is encrypted: set BACKUP_KEY/)
})

test('hiring restore: refused: wrong key, no key, no such backup, a damaged, cut, swapped or missing file', async () => {
  await refused(/the backup key is not the one/, place, { BACKUP_KEY: '0d'.repeat(32) })
  await refused(/this backup is encrypted/, place, { BACKUP_KEY: '' })
  await refused(/there is no backup 2020-01-01T00-00-00Z/, place, {}, ['2020-01-01T00-00-00Z'])
  await refused(/there is no folder/, join(folder, 'nowhere'))
  await refused(/there is no backup in/, temporaryFolder())
  await refused(/64 hexadecimal digits/, place, { BACKUP_KEY: 'short' })
  assert.deepEqual(await tablesIn(empty), [])

  const { backups } = (await run('backup list', [place], { ...store, BACKUP_KEY })).json
  const newest = backups.at(-1).name
  const rows = (target: string, table: string) => join(target, 'blobs/rows', newest, `${table}+blob`)
  const damages: [string, (target: string) => void, RegExp][] = [
    [
      'cut',
      target => truncateSync(rows(target, 'applications'), 200),
      /is damaged: rows\/.*\/applications is not what was stored/,
    ],
    ['swapped', target => cpSync(rows(target, 'jobs'), rows(target, 'applicants')), /is damaged: rows\/.*\/applicants/],
    ['missing', target => rmSync(rows(target, 'users')), /is damaged: rows\/.*\/users is missing/],
    [
      'file missing',
      target => rmSync(join(target, 'blobs/files'), { recursive: true }),
      /is damaged: the file resumes\/.* is missing/,
    ],
    [
      'file cut',
      target => truncateSync(join(target, 'blobs/files', filesBelow(target, 'files')[0]!), 90),
      /is damaged: files\/.* is not what was stored/,
    ],
  ]
  for (const [what, damage, words] of damages) {
    const target = copied()
    damage(target)
    const checked = await run('backup verify', [target], { ...store, BACKUP_KEY })
    assert.deepEqual([checked.json.intact, checked.exitCode], [false, 1], what)
    const database = await cloneDatabase('template0')
    const settings = { DATA_DIR: temporaryFolder(), DATABASE_URL: database.url, BACKUP_KEY }
    await assert.rejects(run('restore', [target], settings), words, what)
    assert.deepEqual(await tablesIn(database), ['restore_in_progress'], what)
    await assert.rejects(
      openReadyStore(readConfig(settings), createLog('silent')),
      /restore of the backup .* did not end/,
    )
    // the same backup without the fault continues it
    if (what === 'cut') {
      assert.equal((await run('restore', [place], settings)).json.files, 2)
      await (await openReadyStore(readConfig(settings), createLog('silent'))).close()
    }
    await database.drop()
  }
})

test('hiring restore: refused: a newer release, another secret key, a database or file store that is not empty', async () => {
  const config = readConfig({ ...store, BACKUP_KEY })
  const newer = copied()
  const target = await openTarget(config, newer, { key: config.BACKUP_KEY, create: false })
  const manifest = await chooseManifest(target, undefined)
  const migrations = [...manifest.migrations, { version: 999_999, name: 'of_the_future', hash: '00' }]
  await writeManifest(target, { ...manifest, release: '9.0.0', migrations })
  await target.close()
  await refused(/was made by a newer release \(9\.0\.0\), which has migration 999999 \(of_the_future\)/, newer)

  await refused(/is not the secret key of this backup/, place, { SECRET_KEY: '11'.repeat(32) })
  const plain = join(folder, 'plain')
  await run('backup', [plain], store)
  await refused(/this backup does not contain the secret key/, plain, { BACKUP_KEY: '' })
  assert.ok(
    !filesBelow(plain, '.').some(file => readFileSync(join(plain, 'blobs', file), 'latin1').includes(secretOf(store))),
  )

  await refused(/the database is not empty/, place, { DATABASE_URL: service.database.url })
  const DATA_DIR = temporaryFolder()
  cpSync(join(store['DATA_DIR']!, 'files'), join(DATA_DIR, 'files'), { recursive: true })
  await refused(/the file store is not empty/, place, { DATA_DIR })
  assert.deepEqual(await tablesIn(empty), [])
})

const secretOf = (settings: Record<string, string>) =>
  readFileSync(join(settings['DATA_DIR']!, 'secret.key'), 'utf8').trim()

test('hiring restore: an unencrypted backup with the secret key, or with the key in SECRET_KEY; a marked store does not start', async () => {
  const plain = join(folder, 'plain')
  const given = await cloneDatabase('template0')
  const settings = { DATA_DIR: temporaryFolder(), DATABASE_URL: given.url, SECRET_KEY: secretOf(store) }
  assert.equal((await run('restore', [plain], settings)).json.files, 2)
  await given.drop()

  const whole = join(folder, 'whole')
  assert.equal((await run('backup', [whole], store, { 'with-secret': '' })).json.has_secret_key, true)
  const DATA_DIR = temporaryFolder()
  await run('restore', [whole], { DATA_DIR, DATABASE_URL: empty.url })
  assert.equal(secretOf({ DATA_DIR }), secretOf(store))

  const db = new Database(empty.connection, { connections: 2, log: createLog('silent') })
  await db.query(createMarker())
  await db.query(setMarker({ backup: 'x', loaded: true }))
  await db.close()
  const marked = readConfig({ DATA_DIR, DATABASE_URL: empty.url })
  await assert.rejects(
    openReadyStore(marked, createLog('silent')),
    /a restore of the backup x into this database did not end/,
  )
  await empty.drop()
})

test('hiring restore: an older backup although the newest one is damaged: says until when erasures are known', async () => {
  const target = copied()
  const { backups } = (await run('backup list', [place], { ...store, BACKUP_KEY })).json
  const [first] = backups
  truncateSync(join(target, 'blobs/manifests', `${backups.at(-1).name}+blob`), 100)
  const database = await cloneDatabase('template0')
  const settings = { DATA_DIR: temporaryFolder(), DATABASE_URL: database.url, BACKUP_KEY }
  await assert.rejects(run('restore', [target], settings), /is damaged: manifests/)
  const next = (await run('backup', [target], { ...store, BACKUP_KEY })).json
  assert.deepEqual([next.files, next.new_files], [2, 0], 'a new backup is made, with the files that are there')
  rmSync(join(target, 'blobs/manifests', `${next.name}+blob`))
  const { json } = await run('restore', [target, first.name], settings)
  assert.deepEqual([json.files, json.erasures, json.erasures_known_until], [1, 0, first.created_at])
  await database.drop()
})

test('hiring backup: --key-file is used instead of BACKUP_KEY, and must hold a key', async () => {
  const file = join(folder, 'backup.key')
  writeFileSync(file, `${BACKUP_KEY}\n`)
  assert.equal((await run('backup list', [place], store, { 'key-file': file })).json.encrypted, true)
  writeFileSync(file, 'no key')
  await assert.rejects(
    run('backup list', [place], store, { 'key-file': file }),
    /--key-file must contain 64 hexadecimal digits/,
  )
  await assert.rejects(
    run('backup list', [place], store, { 'key-file': join(folder, 'gone') }),
    /--key-file cannot be read/,
  )
})
