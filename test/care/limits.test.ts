import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workspaceVerbs } from '../../src/cli/workspaces.ts'
import { signedIn } from '../console/setup.ts'
import { sharedTestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'

const service = await sharedTestService()

const limits = (id: string, options: Record<string, string> = {}) =>
  runVerb(service, workspaceVerbs, 'workspaces limits', [id], options)

test('hiring workspaces limits --set: holds from the next request on, in headers, /me and the console; --reset gives the plan back', async () => {
  const { id } = await service.workspace('starter')
  const other = await service.workspace('starter')
  const key = await service.key({ workspace: id })
  const untouched = await service.key({ workspace: other.id })
  const before = await service.get('/me', key)
  assert.match(before.headers.get('ratelimit-policy')!, /"sustained";q=600;w=60/)

  await limits(id, { set: 'general_per_minute=900' })
  await limits(id, { set: 'requests_per_month=unlimited' })
  await limits(id, { set: 'personal_data_reads_per_day=7' })
  const after = await service.get('/me', key)
  assert.match(after.headers.get('ratelimit-policy')!, /"sustained";q=900;w=60, "expensive";q=60;w=60/)
  const { general_per_minute, requests_per_month, personal_data_reads_per_day, expensive_per_minute } =
    after.body.rate_limits
  assert.deepEqual(
    [general_per_minute, expensive_per_minute, requests_per_month, personal_data_reads_per_day],
    [900, 60, null, 7],
  )
  assert.equal((await service.get('/me', untouched)).body.rate_limits.general_per_minute, 600)

  const owner = await signedIn(service, id)
  const shown = await owner.get('/limits')
  assert.deepEqual(shown.body.limits[0], { name: 'general_per_minute', plan: 600, own: 900, value: 900 })
  assert.deepEqual(shown.body.limits[1], { name: 'expensive_per_minute', plan: 60, value: 60 })
  assert.equal((await owner.get('/overview')).body.per_minute.general, 900)

  const { text } = await limits(id, { reset: 'all' })
  assert.match(text, /general_per_minute +600 +- +600/)
  assert.equal((await service.get('/me', key)).body.rate_limits.general_per_minute, 600)

  const log = (await runVerb(service, workspaceVerbs, 'workspaces log', [id])).json as {
    action: string
    details: { from: object; to: object }
  }[]
  assert.equal(log.length, 4)
  assert.deepEqual(log.at(-1)!.details, { from: {}, to: { general_per_minute: 900 } })
  assert.deepEqual(log[0]!.details.to, {})
})

test('429 rate_limit_exceeded: an own limit below the plan refuses the first call above it', async () => {
  const { id } = await service.workspace('starter')
  const key = await service.key({ workspace: id })
  await limits(id, { set: 'general_per_minute=2' })
  const statuses = []
  for (let i = 0; i < 3; i++) statuses.push((await service.get('/jobs', key)).status)
  assert.deepEqual(statuses, [200, 200, 429])
  await limits(id, { set: 'general_per_minute=50' })
  assert.equal((await service.get('/jobs', key)).status, 200)
})

test('hiring workspaces limits: a wrong name or value is refused and changes nothing', async () => {
  const { id } = await service.workspace('growth')
  const wrong: [Record<string, string>, RegExp][] = [
    [{ set: 'nonsense=1' }, /unknown limit nonsense: general_per_minute/],
    [{ set: 'general_per_minute=0' }, /whole number from 1 to 100000$/],
    [{ set: 'general_per_minute=unlimited' }, /whole number from 1 to 100000$/],
    [{ set: 'requests_per_month=-1' }, /or unlimited$/],
    [{ set: 'general_per_minute' }, /NAME=VALUE/],
    [{ reset: 'nonsense' }, /unknown limit nonsense/],
  ]
  for (const [options, message] of wrong) await assert.rejects(() => limits(id, options), message)
  await assert.rejects(() => limits('wsp_missing'), /there is no workspace wsp_missing/)
  const { json } = await limits(id)
  assert.ok((json as { limits: object[] }).limits.every(limit => !('own' in limit)))
})
