// What happens around an application besides its stages: score, pre-screen call, notes and scorecards.

import { type Score, scoreMatch } from '../resources/applications/actions.ts'
import type { Profile } from '../resources/resumes/actions.ts'
import type { Job } from './jobs.ts'
import { EXPERIENCE } from './occupations.ts'
import type { Step } from './pipeline.ts'
import type { Random } from './random.ts'
import { DAY, HOUR, iso, isoOrNull, MINUTE, type Row } from './rows.ts'

/** By the product's own rules. */
export const scoreOf = ({ plan, required, preferred }: Job, profile: Profile, text: string): Score | undefined =>
  scoreMatch(
    {
      skillsRequired: plan.unwritten ? [] : required,
      skillsPreferred: plan.unwritten ? [] : preferred,
      experienceLevel: plan.level,
      yearsMin: plan.level === null ? null : EXPERIENCE[plan.level][0],
    },
    { skills: profile.skills, text, seniority: profile.seniority, years: profile.total_years_experience },
  )

/** The kinds of pre-screen call that can be: status, completion, consent, and how common each is. */
const CALLS = [
  ['completed', 'complete', 'granted', 10],
  ['completed', 'partial', 'granted', 2],
  ['completed', 'none', 'declined', 1],
  ['no_answer', 'none', 'pending', 3],
  ['failed', 'partial', 'granted', 1],
  ['failed', 'none', 'pending', 1],
] as const

export function pastCall(random: Random, appliedAt: number, now: number): Row & { ended: number } {
  const [status, completion, consent] = random.weighted(CALLS.map(call => [call, call[3]] as const))
  const started = appliedAt + Math.floor(random.between(0.05, 0.6) * Math.min(3 * DAY, now - appliedAt))
  const seconds = { complete: random.int(240, 900), partial: random.int(60, 239), none: random.int(5, 40) }[completion]
  const ended = Math.min(started + seconds * 1000, now)
  return {
    call_status: status,
    completion_state: completion,
    duration_sec: status === 'no_answer' ? null : seconds,
    consent_state: consent,
    ambiguous_caller: status === 'completed' && random.chance(0.08),
    started_at: iso(started),
    ended_at: iso(ended),
    ended,
  }
}

/** A call yet to come, and one under way. */
export const presentCall = (kind: 'scheduled' | 'in_progress', now: number): Row => ({
  call_status: kind,
  completion_state: kind === 'scheduled' ? 'none' : 'partial',
  duration_sec: null,
  consent_state: kind === 'scheduled' ? 'pending' : 'granted',
  ambiguous_caller: false,
  started_at: kind === 'scheduled' ? null : iso(now - 4 * MINUTE),
  ended_at: null,
})

const NOTES = [
  'Spoke on the phone, very clear about motivation.',
  'Salary expectation is at the upper end of our range.',
  'Asked for two weeks to decide.',
  'Strong portfolio, ask about the gripper project.',
  'Available from the first of next month.',
  'Would prefer to work from home two days a week.',
]

export function noteRows(random: Random, steps: readonly Step[], authors: readonly string[], now: number): Row[] {
  return steps.slice(1).flatMap(step => {
    if (!random.chance(0.3)) return []
    const at = Math.min(step.at + random.int(5, 180) * MINUTE, now)
    return [
      { id: random.uuid(), body: random.pick(NOTES), author_user_id: random.pick(authors), created_at: iso(at), at },
    ]
  })
}

const RATINGS = ['Technical depth', 'Communication', 'Ownership', 'Teamwork']

/** One for some of the stages in which people meet. */
export function scorecardRows(random: Random, steps: readonly Step[], authors: readonly string[], now: number): Row[] {
  const ended = steps.at(-1)!.status
  return steps.flatMap(step => {
    const met = ['interview', 'assessment', 'custom'].includes(step.stage.type) && step.previousStage !== step.stage
    if (!met || !random.chance(0.7)) return []
    const good = ended === 'hired' || ended === 'advanced' || random.chance(0.3)
    const interviewed = Math.min(step.at + random.int(2, 20) * HOUR, now - MINUTE)
    const at = Math.max(step.at, Math.min(interviewed + 2 * HOUR, now))
    return [
      {
        id: random.uuid(),
        recommendation: random.weighted(
          good
            ? ([
                ['strong_yes', 2],
                ['yes', 4],
                ['no_decision', 1],
              ] as const)
            : ([
                ['no', 4],
                ['strong_no', 1],
                ['no_decision', 2],
              ] as const),
        ),
        summary: random.chance(0.85)
          ? good
            ? 'Solved the task calmly and explained each choice.'
            : 'Good talk, but too little depth for this role.'
          : null,
        stage_id: random.chance(0.9) ? step.stage.id : null,
        ratings: random.sample(RATINGS, random.int(2, 4)).map(name => ({
          name,
          score: good ? random.int(3, 5) : random.int(1, 3),
          comment: random.chance(0.3) ? 'See the summary.' : null,
        })),
        interviewed_at: isoOrNull(random.chance(0.9) ? Math.max(step.at, interviewed) : null),
        report_url: random.chance(0.15) ? 'https://reports.assessments.example/sample' : null,
        author_user_id: random.pick(authors),
        created_at: iso(at),
        at,
      },
    ]
  })
}

export const REJECTION_REASONS = [
  'Not enough experience with the main tools of the role.',
  'Another candidate accepted the offer.',
  'Salary expectation is above the range.',
  'Does not want to work on site.',
  'Withdrawn opening: the team was reorganised.',
]
