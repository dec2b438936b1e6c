import { STAGE_TYPES } from '../../src/resources/jobs/shape.ts'

/** The funnel counted naively: one application after the other, without the database. */
export interface ModelJob {
  id: string
  title: string
  department: string | null
  stages: { id: string; name: string; type: string; position: number }[]
}

export interface ModelApplication {
  id: string
  job: ModelJob
  status: string
  source: string
  appliedAt: number
  /** place of the stage in its job, and when it was entered */
  path: { stage: number; at: number }[]
  hiredAt: number | null
}

export interface FunnelQuery {
  after: number
  before: number
  jobId?: string
  department?: string
  source?: string
  groupBy: string
}

const OPEN = ['new', 'in_review', 'advanced']

export function modelFunnel(all: ModelApplication[], asked: FunnelQuery, job: ModelJob | undefined) {
  const counted = all.filter(
    a =>
      a.appliedAt > asked.after &&
      a.appliedAt < asked.before &&
      (asked.jobId === undefined || a.job.id === asked.jobId) &&
      (asked.department === undefined || a.job.department === asked.department) &&
      (asked.source === undefined || a.source === asked.source),
  )
  const groups = Map.groupBy(counted, a => keyOf(a, asked.groupBy))
  const shown = [...groups].map(([key, members]) => ({ key, ...partOf(members, job) }))
  return {
    ...partOf(counted, job),
    groups: asked.groupBy === 'none' ? [] : shown.sort((a, b) => b.totals.applications - a.totals.applications),
  }
}

function keyOf(a: ModelApplication, groupBy: string): string | null {
  const day = new Date(a.appliedAt)
  switch (groupBy) {
    case 'job':
      return a.job.id
    case 'department':
      return a.job.department
    case 'source':
      return a.source
    case 'month':
      return `${day.toISOString().slice(0, 7)}-01`
    case 'week':
      day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
      return day.toISOString().slice(0, 10)
    default:
      return null
  }
}

function partOf(members: ModelApplication[], job: ModelJob | undefined) {
  const withStatus = (status: string) => members.filter(a => a.status === status).length
  const totals = {
    applications: members.length,
    new: withStatus('new'),
    in_review: withStatus('in_review'),
    advanced: withStatus('advanced'),
    rejected: withStatus('rejected'),
    withdrawn: withStatus('withdrawn'),
    hired: withStatus('hired'),
    median_days_to_hire: median(
      members.filter(a => a.status === 'hired').map(a => (a.hiredAt! - a.appliedAt) / 86_400_000),
    ),
  }
  const steps: { type: string; position: number; id?: string; name?: string }[] = job
    ? job.stages.map(s => ({ ...s }))
    : STAGE_TYPES.map((type, position) => ({ type, position }))
  const stages = steps.flatMap(step => {
    const matches = (a: ModelApplication, place: number) => {
      const stage = a.job.stages[place]!
      return step.id === undefined ? stage.type === step.type : stage.id === step.id
    }
    const lines = members.map(a => {
      const visits = a.path.map((visit, i) => ({ ...visit, left: a.path[i + 1]?.at }))
      const realSteps = visits.filter(visit => a.job.stages[visit.stage]!.type !== 'rejected')
      const counted = realSteps.length > 0 ? realSteps : visits.slice(-1)
      return {
        reached: counted.some(visit => matches(a, visit.stage)),
        isCurrent: matches(a, counted.at(-1)!.stage),
        status: a.status,
        hours: visits
          .filter(visit => matches(a, visit.stage) && visit.left !== undefined)
          .reduce((sum, visit) => sum + (visit.left! - visit.at) / 3_600_000, 0),
      }
    })
    const reached = lines.filter(line => line.reached)
    if (reached.length === 0 && (!job || step.type === 'rejected')) return []
    const currentWith = (is: (status: string) => boolean) =>
      reached.filter(line => line.isCurrent && is(line.status)).length
    const wentOn = reached.filter(line => !line.isCurrent)
    const hired = currentWith(status => status === 'hired')
    return [
      {
        stage_type: step.type,
        ...(job ? { stage_id: step.id, name: step.name } : {}),
        position: step.position,
        reached: reached.length,
        current: currentWith(status => OPEN.includes(status)),
        advanced: wentOn.length,
        rejected: currentWith(status => status === 'rejected'),
        withdrawn: currentWith(status => status === 'withdrawn'),
        hired,
        conversion_rate:
          reached.length === 0 ? null : Math.round((10_000 * (wentOn.length + hired)) / reached.length) / 10_000,
        median_hours_in_stage: median(wentOn.map(line => line.hours)),
      },
    ]
  })
  return { totals, stages }
}

function median(values: number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}
