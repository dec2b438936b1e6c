import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '../../ui/icons.tsx'
import { percent } from '../../ui/numbers.ts'
import { useData } from '../api.ts'
import type { BoardCard } from './card-list.ts'
import { cardName } from './words.ts'

interface ScorePanelProps {
  card: BoardCard
  anchor: HTMLElement
  onClose: () => void
}

const MARGIN_PX = 8

/** Why the score is what it is: read when it is opened, next to where it was opened. */
export function ScorePanel({ card, anchor, onClose }: ScorePanelProps) {
  const { data, error } = useData('/v1/applications/{application_handle}/score', { application_handle: card.id })
  const panel = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = panel.current
    if (!element) return
    const { left, bottom, top } = anchor.getBoundingClientRect()
    const { offsetWidth: width, offsetHeight: height } = element
    const below = bottom + MARGIN_PX + height < innerHeight
    element.style.left = `${Math.max(MARGIN_PX, Math.min(left, innerWidth - width - MARGIN_PX))}px`
    element.style.top = `${Math.max(MARGIN_PX, below ? bottom + MARGIN_PX : top - height - MARGIN_PX)}px`
  })
  useEffect(() => {
    panel.current?.querySelector('button')?.focus({ preventScroll: true })
    const close = (event: Event) => {
      const isKey = event instanceof KeyboardEvent
      if (isKey && event.key !== 'Escape') return
      if (!isKey && panel.current?.contains(event.target as Node)) return
      if (isKey) event.preventDefault()
      onClose()
    }
    document.addEventListener('keydown', close, true)
    document.addEventListener('pointerdown', close, true)
    return () => {
      document.removeEventListener('keydown', close, true)
      document.removeEventListener('pointerdown', close, true)
    }
  }, [onClose])
  const gaps = data?.gaps ?? []
  return (
    <div class="score-panel" ref={panel} role="dialog" aria-label={`Score of ${cardName(card)}`}>
      <div class="score-panel-head">
        <b>{data ? percent(data.match_pct) : error ? 'Not scored' : 'Loading…'}</b>
        <span class="faint">match with the job</span>
        <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
          <Icon name="close" size={16} />
        </button>
      </div>
      {error && <p class="soft">{error.status === 404 ? 'There is no score yet.' : error.message}</p>}
      {data && gaps.length === 0 && <p class="soft">The résumé shows every requirement of the job.</p>}
      {gaps.length > 0 && (
        <>
          <p class="soft">Not found in the résumé:</p>
          <ul>
            {gaps.map(gap => (
              <li key={gap}>{gap}</li>
            ))}
          </ul>
        </>
      )}
      {data?.rationale && <p class="score-rationale">{data.rationale}</p>}
    </div>
  )
}
