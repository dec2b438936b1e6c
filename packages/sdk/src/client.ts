import type { RequestOptions } from './core.ts'
import {
  endOfFeed,
  type FeedEvent,
  type FeedPage,
  type FeedQuery,
  listEvents,
  type TailOptions,
  tailPages,
} from './feed.ts'
import { type FollowOptions, follow } from './follow.ts'
import { Endpoints, Events, type Upload, Uploads } from './generated.ts'
import type { PagePromise } from './page.ts'
import { type SyncOptions, sync } from './sync.ts'
import { type FileInput, sendFile } from './uploads.ts'

/** The change feed of the workspace. */
export class Feed extends Events {
  /** Events from the oldest to the newest that exists now; `await` gives one page with `gap`, `epoch` and `next_after`. */
  list(query: FeedQuery = {}, options: RequestOptions = {}): PagePromise<FeedEvent, FeedPage> {
    return listEvents(this.core, query, options)
  }

  /** The position after the newest event. */
  end(options: RequestOptions = {}): Promise<{ after: number; epoch: string }> {
    return endOfFeed(this.core, options)
  }

  /**
   * Events as they happen, until the signal is aborted. Waits out outages. Throws a FeedGapError if events were lost.
   * Nothing is stored: use `follow` to continue after a restart.
   */
  async *tail(options: TailOptions = {}): AsyncGenerator<FeedEvent, void> {
    for await (const page of tailPages(this.core, options)) yield* page.data
  }

  /**
   * Processes events in order and stores the position after each batch, until the signal is aborted. A process that is
   * killed at any moment continues without a loss.
   */
  follow<Tx>(options: FollowOptions<Tx>): Promise<void> {
    return follow(this.core, options)
  }
}

export class UploadsWithFiles extends Uploads {
  /** Uploads a résumé in one call; its `upload_id` is the `resume_upload_id` of an application. */
  send(file: Blob | Uint8Array | ArrayBuffer, input: FileInput = {}, options: RequestOptions = {}): Promise<Upload> {
    return sendFile(this.core, file, input, options)
  }
}

export class HiringClient extends Endpoints {
  override readonly events: Feed = new Feed(this)
  override readonly uploads: UploadsWithFiles = new UploadsWithFiles(this)

  /**
   * Keeps a copy up to date: everything that exists, then every change, until the signal is aborted. A process that is
   * killed at any moment continues where it was.
   */
  sync<Tx>(options: SyncOptions<Tx>): Promise<void> {
    return sync(this, options)
  }

  /** The same client for another workspace of the key. */
  forWorkspace(workspaceId: string): HiringClient {
    return new HiringClient({ ...this.options, workspaceId })
  }
}
