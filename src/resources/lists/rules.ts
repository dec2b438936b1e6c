import type { InputFault } from '../../kernel/http/faults.ts'
import { isHandle } from '../../kernel/ids/handles.ts'
import { charactersIn } from '../../kernel/text/text.ts'
import type { MEMBER_OUTCOMES, MemberBatchRow, MembershipRow } from './shape.ts'

/**
 * The stage of a member is one word of its list. Every word the list can hold may follow every other; there is no
 * order. The words are the keys below, `none`, which clears, and whatever custom label a member of the same list
 * already carries. Labels are born in the product only.
 */
export const STAGE_KEYS = ['requested', 'connected', 'pending', 'declined', 'interviewing', 'hired'] as const
export const NO_STAGE = 'none'
export const MAX_STAGE_LENGTH = 40

/** The stage as it is stored, or undefined where only a label in use could allow it. */
export function storedStage(stage: string): string | null | undefined {
  if (stage === NO_STAGE) return null
  return STAGE_KEYS.find(key => key === stage)
}

/**
 * The text of an event about a member, without the label: labels are free text, and an event
 * outlives the person's records. Keys and their order stay.
 */
export function withoutLabels(event: string): string {
  const whole = JSON.parse(event)
  const { object, previous_attributes } = whole.data
  const isLabel = (stage: unknown) => typeof stage === 'string' && storedStage(stage) === undefined
  for (const part of [object, previous_attributes]) if (part && isLabel(part.stage)) part.stage = null
  return JSON.stringify(whole)
}

/** Labels named in an error: a list has a handful, and the message of one with thousands must end. */
export const LABELS_SHOWN = 100

/** `total`: how many labels the list has, of which `labels` are the first. */
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

/** Exactly one of the two names a member. */
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

const NAME_LENGTH = 120

/** Counted without the blanks around it, which are not stored. */
export function nameFaults(body: unknown): InputFault[] {
  const { name } = body as { name?: unknown }
  if (typeof name !== 'string') return []
  const length = charactersIn(name.trim())
  return length >= 1 && length <= NAME_LENGTH
    ? []
    : [{ param: 'name', message: `must be 1 to ${NAME_LENGTH} characters, not counting leading and trailing spaces` }]
}

/** The profiles that a request can mean, each once, in request order. Others cannot exist and are not looked up. */
export const profilesNamed = (items: readonly MemberItem[]): string[] => [
  ...new Set(items.flatMap(({ sourced_profile_id: id }) => (id && isHandle('sourced_profile', id) ? [id] : []))),
]

type Outcome = (typeof MEMBER_OUTCOMES)[number]

/**
 * One result for each item, in request order, and counts that sum to their number. `members` are the memberships that
 * the list has after the write, by profile; `added` the profiles that are new in it.
 */
export function batchOf(
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
