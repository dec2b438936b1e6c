import type { EventType } from '../../contract/events.ts'
import type { PING } from '../feed/event-schemas.ts'
import type { Route } from './route.ts'
import type { Shape } from './shape.ts'

/** What the OpenAPI description is made of. */
export interface Described {
  readonly routes: readonly Route[]
  readonly shapes: readonly Shape[]
  readonly publicUrl: string
  /** without them the description has no examples, which a check of responses does not need */
  readonly examples?: Examples
}

/** Real calls and events to show. */
export interface Examples {
  callOf(route: Route): CallExample
  eventOf(type: EventType | typeof PING): object
}

export interface CallExample {
  /** without the prefix, with its query */
  path: string
  body?: unknown
  status: number
  /** null where it is not JSON */
  response: unknown
}
