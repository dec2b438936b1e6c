import { useEffect, useState } from 'preact/hooks'
import { SECOND_FACTOR_POLICIES, type SecondFactorPolicy } from '../../../src/contract/second-factor.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, FormError } from '../../ui/dialog.tsx'
import { Form, SelectField, TextField, useSubmit } from '../../ui/form.tsx'
import { ErrorNote, Notice, Skeleton } from '../../ui/notice.tsx'
import { PageHead, Section } from '../../ui/page.tsx'
import { ENTERED, useLeaveGuard } from '../../ui/router.tsx'
import { State } from '../../ui/tag.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send, useData } from '../api.ts'
import { useSession } from '../session.ts'
import { AppInstalls } from './app-installs.tsx'
import { DeleteWorkspace } from './delete-workspace.tsx'
import { Limits } from './limits.tsx'
import { TestWorkspaces } from './test-workspaces.tsx'

type SettingsResponse = Read<'/settings'>

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
    title: 'Connected apps can write',
    on: 'Connected apps can change data on behalf of members, within their role and what they allowed.',
    off: 'Connected apps can only read. A write returns 403 write_requires_api_key, whatever the member allowed.',
    turnOn:
      'Every app with a write scope can change data immediately: push jobs, move and reject applications, send messages. Changes are attributed to the member.',
    turnOff: 'Writes by connected apps stop working immediately. API keys are not affected.',
  },
  webhooks_self_serve: {
    title: 'Keys register their own webhook endpoints',
    on: 'A key with webhooks:write can register and change endpoints through the API.',
    off: 'Endpoints can only be registered, changed and enabled in this console. The API returns 403 webhooks_self_serve_disabled.',
    turnOn: 'Keys with webhooks:write can choose where events of this workspace are sent.',
    turnOff:
      'Partners can no longer register or change endpoints through the API. Existing endpoints still receive events.',
  },
}

export function SettingsPage() {
  const { user, workspace, key_management_refused: refused } = useSession()
  const { data, error, reload } = useData('/settings')
  const [changing, setChanging] = useState<Switch>()
  return (
    <>
      <PageHead title="Settings" description="Settings of the whole workspace. Changes take effect immediately." />
      {error && !data && <ErrorNote error={error} retry={reload} />}
      {!data && !error && <Skeleton />}
      {data && (
        <div class="narrow">
          <Domains settings={data} reload={reload} />
          <SecondFactor settings={data} reload={reload} />
          <AppInstalls settings={data} reload={reload} />
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
                    {on ? 'Turn off' : 'Turn on'}
                  </Button>
                }
                description={<State tone={on ? 'good' : 'plain'}>{on ? 'on' : 'off'}</State>}
              >
                <p class="soft">{on ? words.on : words.off}</p>
              </Section>
            )
          })}
          <Limits />
          {workspace.environment === 'live' && <TestWorkspaces />}
          {user.role === 'owner' && <DeleteWorkspace />}
        </div>
      )}
      {data && changing && (
        <Confirm
          title={`${data[changing] ? 'Turn off' : 'Turn on'}: ${SWITCHES[changing].title}`}
          action={data[changing] ? 'Turn off' : 'Turn on'}
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

const POLICY_WORDS: Readonly<Record<SecondFactorPolicy, string>> = {
  optional: 'Optional: each person decides',
  required_for_admins: 'Required for owners and admins',
  required: 'Required for everyone',
}

function SecondFactor({ settings, reload }: { settings: SettingsResponse; reload: () => void }) {
  const { user } = useSession()
  const saved = settings.second_factor
  const [policy, setPolicy] = useState(saved)
  const { busy, error, fault, submit } = useSubmit()
  useEffect(() => setPolicy(saved), [saved])
  useLeaveGuard(policy !== saved && ENTERED)
  const wrong = fault('second_factor')
  const description =
    'Whether people need an authenticator app or a passkey besides their password or emailed link. API keys are not affected.'
  if (user.role !== 'owner') {
    return (
      <Section title="Second factor" description={description}>
        <p class="soft">{POLICY_WORDS[saved]}. Only owners can change this.</p>
      </Section>
    )
  }
  return (
    <Section title="Second factor" description={description}>
      <Form
        class="panel"
        onSubmit={() =>
          submit(async () => {
            await send('/settings', { second_factor: policy })
            toast('Setting changed')
            reload()
          })
        }
      >
        <SelectField
          label="Who needs one"
          value={policy}
          onInput={setPolicy}
          options={SECOND_FACTOR_POLICIES.map(name => [name, POLICY_WORDS[name]] as const)}
          hint="People without one are asked to set it up with their next click, and can do nothing else before that. The page People shows who has one."
          fault={wrong}
        />
        {wrong && (
          <p>
            <a href="/account/second-factor">Set up your second factor</a>
          </p>
        )}
        {!wrong && <FormError error={error} />}
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={policy === saved}>
            Save
          </Button>
        </div>
      </Form>
    </Section>
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
      title="Who can manage API keys"
      description="Owners and admins. If you list domains, only those with an email address in one of the domains: others cannot create, rotate or revoke keys, register connected apps or let apps write."
    >
      {refused && (
        <Notice tone="warn">
          <p>{refused}</p>
        </Notice>
      )}
      <Form
        class="panel"
        onSubmit={() =>
          submit(async () => {
            await send('/settings', { key_management_domains: text.split(/[\s,;]+/).filter(Boolean) })
            toast('Domains saved')
            reload()
          })
        }
      >
        <TextField
          label="Allowed email domains"
          value={text}
          onInput={setText}
          rows={3}
          mono
          placeholder={user.email.slice(user.email.lastIndexOf('@') + 1)}
          hint="One domain per line; example.com does not include mail.example.com. Leave empty to allow any. The list must include your own domain."
          fault={wrong}
        />
        {!wrong && <FormError error={error} />}
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={text === saved || refused !== null}>
            Save domains
          </Button>
        </div>
      </Form>
    </Section>
  )
}
