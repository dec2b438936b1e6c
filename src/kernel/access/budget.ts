import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Caller } from './caller.ts'
import { secondsToMidnight } from './usage.ts'

/** A personal value of a response: its record and its name. */
export interface PersonalRead {
  object: string
  id: string
  field: string
}

export interface Charge {
  cost: number
  remaining: number
}

/**
 * Charges the values of one response to the daily budget of the key and writes their audit rows: all of them, or none
 * if the budget is too small. One statement, in the transaction that read the values, before the response is sent.
 */
export async function charge(
  tx: Queryable,
  caller: Caller,
  workspace: string,
  requestId: string,
  reads: PersonalRead[],
  nowMs: number,
): Promise<Charge> {
  const limit = caller.allowances.personalDataReadsPerDay
  const cost = reads.length
  if (cost === 0) return { cost, remaining: limit - (await usedToday(tx, caller)) }
  const row = await tx.one(chargeAll(caller, workspace, requestId, reads, limit))
  if (!row) {
    const remaining = Math.max(0, limit - (await usedToday(tx, caller)))
    const message = `This response needs ${cost} of the daily personal-data budget, and ${remaining} of ${limit} are left.`
    throw new ApiError(
      'personal_data_quota_exceeded',
      { retry_after_seconds: secondsToMidnight(nowMs), message },
      { 'Service-Personal-Data-Remaining': String(remaining) },
    )
  }
  return { cost, remaining: limit - row.used }
}

export async function usedToday(db: Queryable, caller: Caller): Promise<number> {
  const row = await db.one(sql<{ used: number }>`
    select used from personal_data_usage
    where workspace_id = ${caller.homeWorkspace} and key_id = ${caller.keyId} and day = app_now()::date`)
  return row?.used ?? 0
}

const chargeAll = (caller: Caller, workspace: string, requestId: string, reads: PersonalRead[], limit: number) =>
  sql<{ used: number }>`
    with charged as (
      insert into personal_data_usage as u (workspace_id, key_id, day, used)
      select ${caller.homeWorkspace}, ${caller.keyId}, app_now()::date, ${reads.length}::integer
      where ${reads.length}::integer <= ${limit}::integer
      on conflict (workspace_id, key_id, day) do update set used = u.used + excluded.used
        where u.used + excluded.used <= ${limit}::integer
      returning used
    ), audited as (
      insert into personal_data_reads
        (workspace_id, key_id, subject_object, subject_id, field, units, request_id, acting_user_id)
      select ${workspace}, ${caller.keyId}, r.object, r.id, r.field, 1, ${requestId}, ${caller.actingUserId}
      from charged,
        unnest(${reads.map(r => r.object)}::text[], ${reads.map(r => r.id)}::text[], ${reads.map(r => r.field)}::text[])
          as r (object, id, field)
    )
    select used from charged`
