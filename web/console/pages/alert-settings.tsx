import { useEffect, useState } from 'preact/hooks'
import { ALERT_KIND_NAMES, ALERT_KINDS, type AlertKind } from '../../../src/contract/alerts.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, FormError } from '../../ui/dialog.tsx'
import { Form, TextField, useSubmit } from '../../ui/form.tsx'
import { ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { PageHead, Section } from '../../ui/page.tsx'
import { ENTERED, useLeaveGuard } from '../../ui/router.tsx'
import { State } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, type Sent, send, useData } from '../api.ts'
import { SigningSecret } from './webhook-form.tsx'

type AlertSettingsResponse = Read<'/alert-settings'>
type AlertWebhookResponse = NonNullable<Read<'/alert-settings'>['webhook']>
type AlertWebhookTestResponse = Sent<'/alert-webhook/test'>

export function AlertSettingsPage() {
  const { data, error, reload } = useData('/alert-settings')
  return (
    <>
      <PageHead
        title="Alert notifications"
        description="The alerts page shows every alert. Choose which of them are also sent to you."
        back={{ to: '/alerts', title: 'Alerts' }}
      />
      {error && !data && <ErrorNote error={error} retry={reload} />}
      {!data && !error && <Skeleton />}
      {data && (
        <div class="narrow">
          <MailForm settings={data} reload={reload} />
          <WebhookForm webhook={data.webhook} reload={reload} />
        </div>
      )}
    </>
  )
}

interface KindsProps {
  legend: string
  muted: ReadonlySet<AlertKind>
  onChange: (muted: ReadonlySet<AlertKind>) => void
  disabled?: boolean
}

const Kinds = ({ legend, muted, onChange, disabled }: KindsProps) => (
  <fieldset class="kinds" disabled={disabled}>
    <legend>{legend}</legend>
    {ALERT_KIND_NAMES.map(kind => (
      <label class="scope" key={kind}>
        <input
          type="checkbox"
          checked={!muted.has(kind)}
          onChange={event => {
            const next = new Set(muted)
            if (event.currentTarget.checked) next.delete(kind)
            else next.add(kind)
            onChange(next)
          }}
        />
        <span class="scope-text">
          <span class="scope-name">{ALERT_KINDS[kind].title}</span>
          <span class="soft">{ALERT_KINDS[kind].description}</span>
        </span>
      </label>
    ))}
  </fieldset>
)

const listed = (kinds: ReadonlySet<string>): string => [...kinds].sort().join(' ')

function MailForm({ settings, reload }: { settings: AlertSettingsResponse; reload: () => void }) {
  const [mail, setMail] = useState(settings.mail)
  const [muted, setMuted] = useState<ReadonlySet<AlertKind>>(new Set(settings.muted_kinds))
  const { busy, error, submit } = useSubmit()
  const changed = mail !== settings.mail || listed(muted) !== listed(new Set(settings.muted_kinds))
  useLeaveGuard(changed && ENTERED)
  return (
    <Section title="Email to you" description="Each owner and admin chooses for themselves.">
      <Form
        class="panel"
        onSubmit={() =>
          submit(async () => {
            await send('/alert-settings', { mail, muted_kinds: [...muted] })
            toast('Notifications saved')
            reload()
          })
        }
      >
        <label class="scope first">
          <input type="checkbox" checked={mail} onChange={event => setMail(event.currentTarget.checked)} />
          <span class="scope-text">
            <span class="scope-name">Send alerts to my email address</span>
          </span>
        </label>
        <Kinds legend="Kinds of alerts" muted={muted} onChange={setMuted} disabled={!mail} />
        <FormError error={error} />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={!changed}>
            Save
          </Button>
        </div>
      </Form>
    </Section>
  )
}

function WebhookForm({ webhook, reload }: { webhook: AlertWebhookResponse | null; reload: () => void }) {
  const saved = webhook?.url ?? ''
  const [url, setUrl] = useState(saved)
  const [muted, setMuted] = useState<ReadonlySet<AlertKind>>(new Set(webhook?.muted_kinds))
  const [secret, setSecret] = useState<string>()
  const [asking, setAsking] = useState<'rotate' | 'remove'>()
  const [tested, setTested] = useState<AlertWebhookTestResponse>()
  const { busy, error, fault, submit } = useSubmit()
  const test = useSubmit()
  useEffect(() => setUrl(saved), [saved])
  const changed = url.trim() !== saved || listed(muted) !== listed(new Set(webhook?.muted_kinds))
  useLeaveGuard(changed && secret === undefined && ENTERED)
  const sendTest = async () => {
    setTested(undefined)
    setTested(await send('/alert-webhook/test'))
  }
  const save = async () => {
    const { signing_secret } = await send('/alert-webhook', { url: url.trim(), muted_kinds: [...muted] })
    if (signing_secret === null) toast('Webhook saved')
    else setSecret(signing_secret)
    reload()
  }
  if (secret !== undefined) {
    const done = () => {
      setSecret(undefined)
      reload()
    }
    return (
      <Section title="Webhook of the workspace">
        <SigningSecret secret={secret} onDone={done} />
      </Section>
    )
  }
  return (
    <Section
      title="Webhook of the workspace"
      description="Posts alert.opened and alert.resolved to a URL of yours, such as a pager or a chat, signed like every webhook."
      actions={
        webhook && (
          <>
            <Button busy={test.busy} onClick={() => test.submit(sendTest)}>
              Send a test
            </Button>
            <Button onClick={() => setAsking('rotate')}>Rotate secret</Button>
            <Button kind="danger" onClick={() => setAsking('remove')}>
              Remove
            </Button>
          </>
        )
      }
    >
      <FormError error={test.error} />
      <LastAttempt webhook={webhook} tested={tested} />
      <Form class="panel" onSubmit={() => submit(save)}>
        <TextField
          label="URL"
          value={url}
          onInput={setUrl}
          mono
          placeholder="https://alerts.example.com/hiring"
          hint="HTTPS on port 443 or 8443. The host name must resolve only to public IP addresses."
          fault={fault('url') ?? (error?.code.startsWith('webhook_') ? error.message : undefined)}
        />
        <Kinds legend="Kinds of alerts that are posted" muted={muted} onChange={setMuted} />
        <FormError error={error} marked />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={!changed || url.trim() === ''}>
            {webhook ? 'Save' : 'Add webhook'}
          </Button>
        </div>
      </Form>
      {asking === 'rotate' && (
        <Confirm
          title="Rotate the signing secret"
          action="Rotate"
          onClose={() => setAsking(undefined)}
          onConfirm={async () => {
            const { signing_secret } = await send('/alert-webhook/rotate')
            setAsking(undefined)
            setSecret(signing_secret ?? undefined)
          }}
        >
          <p>Alerts are signed with both secrets for 24 hours, then with the new one alone.</p>
        </Confirm>
      )}
      {asking === 'remove' && (
        <RemoveDialog
          url={saved}
          onClose={() => setAsking(undefined)}
          onRemoved={() => {
            setTested(undefined)
            setMuted(new Set())
            reload()
          }}
        />
      )}
    </Section>
  )
}

interface AttemptProps {
  webhook: AlertWebhookResponse | null
  tested: AlertWebhookTestResponse | undefined
}

/** What became of the test, or of the last alert that was posted. */
const LastAttempt = ({ webhook, tested }: AttemptProps) => (
  <>
    <div role="status">
      {tested && (
        <p>
          <State tone={tested.error === null ? 'good' : 'bad'}>
            {tested.error === null
              ? `The receiver accepted the test (${tested.response_status})`
              : `The test failed: ${tested.error}${tested.response_status === null ? '' : ` (${tested.response_status})`}`}
          </State>
        </p>
      )}
    </div>
    {webhook?.last_attempt_at && !tested && (
      <p class="soft">
        <State tone={webhook.last_error === null ? 'good' : 'bad'}>
          {webhook.last_error === null ? 'accepted' : webhook.last_error}
        </State>{' '}
        Last attempt <Time at={webhook.last_attempt_at} />
      </p>
    )}
  </>
)

interface RemoveProps {
  url: string
  onClose: () => void
  onRemoved: () => void
}

const RemoveDialog = ({ url, onClose, onRemoved }: RemoveProps) => (
  <Confirm
    title="Remove the webhook"
    action="Remove"
    danger
    onClose={onClose}
    onConfirm={async () => {
      await send('/alert-webhook/remove')
      onClose()
      toast('Webhook removed')
      onRemoved()
    }}
  >
    <p>Alerts are no longer posted to {url}.</p>
  </Confirm>
)
