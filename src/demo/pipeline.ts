import type { Job, Stage } from './jobs.ts'
import type { Random } from './random.ts'
import { DAY, HOUR } from './rows.ts'

export const STATUSES = ['new', 'in_review', 'advanced', 'rejected', 'withdrawn', 'hired'] as const

export type Status = (typeof STATUSES)[number]

/** One moment in the life of an application, with what held before and after. */
export interface Step {
  at: number
  stage: Stage
  status: Status
  previousStage: Stage | null
  previousStatus: Status | null
}

/**
 * The way of an application through the stages of its job: from the first stage onward, each step later than the one
 * before and none in the future. It ends in the status asked for. A rejection or withdrawal happens wherever the
 * application stands; only some rejected ones are also moved to the final stage, as the product leaves that open.
 */
export function walk(random: Random, job: Job, status: Status, appliedAt: number, now: number): Step[] {
  const open = job.stages.filter(stage => !stage.final)
  const last = open.length - 1
  const moves: { stage?: Stage; status?: Status }[] = []
  const depth = reach(random, status, last)
  for (let i = 1; i <= depth; i++) {
    moves.push({ stage: open[i]!, ...(i === 1 ? { status: 'in_review' } : i === 2 ? { status: 'advanced' } : {}) })
  }
  if (status === 'in_review' && depth === 0) moves.push({ status })
  if (status === 'hired') moves.push({ stage: finalStage(job, 'hired'), status })
  if (status === 'withdrawn') moves.push({ status })
  if (status === 'rejected') {
    moves.push({ status, ...(random.chance(0.5) ? { stage: finalStage(job, 'rejected') } : {}) })
  }
  const times = moments(random, moves.length, appliedAt, now)
  const steps: Step[] = [{ at: appliedAt, stage: open[0]!, status: 'new', previousStage: null, previousStatus: null }]
  for (const [i, move] of moves.entries()) {
    const before = steps.at(-1)!
    steps.push({
      at: times[i]!,
      stage: move.stage ?? before.stage,
      status: move.status ?? before.status,
      previousStage: before.stage,
      previousStatus: before.status,
    })
  }
  return steps
}

/** How many open stages are passed before the end. */
function reach(random: Random, status: Status, last: number): number {
  switch (status) {
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

function finalStage(job: Job, type: string): Stage {
  return job.stages.find(stage => stage.type === type)!
}

/** Some days apart; squeezed together where the application is too young for that. */
function moments(random: Random, count: number, from: number, now: number): number[] {
  const gaps = Array.from({ length: count }, () => random.between(0.4, 8) * DAY)
  const total = gaps.reduce((sum, gap) => sum + gap, 0)
  const room = (now - from) * 0.95 - HOUR / 2
  const scale = total > room ? room / total : 1
  let at = from
  return gaps.map(gap => {
    at += Math.max(1, Math.floor(gap * scale))
    return at
  })
}

/** What has become of an application after so many days. */
export function likelyStatus(random: Random, ageDays: number): Status {
  const weights =
    ageDays < 3
      ? [8, 2, 0, 0, 0, 0]
      : ageDays < 14
        ? [4, 6, 3, 3, 1, 0]
        : ageDays < 45
          ? [1, 4, 5, 7, 2, 1]
          : [0, 2, 2, 10, 2, 1]
  return random.weighted(STATUSES.map((status, i) => [status, weights[i]!] as const))
}
