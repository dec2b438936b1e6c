import { OPEN_STATUSES } from '../../../src/contract/application-status.ts'
import { MAX_CHANGES } from '../../../src/contract/limits.ts'
import { ApiError } from '../../ui/api.ts'
import { read, type Sent, send } from '../api.ts'
import type { BoardCard } from './card-list.ts'
import { afterChange, type ChangeOutcome, type RefusedChange, type Target, type WantedChange } from './changes.ts'
import { BoardReader, TABLE } from './reader.ts'

export { type BoardQuery, TABLE } from './reader.ts'

const REFUSED_MS = 4_000
/** As many as one response of the service names. */
const MAX_SELECTED = 10_000

/**
 * What the reader does with a board: changes on their way, and the selection. Changes are drawn before the service has
 * confirmed them and are reverted if it refuses them.
 */
export class BoardStore extends BoardReader {
  /** by application, also of those that are not read; what each was when it was selected */
  readonly selected = new Map<string, Target>()
  /** reverted a moment ago */
  readonly refused = new Set<string>()
  progress: { done: number; total: number } | undefined
  /** the list whose applications are being selected */
  selecting: string | undefined
  /** the card that the keyboard is at */
  focused: string | undefined
  /** gets the focus as soon as it is drawn */
  wantsFocus: string | undefined

  /**
   * Draws the changes and sends them, some at a time. One that is refused is reverted: the card is again where the service
   * says it is. If the service was not reached, what it has not confirmed is reverted, too.
   */
  async change(wanted: readonly WantedChange[]): Promise<ChangeOutcome> {
    const outcome: ChangeOutcome = { done: [], refused: [] }
    const now = new Date().toISOString()
    const shown = new Map<string, BoardCard>()
    for (const one of wanted) {
      const { card } = one
      this.pending.set(card.id, (this.pending.get(card.id) ?? 0) + 1)
      const here = this.cards.get(card.id)
      if (!here) continue
      shown.set(card.id, here)
      // what someone else has changed since will be refused
      if (here.stage_id === card.stage_id && here.status === card.status) this.#show(afterChange(here, one, now))
    }
    const restore = (id: string) => {
      const card = shown.get(id)
      if (card) this.#show(card)
      this.#flash(id)
    }
    this.progress = wanted.length > MAX_CHANGES ? { done: 0, total: wanted.length } : this.progress
    this.draw()
    const rest = [...wanted]
    try {
      while (rest.length > 0) {
        const batch = rest.slice(0, MAX_CHANGES)
        const changes = batch.map(({ card, change }) => ({
          id: card.id,
          ...change,
          expected: { stage_id: card.stage_id, status: card.status },
        }))
        const { results } = await send('/applications/changes', { changes })
        rest.splice(0, batch.length)
        await this.#takeResults(batch, results, outcome, restore)
        if (this.progress) this.progress = { ...this.progress, done: wanted.length - rest.length }
        this.draw()
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      outcome.error = error
    } finally {
      for (const { card } of rest) {
        this.#settled(card.id)
        restore(card.id)
      }
      this.progress = undefined
      this.draw()
      // cards that were not read may now belong to the part of a list that is
      if (wanted.some(({ card }) => !shown.has(card.id))) void this.reload()
      else void this.recount().catch(() => {})
    }
    return outcome
  }

  async #takeResults(
    batch: readonly WantedChange[],
    results: Sent<'/applications/changes'>['results'],
    outcome: ChangeOutcome,
    restore: (id: string) => void,
  ): Promise<void> {
    const refused: Omit<RefusedChange, 'now'>[] = []
    for (const [i, result] of results.entries()) {
      const { card: before } = batch[i]!
      this.#settled(before.id)
      if (!result.ok) {
        const { code, message, latest = null } = result
        refused.push({ before, code, message, latest })
        restore(before.id)
        continue
      }
      const { stage_id, status, updated_at, mail } = result
      const card = this.cards.get(before.id)
      const after = { ...(card ?? before), stage_id, status, updated_at }
      if (card) this.#show({ ...card, stage_id, status, updated_at })
      outcome.done.push({ before, after, mail })
    }
    if (refused.length === 0) return
    // where they are now: someone else may have moved them
    const ids = refused.map(({ before }) => before.id)
    for (const id of ids) this.changed.delete(id)
    const found = await this.refresh(ids).catch(() => this.cards)
    for (const one of refused) outcome.refused.push({ ...one, now: found.get(one.before.id) })
  }

  #settled(id: string): void {
    const left = (this.pending.get(id) ?? 1) - 1
    if (left > 0) this.pending.set(id, left)
    else this.pending.delete(id)
    if (left <= 0 && this.changed.has(id)) this.readChangedSoon()
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
      const stage = this.stages.find(({ id }) => id === stageId)
      if (stage) stage.count += by
    }
    if (before && from !== undefined) count(before.stage_id, -1)
    if (to !== undefined) count(card.stage_id, 1)
    this.place(card.id, to, { gently: false })
  }

  #flash(id: string): void {
    this.refused.add(id)
    setTimeout(() => {
      this.refused.delete(id)
      this.draw()
    }, REFUSED_MS)
  }

  // Selection

  override start(draw: () => void): () => void {
    const stop = super.start(draw)
    this.#selectionChanged()
    return stop
  }

  /** What is decided about: as it was when it was selected, else as it is shown now. */
  targets(ids: readonly string[]): Target[] {
    return ids.flatMap(id => (this.pending.has(id) ? [] : (this.selected.get(id) ?? this.cards.get(id) ?? [])))
  }

  /** Nothing moves while candidates are selected. */
  #selectionChanged(): void {
    this.freeze('selection', this.selected.size > 0)
    this.draw()
  }

  #select(id: string): void {
    const card = this.cards.get(id)
    if (card) this.selected.set(id, card)
  }

  toggle(id: string): void {
    if (!this.selected.delete(id)) this.#select(id)
    this.#selectionChanged()
  }

  /** How many candidates a list has with those that are not read, as the service counted them. */
  countOf(key: string): number {
    return this.stages.filter(({ id }) => key === TABLE || id === key).reduce((sum, { count }) => sum + count, 0)
  }

  /** Open candidates of the job, as the service counted them with the filters. */
  get openCount(): number {
    const open: readonly string[] = OPEN_STATUSES
    return (this.board?.statuses ?? []).reduce((sum, { status, count }) => sum + (open.includes(status) ? count : 0), 0)
  }

  selectedIn(key: string): number {
    if (key === TABLE) return this.selected.size
    return [...this.selected.values()].filter(({ stage_id }) => stage_id === key).length
  }

  /** Whether all of a list are selected; undefined: some. */
  isSelected(key: string): boolean | undefined {
    const selected = this.selectedIn(key)
    if (selected === 0) return false
    const { next, ids, left } = this.list(key)
    const total = next === null ? ids.filter(id => !left.has(id)).length : Math.min(this.countOf(key), MAX_SELECTED)
    return selected >= total ? true : undefined
  }

  /** All candidates of a list, also those that are not read; none if all are selected. Returns how many more there are. */
  async toggleAll(key: string): Promise<number> {
    if (this.isSelected(key)) {
      for (const [id, target] of this.selected) if (key === TABLE || target.stage_id === key) this.selected.delete(id)
      this.#selectionChanged()
      return 0
    }
    const { next, ids, left } = this.list(key)
    if (next === null) {
      for (const id of ids) if (!left.has(id)) this.#select(id)
      this.#selectionChanged()
      return 0
    }
    this.selecting = key
    this.draw()
    try {
      const stage = key === TABLE ? {} : { stage_id: key }
      const query = { ...this.query, ...stage, job_id: this.jobId }
      const { applications } = await read('/jobs/{job_id}/board/selection', query)
      for (const target of applications) this.selected.set(target.id, { ...this.cards.get(target.id), ...target })
      return applications.length < MAX_SELECTED ? 0 : Math.max(0, this.countOf(key) - applications.length)
    } finally {
      this.selecting = undefined
      this.#selectionChanged()
    }
  }

  /** From the card that was selected last to this one, in the same list. */
  selectRange(key: string, from: string, to: string): void {
    const { ids, left } = this.list(key)
    const [a, b] = [ids.indexOf(from), ids.indexOf(to)].sort((x, y) => x - y) as [number, number]
    for (const id of a === -1 ? [to] : ids.slice(a, b + 1)) if (!left.has(id)) this.#select(id)
    this.#selectionChanged()
  }

  clearSelection(): void {
    this.selected.clear()
    this.#selectionChanged()
  }

  /** Where the keyboard goes when these cards leave their list: to the one after them, or before. */
  neighborOf(ids: readonly string[]): string | undefined {
    const [first = ''] = ids
    const gone = new Set(ids)
    for (const list of this.lists.values()) {
      const at = list.ids.indexOf(first)
      if (at === -1) continue
      const rest = (from: readonly string[]) => from.find(id => !gone.has(id) && !list.left.has(id))
      return rest(list.ids.slice(at)) ?? rest(list.ids.slice(0, at).reverse())
    }
    return undefined
  }

  focus(id: string): void {
    this.focused = id
    this.wantsFocus = id
    this.draw()
  }
}

const focusedCard = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>('[data-card]')?.dataset['card']
