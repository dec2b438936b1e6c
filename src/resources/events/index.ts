export { beginEpoch } from './actions.ts'
export { eventRoutes } from './routes.ts'
export { type EventLog, hasGap } from './rules.ts'
export {
  EVENT_LOG,
  eventsAfter,
  lastSequences,
  liveEvents,
  type SearchedEvent,
  searchEvents,
  sequenceAfter,
  sequenceAt,
} from './store.ts'
