import { useEffect, useState } from 'preact/hooks'
import { APP_INSTALLS, type AppInstalls as Rule } from '../../../src/contract/app-installs.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, SelectField, useSubmit } from '../../ui/form.tsx'
import { Section } from '../../ui/page.tsx'
import { ENTERED, useLeaveGuard } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send } from '../api.ts'
import { useSession } from '../session.ts'

const WORDS: Readonly<Record<Rule, string>> = {
  admins: 'Owners and admins who may manage keys',
  owners: 'Owners who may manage keys',
  off: 'No one',
}

/** Who may install apps of other companies. */
export function AppInstalls({ settings, reload }: { settings: Read<'/settings'>; reload: () => void }) {
  const { user, key_management_refused: refused } = useSession()
  const saved = settings.app_installs
  const [rule, setRule] = useState(saved)
  const { busy, error, fault, submit } = useSubmit()
  useEffect(() => setRule(saved), [saved])
  useLeaveGuard(rule !== saved && ENTERED)
  const title = 'Who can install apps'
  const description =
    'Apps of other companies get a key of their own. Apps that are installed already are not affected.'
  if (user.role !== 'owner' || refused !== null) {
    return (
      <Section title={title} description={description}>
        <p class="soft">{WORDS[saved]}. Only owners who may manage keys can change this.</p>
      </Section>
    )
  }
  const save = () =>
    submit(async () => {
      await send('/settings', { app_installs: rule })
      toast('Setting changed')
      reload()
    })
  return (
    <Section title={title} description={description}>
      <Form class="panel" onSubmit={save}>
        <SelectField
          label="Apps are installed by"
          value={rule}
          onInput={value => setRule(APP_INSTALLS.find(known => known === value) ?? saved)}
          options={APP_INSTALLS.map(name => [name, WORDS[name]])}
          fault={fault('app_installs')}
        />
        <FormError error={error} />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={rule === saved}>
            Save
          </Button>
        </div>
      </Form>
    </Section>
  )
}
