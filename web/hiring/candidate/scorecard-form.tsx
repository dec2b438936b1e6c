import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, TextField, useSubmit } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send } from '../api.ts'
import { useRepeatKey } from '../repeat-key.ts'
import { t } from '../texts/index.ts'
import { type CardDraft, isBegun, type Rating, type SaveState, useCardDraft } from './card-draft.ts'
import { DigitScale } from './digit-scale.tsx'
import { RECOMMENDATION_OF_DIGIT } from './recommendations.ts'
import { ScorecardKit } from './scorecard-kit.tsx'

type Panel = Read<'/applications/{application}/scorecards'>

interface Props {
  applicationId: string
  panel: Panel
  /** whether the reader has just opened it */
  isOpened: boolean
  onClose: () => void
  onWritten: () => void
  reload: () => void
}

const UNRATED: Rating = { score: null, comment: '' }

/** What is submitted: criteria that count now and were rated. */
function toCard({ recommendation, summary, ratings }: CardDraft, { criteria, stage_id }: Panel) {
  if (recommendation === null) return undefined
  return {
    recommendation,
    ...(stage_id === null ? {} : { stage_id }),
    ...(summary.trim() === '' ? {} : { summary }),
    ratings: criteria.flatMap(({ name }) => {
      const { score, comment } = ratings[name] ?? UNRATED
      return score === null ? [] : [{ name, score, ...(comment.trim() === '' ? {} : { comment }) }]
    }),
  }
}

/** The scorecard that the reader writes, with what the interviewers of the stage are given. */
export function ScorecardForm({ applicationId, panel, isOpened, onClose, onWritten, reload }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const card = useCardDraft(applicationId, panel.draft)
  const { busy, error, fault, submit } = useSubmit()
  const once = useRepeatKey()
  const { draft } = card
  useLayoutEffect(() => {
    if (isOpened) form.current?.querySelector<HTMLElement>('.digit-scale [tabindex="0"]')?.focus()
  }, [])
  const write = () =>
    submit(async () => {
      const body = toCard(draft, panel)
      if (!body) return
      await card.settle()
      await once(body, idempotencyKey =>
        send('/v1/applications/{application_handle}/scorecards', { application_handle: applicationId }, body, {
          idempotencyKey,
        }),
      )
      card.forget()
      toast(t.scorecards.submitted)
      onWritten()
    })
  const discard = () =>
    submit(async () => {
      await card.discard()
      toast(t.scorecards.discarded)
      onClose()
      reload()
    })
  return (
    <div class="card-writing">
      <div class={panel.kit ? 'card-columns with-kit' : 'card-columns'}>
        {panel.kit && (
          <ScorecardKit
            kit={panel.kit}
            stage={panel.stage_name}
            asked={draft.asked}
            onAsked={asked => card.set({ asked })}
          />
        )}
        <Form
          element={form}
          class="entry entry-form card-form"
          aria-label={t.scorecards.yours}
          onSubmit={write}
          onKeyDown={event => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            void write()
          }}
        >
          <h3>
            {t.scorecards.yours}
            {panel.stage_name && <span class="faint"> · {t.scorecards.about(panel.stage_name)}</span>}
          </h3>
          <CardFields panel={panel} draft={draft} set={card.set} summaryFault={fault('summary')} />
          {card.state === 'stale' && (
            <StaleDraft
              onLoad={() => {
                card.forget()
                reload()
              }}
            />
          )}
          <FormError error={error} />
          <div class="entry-actions">
            <Button kind="primary" type="submit" busy={busy} disabled={draft.recommendation === null}>
              {t.scorecards.submit}
            </Button>
            <Button onClick={onClose}>{t.scorecards.close}</Button>
            {isBegun(draft) && <Button onClick={discard}>{t.scorecards.discard}</Button>}
            <SaveNote state={card.state} />
          </div>
          <p class="small faint">{t.scorecards.fixed}</p>
        </Form>
      </div>
    </div>
  )
}

const SaveNote = ({ state }: { state: SaveState }) => (
  <span class="hint wide-only" role="status">
    {state === 'saved' ? t.scorecards.savedDraft : state === 'failed' ? t.scorecards.notSaved : 'Ctrl+Enter'}
  </span>
)

const StaleDraft = ({ onLoad }: { onLoad: () => void }) => (
  <Notice tone="warn">
    <p role="alert">{t.scorecards.elsewhere}</p>
    <p>
      <Button small onClick={onLoad}>
        {t.scorecards.loadDraft}
      </Button>
    </p>
  </Notice>
)

interface FieldsProps {
  panel: Panel
  draft: CardDraft
  set: (change: Partial<CardDraft>) => void
  summaryFault: string | undefined
}

function CardFields({ panel: { criteria }, draft, set, summaryFault }: FieldsProps) {
  const { recommendation, summary, ratings } = draft
  const unrated = criteria.filter(({ name }) => ratings[name]?.comment.trim() && ratings[name]?.score == null)
  const rate = (name: string, change: Partial<Rating>) =>
    set({ ratings: { ...ratings, [name]: { ...(ratings[name] ?? UNRATED), ...change } } })
  const chosen = recommendation === null ? null : RECOMMENDATION_OF_DIGIT.indexOf(recommendation) + 1
  return (
    <>
      {criteria.map(({ name, description }) => (
        <CriterionRating
          key={name}
          name={name}
          description={description}
          rating={ratings[name] ?? UNRATED}
          onRate={change => rate(name, change)}
        />
      ))}
      {criteria.length === 0 && <p class="small soft">{t.scorecards.noCriteria}</p>}
      <div class="choices">
        <p class="choices-label">
          {t.scorecards.recommendation} <span class="hint wide-only">{t.scorecards.digits}</span>
        </p>
        <DigitScale
          label={t.scorecards.recommendation}
          value={chosen}
          titles={RECOMMENDATION_OF_DIGIT.map(value => t.scorecards.recommendations[value])}
          onInput={digit =>
            set({ recommendation: digit === null ? null : (RECOMMENDATION_OF_DIGIT[digit - 1] ?? null) })
          }
        />
      </div>
      <TextField
        label={t.scorecards.summary}
        value={summary}
        onInput={value => set({ summary: value })}
        rows={4}
        maxLength={10_000}
        fault={summaryFault}
      />
      {unrated.length > 0 && (
        <p class="small warn-text" role="status">
          {t.scorecards.unrated(unrated.map(({ name }) => name).join(', '))}
        </p>
      )}
    </>
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
    <DigitScale label={t.scorecards.ratingOf(name)} value={score} onInput={next => onRate({ score: next })} />
    <input
      type="text"
      aria-label={t.scorecards.commentOn(name)}
      placeholder={t.scorecards.comment}
      maxLength={2000}
      value={comment}
      onInput={event => onRate({ comment: event.currentTarget.value })}
    />
  </div>
)
