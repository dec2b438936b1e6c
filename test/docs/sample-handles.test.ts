import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readData } from '../../demo/data.ts'
import { routes } from '../../src/app.ts'
import { EVENT_TYPES } from '../../src/contract/events.ts'
import { readSample, routeName, sampleEvent } from '../../src/docs/samples.ts'

const demo = readData()
  .tables.map(({ rows }) => rows)
  .join('\n')

const IDS = /\b(?<prefix>[a-z]{3}_)[0-9a-hjkmnp-tv-z]{20}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g

/** Prefixes of the ids that are in no row of the demo; `uuid` for those without a prefix. */
const inventedIn = (value: unknown): string[] => {
  const ids = [...JSON.stringify(value).matchAll(IDS)].filter(([id]) => !demo.includes(id))
  return [...new Set(ids.map(({ groups }) => groups?.['prefix'] ?? 'uuid'))].toSorted()
}

/** The call creates these records, so the demo cannot have them. */
const CREATED: Readonly<Record<string, string[]>> = {
  'POST /jobs': ['job_'],
  'POST /uploads': ['upl_'],
  'POST /applications': ['apl_', 'app_'],
  'POST /applications/{application_handle}/notes': ['uuid'],
  'POST /applications/{application_handle}/scorecards': ['uuid'],
  'POST /lists': ['lst_'],
  'POST /lists/{list_handle}/members': ['mem_'],
  'POST /webhooks/endpoints': ['uuid'],
  'POST /webhooks/endpoints/{endpoint_id}/test': ['evt_', 'uuid'],
  'POST /webhooks/deliveries/{delivery_id}/redeliver': ['uuid'],
  'POST /exports': ['uuid'],
  // an export that the reader made; the demo has none
  'GET /exports/{export_id}': ['uuid'],
  'POST /orders': ['ord_'],
  'POST /orders/{order_handle}/repeat': ['ord_'],
  'POST /orders/{order_handle}/reports': ['upl_'],
  'POST /packages': ['pkg_'],
  // no app is installed in the demo
  'GET /installations': ['ins_', 'uuid', 'wsp_'],
  'GET /installations/{installation_handle}': ['ins_', 'uuid', 'wsp_'],
  'POST /installations/{installation_handle}/rotate-key': ['ins_'],
  'POST /installations/{installation_handle}/uninstall': ['ins_', 'uuid', 'wsp_'],
  'POST /installations/{installation_handle}/confirm-deletion': ['ins_', 'uuid', 'wsp_'],
  // the demo has no test workspace
  'POST /test/reset': ['wsp_'],
  'POST /test/seed': ['wsp_'],
  'POST /test/simulate': ['evt_', 'wsp_'],
  'GET /test/clock': ['wsp_'],
  'POST /test/clock/advance': ['wsp_'],
  'GET /test/mailbox': ['wsp_'],
  // the demo's people have reserved addresses, which are never mailed
  'POST /messages': ['apl_', 'msg_'],
}

for (const route of routes) {
  const name = routeName(route)
  test(`sample of ${name}: its ids are in the demo, except for records that the call creates`, () => {
    const { response } = readSample(route)
    assert.deepEqual(inventedIn(response), CREATED[name] ?? [])
  })
}

test('samples of events: no id is in the demo', () => {
  for (const type of EVENT_TYPES) {
    const ids = JSON.stringify(sampleEvent(type)).match(IDS) ?? []
    assert.ok(ids.length > 0, type)
    assert.deepEqual(
      ids.filter(id => demo.includes(id)),
      [],
      type,
    )
  }
})
