import type { ApplicationStatus } from '../../src/contract/application-status.ts'
import type { Blobs } from '../../src/kernel/blobs/blobs.ts'
import type { Database, Transaction } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import type { Outbox } from '../../src/kernel/mail/outbox.ts'
import type { Log } from '../../src/kernel/telemetry/log.ts'
import { createPeople, type Person, plain, type Wanted } from '../people.ts'
import type { Random } from '../random.ts'

export interface OwnJob {
  id: string
  occupation: string
  status: 'draft' | 'published' | 'closed'
  salary: number
}

export interface OwnApplication {
  id: string
  jobId: string
  applicantId: string
  stageId: string | null
  status: ApplicationStatus
  person: Person
  /** where the applicant moved to, in this run */
  city?: string
}

export interface OwnList {
  id: string
  members: { id: string; profileId: string; stage: string | null }[]
}

export interface OwnProfile {
  id: string
  externalId: string
  person: Person
  months: number
  revealed: boolean
}

/** Every handle carries enough chance in its last letters for an email address that no one else has. */
const SUFFIX_LETTERS = 8
const PEOPLE_OF_A_SEED = 10_000

/**
 * A workspace in which things happen. Operations add to the records they find, in a demo workspace; what they change,
 * end, delete or erase they made themselves, in this run: no one's work is at risk, in any workspace.
 */
export class Scene {
  readonly db: Database
  readonly blobs: Blobs
  readonly outbox: Outbox
  readonly log: Log
  readonly workspace: string
  /** whether new applications may go to jobs that this run did not make */
  readonly isDemo: boolean
  /** the one job that everything is about, where it was named */
  readonly onlyJob: string | undefined
  readonly random: Random
  readonly jobs: OwnJob[] = []
  readonly applications: OwnApplication[] = []
  readonly lists: OwnList[] = []
  readonly profiles: OwnProfile[] = []
  readonly #subject: string
  #people = createPeople('activity')
  #drawn = 0

  constructor(of: {
    db: Database
    blobs: Blobs
    outbox: Outbox
    log: Log
    workspace: string
    isDemo: boolean
    onlyJob?: string | undefined
    random: Random
    subject: string
  }) {
    this.db = of.db
    this.blobs = of.blobs
    this.outbox = of.outbox
    this.log = of.log
    this.workspace = of.workspace
    this.isDemo = of.isDemo
    this.onlyJob = of.onlyJob
    this.random = of.random
    this.#subject = of.subject
  }

  /** Changes of the product: no key of the API is their origin. */
  get actor(): { workspace: string; originKeyId: null } {
    return { workspace: this.workspace, originKeyId: null }
  }

  change<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.db.transaction(work)
  }

  /** A new person: the name may have been used before, the email address and URLs have not. */
  person(wanted: Wanted = {}): Person {
    if (this.#drawn++ % PEOPLE_OF_A_SEED === 0) this.#people = createPeople(`${this.#subject} ${this.#drawn}`)
    const person = this.#people.next(wanted)
    const slug = `${plain(person.first)}-${plain(person.last)}-${unique()}`
    return {
      ...person,
      slug,
      email: `${slug}@mailbox.example`,
      linkedinUrl: `https://www.linkedin.com/in/${slug}`,
      linkedinKey: `linkedin.com/in/${slug}`,
    }
  }

  /** Published jobs of the workspace that take applications on this site; in order, so that a choice can be repeated. */
  async openJobs(only = this.onlyJob): Promise<string[]> {
    const rows = await this.db.query(sql<{ id: string }>`
      select id from jobs
      where workspace_id = ${this.workspace} and status = 'published' and accept_applications
        and external_apply_url is null and (close_at is null or close_at > app_now() + interval '1 hour')
        and (${only ?? null}::text is null or id = ${only ?? null})
      order by created_at, id limit 100`)
    return rows.map(row => row.id)
  }
}

export const unique = (): string => newHandle('upload').slice(-SUFFIX_LETTERS)

/** One of those that fit, or a new one. */
export async function pickOne<T>(
  scene: Scene,
  all: readonly T[],
  fits: (one: T) => boolean,
  make: () => Promise<T>,
): Promise<T> {
  const fitting = all.filter(fits)
  return fitting.length > 0 ? scene.random.pick(fitting) : make()
}

/** What an operation did: the record that its event is about, and every handle that a reader may want to look at. */
export interface Done {
  id: string
  handles: Readonly<Record<string, string>>
}

export interface Operation {
  description: string
  run: (scene: Scene) => Promise<Done>
}
