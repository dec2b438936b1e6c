import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, TextField, useSubmit } from '../../ui/form.tsx'
import { shown } from '../../ui/language.ts'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send } from '../api.ts'
import { t } from '../texts/index.ts'
import { findRecommendation, RECOMMENDATIONS } from './recommendations.ts'

type Scorecard = Read<'/applications/{application}/scorecards'>['cards'][number]

/** One decimal, in the way of the language. */
export const formatAverage = (value: number): string =>
  new Intl.NumberFormat(shown.locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value)

const average = (scores: readonly number[]): string =>
  formatAverage(scores.reduce((sum, score) => sum + score, 0) / scores.length)

interface RatingRow {
  name: string
  comment?: string | null
  score: string
  note?: string
}

const Ratings = ({ rows, head }: { rows: readonly RatingRow[]; head: string }) => (
  <table class="ratings">
    <thead class="visually-hidden">
      <tr>
        <th scope="col">{t.scorecards.criterion}</th>
        <th scope="col">{head}</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ name, comment, score, note }) => (
        <tr key={name}>
          <th scope="row">
            {name}
            {comment && <div class="soft small">{comment}</div>}
          </th>
          <td class="rated">
            <b>{score}</b> {t.scorecards.ofFive} {note && <span class="faint">{note}</span>}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** The whole panel at a glance: recommendations, the average of all ratings, and that of each criterion. */
export function PanelSummary({ cards }: { cards: readonly Scorecard[] }) {
  const ratings = Map.groupBy(
    cards.flatMap(card => card.ratings),
    ({ name }) => name,
  )
  const scores = cards.flatMap(card => card.ratings.map(({ score }) => score))
  const counts = RECOMMENDATIONS.map(({ value, tone }) => ({
    value,
    tone,
    count: cards.filter(card => card.recommendation === value).length,
  })).filter(({ count }) => count > 0)
  return (
    <section class="entry" aria-label={t.scorecards.overall(cards.length)}>
      <h3>
        {t.scorecards.overall(cards.length)}
        {scores.length > 0 && <span class="faint"> · {t.scorecards.average(average(scores))}</span>}
      </h3>
      <ul class="tally">
        {counts.map(({ value, tone, count }) => (
          <li key={value}>
            <Tag tone={tone}>{t.scorecards.tally(count, t.scorecards.recommendations[value])}</Tag>
          </li>
        ))}
      </ul>
      {ratings.size > 0 && (
        <Ratings
          head={t.scorecards.averageOf5}
          rows={[...ratings].map(([name, of]) => ({
            name,
            score: average(of.map(({ score }) => score)),
            note: t.scorecards.ratings(of.length),
          }))}
        />
      )}
    </section>
  )
}

interface CardProps {
  applicationId: string
  card: Scorecard
  onRemark: () => void
}

/** A submitted scorecard; its author can add remarks. */
export function Card({ applicationId, card, onRemark }: CardProps) {
  const { value, tone } = findRecommendation(card.recommendation)
  const [isAdding, setAdding] = useState(false)
  return (
    <li class="entry">
      <div class="entry-head">
        <b>{card.mine ? t.scorecards.you : (card.author?.name ?? t.scorecards.former)}</b>
        <Tag tone={tone}>{t.scorecards.recommendations[value]}</Tag>
        {card.stage_name && <span>{card.stage_name}</span>}
        <Time at={card.created_at} />
        {card.mine && !isAdding && (
          <span class="entry-tools">
            <button type="button" class="text-button" onClick={() => setAdding(true)}>
              {t.scorecards.addRemark}
            </button>
          </span>
        )}
      </div>
      {card.summary && <p class="as-written">{card.summary}</p>}
      {card.ratings.length > 0 && (
        <Ratings
          head={t.scorecards.rating}
          rows={card.ratings.map(({ name, comment, score }) => ({ name, comment, score: String(score) }))}
        />
      )}
      {card.report_url && (
        <p class="small">
          <a href={card.report_url} target="_blank" rel="noreferrer">
            {t.scorecards.report}
          </a>
        </p>
      )}
      {card.remarks.map(({ id, body, created_at }) => (
        <div key={id} class="card-remark">
          <div class="entry-head">
            {t.scorecards.remark} <Time at={created_at} />
          </div>
          <p class="as-written">{body}</p>
        </div>
      ))}
      {isAdding && (
        <RemarkForm
          path={{ application: applicationId, scorecard: card.id }}
          onDone={isAdded => {
            setAdding(false)
            if (isAdded) onRemark()
          }}
        />
      )}
    </li>
  )
}

interface RemarkProps {
  path: { application: string; scorecard: string }
  onDone: (isAdded: boolean) => void
}

function RemarkForm({ path, onDone }: RemarkProps) {
  const [body, setBody] = useState('')
  const { busy, error, fault, submit } = useSubmit()
  const add = () =>
    submit(async () => {
      if (body.trim() === '') return
      await send('/applications/{application}/scorecards/{scorecard}/remarks', path, { body })
      toast(t.scorecards.remarkAdded)
      onDone(true)
    })
  return (
    <Form
      class="entry-form"
      aria-label={t.scorecards.addRemark}
      onSubmit={add}
      onKeyDown={event => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        void add()
      }}
    >
      <TextField
        label={t.scorecards.remark}
        value={body}
        onInput={setBody}
        rows={3}
        maxLength={10_000}
        fault={fault('body')}
        autofocus
      />
      <FormError error={error} />
      <div class="entry-actions">
        <Button kind="primary" type="submit" busy={busy} disabled={body.trim() === ''}>
          {t.scorecards.saveRemark}
        </Button>
        <Button onClick={() => onDone(false)}>{t.scorecards.close}</Button>
      </div>
    </Form>
  )
}
