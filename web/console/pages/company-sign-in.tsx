import { useState } from 'preact/hooks'
import type {
  ClaimRoleName,
  CompanySignInLogEntry,
  CompanySignInResponse,
  CompanySignInSettings,
} from '../../../src/console/api-types/company.ts'
import { send, useData } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { CodeLine } from '../../ui/copy.tsx'
import { Confirm, FormError } from '../../ui/dialog.tsx'
import { SelectField, TextField, useSubmit } from '../../ui/form.tsx'
import { Empty, ErrorNote, Notice, Skeleton } from '../../ui/notice.tsx'
import { PageHead, Section } from '../../ui/page.tsx'
import { ENTERED, useLeaveGuard } from '../../ui/router.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { State, Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'

const PATH = '/company-sign-in'

interface Props {
  data: CompanySignInResponse
  reload: () => void
}

export function CompanySignInPage() {
  const { data, error, reload } = useData<CompanySignInResponse>(PATH)
  return (
    <>
      <PageHead
        title="Company sign-in"
        description={
          <>
            Members sign in with their account at your company’s OpenID provider, such as Google Workspace, Entra ID,
            Okta or Keycloak. <a href="/docs/guides/company-sign-in">Guide</a>
          </>
        }
        actions={
          data?.settings && (
            <a class="button secondary" href={data.test_url}>
              Test with your account
            </a>
          )
        }
      />
      {error && !data && <ErrorNote error={error} retry={reload} />}
      {!data && !error && <Skeleton />}
      {data && (
        <>
          <div class="narrow">
            {data.settings && <Switches data={data} settings={data.settings} reload={reload} />}
            <Provider key={`${data.settings?.issuer} ${data.settings?.client_id}`} data={data} reload={reload} />
            {data.settings && <Roles key={JSON.stringify(data.settings)} settings={data.settings} reload={reload} />}
          </div>
          {data.settings && <Connected data={data} reload={reload} />}
          {data.log.length > 0 && <Log log={data.log} />}
          {data.settings && <Remove reload={reload} />}
        </>
      )}
    </>
  )
}

type Switch = 'enabled' | 'enforced' | 'creates_members' | 'trusts_email' | 'ends_provider_session'

const SWITCHES: Readonly<Record<Switch, { title: string; on: string; off: string; ask: string; danger?: true }>> = {
  enabled: {
    title: 'Sign-in through the company',
    on: 'People with an email address in your domains are sent to your provider.',
    off: 'No one can sign in this way. Test the settings, then turn it on.',
    ask: 'Members with an email address in your domains can sign in at your provider immediately.',
  },
  enforced: {
    title: 'Required for your domains',
    on: 'Members in your domains can sign in this way only. Owners can still use a password or an emailed link, in case the provider fails.',
    off: 'Passwords and emailed links work, too.',
    ask: 'Members in your domains, except owners, can no longer use passwords and emailed links, and are signed out now. API keys are not affected.',
    danger: true,
  },
  creates_members: {
    title: 'New people become members',
    on: 'People in your domains who are not members yet become members at their first sign-in, with the role below.',
    off: 'Only people who were added in People can sign in.',
    ask: 'Everyone in your domains whom your provider lets in, and to whom the rules below give a role, becomes a member.',
    danger: true,
  },
  trusts_email: {
    title: 'Addresses without verification are accepted',
    on: 'Email addresses are accepted although the provider does not say that it verified them.',
    off: 'An email address is accepted only with email_verified. Entra ID does not send it.',
    ask: 'Turn this on only if your administrators alone set the email addresses at the provider. Otherwise people could claim the address of someone else.',
    danger: true,
  },
  ends_provider_session: {
    title: 'Sign-out at the provider, too',
    on: 'Who signs out here is sent to the provider, to sign out there as well.',
    off: 'Who signs out here stays signed in at the provider.',
    ask: 'Register the post-logout redirect URI below at your provider first; otherwise it shows people an error after they signed out.',
  },
}

function Switches({ settings, reload }: Props & { settings: CompanySignInSettings }) {
  const [changing, setChanging] = useState<Switch>()
  return (
    <>
      {(Object.keys(SWITCHES) as Switch[]).map(name => {
        const words = SWITCHES[name]
        const on = settings[name]
        const action = `${on ? 'Turn off' : 'Turn on'}`
        return (
          <Section
            key={name}
            title={words.title}
            description={<State tone={on ? 'good' : 'plain'}>{on ? 'on' : 'off'}</State>}
            actions={
              <Button label={`${action}: ${words.title}`} onClick={() => setChanging(name)}>
                {action}
              </Button>
            }
          >
            <p class="soft">{on ? words.on : words.off}</p>
          </Section>
        )
      })}
      {changing && (
        <Confirm
          title={`${settings[changing] ? 'Turn off' : 'Turn on'}: ${SWITCHES[changing].title}`}
          action={settings[changing] ? 'Turn off' : 'Turn on'}
          danger={!settings[changing] && SWITCHES[changing].danger === true}
          onClose={() => setChanging(undefined)}
          onConfirm={async () => {
            const off = changing === 'enabled' && settings.enabled ? { enforced: false } : {}
            await send(PATH, { [changing]: !settings[changing], ...off })
            setChanging(undefined)
            toast('Setting changed')
            reload()
          }}
        >
          <p>
            {settings[changing]
              ? changing === 'enabled'
                ? 'Members sign in with passwords and emailed links again. It is then also not required any more.'
                : SWITCHES[changing].off
              : SWITCHES[changing].ask}
          </p>
        </Confirm>
      )}
    </>
  )
}

/** Issuer, client and domains. The secret is written and never shown. */
function Provider({ data, reload }: Props) {
  const { settings } = data
  const saved = {
    issuer: settings?.issuer ?? '',
    client_id: settings?.client_id ?? '',
    client_secret: '',
    domains: (settings?.domains ?? [data.own_domain].filter(domain => domain !== null)).join('\n'),
  }
  const [form, setForm] = useState(saved)
  const { busy, error, fault, submit } = useSubmit()
  const set = (name: keyof typeof saved) => (value: string) => setForm({ ...form, [name]: value })
  const changed = (Object.keys(saved) as (keyof typeof saved)[]).some(name => form[name].trim() !== saved[name])
  useLeaveGuard(changed && ENTERED)
  return (
    <Section
      title="Provider"
      description="Register an app (a confidential web client) at your provider, with this redirect URI."
    >
      <form
        class="panel"
        onSubmit={event => {
          event.preventDefault()
          submit(async () => {
            await send(PATH, {
              issuer: form.issuer,
              client_id: form.client_id,
              ...(form.client_secret === '' ? {} : { client_secret: form.client_secret }),
              domains: form.domains.split(/[\s,;]+/).filter(Boolean),
            })
            setForm({ ...form, client_secret: '' })
            toast('Provider saved')
            reload()
          })
        }}
      >
        <p class="label">Redirect URI</p>
        <CodeLine value={data.redirect_uri} name="redirect URI" />
        <p class="label">Link for your company’s portal</p>
        <CodeLine value={data.sign_in_url} name="sign-in link" />
        <p class="label">Post-logout redirect URI, for sign-out at the provider</p>
        <CodeLine value={data.signed_out_url} name="post-logout redirect URI" />
        <p class="label">Back-channel logout URI: who signs out at the provider is signed out here</p>
        <CodeLine value={data.logout_url} name="back-channel logout URI" />
        <TextField
          label="Issuer"
          value={form.issuer}
          onInput={set('issuer')}
          mono
          required
          placeholder="https://login.example.com"
          hint="The URL before /.well-known/openid-configuration, exactly as the provider writes it."
          fault={fault('issuer')}
        />
        <TextField
          label="Client ID"
          value={form.client_id}
          onInput={set('client_id')}
          mono
          required
          fault={fault('client_id')}
        />
        <TextField
          label="Client secret"
          value={form.client_secret}
          onInput={set('client_secret')}
          type="password"
          autoComplete="off"
          required={settings === null}
          hint={
            settings
              ? 'Stored encrypted and not shown. Leave empty to keep it.'
              : 'Stored encrypted and not shown again.'
          }
          fault={fault('client_secret')}
        />
        <TextField
          label="Email domains"
          value={form.domains}
          onInput={set('domains')}
          rows={3}
          mono
          hint="One domain per line; example.com does not include mail.example.com. Each needs the DNS record below before you save; the operator of the service can add domains without it."
          fault={fault('domains')}
        />
        <p class="label">DNS record (TXT) of each domain</p>
        <CodeLine value={data.domain_record} name="DNS record" />
        <FormError error={error} marked />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={!changed && settings !== null}>
            Save provider
          </Button>
        </div>
      </form>
    </Section>
  )
}

const ROLES: readonly (readonly [ClaimRoleName, string])[] = [
  ['admin', 'admin'],
  ['member', 'member'],
  ['viewer', 'viewer'],
]

function Roles({ settings, reload }: { settings: CompanySignInSettings; reload: () => void }) {
  const [claim, setClaim] = useState(settings.role_claim ?? '')
  const [rules, setRules] = useState(settings.role_rules)
  const [otherwise, setOtherwise] = useState<string>(settings.default_role ?? '')
  const { busy, error, fault, submit } = useSubmit()
  const changed =
    claim.trim() !== (settings.role_claim ?? '') ||
    otherwise !== (settings.default_role ?? '') ||
    JSON.stringify(rules) !== JSON.stringify(settings.role_rules)
  useLeaveGuard(changed && ENTERED)
  const replace = (at: number, rule: Partial<(typeof rules)[number]>) =>
    setRules(rules.map((one, i) => (i === at ? { ...one, ...rule } : one)))
  return (
    <Section
      title="Roles"
      description="Without a claim, roles are managed in People. With one, each sign-in sets the role; owners keep theirs, and no claim makes an owner."
    >
      <form
        class="panel"
        onSubmit={event => {
          event.preventDefault()
          submit(async () => {
            await send(PATH, {
              role_claim: claim.trim() || null,
              role_rules: claim.trim() === '' ? [] : rules,
              default_role: otherwise || null,
            })
            toast('Roles saved')
            reload()
          })
        }}
      >
        <TextField
          label="Claim"
          value={claim}
          onInput={setClaim}
          mono
          placeholder="groups"
          hint="Its value is a text or a list of texts; realm_access.roles names a claim inside another."
          fault={fault('role_claim')}
        />
        {claim.trim() !== '' && (
          <fieldset class="claim-rules">
            <legend class="label">Values and their roles; the highest role wins</legend>
            {rules.map((rule, i) => (
              <div class="claim-rule" key={i}>
                <TextField label={`Value ${i + 1}`} value={rule.value} onInput={value => replace(i, { value })} mono />
                <SelectField
                  label={`Role ${i + 1}`}
                  value={rule.role}
                  options={ROLES}
                  onInput={role => replace(i, { role: role as ClaimRoleName })}
                />
                <Button
                  small
                  kind="danger"
                  label={`Remove value ${i + 1}`}
                  onClick={() => setRules(rules.filter((_, other) => other !== i))}
                >
                  Remove
                </Button>
              </div>
            ))}
            {fault('role_rules') && <p class="fault">{fault('role_rules')}</p>}
            <Button small onClick={() => setRules([...rules, { value: '', role: 'member' }])}>
              Add a value
            </Button>
          </fieldset>
        )}
        <SelectField
          label={claim.trim() === '' ? 'Role of new members' : 'Role if no value matches'}
          value={otherwise}
          options={[['', claim.trim() === '' ? 'none: no one is created' : 'none: no access'], ...ROLES]}
          onInput={setOtherwise}
          hint={
            claim.trim() === ''
              ? undefined
              : 'Who has no role is signed out, and their keys have no scopes, until a sign-in gives them one again.'
          }
          fault={fault('default_role')}
        />
        <FormError error={error} marked />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={!changed}>
            Save roles
          </Button>
        </div>
      </form>
    </Section>
  )
}

type ConnectedMember = CompanySignInResponse['connected'][number]

function Connected({ data, reload }: Props) {
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
            await send(`${PATH}/members/${ending.id}/disconnect`)
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

function Log({ log }: { log: CompanySignInLogEntry[] }) {
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

function Remove({ reload }: { reload: () => void }) {
  const [asking, setAsking] = useState(false)
  return (
    <Section
      title="Remove"
      description="Deletes the provider, its secret and the connections of members."
      actions={
        <Button kind="danger" onClick={() => setAsking(true)}>
          Remove company sign-in
        </Button>
      }
    >
      {asking ? (
        <Confirm
          title="Remove company sign-in?"
          action="Remove"
          danger
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await send(`${PATH}/remove`)
            setAsking(false)
            toast('Company sign-in removed')
            reload()
          }}
        >
          <Notice tone="warn">
            <p>Members sign in with passwords and emailed links again, also those whom the provider gave no role.</p>
          </Notice>
        </Confirm>
      ) : null}
    </Section>
  )
}
