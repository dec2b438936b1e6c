export { Events, HiringClient } from './client.ts'
export type { ApiResponse, Attempt, ClientOptions, Query, RequestInput, RequestOptions, Runtime } from './core.ts'
export * from './errors.ts'
export type { FeedEvent, FeedPage, FeedPosition, FeedQuery, TailOptions } from './feed.ts'
export type { ListEnvelope, Page, PagePromise } from './page.ts'
export { VERSION } from './version.ts'
export {
  SIGNATURE_HEADER,
  SignatureError,
  type SignedBody,
  signWebhook,
  type VerifyOptions,
  verifyWebhook,
} from './webhooks.ts'
