import { OPEN_STATUSES } from '../../../src/contract/application-status.ts'
import type { ApiError } from '../../ui/api.ts'
import { type Read, read } from '../api.ts'
import type { LiveEvent } from '../live.ts'
import { type BoardCard, type BoardSort, CardList } from './card-list.ts'
import type { Target } from './changes.ts'

/** A column shows about ten cards; the table about twenty rows. */
const PAGE_ROWS = 50
const MAX_ROWS = 200
/** Events of one moment are read together. */
const COLLECT_MS = 120
/** Also the most ids in one request. */
const IDS_PER_REQUEST = 50

/** The list of the table; those of a board are named by their stage. */
export const TABLE = ''

type Cards = Read<'/jobs/{job_id}/board/cards'>
export type Board = Read<'/jobs/{job_id}/board'>

export type BoardQuery = Readonly<Record<string, string>>

/** Why nothing may move on the whole board: a card is dragged or carried, a dialog is open, candidates are selected. */
export type Hold = 'carry' | 'dialog' | 'selection'

/**
 * What the board of a job shows: counts, and the cards that are read. What others change is read again by its handle; a list
 * that the reader points at keeps the positions of its cards until they look elsewhere, and so does every list while the
 * reader decides about candidates.
 */
export class BoardReader {
  readonly jobId: string
  readonly query: BoardQuery
  readonly isTable: boolean
  board: Board | undefined
  error: ApiError | undefined
  readonly cards = new Map<string, BoardCard>()
  readonly lists = new Map<string, CardList>()
  /** changes on their way, by application */
  readonly pending = new Map<string, number>()
  /** so much changed, while the reader decides, that all of it is read afterwards */
  isOutdated = false
  protected readonly changed = new Set<string>()
  #draw: () => void = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined
  #round = 0
  readonly #holds = new Set<Hold>()

  constructor(jobId: string, query: BoardQuery, isTable: boolean) {
    this.jobId = jobId
    this.query = query
    this.isTable = isTable
  }

  /** Calls `draw` after each change, until it is stopped. */
  start(draw: () => void): () => void {
    this.#draw = draw
    void this.reload()
    return () => {
      this.#draw = () => {}
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#holds.clear()
      this.isOutdated = false
      for (const key of this.lists.keys()) this.release(key)
    }
  }

  draw(): void {
    this.#draw()
  }

  list(key: string): CardList {
    const list = this.lists.get(key) ?? new CardList(this.sort)
    this.lists.set(key, list)
    return list
  }

  get sort(): BoardSort | undefined {
    return this.query['sort'] as BoardSort | undefined
  }

  get isReady(): boolean {
    return this.board !== undefined && [...this.lists.values()].every(list => list.loaded || list.error)
  }

  /** Which list shows a card; undefined where the filters leave it out. */
  keyOf(card: Target): string | undefined {
    const statuses: readonly string[] = this.query['status']?.split(',') ?? OPEN_STATUSES
    if (!statuses.includes(card.status)) return undefined
    return this.isTable ? TABLE : card.stage_id
  }

  /** None before the board is read. */
  get stages(): Board['stages'] {
    return this.board?.stages ?? []
  }

  stageName(id: string): string {
    return this.stages.find(stage => stage.id === id)?.name ?? 'another stage'
  }

  /** Everything that is shown, as it is now. */
  async reload(): Promise<void> {
    const round = ++this.#round
    this.isOutdated = false
    try {
      const board = await read('/jobs/{job_id}/board', { ...this.query, job_id: this.jobId })
      if (round !== this.#round) return
      this.board = board
      this.error = undefined
    } catch (error) {
      this.error = error as ApiError
      return this.#draw()
    }
    const keys = this.isTable ? [TABLE] : this.board.stages.map(stage => stage.id)
    for (const key of [...this.lists.keys()]) if (!keys.includes(key)) this.lists.delete(key)
    for (const key of keys) this.list(key)
    this.#draw()
    await Promise.all(keys.map(key => this.#reloadList(key, round)))
  }

  async #reloadList(key: string, round: number): Promise<void> {
    const list = this.list(key)
    const stage = this.stages.find(({ id }) => id === key)
    if (stage?.count === 0) {
      Object.assign(list, { ids: [], next: null, loaded: true, loading: false, error: undefined })
      return this.#draw()
    }
    const wanted = Math.max(PAGE_ROWS, list.ids.length)
    const rows: BoardCard[] = []
    let next: string | null = null
    list.loading = true
    try {
      do {
        const limit = Math.min(MAX_ROWS, wanted - rows.length)
        const page: Cards = await this.#readCards(key, { limit, ...(next ? { cursor: next } : {}) })
        if (round !== this.#round) return
        rows.push(...page.data)
        next = page.next_cursor
      } while (next !== null && rows.length < wanted)
    } catch (error) {
      Object.assign(list, { loading: false, error })
      return this.#draw()
    }
    for (const card of rows) if (!this.pending.has(card.id)) this.cards.set(card.id, card)
    const ids = rows.filter(card => !this.pending.has(card.id)).map(({ id }) => id)
    Object.assign(list, { ids, next, loaded: true, loading: false, error: undefined })
    list.left.clear()
    list.waiting.clear()
    for (const id of this.pending.keys()) {
      const card = this.cards.get(id)
      if (card && this.keyOf(card) === key) list.insert(card, this.cards)
    }
    this.#draw()
  }

  #readCards(key: string, more: Readonly<Record<string, string | number>>): Promise<Cards> {
    const stage = key === TABLE ? {} : { stage_id: key }
    return read('/jobs/{job_id}/board/cards', { ...this.query, ...stage, ...more, job_id: this.jobId })
  }

  async loadMore(key: string): Promise<void> {
    const list = this.list(key)
    const cursor = list.next
    if (cursor === null || list.loading) return
    const round = this.#round
    Object.assign(list, { loading: true, error: undefined })
    this.#draw()
    try {
      const page = await this.#readCards(key, { limit: this.isTable ? 100 : PAGE_ROWS, cursor })
      if (round !== this.#round) return
      for (const card of page.data) {
        if (this.pending.has(card.id)) continue
        this.cards.set(card.id, card)
        list.insert(card, this.cards)
      }
      Object.assign(list, { next: page.next_cursor, loading: false })
    } catch (error) {
      if (round !== this.#round) return
      // the board was open for so long that its cursors are no longer valid
      if ((error as ApiError).code === 'invalid_cursor') return this.#reloadList(key, round)
      const isEnd = (error as ApiError).code === 'result_window_exceeded'
      Object.assign(list, isEnd ? { loading: false, next: null } : { loading: false, error })
    }
    this.#draw()
  }

  // What others change

  onEvent({ data: { object } }: LiveEvent): void {
    if (object.job_id !== undefined && object.job_id !== this.jobId) return
    // stages, title or status
    if (object.object === 'job' && object.id === this.jobId) return void this.#rereadBoard().catch(() => {})
    const id = object.object === 'application' ? object.id : (object.application_id ?? this.#cardOfOrder(object.id))
    if (id === undefined) return
    // an event without a job: only what is shown can matter
    if (object.job_id === undefined && !this.cards.has(id)) return
    this.changed.add(id)
    this.readChangedSoon()
  }

  /** Events of an order name it alone, but for the first. */
  #cardOfOrder(order: string): string | undefined {
    for (const { id, check } of this.cards.values()) if (check?.id === order) return id
    return undefined
  }

  protected readChangedSoon(): void {
    this.#timer ??= setTimeout(() => this.#readChanged(), COLLECT_MS)
  }

  /** More has changed than can be read one by one: everything is read, but not while the reader decides. */
  reloadSoon(): void {
    const isHeld = this.#holds.size > 0 || [...this.lists.values()].some(({ held }) => held)
    if (!isHeld) return void this.reload()
    this.isOutdated = true
    this.#draw()
  }

  /** Only other stages make other lists. */
  async #rereadBoard(): Promise<void> {
    const stagesOf = (board: Board | undefined) => JSON.stringify(board?.stages.map(({ id }) => id))
    const before = stagesOf(this.board)
    await this.recount()
    if (stagesOf(this.board) !== before) this.reloadSoon()
  }

  async #readChanged(): Promise<void> {
    this.#timer = undefined
    // a change of the reader's own is read when the service has decided on it
    const ids = [...this.changed].filter(id => !this.pending.has(id))
    for (const id of ids) this.changed.delete(id)
    if (ids.length > 4 * IDS_PER_REQUEST) return this.reloadSoon()
    try {
      for (let at = 0; at < ids.length; at += IDS_PER_REQUEST) await this.refresh(ids.slice(at, at + IDS_PER_REQUEST))
      await this.recount()
    } catch {
      // the next event, or the reader, tries again; what is shown is as old as before
    }
  }

  /** Reads cards again and puts them where they belong now. Returns those that the filters show. */
  protected async refresh(ids: readonly string[]): Promise<ReadonlyMap<string, BoardCard>> {
    if (ids.length === 0) return new Map()
    const { data } = await read('/jobs/{job_id}/board/cards', { ...this.query, ids: ids.join(','), job_id: this.jobId })
    const found = new Map(data.map(card => [card.id, card]))
    for (const id of ids) {
      if (this.pending.has(id)) continue
      const card = found.get(id)
      if (card) this.cards.set(id, card)
      this.place(id, card && this.keyOf(card), { gently: true })
    }
    this.#draw()
    return found
  }

  protected async recount(): Promise<void> {
    if (this.pending.size > 0) return
    const round = this.#round
    const board = await read('/jobs/{job_id}/board', { ...this.query, job_id: this.jobId })
    if (round !== this.#round || this.pending.size > 0) return
    this.board = board
    this.#draw()
  }

  /** Puts a card into a list and takes it out of the others. `gently`: nothing moves where the reader points. */
  protected place(id: string, wanted: string | undefined, { gently }: { gently: boolean }): void {
    const card = this.cards.get(id)
    const isHeld = (list: CardList) => list.held || this.#holds.size > 0
    for (const [key, list] of this.lists) {
      if (key === wanted && card) {
        list.left.delete(id)
        if (list.ids.includes(id)) continue
        if (gently && !list.reaches(card, this.cards)) continue
        if (gently && isHeld(list)) list.waiting.add(id)
        else list.insert(card, this.cards)
      } else if (gently && isHeld(list) && list.ids.includes(id)) list.left.add(id)
      else list.remove(id)
    }
  }

  /** The reader points at a list. */
  hold(key: string): void {
    this.list(key).held = true
  }

  release(key: string): void {
    const list = this.list(key)
    list.held = false
    if (this.#holds.size > 0) return
    if (this.isOutdated) this.reloadSoon()
    if (list.left.size === 0 && list.waiting.size === 0) return
    this.#settle(list)
    this.#draw()
  }

  /** While there is a reason, the reader points at every list. What others do is shown after the last one is gone. */
  freeze(reason: Hold, isFrozen: boolean): void {
    if (isFrozen) return void this.#holds.add(reason)
    if (!this.#holds.delete(reason) || this.#holds.size > 0) return
    for (const [key, { held }] of this.lists) if (!held) this.release(key)
  }

  /** Shows what has changed in a list that is held. */
  showWaiting(key: string): void {
    this.#settle(this.list(key))
    this.#draw()
  }

  #settle(list: CardList): void {
    for (const id of [...list.left]) list.remove(id)
    for (const id of list.waiting) {
      const card = this.cards.get(id)
      if (card) list.insert(card, this.cards)
    }
    list.waiting.clear()
  }
}
