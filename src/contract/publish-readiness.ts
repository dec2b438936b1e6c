/* The service refuses to publish by these rules, and the job editor shows them while a job is written. */

export interface ReadinessRow {
  param: string
  message: string
}

/** What decides whether a job can be published. */
export interface PublishReadiness {
  title: string
  summary: string | null
  description_md: string | null
  non_terminal_stages: number
  close_at_passed: boolean
}

const blank = (text: string | null) => text === null || text.trim() === ''

/** What prevents a job from being published. */
export function publishBlockers(job: PublishReadiness): ReadinessRow[] {
  const blockers: ReadinessRow[] = []
  if (blank(job.title)) blockers.push({ param: 'title', message: 'is blank' })
  if (blank(job.summary) && blank(job.description_md)) {
    blockers.push({ param: 'content', message: 'needs a summary or a description' })
  }
  if (job.non_terminal_stages === 0)
    blockers.push({ param: 'pipeline_stages', message: 'needs at least one stage that is not final' })
  if (job.close_at_passed) blockers.push({ param: 'close_at', message: 'is in the past' })
  return blockers
}

/** What makes a posting better or worse. */
export interface PostingFields extends Pick<PublishReadiness, 'summary' | 'description_md'> {
  department: string | null
  employment_type: string | null
  location_type: string | null
  locations: readonly string[]
  salary_min: number | null
  salary_max: number | null
  skills_required: readonly string[]
  years_min: number | null
  years_max: number | null
  accept_applications: boolean
  external_apply_url: string | null
}

/** What would improve a posting and does not prevent publishing. */
export function publishHints(job: PostingFields): ReadinessRow[] {
  const hints: ReadinessRow[] = []
  const hint = (missing: boolean, param: string, message: string) => {
    if (missing) hints.push({ param, message })
  }
  hint(job.department === null, 'department', 'is missing')
  hint(job.employment_type === null, 'employment_type', 'is missing')
  hint(job.location_type === null, 'location_type', 'is missing')
  hint(job.location_type !== 'remote' && job.locations.length === 0, 'locations', 'is missing')
  hint(job.salary_min === null && job.salary_max === null, 'compensation', 'has no salary')
  hint(blank(job.summary), 'content.summary', 'is missing; lists show it')
  hint(blank(job.description_md), 'content.description_md', 'is missing')
  hint(job.skills_required.length === 0, 'content.skills_required', 'is empty, so applications cannot be matched')
  hint(
    job.years_min !== null && job.years_max !== null && job.years_max < job.years_min,
    'years_max',
    'is less than years_min',
  )
  hint(
    !job.accept_applications && job.external_apply_url === null,
    'accept_applications',
    'is off and there is no external_apply_url: candidates cannot apply',
  )
  return hints
}
