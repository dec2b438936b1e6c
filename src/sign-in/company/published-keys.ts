import type { JSONWebKeySet } from 'jose'
import { deleteOldest } from '../../kernel/async/delete-oldest.ts'
import { DatastoreUnavailable } from '../../kernel/db/database.ts'
import { clock } from '../../kernel/time/clock.ts'
import type { CompanySignInRow } from '../../resources/company-sign-in/index.ts'
import { discoverProvider, type Needs, readKeys, translateFailures } from './provider.ts'

/** A key that the provider withdrew is accepted for so long. */
const AGE_MS = 300_000
/** A token can name a key that is not known here: so often the provider is asked whether it has a new one. */
const UNKNOWN_MS = 60_000
/** After a failure: a provider that does not respond is not asked by every caller. */
const FAILED_MS = 10_000
const MAX_PROVIDERS = 500

export interface PublishedKeys {
  issuer: string
  keys: JSONWebKeySet
}

interface Entry {
  /** when the provider was asked for these keys, and for newer ones */
  at: number
  askedAt: number
  failed: boolean
  published: Promise<PublishedKeys>
}

/**
 * The keys of providers, for messages that anyone can send: whatever they contain, a provider is asked for its configuration
 * and its keys at most once a minute by each process, and after a failure at most every ten seconds.
 */
export class PublishedKeysCache {
  readonly #services: Needs
  /** by issuer; the one that was read first is the first */
  readonly #entries = new Map<string, Entry>()

  constructor(services: Needs) {
    this.#services = services
  }

  read(row: CompanySignInRow): Promise<PublishedKeys> {
    const entry = this.#entries.get(row.issuer)
    if (entry && isYounger(entry.at, entry.failed ? FAILED_MS : AGE_MS)) return entry.published
    return this.#fetch(row)
  }

  /** For a token whose key is not among them. Undefined: they are as new as they can be. */
  readAgain(row: CompanySignInRow): Promise<PublishedKeys> | undefined {
    const entry = this.#entries.get(row.issuer)
    return entry && isYounger(entry.askedAt, UNKNOWN_MS) ? undefined : this.#fetch(row, entry)
  }

  #fetch(row: CompanySignInRow, previous?: Entry): Promise<PublishedKeys> {
    const published = translateFailures('metadata_invalid', async () => {
      const provider = await discoverProvider(this.#services, row)
      return { issuer: provider.config.serverMetadata().issuer, keys: await readKeys(this.#services, provider) }
    })
    const now = clock.now()
    const entry: Entry = { at: now, askedAt: now, failed: false, published }
    published.catch(error => {
      entry.failed = true
      if (this.#entries.get(row.issuer) !== entry) return
      // keys that are known stay valid although newer ones could not be read
      if (previous && !previous.failed) this.#entries.set(row.issuer, { ...previous, askedAt: now })
      else if (error instanceof DatastoreUnavailable) this.#entries.delete(row.issuer)
    })
    this.#entries.delete(row.issuer)
    this.#entries.set(row.issuer, entry)
    if (this.#entries.size > MAX_PROVIDERS) deleteOldest(this.#entries)
    return published
  }
}

/** A time in the future is of a clock that was set back. */
const isYounger = (at: number, ms: number): boolean => clock.now() >= at && clock.now() < at + ms
