import type { InputFault } from '../../kernel/http/faults.ts'
import { isHandle } from '../../kernel/ids/handles.ts'
import { charactersIn } from '../../kernel/text/text.ts'
import type { MEMBER_OUTCOMES, MemberBatchRow, MembershipRow } from './shape.ts'

/**
 * The stage of a list member is one of the keys below, or a custom label. `none` clears it. Stages have no order: a
 * member may move from any stage to any other. The API accepts a custom label only if another member of the list
 * already has it; only the product creates new labels.
 */
export const STAGE_KEYS = ['requested', 'connected', 'pending', 'declined', 'interviewing', 'hired'] as const
export const NO_STAGE = 'none'
export const MAX_STAGE_LENGTH = 40

/** The stored form of a stage; undefined if it is not a key, so that only an existing label can allow it. */
export function storedStage(stage: string): string | null | undefined {
  if (stage === NO_STAGE) return null
  return STAGE_KEYS.find(key => key === stage)
}

export const fitsStage = (stage: string): boolean => stage !== '' && charactersIn(stage) <= MAX_STAGE_LENGTH

/** A key, or a text that the product can use as a label. */
export const isStage = (stage: string): boolean =>
  storedStage(stage) !== undefined || (fitsStage(stage) && stage.trim() === stage)

/**
 * Removes custom labels from the text of a membership event: labels are free text, and events outlive the records of
 * the person. JSON keys and their order do not change.
 */
export function withoutLabels(event: string): string {
  const whole = JSON.parse(event)
  const { object, previous_attributes } = whole.data
  const isLabel = (stage: unknown) => typeof stage === 'string' && storedStage(stage) === undefined
  for (const part of [object, previous_attributes]) if (part && isLabel(part.stage)) part.stage = null
  return JSON.stringify(whole)
}

/** How many labels an error lists. Most lists have a few; a list with thousands must not make an endless message. */
export const LABELS_SHOWN = 100

/** `labels`: the first labels of the list; `total`: how many it has. */
export function stageRefusal(labels: readonly string[], total: number): string {
  const custom = labels.map(label => JSON.stringify(label)).join(', ')
  const more = total > labels.length ? ` and ${total - labels.length} more` : ''
  return `must be one of ${[...STAGE_KEYS, NO_STAGE].join(', ')}${
    labels.length > 0 ? `, or a label of this list: ${custom}${more}` : ''
  }. The match is exact; custom labels can only be created in the product.`
}

export interface MemberItem {
  sourced_profile_id?: string
  applicant_id?: string
}

/** An item must have exactly one of the two ids. */
export function memberFaults(body: unknown): InputFault[] {
  const { members } = body as { members?: unknown }
  if (!Array.isArray(members)) return []
  return members.flatMap((item: unknown, i) => {
    if (typeof item !== 'object' || item === null) return []
    const { sourced_profile_id, applicant_id } = item as MemberItem
    return (sourced_profile_id === undefined) === (applicant_id === undefined)
      ? [{ param: `members[${i}]`, message: 'must have exactly one of sourced_profile_id and applicant_id' }]
      : []
  })
}

/** The well-formed profile handles of a request, each once, in request order. Other ids cannot exist. */
export const profilesNamed = (items: readonly MemberItem[]): string[] => [
  ...new Set(items.flatMap(({ sourced_profile_id: id }) => (id && isHandle('sourced_profile', id) ? [id] : []))),
]

type Outcome = (typeof MEMBER_OUTCOMES)[number]

/**
 * One result for each item, in request order. The counts add up to the number of items. `members`: the memberships
 * after the write, by profile; `added`: the profiles that this call added.
 */
export function buildMemberBatch(
  listId: string,
  items: readonly MemberItem[],
  members: ReadonlyMap<string, MembershipRow>,
  added: ReadonlySet<string>,
  candidateCount: number | null,
): MemberBatchRow {
  const counts: Record<Outcome, number> = { added: 0, already_in_list: 0, not_found: 0, unsupported: 0 }
  const seen = new Set<string>()
  const results = items.map((item, index) => {
    const profile = item.sourced_profile_id ?? null
    const membership = profile === null ? null : (members.get(profile) ?? null)
    const status: Outcome =
      profile === null
        ? 'unsupported'
        : membership === null
          ? 'not_found'
          : added.has(profile) && !seen.has(profile)
            ? 'added'
            : 'already_in_list'
    if (profile !== null) seen.add(profile)
    counts[status]++
    return { index, status, sourced_profile_id: profile, applicant_id: item.applicant_id ?? null, membership }
  })
  return { list_id: listId, requested: items.length, ...counts, candidate_count: candidateCount, results }
}
