import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ALL_SCOPES, SCOPES, type Scope } from '../../../src/contract/scopes.ts'
import { Button } from '../../ui/button.tsx'
import { CodeLine, IssuedSecret } from '../../ui/copy.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, SelectField, TextField, useSubmit } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { ENTERED, navigate, useLeaveGuard } from '../../ui/router.tsx'
import { ScopePicker } from '../../ui/scope.tsx'
import { type Sent, send } from '../api.ts'
import { SCOPE_GROUPS } from '../scopes.ts'
import { useSession } from '../session.ts'

type IssuedKeyResponse = Sent<'/keys'>

const EXPIRIES = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['180', 'In 180 days'],
  ['365', 'In a year'],
] as const

export function NewKeyPage() {
  const { workspace, key_management_refused: refused } = useSession()
  const [issued, setIssued] = useState<IssuedKeyResponse>()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set())
  const [ranges, setRanges] = useState('')
  const [expiry, setExpiry] = useState('')
  const { busy, error, fault, submit } = useSubmit()
  useLeaveGuard(!issued && (name !== '' || chosen.size > 0) && ENTERED)
  const isTest = workspace.environment === 'test'
  const grantable = ALL_SCOPES.filter(
    scope => (workspace.plan !== null || !SCOPES[scope].paid) && (isTest || !SCOPES[scope].testOnly),
  )
  const choose = (chosenScope: Scope, on: boolean) =>
    setChosen(before => new Set(ALL_SCOPES.filter(scope => (scope === chosenScope ? on : before.has(scope)))))

  const create = () =>
    submit(async () => {
      setIssued(
        await send('/keys', {
          name,
          scopes: [...chosen],
          ip_allowlist: ranges.split(/[\s,]+/).filter(Boolean),
          expires_in_days: expiry === '' ? null : Number(expiry),
        }),
      )
      scrollTo(0, 0)
    })

  if (issued) {
    const open = () => navigate(`/keys/${issued.key.id}`, { replace: true })
    return <IssuedKey issued={issued} done="created" onDone={open} />
  }
  return (
    <>
      <PageHead
        title="Create a key"
        description="Choose only the scopes that the integration needs. You cannot add scopes later."
        back={{ to: '/keys', title: 'API keys' }}
      />
      {refused && (
        <Notice tone="warn">
          <p>{refused}</p>
        </Notice>
      )}
      <Form class="split" onSubmit={create}>
        <div>
          <div class="panel">
            <TextField
              label="Name"
              value={name}
              onInput={setName}
              maxLength={100}
              required
              placeholder="Payroll sync"
              hint="The system that uses the key. Shown in the audit log."
              fault={fault('name')}
            />
            <SelectField label="Expires" value={expiry} onInput={setExpiry} options={EXPIRIES} />
            <TextField
              label="Allowed IP addresses"
              value={ranges}
              onInput={setRanges}
              rows={2}
              mono
              placeholder="203.0.113.7 or 203.0.113.0/24"
              hint="One IP address or CIDR range per line. Leave empty to allow any."
              fault={fault('ip_allowlist')}
            />
          </div>
          <div class="scopes-head">
            <h2 id="scopes">Scopes</h2>
            <ScopeShortcuts grantable={grantable} onChoose={scopes => setChosen(new Set(scopes))} />
          </div>
          {fault('scopes') && <p class="fault">{fault('scopes')}</p>}
          <ScopePicker groups={scopeGroups(grantable)} chosen={chosen} onChange={choose} />
        </div>
        <Summary name={name} chosen={chosen}>
          <FormError error={error} marked />
          <div class="stack">
            <Button kind="primary" type="submit" busy={busy} disabled={chosen.size === 0 || refused !== null}>
              Create key
            </Button>
            <Button onClick={() => navigate('/keys', { replace: true })}>Cancel</Button>
          </div>
        </Summary>
      </Form>
    </>
  )
}

const scopeGroups = (grantable: readonly Scope[]) =>
  SCOPE_GROUPS.map(({ scopes, ...group }) => ({
    ...group,
    choices: scopes.map(scope => ({
      name: scope,
      description: SCOPES[scope].description,
      off:
        !grantable.includes(scope) &&
        (SCOPES[scope].testOnly
          ? 'Keys of test workspaces alone can have this scope.'
          : 'This scope needs a plan, and this workspace has none.'),
    })),
  }))

interface SummaryProps {
  name: string
  chosen: ReadonlySet<Scope>
  /** what creates the key */
  children: ComponentChildren
}

/** What the key will be able to do. */
function Summary({ name, chosen, children }: SummaryProps) {
  const personal = [...chosen].filter(scope => SCOPES[scope].personal)
  const metered = personal.filter(scope => SCOPES[scope].metered)
  return (
    <aside class="panel summary" aria-label="Summary">
      <h2>{name.trim() || 'New key'}</h2>
      <p>
        <b>{chosen.size}</b> of {ALL_SCOPES.length} scopes
      </p>
      {personal.length > 0 ? (
        <Notice tone="warn">
          <p>
            {personal.length === 1 ? '1 scope grants' : `${personal.length} scopes grant`} access to personal data.
            {metered.length > 0 && ' Reads are charged to the daily budget and recorded in the audit log.'}
          </p>
        </Notice>
      ) : (
        <p class="soft">No access to personal data.</p>
      )}
      {children}
      {chosen.size === 0 && <p class="faint small">Choose at least one scope.</p>}
    </aside>
  )
}

interface ShortcutsProps {
  grantable: readonly Scope[]
  onChoose: (scopes: readonly Scope[]) => void
}

const ScopeShortcuts = ({ grantable, onChoose }: ShortcutsProps) => (
  <div class="page-actions">
    <Button small onClick={() => onChoose(grantable.filter(isPlainRead))}>
      All reads without personal data
    </Button>
    <Button small onClick={() => onChoose(grantable)}>
      All
    </Button>
    <Button small onClick={() => onChoose([])}>
      None
    </Button>
  </div>
)

const isPlainRead = (scope: Scope) => SCOPES[scope].access === 'read' && !SCOPES[scope].personal

interface IssuedProps {
  issued: IssuedKeyResponse
  done: 'created' | 'rotated'
  onDone: () => void
}

/** The secret of a new or rotated key, this once. */
export function IssuedKey({ issued, done, onDone }: IssuedProps) {
  const { base_url: base } = useSession()
  const { key, secret } = issued
  return (
    <>
      <PageHead title={done === 'created' ? 'Key created' : 'Secret rotated'} description={key.name} />
      <IssuedSecret
        value={secret}
        name="secret key"
        onDone={onDone}
        note={
          key.ip_allowlist.length > 0 && (
            <p class="soft">
              It works only from <code>{key.ip_allowlist.join(', ')}</code>. Requests from other IP addresses get 401.
            </p>
          )
        }
      >
        <p class="soft">The service stores only a hash of it.</p>
        <p class="label">Try it</p>
        <CodeLine
          value={`curl -s ${base}/me \\\n  -H 'Authorization: Bearer ${secret}'`}
          name="command that calls the API with the key"
        />
      </IssuedSecret>
    </>
  )
}
