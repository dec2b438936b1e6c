import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { isOpen } from '../../../src/contract/application-status.ts'
import { Button } from '../../ui/button.tsx'
import { Segments } from '../../ui/form.tsx'
import { ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { Link } from '../../ui/router.tsx'
import { Time } from '../../ui/time.tsx'
import { type Row, usePages } from '../api.ts'
import { useInterviewChanges } from '../interviews/changed.ts'
import { InterviewsProvider, NextInterviews, PastInterview } from '../interviews/next-interviews.tsx'
import { useLive } from '../live.ts'
import { useSession } from '../session.ts'
import { sourceName } from '../source-names.ts'
import { t } from '../texts/index.ts'
import { type Candidate, candidateName, isStopped } from './data.ts'
import { MessageEntry } from './message-entry.tsx'
import { NoteText } from './note-text.tsx'
import type { PanelProps } from './panel-props.ts'

type Line = Row<'/applications/{application}/activity'>

const FILTERS = ['all', 'notes', 'messages', 'decisions', 'feedback', 'reads'] as const
type Filter = (typeof FILTERS)[number]

const PAGE_ROWS = '25'

/** What happened to the application and who did it, the latest first; the notes and messages with their texts. */
export function ActivityPanel({ application, candidate, reload }: PanelProps) {
  const [show, setShow] = useState<Filter>('all')
  const { user } = useSession()
  const lines = usePages('/applications/{application}/activity', {
    application: application.id,
    show,
    limit: PAGE_ROWS,
  })
  const isManager = user.role === 'owner' || user.role === 'admin'
  const filters = FILTERS.filter(filter => filter !== 'reads' || isManager)
  useLive(({ data: { object } }) => {
    if (object.id === application.id || object.application_id === application.id) lines.reload()
  }, lines.reload)
  useInterviewChanges(application.id, lines.reload)
  return (
    <InterviewsProvider candidate={candidate} reload={reload}>
      <div class="stack-panel activity">
        {!isStopped(candidate) && (
          <Segments
            label={t.activity.filter}
            value={show}
            options={filters.map(filter => [filter, t.activity.filters[filter]] as const)}
            onInput={value => setShow(FILTERS.find(filter => filter === value) ?? 'all')}
          />
        )}
        <NextInterviews />
        {lines.error && <ErrorNote error={lines.error} retry={lines.retry} />}
        {!lines.rows && !lines.error && <Skeleton lines={4} />}
        {lines.rows?.length === 0 && <p class="small soft">{t.activity.nothing}</p>}
        {lines.rows && lines.rows.length > 0 && (
          <ol class="history" aria-label={t.activity.title}>
            {lines.rows.map(line => (
              <li key={line.id} class={`line-${line.kind}`}>
                <span>{sentence(candidate, line)}</span>
                <span class="soft">
                  <Time at={line.at} />
                </span>
                {line.kind === 'note' && (
                  <p class="as-written line-text">
                    <NoteText body={line.body ?? ''} mentions={line.mentions} />
                  </p>
                )}
                {line.kind === 'message' && (
                  <MessageEntry line={line} applicationId={application.id} onChange={lines.reload} />
                )}
                {line.kind === 'interview' && <PastInterview id={line.id} />}
              </li>
            ))}
          </ol>
        )}
        {lines.more && (
          <p>
            <Button small busy={lines.loading} onClick={lines.loadMore}>
              {t.activity.older}
            </Button>
          </p>
        )}
        <Others candidate={candidate} />
      </div>
    </InterviewsProvider>
  )
}

/** The other applications of the person, for people who see them. */
function Others({ candidate: { others } }: { candidate: Candidate }) {
  if (others.length === 0) return null
  return (
    <section class="also" aria-label={t.activity.also}>
      <h3>{t.activity.also}</h3>
      <ul class="others">
        {others.map(other => (
          <li key={other.id}>
            <Link to={`/applications/${other.id}`}>{other.job_title ?? t.activity.deletedJob}</Link>
            <span class="soft">{isOpen(other.status) ? t.common.open : t.activity.outcomes[other.status]}</span>
            <span class="faint">
              <Time at={other.applied_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function actorName(candidate: Candidate, { by, kind, to_status }: Line): string {
  if (by.kind === 'candidate') return candidateName(candidate)
  if (by.name !== null) return by.name
  // the service records the wish of the person
  if (kind === 'step' && to_status === 'withdrawn') return candidateName(candidate)
  return by.kind === 'service' ? '' : t.activity.former
}

function sentence(candidate: Candidate, line: Line): ComponentChildren {
  const actor = actorName(candidate, line)
  const who = actor === '' ? t.activity.automatic : actor
  switch (line.kind) {
    case 'step':
      return stepSentence(candidate, line, actor)
    case 'note':
      return (
        <>
          <b>{who}</b> · {t.activity.note}
        </>
      )
    case 'message':
      return (
        <>
          <b>{line.direction === 'in' ? candidateName(candidate) : who}</b> ·{' '}
          {line.direction === 'in' ? t.activity.reply : t.activity.email}
          {line.direction === 'in' && line.by.kind !== 'candidate' && ` · ${t.activity.notedBy(who)}`}
        </>
      )
    case 'scorecard':
      return (
        <>
          <b>{who}</b> {t.activity.scorecard}
        </>
      )
    case 'interview':
      return (
        <>
          <b>{who}</b> {t.interviews.line}
        </>
      )
    case 'data':
      return (
        <>
          <b>{who}</b> {line.name === 'data_sent' ? t.activity.dataSent : t.activity.dataDownloaded}
        </>
      )
    case 'file':
      return t.activity.file(line.name ?? '')
    case 'order':
      return (
        <>
          <b>{who}</b> {t.activity.order(line.name ?? '')}
        </>
      )
    default:
      return (
        <>
          <b>{who}</b> {t.activity.read(line.name ?? '')}
        </>
      )
  }
}

/** "Devika Menondas moved to Interview from Screen"; of a step whose author is not known, "Moved to …". */
function stepSentence(candidate: Candidate, line: Line, actor: string): ComponentChildren {
  const { is_first, from_stage, to_stage, from_status, to_status, reason } = line
  if (is_first) {
    return (
      <>
        <b>{candidateName(candidate)}</b> {t.activity.applied(sourceName(candidate.application.source))}
      </>
    )
  }
  const outcome = to_status === 'hired' || to_status === 'rejected' || to_status === 'withdrawn' ? to_status : undefined
  const isReopened = !outcome && (from_status === 'rejected' || from_status === 'withdrawn' || from_status === 'hired')
  const decision = outcome ? t.activity.decided[outcome] : isReopened ? t.activity.reopened : ''
  const move = to_stage ? t.activity.moved(to_stage, from_stage ?? t.activity.removedStage) : ''
  const said = [decision, move].filter(Boolean).join(t.activity.and)
  return (
    <>
      {actor === '' ? said.charAt(0).toUpperCase() + said.slice(1) : <b>{actor}</b>} {actor !== '' && said}
      {reason ? `: ${reason}` : ''}
    </>
  )
}
