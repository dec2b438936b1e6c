import { useEffect, useState } from 'preact/hooks'
import type { SettingsResponse } from '../../../src/console/api-types.ts'
import { send, useData } from '../api.ts'
import { ENTERED, useLeaveGuard } from '../router.tsx'
import { useSession } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { Confirm, FormError } from '../ui/dialog.tsx'
import { TextField, useSubmit } from '../ui/form.tsx'
import { ErrorNote, Notice, Skeleton } from '../ui/notice.tsx'
import { PageHead, Section } from '../ui/page.tsx'
import { State } from '../ui/tag.tsx'
import { toast } from '../ui/toast.tsx'

type Switch = 'connected_app_writes' | 'webhooks_self_serve'

interface SwitchWords {
  title: string
  on: string
  off: string
  turnOn: string
  turnOff: string
}

const SWITCHES: Readonly<Record<Switch, SwitchWords>> = {
  connected_app_writes: {
    title: 'Connected apps may write',
    on: 'Apps that members signed in to may change data for them, within their role and what they allowed.',
    off: 'Apps read only. A write is answered with 403 write_requires_api_key, whatever the member allowed.',
    turnOn:
      'Every app that a member allowed a write scope can change data from the next request on: push jobs, move and reject applications, send messages. Changes carry the member as the one who acts.',
    turnOff: 'From the next request on, writes of all connected apps are refused. API keys are not concerned.',
  },
  webhooks_self_serve: {
    title: 'Keys register their own webhook endpoints',
    on: 'A key with webhooks:write registers and changes endpoints over the API.',
    off: 'Endpoints are registered in this console alone; over the API the answer is 403 webhooks_self_serve_disabled.',
    turnOn: 'Keys with webhooks:write can choose where events of this workspace are sent.',
    turnOff:
      'Partners can no longer register or change endpoints over the API. Endpoints that exist go on receiving events.',
  },
}

export function SettingsPage() {
  const { key_management_refused: refused } = useSession()
  const { data, error, reload } = useData<SettingsResponse>('/settings')
  const [changing, setChanging] = useState<Switch>()
  return (
    <>
      <PageHead title="Settings" about="For the whole workspace; a change is in force with the next request." />
      {error && !data && <ErrorNote error={error} retry={reload} />}
      {!data && !error && <Skeleton />}
      {data && (
        <div class="narrow">
          <Domains settings={data} reload={reload} />
          {(Object.keys(SWITCHES) as Switch[]).map(name => {
            const words = SWITCHES[name]
            const on = data[name]
            return (
              <Section
                key={name}
                title={words.title}
                actions={
                  <Button
                    disabled={refused !== null && name === 'connected_app_writes' && !on}
                    onClick={() => setChanging(name)}
                  >
                    {on ? 'Switch off' : 'Switch on'}
                  </Button>
                }
                about={<State tone={on ? 'good' : 'plain'}>{on ? 'on' : 'off'}</State>}
              >
                <p class="soft">{on ? words.on : words.off}</p>
              </Section>
            )
          })}
        </div>
      )}
      {data && changing && (
        <Confirm
          title={`${data[changing] ? 'Switch off' : 'Switch on'}: ${SWITCHES[changing].title}`}
          action={data[changing] ? 'Switch off' : 'Switch on'}
          danger={(changing === 'connected_app_writes') !== data[changing]}
          onClose={() => setChanging(undefined)}
          onConfirm={async () => {
            await send('/settings', { [changing]: !data[changing] })
            setChanging(undefined)
            toast('Setting changed')
            reload()
          }}
        >
          <p>{data[changing] ? SWITCHES[changing].turnOff : SWITCHES[changing].turnOn}</p>
        </Confirm>
      )}
    </>
  )
}

function Domains({ settings, reload }: { settings: SettingsResponse; reload: () => void }) {
  const { user, key_management_refused: refused } = useSession()
  const saved = settings.key_management_domains.join('\n')
  const [text, setText] = useState(saved)
  const { busy, error, fault, submit } = useSubmit()
  useEffect(() => setText(saved), [saved])
  useLeaveGuard(text !== saved && ENTERED)
  const wrong = fault('key_management_domains')
  return (
    <Section
      title="Who manages API keys"
      about="Owners and admins, and of these only people with an address at one of the domains. Guests from elsewhere then cannot create, rotate or revoke keys, register connected apps or let them write."
    >
      {refused && (
        <Notice tone="warn">
          <p>{refused}</p>
        </Notice>
      )}
      <form
        class="panel"
        onSubmit={event => {
          event.preventDefault()
          submit(async () => {
            await send('/settings', { key_management_domains: text.split(/[\s,;]+/).filter(Boolean) })
            toast('Domains saved')
            reload()
          })
        }}
      >
        <TextField
          label="Allowed e-mail domains"
          value={text}
          onInput={setText}
          rows={3}
          mono
          placeholder={user.email.slice(user.email.lastIndexOf('@') + 1)}
          hint="One a line, exact: example.com does not include mail.example.com. Empty: every domain. A list must include your own."
          fault={wrong}
        />
        {!wrong && <FormError error={error} />}
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={text === saved || refused !== null}>
            Save domains
          </Button>
        </div>
      </form>
    </Section>
  )
}
