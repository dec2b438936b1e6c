import type { BoardCard } from '../../../src/hiring/api-types.ts'
import type { ApiError } from '../../ui/api.ts'

/** The cards of a column, or of the table, as far as they are read: newest application first. */
export class CardList {
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

  insert(card: BoardCard, cards: ReadonlyMap<string, BoardCard>): void {
    this.left.delete(card.id)
    if (this.ids.includes(card.id)) return
    const at = this.ids.findIndex(id => isBefore(card, cards.get(id)!))
    if (at === -1) this.ids.push(card.id)
    else this.ids.splice(at, 0, card.id)
  }

  /** Whether a card belongs to the part that is read; further ones come with their page. */
  reaches(card: BoardCard, cards: ReadonlyMap<string, BoardCard>): boolean {
    const last = this.ids.at(-1)
    return this.next === null || (last !== undefined && isBefore(card, cards.get(last)!))
  }

  remove(id: string): void {
    this.left.delete(id)
    this.waiting.delete(id)
    const at = this.ids.indexOf(id)
    if (at !== -1) this.ids.splice(at, 1)
  }
}

/** The order of the service: time of the application, then handle, both descending. */
const isBefore = (a: BoardCard, b: BoardCard): boolean =>
  a.applied_at === b.applied_at ? a.id > b.id : a.applied_at > b.applied_at
