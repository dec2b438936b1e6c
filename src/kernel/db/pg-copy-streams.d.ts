/** The package has no types of its own. */
declare module 'pg-copy-streams' {
  import type { Duplex, Writable } from 'node:stream'
  import type { Submittable } from 'pg'
  /** `rowCount` is known when the stream has ended. */
  export function to(text: string): Duplex & Submittable & { rowCount: number }
  export function from(text: string): Writable & Submittable & { rowCount: number }
}
