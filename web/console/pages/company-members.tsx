import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send } from '../api.ts'

type CompanySignInLogEntry = Read<'/company-sign-in'>['log'][number]
type CompanySignInResponse = Read<'/company-sign-in'>

type ConnectedMember = CompanySignInResponse['connected'][number]

export function Connected({ data, reload }: { data: CompanySignInResponse; reload: () => void }) {
  const [ending, setEnding] = useState<ConnectedMember>()
  const columns: readonly Column<ConnectedMember>[] = [
    {
      title: 'Member',
      grow: true,
      cell: member => (
        <>
          {member.name} {member.refused_at && <Tag tone="bad">no access</Tag>}
        </>
      ),
    },
    { title: 'Connected', wide: true, cell: member => <Time at={member.linked_at} /> },
    {
      title: 'Manage',
      cell: member => (
        <Button small kind="danger" label={`Disconnect ${member.name}`} onClick={() => setEnding(member)}>
          Disconnect
        </Button>
      ),
    },
  ]
  return (
    <Section
      title="Connected members"
      description="Since their first sign-in, these members are recognized by their account at the provider, not by email address."
    >
      <DataTable
        name="Connected members"
        columns={columns}
        rows={data.connected}
        rowKey={member => member.id}
        empty={<Empty title="No one has signed in this way yet" />}
      />
      {ending && (
        <Confirm
          title={`Disconnect ${ending.name}?`}
          action="Disconnect"
          danger
          onClose={() => setEnding(undefined)}
          onConfirm={async () => {
            await send('/company-sign-in/members/{id}/disconnect', { id: ending.id })
            setEnding(undefined)
            toast('Disconnected')
            reload()
          }}
        >
          <p>
            They are signed out. Their next sign-in connects the account that has their email address then. To end their
            access, remove it at the provider or remove them in People.
          </p>
        </Confirm>
      )}
    </Section>
  )
}

const TONES: Readonly<Record<string, 'bad' | 'warn' | 'good' | 'plain'>> = {
  failed: 'bad',
  refused: 'warn',
  restored: 'good',
  created: 'good',
  linked: 'good',
}

export function Log({ log }: { log: CompanySignInLogEntry[] }) {
  return (
    <Section title="Failures and changes" description="The latest 200 entries, without any claim of a person.">
      <ul class="company-log">
        {log.map(entry => (
          <li key={entry.id}>
            <p>
              <Tag tone={TONES[entry.event] ?? 'plain'}>{entry.event.replace('_', ' ')}</Tag>{' '}
              {entry.member && <strong>{entry.member.name}</strong>} {entry.text}
            </p>
            <p class="faint small">
              <Time at={entry.at} />
              {entry.actor && ` · by ${entry.actor.name}`}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
