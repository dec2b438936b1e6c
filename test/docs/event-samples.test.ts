import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readData } from '../../demo/data.ts'
import { eventValue } from '../../src/contract/event-values.ts'
import { EVENT_TYPES } from '../../src/contract/events.ts'
import { sampleEvent } from '../../src/docs/samples.ts'
import type { FeedEvent } from '../applications/setup.ts'

/** The events of the demo were emitted by the product. */
const rows = JSON.parse(readData().tables.find(({ name }) => name === 'events')!.rows) as { body: string }[]
const emitted = Map.groupBy(
  rows.map(row => JSON.parse(row.body) as FeedEvent),
  event => event.type,
)

/**
 * The names of the values. `origin` says which key wrote, and is in some events only; a value that was added to a type later
 * is not in the events from before.
 */
const formOf = ({ data }: FeedEvent): string =>
  JSON.stringify({
    values: Object.keys(data.object)
      .filter(name => name !== 'origin' && !eventValue(String(data.object['object']), name)?.optional)
      .toSorted(),
    previous: data.previous_attributes ? 'yes' : 'no',
  })

for (const type of EVENT_TYPES) {
  test(`documented event ${type}: the sample has the values that the product gives it`, () => {
    const forms = new Set((emitted.get(type) ?? []).map(formOf))
    const sample = formOf(sampleEvent(type) as FeedEvent)
    assert.ok(forms.has(sample), `${sample}\nproduct: ${[...forms].join('\n')}`)
  })
}
