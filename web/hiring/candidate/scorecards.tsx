import '../css/decisions.css'
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, FormError } from '../../ui/dialog.tsx'
import { useSubmit } from '../../ui/form.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Empty, ErrorNote, Notice, Skeleton } from '../../ui/notice.tsx'
import { amount } from '../../ui/numbers.ts'
import { Link } from '../../ui/router.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send, useData } from '../api.ts'
import { KEYS } from '../key-table.ts'
import { useLive } from '../live.ts'
import { useMay, useSession } from '../session.ts'
import { t } from '../texts/index.ts'
import { holderOf, readDraft } from './drafts.ts'
import type { PanelProps } from './panel-props.ts'
import { findRecommendation, RECOMMENDATIONS } from './recommendations.ts'
import { isBegun, NO_CARD, ScorecardForm } from './scorecard-form.tsx'

type Panel = Read<'/applications/{application}/scorecards'>
type Scorecard = Panel['cards'][number]

/** Scorecards of a candidate: one's own first, then what the panel thinks. */
export function ScorecardsPanel({ application, candidate }: PanelProps) {
  const asks = candidate.may.includes('decide')
  const {
    data: panel,
    error,
    reload,
  } = useData('/applications/{application}/scorecards', {
    application: application.id,
  })
  const holder = holderOf(useSession())
  const begun = () => isBegun(readDraft(holder, 'scorecard', application.id, NO_CARD))
  // one that was begun is open again
  const [writing, setWriting] = useState(begun)
  const [asking, setAsking] = useState(false)
  const may = useMay()
  useShortcuts([{ keys: KEYS.create, title: 'Write your scorecard', run: () => setWriting(true) }])
  useLive(({ data: { object } }) => {
    if (object.id === application.id && object.changed?.includes('scorecards')) reload()
  })
  if (error && !panel) return <ErrorNote error={error} retry={reload} />
  if (!panel) return <Skeleton lines={4} />
  const own = panel.cards.some(card => card.mine)
  return (
    <div class="stack-panel">
      {panel.hidden > 0 && <Notice>{t.scorecards.yoursFirst(panel.hidden)}</Notice>}
      {writing ? (
        <ScorecardForm
          application={application}
          criteria={panel.criteria}
          onClose={() => setWriting(false)}
          onWritten={() => {
            setWriting(false)
            reload()
          }}
        />
      ) : (
        <div class="entry-actions">
          <Button kind={own ? 'secondary' : 'primary'} onClick={() => setWriting(true)}>
            {begun() ? 'Continue your scorecard' : own ? 'Write another scorecard' : 'Write your scorecard'}
          </Button>
          {asks && <Button onClick={() => setAsking(true)}>Ask for scorecards</Button>}
          {may('jobs:manage') && candidate.may.includes('read_setup') && (
            <Link to={`/jobs/${application.job_id}/criteria`}>Criteria of this job</Link>
          )}
        </div>
      )}
      <Requests of={application.id} panel={panel} reload={reload} mayWithdraw={asks} />
      {panel.hidden === 0 && panel.cards.length > 1 && <Summary cards={panel.cards} />}
      {panel.cards.length === 0 && panel.hidden === 0 && !writing && <Empty title="There are no scorecards yet" />}
      {panel.cards.length > 0 && (
        <ol class="entries" aria-label="Scorecards">
          {panel.cards.map(card => (
            <Card key={card.id} card={card} />
          ))}
        </ol>
      )}
      {asking && <AskDialog of={application.id} panel={panel} reload={reload} onClose={() => setAsking(false)} />}
    </div>
  )
}

const average = (scores: readonly number[]): string =>
  (scores.reduce((sum, score) => sum + score, 0) / scores.length).toFixed(1)

/** The whole panel at a glance: recommendations, and each criterion. */
function Summary({ cards }: { cards: readonly Scorecard[] }) {
  const ratings = new Map<string, number[]>()
  for (const { name, score } of cards.flatMap(card => card.ratings)) {
    ratings.set(name, [...(ratings.get(name) ?? []), score])
  }
  const counts = RECOMMENDATIONS.map(recommendation => ({
    ...recommendation,
    count: cards.filter(card => card.recommendation === recommendation.value).length,
  })).filter(({ count }) => count > 0)
  return (
    <section class="entry" aria-label="Summary of the panel">
      <h3>Summary of {amount(cards.length, 'scorecard')}</h3>
      <ul class="tally">
        {counts.map(({ value, title, tone, count }) => (
          <li key={value}>
            <Tag tone={tone}>
              {count} × {title}
            </Tag>
          </li>
        ))}
      </ul>
      {ratings.size > 0 && (
        <table class="ratings">
          <thead class="visually-hidden">
            <tr>
              <th scope="col">Criterion</th>
              <th scope="col">Average of 5</th>
              <th scope="col">Ratings</th>
            </tr>
          </thead>
          <tbody>
            {[...ratings].map(([name, scores]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="score">
                  <b>{average(scores)}</b> / 5
                </td>
                <td class="score faint">{amount(scores.length, 'rating')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Card({ card }: { card: Scorecard }) {
  const { title, tone } = findRecommendation(card.recommendation)
  return (
    <li class="entry">
      <div class="entry-head">
        <b>{card.mine ? 'You' : (card.author?.name ?? 'Former member')}</b>
        <Tag tone={tone}>{title}</Tag>
        {card.stage_name && <span>{card.stage_name}</span>}
        <Time at={card.created_at} />
      </div>
      {card.summary && <p class="as-written">{card.summary}</p>}
      {card.ratings.length > 0 && (
        <table class="ratings">
          <thead class="visually-hidden">
            <tr>
              <th scope="col">Criterion</th>
              <th scope="col">Rating</th>
            </tr>
          </thead>
          <tbody>
            {card.ratings.map(({ name, score, comment }) => (
              <tr key={name}>
                <th scope="row">
                  {name}
                  {comment && <div class="soft small">{comment}</div>}
                </th>
                <td class="score">
                  <b>{score}</b> / 5
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {card.report_url && (
        <p class="small">
          <a href={card.report_url} target="_blank" rel="noreferrer">
            Report
          </a>
        </p>
      )}
    </li>
  )
}

interface RequestsProps {
  /** the application */
  of: string
  panel: Panel
  reload: () => void
}

function Requests({ of, panel, reload, mayWithdraw }: RequestsProps & { mayWithdraw: boolean }) {
  const { busy, error, submit } = useSubmit()
  const open = panel.requests.filter(({ done }) => !done)
  if (open.length === 0) return null
  return (
    <section aria-label="Scorecards that are due">
      <h3>Waiting for</h3>
      <ul class="asked">
        {open.map(({ user, requested_at }) => (
          <li key={user.id}>
            {user.name}
            <span class="faint small">
              asked <Time at={requested_at} />
            </span>
            {mayWithdraw && (
              <button
                type="button"
                class="text-button"
                aria-disabled={busy || undefined}
                aria-label={`Withdraw the request to ${user.name}`}
                onClick={() =>
                  submit(async () => {
                    await send('/applications/{application}/scorecard-requests/{user}/withdraw', {
                      application: of,
                      user: user.id,
                    })
                    reload()
                  })
                }
              >
                Withdraw
              </button>
            )}
          </li>
        ))}
      </ul>
      <FormError error={error} />
    </section>
  )
}

function AskDialog({ of, panel, reload, onClose }: RequestsProps & { onClose: () => void }) {
  const { data, error: failed, reload: again } = useData('/members', { application_id: of })
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { busy, error, submit } = useSubmit()
  const waiting = new Set(panel.requests.filter(({ done }) => !done).map(({ user }) => user.id))
  const people = data?.members.filter(member => member.writes_scorecards && !waiting.has(member.id))
  return (
    <Dialog title="Ask for scorecards" onClose={onClose}>
      <p class="soft">They get an email with a link, and find it in their tasks.</p>
      {failed && <ErrorNote error={failed} retry={again} />}
      {!people && !failed && <Skeleton lines={3} />}
      {people?.length === 0 && <Empty title="Everyone has been asked" />}
      {people && people.length > 0 && (
        <fieldset class="check-list">
          <legend class="visually-hidden">Members</legend>
          {people.map(({ id, name, role }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={event => {
                  const { checked } = event.currentTarget
                  setChosen(now => (checked ? [...now, id] : now.filter(one => one !== id)))
                }}
              />
              {name} <span class="faint small">{role}</span>
            </label>
          ))}
        </fieldset>
      )}
      <FormError error={error} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          busy={busy}
          disabled={chosen.length === 0}
          onClick={() =>
            submit(async () => {
              await send(
                '/applications/{application}/scorecard-requests',
                { application: of },
                { user_ids: [...chosen] },
              )
              toast(`${amount(chosen.length, 'person', 'people')} asked`)
              onClose()
              reload()
            })
          }
        >
          Ask
        </Button>
      </DialogActions>
    </Dialog>
  )
}
