import { RETENTION, RETENTION_KINDS, type RetentionKind } from '../../contract/retention.ts'
import type { Config } from '../../kernel/config/config.ts'
import { UserError } from '../../kernel/errors/user-error.ts'

/** What a workspace set; null: nothing. */
export type OwnRetention = Readonly<Record<RetentionKind, number | null>>

export const NOTHING_SET: OwnRetention = {
  applications: null,
  audit: null,
  events: null,
  deliveries: null,
  request_log: null,
}

export type RetentionConfig = Pick<
  Config,
  'RETENTION_APPLICATION_MONTHS' | 'RETENTION_APPLICATION_MAX_MONTHS' | 'RETENTION_AUDIT_DAYS'
>

/** One kind: what the workspace set, what the installation gives, and what holds. 0: without an end. */
export interface Retention {
  kind: RetentionKind
  own: number | null
  fallback: number
  value: number
}

export function inForce(own: OwnRetention, config: RetentionConfig): Retention[] {
  const fallbacks: Partial<Record<RetentionKind, number>> = {
    applications: config.RETENTION_APPLICATION_MONTHS,
    audit: config.RETENTION_AUDIT_DAYS,
  }
  const rows = RETENTION_KINDS.map(kind => {
    const fallback = atMost(kind, fallbacks[kind] ?? RETENTION[kind].fallback, config)
    return { kind, own: own[kind], fallback, value: atMost(kind, own[kind] ?? fallback, config) }
  })
  const events = retentionFor(rows, 'events')
  return rows.map(row => (row.kind === 'deliveries' ? { ...row, value: Math.max(row.value, events) } : row))
}

/** 0: without an end. */
export const retentionFor = (rows: readonly Retention[], kind: RetentionKind): number =>
  rows.find(row => row.kind === kind)?.value ?? 0

/** The longest time that the installation allows. */
function atMost(kind: RetentionKind, value: number, config: RetentionConfig): number {
  const most = kind === 'applications' ? config.RETENTION_APPLICATION_MAX_MONTHS : 0
  return most === 0 ? value : value === 0 ? most : Math.min(value, most)
}

/** null: what the installation gives. */
export function checkedRetention(kind: RetentionKind, value: number | null, config: RetentionConfig): number | null {
  if (value === null) return null
  const { unit, least, most, endless } = RETENTION[kind]
  const allowed = kind === 'applications' ? config.RETENTION_APPLICATION_MAX_MONTHS || most : most
  if (value === 0 && endless && allowed === most) return 0
  if (Number.isSafeInteger(value) && value >= least && value <= allowed) return value
  const words = `from ${least} to ${allowed} ${unit}`
  throw new UserError(`${kind} must be ${words}${endless && allowed === most ? ', or 0 for no end' : ''}`)
}
