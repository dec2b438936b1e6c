import { Button } from '../../ui/button.tsx'
import { countsChanged } from '../../ui/count-badge.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { State, type Tone } from '../../ui/tag.tsx'
import { toast } from '../../ui/toast.tsx'
import { t } from '../texts/index.ts'
import type { InterviewActions } from './interview-actions.ts'
import type { Interview, InterviewPanel } from './plan.ts'
import { detailsText, whenWords } from './words.ts'

const TONES: Readonly<Record<Interview['status'], Tone>> = {
  proposed: 'warn',
  scheduled: 'good',
  held: 'plain',
  no_show: 'bad',
  canceled: 'plain',
  expired: 'warn',
}

interface FactsProps {
  interview: Interview
  candidateName: string
  /** undefined: the reader plans no interviews */
  actions: InterviewActions | undefined
  onMove: (interview: Interview) => void
  blocked: InterviewPanel['blocked']
}

/** When and with whom, what the candidate said, and what can be done. */
export function InterviewFacts({ interview, candidateName, actions, onMove, blocked }: FactsProps) {
  const { kind, title, people, place, meeting_url: link, status, internal_text: note, is_chosen } = interview
  const items = actions ? menuItems(interview, actions, onMove) : []
  const when = whenWords(interview)
  return (
    <div class="interview">
      <div class="interview-head">
        <span class="interview-when">
          <b>{title ?? t.interviews.kinds[kind]}</b>
          {when && ` · ${when}`}
        </span>
        {items.length > 0 && (
          <Menu class="icon-button" label={t.interviews.actions} items={items} alignEnd>
            <Icon name="more" size={16} />
          </Menu>
        )}
      </div>
      <p class="interview-line">
        <State tone={TONES[status]}>{t.interviews.states[status]}</State>
        {[
          '',
          ...(title === null ? [] : [t.interviews.kinds[kind]]),
          people.map(({ name }) => name).join(', '),
          place,
          ...(is_chosen ? [t.interviews.chosen] : []),
        ]
          .filter((part, n) => n === 0 || part)
          .join(' · ')}
        {link && (
          <>
            {' '}
            <a href={link} target="_blank" rel="noreferrer noopener">
              {t.interviews.join}
            </a>
          </>
        )}
      </p>
      {note && <p class="interview-line as-written">{note}</p>}
      <Answer interview={interview} candidateName={candidateName} actions={actions} onMove={onMove} />
      <MailNote interview={interview} blocked={blocked} />
    </div>
  )
}

/** What may be done with it now. */
function menuItems(interview: Interview, actions: InterviewActions, onMove: FactsProps['onMove']): MenuItem[] {
  const { status, starts_at } = interview
  const isAhead = status === 'proposed' || status === 'expired' || status === 'scheduled'
  const hasBegun = starts_at !== null && Date.parse(starts_at) <= Date.now()
  return [
    ...(isAhead ? [{ label: t.interviews.move, onSelect: () => onMove(interview) }] : []),
    ...((status === 'scheduled' || status === 'held') && hasBegun
      ? [{ label: t.interviews.didNotCome, onSelect: () => actions.markNoShow(interview, true) }]
      : []),
    ...(status === 'no_show'
      ? [{ label: t.interviews.came, onSelect: () => actions.markNoShow(interview, false) }]
      : []),
    ...(isAhead ? [{ label: t.interviews.cancel, isDanger: true, onSelect: () => actions.cancel(interview) }] : []),
  ]
}

/** What the candidate said on their page, until someone has seen to it. */
function Answer({ interview, candidateName, actions, onMove }: Omit<FactsProps, 'blocked'>) {
  const { answer, answer_text: words, status } = interview
  if (answer === null) return null
  return (
    <div class="interview-answer" role="note">
      <p>
        {t.interviews.answers[answer](candidateName)}
        {words && <span class="as-written"> “{words}”</span>}
      </p>
      {actions && (
        <p class="entry-actions">
          {status !== 'canceled' && (
            <Button small onClick={() => onMove(interview)}>
              {t.interviews.move}
            </Button>
          )}
          <Button
            small
            onClick={() => {
              actions.settle(interview)
              countsChanged()
            }}
          >
            {t.interviews.settle}
          </Button>
        </p>
      )}
    </div>
  )
}

/** Only what is ahead: later no one can do anything about it. */
function MailNote({ interview, blocked }: Pick<FactsProps, 'interview' | 'blocked'>) {
  const { status, mail, invites_candidate } = interview
  if (status !== 'scheduled' && status !== 'proposed') return null
  const copy = async () => {
    await navigator.clipboard.writeText(detailsText(interview))
    toast(t.interviews.copied)
  }
  if (mail === 'failed') return <p class="fault">{t.interviews.mailFailed}</p>
  if (!invites_candidate) return <p class="interview-line">{t.interviews.notInvited}</p>
  if (blocked === null || mail === 'sent') return null
  return (
    <p class="fault">
      {t.interviews.blocked[blocked]}{' '}
      <Button small onClick={() => void copy()}>
        {t.interviews.copy}
      </Button>
    </p>
  )
}
