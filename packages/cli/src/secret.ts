import { createHmac, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from './command.ts'
import { environment } from './environment.ts'

export interface SigningSecret {
  secret: string
  from: 'given' | 'machine' | 'this run'
}

const SEED_BYTES = 32

/**
 * The secret that deliveries are signed with: the given one, or one derived from the API key and a random seed of this
 * machine. So a receiver is configured once, and the secret reveals nothing about the key. Where the seed cannot be
 * stored, the secret is new in each run.
 */
export async function signingSecret(given: string | undefined, apiKey: string): Promise<SigningSecret> {
  if (given !== undefined) {
    if (!/^[\x21-\x7e]{8,255}$/.test(given)) {
      throw new CommandError('the signing secret must have 8 to 255 characters of ASCII, without spaces')
    }
    return { secret: given, from: 'given' }
  }
  const seed = await machineSeed().catch(() => undefined)
  const digest = createHmac('sha256', seed ?? randomBytes(SEED_BYTES))
    .update(`listen ${apiKey}`)
    .digest('base64')
  return { secret: `whsec_${digest}`, from: seed ? 'machine' : 'this run' }
}

async function machineSeed(): Promise<Buffer> {
  const folder = environment.folder()
  const path = join(folder, 'seed')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // fails if the file exists: of two first runs at the same time, both then read the same seed
  await writeFile(path, randomBytes(SEED_BYTES).toString('hex'), { flag: 'wx', mode: 0o600 }).catch(() => {})
  const seed = Buffer.from((await readFile(path, 'utf8')).trim(), 'hex')
  if (seed.length !== SEED_BYTES) throw new Error('the seed is incomplete')
  return seed
}
