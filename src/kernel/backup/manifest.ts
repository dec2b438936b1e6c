import { text } from 'node:stream/consumers'
import { sha256 } from '../crypto/signing.ts'
import { UserError } from '../errors/user-error.ts'
import { damaged } from './frames.ts'
import { type BackupTarget, bufferStream, type StoredFile } from './target.ts'

/** The manifest lists the parts of a backup. */
export interface Manifest {
  format: 1
  name: string
  /** the moment of the snapshot, by the database's clock */
  created_at: string
  /** The release of the program that made the backup. */
  release: string
  /** Identifies the installation; a copy that was restored has the same. */
  installation: string
  migrations: { version: number; name: string; hash: string }[]
  tables: (StoredFile & { name: string; columns: string[]; rows: number })[]
  sequences: { name: string; value: number; called: boolean }[]
  files: StoredFile & {
    count: number
    content_bytes: number
    /** those that no earlier backup of this target has */
    added: number
    added_bytes: number
    /** named by rows of the snapshot, but not in the store: removed while the backup ran */
    removed: number
    /** the same, and a row still names them: they were lost before */
    lost: string[]
  }
  /** what the installation's secret key signs; another key does not fit to this database */
  secret_checks: string[]
  /** hexadecimal; null: it is not in this backup */
  secret_keys: string[] | null
}

const FORMAT = 1
const PREFIX = 'manifests/'
/** A manifest has some hundred lines; the list of files is not in it. */
const MAX_BYTES = 16 * 1024 ** 2

/** Names of the complete backups, oldest first. */
export async function backupNames(target: BackupTarget): Promise<string[]> {
  const names: string[] = []
  for await (const key of target.list(PREFIX)) names.push(key.slice(PREFIX.length))
  return names.sort()
}

/** The last file of a backup: with it the backup exists. */
export async function writeManifest(target: BackupTarget, manifest: Manifest): Promise<void> {
  const body = JSON.stringify(manifest, null, 1)
  const digest = sha256(body).toString('hex')
  await target.put(PREFIX + manifest.name, bufferStream([Buffer.from(`${body}\n${digest}\n`)]))
}

export async function readManifest(target: BackupTarget, name: string): Promise<Manifest> {
  const place = PREFIX + name
  const stored = /^[A-Za-z0-9-]{1,60}$/.test(name) ? await target.get(place) : undefined
  if (!stored) throw new UserError(`there is no backup ${name} in ${target.place}`)
  const [body, digest] = splitDigest(await text(limited(place, stored)))
  if (body === undefined || sha256(body).toString('hex') !== digest) throw damaged(place)
  const manifest = JSON.parse(body) as Manifest
  if (manifest.format !== FORMAT)
    throw new UserError(`the backup ${name} has a format of a newer release: use that release`)
  // it was stored under this name: one that was renamed is another backup
  if (manifest.name !== name) throw damaged(place)
  return manifest
}

function splitDigest(whole: string): [string | undefined, string | undefined] {
  const at = whole.lastIndexOf('\n', whole.length - 2)
  return at < 0 ? [undefined, undefined] : [whole.slice(0, at), whole.slice(at + 1, -1)]
}

export const removeManifest = (target: BackupTarget, name: string): Promise<void> => target.remove(PREFIX + name)

/** Reads the manifest of the newest backup, or of the one with this name. */
export async function chooseManifest(target: BackupTarget, name: string | undefined): Promise<Manifest> {
  const newest = name ?? (await backupNames(target)).at(-1)
  if (newest === undefined) throw new UserError(`there is no backup in ${target.place}`)
  return readManifest(target, newest)
}

async function* limited(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw damaged(name)
    yield chunk
  }
}
