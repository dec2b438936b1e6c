import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Id } from '../../ui/copy.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Empty, ErrorNote } from '../../ui/notice.tsx'
import { CodeList, DescriptionList, PageHead, Pending, Section } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { RotateDialog } from '../../ui/rotate-dialog.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { State } from '../../ui/tag.tsx'
import { ExactTime, Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, type Sent, send, useData } from '../api.ts'
import { useSession } from '../session.ts'
import { KIND_WORDS } from './apps.tsx'
import { IssuedApp } from './new-app.tsx'

type AppResponse = Read<'/apps/{id}'>
type ConsentResponse = AppResponse['people'][number]
type IssuedAppResponse = Sent<'/apps'>

/** A dialog of the app, or that of a consent to revoke. */
type Open = 'rotate' | 'remove' | ConsentResponse

const consentColumns = (revoke: (consent: ConsentResponse) => void): readonly Column<ConsentResponse>[] => [
  {
    title: 'Person',
    grow: true,
    cell: row => (
      <div class="two-lines">
        <span>{row.user.name}</span>
        <span class="faint">{row.user.email}</span>
      </div>
    ),
  },
  { title: 'Allowed', wide: true, cell: row => <span class="faint">{row.scopes.join(' ')}</span> },
  { title: 'Since', cell: row => <Time at={row.granted_at} /> },
  {
    title: 'Manage',
    cell: row => (
      <Button small kind="danger" onClick={() => revoke(row)}>
        Revoke
      </Button>
    ),
  },
]

export function AppPage({ params }: PageProps<'id'>) {
  const { key_management_refused: refused } = useSession()
  const { data: app, error, loading, reload } = useData('/apps/{id}', { id: params.id })
  const [dialog, setDialog] = useState<Open>()
  const [issued, setIssued] = useState<IssuedAppResponse>()
  const back = { to: '/apps', title: 'Connected apps' }

  if (issued) {
    const done = () => {
      setIssued(undefined)
      reload()
    }
    return <IssuedApp issued={issued} done="rotated" onDone={done} />
  }
  if (!app) return <Pending title="Connected app" back={back} error={error} reload={reload} />
  const live = app.revoked_at === null
  return (
    <>
      <PageHead
        title={app.name}
        back={back}
        description={<State tone={live ? 'good' : 'plain'}>{live ? 'active' : 'removed'}</State>}
        actions={
          live && (
            <>
              {app.kind === 'web' && (
                <Button disabled={refused !== null} onClick={() => setDialog('rotate')}>
                  Rotate secret
                </Button>
              )}
              <Button kind="danger" onClick={() => setDialog('remove')}>
                Remove
              </Button>
            </>
          )
        }
      />
      {error && <ErrorNote error={error} retry={reload} />}
      <AppFacts app={app} />
      <Section title="Redirect URIs">
        <CodeList codes={app.redirect_uris} />
      </Section>
      <Section title={`Scopes (${app.scopes.length})`} description="The scopes that the app can request.">
        <CodeList codes={app.scopes} />
      </Section>
      <Section title="People who allowed it" description="The role of each person also limits what the app sees.">
        <DataTable
          name="Consents"
          columns={consentColumns(setDialog)}
          rows={app.people}
          rowKey={row => row.id}
          loading={loading}
          empty={<Empty title="No one yet">People who sign in to the app and allow it appear here.</Empty>}
        />
      </Section>
      {dialog && (
        <AppDialog
          open={dialog}
          app={app}
          onClose={() => setDialog(undefined)}
          onChanged={reload}
          onIssued={setIssued}
        />
      )}
    </>
  )
}

const AppFacts = ({ app }: { app: AppResponse }) => (
  <DescriptionList
    rows={[
      ['Client id', <Id key="id" value={app.id} />],
      ['Kind', KIND_WORDS[app.kind][0]],
      ['Registered', <ExactTime key="at" at={app.created_at} />],
      ['Registered by', app.created_by ?? 'the CLI, or a former member'],
      app.previous_secret_expires_at !== null && [
        'Previous secret expires',
        <Time key="previous" at={app.previous_secret_expires_at} />,
      ],
      app.revoked_at !== null && ['Removed', <ExactTime key="revoked" at={app.revoked_at} />],
    ]}
  />
)

interface AppDialogProps {
  open: Open
  app: AppResponse
  onClose: () => void
  onChanged: () => void
  onIssued: (issued: IssuedAppResponse) => void
}

function AppDialog({ open, app, onClose, onChanged, onIssued }: AppDialogProps) {
  if (open === 'rotate') {
    return (
      <RotateDialog
        rotate={overlap_hours => send('/apps/{id}/rotate', { id: app.id }, { overlap_hours })}
        onClose={onClose}
        onIssued={onIssued}
      >
        <p>
          The app gets a new secret. The current secret keeps working during the overlap. An app has at most two
          secrets.
        </p>
      </RotateDialog>
    )
  }
  if (open === 'remove') {
    return (
      <Confirm
        title={`Remove ${app.name}?`}
        action="Remove app"
        danger
        onClose={onClose}
        onConfirm={async () => {
          await send('/apps/{id}/revoke', { id: app.id })
          onClose()
          toast('App removed')
          onChanged()
        }}
      >
        <p>
          No one can sign in to it any more. Its secrets, tokens and consents are revoked immediately. This cannot be
          undone.
        </p>
      </Confirm>
    )
  }
  return (
    <Confirm
      title={`Revoke the consent of ${open.user.name}?`}
      action="Revoke consent"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await send('/consents/{id}/revoke', { id: open.id })
        onClose()
        toast('Consent revoked')
        onChanged()
      }}
    >
      <p>The tokens of the app for this person are revoked immediately. They can allow it again.</p>
    </Confirm>
  )
}
