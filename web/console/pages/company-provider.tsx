import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { CodeLine } from '../../ui/copy.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, TextField, useSubmit } from '../../ui/form.tsx'
import { Section } from '../../ui/page.tsx'
import { ENTERED, useLeaveGuard } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send } from '../api.ts'

type CompanySignInResponse = Read<'/company-sign-in'>

/** Issuer, client and domains. The secret is written and never shown. */
export function Provider({ data, reload }: { data: CompanySignInResponse; reload: () => void }) {
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
      <Form
        class="panel"
        onSubmit={() =>
          submit(async () => {
            await send('/company-sign-in', {
              issuer: form.issuer,
              client_id: form.client_id,
              ...(form.client_secret === '' ? {} : { client_secret: form.client_secret }),
              domains: form.domains.split(/[\s,;]+/).filter(Boolean),
            })
            setForm({ ...form, client_secret: '' })
            toast('Provider saved')
            reload()
          })
        }
      >
        <p class="label">Redirect URI</p>
        <CodeLine value={data.redirect_uri} name="redirect URI" />
        <p class="label">Link for your company’s portal</p>
        <CodeLine value={data.sign_in_url} name="sign-in link" />
        <p class="label">Post-logout redirect URI, for sign-out at the provider</p>
        <CodeLine value={data.signed_out_url} name="post-logout redirect URI" />
        <p class="label">Back-channel logout URI, so that people who sign out at the provider are signed out here</p>
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
      </Form>
    </Section>
  )
}
