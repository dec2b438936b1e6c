import type { PublishReadiness } from '../../../packages/sdk/src/generated.ts'
import { publishBlockers, publishHints } from '../../../src/contract/publish-readiness.ts'
import { fromLocal } from '../../ui/form.tsx'
import { entries, type JobValues } from './fields.ts'

const textOf = (value: string): string | null => (value.trim() === '' ? null : value)
const numberOf = (value: string): number | null => (value.trim() === '' ? null : Number(value))

/** What a job would lack if it were stored as it is typed now. Its stages are edited on another page. */
export function typedReadiness(values: JobValues, stored: PublishReadiness): PublishReadiness {
  const texts = {
    summary: textOf(values['content.summary']),
    description_md: textOf(values['content.description_md']),
  }
  const errors = publishBlockers({
    ...texts,
    title: values.title,
    non_terminal_stages: stored.errors.some(({ param }) => param === 'pipeline_stages') ? 0 : 1,
    close_at_passed: values.close_at !== '' && Date.parse(fromLocal(values.close_at)) <= Date.now(),
  })
  const hints = publishHints({
    ...texts,
    department: textOf(values.department),
    employment_type: textOf(values.employment_type),
    location_type: textOf(values.location_type),
    locations: entries(values.locations),
    salary_min: numberOf(values['compensation.salary_min']),
    salary_max: numberOf(values['compensation.salary_max']),
    skills_required: entries(values['content.skills_required']),
    years_min: numberOf(values.years_min),
    years_max: numberOf(values.years_max),
    accept_applications: values.accept_applications,
    external_apply_url: textOf(values.external_apply_url),
  })
  return { ...stored, ready: errors.length === 0, errors, hints }
}
