import { EVENT_TYPES } from '../../contract/events.ts'
import { didYouMean } from '../text/edit-distance.ts'

/** Only text that looks like a name is repeated: anything else might be a personal value. */
const NAME_LIKE = /^[a-z_.*]{1,60}$/i

/** The message for an unknown event type, with the type that was probably meant. */
export function unknownTypeMessage(name: string): string {
  const meant = didYouMean(name, EVENT_TYPES)
  const named = NAME_LIKE.test(name) ? `${name} is not an event type` : 'is not an event type'
  return meant ? `${named}; did you mean ${meant}?` : `${named}; GET /openapi.json lists them under webhooks`
}
