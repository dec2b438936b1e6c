import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Id } from '../../ui/copy.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { ErrorNote, Notice } from '../../ui/notice.tsx'
import { CodeList, DescriptionList, PageHead, Pending, Section } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { Link } from '../../ui/router.tsx'
import { State, Tag } from '../../ui/tag.tsx'
import { ExactTime, Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { send, useData } from '../api.ts'
import { type InstallationResponse, InstallationState } from './installations.tsx'

type Action = 'suspend' | 'resume' | 'uninstall'

const UNUSED = <Tag tone="warn">Not used in 90 days</Tag>

export function InstallationPage({ params }: PageProps<'id'>) {
  const { data: row, error, reload } = useData('/installations/{id}', { id: params.id })
  const [action, setAction] = useState<Action>()
  const back = { to: '/installations', title: 'Installed apps' }
  if (!row) return <Pending title="Installed app" back={back} error={error} reload={reload} />
  return (
    <>
      <PageHead
        title={row.app.name}
        back={back}
        description={<InstallationState row={row} />}
        actions={row.status !== 'ended' && <Actions row={row} onAction={setAction} />}
      />
      {error && <ErrorNote error={error} retry={reload} />}
      <PendingScopes row={row} />
      <Facts row={row} />
      <Section title={`Scopes (${row.scopes.length})`} description="What the app was allowed.">
        <CodeList codes={row.scopes} note={scope => row.unused_scopes.includes(scope) && UNUSED} />
      </Section>
      {action && <ActionDialog action={action} row={row} onClose={() => setAction(undefined)} onDone={reload} />}
    </>
  )
}

const Actions = ({ row, onAction }: { row: InstallationResponse; onAction: (action: Action) => void }) => (
  <>
    {row.suspended_by === 'workspace' ? (
      <Button onClick={() => onAction('resume')}>Resume</Button>
    ) : (
      row.status === 'active' && <Button onClick={() => onAction('suspend')}>Suspend</Button>
    )}
    <Button kind="danger" onClick={() => onAction('uninstall')}>
      Uninstall
    </Button>
  </>
)

const PendingScopes = ({ row }: { row: InstallationResponse }) =>
  row.scopes_pending.length > 0 ? (
    <Notice tone="warn">
      <p>
        The app asks for more access: {row.scopes_pending.join(', ')}. It does not have it. To decide, start the
        installation in the app again; you review the access before anything changes.
      </p>
    </Notice>
  ) : null

const Facts = ({ row }: { row: InstallationResponse }) => (
  <DescriptionList
    rows={[
      ['Installation', <Id key="id" value={row.id} />],
      [
        'Key',
        <Link key="key" to={`/keys/${row.credential_id}`}>
          {row.credential_id}
        </Link>,
      ],
      [
        'Calls in 24 hours',
        <Link key="calls" to={`/requests?key_id=${row.credential_id}`}>
          {row.requests_24_hours}
        </Link>,
      ],
      [
        'Personal values today',
        <Link
          key="audit"
          to={`/audit?key_id=${row.credential_id}`}
        >{`${row.personal_data_today} of ${row.budget}`}</Link>,
      ],
      ['Last used', row.last_used_at === null ? 'never' : <Time key="used" at={row.last_used_at} />],
      row.webhooks !== null && ['Webhooks', <WebhookHealth key="webhooks" health={row.webhooks} />],
      ['Installed', <ExactTime key="at" at={row.installed_at} />],
      ['Installed by', row.installed_by ?? 'a former member'],
      row.ended_at !== null && ['Uninstalled', <ExactTime key="ended" at={row.ended_at} />],
      row.delete_by !== null && ['The app must delete its copies by', <ExactTime key="by" at={row.delete_by} />],
      row.ended_at !== null && [
        'Deletion confirmed',
        row.deletion_confirmed_at === null ? 'not yet' : <ExactTime key="done" at={row.deletion_confirmed_at} />,
      ],
    ]}
  />
)

/** The app decides where its events are sent: people here only see whether they arrive. */
const WebhookHealth = ({ health }: { health: NonNullable<InstallationResponse['webhooks']> }) => (
  <>
    <State tone={!health.enabled ? 'plain' : health.consecutive_failures > 0 ? 'warn' : 'good'}>
      {!health.enabled ? 'off' : health.consecutive_failures > 0 ? 'failing' : 'on'}
    </State>{' '}
    {health.last_success_at === null ? (
      'nothing delivered yet'
    ) : (
      <>
        last delivered <Time at={health.last_success_at} />
      </>
    )}
  </>
)

const DIALOGS: Readonly<Record<Action, { title: string; text: string; done: string }>> = {
  suspend: {
    title: 'Suspend',
    text: 'Its key is refused immediately. Nothing is deleted, and you can resume it.',
    done: 'App suspended',
  },
  resume: { title: 'Resume', text: 'Its key works again immediately.', done: 'App resumed' },
  uninstall: {
    title: 'Uninstall',
    text: 'Its key ends immediately and permanently. What the app wrote stays. Its publisher must delete its copies within 30 days and confirm that here.',
    done: 'App uninstalled',
  },
}

interface ActionDialogProps {
  action: Action
  row: InstallationResponse
  onClose: () => void
  onDone: () => void
}

function ActionDialog({ action, row, onClose, onDone }: ActionDialogProps) {
  const { title, text, done } = DIALOGS[action]
  return (
    <Confirm
      title={`${title} ${row.app.name}?`}
      action={title}
      danger={action !== 'resume'}
      onClose={onClose}
      onConfirm={async () => {
        await send(`/installations/{id}/${action}`, { id: row.id })
        onClose()
        toast(done)
        onDone()
      }}
    >
      <p>{text}</p>
    </Confirm>
  )
}
