import { FREE_REASONS, type ReasonSide } from '../../contract/decision-reasons.ts'
import { PAGE_LANGUAGES, type PageLanguage } from '../../contract/page-languages.ts'
import { withRules } from '../../kernel/http/body.ts'
import { closed } from '../../kernel/http/closed.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import { type Static, Type } from '../../kernel/schema/types.ts'

export const DEFAULT_LANGUAGE: PageLanguage = 'en'

export type ReasonNames = Partial<Record<PageLanguage, string>>

export interface Reason {
  /** a word for one that every workspace has, else a UUID */
  id: string
  side: ReasonSide
  names: ReasonNames
  position: number
  template_id: string | null
  archived: boolean
}

export const needsText = ({ side, id }: Pick<Reason, 'side' | 'id'>): boolean => FREE_REASONS[side] === id

const DEFAULTS: readonly (readonly [ReasonSide, id: string, en: string, de: string])[] = [
  ['reject', 'missing_skills', 'Missing required skills', 'Kenntnisse fehlen'],
  ['reject', 'too_little_experience', 'Too little experience', 'Zu wenig Erfahrung'],
  ['reject', 'others_fit_better', 'Others fit better', 'Andere passen besser'],
  ['reject', 'salary', 'Salary expectation', 'Gehaltsvorstellung'],
  ['reject', 'location', 'Location or work permit', 'Standort oder Arbeitserlaubnis'],
  ['reject', 'interview', 'Interview', 'Gespräch'],
  ['reject', 'not_reachable', 'Not reachable', 'Nicht erreichbar'],
  ['reject', 'position_filled', 'Position filled', 'Stelle besetzt'],
  ['reject', FREE_REASONS.reject, 'Other…', 'Anderer Grund …'],
  ['withdraw', 'withdraw_offer', 'Another offer', 'Anderes Angebot'],
  ['withdraw', 'withdraw_interest', 'Not interested', 'Kein Interesse'],
  ['withdraw', 'withdraw_salary', 'Salary', 'Gehalt'],
  ['withdraw', 'withdraw_location', 'Location', 'Standort'],
  ['withdraw', 'withdraw_no_reply', 'No reply', 'Keine Antwort'],
  ['withdraw', FREE_REASONS.withdraw, 'Other…', 'Anderer Grund …'],
]

/** What every workspace has until it changes them. A row of the store replaces the default with its id. */
export const DEFAULT_REASONS: readonly Reason[] = DEFAULTS.map(([side, id, en, de], i) => ({
  id,
  side,
  names: { en, de },
  position: i - DEFAULTS.findIndex(([first]) => first === side),
  template_id: null,
  archived: false,
}))

/** Set by the product when a candidate is moved to another job; no one chooses it. */
export const ANOTHER_JOB: Reason = {
  id: 'another_job',
  side: 'reject',
  names: { en: 'Considered for another job', de: 'Für eine andere Stelle berücksichtigt' },
  position: 0,
  template_id: null,
  archived: true,
}

/** Digits choose the first nine; the list is one that a person reads. */
const MAX_REASONS = 30
const NAME_LENGTH = 120

const name = Type.String({ minLength: 1, maxLength: NAME_LENGTH, pattern: '\\S' })

/** Every reason of the workspace, in its order: new ones have no id, and none is left out. */
export const reasonsBody = withRules(
  Type.Object(
    {
      reasons: Type.Array(
        Type.Object(
          {
            id: Type.Optional(Type.String({ maxLength: 100 })),
            side: Type.Enum(['reject', 'withdraw']),
            names: Type.Object({ en: Type.Optional(name), de: Type.Optional(name) }, closed),
            template_id: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()])),
            archived: Type.Optional(Type.Boolean()),
          },
          closed,
        ),
        { maxItems: 2 * MAX_REASONS },
      ),
      /** in which language the API names them */
      language: Type.Optional(Type.Enum(PAGE_LANGUAGES)),
      /** The version of the list that was read; another one is a conflict */
      version: Type.String({ maxLength: 100 }),
    },
    closed,
  ),
  body => {
    const { reasons } = (body ?? {}) as { reasons?: unknown }
    return Array.isArray(reasons) ? listFaults(reasons) : []
  },
)

export type ReasonsInput = Static<typeof reasonsBody>

function listFaults(reasons: readonly unknown[]): InputFault[] {
  const faults: InputFault[] = []
  const given = reasons.map(one => (one ?? {}) as Partial<ReasonsInput['reasons'][number]>)
  const seen = new Set<string>()
  for (const [i, { id, side, names, template_id }] of given.entries()) {
    const param = (name: string) => `reasons[${i}].${name}`
    if (id !== undefined && seen.has(id)) faults.push({ param: param('id'), message: 'is there twice' })
    if (id !== undefined) seen.add(id)
    if (names && Object.keys(names).length === 0)
      faults.push({ param: param('names'), message: 'must have a name in at least one language' })
    if (side === 'withdraw' && template_id)
      faults.push({ param: param('template_id'), message: 'is not possible: a withdrawal has no message' })
  }
  for (const side of ['reject', 'withdraw'] as const) {
    const ofSide = given.filter(one => one.side === side)
    if (ofSide.length > MAX_REASONS)
      faults.push({ param: 'reasons', message: `must have at most ${MAX_REASONS} to ${side}` })
    if (ofSide.every(({ archived }) => archived === true))
      faults.push({ param: 'reasons', message: `must have at least one to ${side} that is not archived` })
  }
  return faults
}

/** The name in a language, or in the other one. */
export const reasonName = ({ names }: Pick<Reason, 'names'>, language: PageLanguage): string =>
  names[language] ?? PAGE_LANGUAGES.map(one => names[one]).find(one => one !== undefined) ?? ''

/** What the API shows of a decision: the name of its reason, and what the person wrote. */
export function reasonText(reason: Reason, language: PageLanguage, note: string | undefined): string {
  // the dots say that a text follows
  const title = reasonName(reason, language).replace(/…$/, '').trimEnd()
  return note ? `${title}: ${note}` : title
}
