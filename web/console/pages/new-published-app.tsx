import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { CodeLine, IssuedSecret } from '../../ui/copy.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, TextField, useSubmit } from '../../ui/form.tsx'
import { PageHead } from '../../ui/page.tsx'
import { ENTERED, navigate, useLeaveGuard } from '../../ui/router.tsx'
import { type Sent, send } from '../api.ts'
import { type AppScopes, AppScopesPicker, scopesToSend } from './app-scopes.tsx'

const lines = (text: string): string[] => text.split(/\s+/).filter(Boolean)

export function NewPublishedAppPage() {
  const [issued, setIssued] = useState<Sent<'/published-apps'>>()
  const [name, setName] = useState('')
  const [domains, setDomains] = useState('')
  const [redirects, setRedirects] = useState('')
  const [scopes, setScopes] = useState<AppScopes>({ asked: new Set(), optional: new Set() })
  const { busy, error, fault, submit } = useSubmit()
  useLeaveGuard(!issued && (name !== '' || redirects !== '' || domains !== '') && ENTERED)
  const wanted = scopesToSend(scopes)
  const register = () =>
    submit(async () => {
      const body = { name, redirect_uris: lines(redirects), domains: lines(domains), ...wanted }
      setIssued(await send('/published-apps', body))
      scrollTo(0, 0)
    })

  if (issued) {
    const open = () => navigate(`/published-apps/${issued.app.id}`, { replace: true })
    return (
      <>
        <PageHead title="App registered" description={issued.app.name} />
        <p class="label">Client id</p>
        <CodeLine value={issued.app.id} name="client id" />
        <p class="label">Client secret</p>
        <IssuedSecret value={issued.client_secret} name="client secret" onDone={open} />
      </>
    )
  }
  return (
    <>
      <PageHead
        title="Register an app to publish"
        description="A draft can be installed in this workspace and in test workspaces. The operator of the service approves it for all others."
        back={{ to: '/published-apps', title: 'Published apps' }}
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
              hint="People see it when they install the app. The publisher is this workspace."
              fault={fault('name')}
            />
            <TextField
              label="Domains"
              value={domains}
              onInput={setDomains}
              rows={2}
              required
              mono
              placeholder="example.com"
              hint="One per line. Redirect URIs and webhook URLs must be below them; the operator checks that they are yours."
              fault={fault('domains')}
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
          <AppScopesPicker value={scopes} onChange={setScopes} />
        </div>
        <aside class="panel summary" aria-label="Summary">
          <h2>{name.trim() || 'New app'}</h2>
          <p>
            <b>{scopes.asked.size}</b> {scopes.asked.size === 1 ? 'scope' : 'scopes'}
          </p>
          <FormError error={error} />
          <div class="stack">
            <Button kind="primary" type="submit" busy={busy} disabled={wanted.scopes.length === 0}>
              Register app
            </Button>
            <Button onClick={() => navigate('/published-apps', { replace: true })}>Cancel</Button>
          </div>
        </aside>
      </Form>
    </>
  )
}
