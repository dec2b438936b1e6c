import type { AnswerValue, FormField } from '../../../packages/sdk/src/generated.ts'
import { Empty } from '../../ui/notice.tsx'
import { t } from '../texts/index.ts'
import { dataOf } from './data.ts'
import type { PanelProps } from './panel-props.ts'
import { RefusedPart } from './withheld.tsx'

/** What the candidate said on the form, with its questions in their order. */
export function AnswersPanel({ candidate }: PanelProps) {
  const { answers, job } = candidate
  if ('refused' in answers) return <RefusedPart refused={answers.refused} what={t.candidate.answersOfCandidates} />
  const given = answers.data.answers
  const files = new Map((dataOf(candidate.files) ?? []).map(file => [file.field_id, file.filename]))
  const asked = (job?.fields ?? []).filter(field => field.type !== 'section' && !isElsewhere(field))
  const known = new Set(asked.map(field => field.id))
  const rows = [
    ...asked.map(({ id, label }) => ({ id, label, text: files.get(id) ?? said(given[id]) })),
    ...Object.entries(given)
      .filter(([id]) => !known.has(id))
      .map(([id, value]) => ({ id, label: t.candidate.formerQuestion, text: said(value) })),
  ].filter(({ text }) => text !== undefined)
  if (rows.length === 0) return <Empty title={t.candidate.noAnswers}>{t.candidate.noAnswersMeans}</Empty>
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
  if (typeof value === 'boolean') return value ? t.candidate.yes : t.candidate.no
  return Array.isArray(value) ? value.join(', ') : value
}
