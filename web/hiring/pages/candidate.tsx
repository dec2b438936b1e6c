import '../css/candidate.css'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Application } from '../../../packages/sdk/src/generated.ts'
import { Icon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Notice } from '../../ui/notice.tsx'
import { count } from '../../ui/numbers.ts'
import { PageHead, Pending } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { Link, navigate, useFilters } from '../../ui/router.tsx'
import { State } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { Actions } from '../candidate/actions.tsx'
import { useCandidate, useNeighbors, useReadAhead } from '../candidate/ahead.ts'
import { type Candidate, candidateName, isStopped, type Neighbors, readOrigin } from '../candidate/data.ts'
import { PANELS } from '../candidate/panels.ts'
import { ResumePane } from '../candidate/resume.tsx'
import { formatAverage } from '../candidate/scorecard-card.tsx'
import { TagEditor } from '../candidate/tags.tsx'
import { KEYS } from '../key-table.ts'
import { LeftJob } from '../left-job.tsx'
import { useLeftJob } from '../live.ts'
import { stateWord } from '../outcome.ts'
import { Erased, ErasureState } from '../personal-data/erasure-state.tsx'
import { useMay } from '../session.ts'
import { sourceName } from '../source-names.ts'
import { STATUS_TONES } from '../status-tones.ts'
import { Tabs } from '../tabs.tsx'
import { t } from '../texts/index.ts'

/** Only on narrow screens, where the résumé has no place of its own. */
const RESUME_TAB = 'resume'

/** For the team: who sent this is not certain yet. */
const Unproved = () => (
  <details class="unproved">
    <summary>{t.candidate.unproved}</summary>
    <p>{t.candidate.unprovedMeans}</p>
  </details>
)

const Stopped = () => (
  <Notice tone="warn">
    <p>{t.candidate.stopped}</p>
  </Notice>
)

/** The status and stage of the candidate, below their name. */
const CandidateLine = ({ candidate }: { candidate: Candidate }) => {
  const { application, job } = candidate
  return (
    <span class="candidate-line">
      <State tone={STATUS_TONES[application.status]}>
        {stateWord(
          application.status,
          job?.stages.find(({ id }) => id === application.stage_id),
        )}
      </State>
      {job && <Link to={`/jobs/${job.id}`}>{job.title}</Link>}
      <span class="faint">
        {t.candidate.applied} <Time at={application.applied_at} />, {sourceName(application.source)}
      </span>
    </span>
  )
}

/** A candidate for a job. The address holds what is shown: the part, whether the résumé is open, and the list. */
export function CandidatePage({ params: { id } }: PageProps<'id'>) {
  const may = useMay()
  const { data, error, loading, reload } = useCandidate(id)
  const [filters, setFilters] = useFilters(['panel', 'resume', 'in'])
  const origin = readOrigin(filters.in)
  const neighbors = useNeighbors(id, filters.in)
  // `of` is the candidate that it was made for: a response may come when the next one is shown
  const [patch, setPatch] = useState<{ of: string; values: Partial<Application> }>()
  // what was read last is the truth
  useEffect(() => setPatch(undefined), [data])
  const left = useLeftJob(data?.application.job_id)
  const shown = data?.application.id
  useEffect(() => {
    // screen readers read the name of the candidate who is shown now; a reader who is elsewhere on the page stays there
    if (document.activeElement === document.body) document.querySelector('h1')?.focus({ preventScroll: true })
  }, [shown])

  const go = (to: string | null | undefined) => {
    if (to) navigate(`/applications/${to}${location.search}`)
  }
  const isResumeOpen = filters.resume === 'open'
  const toggleResume = () => setFilters({ resume: isResumeOpen ? '' : 'open' })
  const stopped = data !== undefined && isStopped(data)
  const panels = PANELS.filter(({ scope, right, evenIfStopped }) =>
    stopped ? evenIfStopped : (scope === undefined || may(scope)) && (right === undefined || data?.may.includes(right)),
  )
  useCandidateKeys({
    neighbors,
    panels,
    writesNote: READ_PANELS.includes(filters.panel) && panels.some(panel => panel.id === 'notes'),
    isResumeOpen,
    go,
    toggleResume,
    openPanel: panel => setFilters({ panel }),
  })

  // the one before is shown until this one is there: nothing can be done with it, and nothing more of it is read
  const leaving = data !== undefined && data.application.id !== id
  useHeldKeys(leaving)
  useReadAhead(neighbors, filters.in, !leaving && !loading)
  const drawn = useRef(filters)
  if (!leaving) drawn.current = filters

  const list = origin?.path ? { to: origin.path, title: origin.title } : undefined
  const back = list ?? { to: '/', title: t.common.nav.jobs }
  if (left) return <LeftJob />
  if (data?.application.id === id && data.erasure && error?.status === 404) return <Erased back={back} />
  if (!data || (error && (error.status === 404 || leaving)))
    return <Pending title={t.candidate.title} back={back} error={error} reload={reload} />

  const of = data.application.id
  const candidate: Candidate = {
    ...data,
    application: { ...data.application, ...(patch?.of === of ? patch.values : {}) },
  }
  const { application, job } = candidate
  const onPatch = (values: Partial<Application> | undefined) =>
    setPatch(now => (values ? { of, values } : now?.of === of ? undefined : now))
  const name = candidateName(candidate)
  const onResume = drawn.current.panel === RESUME_TAB
  const panel = panels.find(({ id: panelId }) => panelId === drawn.current.panel) ?? panels[0]!
  const address = (to: Record<string, string>) =>
    `/applications/${id}?${new URLSearchParams({ ...given(filters), ...to })}`
  return (
    <div
      class={['candidate', onResume && 'on-resume', leaving && 'stale'].filter(Boolean).join(' ')}
      inert={leaving}
      aria-busy={leaving}
    >
      <div class="candidate-top">
        <PageHead
          title={name}
          back={list ?? (job ? { to: `/jobs/${job.id}`, title: job.title } : back)}
          description={<CandidateLine candidate={candidate} />}
          actions={origin && <Steps neighbors={neighbors} onGo={go} />}
        />
        <Actions
          key={application.id}
          candidate={candidate}
          reload={reload}
          onPatch={onPatch}
          leaving={leaving}
          onNext={neighbors?.next ? () => go(neighbors.next) : undefined}
        />
        <CandidateTabs
          panels={panels}
          current={onResume ? RESUME_TAB : panel.id}
          scorecards={candidate.scorecards}
          address={address}
        />
      </div>
      <ErasureState candidate={candidate} reload={reload} />
      {candidate.unproved && !stopped && <Unproved />}
      {!stopped && (
        <TagEditor
          key={`tags ${application.id}`}
          applicationId={application.id}
          decides={candidate.may.includes('decide')}
        />
      )}
      {stopped && <Stopped />}
      <div class="candidate-columns">
        <div class="candidate-main">
          <div class="candidate-panel">
            <panel.component
              key={`${panel.id} ${application.id}`}
              application={application}
              candidate={candidate}
              reload={reload}
            />
          </div>
        </div>
        <ResumePane
          key={`resume ${application.id}`}
          candidate={candidate}
          open={drawn.current.resume === 'open'}
          onToggle={toggleResume}
          reload={reload}
        />
      </div>
    </div>
  )
}

interface CandidateTabsProps {
  panels: typeof PANELS
  current: string
  scorecards: Candidate['scorecards']
  address: (to: Record<string, string>) => string
}

const CandidateTabs = ({ panels, current, scorecards, address }: CandidateTabsProps) => (
  <Tabs class="candidate-tabs" label={t.candidate.parts} current={current}>
    {panels.map(({ id: panelId }) => (
      <Link key={panelId} to={address({ panel: panelId })} current={panelId === current}>
        {t.candidate.panels[panelId]}
        {panelId === 'scorecards' && scorecards && <ScorecardCount {...scorecards} />}
      </Link>
    ))}
    {/* a click on this tab is asking for the résumé */}
    <Link class="resume-tab" to={address({ panel: RESUME_TAB, resume: 'open' })} current={current === RESUME_TAB}>
      {t.candidate.resume}
    </Link>
  </Tabs>
)

/** How many there are, and their average where none is hidden from the reader. */
const ScorecardCount = ({ cards, average }: NonNullable<Candidate['scorecards']>) => (
  <span class="tab-count">
    {' '}
    {count.format(cards)}
    {average !== null && ` (${formatAverage(average)})`}
  </span>
)

interface CandidateKeys {
  neighbors: Neighbors | undefined
  panels: typeof PANELS
  /** a new note is written from here: the part that is shown makes nothing new itself */
  writesNote: boolean
  isResumeOpen: boolean
  go: (id: string | null) => void
  toggleResume: () => void
  openPanel: (id: string) => void
}

/** Parts with nothing new of their own: `n` writes a note from them. */
const READ_PANELS: readonly string[] = ['', 'activity', 'overview', 'answers', 'files', RESUME_TAB]

/** After the form is drawn. */
function focusNoteForm(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.note-form textarea')?.focus())
}

function useCandidateKeys(keys: CandidateKeys): void {
  const { neighbors, panels, writesNote, isResumeOpen, go, toggleResume, openPanel } = keys
  const writeNote = () => {
    openPanel('notes')
    focusNoteForm()
  }
  useShortcuts([
    ...(neighbors ? [{ keys: KEYS.next, title: t.candidate.nextCandidate, run: () => go(neighbors.next) }] : []),
    ...(neighbors
      ? [{ keys: KEYS.previous, title: t.candidate.previousCandidate, run: () => go(neighbors.previous) }]
      : []),
    { keys: KEYS.resume, title: isResumeOpen ? t.candidate.closeResume : t.candidate.showResume, run: toggleResume },
    { keys: KEYS.score, title: t.candidate.showScore, run: () => openPanel('overview') },
    ...(writesNote ? [{ keys: KEYS.create, title: t.notes.newNote, run: writeNote }] : []),
    ...panels.slice(0, 9).map(({ id: panel }, i) => ({
      keys: String(i + 1),
      title: t.candidate.panels[panel],
      run: () => openPanel(panel),
    })),
  ])
}

/** Keys of the parts of the page, which would act on the candidate who is being left: reading contact details is recorded. */
const HELD_KEYS: readonly string[] = [KEYS.contact, KEYS.create, KEYS.tag, KEYS.unlock]

function useHeldKeys(held: boolean): void {
  useLayoutEffect(() => {
    if (!held) return
    const hold = (event: KeyboardEvent) => {
      const isElsewhere = event.target instanceof Element && event.target.closest('dialog[open]') !== null
      if (!isElsewhere && HELD_KEYS.includes(event.key)) event.stopPropagation()
    }
    addEventListener('keydown', hold, true)
    return () => removeEventListener('keydown', hold, true)
  }, [held])
}

const given = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))

interface StepsProps {
  neighbors: { previous: string | null; next: string | null } | undefined
  onGo: (id: string | null | undefined) => void
}

const Steps = ({ neighbors, onGo }: StepsProps) => (
  <div class="steps">
    <button
      type="button"
      class="button secondary small"
      aria-disabled={!neighbors?.previous}
      title={t.candidate.key(KEYS.previous)}
      onClick={() => onGo(neighbors?.previous)}
    >
      <Icon name="back" size={14} />
      {t.candidate.previous}
    </button>
    <button
      type="button"
      class="button secondary small next"
      aria-disabled={!neighbors?.next}
      title={t.candidate.key(KEYS.next)}
      onClick={() => onGo(neighbors?.next)}
    >
      {t.candidate.next}
      <Icon name="back" size={14} />
    </button>
  </div>
)
