import { useState } from 'preact/hooks'
import { isAppScope, isScope, SCOPES } from '../../../src/contract/scopes.ts'
import { Button } from '../../ui/button.tsx'
import { CodeLine, IssuedSecret } from '../../ui/copy.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, SelectField, TextField, useSubmit } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { ENTERED, navigate, useLeaveGuard } from '../../ui/router.tsx'
import { ScopePicker } from '../../ui/scope.tsx'
import { type Row, type Sent, send } from '../api.ts'
import { SCOPE_GROUPS } from '../scopes.ts'
import { KIND_WORDS } from './apps.tsx'

type AppResponse = Row<'/apps'>
type IssuedAppResponse = Sent<'/apps'>

const GROUPS = [
  {
    title: 'Sign-in',
    description: 'Information about the person. Their id, workspace and role are always included.',
    choices: [
      { name: 'profile', description: 'The name and picture of the person.' },
      { name: 'email', description: 'The email address of the person.' },
      {
        name: 'offline_access',
        description: 'Access when the person is not using the app, until they revoke it.',
      },
    ],
  },
  ...SCOPE_GROUPS.map(({ scopes, ...group }) => ({
    ...group,
    choices: scopes.filter(isAppScope).map(scope => ({ name: scope, description: SCOPES[scope].description })),
  })),
]

export function NewAppPage() {
  const [issued, setIssued] = useState<IssuedAppResponse>()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<AppResponse['kind']>('web')
  const [redirects, setRedirects] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(['profile', 'email']))
  const { busy, error, fault, submit } = useSubmit()
  useLeaveGuard(!issued && (name !== '' || redirects !== '') && ENTERED)
  const toggle = (scope: string, on: boolean) =>
    setChosen(before => new Set(on ? [...before, scope] : [...before].filter(s => s !== scope)))
  const register = () =>
    submit(async () => {
      const redirect_uris = redirects.split(/\s+/).filter(Boolean)
      setIssued(await send('/apps', { name, kind, redirect_uris, scopes: [...chosen] }))
      scrollTo(0, 0)
    })

  if (issued) {
    const open = () => navigate(`/apps/${issued.app.id}`, { replace: true })
    return <IssuedApp issued={issued} done="registered" onDone={open} />
  }
  const writes = [...chosen].filter(scope => isScope(scope) && SCOPES[scope].access === 'write')
  return (
    <>
      <PageHead
        title="Register an app"
        description="The app can request these scopes, or fewer. Choose only what it needs."
        back={{ to: '/apps', title: 'Connected apps' }}
      />
      <Form class="split" onSubmit={register}>
        <div>
          <div class="panel">
            <TextField
              label="Name"
              value={name}
              onInput={setName}
              maxLength={100}
              required
              hint="People see it when the app asks for access."
              fault={fault('name')}
            />
            <SelectField
              label="Kind"
              value={kind}
              onInput={value => setKind(value as AppResponse['kind'])}
              options={Object.entries(KIND_WORDS).map(([value, [text]]) => [value, text] as const)}
              hint={KIND_WORDS[kind][1]}
            />
            <TextField
              label="Redirect URIs"
              value={redirects}
              onInput={setRedirects}
              rows={2}
              required
              mono
              placeholder="https://app.example.com/callback"
              hint="One per line. They must match exactly."
              fault={fault('redirect_uris')}
            />
          </div>
          <div class="scopes-head">
            <h2>Scopes</h2>
          </div>
          <ScopePicker groups={GROUPS} chosen={chosen} onChange={toggle} />
        </div>
        <aside class="panel summary" aria-label="Summary">
          <h2>{name.trim() || 'New app'}</h2>
          <p>
            {KIND_WORDS[kind][0]}, <b>{chosen.size + 1}</b> scopes
          </p>
          {writes.length > 0 && (
            <Notice tone="warn">
              <p>{writes.length} can change data. This needs the setting “Connected apps can write”.</p>
            </Notice>
          )}
          <FormError error={error} />
          <div class="stack">
            <Button kind="primary" type="submit" busy={busy}>
              Register app
            </Button>
            <Button onClick={() => navigate('/apps', { replace: true })}>Cancel</Button>
          </div>
        </aside>
      </Form>
    </>
  )
}

interface IssuedProps {
  issued: IssuedAppResponse
  done: 'registered' | 'rotated'
  onDone: () => void
}

/** The credentials of a new app, or its new secret, this once. */
export function IssuedApp({ issued, done, onDone }: IssuedProps) {
  const { app, client_secret: secret } = issued
  const discovery = `${location.origin}/.well-known/openid-configuration`
  return (
    <>
      <PageHead title={done === 'registered' ? 'App registered' : 'Secret rotated'} description={app.name} />
      <p class="label">Client id</p>
      <CodeLine value={app.id} name="client id" />
      {done === 'registered' && (
        <>
          <p class="label">Discovery</p>
          <CodeLine value={discovery} name="discovery URL" />
        </>
      )}
      {secret === null ? (
        <>
          <p class="soft">This kind of app has no secret. It uses PKCE instead.</p>
          <div class="actions">
            <Button kind="primary" onClick={onDone}>
              Done
            </Button>
          </div>
        </>
      ) : (
        <>
          <p class="label">Client secret</p>
          <IssuedSecret value={secret} name="client secret" onDone={onDone} />
        </>
      )}
    </>
  )
}
