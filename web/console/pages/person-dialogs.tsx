import { useState } from 'preact/hooks'
import { canBeLimited, ROLES, type Role } from '../../../src/contract/roles.ts'
import type { JobAccess } from '../../../src/contract/scopes.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog, DialogActions, FormDialog, FormError } from '../../ui/dialog.tsx'
import { SelectField, TextField, useSubmit } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Row, type Sent, send } from '../api.ts'
import { useSession } from '../session.ts'

type InvitedResponse = Sent<'/people'>
type PersonResponse = Row<'/people'>

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: 'Everything, including owners, erasures and the outbox.',
  admin: 'The console: keys, webhooks, apps, people and settings.',
  member:
    'The hiring pages, no console. Connected apps can see everything except internal notes, phone numbers and résumé texts.',
  viewer:
    'The hiring pages without changes, no console. Connected apps can see jobs, applications, lists, the pool and analytics.',
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export const canBeInvited = (person: PersonResponse) =>
  person.last_login_at === null && person.email !== null && person.can_change

interface PersonDialogProps {
  person: PersonResponse
  onClose: () => void
  onDone: () => void
}

export const ResetDialog = ({ person, onClose, onDone }: PersonDialogProps) => (
  <Confirm
    title={`Remove the second factor of ${person.name}?`}
    action="Remove the second factor"
    danger
    onClose={onClose}
    onConfirm={async () => {
      await send('/people/{id}/reset-second-factor', { id: person.id })
      onClose()
      toast('Second factor removed')
      onDone()
    }}
  >
    <p>
      For a person who lost their device and their recovery codes. Make sure that it is this person who asks: from now
      on, the password or an emailed link is enough to sign in as them.
    </p>
    <p>They are signed out everywhere, and an email tells them about it.</p>
  </Confirm>
)

export const RemoveDialog = ({ person, onClose, onDone }: PersonDialogProps) => (
  <Confirm
    title={`Remove ${person.name}?`}
    action="Remove"
    danger
    onClose={onClose}
    onConfirm={async () => {
      await send('/people/{id}/remove', { id: person.id })
      onClose()
      toast('Removed')
      if (person.is_you) location.reload()
      else onDone()
    }}
  >
    <p>
      {person.is_you
        ? 'This is you. You are signed out immediately and cannot add yourself again.'
        : 'They are signed out everywhere immediately, and connected apps can no longer act for them.'}
    </p>
    <p>
      Their API keys are revoked, and the webhook endpoints of the keys are disabled. Their notes and other content
      stay.
    </p>
  </Confirm>
)

const roleOptions = (mine: Role) =>
  ROLES.filter(role => mine === 'owner' || role !== 'owner').map(role => [role, capital(role)] as const)

export function InviteDialog({
  onClose,
  onInvited,
}: {
  onClose: () => void
  onInvited: (response: InvitedResponse) => void
}) {
  const { user } = useSession()
  const [email, setEmail] = useState('')
  const [first, setFirst] = useState('')
  const [last, setLast] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [access, setAccess] = useState<JobAccess>('all')
  const limitable = canBeLimited(role)
  const { busy, error, fault, submit } = useSubmit()
  return (
    <FormDialog
      title="Invite a member"
      onClose={onClose}
      action="Invite"
      busy={busy}
      onSubmit={() =>
        submit(async () =>
          onInvited(
            await send('/people', {
              email,
              role,
              job_access: limitable ? access : 'all',
              first_name: first,
              last_name: last,
            }),
          ),
        )
      }
    >
      <TextField
        label="Email address"
        type="email"
        value={email}
        onInput={setEmail}
        required
        maxLength={254}
        fault={fault('email')}
        hint="The sign-in link is sent to this address."
      />
      <div class="field-row">
        <TextField label="First name" value={first} onInput={setFirst} maxLength={100} />
        <TextField label="Last name" value={last} onInput={setLast} maxLength={100} />
      </div>
      <SelectField
        label="Role"
        value={role}
        onInput={setRole}
        options={roleOptions(user.role)}
        hint={ROLE_WORDS[role]}
      />
      {limitable && <AccessField access={access} onInput={setAccess} />}
      {fault('email') === undefined && <FormError error={error} />}
    </FormDialog>
  )
}

function AccessField({ access, onInput }: { access: JobAccess; onInput: (access: JobAccess) => void }) {
  return (
    <SelectField
      label="Jobs"
      value={access}
      onInput={value => onInput(value as JobAccess)}
      options={[
        ['all', 'All jobs'],
        ['team', 'Only jobs whose team they are on'],
      ]}
      hint={
        access === 'team'
          ? 'They see nothing of other jobs and their candidates, and nothing of sourcing. Their API keys and apps read members and workspaces only. The team of a job is on its page Team.'
          : 'They work on every job of the workspace.'
      }
    />
  )
}

interface ManageProps {
  person: PersonResponse
  /** why nothing can be changed, if so */
  fixed: string | undefined
  onClose: () => void
  onAgain: () => void
  onChanged: (what: string) => void
  onRemove: () => void
  onReset: () => void
}

export function ManageDialog({ person, fixed, onClose, onAgain, onChanged, onRemove, onReset }: ManageProps) {
  const { user } = useSession()
  const [role, setRole] = useState<Role>(person.role)
  const before = person.job_access
  const [access, setAccess] = useState<JobAccess>(before)
  const limitable = canBeLimited(role)
  const limits = limitable && access !== before
  const { busy, error, submit } = useSubmit()
  return (
    <Dialog title={person.name} onClose={onClose}>
      <p class="soft">{person.email ?? 'No email address, cannot sign in.'}</p>
      {canBeInvited(person) && (
        <p>
          Has never signed in.{' '}
          <Button small onClick={onAgain}>
            Send link again
          </Button>
        </p>
      )}
      <p>
        Second factor: {person.second_factor ? 'on' : 'none'}.{' '}
        {person.second_factor && user.role === 'owner' && !person.is_you && (
          <Button small onClick={onReset}>
            Remove it…
          </Button>
        )}
      </p>
      {fixed ? (
        <Notice>
          <p>
            Role: <b>{person.role}</b>. {fixed}
          </p>
        </Notice>
      ) : (
        <>
          <SelectField
            label="Role"
            value={role}
            onInput={setRole}
            options={roleOptions(user.role)}
            hint={ROLE_WORDS[role]}
          />
          {limitable && <AccessField access={access} onInput={setAccess} />}
          <p class="soft">Takes effect immediately, also for their API keys and connected apps that act for them.</p>
          {person.is_you && role !== person.role && (
            <Notice tone="warn">
              <p>This is your own role. You may not be able to change it back.</p>
            </Notice>
          )}
          <FormError error={error} />
          <DialogActions>
            <Button onClick={onRemove}>Remove…</Button>
            <Button
              kind="primary"
              busy={busy}
              disabled={role === person.role && !limits}
              onClick={() =>
                submit(async () => {
                  const limit = () => send('/people/{id}/job-access', { id: person.id }, { job_access: access })
                  // a larger role must not have all jobs for a moment; owners and admins can only be limited afterwards
                  const first = limits && access === 'team' && canBeLimited(person.role)
                  if (first) await limit()
                  if (role !== person.role) await send('/people/{id}/role', { id: person.id }, { role })
                  if (limits && !first) await limit()
                  onChanged(role === person.role ? 'Access to jobs changed' : 'Role changed')
                })
              }
            >
              {role === person.role && limits ? 'Change access' : 'Change role'}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
