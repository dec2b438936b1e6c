import type { AnswerValue, FormField } from '../../../packages/sdk/src/generated.ts'
import { Empty } from '../../ui/notice.tsx'
import { dataOf } from './data.ts'
import type { PanelProps } from './panel-props.ts'
import { RefusedPart } from './withheld.tsx'

/** What the candidate said on the form, with its questions in their order. */
export function AnswersPanel({ candidate }: PanelProps) {
  const { answers, job } = candidate
  if ('refused' in answers) return <RefusedPart refused={answers.refused} what="the answers of candidates" />
  const given = answers.data.answers
  const files = new Map((dataOf(candidate.files) ?? []).map(file => [file.field_id, file.filename]))
  const asked = (job?.fields ?? []).filter(field => field.type !== 'section' && !isElsewhere(field))
  const known = new Set(asked.map(field => field.id))
  const rows = [
    ...asked.map(({ id, label }) => ({ id, label, text: files.get(id) ?? said(given[id]) })),
    ...Object.entries(given)
      .filter(([id]) => !known.has(id))
      .map(([id, value]) => ({ id, label: 'A question that is no longer on the form', text: said(value) })),
  ].filter(({ text }) => text !== undefined)
  if (rows.length === 0)
    return <Empty title="No answers">The form asked nothing, or the application came from another system.</Empty>
  return (
    <dl class="answers">
      {rows.map(({ id, label, text }) => (
        <div key={id}>
          <dt>{label}</dt>
          <dd dir="auto">{text}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Consents and equal-opportunity questions are for no one of the team. */
const isElsewhere = ({ type }: FormField) => type === 'consent' || type === 'eeo'

function said(value: AnswerValue | undefined): string | undefined {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return Array.isArray(value) ? value.join(', ') : value
}
