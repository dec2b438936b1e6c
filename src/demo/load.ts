import { checksum, hashSecret } from '../kernel/access/key-format.ts'
import { runCooperatively } from '../kernel/async/cooperative.ts'
import type { Blobs } from '../kernel/blobs/blobs.ts'
import type { Keyring } from '../kernel/crypto/signing.ts'
import type { Database, Queryable } from '../kernel/db/database.ts'
import { LOCKS } from '../kernel/db/locks.ts'
import { sql } from '../kernel/db/sql.ts'
import { appendEvents } from '../kernel/feed/append.ts'
import type { Log } from '../kernel/telemetry/log.ts'
import { clock } from '../kernel/time/clock.ts'
import { indexPoolProfiles, type StoredPoolProfile } from '../resources/pool/actions.ts'
import { giveOwnerPassword } from './sign-in.ts'
import { type Story, tellStory } from './story.ts'

export interface DemoSummary {
  workspaces: { id: string; name: string; plan: string | null }[]
  counts: Record<string, number>
  milliseconds: number
}

/** Enough to keep the disk busy, few enough for a store that answers over the network. */
const FILES_AT_ONCE = 16

/**
 * Fills an empty store with three workspaces. All rows are one transaction, and the files are written before it is
 * committed: a process that dies on the way leaves an empty store. Of processes that start together one loads; the
 * others wait for it and find the store filled. Answers undefined if the store holds a workspace.
 */
export async function loadDemo(deps: {
  db: Database
  blobs: Blobs
  keyring: Keyring
  log: Log
}): Promise<DemoSummary | undefined> {
  const { db, blobs, keyring, log } = deps
  const started = clock.monotonic()
  if (await hasWorkspaces(db)) return undefined
  const now = await db.now()
  const story = await db.transaction(async tx => {
    await tx.query(sql`select pg_advisory_xact_lock(${LOCKS.demoData})`)
    if (await hasWorkspaces(tx)) return undefined
    const told = await runCooperatively(tellStory(now, demoSecret(keyring)))
    const rows = told.draft
      .insert(tx)
      .then(() => indexPoolProfiles(tx, findable(told)))
      .then(() => appendEvents(tx, told.events))
      .then(() => giveOwnerPassword(tx, keyring))
    // Both to their end before either is given up: nothing may go on behind a transaction that was rolled back.
    const [inserted, written] = await Promise.allSettled([rows, writeFiles(blobs, told)])
    if (inserted.status === 'fulfilled' && written.status === 'fulfilled') return told
    await removeFiles(blobs, told).catch(error => log.warn({ err: error }, 'files of the demo data were left behind'))
    throw inserted.status === 'rejected' ? inserted.reason : (written as PromiseRejectedResult).reason
  })
  if (!story) return undefined
  const counts: Record<string, number> = {
    ...story.draft.counts(),
    events: story.events.length,
    files: story.draft.files.length,
  }
  const milliseconds = Math.round(clock.monotonic() - started)
  log.info({ milliseconds, files: counts['files'], applications: counts['applications'] }, 'demo data loaded')
  return { workspaces: story.workspaces.map(({ id, name, plan }) => ({ id, name, plan })), counts, milliseconds }
}

/** People whose processing was stopped are in no search. */
const findable = ({ draft }: Story) =>
  draft.rows('pool_profiles').filter(row => row['suppressed_at'] === null) as unknown as StoredPoolProfile[]

async function hasWorkspaces(db: Queryable): Promise<boolean> {
  return (await db.one(sql`select 1 from workspaces limit 1`)) !== undefined
}

async function writeFiles(blobs: Blobs, { draft }: Story): Promise<void> {
  const waiting = [...draft.files]
  const write = async () => {
    for (let file = waiting.pop(); file; file = waiting.pop()) {
      const { key, body, contentType } = file
      try {
        await blobs.put(key, body, { contentType, bytes: body.length })
      } catch (error) {
        waiting.length = 0
        throw error
      }
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: FILES_AT_ONCE }, write))
  const failed = outcomes.find(outcome => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

async function removeFiles(blobs: Blobs, { workspaces }: Story): Promise<void> {
  for (const { id } of workspaces) {
    await blobs.removeAll(`resumes/${id}/`)
    await blobs.removeAll(`attachments/${id}/`)
  }
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 43

/** The secret of the demo key: derived from the installation's secret key, so that it can be shown again. */
export function demoSecret(keyring: Keyring): string {
  let characters = ''
  for (let i = 1; characters.length < RANDOM_LENGTH; i++) {
    // 248 is the largest multiple of 62 in a byte: leaving out the rest keeps all characters equally likely
    for (const byte of keyring.sign('check', `demo key ${i}`)) if (byte < 248) characters += BASE62[byte % 62]!
  }
  const body = `svc_test_${characters.slice(0, RANDOM_LENGTH)}`
  return body + checksum(body)
}

/** Whether the demo key is in this store and can be used. */
export async function demoKeyExists(db: Database, keyring: Keyring): Promise<boolean> {
  const row = await db.one(sql`
    select 1 from api_key_secrets s
    join api_keys k on k.workspace_id = s.workspace_id and k.id = s.key_id
    where s.secret_hash = ${hashSecret(demoSecret(keyring))}
      and (s.expires_at is null or s.expires_at > app_now())
      and (k.expires_at is null or k.expires_at > app_now())
      and k.revoked_at is null`)
  return row !== undefined
}

/** The workspace that the demo key is of. */
export async function demoWorkspace(db: Database, keyring: Keyring): Promise<string | undefined> {
  const row = await db.one(sql<{ workspace_id: string }>`
    select workspace_id from api_key_secrets where secret_hash = ${hashSecret(demoSecret(keyring))}`)
  return row?.workspace_id
}
