export { Feed, HiringClient } from './client.ts'
export type { Attempt, ClientOptions, Open, Query, RequestInput, RequestOptions, Runtime } from './core.ts'
export * from './errors.ts'
export type { FeedEvent, FeedPage, FeedPosition, FeedQuery, ReaderOptions, TailOptions } from './feed.ts'
export type { Checkpoint, FollowOptions, StoredPosition } from './follow.ts'
export type * from './generated.ts'
export type { ListEnvelope, Page, PagePromise } from './page.ts'
export type { Path } from './path.ts'
export type { ApiPromise, ApiResponse } from './response.ts'
export type { Prune, Removal, SyncOptions, SyncResource, SyncRows, Upsert } from './sync.ts'
export type { FileInput } from './uploads.ts'
export { API_VERSION, VERSION } from './version.ts'
export {
  SIGNATURE_HEADER,
  SignatureError,
  type SignedBody,
  signWebhook,
  type VerifyOptions,
  verifyWebhook,
} from './webhooks.ts'
