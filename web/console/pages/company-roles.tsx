import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, SelectField, TextField, useSubmit } from '../../ui/form.tsx'
import { Section } from '../../ui/page.tsx'
import { ENTERED, useLeaveGuard } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send } from '../api.ts'

type ClaimRoleName = NonNullable<NonNullable<Read<'/company-sign-in'>['settings']>['default_role']>
type CompanySignInSettings = NonNullable<Read<'/company-sign-in'>['settings']>

const ROLES: readonly (readonly [ClaimRoleName, string])[] = [
  ['admin', 'admin'],
  ['member', 'member'],
  ['viewer', 'viewer'],
]

export function Roles({ settings, reload }: { settings: CompanySignInSettings; reload: () => void }) {
  const [claim, setClaim] = useState(settings.role_claim ?? '')
  const [rules, setRules] = useState(settings.role_rules)
  const [otherwise, setOtherwise] = useState<ClaimRoleName | ''>(settings.default_role ?? '')
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
      <Form
        class="panel"
        onSubmit={() =>
          submit(async () => {
            await send('/company-sign-in', {
              role_claim: claim.trim() || null,
              role_rules: claim.trim() === '' ? [] : rules,
              default_role: otherwise || null,
            })
            toast('Roles saved')
            reload()
          })
        }
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
      </Form>
    </Section>
  )
}
