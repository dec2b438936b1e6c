import { useState } from 'preact/hooks'
import { EVENT_GROUPS, EVENTS, receivableTypes } from '../../../src/contract/events.ts'
import type { Scope } from '../../../src/contract/scopes.ts'
import { Button } from '../../ui/button.tsx'
import { Id, IssuedSecret } from '../../ui/copy.tsx'
import { Confirm, Dialog, DialogActions, FormError } from '../../ui/dialog.tsx'
import { TextField, useSubmit } from '../../ui/form.tsx'
import { ErrorNote, Notice, Prose } from '../../ui/notice.tsx'
import { CodeList, DescriptionList, PageHead, Pending, Section } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { RotateDialog } from '../../ui/rotate-dialog.tsx'
import { ScopePicker } from '../../ui/scope.tsx'
import { State } from '../../ui/tag.tsx'
import { ExactTime } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send, useData } from '../api.ts'
import { useSession } from '../session.ts'
import { EditPublishedApp } from './edit-published-app.tsx'
import { PublishedAppState } from './published-apps.tsx'
import { SigningSecret } from './webhook-form.tsx'

type AppResponse = Read<'/published-apps/{id}'>
type Environment = AppResponse['webhooks'][number]['environment']

const ENVIRONMENTS = ['live', 'test'] as const
const URL_TITLES: Readonly<Record<Environment, string>> = {
  live: 'URL for live workspaces',
  test: 'URL for test workspaces',
}

interface OpenWebhook {
  dialog: 'edit' | 'rotate' | 'remove'
  environment: Environment
}
type Open = OpenWebhook | { dialog: 'submit' | 'change' | 'rotate-client' }

export function PublishedAppPage({ params: { id } }: PageProps<'id'>) {
  const { key_management_refused: refused } = useSession()
  const { data: app, error, reload } = useData('/published-apps/{id}', { id })
  const [open, setOpen] = useState<Open>()
  const [secret, setSecret] = useState<string>()
  const [clientSecret, setClientSecret] = useState<string>()
  const back = { to: '/published-apps', title: 'Published apps' }
  const close = () => setOpen(undefined)
  if (!app) return <Pending title="Published app" back={back} error={error} reload={reload} />
  const done = () => {
    setSecret(undefined)
    setClientSecret(undefined)
    reload()
  }
  if (clientSecret !== undefined)
    return (
      <>
        <PageHead title="Client secret" description={app.name} />
        <IssuedSecret value={clientSecret} name="client secret" onDone={done} />
      </>
    )
  if (secret !== undefined) {
    return (
      <>
        <PageHead title="Signing secret" description={app.name} />
        <SigningSecret secret={secret} onDone={done} />
      </>
    )
  }
  const changed = (made: string | null, text: string) => {
    close()
    if (made !== null) setSecret(made)
    else {
      toast(text)
      reload()
    }
  }
  return (
    <>
      <PageHead
        title={app.name}
        back={back}
        description={<PublishedAppState status={app.status} />}
        actions={
          <>
            <Button disabled={refused !== null} onClick={() => setOpen({ dialog: 'change' })}>
              Change
            </Button>
            <Button disabled={refused !== null} onClick={() => setOpen({ dialog: 'rotate-client' })}>
              Rotate client secret
            </Button>
            {app.review_status === 'draft' && (
              <Button kind="primary" disabled={refused !== null} onClick={() => setOpen({ dialog: 'submit' })}>
                Submit for review
              </Button>
            )}
          </>
        }
      />
      {error && <ErrorNote error={error} retry={reload} />}
      {refused && (
        <Notice tone="warn">
          <p>{refused}</p>
        </Notice>
      )}
      {app.change_waits && (
        <Notice tone="warn">
          <p>A change waits until the operator of the service approves it.</p>
        </Notice>
      )}
      <DescriptionList
        rows={[
          ['Client id', <Id key="id" value={app.id} />],
          ['Publisher', app.publisher],
          ['Domains', app.domains.join(', ')],
          ['Redirect URIs', app.redirect_uris.join(', ')],
          ['IP addresses', app.ip_allowlist.length === 0 ? 'all' : app.ip_allowlist.join(', ')],
          ['Registered', <ExactTime key="at" at={app.created_at} />],
          app.previous_secret_expires_at !== null && [
            'Previous client secret expires',
            <ExactTime key="previous" at={app.previous_secret_expires_at} />,
          ],
        ]}
      />
      {ENVIRONMENTS.map(environment => (
        <WebhookSection
          key={environment}
          environment={environment}
          app={app}
          locked={refused !== null}
          onOpen={dialog => setOpen({ dialog, environment })}
        />
      ))}
      <Section title={`Required scopes (${app.scopes.length})`}>
        <CodeList codes={app.scopes} />
      </Section>
      {app.optional_scopes.length > 0 && (
        <Section title={`Optional scopes (${app.optional_scopes.length})`}>
          <CodeList codes={app.optional_scopes} />
        </Section>
      )}
      {open?.dialog === 'change' && (
        <EditPublishedApp app={app} onClose={close} onDone={() => changed(null, 'App changed')} />
      )}
      {open?.dialog === 'rotate-client' && (
        <RotateDialog
          title="Rotate the client secret"
          rotate={overlap_hours => send('/published-apps/{id}/rotate-secret', { id }, { overlap_hours })}
          onClose={close}
          onIssued={({ client_secret }) => setClientSecret(client_secret ?? undefined)}
        >
          <p>The current secret keeps working during the overlap. Without one, it ends immediately.</p>
        </RotateDialog>
      )}
      {open?.dialog === 'submit' && (
        <Confirm
          title={`Submit ${app.name} for review?`}
          action="Submit"
          onClose={close}
          onConfirm={async () => {
            await send('/published-apps/{id}/submit', { id })
            changed(null, 'Submitted for review')
          }}
        >
          <p>The operator of the service approves the app. Then every workspace can install it.</p>
        </Confirm>
      )}
      {open && 'environment' in open && <WebhookDialog app={app} open={open} onClose={close} onDone={changed} />}
    </>
  )
}

interface SectionProps {
  app: AppResponse
  environment: Environment
  locked: boolean
  onOpen: (dialog: OpenWebhook['dialog']) => void
}

function WebhookSection({ app, environment, locked, onOpen }: SectionProps) {
  const webhook = app.webhooks.find(row => row.environment === environment)
  return (
    <Section title={URL_TITLES[environment]}>
      {webhook ? (
        <>
          <p>
            <code>{webhook.url}</code>{' '}
            <State tone={webhook.enabled ? 'good' : 'warn'}>{webhook.enabled ? 'on' : 'disabled'}</State>
          </p>
          <CodeList codes={webhook.event_types} />
        </>
      ) : (
        <p class="soft">No URL: nothing is sent.</p>
      )}
      <div class="actions">
        <Button disabled={locked} onClick={() => onOpen('edit')}>
          {webhook ? 'Edit' : 'Add URL'}
        </Button>
        {webhook && (
          <>
            <Button disabled={locked} onClick={() => onOpen('rotate')}>
              Rotate secret
            </Button>
            <Button kind="danger" disabled={locked} onClick={() => onOpen('remove')}>
              Remove
            </Button>
          </>
        )}
      </div>
    </Section>
  )
}

interface DialogProps {
  app: AppResponse
  open: OpenWebhook
  onClose: () => void
  /** with a signing secret that is to be shown */
  onDone: (secret: string | null, text: string) => void
}

function WebhookDialog({ app, open: { dialog, environment }, onClose, onDone }: DialogProps) {
  const { id } = app
  if (dialog === 'edit') return <EditWebhook app={app} environment={environment} onClose={onClose} onDone={onDone} />
  if (dialog === 'remove')
    return (
      <Confirm
        title={`Remove the ${URL_TITLES[environment]}?`}
        action="Remove"
        danger
        onClose={onClose}
        onConfirm={async () => {
          await send('/published-apps/{id}/webhooks', { id }, { environment, url: null })
          onDone(null, 'URL removed')
        }}
      >
        <p>No more events are sent to it. Its signing secret and its delivery log are deleted.</p>
      </Confirm>
    )
  return (
    <RotateDialog
      title="Rotate the signing secret"
      noOverlap="stop signing with the old secret now"
      rotate={hours =>
        send('/published-apps/{id}/rotate-webhook-secret', { id }, { environment, overlap_seconds: hours * 3600 })
      }
      onClose={onClose}
      onIssued={({ signing_secret }) => onDone(signing_secret, 'Secret rotated')}
    >
      <p>Deliveries to all installations are signed with both secrets until the overlap ends.</p>
    </RotateDialog>
  )
}

interface EditProps {
  app: AppResponse
  environment: Environment
  onClose: () => void
  onDone: (secret: string | null, text: string) => void
}

function EditWebhook({ app, environment, onClose, onDone }: EditProps) {
  const known = app.webhooks.find(row => row.environment === environment)
  const [url, setUrl] = useState(known?.url ?? '')
  const [types, setTypes] = useState<ReadonlySet<string>>(new Set((known ?? app.webhooks[0])?.event_types))
  const { busy, error, fault, submit } = useSubmit()
  const readable = receivableTypes(new Set([...app.scopes, ...app.optional_scopes] as Scope[])) as readonly string[]
  const groups = EVENT_GROUPS.map(({ title, types: names }) => ({
    title,
    choices: names.map(type => ({
      name: type,
      description: <Prose text={EVENTS[type].description} />,
      off: !readable.includes(type) && 'The app does not ask for the scopes that it needs.',
    })),
  }))
  const save = () =>
    submit(async () => {
      const body = { environment, url: url.trim(), event_types: [...types] }
      const { signing_secret } = await send('/published-apps/{id}/webhooks', { id: app.id }, body)
      onDone(signing_secret, 'Webhooks changed')
    })
  return (
    <Dialog title={URL_TITLES[environment]} onClose={onClose} wide>
      <TextField
        label="URL"
        value={url}
        onInput={setUrl}
        required
        mono
        placeholder="https://hooks.example.com/hiring"
        hint={`HTTPS, below one of the domains of the app: ${app.domains.join(', ')}.`}
        fault={fault('url')}
      />
      <p class="soft">
        Both URLs get these event types. An installation is sent those that it may read, and notices about itself.
      </p>
      <ScopePicker
        groups={groups}
        chosen={types}
        onChange={(type, on) =>
          setTypes(before => new Set(on ? [...before, type] : [...before].filter(t => t !== type)))
        }
      />
      <FormError error={error} marked />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" busy={busy} disabled={url.trim() === '' || types.size === 0} onClick={save}>
          Save
        </Button>
      </DialogActions>
    </Dialog>
  )
}
