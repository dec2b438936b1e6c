import type { Queryable, Transaction } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { ApiError } from '../errors/api-error.ts'
import { budgetIdOf, type Caller } from './caller.ts'
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
 * if the budget is too small. In the transaction that read the values, before the response is sent.
 */
export async function charge(
  tx: Transaction,
  caller: Caller,
  workspace: string,
  requestId: string,
  reads: PersonalRead[],
  nowMs: number,
): Promise<Charge> {
  const limit = caller.allowances.personalDataReadsPerDay
  const cost = reads.length
  if (cost === 0) return { cost, remaining: limit - (await usedToday(tx, caller)) }
  const row = cost > limit ? undefined : await tx.one(chargeUnits(caller, cost, limit))
  if (!row) {
    const remaining = Math.max(0, limit - (await usedToday(tx, caller)))
    const message = `This response needs ${cost} of the daily personal-data budget, and ${remaining} of ${limit} are left.`
    throw new ApiError(
      'personal_data_quota_exceeded',
      { retry_after_seconds: secondsToMidnight(nowMs), message },
      { 'Service-Personal-Data-Remaining': String(remaining) },
    )
  }
  tx.defer(audit(caller, workspace, requestId, reads))
  return { cost, remaining: limit - row.used }
}

export async function usedToday(db: Queryable, caller: Caller): Promise<number> {
  const row = await db.one(sql<{ used: number }>`
    select used from personal_data_usage
    where workspace_id = ${caller.homeWorkspace} and key_id = ${budgetIdOf(caller)} and day = app_now()::date`)
  return row?.used ?? 0
}

/** No row where the budget is too small. */
const chargeUnits = (caller: Caller, units: number, limit: number) => sql<{ used: number }>`
  insert into personal_data_usage as u (workspace_id, key_id, day, used)
  values (${caller.homeWorkspace}, ${budgetIdOf(caller)}, app_now()::date, ${units}::integer)
  on conflict (workspace_id, key_id, day) do update set used = u.used + excluded.used
    where u.used + excluded.used <= ${limit}::integer
  returning used`

/** Records that someone looked for a person by a value that they typed: nothing is shown, so it costs no unit. */
export async function auditLookups(
  tx: Transaction,
  caller: Caller,
  workspace: string,
  requestId: string,
  lookups: readonly PersonalRead[],
): Promise<void> {
  if (lookups.length > 0) await tx.query(auditMany(caller, workspace, requestId, lookups, 0))
}

/** Written out as rows, a few of them go to the shard of their workspace in one step. */
const MAX_WRITTEN_OUT = 8

function audit(caller: Caller, workspace: string, requestId: string, reads: readonly PersonalRead[]): Sql {
  if (reads.length > MAX_WRITTEN_OUT) return auditMany(caller, workspace, requestId, reads, 1)
  const rows = reads
    .map(
      r =>
        sql`(${workspace}, ${caller.keyId}, ${r.object}, ${r.id}, ${r.field}, 1, ${requestId}, ${caller.actingUserId})`,
    )
    .reduce((before, row) => sql`${before}, ${row}`)
  return sql`insert into personal_data_reads (${AUDITED}) values ${rows}`
}

const AUDITED = sql`workspace_id, key_id, subject_object, subject_id, field, units, request_id, acting_user_id`

const auditMany = (
  caller: Caller,
  workspace: string,
  requestId: string,
  reads: readonly PersonalRead[],
  units: 0 | 1,
) => sql`
  insert into personal_data_reads (${AUDITED})
  select ${workspace}, ${caller.keyId}, r.object, r.id, r.field, ${units}::integer, ${requestId}, ${caller.actingUserId}
  from unnest(${reads.map(r => r.object)}::text[], ${reads.map(r => r.id)}::text[], ${reads.map(r => r.field)}::text[])
    as r (object, id, field)`
