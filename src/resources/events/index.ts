export { beginEpoch } from './actions.ts'
export { eventRoutes } from './routes.ts'
export { deriveEpoch, type EventLog, hasGap } from './rules.ts'
export {
  EVENT_LOG,
  eventsAfter,
  feedEpoch,
  lastSequences,
  liveEvents,
  logState,
  restartLog,
  type SearchedEvent,
  searchEvents,
  sequenceAfter,
  sequenceAt,
} from './store.ts'
