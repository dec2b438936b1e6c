import type { ApplicationStatus } from '../../src/contract/application-status.ts'
import type { Random } from '../random.ts'
import { DAY, END, HOUR } from './replay.ts'

/** What has become of an application by the end of the replay. */
export type End = ApplicationStatus

export interface Step {
  at: number
  /** the stage it is moved to */
  stageId?: string
  /** the status it gets */
  status?: Exclude<ApplicationStatus, 'new'>
}

interface Stage {
  id: string
  type: string
  is_terminal: boolean
}

/**
 * The steps of an application through the stages of its job, each later than the one before. A rejection or withdrawal
 * happens at any stage; some rejected ones were moved to the final stage before, as the product leaves that open.
 */
export function stepsTo(random: Random, stages: readonly Stage[], end: End, appliedAt: number): Step[] {
  const open = stages.filter(stage => !stage.is_terminal)
  const depth = stagesPassed(random, end, open.length - 1)
  const steps: Omit<Step, 'at'>[] = []
  for (let i = 1; i <= depth; i++)
    steps.push({
      stageId: open[i]!.id,
      ...(i === 1 ? { status: 'in_review' } : i === 2 ? { status: 'advanced' } : {}),
    })
  if (end === 'in_review' && depth === 0) steps.push({ status: end })
  if (end === 'hired' || end === 'withdrawn') steps.push({ status: end })
  if (end === 'rejected') {
    const last = stages.find(stage => stage.type === 'rejected')
    steps.push({ status: end, ...(last && random.chance(0.5) ? { stageId: last.id } : {}) })
  }
  // some days apart; squeezed together where the application is too young for that
  const gaps = steps.map(() => random.between(0.4, 8) * DAY)
  const total = gaps.reduce((sum, gap) => sum + gap, 0)
  const available = (END - appliedAt) * 0.95 - HOUR / 2
  const scale = total > available ? available / total : 1
  let at = appliedAt
  return steps.map((step, i) => {
    at += Math.max(1, Math.floor(gaps[i]! * scale))
    return { at, ...step }
  })
}

function stagesPassed(random: Random, end: End, last: number): number {
  switch (end) {
    case 'new':
      return 0
    case 'in_review':
      return random.weighted([
        [0, 1],
        [1, 3],
      ])
    case 'advanced':
      return random.int(2, last)
    case 'hired':
      return last
    default:
      return Math.min(last, random.weighted([0, 1, 2, 3, 4].map(depth => [depth, [4, 5, 4, 2, 1][depth]!] as const)))
  }
}

const ENDS: readonly End[] = ['new', 'in_review', 'advanced', 'rejected', 'withdrawn', 'hired']

export function endAfter(random: Random, ageDays: number): End {
  const weights =
    ageDays < 3
      ? [8, 2, 0, 0, 0, 0]
      : ageDays < 14
        ? [4, 6, 3, 3, 1, 0]
        : ageDays < 45
          ? [1, 4, 5, 7, 2, 1]
          : [0, 2, 2, 10, 2, 1]
  return random.weighted(ENDS.map((end, i) => [end, weights[i]!] as const))
}
