import '../css/interviews.css'
import { type ComponentChildren, createContext, Fragment, type VNode } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { useData } from '../api.ts'
import { type Candidate, candidateName, isStopped } from '../candidate/data.ts'
import { useLive } from '../live.ts'
import { useMay } from '../session.ts'
import { t } from '../texts/index.ts'
import { useInterviewChanges } from './changed.ts'
import { createInterviewActions } from './interview-actions.ts'
import { InterviewFacts } from './interview-facts.tsx'
import type { Interview } from './plan.ts'
import { PlanDialog } from './plan-dialog.tsx'

interface Known {
  interviews: readonly Interview[]
  draw: (interview: Interview) => VNode | null
}

const KnownInterviews = createContext<Known>({ interviews: [], draw: () => null })

interface ProviderProps {
  candidate: Candidate
  /** reads the candidate again */
  reload: () => void
  children: ComponentChildren
}

/** Reads the interviews of a candidate for what is drawn inside, for people who give feedback. */
export function InterviewsProvider(props: ProviderProps) {
  const may = useMay()
  const { candidate, children } = props
  const isShown = may('scorecards:write') && candidate.may.includes('feedback') && !isStopped(candidate)
  return isShown ? <Provider {...props} /> : <Fragment>{children}</Fragment>
}

function Provider({ candidate, reload: reloadCandidate, children }: ProviderProps) {
  const may = useMay()
  const { id } = candidate.application
  const { data, reload } = useData('/applications/{application}/interviews', { application: id })
  const [moved, setMoved] = useState<Interview>()
  useLive(({ data: { object } }) => {
    if (object.id === id) reload()
  }, reload)
  useInterviewChanges(id, reload)
  const plans = may('applications:write') && candidate.may.includes('decide')
  const draw = (interview: Interview) => (
    <InterviewFacts
      interview={interview}
      candidateName={candidateName(candidate)}
      actions={plans ? createInterviewActions(id, reloadCandidate) : undefined}
      onMove={setMoved}
      blocked={data?.blocked ?? null}
    />
  )
  return (
    <KnownInterviews.Provider value={{ interviews: data?.interviews ?? [], draw }}>
      {children}
      {moved && (
        <PlanDialog
          key={moved.id}
          candidate={candidate}
          interview={moved}
          reload={reloadCandidate}
          onClose={() => setMoved(undefined)}
        />
      )}
    </KnownInterviews.Provider>
  )
}

/** What is ahead, or waits for an answer of the team. */
const isNext = ({ status, answer }: Interview): boolean =>
  status === 'proposed' || status === 'scheduled' || status === 'expired' || answer !== null

/** What is next with the candidate, the first one first. */
export function NextInterviews() {
  const { interviews, draw } = useContext(KnownInterviews)
  const ahead = interviews
    .filter(isNext)
    .toSorted((a, b) => (a.starts_at ?? a.offered_until ?? '').localeCompare(b.starts_at ?? b.offered_until ?? ''))
  if (ahead.length === 0) return null
  return (
    <section class="next-interviews" aria-label={t.interviews.next}>
      <h3>{t.interviews.next}</h3>
      <ul>
        {ahead.map(interview => (
          <li key={interview.id}>{draw(interview)}</li>
        ))}
      </ul>
    </section>
  )
}

/** An interview below its line in the stream, unless it is drawn at the top. */
export function PastInterview({ id }: { id: string }) {
  const { interviews, draw } = useContext(KnownInterviews)
  const interview = interviews.find(one => one.id === id)
  return interview && !isNext(interview) ? draw(interview) : null
}
