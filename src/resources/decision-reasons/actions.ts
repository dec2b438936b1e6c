import { createHash, randomUUID } from 'node:crypto'
import type { ReasonSide } from '../../contract/decision-reasons.ts'
import type { PageLanguage } from '../../contract/page-languages.ts'
import type { Queryable, Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import { refuseInput } from '../../kernel/http/faults.ts'
import { selectMessageTemplates } from '../message-templates/index.ts'
import {
  ANOTHER_JOB,
  DEFAULT_LANGUAGE,
  DEFAULT_REASONS,
  needsText,
  type Reason,
  type ReasonsInput,
  reasonText,
} from './rules.ts'
import { lockReasons, putReasonLanguage, putReasons, selectReasonLanguage, selectReasons } from './store.ts'

const bySide = (a: Reason, b: Reason): number =>
  a.side === b.side ? a.position - b.position : a.side === 'reject' ? -1 : 1

/** The reasons of a workspace in their order, archived ones included. */
export async function readReasons(db: Queryable, workspace: string): Promise<Reason[]> {
  const stored = await db.query(selectReasons(workspace))
  const replaced = new Set(stored.map(({ id }) => id))
  return [...DEFAULT_REASONS.filter(({ id }) => !replaced.has(id)), ...stored].sort(bySide)
}

export interface ReasonList {
  reasons: Reason[]
  language: PageLanguage
  /** changes with the list */
  version: string
}

export async function readReasonList(db: Queryable, workspace: string): Promise<ReasonList> {
  const [reasons, language] = await Promise.all([readReasons(db, workspace), readLanguage(db, workspace)])
  const version = createHash('sha256')
    .update(JSON.stringify([reasons, language]))
    .digest('hex')
    .slice(0, 16)
  return { reasons, language, version }
}

const readLanguage = async (db: Queryable, workspace: string): Promise<PageLanguage> =>
  (await db.one(selectReasonLanguage(workspace)))?.reason_language ?? DEFAULT_LANGUAGE

/** Replaces names, order, templates and archive of all reasons. None is deleted: decisions name them. */
export async function setReasons(tx: Transaction, workspace: string, input: ReasonsInput): Promise<ReasonList> {
  await tx.query(lockReasons(workspace))
  const before = await readReasonList(tx, workspace)
  if (before.version !== input.version)
    fail('stale_resource', { message: 'Someone else changed the reasons while you were editing them.' })
  const templates = new Set((await tx.query(selectMessageTemplates(workspace))).map(({ id }) => id))
  const faults = inputFaults(before.reasons, input, templates)
  if (faults.length > 0) refuseInput(faults)
  const positions = { reject: 0, withdraw: 0 }
  const reasons = input.reasons.map(({ id, side, names, template_id = null, archived = false }) => ({
    id: id ?? randomUUID(),
    side,
    names: Object.fromEntries(Object.entries(names).map(([language, name]) => [language, name.trim()])),
    position: positions[side]++,
    template_id,
    archived,
  }))
  await tx.query(putReasons(workspace, reasons))
  if (input.language) await tx.query(putReasonLanguage(workspace, input.language))
  return readReasonList(tx, workspace)
}

function inputFaults(before: readonly Reason[], { reasons }: ReasonsInput, templates: ReadonlySet<string>) {
  const known = new Map(before.map(reason => [reason.id, reason]))
  const named = new Set(reasons.map(({ id }) => id))
  const faults = reasons.flatMap(({ id, side, template_id }, i): InputFault[] => [
    ...(id !== undefined && known.get(id)?.side !== side
      ? [{ param: `reasons[${i}].id`, message: `is not a reason to ${side} of this workspace` }]
      : []),
    ...(template_id && !templates.has(template_id)
      ? [{ param: `reasons[${i}].template_id`, message: 'is not a template of this workspace' }]
      : []),
  ])
  if (before.some(({ id }) => !named.has(id)))
    faults.push({ param: 'reasons', message: 'must have every reason: archive those that no one uses' })
  return faults
}

/** The reason of a decision as the pages send it. */
export interface GivenReason {
  reason_id?: string | undefined
  /** what the person wrote, with the reason or instead of it */
  reason?: string | undefined
}

export interface DecisionReason {
  /** undefined: a text alone, as keys send it */
  id: string | undefined
  /** in the language of the workspace; what the API shows */
  text: string
}

/** Checks a reason and gives it the text that is stored. `param` names it in the request. */
export async function resolveReason(
  db: Queryable,
  workspace: string,
  side: ReasonSide,
  { reason_id: id, reason: given }: GivenReason,
  param = (name: string) => name,
): Promise<DecisionReason> {
  const note = given?.trim() || undefined
  if (id === undefined) {
    if (note === undefined) refuseInput([{ param: param('reason_id'), message: 'is required' }])
    return { id: undefined, text: note ?? '' }
  }
  const { reasons, language } = await readReasonList(db, workspace)
  const found = [...reasons.filter(({ archived }) => !archived), ANOTHER_JOB].find(
    reason => reason.id === id && reason.side === side,
  )
  if (!found) return refuseInput([{ param: param('reason_id'), message: `is not a reason to ${side}` }])
  if (needsText(found) && note === undefined)
    refuseInput([{ param: param('reason'), message: 'is required with this reason' }])
  return { id, text: reasonText(found, language, note) }
}
