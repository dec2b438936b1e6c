import { resolveAllowances } from '../contract/plans.ts'
import { secondsToNextMonth } from '../kernel/access/usage.ts'
import { present } from '../kernel/errors/present.ts'
import { oneOfParam, textParam } from '../kernel/http/params.ts'
import { workspacePlan } from '../resources/keys/index.ts'
import {
  deliverySeries,
  endpointFigures,
  keyFigures,
  lastEvent,
  personalDataSeries,
  personalDataToday,
  type Range,
  requestSeries,
} from './overview-store.ts'
import { get } from './program.ts'

const RANGES = {
  '24h': { bucket: 'hour', buckets: 24, days: 7 },
  '7d': { bucket: 'hour', buckets: 168, days: 7 },
  '30d': { bucket: 'day', buckets: 30, days: 30 },
} as const

export const overviewEndpoints = [
  get({
    path: '/overview',
    query: {
      range: oneOfParam('How far back.', Object.keys(RANGES) as (keyof typeof RANGES)[]),
      key_id: textParam('Only what this key did.', 40),
    },
    handler: async ({ db, session, services, query, now }) => {
      const { bucket, buckets, days } = RANGES[query.range ?? '24h']
      const workspace = session.workspaceId
      const range: Range = { workspace, keyId: query.key_id, bucket, buckets }
      const used = await services.usage.usedThisMonth(workspace, now)
      const [plan, requests, deliveries, personalData, keys, shown, endpoints, event] = await Promise.all([
        db.one(workspacePlan(workspace)),
        db.query(requestSeries(range)),
        db.query(deliverySeries(range)),
        db.query(personalDataSeries(range, days)),
        db.query(keyFigures(range)),
        db.query(personalDataToday(workspace)),
        db.only(endpointFigures(workspace)),
        db.one(lastEvent(workspace)),
      ])
      const shownTo = new Map(shown.map(({ key_id, used }) => [key_id, used]))
      const allowances = resolveAllowances(plan?.plan ?? null, plan?.own_limits)
      return {
        from: present(requests[0], 'the first bucket').at,
        to: new Date(now).toISOString(),
        bucket,
        requests,
        deliveries,
        personal_data: personalData,
        month: {
          used,
          quota: allowances.requestsPerMonth,
          resets_at: new Date(now + secondsToNextMonth(now) * 1000).toISOString(),
        },
        per_minute: allowances.perMinute,
        personal_data_per_day: allowances.personalDataReadsPerDay,
        // a key of an installed app shares the budget of its installation
        keys: keys.map(({ installation_id, ...key }) => ({
          ...key,
          personal_data_today: shownTo.get(installation_id ?? key.id) ?? 0,
        })),
        endpoints,
        last_event: event ?? null,
      }
    },
  }),
]
