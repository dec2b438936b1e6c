import { EVENT_TYPES, type EventType } from '../../src/contract/events.ts'
import { applicantOperations } from './applicants.ts'
import { applicationOperations } from './applications.ts'
import { dataSubjectOperations } from './data-subjects.ts'
import { jobOperations } from './jobs.ts'
import { orderOperations } from './orders.ts'
import type { Operation } from './scene.ts'
import { sourcingOperations } from './sourcing.ts'

/** For each type of event an operation of the product whose doing it reports. Nothing here writes an event itself. */
export const OPERATIONS: Readonly<Record<EventType, Operation>> = {
  ...jobOperations,
  ...applicationOperations,
  ...applicantOperations,
  ...orderOperations,
  ...sourcingOperations,
  ...dataSubjectOperations,
}

export const operationList = (): { type: EventType; description: string }[] =>
  EVENT_TYPES.map(type => ({ type, description: OPERATIONS[type].description }))
