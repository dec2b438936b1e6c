import type { ComponentChildren } from 'preact'
import { isOpen } from '../../../src/contract/application-status.ts'
import { toQuery } from '../../ui/api.ts'
import { count, percent } from '../../ui/numbers.ts'
import { buildHref, navigate } from '../../ui/router.tsx'
import { exactTime, useTick } from '../../ui/time.tsx'
import { markTitle, markTone } from '../checks/words.ts'
import { formatMoment, formatSoon } from '../interviews/words.ts'
import { stateWord } from '../outcome.ts'
import { t } from '../texts/index.ts'
import type { BoardCard } from './card-list.ts'
import type { BoardStore } from './store.ts'
import { cardName, formatAge, resumeTitle, scoreTone, sourceTitle } from './words.ts'

/** The candidate's page, with the board's query, by which it finds the next and the previous one. */
export function candidatePath(store: BoardStore, card: BoardCard): string {
  const list = { job_id: store.jobId, ...(store.isTable ? {} : { stage_id: card.stage_id }), ...store.query }
  return `/applications/${card.id}${toQuery({ in: toQuery(list).slice(1) })}`
}

interface CardLinkProps {
  store: BoardStore
  card: BoardCard
  /** whether the tab key stops here: one card of the board is enough, arrows lead to the others */
  tabStop: boolean
  children: ComponentChildren
}

export const CardLink = ({ store, card, tabStop, children }: CardLinkProps) => {
  const path = candidatePath(store, card)
  return (
    <a
      href={buildHref(path)}
      class="card-link"
      data-card={card.id}
      draggable={false}
      title={cardName(card)}
      tabIndex={tabStop ? 0 : -1}
      onFocus={() => {
        if (store.focused === card.id) return
        store.focused = card.id
        store.draw()
      }}
      onClick={event => {
        if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        navigate(path)
      }}
    >
      {children}
    </a>
  )
}

interface ScoreProps {
  card: BoardCard
  onOpen: (card: BoardCard, anchor: HTMLElement) => void
}

/** The match score; a press shows its reasons. */
export const ScoreButton = ({ card, onOpen }: ScoreProps) =>
  card.score === null ? (
    <span class="score none" title="Not scored yet">
      –
    </span>
  ) : (
    <button
      type="button"
      class={`score ${scoreTone(card.score)}`}
      tabIndex={-1}
      aria-label={`Match score ${percent(card.score)}, show reasons`}
      onClick={event => onOpen(card, event.currentTarget)}
    >
      {percent(card.score)}
    </button>
  )

interface SelectBoxProps {
  store: BoardStore
  card: BoardCard
  /** selects up to here from the one selected last */
  onRange: (card: BoardCard) => void
  onToggle: (card: BoardCard) => void
}

export const SelectBox = ({ store, card, onRange, onToggle }: SelectBoxProps) => (
  <input
    type="checkbox"
    class="card-select"
    tabIndex={-1}
    aria-label={`Select ${cardName(card)}`}
    checked={store.selected.has(card.id)}
    onClick={event => {
      if (event.shiftKey) onRange(card)
      else onToggle(card)
    }}
  />
)

interface SelectAllProps {
  store: BoardStore
  /** a stage, or the table */
  listKey: string
  label: string
  onToggleAll: (key: string) => void
}

/** All candidates of a list, with those further down that are not read yet. */
export const SelectAllBox = ({ store, listKey, label, onToggleAll }: SelectAllProps) => {
  const isSelected = store.isSelected(listKey)
  return (
    <input
      type="checkbox"
      aria-label={label}
      title={`${label} (${count.format(store.countOf(listKey))})`}
      aria-busy={store.selecting === listKey}
      checked={isSelected === true}
      // the browser has no attribute for it
      ref={box => {
        if (box) box.indeterminate = isSelected === undefined
      }}
      onClick={() => onToggleAll(listKey)}
    />
  )
}

interface CardProps extends ScoreProps, Omit<SelectBoxProps, 'card'> {
  tabStop: boolean
  /** has left this column, which the reader points at */
  left: boolean
  mayChange: boolean
  top: number
}

/** A candidate on the board. Every card has the same height. */
export function Card({ store, card, tabStop, left, mayChange, top, onOpen, onRange, onToggle }: CardProps) {
  const resume = resumeTitle(card)
  const classes = [
    'board-card',
    store.selected.has(card.id) ? 'selected' : '',
    store.pending.has(card.id) ? 'pending' : '',
    store.refused.has(card.id) ? 'refused' : '',
    left ? 'left' : '',
    card.stopped ? 'stopped' : '',
  ]
  return (
    <li
      class={classes.filter(Boolean).join(' ')}
      style={{ top: `${top}px` }}
      data-drag={left || card.stopped ? undefined : card.id}
    >
      <div class="card-head">
        {mayChange && <SelectBox store={store} card={card} onRange={onRange} onToggle={onToggle} />}
        <CardLink store={store} card={card} tabStop={tabStop}>
          {cardName(card)}
        </CardLink>
        <ScoreButton card={card} onOpen={onOpen} />
      </div>
      {left ? (
        <p class="card-line card-gone">{goneWords(store, card)}</p>
      ) : (
        <>
          <p class="card-line">
            <span class="card-source">{sourceTitle(card.source)}</span>
            {card.check && <CheckMark check={card.check} />}
            <CardAge since={card.in_stage_since} />
          </p>
          <p class="card-line">
            <span class={`card-resume ${resume.tone}`} title={resume.hover}>
              {resume.title}
            </span>
            {card.next_interview_at !== null && isOpen(card.status) && <NextInterview at={card.next_interview_at} />}
            {!isOpen(card.status) && (
              <span class={`card-status ${card.status}`}>{stateWord(card.status, undefined)}</span>
            )}
            <CardTags tags={card.tags ?? []} />
          </p>
        </>
      )}
    </li>
  )
}

/** When the next interview is: `Fri 10:00`. */
function NextInterview({ at }: { at: string }) {
  useTick()
  return (
    <span class="card-interview" title={t.interviews.cardTitle(formatMoment(at))}>
      <span class="visually-hidden">{t.interviews.next} </span>
      {formatSoon(at)}
    </span>
  )
}

function CardAge({ since }: { since: string }) {
  useTick()
  return (
    <span class="card-age" title={`In this stage since ${exactTime(since)}`}>
      <span class="visually-hidden">in this stage for </span>
      {formatAge(since)}
    </span>
  )
}

/** The latest test or check, in two words. */
export const CheckMark = ({ check }: { check: NonNullable<BoardCard['check']> }) => (
  <span class={`card-check ${markTone(check)}`} title={check.package_name}>
    {markTitle(check)}
  </span>
)

const CardTags = ({ tags }: { tags: readonly string[] }) =>
  tags.length === 0 ? null : (
    <span class="card-tags" title={tags.join(', ')}>
      {tags.map(tag => (
        <span key={tag} class="card-tag">
          {tag}
        </span>
      ))}
    </span>
  )

function goneWords(store: BoardStore, card: BoardCard): string {
  const key = store.keyOf(card)
  if (key === undefined)
    return stateWord(
      card.status,
      store.stages.find(({ id }) => id === card.stage_id),
    )
  const isElsewhere = store.lists.get(key)?.ids.includes(card.id) || store.lists.get(key)?.waiting.has(card.id)
  return isElsewhere ? `Moved to ${store.stageName(card.stage_id)}` : 'No longer in this list'
}
