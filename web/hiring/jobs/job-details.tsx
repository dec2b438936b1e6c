import type { ComponentChildren } from 'preact'
import type { Job } from '../../../packages/sdk/src/generated.ts'
import { DescriptionList, Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { JOB_FIELDS, type JobField, valuesOf, wordsOf } from './fields.ts'
import { MarkdownText } from './markdown-field.tsx'

const FACTS: readonly JobField[] = [
  'department',
  'team',
  'employment_type',
  'experience_level',
  'years_min',
  'years_max',
  'location_type',
  'locations',
  'compensation.salary_min',
  'compensation.salary_max',
  'compensation.currency',
  'compensation.interval',
  'compensation.equity',
  'accept_applications',
  'external_apply_url',
  'source.company_name',
]

const LISTS: readonly JobField[] = [
  'content.responsibilities',
  'content.requirements',
  'content.nice_to_have',
  'content.skills_required',
  'content.skills_preferred',
  'content.benefits',
]

/** A job for people who may read it and not change it. */
export function JobDetails({ job }: { job: Job }) {
  const values = valuesOf(job)
  const hasPay = job.compensation !== null
  const shown = FACTS.filter(field => hasPay || !field.startsWith('compensation.'))
  const facts = shown
    .map((field): readonly [string, ComponentChildren] => [JOB_FIELDS[field][0], wordsOf(field, values[field])])
    .filter(([, words]) => words !== 'nothing')
  const { summary, description_md } = job.content
  return (
    <>
      <DescriptionList
        rows={[...facts, ['Published', <Time at={job.published_at} />], ['Closes', <Time at={job.close_at} />]]}
      />
      {summary !== null && (
        <Section title={JOB_FIELDS['content.summary'][0]}>
          <p class="job-text">{summary}</p>
        </Section>
      )}
      {description_md !== null && (
        <Section title={JOB_FIELDS['content.description_md'][0]}>
          <MarkdownText source={description_md} />
        </Section>
      )}
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
