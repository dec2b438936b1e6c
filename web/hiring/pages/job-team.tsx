import '../css/decisions.css'
import { useState } from 'preact/hooks'
import { Empty, ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { Pending, Section } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { Tag } from '../../ui/tag.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send, useData } from '../api.ts'
import { JobHead } from '../job-head.tsx'
import { useMay, useSession } from '../session.ts'

type TeamPerson = Read<'/jobs/{job}/team'>['people'][number]

/** Who works on a job: who of the limited people has access, and whose tasks its candidates are. */
export function JobTeamPage({ params }: PageProps<'id'>) {
  const job = useData('/v1/jobs/{job_handle}', { job_handle: params.id })
  const team = useData('/jobs/{job}/team', { job: params.id })
  if (!job.data) return <Pending title="Job" back={{ to: '/', title: 'Jobs' }} error={job.error} reload={job.reload} />
  return (
    <>
      <JobHead job={job.data} tab="team" />
      {team.error && !team.data && <ErrorNote error={team.error} retry={team.reload} />}
      {!team.data && !team.error && <Skeleton lines={4} />}
      {team.data && <Team jobId={job.data.id} people={team.data.people} />}
    </>
  )
}

function Team({ jobId, people: first }: { jobId: string; people: readonly TeamPerson[] }) {
  const { limited } = useSession()
  const mayChange = useMay()('jobs:manage') && !limited
  const [people, setPeople] = useState(first)
  const [saving, setSaving] = useState<ReadonlySet<string>>(new Set())
  const change = async (person: TeamPerson, on: boolean) => {
    const show = (onTeam: boolean) =>
      setPeople(now => now.map(one => (one.id === person.id ? { ...one, on_team: onTeam } : one)))
    setSaving(now => new Set([...now, person.id]))
    show(on)
    try {
      const who = [person.id]
      const changes = on ? { add: who, remove: [] } : { add: [], remove: who }
      const saved = await send('/jobs/{job}/team', { job: jobId }, changes)
      show(saved.people.find(({ id }) => id === person.id)?.on_team ?? on)
      toast(on ? `${person.name} is on the team` : `${person.name} is no longer on the team`)
    } catch (error) {
      toast(error instanceof Error ? error.message : 'Not saved', 'bad')
      show(!on)
    } finally {
      setSaving(now => new Set([...now].filter(id => id !== person.id)))
    }
  }
  const list = (rows: readonly TeamPerson[], empty: string) =>
    rows.length === 0 ? (
      <Empty title={empty} />
    ) : (
      <ul class="check-list">
        {rows.map(person => (
          <li key={person.id}>
            <label>
              <input
                type="checkbox"
                checked={person.on_team}
                disabled={!mayChange}
                aria-busy={saving.has(person.id)}
                onChange={event => {
                  if (saving.has(person.id)) event.currentTarget.checked = person.on_team
                  else void change(person, event.currentTarget.checked)
                }}
              />
              <span>{person.name}</span> <Tag>{person.role}</Tag>
            </label>
          </li>
        ))}
      </ul>
    )
  return (
    <>
      <Section
        title="Limited to their jobs"
        description="These people see this job and its candidates only while they are on its team. Admins choose who is limited, on the People page of the console."
      >
        {list(
          people.filter(person => person.limited),
          'No one is limited to certain jobs',
        )}
      </Section>
      <Section
        title="With access to all jobs"
        description="On the team, they find the waiting candidates of this job in their tasks. People who are not on any team find those of all jobs."
      >
        {list(
          people.filter(person => !person.limited),
          'No one has access to all jobs',
        )}
      </Section>
    </>
  )
}
