import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, FormError } from '../../ui/dialog.tsx'
import { TextField, useSubmit } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type Read, send } from '../api.ts'
import { type AppScopes, AppScopesPicker, scopesToSend } from './app-scopes.tsx'

const lines = (text: string): string[] => text.split(/\s+/).filter(Boolean)

interface EditProps {
  app: Read<'/published-apps/{id}'>
  onClose: () => void
  onDone: () => void
}

/** Changes what the app asks for and where it leads; begins with what waits for approval, where something does. */
export function EditPublishedApp({ app, onClose, onDone }: EditProps) {
  const known = app.proposed ?? app
  const [name, setName] = useState(known.name)
  const [domains, setDomains] = useState(known.domains.join('\n'))
  const [redirects, setRedirects] = useState(known.redirect_uris.join('\n'))
  const [addresses, setAddresses] = useState(app.ip_allowlist.join('\n'))
  const [scopes, setScopes] = useState<AppScopes>({
    asked: new Set([...known.scopes, ...known.optional_scopes]),
    optional: new Set(known.optional_scopes),
  })
  const { busy, error, fault, submit } = useSubmit()
  const wanted = scopesToSend(scopes)
  const save = () =>
    submit(async () => {
      const lists = { redirect_uris: lines(redirects), domains: lines(domains), ip_allowlist: lines(addresses) }
      await send('/published-apps/{id}/change', { id: app.id }, { name, ...lists, ...wanted })
      onDone()
    })
  return (
    <Dialog title="Change the app" onClose={onClose} wide>
      {app.review_status === 'approved' && (
        <Notice tone="warn">
          <p>
            A new name, scopes, domains and redirect URIs wait for the operator. Scopes that you remove end immediately
            in every installation, and IP addresses hold with the next request.
          </p>
        </Notice>
      )}
      <TextField label="Name" value={name} onInput={setName} maxLength={100} required fault={fault('name')} />
      <TextField
        label="Domains"
        value={domains}
        onInput={setDomains}
        rows={2}
        required
        mono
        hint="One per line."
        fault={fault('domains')}
      />
      <TextField
        label="Redirect URIs"
        value={redirects}
        onInput={setRedirects}
        rows={2}
        required
        mono
        hint="One per line. They must match exactly."
        fault={fault('redirect_uris')}
      />
      <TextField
        label="IP addresses"
        value={addresses}
        onInput={setAddresses}
        rows={2}
        mono
        placeholder="203.0.113.0/24"
        hint="One address or range per line. The client secret and the keys work from these alone; from everywhere if empty."
        fault={fault('ip_allowlist')}
      />
      <AppScopesPicker value={scopes} onChange={setScopes} />
      <FormError error={error} marked />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" busy={busy} disabled={wanted.scopes.length === 0} onClick={save}>
          Save
        </Button>
      </DialogActions>
    </Dialog>
  )
}
