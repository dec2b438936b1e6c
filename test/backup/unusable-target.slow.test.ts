import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { UserError } from '../../src/kernel/errors/user-error.ts'
import { type Finished, hiring, temporaryFolder } from '../harness/process.ts'
import { startS3 } from '../harness/s3.ts'
import { startTestService } from '../harness/service.ts'
import { run, storeOf } from './setup.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/hiring.js')
const service = await startTestService({ ROLES: 'api' })
const store = { ...storeOf(service), DATABASE_WAIT_SECONDS: '30' }
const folder = temporaryFolder()

/** Root may write everywhere, unless it gives up its capabilities. */
const DROP = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : []
const hasSetpriv = DROP.length === 0 || spawnSync('setpriv', ['--version']).status === 0

/** Runs the command as a user whom the modes of folders apply to. */
function withoutPrivileges(args: readonly string[]): Finished {
  const [file, ...rest] = [...DROP, process.execPath, PROGRAM, ...args]
  const env = { PATH: process.env['PATH'], HOME: folder, LOG_LEVEL: 'error', ...store }
  const { status, stdout, stderr } = spawnSync(file!, rest, { env, encoding: 'utf8' })
  return { code: status, stdout, stderr }
}

/** Every verb that uses the place of backups, and what it needs. */
const VERBS: Readonly<Record<string, Record<string, string>>> = {
  backup: {},
  'backup list': {},
  'backup verify': {},
  'backup prune': { keep: '1' },
  restore: {},
}

/** Every verb fails with this line, and the command prints it alone and ends with 1. */
async function eachFailsWith(place: string, message: RegExp, settings: Record<string, string> = {}): Promise<void> {
  const env = { ...storeOf(service), ...settings }
  for (const [name, options] of Object.entries(VERBS)) {
    await assert.rejects(run(name, [place], env, options), (error: Error) => {
      assert.ok(error instanceof UserError, `${name}: ${error.stack}`)
      assert.match(error.message, message, name)
      return true
    })
  }
  printsOneLine(await hiring(['backup', 'list', place], env), message)
}

function printsOneLine({ code, stdout, stderr }: Finished, message: RegExp): void {
  assert.deepEqual([code, stdout], [1, ''], stderr)
  const [line = '', ...rest] = stderr.split('\n')
  assert.deepEqual(rest, [''], stderr)
  assert.ok(line.startsWith('hiring: '))
  assert.match(line.slice('hiring: '.length), message)
}

test('hiring backup, list, verify, prune, restore: a file in place of the folder: one line names it, exit code 1', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  await eachFailsWith(
    file,
    new RegExp(`^the backup target ${file} cannot be used: a part of its path is not a folder \\(ENOTDIR\\)$`),
  )
})

test('hiring backup, list, verify, prune, restore: a folder without permission: one line names it, exit code 1', t => {
  if (!hasSetpriv) return t.skip('there is no setpriv')
  const place = join(folder, 'closed')
  mkdirSync(place)
  for (const mode of [0o500, 0o000]) {
    chmodSync(place, mode)
    for (const [name, options] of Object.entries(VERBS)) {
      const further = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value])
      printsOneLine(
        withoutPrivileges([...name.split(' '), place, ...further]),
        new RegExp(`^the backup target ${place} cannot be used: this user has no permission there \\(EACCES\\)$`),
      )
    }
  }
})

test('hiring backup, list, verify, prune, restore: S3 with a wrong key or a wrong bucket: one line says which, exit code 1', async () => {
  const { settings } = await startS3('backups')
  const own = {
    BACKUP_S3_ENDPOINT: settings['S3_ENDPOINT']!,
    BACKUP_S3_ACCESS_KEY_ID: settings['S3_ACCESS_KEY_ID']!,
    BACKUP_S3_SECRET_ACCESS_KEY: settings['S3_SECRET_ACCESS_KEY']!,
    BACKUP_S3_FORCE_PATH_STYLE: 'on',
  }
  const refused = (place: string, bucket: string, cause: string) =>
    new RegExp(
      `^the backup target ${place} cannot be used: the S3 store rejected the bucket "${bucket}" \\(${cause}\\): `,
    )
  const place = 's3://backups/nightly'
  await eachFailsWith(place, refused(place, 'backups', 'InvalidAccessKeyId'), {
    ...own,
    BACKUP_S3_ACCESS_KEY_ID: 'AKIAOTHEROTHEROTHER1',
  })
  await eachFailsWith(place, refused(place, 'backups', 'SignatureDoesNotMatch'), {
    ...own,
    BACKUP_S3_SECRET_ACCESS_KEY: 'another secret',
  })
  const other = 's3://backup/nightly'
  await eachFailsWith(other, refused(other, 'backup', 'NoSuchBucket'), own)
})

test('hiring backup list, verify: a backup in a folder that may only be read is read', async t => {
  if (!hasSetpriv) return t.skip('there is no setpriv')
  const place = join(folder, 'archived')
  await run('backup', [place], store)
  spawnSync('chmod', ['-R', 'a-w', place])
  t.after(() => spawnSync('chmod', ['-R', 'u+w', place]))
  for (const name of ['list', 'verify']) {
    const { code, stderr } = withoutPrivileges(['backup', name, place])
    assert.deepEqual([code, stderr], [0, ''], name)
  }
})
