import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../../src/contract/scopes.ts'
import type { PersonalRead } from '../../src/kernel/access/budget.ts'
import { presenterFor } from '../../src/kernel/http/present.ts'
import { guarded, metered, oneOf, shape, text } from '../../src/kernel/http/shape.ts'

const open = shape('open', '', { kind: oneOf(['open', 'shut']), value: text() })
const shut = shape('shut', '', {
  kind: oneOf(['open', 'shut']),
  value: guarded('contact:read', metered('email', text())),
})
const either = shape('either', '', shut.fields, { as: row => (row.kind === 'open' ? open : shut) })

test('row shapes: a row is written, restricted and charged as the shape that it names', () => {
  const look = (kind: string, ...scopes: Scope[]) => {
    const presenter = presenterFor(either as never, new Set(scopes))
    const reads: PersonalRead[] = []
    const row = { id: '1', kind, value: 'v' }
    presenter.reads(row, reads)
    return [JSON.parse(presenter.encode(row)), reads.length]
  }
  assert.deepEqual(look('open'), [{ object: 'open', kind: 'open', value: 'v' }, 0])
  assert.deepEqual(look('shut', 'contact:read'), [{ object: 'shut', kind: 'shut', value: 'v' }, 1])
  assert.deepEqual(look('shut'), [
    {
      object: 'shut',
      kind: 'shut',
      restricted: ['value'],
      restricted_reason: { value: 'scope_required:contact:read' },
    },
    0,
  ])
})
