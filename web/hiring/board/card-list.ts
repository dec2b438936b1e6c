import type { ApiError } from '../../ui/api.ts'
import type { Row } from '../api.ts'

export type BoardCard = Row<'/jobs/{job_id}/board/cards'>

/** What the service sorts by, if not by the time of the application. */
export type BoardSort = 'score' | 'time_in_stage'

/** The cards of a column, or of the table, as far as they are read, in the order of the service. */
export class CardList {
  readonly sort: BoardSort | undefined
  ids: string[] = []
  /** cursor of the next page */
  next: string | null = null
  /** the first page is there */
  loaded = false
  loading = false
  error: ApiError | undefined
  /** the reader points at it: nothing in it may change its position */
  held = false
  /** have left, and stay in sight as long as it is held */
  left = new Set<string>()
  /** have come, and are inserted when it is no longer held */
  waiting = new Set<string>()
  /** where the reader has scrolled to */
  scrollTop = 0

  constructor(sort?: BoardSort) {
    this.sort = sort
  }

  insert(card: BoardCard, cards: ReadonlyMap<string, BoardCard>): void {
    this.left.delete(card.id)
    if (this.ids.includes(card.id)) return
    const at = this.ids.findIndex(id => isBefore(card, cards.get(id)!, this.sort))
    if (at === -1) this.ids.push(card.id)
    else this.ids.splice(at, 0, card.id)
  }

  /** Whether a card belongs to the part that is read; further ones come with their page. */
  reaches(card: BoardCard, cards: ReadonlyMap<string, BoardCard>): boolean {
    const last = this.ids.at(-1)
    return this.next === null || (last !== undefined && isBefore(card, cards.get(last)!, this.sort))
  }

  remove(id: string): void {
    this.left.delete(id)
    this.waiting.delete(id)
    const at = this.ids.indexOf(id)
    if (at !== -1) this.ids.splice(at, 1)
  }
}

/** The order of the service: newest application, best score or longest time in the stage first; then by handle. */
function isBefore(a: BoardCard, b: BoardCard, sort: BoardSort | undefined): boolean {
  if (sort === 'time_in_stage')
    return a.in_stage_since === b.in_stage_since ? a.id < b.id : a.in_stage_since < b.in_stage_since
  const [x, y] = sort === 'score' ? [a.score ?? -1, b.score ?? -1] : [a.applied_at, b.applied_at]
  return x === y ? a.id > b.id : x > y
}
