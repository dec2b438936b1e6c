import type { ComponentChildren } from 'preact'
import type { Job } from '../../../packages/sdk/src/generated.ts'
import { count } from '../../ui/numbers.ts'
import { DescriptionList, Section } from '../../ui/page.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { describeField, JOB_FIELDS, type JobField, jobValues } from './fields.ts'
import { JobDescription } from './markdown-field.tsx'

/** Shown where they are set; spans are put together. */
const FACTS: readonly JobField[] = [
  'department',
  'team',
  'employment_type',
  'experience_level',
  'location_type',
  'locations',
  'language',
  'compensation.equity',
  'accept_applications',
  'external_apply_url',
  'source.company_name',
]

const LISTS: readonly JobField[] = [
  'content.responsibilities',
  'content.requirements',
  'content.nice_to_have',
  'content.benefits',
]
const SKILLS: readonly JobField[] = ['content.skills_required', 'content.skills_preferred']

/** `3 to 6`, `from 3`, `up to 6`, or nothing */
function spanOf(from: number | null, to: number | null): string {
  if (from !== null && to !== null)
    return from === to ? count.format(from) : `${count.format(from)} to ${count.format(to)}`
  return from !== null ? `from ${count.format(from)}` : to !== null ? `up to ${count.format(to)}` : ''
}

function salaryOf({ compensation }: Job): string {
  if (!compensation) return ''
  const { salary_min, salary_max, currency, interval } = compensation
  const span = spanOf(salary_min, salary_max)
  return span && `${span} ${currency} per ${describeField('compensation.interval', interval).toLowerCase()}`
}

/** A job for people who may read it and not change it. */
export function JobDetails({ job }: { job: Job }) {
  const values = jobValues(job)
  const facts = FACTS.map((field): readonly [string, ComponentChildren] => [
    JOB_FIELDS[field][0],
    describeField(field, values[field]),
  ]).filter(([, words]) => words !== 'nothing')
  const salary = salaryOf(job)
  const years = spanOf(job.years_min, job.years_max)
  const { summary, description_md } = job.content
  return (
    <>
      <DescriptionList
        rows={[
          ...facts,
          years !== '' && ['Years of experience', years],
          salary !== '' && ['Salary', salary],
          ['Published', <Time at={job.published_at} />],
          ['Closes', <Time at={job.close_at} />],
        ]}
      />
      {summary !== null && (
        <Section title={JOB_FIELDS['content.summary'][0]}>
          <p class="job-text">{summary}</p>
        </Section>
      )}
      {description_md !== null && (
        <Section title={JOB_FIELDS['content.description_md'][0]}>
          <JobDescription key={job.updated_at} jobId={job.id} />
        </Section>
      )}
      {SKILLS.map(field => {
        const entries = values[field] as readonly string[]
        if (entries.length === 0) return null
        return (
          <Section key={field} title={JOB_FIELDS[field][0]}>
            <p class="job-skills">
              {entries.map(entry => (
                <Tag key={entry}>{entry}</Tag>
              ))}
            </p>
          </Section>
        )
      })}
      {LISTS.map(field => {
        const entries = values[field] as readonly string[]
        if (entries.length === 0) return null
        return (
          <Section key={field} title={JOB_FIELDS[field][0]}>
            <ul class="job-text">
              {entries.map(entry => (
                <li key={entry}>{entry}</li>
              ))}
            </ul>
          </Section>
        )
      })}
    </>
  )
}
