import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { useSubmit } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { amount } from '../../ui/numbers.ts'
import { Link } from '../../ui/router.tsx'
import type { Column } from '../../ui/table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Row, type Sent, send, useData } from '../api.ts'
import { useSession } from '../session.ts'
import { canBeInvited, InviteDialog, ManageDialog, RemoveDialog, ResetDialog } from './person-dialogs.tsx'

type InvitedResponse = Sent<'/people'>
type PersonResponse = Row<'/people'>

interface ColumnActions {
  /** an invitation is being sent */
  busy: boolean
  onInvite: (person: PersonResponse) => void
  onManage: (person: PersonResponse) => void
}

const columnsOf = ({ busy, onInvite, onManage }: ColumnActions): readonly Column<PersonResponse>[] => [
  {
    title: 'Person',
    grow: true,
    cell: person => (
      <div class="two-lines">
        <span>
          {person.name} {person.is_you && <Tag>you</Tag>}
        </span>
        <span class="faint">
          <span class="narrow-only">
            {person.role}
            {person.jobs !== null && `, ${amount(person.jobs, 'job')}`} ·{' '}
          </span>
          {person.email ?? 'no email address, cannot sign in'}
        </span>
      </div>
    ),
  },
  {
    title: 'Role',
    wide: true,
    cell: person => <Tag tone={person.role === 'owner' ? 'accent' : 'plain'}>{person.role}</Tag>,
  },
  { title: 'Jobs', wide: true, cell: person => (person.jobs === null ? 'all' : amount(person.jobs, 'job')) },
  {
    title: 'Last signed in',
    wide: true,
    cell: person =>
      canBeInvited(person) ? (
        <span class="inline">
          <span class="faint">never</span>
          <Button small busy={busy} onClick={() => onInvite(person)}>
            Send link again
          </Button>
        </span>
      ) : (
        <Time at={person.last_login_at} never="never" />
      ),
  },
  {
    title: 'Second factor',
    wide: true,
    cell: person => (person.second_factor ? 'on' : <span class="faint">none</span>),
  },
  { title: 'Member since', wide: true, cell: person => <Time at={person.created_at} /> },
  {
    title: 'Manage',
    cell: person => (
      <Button small onClick={() => onManage(person)}>
        Manage
      </Button>
    ),
  },
]

export function PeoplePage() {
  const { user } = useSession()
  const { data, error, loading, reload } = useData('/people')
  const [dialog, setDialog] = useState<
    { kind: 'invite' } | { kind: 'manage' | 'remove' | 'reset'; person: PersonResponse }
  >()
  const [invited, setInvited] = useState<InvitedResponse>()
  const owners = data?.data.filter(person => person.role === 'owner').length ?? 0
  const fixed = (person: PersonResponse) =>
    !person.can_change
      ? 'Only owners can change and remove owners.'
      : person.role === 'owner' && owners === 1
        ? 'A workspace needs at least one owner. Make another user an owner first.'
        : undefined
  const close = () => setDialog(undefined)
  const invite = useSubmit()
  const again = (person: PersonResponse) =>
    invite.submit(async () => {
      setInvited(undefined)
      setInvited(await send('/people/{id}/invite', { id: person.id }))
    })
  return (
    <>
      <ListPage
        title="People"
        description="Members of the workspace and their roles. Candidates are not members."
        actions={
          <Button kind="primary" onClick={() => setDialog({ kind: 'invite' })}>
            <Icon name="plus" size={16} />
            Invite
          </Button>
        }
        columns={columnsOf({
          busy: invite.busy,
          onInvite: again,
          onManage: person => setDialog({ kind: 'manage', person }),
        })}
        list={{ rows: data?.data, error, loading, reload }}
        rowKey={person => person.id}
        empty={['No members']}
      >
        <FormError error={invite.error} />
        <div role="status">{invited && <Invited invited={invited} owner={user.role === 'owner'} />}</div>
      </ListPage>
      {dialog?.kind === 'invite' && (
        <InviteDialog
          onClose={close}
          onInvited={response => {
            close()
            setInvited(response)
            reload()
          }}
        />
      )}
      {dialog?.kind === 'manage' && (
        <ManageDialog
          person={dialog.person}
          fixed={fixed(dialog.person)}
          onRemove={() => setDialog({ kind: 'remove', person: dialog.person })}
          onReset={() => setDialog({ kind: 'reset', person: dialog.person })}
          onClose={close}
          onAgain={() => {
            close()
            again(dialog.person)
          }}
          onChanged={what => {
            close()
            toast(what)
            // one's own new role may close this page
            if (dialog.person.is_you) location.reload()
            else reload()
          }}
        />
      )}
      {dialog?.kind === 'reset' && <ResetDialog person={dialog.person} onClose={close} onDone={reload} />}
      {dialog?.kind === 'remove' && <RemoveDialog person={dialog.person} onClose={close} onDone={reload} />}
    </>
  )
}

function Invited({ invited, owner }: { invited: InvitedResponse; owner: boolean }) {
  const { person, mailed, outbox_mail_id: mail } = invited
  if (!mailed) {
    return (
      <Notice tone="bad">
        <p>
          {person.name} is a member now, but the email with the sign-in link could not be sent. Send the link again
          later.
        </p>
      </Notice>
    )
  }
  return (
    <Notice tone="good">
      <p>
        {mail === null
          ? `A sign-in link was emailed to ${person.email}. It works once and expires after 3 days.`
          : 'No mail server is configured. The email with the sign-in link is in the local outbox. '}
        {mail !== null && owner && <Link to={`/outbox/${mail}`}>Open the email</Link>}
        {mail !== null && !owner && 'An owner can open it there.'}
      </p>
    </Notice>
  )
}
