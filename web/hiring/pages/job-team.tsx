import '../css/decisions.css'
import { useState } from 'preact/hooks'
import { JOB_ROLES, type JobRole } from '../../../src/contract/job-rights.ts'
import { isManager } from '../../../src/contract/roles.ts'
import { Empty, ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { Pending, Section } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { Select } from '../../ui/select.tsx'
import { Tag } from '../../ui/tag.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send, useData } from '../api.ts'
import { JobHead } from '../job-head.tsx'
import { useJobRights } from '../job-rights.ts'
import { useMay, useSession } from '../session.ts'
import { t } from '../texts/index.ts'

type TeamPerson = Read<'/jobs/{job}/team'>['people'][number]

/** Who works on a job and as what: who of the limited people has access, and whose tasks its candidates are. */
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

type Place = Pick<TeamPerson, 'on_team' | 'job_role'>

/** The people with what was chosen for them, which is shown before the service has confirmed it. */
function useTeam(jobId: string, first: readonly TeamPerson[]) {
  const [people, setPeople] = useState(first)
  const [saving, setSaving] = useState<ReadonlySet<string>>(new Set())
  const change = async (person: TeamPerson, next: Place, said: string) => {
    if (saving.has(person.id)) return
    const show = ({ on_team, job_role }: Place) =>
      setPeople(now => now.map(one => (one.id === person.id ? { ...one, on_team, job_role } : one)))
    setSaving(now => new Set([...now, person.id]))
    show(next)
    try {
      const who = [person.id]
      const saved = await send(
        '/jobs/{job}/team',
        { job: jobId },
        {
          add: next.on_team && !person.on_team ? who : [],
          remove: next.on_team ? [] : who,
          roles: next.on_team && next.job_role && person.on_team ? { [person.id]: next.job_role } : {},
        },
      )
      show(saved.people.find(({ id }) => id === person.id) ?? next)
      toast(said)
    } catch (error) {
      toast(error instanceof Error ? error.message : t.roles.notSaved, 'bad')
      show(person)
    } finally {
      setSaving(now => new Set([...now].filter(id => id !== person.id)))
    }
  }
  return { people, saving, change }
}

function Team({ jobId, people: first }: { jobId: string; people: readonly TeamPerson[] }) {
  const { limited } = useSession()
  const may = useMay()
  const rights = useJobRights()
  const mayChange = may('jobs:manage') && !limited && rights(jobId, 'setup')
  const { people, saving, change } = useTeam(jobId, first)
  const list = (rows: readonly TeamPerson[], empty: string) =>
    rows.length === 0 ? (
      <Empty title={empty} />
    ) : (
      <ul class="check-list">
        {rows.map(person => (
          <li key={person.id} class="team-person">
            <label>
              <input
                type="checkbox"
                checked={person.on_team}
                disabled={!mayChange}
                aria-busy={saving.has(person.id)}
                onChange={event => {
                  const on_team = event.currentTarget.checked
                  if (saving.has(person.id)) event.currentTarget.checked = person.on_team
                  else
                    void change(
                      person,
                      { on_team, job_role: on_team ? 'recruiter' : null },
                      on_team ? t.roles.joined(person.name) : t.roles.left(person.name),
                    )
                }}
              />
              <span>{person.name}</span> <Tag>{person.role}</Tag>
            </label>
            <RoleChoice
              person={person}
              disabled={!mayChange || saving.has(person.id)}
              onChange={job_role =>
                void change(person, { on_team: true, job_role }, t.roles.changed(person.name, t.roles.names[job_role]))
              }
            />
          </li>
        ))}
      </ul>
    )
  return (
    <>
      <Section title={t.roles.limited} description={t.roles.limitedMeans}>
        {list(
          people.filter(person => person.limited),
          t.roles.noLimited,
        )}
      </Section>
      <Section title={t.roles.everywhere} description={t.roles.everywhereMeans}>
        {list(
          people.filter(person => !person.limited),
          t.roles.noEverywhere,
        )}
        <p class="small soft">{t.roles.keys}</p>
      </Section>
      <ul class="plain-lines small soft">
        {JOB_ROLES.map(role => (
          <li key={role}>{t.roles.meaning[role]}</li>
        ))}
        <li>{t.roles.smaller}</li>
      </ul>
    </>
  )
}

interface RoleChoiceProps {
  person: TeamPerson
  disabled: boolean
  onChange: (role: JobRole) => void
}

/** What someone on the team is there; owners and admins may do everything whatever they are. */
function RoleChoice({ person, disabled, onChange }: RoleChoiceProps) {
  const { name, role, job_role } = person
  if (!job_role || isManager({ role })) return null
  // viewers see no names, so they cannot interview
  const choices = JOB_ROLES.filter(one => role !== 'viewer' || one !== 'interviewer')
  return (
    <Select
      small
      label={t.roles.roleOf(name)}
      value={job_role}
      options={choices.map(one => [one, t.roles.names[one]] as const)}
      disabled={disabled}
      onInput={onChange}
    />
  )
}
