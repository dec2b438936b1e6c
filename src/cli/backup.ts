import { join } from 'node:path'
import { pruneBackups, verifyBackup } from '../kernel/backup/keep.ts'
import { backupNames, chooseManifest, type Manifest, readManifest } from '../kernel/backup/manifest.ts'
import { type BackupTarget, backupKey, openTarget } from '../kernel/backup/target.ts'
import type { Config } from '../kernel/config/config.ts'
import { Keyring, sameBytes } from '../kernel/crypto/signing.ts'
import { present } from '../kernel/errors/present.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { checkPostgresVersion, openStore } from '../kernel/services/open-store.ts'
import { findSecrets, secretCheck, secretSource, writeKeyFile } from '../kernel/services/secret-keys.ts'
import { createLog } from '../kernel/telemetry/log.ts'
import { programVersion } from '../kernel/telemetry/program-version.ts'
import { byteSize } from '../kernel/text/byte-size.ts'
import { clock } from '../kernel/time/clock.ts'
import { type BackupProgress, backUp, restoreBackup, withBackupLock } from '../resources/backups/index.ts'
import { argumentAt, requiredNumber } from './read-option.ts'
import { type Option, table, type Verb, type VerbInput, type VerbOutput } from './verb.ts'
import { withStore } from './with-store.ts'

const TARGET = 'TARGET'
const LIST_HEAD = ['NAME', 'RELEASE', 'ROWS', 'FILES', 'NEW FILES', 'SECRET KEY']
const keyFile: Option = {
  value: 'F',
  description: 'file with the backup key, 64 hexadecimal digits; default: the setting BACKUP_KEY',
}

export const backupVerbs: readonly Verb[] = [
  {
    name: 'backup',
    description: 'Backs up database, files and secret key to a folder or s3://BUCKET/PREFIX, while the service runs.',
    args: [TARGET],
    options: {
      'key-file': keyFile,
      'with-secret': { description: 'put the secret key into a backup that is not encrypted' },
    },
    run: input =>
      withStore(input, async ({ db, keyring }) => {
        const config = input.config()
        const key = backupKey(config, input.option('key-file'))
        const withSecret = key !== undefined || input.flag('with-secret')
        const secretKeys = withSecret
          ? secretSource(config)
              .read()
              .map(secret => secret.toString('hex'))
          : null
        const { openBlobs } = await import('../kernel/services/open-services.ts')
        const blobs = await openBlobs(config, { db, keyring, publicUrl: config.publicUrl ?? '' })
        try {
          return await withTarget(input, { create: true }, target =>
            watched(input, 'canceled; there is no new backup', async watching => {
              let writesWaitedMs: number | undefined
              const onProgress = (progress: BackupProgress) => {
                if (progress.step === 'snapshot') writesWaitedMs = Math.round(progress.writesWaitedMs)
                watching.onProgress(progress)
              }
              const source = { db, blobs, secretKeys, release: programVersion() }
              const manifest = await backUp(source, target, { ...watching, onProgress })
              return madeReport(target, manifest, writesWaitedMs)
            }),
          )
        } finally {
          await blobs.close()
        }
      }),
  },
  {
    name: 'backup list',
    description: 'Lists the backups of a folder or bucket, oldest first.',
    args: [TARGET],
    options: { 'key-file': keyFile },
    run: input =>
      withTarget(input, { create: false }, async target => {
        const manifests: Manifest[] = []
        for (const name of await backupNames(target)) manifests.push(await readManifest(target, name))
        const rows = manifests.map(m => [
          m.name,
          m.release,
          number(rowsIn(m)),
          `${number(m.files.count)} (${byteSize(m.files.content_bytes)})`,
          number(m.files.added),
          m.secret_keys === null ? 'not included' : 'included',
        ])
        return {
          json: { encrypted: target.encrypted, backups: manifests.map(summaryOf) },
          text: rows.length === 0 ? `there is no backup in ${target.place}` : table([LIST_HEAD, ...rows]),
        }
      }),
  },
  {
    name: 'backup verify',
    description: 'Reads a backup completely and compares every checksum. Without NAME: the newest one.',
    args: [TARGET],
    optionalArgs: ['NAME'],
    options: { 'key-file': keyFile },
    run: input =>
      withTarget(input, { create: false }, target =>
        watched(input, 'canceled', async ({ signal, onProgress }) => {
          const manifest = await chooseManifest(target, input.args[1])
          const faults = await verifyBackup(target, manifest, {
            signal,
            onProgress: progress => onProgress({ step: 'files', ...progress }),
          })
          const parts = `${count(manifest.tables.length, 'table')}, ${count(rowsIn(manifest), 'row')}, ${count(manifest.files.count, 'file')}`
          return {
            json: { ...summaryOf(manifest), intact: faults.length === 0, faults },
            text: faults.length === 0 ? `${manifest.name} is intact: ${parts}` : faults.join('\n'),
            exitCode: faults.length === 0 ? 0 : 1,
          }
        }),
      ),
  },
  {
    name: 'backup prune',
    description: 'Removes all backups but the newest ones, and files that none of those needs.',
    args: [TARGET],
    options: { keep: { value: 'N', description: 'how many backups to keep', required: true }, 'key-file': keyFile },
    run: input =>
      withStore(input, ({ db }) =>
        withTarget(input, { create: false }, target =>
          watched(input, 'canceled; run it again to remove the rest', ({ signal }) =>
            withBackupLock(db, async () => {
              const keep = requiredNumber(input, 'keep', 1, 100_000)
              const { removed, kept, files } = await pruneBackups(target, keep, signal)
              return {
                json: { removed, kept, removed_files: files },
                text: `removed ${count(removed.length, 'backup')} and ${count(files, 'file')}, kept ${count(kept.length, 'backup')}`,
              }
            }),
          ),
        ),
      ),
  },
  {
    name: 'restore',
    description:
      'Restores a backup into an empty database and file store. Without NAME: the newest one. Webhooks and email are held afterwards.',
    args: ['SOURCE'],
    optionalArgs: ['NAME'],
    options: { 'key-file': keyFile },
    run: input =>
      withTarget(input, { create: false }, target =>
        watched(input, 'canceled; run it again to continue, or use an empty database', async watching => {
          const config = input.config({ DATABASE_CONNECTIONS: '8' })
          const manifest = await chooseManifest(target, input.args[1])
          const secret = chooseSecret(config, manifest)
          const store = await openStore(config, createLog('error'))
          try {
            const { db } = store
            await checkPostgresVersion(db)
            const { openBlobs } = await import('../kernel/services/open-services.ts')
            const { openTransport } = await import('../kernel/services/open-mailer.ts')
            // the database has no clock of ours yet
            const keyring = new Keyring(present(secret.keys[0], 'the secret key'))
            const own = { db: { now: async () => clock.now() }, keyring, publicUrl: '' }
            const blobs = await openBlobs(config, own)
            try {
              const { outbox } = openTransport(config)
              const beforeFiles = () => secret.write && writeKeyFile(join(config.DATA_DIR, 'secret.key'), secret.keys)
              const done = await restoreBackup({ db, blobs, outbox, beforeFiles }, target, manifest, watching)
              return {
                json: { ...summaryOf(manifest), ...done, sending: 'held' },
                text: [
                  `restored ${manifest.name}: ${count(rowsIn(manifest), 'row')}, ${count(manifest.files.count, 'file')}`,
                  ...(done.applied.length > 0
                    ? [`applied ${count(done.applied.length, 'migration')} of this release`]
                    : []),
                  ...(done.erasures > 0 ? [`repeated ${count(done.erasures, 'erasure')} of a later backup`] : []),
                  ...(done.deletions.length > 0
                    ? [
                        `closed ${count(done.deletions.length, 'workspace')} that ${done.deletions.length === 1 ? 'was' : 'were'} deleted since, by a later backup: ${done.deletions.join(', ')}`,
                        'workers delete them when their time has come, and no new grace period begins; before the first start you can open one with: hiring workspaces restore ID',
                      ]
                    : []),
                  ...(done.reopened.length > 0
                    ? [
                        `opened ${count(done.reopened.length, 'workspace')} whose deletion was canceled since: ${done.reopened.join(', ')}`,
                      ]
                    : []),
                  `repeat erasures and deletions of workspaces that were requested after ${done.erasures_known_until}: they are in no backup`,
                  `the change feed has a new epoch: ${done.epoch}`,
                  'Webhooks and email are held. If this store replaces the original, run: hiring sending on',
                ].join('\n'),
              }
            } finally {
              await blobs.close()
            }
          } finally {
            await store.close()
          }
        }),
      ),
  },
]

/** The keys of the backup, or the installation's own; wrong ones are refused before anything is written. */
function chooseSecret(config: Config, manifest: Manifest): { keys: readonly Buffer[]; write: boolean } {
  const given = findSecrets(config)
  const fit = (keys: readonly Buffer[]) =>
    manifest.secret_checks.every(check => keys.some(key => sameBytes(secretCheck(key), Buffer.from(check, 'hex'))))
  if (given) {
    if (!fit(given))
      throw new UserError(
        'SECRET_KEY, or secret.key in DATA_DIR, is not the secret key of this backup: set it to the right one, or remove it if the backup contains the key',
      )
    return { keys: given, write: false }
  }
  if (manifest.secret_keys === null)
    throw new UserError(
      'this backup does not contain the secret key: set SECRET_KEY to it, or copy secret.key into DATA_DIR',
    )
  const keys = manifest.secret_keys.map(key => Buffer.from(key, 'hex'))
  if (!fit(keys)) throw new UserError('the secret key in this backup is not the one of its database')
  return { keys, write: true }
}

async function withTarget<T>(
  input: VerbInput,
  { create }: { create: boolean },
  work: (target: BackupTarget) => Promise<T>,
): Promise<T> {
  const config = input.config()
  const target = await openTarget(config, argumentAt(input, 0), {
    key: backupKey(config, input.option('key-file')),
    create,
  })
  try {
    return await work(target)
  } finally {
    await target.close()
  }
}

const PROGRESS_MS = 100
/** 128 and the number of SIGINT, as shells have it */
const CANCELED = 130

/** Shows progress on a terminal; Ctrl-C and SIGTERM end the work in order, a second one ends the process. */
async function watched(
  input: VerbInput,
  canceled: string,
  work: (watching: { signal: AbortSignal; onProgress: (progress: BackupProgress) => void }) => Promise<VerbOutput>,
): Promise<VerbOutput> {
  const abort = new AbortController()
  const stop = () => {
    if (abort.signal.aborted) process.exit(CANCELED)
    abort.abort()
  }
  const bar = process.stderr.isTTY && !input.json
  let shownAt = Number.NEGATIVE_INFINITY
  const onProgress = (progress: BackupProgress) => {
    if (!bar || clock.monotonic() - shownAt < PROGRESS_MS) return
    shownAt = clock.monotonic()
    process.stderr.write(`\r\x1b[K${progressLine(progress)}`)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  try {
    return await work({ signal: abort.signal, onProgress })
  } catch (error) {
    if (!abort.signal.aborted) throw error
    return { json: { canceled: true }, text: canceled, exitCode: CANCELED, exits: true }
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
    if (bar && shownAt > 0) process.stderr.write('\r\x1b[K')
  }
}

export function progressLine(progress: BackupProgress): string {
  if (progress.step === 'rows') {
    const { rows, ofRows, table: name } = progress
    return `rows: ${number(rows)} of about ${number(ofRows)}, ${name}`
  }
  if (progress.step === 'snapshot') return `writes waited for ${number(progress.writesWaitedMs)} ms`
  if (progress.step === 'erasures') return `erasures: ${progress.done} of ${progress.of}`
  return `files: ${number(progress.files)} of ${number(progress.ofFiles)}, ${byteSize(progress.bytes)}`
}

const number = (value: number) => Math.round(value).toLocaleString('en-US')
const count = (value: number, noun: string) => `${number(value)} ${noun}${value === 1 ? '' : 's'}`

const rowsIn = (manifest: Manifest) => manifest.tables.reduce((sum, { rows }) => sum + rows, 0)

const summaryOf = (manifest: Manifest) => {
  const { name, created_at, release, files } = manifest
  return {
    name,
    created_at,
    release,
    rows: rowsIn(manifest),
    files: files.count,
    file_bytes: files.content_bytes,
    new_files: files.added,
    new_file_bytes: files.added_bytes,
    removed_files: files.removed,
    lost_files: files.lost,
    has_secret_key: manifest.secret_keys !== null,
  }
}

/** `writesWaitedMs`: of a cluster. */
function madeReport(target: BackupTarget, manifest: Manifest, writesWaitedMs: number | undefined): VerbOutput {
  const { name, files } = manifest
  return {
    json: {
      ...summaryOf(manifest),
      encrypted: target.encrypted,
      ...(writesWaitedMs === undefined ? {} : { writes_waited_ms: writesWaitedMs }),
    },
    text: [
      `backup ${name} in ${target.place}: ${count(rowsIn(manifest), 'row')}, ${count(files.count, 'file')} (${byteSize(files.content_bytes)}), of which ${count(files.added, 'file')} (${byteSize(files.added_bytes)}) are new`,
      ...(files.lost.length > 0
        ? [`${count(files.lost.length, 'file')} that records name were not in the file store: ${files.lost.join(', ')}`]
        : []),
      ...(writesWaitedMs === undefined ? [] : [`writes waited for ${number(writesWaitedMs)} ms`]),
      ...(target.encrypted ? [] : ['not encrypted: set BACKUP_KEY, or use --key-file']),
      ...(manifest.secret_keys === null
        ? [
            'without the secret key: keep SECRET_KEY or DATA_DIR/secret.key elsewhere, the backup cannot be used without it',
          ]
        : []),
    ].join('\n'),
  }
}
