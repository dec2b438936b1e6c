import {
  type BoardCard,
  type BoardResponse,
  type ChangesResponse,
  MAX_CHANGES,
  OPEN_STATUSES,
} from '../../../src/hiring/api-types.ts'
import { ApiError, queryOf, read, send } from '../../ui/api.ts'
import type { LiveEvent } from '../live.ts'
import { CardList } from './card-list.ts'
import { afterChange, type ChangeOutcome, type WantedChange } from './changes.ts'

/** A column shows about ten cards; the table about twenty rows. */
const PAGE_ROWS = 50
const MOST_ROWS = 200
/** Events of one moment are read together. */
const COLLECT_MS = 120
/** Also the most ids in one request. */
const IDS_PER_REQUEST = 50
const REFUSED_MS = 4_000

/** The list of the table; those of a board are named by their stage. */
export const TABLE = ''

interface Cards {
  data: BoardCard[]
  next_cursor: string | null
}

export type BoardQuery = Readonly<Record<string, string>>

/**
 * What the board of a job shows: counts, the cards that are read, and changes on their way. Changes are drawn before the
 * service has confirmed them and are taken back if it refuses them. What others change is read again by its handle; a list
 * that the reader points at keeps the positions of its cards until they look elsewhere.
 */
export class BoardStore {
  readonly jobId: string
  readonly query: BoardQuery
  readonly isTable: boolean
  board: BoardResponse | undefined
  error: ApiError | undefined
  readonly cards = new Map<string, BoardCard>()
  readonly lists = new Map<string, CardList>()
  readonly selected = new Set<string>()
  /** changes on their way, by application */
  readonly pending = new Map<string, number>()
  /** taken back a moment ago */
  readonly refused = new Set<string>()
  progress: { done: number; total: number } | undefined
  /** the card that the keyboard is at */
  focused: string | undefined
  /** gets the focus as soon as it is drawn */
  wantsFocus: string | undefined
  #draw: () => void = () => {}
  #changed = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #round = 0
  #frozen = false

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
      this.#frozen = false
      for (const key of this.lists.keys()) this.release(key)
    }
  }

  draw(): void {
    this.#draw()
  }

  list(key: string): CardList {
    const list = this.lists.get(key) ?? new CardList()
    this.lists.set(key, list)
    return list
  }

  get isReady(): boolean {
    return this.board !== undefined && [...this.lists.values()].every(list => list.loaded || list.error)
  }

  /** Which list shows a card; undefined where the filters leave it out. */
  keyOf(card: BoardCard): string | undefined {
    const statuses: readonly string[] = this.query['status']?.split(',') ?? OPEN_STATUSES
    if (!statuses.includes(card.status)) return undefined
    return this.isTable ? TABLE : card.stage_id
  }

  stageName(id: string): string {
    return this.board?.stages.find(stage => stage.id === id)?.name ?? 'another stage'
  }

  /** Everything that is shown, as it is now. */
  async reload(): Promise<void> {
    const round = ++this.#round
    try {
      const board = await read<BoardResponse>(`/jobs/${this.jobId}/board${queryOf(this.query)}`)
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
    const stage = this.board?.stages.find(({ id }) => id === key)
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
        const limit = Math.min(MOST_ROWS, wanted - rows.length)
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
    return read(`/jobs/${this.jobId}/board/cards${queryOf({ ...this.query, ...stage, ...more })}`)
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
    if (object.object === 'job' && object.id === this.jobId) return void this.reload()
    const id = object.object === 'application' ? object.id : object.application_id
    if (id === undefined) return
    // an event without a job: only what is shown can matter
    if (object.job_id === undefined && !this.cards.has(id)) return
    this.#changed.add(id)
    this.#timer ??= setTimeout(() => this.#readChanged(), COLLECT_MS)
  }

  async #readChanged(): Promise<void> {
    this.#timer = undefined
    // a change of the reader's own is read when the service has decided on it
    const ids = [...this.#changed].filter(id => !this.pending.has(id))
    for (const id of ids) this.#changed.delete(id)
    if (ids.length > 4 * IDS_PER_REQUEST) return this.reload()
    try {
      for (let at = 0; at < ids.length; at += IDS_PER_REQUEST) await this.#refresh(ids.slice(at, at + IDS_PER_REQUEST))
      await this.#recount()
    } catch {
      // the next event, or the reader, tries again; what is shown is as old as before
    }
  }

  /** Reads cards again and puts them where they belong now. */
  async #refresh(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const { data } = await read<Cards>(
      `/jobs/${this.jobId}/board/cards${queryOf({ ...this.query, ids: ids.join(',') })}`,
    )
    const found = new Map(data.map(card => [card.id, card]))
    for (const id of ids) {
      if (this.pending.has(id)) continue
      const card = found.get(id)
      if (card) this.cards.set(id, card)
      this.#place(id, card && this.keyOf(card), { gently: true })
    }
    this.#draw()
  }

  async #recount(): Promise<void> {
    if (this.pending.size > 0) return
    const round = this.#round
    const board = await read<BoardResponse>(`/jobs/${this.jobId}/board${queryOf(this.query)}`)
    if (round !== this.#round || this.pending.size > 0) return
    this.board = board
    this.#draw()
  }

  /** Puts a card into a list and takes it out of the others. `gently`: nothing moves where the reader points. */
  #place(id: string, wanted: string | undefined, { gently }: { gently: boolean }): void {
    const card = this.cards.get(id)
    const isHeld = (list: CardList) => list.held || this.#frozen
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
    if (wanted === undefined) this.selected.delete(id)
  }

  /** The reader points at a list. */
  hold(key: string): void {
    this.list(key).held = true
  }

  release(key: string): void {
    const list = this.list(key)
    list.held = false
    if (this.#frozen || (list.left.size === 0 && list.waiting.size === 0)) return
    this.#settle(list)
    this.#draw()
  }

  /** While a card is dragged or carried, the reader points at every list. */
  freeze(isFrozen: boolean): void {
    this.#frozen = isFrozen
    if (isFrozen) return
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

  // What the reader changes

  /**
   * Draws the changes and sends them, some at a time. One that is refused is taken back: the card is again where the service
   * says it is. If the service was not reached, what it has not confirmed is taken back, too.
   */
  async change(wanted: readonly WantedChange[]): Promise<ChangeOutcome> {
    const outcome: ChangeOutcome = { done: [], refused: [] }
    const now = new Date().toISOString()
    for (const { card, change } of wanted) {
      this.pending.set(card.id, (this.pending.get(card.id) ?? 0) + 1)
      this.#show(afterChange(card, change, now))
    }
    this.progress = wanted.length > MAX_CHANGES ? { done: 0, total: wanted.length } : this.progress
    this.#draw()
    const rest = [...wanted]
    try {
      while (rest.length > 0) {
        const batch = rest.slice(0, MAX_CHANGES)
        const changes = batch.map(({ card, change }) => ({
          id: card.id,
          ...change,
          expected: { stage_id: card.stage_id, status: card.status },
        }))
        const { results } = await send<ChangesResponse>('/applications/changes', { changes })
        rest.splice(0, batch.length)
        await this.#takeResults(batch, results, outcome)
        if (this.progress) this.progress = { ...this.progress, done: wanted.length - rest.length }
        this.#draw()
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      outcome.error = error
    } finally {
      for (const { card } of rest) {
        this.#settled(card.id)
        this.#show(card)
        this.#flash(card.id)
      }
      this.progress = undefined
      this.#draw()
      void this.#recount().catch(() => {})
    }
    return outcome
  }

  async #takeResults(
    batch: readonly WantedChange[],
    results: ChangesResponse['results'],
    outcome: ChangeOutcome,
  ): Promise<void> {
    const refused: { before: BoardCard; code: string; message: string }[] = []
    for (const [i, result] of results.entries()) {
      const { card: before } = batch[i]!
      this.#settled(before.id)
      if (!result.ok) {
        refused.push({ before, code: result.code, message: result.message })
        this.#show(before)
        this.#flash(before.id)
        continue
      }
      const { stage_id, status, updated_at } = result
      const after = { ...(this.cards.get(before.id) ?? before), stage_id, status, updated_at }
      this.#show(after)
      outcome.done.push({ before, after })
    }
    if (refused.length === 0) return
    // where they are now: someone else may have moved them
    const ids = refused.map(({ before }) => before.id)
    for (const id of ids) this.#changed.delete(id)
    await this.#refresh(ids).catch(() => {})
    for (const one of refused) {
      const card = this.cards.get(one.before.id)
      const shown = [...this.lists.values()].some(
        list => list.ids.includes(one.before.id) && !list.left.has(one.before.id),
      )
      outcome.refused.push({ ...one, now: shown ? card : undefined })
    }
  }

  #settled(id: string): void {
    const left = (this.pending.get(id) ?? 1) - 1
    if (left > 0) this.pending.set(id, left)
    else this.pending.delete(id)
    if (left <= 0 && this.#changed.has(id)) this.#timer ??= setTimeout(() => this.#readChanged(), COLLECT_MS)
  }

  /** A card as it is from now on, with the counts of its columns. */
  #show(card: BoardCard): void {
    const before = this.cards.get(card.id)
    const from = before && this.keyOf(before)
    this.cards.set(card.id, card)
    const to = this.keyOf(card)
    // the focus goes with the card
    if (from !== to && to !== undefined && focusedCard() === card.id) this.wantsFocus = card.id
    const count = (stageId: string, by: number) => {
      const stage = this.board?.stages.find(({ id }) => id === stageId)
      if (stage) stage.count += by
    }
    if (before && from !== undefined) count(before.stage_id, -1)
    if (to !== undefined) count(card.stage_id, 1)
    this.#place(card.id, to, { gently: false })
  }

  #flash(id: string): void {
    this.refused.add(id)
    setTimeout(() => {
      this.refused.delete(id)
      this.#draw()
    }, REFUSED_MS)
  }

  // Selection

  toggle(id: string): void {
    if (!this.selected.delete(id)) this.selected.add(id)
    this.#draw()
  }

  /** All cards of a list that are read; none if all are selected. */
  toggleAll(key: string): void {
    const { ids, left } = this.list(key)
    const here = ids.filter(id => !left.has(id))
    const isAll = here.every(id => this.selected.has(id))
    for (const id of here) {
      if (isAll) this.selected.delete(id)
      else this.selected.add(id)
    }
    this.#draw()
  }

  /** From the card that was selected last to this one, in the same list. */
  selectRange(key: string, from: string, to: string): void {
    const { ids, left } = this.list(key)
    const [a, b] = [ids.indexOf(from), ids.indexOf(to)].sort((x, y) => x - y) as [number, number]
    for (const id of a === -1 ? [to] : ids.slice(a, b + 1)) if (!left.has(id)) this.selected.add(id)
    this.#draw()
  }

  clearSelection(): void {
    this.selected.clear()
    this.#draw()
  }

  focus(id: string): void {
    this.focused = id
    this.wantsFocus = id
    this.#draw()
  }
}

const focusedCard = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>('[data-card]')?.dataset['card']
