import { type Core, type Query, type RequestOptions, randomKey } from './core.ts'
import { ApiConnectionError, ApiError, ExportFailedError, FeedGapError, NotFoundError } from './errors.ts'
import { endOfFeed, type FeedEvent, type ReaderOptions, type TailOptions, tailPages, throughOutages } from './feed.ts'
import type { Checkpoint, StoredPosition } from './follow.ts'
import type {
  Applicant,
  Application,
  CandidateList,
  Export,
  Job,
  ListMembership,
  SourcedProfile,
  StageTransition,
  SuppressionPage,
} from './generated.ts'
import type { ListEnvelope } from './page.ts'

/** Where the record of an event is read, by the `object` of the event. */
const RECORDS: Readonly<Record<string, { resource: SyncResource; path: string }>> = {
  job: { resource: 'jobs', path: '/jobs' },
  application: { resource: 'applications', path: '/applications' },
  applicant: { resource: 'applicants', path: '/applicants' },
  sourced_profile: { resource: 'sourced_profiles', path: '/sourced-profiles' },
  list: { resource: 'lists', path: '/lists' },
}
const ROWS_PER_BATCH = 500
/** Records that are read at the same time. */
const READERS = 4
const EXPORT_POLL_MS = 1_000

/** The rows of each resource, as its single read shows them. */
export interface SyncRows {
  jobs: Job
  applications: Application
  applicants: Applicant
  sourced_profiles: SourcedProfile
  lists: CandidateList
  list_memberships: ListMembership
  stage_transitions: StageTransition & { application_id: string }
}

export type SyncResource = keyof SyncRows

/** Rows to insert, or to replace those with the same id by. Stage transitions have no id: their key is application and time. */
export type Upsert<Tx> = {
  [R in SyncResource]: {
    resource: R
    rows: SyncRows[R][]
    /** The full copy that the rows belong to. Store it with them if you use `prune`. */
    copy: string
    tx: Tx
  }
}[SyncResource]

export interface Removal<Tx> {
  resource: SyncResource
  /** Records to delete. Of stage transitions: the ids of their applications. */
  ids: string[]
  tx: Tx
}

export interface Prune<Tx> {
  resources: readonly SyncResource[]
  /** The copy that is complete: rows with another one no longer exist. */
  copy: string
  tx: Tx
}

export interface SyncOptions<Tx> extends ReaderOptions, Pick<TailOptions, 'pollMs' | 'once'> {
  resources: readonly SyncResource[]
  checkpoint: Checkpoint<Tx>
  upsert: (change: Upsert<Tx>) => void | Promise<void>
  remove: (change: Removal<Tx>) => void | Promise<void>
  /** Called at the end of every full copy, also of one that replaces an earlier copy after a gap. */
  prune?: (done: Prune<Tx>) => void | Promise<void>
  /** Called with the events of a page, in the transaction of their changes. */
  events?: (events: FeedEvent[], tx: Tx) => void | Promise<void>
}

/** A row of any resource, on its way. */
// biome-ignore lint/suspicious/noExplicitAny: its fields are not looked at
type SyncRow = Record<string, any>

interface SyncState {
  [name: string]: unknown
  resources: readonly SyncResource[]
  /** the copy that the rows belong to; absent until the export is ready */
  copy?: string
  /** The export request's key is stored before it is sent: a process that is killed finds the same export again. */
  key?: string
  export?: string
  asOf?: number
  /** how much of the files is stored */
  file?: number
  rows?: number
}

const nothing = () => {}

/** A full copy and then every change, as one: an export, the feed from its position, and a new export after a gap. */
export async function sync<Tx>(core: Core, options: SyncOptions<Tx>): Promise<void> {
  const { signal, checkpoint, resources } = options
  try {
    let position = await checkpoint.load()
    while (!signal?.aborted) {
      const state = position?.sync as SyncState | undefined
      const isSame = state?.resources.join() === resources.join()
      const isCopied = isSame && state?.copy !== undefined && state.key === undefined
      position = isCopied ? position : await copy(core, options, isSame ? position : undefined)
      if (!position) continue // the export is gone: make another one
      try {
        await follow(core, options, position)
        return
      } catch (error) {
        if (!(error instanceof FeedGapError)) throw error
        position = undefined
      }
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

/** The requests of a sync, which are repeated for as long as an outage lasts. */
function requests(core: Core, options: ReaderOptions) {
  const repeat = <T>(call: () => Promise<T>): Promise<T> => throughOutages(core, options, call)
  const get: Get = (path, query) => repeat(() => core.request({ ...options, path, query: query ?? {} }))
  return { repeat, get }
}

type Get = <T>(path: string, query?: Query) => Promise<T>

/** Loads the files of an export, from where an earlier run stopped. Undefined if that export no longer exists. */
async function copy<Tx>(
  core: Core,
  options: SyncOptions<Tx>,
  earlier: StoredPosition | undefined,
): Promise<StoredPosition | undefined> {
  const { checkpoint, resources, upsert, prune, remove, events: _, ...request } = options
  const { repeat, get } = requests(core, request)
  const epoch = earlier?.epoch ?? (await repeat(() => endOfFeed(core, request))).epoch
  const before = earlier?.sync as SyncState | undefined
  const key = before?.key ?? randomKey()
  let state: SyncState = { ...before, key, resources }
  const save = (sync: SyncState, work: (tx: Tx) => void | Promise<void> = nothing) =>
    checkpoint.save({ after: 0, epoch, sync }, work)

  let exportId = state.export
  if (!exportId) {
    await save(state)
    const body = { resources, view: 'full' }
    const post = () => core.request<Export>({ ...request, method: 'POST', path: '/exports', body, idempotencyKey: key })
    exportId = (await repeat(post)).id
    state = { ...state, export: exportId }
    await save(state)
  }

  /** Reads the export for URLs that are valid now, and loads the rest of a file. */
  const step = async (): Promise<Export['status'] | 'loaded'> => {
    const made = await get<Export>(`/exports/${exportId}`).catch(ifGone)
    if (made?.status !== 'ready') return made?.status ?? 'expired'
    // an erasure replaces the files of an export: what was stored from the old ones belongs to another copy
    const asOf = made.as_of_sequence!
    const stored: SyncState = state.asOf === asOf ? state : { resources }
    const { copy = `${made.id}:${asOf}`, file: at = 0, rows: skip = 0 } = stored
    state = { ...state, asOf, copy, file: at, rows: skip }
    const file = made.files[at]
    if (!file) return 'loaded'
    let loaded = skip
    for await (const rows of rowsOf(core, file.url, skip, request)) {
      const next = { ...state, rows: loaded + rows.length }
      await save(next, tx => upsert({ resource: file.resource, rows, copy, tx } as unknown as Upsert<Tx>))
      state = next
      loaded = next.rows
      request.signal?.throwIfAborted()
    }
    state = { ...state, file: at + 1, rows: 0 }
    return 'ready'
  }
  for (;;) {
    const status = await repeat(step)
    if (status === 'loaded') break
    if (status === 'expired') return undefined
    if (status === 'failed') {
      await save({ resources }) // the next run makes another one
      throw new ExportFailedError(exportId)
    }
    if (status !== 'ready') await core.runtime.sleep(EXPORT_POLL_MS, request.signal)
  }
  const { copy: id, asOf } = state as Required<SyncState>
  const copied = { epoch, after: asOf, sync: { resources, copy: id } }
  const suppressed = await suppressedRecords(resources, get)
  await checkpoint.save(copied, async tx => {
    for (const [resource, { ids }] of suppressed) if (ids.length > 0) await remove({ resource, ids, tx })
    await prune?.({ resources, copy: id, tx })
  })
  return copied
}

/** Applies the changes after a position: reads each record that events name once for each page. */
async function follow<Tx>(core: Core, options: SyncOptions<Tx>, position: StoredPosition): Promise<void> {
  const { checkpoint, resources, upsert, remove, events, prune: _, ...tail } = options
  const { get } = requests(core, tail)
  const { copy } = position.sync as { copy: string }
  let stored = position.after
  for await (const page of tailPages(core, { ...tail, after: position.after, epoch: position.epoch })) {
    if (page.next_after === stored) continue
    const changes = await changesOf(page.data, resources, get)
    await checkpoint.save({ ...position, after: page.next_after }, async tx => {
      for (const [resource, { rows, ids }] of changes) {
        if (ids.length > 0) await remove({ resource, ids, tx })
        if (rows.length > 0) await upsert({ resource, rows, copy, tx } as unknown as Upsert<Tx>)
      }
      if (page.data.length > 0) await events?.(page.data, tx)
    })
    stored = page.next_after
  }
}

type Changes = Map<SyncResource, { rows: SyncRow[]; ids: string[] }>

const noChanges = (resources: readonly SyncResource[]): Changes =>
  new Map(resources.map(resource => [resource, { rows: [], ids: [] }]))

/** A record is gone, or must not be stored any more. Transitions go with their application. */
function removeRecord(changes: Changes, object: string, id: string): void {
  const resource = object === 'list_membership' ? 'list_memberships' : RECORDS[object]?.resource
  if (resource) changes.get(resource)?.ids.push(id)
  if (object === 'application') changes.get('stage_transitions')?.ids.push(id)
}

/**
 * What the events change, with the state of each record as it is now: events are thin, and a later one may have changed
 * the record again.
 */
async function changesOf(events: readonly FeedEvent[], resources: readonly SyncResource[], get: Get): Promise<Changes> {
  const changes = noChanges(resources)
  /** by record, so that each is read once and the last event decides */
  const tasks = new Map<string, () => void | Promise<void>>()
  for (const { type, data } of events) {
    const { object, id, application_id, subjects, sourced_profile_id } = data.object as ThinRecord
    if (subjects) {
      for (const subject of subjects) {
        tasks.set(`${subject.object} ${subject.id}`, () => removeRecord(changes, subject.object, subject.id))
      }
    } else if (type.endsWith('.deleted') || type.endsWith('.removed')) {
      tasks.set(`${object} ${id}`, () => removeRecord(changes, object, id))
    } else if (object === 'resume') {
      tasks.set(`application ${application_id}`, () => readRecord(changes, 'application', application_id!, get))
    } else {
      tasks.set(`${object} ${id}`, () => readRecord(changes, object, id, get, sourced_profile_id))
    }
  }
  const waiting = [...tasks.values()]
  const work = async () => {
    for (let task = waiting.shift(); task; task = waiting.shift()) await task()
  }
  await Promise.all(Array.from({ length: READERS }, work))
  return changes
}

async function readRecord(changes: Changes, object: string, id: string, get: Get, profile?: string): Promise<void> {
  const record = RECORDS[object]
  const own = record && changes.get(record.resource)
  if (own) {
    const row = await get<SyncRow>(`${record.path}/${id}`).catch(ifGone)
    // your copy of a person who asked that processing stop must be deleted, while the service still shows the record
    if (!row || row['provenance']?.consent?.suppressed) return removeRecord(changes, object, id)
    own.rows.push(row)
  }
  const transitions = object === 'application' && changes.get('stage_transitions')
  if (transitions) {
    const rows = await allRows(get, `/applications/${id}/stage-transitions`)
    transitions.rows.push(...rows.map(row => ({ application_id: id, ...row })))
  }
  const memberships = object === 'list_membership' && changes.get('list_memberships')
  if (memberships) {
    const rows = await allRows(get, `/sourced-profiles/${profile}/list-memberships`)
    const row = rows.find(found => found['id'] === id)
    if (row) memberships.rows.push(row)
    else memberships.ids.push(id)
  }
}

/** All rows of a short list; none if the record that it belongs to is gone. */
async function allRows(get: Get, path: string): Promise<SyncRow[]> {
  const rows: SyncRow[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await get<ListEnvelope<SyncRow>>(path, { limit: 100, cursor }).catch(ifGone)
    rows.push(...(page?.data ?? []))
    cursor = page?.next_cursor ?? null
  }
  return rows
}

/** What events of the types that matter here carry. */
interface ThinRecord {
  object: string
  id: string
  application_id?: string
  sourced_profile_id?: string
  subjects?: { object: string; id: string }[]
}

/** Records of people who asked for erasure or that processing stop. An export can still have the latter. */
async function suppressedRecords(resources: readonly SyncResource[], get: Get): Promise<Changes> {
  const changes = noChanges(resources)
  for (let after = 0, more = true; more; ) {
    const page: SuppressionPage = await get('/suppressions', { after, limit: 100 })
    for (const { subjects } of page.data) for (const { object, id } of subjects) removeRecord(changes, object, id)
    after = page.next_after
    more = page.has_more
  }
  return changes
}

function ifGone(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error
}

/** The rows of an export file behind the first `skip`, a batch at a time. */
async function* rowsOf(core: Core, url: string, skip: number, options: RequestOptions): AsyncGenerator<SyncRow[]> {
  const file = await core.openUrl(url, options).catch(error => {
    // its 300 seconds are over: the next attempt has a new one
    if (error instanceof ApiError && error.status < 500)
      throw new ApiConnectionError('The URL has expired.', { cause: error })
    throw error
  })
  const lines = file.pipeThrough(new DecompressionStream('gzip')).getReader()
  const decoder = new TextDecoder()
  let rest = ''
  const batch: SyncRow[] = []
  let seen = 0
  try {
    for (;;) {
      const { value, done } = await lines.read().catch(error => {
        throw new ApiConnectionError('The download was cut.', { cause: error })
      })
      const parts = (rest + decoder.decode(value, { stream: !done })).split('\n')
      rest = parts.pop() ?? ''
      for (const line of parts) if (seen++ >= skip) batch.push(JSON.parse(line))
      while (batch.length >= ROWS_PER_BATCH || (done && batch.length > 0)) yield batch.splice(0, ROWS_PER_BATCH)
      if (done) return
    }
  } finally {
    await lines.cancel().catch(nothing)
  }
}
