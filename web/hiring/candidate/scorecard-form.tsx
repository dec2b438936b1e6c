import type { Application } from '../../../packages/sdk/src/generated.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, Segments, TextField, useSubmit } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send } from '../api.ts'
import { useRepeatKey } from '../repeat-key.ts'
import { useDraft } from './drafts.ts'
import { RECOMMENDATIONS } from './recommendations.ts'

interface Props {
  application: Application
  criteria: Read<'/jobs/{job}/criteria'>['criteria']
  onClose: () => void
  onWritten: () => void
}

interface Rating {
  score: string
  comment: string
}

const SCORES = ['1', '2', '3', '4', '5'].map(score => [score, score] as const)
const UNRATED: Rating = { score: '', comment: '' }

export interface CardDraft {
  recommendation: string
  summary: string
  ratings: Readonly<Record<string, Rating>>
}

export const NO_CARD: CardDraft = { recommendation: '', summary: '', ratings: {} }

export const isBegun = ({ recommendation, summary, ratings }: CardDraft): boolean =>
  recommendation !== '' || summary !== '' || Object.values(ratings).some(({ score, comment }) => score + comment !== '')

export function ScorecardForm({ application, criteria, onClose, onWritten }: Props) {
  const [draft, setDraft] = useDraft('scorecard', application.id, NO_CARD)
  const { recommendation, summary, ratings } = draft
  const { busy, error, fault, submit } = useSubmit()
  const once = useRepeatKey()
  const rate = (name: string, change: Partial<Rating>) =>
    setDraft({ ratings: { ...ratings, [name]: { ...(ratings[name] ?? UNRATED), ...change } } })
  const unrated = criteria.filter(({ name }) => ratings[name]?.comment.trim() && !ratings[name]?.score)
  const write = () =>
    submit(async () => {
      const chosen = RECOMMENDATIONS.find(({ value }) => value === recommendation)
      if (!chosen) return
      const body = {
        recommendation: chosen.value,
        stage_id: application.stage_id,
        ...(summary.trim() === '' ? {} : { summary }),
        ratings: criteria.flatMap(({ name }) => {
          const { score, comment } = ratings[name] ?? UNRATED
          if (score === '') return []
          return [{ name, score: Number(score), ...(comment.trim() === '' ? {} : { comment }) }]
        }),
      }
      await once(body, idempotencyKey =>
        send('/v1/applications/{application_handle}/scorecards', { application_handle: application.id }, body, {
          idempotencyKey,
        }),
      )
      setDraft(undefined)
      toast('Scorecard saved')
      onWritten()
    })
  return (
    <Form class="entry entry-form" aria-label="Your scorecard" onSubmit={write}>
      <h3>Your scorecard</h3>
      {criteria.map(({ name, description }) => (
        <CriterionRating
          key={name}
          name={name}
          description={description}
          rating={ratings[name] ?? UNRATED}
          onRate={change => rate(name, change)}
        />
      ))}
      {criteria.length === 0 && (
        <p class="small soft">This job has no criteria. You can still give a recommendation.</p>
      )}
      <div class="choices">
        <p class="choices-label">Recommendation</p>
        <Segments
          label="Recommendation"
          value={recommendation}
          options={RECOMMENDATIONS.map(({ value, title }) => [value, title])}
          onInput={value => setDraft({ recommendation: value })}
        />
      </div>
      <TextField
        label="Summary"
        value={summary}
        onInput={value => setDraft({ summary: value })}
        rows={4}
        maxLength={10_000}
        fault={fault('summary')}
      />
      {unrated.length > 0 && (
        <p class="small warn-text" role="status">
          A comment without a rating is not saved: {unrated.map(({ name }) => name).join(', ')}.
        </p>
      )}
      <FormError error={error} />
      <div class="entry-actions">
        <Button kind="primary" type="submit" busy={busy} disabled={recommendation === ''}>
          Save scorecard
        </Button>
        <Button onClick={onClose}>Close</Button>
        {isBegun(draft) && (
          <Button
            onClick={() => {
              setDraft(undefined)
              onClose()
            }}
          >
            Discard
          </Button>
        )}
      </div>
      <p class="small faint">A scorecard cannot be changed after it was saved.</p>
    </Form>
  )
}

interface CriterionProps {
  name: string
  description: string | null
  rating: Rating
  onRate: (change: Partial<Rating>) => void
}

const CriterionRating = ({ name, description, rating: { score, comment }, onRate }: CriterionProps) => (
  <div class="criterion-rating">
    <div class="criterion-name">
      {name}
      {description && <div class="hint">{description}</div>}
    </div>
    <Segments
      label={`${name}: rating from 1 to 5`}
      value={score}
      options={SCORES}
      // the same one again takes it back
      onInput={chosen => onRate({ score: score === chosen ? '' : chosen })}
    />
    <input
      type="text"
      aria-label={`${name}: comment`}
      placeholder="Comment"
      maxLength={2000}
      value={comment}
      onInput={event => onRate({ comment: event.currentTarget.value })}
    />
  </div>
)
