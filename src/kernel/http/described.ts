import type { EventType } from '../../contract/events.ts'
import type { Unlisted } from '../feed/event-schemas.ts'
import { describedShape } from './include.ts'
import type { Route } from './route.ts'
import type { Shape } from './shape.ts'

/** The OpenAPI description is made of these parts. */
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
  eventOf(type: EventType | Unlisted): object
}

export interface CallExample {
  /** without the prefix, with its query */
  path: string
  body?: unknown
  status: number
  /** null where it is not JSON */
  response: unknown
}

/** Every shape that a response can contain. Of those with one name the last is the widest. */
export function collectShapes(routes: readonly Route[]): readonly Shape[] {
  const shown = routes.flatMap(({ output, include }) => ('shape' in output ? [{ shape: output.shape, include }] : []))
  const related = shown.flatMap(({ include = {} }) => Object.values(include).map(({ shape }) => shape))
  const including = shown.flatMap(({ shape, include }) => (include ? [describedShape(shape, include)] : []))
  return [...new Set([...shown.map(({ shape }) => shape), ...related]), ...new Set(including)]
}
