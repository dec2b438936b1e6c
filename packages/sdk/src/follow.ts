import type { Core } from './core.ts'
import { FeedGapError, HiringError } from './errors.ts'
import { endOfFeed, type FeedEvent, type FeedPosition, type TailOptions, tailPages, throughOutages } from './feed.ts'

/** What a checkpoint stores: plain JSON, which only this package reads. */
export interface StoredPosition extends FeedPosition {
  /** State that a `sync` stores with its position. */
  sync?: Readonly<Record<string, unknown>>
}

/**
 * Where a reader stores how far it got. `Tx` is what the work receives to write with: a transaction, where the store has
 * them, so that the work and the position are stored together or not at all.
 */
export interface Checkpoint<Tx = undefined> {
  load(): Promise<StoredPosition | undefined>
  /**
   * Does the work, then stores the position. Never the other way round: a process that is killed in between must find
   * the old position. Rejects, and stores nothing, if the work rejects.
   */
  save(position: StoredPosition, work: (tx: Tx) => void | Promise<void>): Promise<void>
}

export interface FollowOptions<Tx> extends Omit<TailOptions, 'after' | 'epoch'> {
  checkpoint: Checkpoint<Tx>
  /**
   * Processes events in their order. They are stored as processed when it returns; after a crash they come again, so
   * skip ids that you have processed, or write with `tx`.
   */
  handle: (events: FeedEvent[], tx: Tx) => void | Promise<void>
  /** Where to begin the first time: after a sequence, or `now`. Left out: with the oldest event that is retained. */
  from?: number | 'now'
  /** The most events in one call of `handle`. Default 100. */
  batchSize?: number
  /**
   * Events were lost: make a full copy and return the position that it was made at. Without it the error is thrown.
   */
  onGap?: (gap: FeedGapError) => Promise<FeedPosition>
}

const nothing = () => {}

/** Hands events to `handle` and stores the position after each batch, until the signal is aborted. */
export async function follow<Tx>(core: Core, options: FollowOptions<Tx>): Promise<void> {
  const { checkpoint, handle, from, batchSize = 100, onGap, ...tail } = options
  let position: FeedPosition | undefined = await checkpoint.load()
  if (position && 'sync' in position) throw new HiringError('This checkpoint belongs to a sync.')
  if (!position && from === 'now') {
    try {
      position = await throughOutages(core, tail, () => endOfFeed(core, tail))
    } catch (error) {
      if (tail.signal?.aborted) return
      throw error
    }
    // stored before the first event: after a kill, what happened since would be missed otherwise
    await checkpoint.save(position, nothing)
  }
  const first = position ?? (typeof from === 'number' ? { after: from } : {})
  for (let start: Partial<FeedPosition> = first; ; ) {
    try {
      for await (const { data, next_after, epoch } of tailPages(core, { ...tail, ...start })) {
        for (let i = 0; i < data.length; i += batchSize) {
          const batch = data.slice(i, i + batchSize)
          const isLast = i + batchSize >= data.length
          position = { epoch, after: isLast ? next_after : (batch.at(-1)?.sequence ?? next_after) }
          await checkpoint.save(position, tx => handle(batch, tx))
          if (tail.signal?.aborted) return
        }
        if (position?.after === next_after && position.epoch === epoch) continue
        position = { epoch, after: next_after } // events that the key cannot read were skipped
        await checkpoint.save(position, nothing)
      }
      return
    } catch (error) {
      if (!(error instanceof FeedGapError) || !onGap) throw error
      position = await onGap(error)
      await checkpoint.save(position, nothing)
      start = position
    }
  }
}
