import '../css/decisions.css'
import type { ComponentChildren } from 'preact'
import { isManager } from '../../../src/contract/roles.ts'
import { Button } from '../../ui/button.tsx'
import { countsChanged } from '../../ui/count-badge.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { SelectField, useSubmit } from '../../ui/form.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { amount } from '../../ui/numbers.ts'
import { PageHead, Section } from '../../ui/page.tsx'
import { Link, navigate, useFilters } from '../../ui/router.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, type Row, send, useData, usePages } from '../api.ts'
import { useCandidateList } from '../candidate-lists.ts'
import { useLive } from '../live.ts'
import { useSession } from '../session.ts'

type Candidate = Pick<Row<'/tasks/waiting'>, 'application_id' | 'applicant_name'>

type Address = (id: string, panel?: string) => string

const nameOf = ({ applicant_name }: Candidate) => applicant_name ?? 'Candidate'

const columns = (addressOf: Address): readonly Column<Row<'/tasks/waiting'>>[] => [
  {
    title: 'Candidate',
    grow: true,
    cell: row => (
      <>
        <Link to={addressOf(row.application_id)}>{nameOf(row)}</Link>
        <div class="faint small narrow-only"> {row.stage_name}</div>
      </>
    ),
  },
  { title: 'Job', wide: true, cell: row => row.job_title },
  { title: 'Stage', wide: true, cell: row => row.stage_name },
  { title: 'In this stage since', cell: row => <Time at={row.since} /> },
]

/** What waits for the person who is signed in. */
export function TasksPage() {
  const { user } = useSession()
  const tasks = useData('/tasks')
  const [{ job }, setFilters] = useFilters(['job'])
  const waiting = usePages('/tasks/waiting', { job_id: job })
  const { data } = tasks
  const idsOf = (rows: readonly Candidate[] | undefined) => rows?.map(({ application_id }) => application_id)
  const waitingAddress = useCandidateList('waiting', job ? { job_id: job } : {}, idsOf(waiting.rows), waiting.next)
  const mentionAddress = useCandidateList('mentions', {}, idsOf(data?.mentions))
  const checkAddress = useCandidateList('checks', {}, idsOf(data?.checks))
  const cardAddress = useCandidateList('scorecards', {}, idsOf(data?.scorecards))
  useLive(
    ({ type, data: { object } }) => {
      const isOrder = type.startsWith('order.')
      if (isOrder || object.changed?.some(name => name === 'notes' || name === 'scorecards')) tasks.reload()
    },
    () => {
      tasks.reload()
      waiting.reload()
    },
  )
  const manages = isManager(user)
  return (
    <>
      <PageHead
        title="My tasks"
        description="Mentions of you, scorecards that colleagues asked you for, checks that need someone, and candidates who wait for a decision."
      />
      {tasks.error && !data && <ErrorNote error={tasks.error} retry={tasks.reload} />}
      {!data && !tasks.error && <Skeleton />}
      {data && (
        <>
          {data.mentions.length > 0 && (
            <Section title={`Mentions (${data.mentions.length})`}>
              <ul class="task-list">
                {data.mentions.map(task => (
                  <Mention key={task.note_id} task={task} addressOf={mentionAddress} reload={tasks.reload} />
                ))}
              </ul>
            </Section>
          )}
          {data.scorecards.length > 0 && (
            <Section title={`Scorecards due (${data.scorecards.length})`}>
              <ul class="task-list">
                {data.scorecards.map(task => (
                  <CardTask key={task.application_id} task={task} addressOf={cardAddress} />
                ))}
              </ul>
            </Section>
          )}
          {data.checks.length > 0 && (
            <Section title={`Checks (${data.checks.length})`}>
              <ul class="task-list">
                {data.checks.map(task => (
                  <CheckTask key={task.order_id} task={task} addressOf={checkAddress} reload={tasks.reload} />
                ))}
              </ul>
            </Section>
          )}
          {data.mentions.length + data.scorecards.length + data.checks.length === 0 && (
            <Empty title="No mentions, scorecards or checks wait for you" />
          )}
          <Section
            title="Waiting candidates"
            actions={<JobFilter job={job} onJob={id => setFilters({ job: id })} />}
            description={
              <>
                {job === '' &&
                  (data.waiting_of === 'teams'
                    ? 'Of the open jobs whose team you are on. '
                    : 'Of all open jobs, because you are not on any job’s team. ')}
                Longer than {amount(data.waiting_days, 'day')} in the same stage, the longest first.{' '}
                {manages && <Link to="/settings/tasks">Change the limit</Link>}
              </>
            }
          >
            <DataTable
              name="Waiting candidates"
              columns={columns(waitingAddress)}
              {...waiting}
              rowKey={row => row.application_id}
              onRow={row => navigate(waitingAddress(row.application_id))}
              empty={<Empty title="No candidate waits longer than that" />}
            />
          </Section>
        </>
      )}
    </>
  )
}

/** The candidates of one job; the address has it, so that a reader can keep their own list. */
function JobFilter({ job, onJob }: { job: string; onJob: (id: string) => void }) {
  const { data } = useData('/v1/jobs', { status: 'published', limit: 100 })
  const jobs = data?.data ?? []
  if (jobs.length < 2 && job === '') return null
  const known = job === '' || jobs.some(({ id }) => id === job)
  return (
    <SelectField
      label="Job"
      value={job}
      options={[
        ['', 'All jobs'],
        ...(known ? [] : [[job, 'Chosen job'] as const]),
        ...jobs.map(({ id, title }) => [id, title] as const),
      ]}
      onInput={onJob}
    />
  )
}

interface TaskProps {
  to: string
  title: string
  facts: ComponentChildren
  children?: ComponentChildren
  action?: ComponentChildren
}

const Task = ({ to, title, facts, children, action }: TaskProps) => (
  <li>
    <div class="task-text">
      <Link to={to}>{title}</Link> <span class="faint small">{facts}</span>
      {children}
    </div>
    {action}
  </li>
)

function Mention({
  task,
  addressOf,
  reload,
}: {
  task: Read<'/tasks'>['mentions'][number]
  addressOf: Address
  reload: () => void
}) {
  const { busy, submit } = useSubmit()
  const set = async (done: boolean) => {
    await send('/mentions/{note}/done', { note: task.note_id }, { done })
    countsChanged()
    reload()
  }
  return (
    <Task
      to={addressOf(task.application_id, 'notes')}
      title={nameOf(task)}
      facts={
        <>
          {task.job_title} · {task.author ?? 'Former member'} · <Time at={task.created_at} />
        </>
      }
      action={
        <Button
          small
          busy={busy}
          title={`Done: mention about ${nameOf(task)}`}
          onClick={() =>
            submit(async () => {
              await set(true)
              toast('Mention done', 'good', { title: 'Undo', run: () => void set(false) })
            })
          }
        >
          Done
        </Button>
      }
    >
      {task.body === null ? (
        <p class="small soft">Your role does not read notes of others. Ask {task.author ?? 'the author'}.</p>
      ) : (
        <p class="task-quote">{task.body}</p>
      )}
    </Task>
  )
}

const CardTask = ({ task, addressOf }: { task: Read<'/tasks'>['scorecards'][number]; addressOf: Address }) => (
  <Task
    to={addressOf(task.application_id, 'scorecards')}
    title={nameOf(task)}
    facts={
      <>
        {task.job_title} · {task.stage_name} · asked by {task.requested_by ?? 'a former member'}{' '}
        <Time at={task.requested_at} />
      </>
    }
    action={
      <Button small onClick={() => navigate(addressOf(task.application_id, 'scorecards'))}>
        Write scorecard
      </Button>
    }
  />
)

type CheckTaskRow = Read<'/tasks'>['checks'][number]

const CHECK_REASONS: Readonly<Record<CheckTaskRow['reason'], (vendor: string) => string>> = {
  not_invited: () => 'No invitation was sent.',
  declined: vendor => `${vendor} declined.`,
  failed: vendor => `${vendor} could not complete the check.`,
  waiting_on_workspace: vendor => `${vendor} is waiting for your team.`,
  result: () => 'The result is ready.',
}

interface CheckTaskProps {
  task: CheckTaskRow
  addressOf: Address
  reload: () => void
}

/** An order that needs someone: the next step is on the candidate's page. What has ended is done when someone says so. */
function CheckTask({ task, addressOf, reload }: CheckTaskProps) {
  const { busy, error, submit } = useSubmit()
  const to = addressOf(task.application_id, 'checks')
  const order = { application: task.application_id, order: task.order_id }
  const set = async (reviewed: boolean) => {
    await send('/applications/{application}/orders/{order}/reviewed', order, { reviewed })
    countsChanged()
    reload()
  }
  const invite = () =>
    submit(async () => {
      await send('/applications/{application}/orders/{order}/invite', order)
      toast('Invitation is on its way')
      countsChanged()
      reload()
    })
  const finish = () =>
    submit(async () => {
      await set(true)
      toast('Done', 'good', { title: 'Undo', run: () => void set(false) })
    })
  const what = `${task.package_name}, ${nameOf(task)}`
  return (
    <Task
      to={to}
      title={nameOf(task)}
      facts={
        <>
          {task.package_name} · {task.job_title} · <Time at={task.since} />
        </>
      }
      action={
        task.reason === 'not_invited' ? (
          <Button small busy={busy} label={`Send invitation: ${what}`} onClick={invite}>
            Send invitation
          </Button>
        ) : task.reason === 'waiting_on_workspace' ? (
          <Button small label={`Open: ${what}`} onClick={() => navigate(to)}>
            Open
          </Button>
        ) : (
          <Button small busy={busy} label={`Done: ${what}`} onClick={finish}>
            Done
          </Button>
        )
      }
    >
      <p class="small">
        {CHECK_REASONS[task.reason](task.vendor_name)} {task.reason !== 'result' && task.message}
      </p>
      <FormError error={error} />
    </Task>
  )
}
