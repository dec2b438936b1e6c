import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { ErrorNote, Notice, Skeleton } from '../../ui/notice.tsx'
import { PageHead, Section } from '../../ui/page.tsx'
import { State } from '../../ui/tag.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send, useData } from '../api.ts'
import { Connected, Log } from './company-members.tsx'
import { Provider } from './company-provider.tsx'
import { Roles } from './company-roles.tsx'

type CompanySignInResponse = Read<'/company-sign-in'>
type CompanySignInSettings = NonNullable<Read<'/company-sign-in'>['settings']>

interface Props {
  data: CompanySignInResponse
  reload: () => void
}

export function CompanySignInPage() {
  const { data, error, reload } = useData('/company-sign-in')
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
    on: 'People who sign out here are sent to the provider, to sign out there as well.',
    off: 'People who sign out here stay signed in at the provider.',
    ask: 'Register the post-logout redirect URI below at your provider first; otherwise it shows people an error after they signed out.',
  },
}

const GOOGLE = 'https://accounts.google.com'

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
            oneRow
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
            await send('/company-sign-in', { [changing]: !settings[changing], ...off })
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
          {changing === 'enforced' && !settings.enforced && settings.issuer === GOOGLE && (
            <p>
              Google does not say when people proved who they are. Members without a second factor of their own cannot
              set one up afterwards, so have them do it first, in Your account.
            </p>
          )}
        </Confirm>
      )}
    </>
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
            await send('/company-sign-in/remove')
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
