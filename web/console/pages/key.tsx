import { useState } from 'preact/hooks'
import { isScope, SCOPES } from '../../../src/contract/scopes.ts'
import { Button } from '../../ui/button.tsx'
import { Id } from '../../ui/copy.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { ErrorNote, Notice } from '../../ui/notice.tsx'
import { DescriptionList, PageHead, Pending, Section } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { RotateDialog } from '../../ui/rotate-dialog.tsx'
import { Link } from '../../ui/router.tsx'
import { ScopeTags } from '../../ui/scope.tsx'
import { type Column, SmallTable } from '../../ui/table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { ago, ExactTime, Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, type Sent, send, useData } from '../api.ts'
import { SCOPE_GROUPS } from '../scopes.ts'
import { useSession } from '../session.ts'
import { KeyState } from './keys.tsx'
import { IssuedKey } from './new-key.tsx'

type IssuedKeyResponse = Sent<'/keys'>
type KeyResponse = Read<'/keys/{id}'>
type SecretResponse = KeyResponse['secrets'][number]

export function KeyPage({ params }: PageProps<'id'>) {
  const { key_management_refused: refused } = useSession()
  const { data: key, error, reload } = useData('/keys/{id}', { id: params.id })
  const [dialog, setDialog] = useState<'rotate' | 'revoke'>()
  const [issued, setIssued] = useState<IssuedKeyResponse>()
  const back = { to: '/keys', title: 'API keys' }

  if (issued) {
    const done = () => {
      setIssued(undefined)
      reload()
    }
    return <IssuedKey issued={issued} done="rotated" onDone={done} />
  }
  if (!key) return <Pending title="API key" back={back} error={error} reload={reload} />
  const live = key.state === 'active'
  return (
    <>
      <PageHead
        title={key.name}
        back={back}
        description={
          <>
            <KeyState state={key.state} /> <Tag>{key.environment}</Tag>
          </>
        }
        actions={
          key.state !== 'revoked' && (
            <>
              {live && key.can_rotate && (
                <Button disabled={refused !== null} onClick={() => setDialog('rotate')}>
                  Rotate secret
                </Button>
              )}
              <Button kind="danger" disabled={refused !== null} onClick={() => setDialog('revoke')}>
                Revoke
              </Button>
            </>
          )
        }
      />
      {error && <ErrorNote error={error} retry={reload} />}
      <KeyNotices apiKey={key} />
      <KeyFacts apiKey={key} />
      {key.secrets.length > 0 && (
        <Section
          title={key.secrets.length > 1 ? 'Secrets (rotation in progress)' : 'Secret'}
          description={rotationAdvice(key.secrets)}
        >
          <div class="table-frame">
            <SmallTable
              auto
              name="Secrets"
              columns={SECRET_COLUMNS}
              rows={key.secrets}
              rowKey={secret => secret.created_at}
            />
          </div>
        </Section>
      )}
      <Section
        title={`Scopes (${key.scopes.length})`}
        description={
          key.scopes.length === key.granted_scopes.length
            ? 'Fixed when the key was created.'
            : `Of ${key.granted_scopes.length} scopes. These are the ones that ${key.owner?.name} may have: by role, and fewer for people who are limited to jobs.`
        }
      >
        <ScopeList scopes={key.scopes} />
      </Section>
      {dialog && (
        <KeyDialog
          open={dialog}
          apiKey={key}
          onClose={() => setDialog(undefined)}
          onRevoked={reload}
          onIssued={setIssued}
        />
      )}
    </>
  )
}

/** Who can rotate the key, where it is not the reader. */
function KeyNotices({ apiKey: key }: { apiKey: KeyResponse }) {
  const { key_management_refused: refused } = useSession()
  return (
    <>
      {refused && key.state !== 'revoked' && (
        <Notice tone="warn">
          <p>{refused}</p>
        </Notice>
      )}
      {key.state === 'active' && key.reach === 'single' && !key.can_rotate && (
        <Notice>
          <p>
            Only {key.owner ? `${key.owner.name} and owners can rotate` : 'owners can rotate'} this key. You can revoke
            it.
          </p>
        </Notice>
      )}
      {key.reach !== 'single' && (
        <Notice>
          <p>
            This key has access to {key.reach === 'all' ? 'every workspace' : 'several workspaces'}. Rotate it with{' '}
            <code>npx hiring keys rotate {key.id}</code>.
          </p>
        </Notice>
      )}
    </>
  )
}

const KeyFacts = ({ apiKey: key }: { apiKey: KeyResponse }) => (
  <DescriptionList
    rows={[
      ['Key id', <Id key="id" value={key.id} />],
      ['Belongs to', key.owner?.name ?? 'No owner (read-only)'],
      ['Created', <ExactTime key="created" at={key.created_at} />],
      key.revoked_at
        ? ['Revoked', <ExactTime key="revoked" at={key.revoked_at} />]
        : ['Expires', key.expires_at ? <ExactTime key="expires" at={key.expires_at} /> : 'never'],
      ['Allowed IP addresses', key.ip_allowlist.length > 0 ? <code>{key.ip_allowlist.join(', ')}</code> : 'any'],
      [
        'Webhook endpoints',
        key.webhook_endpoints > 0 ? <Link to={`/webhooks?key=${key.id}`}>{key.webhook_endpoints}</Link> : 'none',
      ],
      [
        'Activity',
        <span key="activity" class="links">
          <Link to={`/requests?key_id=${key.id}`}>Requests</Link>
          <Link to={`/?key_id=${key.id}`}>Usage</Link>
          <Link to={`/audit?key_id=${key.id}`}>Personal-data reads</Link>
          <Link to={`/events?origin=${key.id}`}>Changes</Link>
        </span>,
      ],
    ]}
  />
)

interface KeyDialogProps {
  open: 'rotate' | 'revoke'
  apiKey: KeyResponse
  onClose: () => void
  onRevoked: () => void
  onIssued: (issued: IssuedKeyResponse) => void
}

function KeyDialog({ open, apiKey: key, onClose, onRevoked, onIssued }: KeyDialogProps) {
  if (open === 'rotate') {
    return (
      <RotateDialog
        rotate={overlap_hours => send('/keys/{id}/rotate', { id: key.id }, { overlap_hours })}
        onClose={onClose}
        onIssued={onIssued}
      >
        <p>
          The key gets a new secret; its id, name and scopes do not change. The current secret keeps working during the
          overlap, so that its systems can be changed one after the other.
        </p>
        {key.secrets.length > 1 && (
          <Notice tone="warn">
            <p>
              A rotation is already in progress. The oldest secret stops working immediately, because a key has at most
              two.
            </p>
          </Notice>
        )}
      </RotateDialog>
    )
  }
  return (
    <Confirm
      title={`Revoke ${key.name}?`}
      action="Revoke key"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await send('/keys/{id}/revoke', { id: key.id })
        onClose()
        toast('Key revoked')
        onRevoked()
      }}
    >
      <p>
        It stops working immediately (401). This cannot be undone.
        {key.last_used_at ? ` It was last used ${ago(key.last_used_at)}.` : ' It was never used.'}
      </p>
      {key.webhook_endpoints > 0 && (
        <p>
          Its webhook endpoints ({key.webhook_endpoints}) are disabled too, and their pending deliveries are canceled.
        </p>
      )}
    </Confirm>
  )
}

/** Whether the old secret can be let go of, in a sentence. */
function rotationAdvice(secrets: readonly SecretResponse[]): string {
  const [current, previous] = secrets
  if (!current || !previous) return 'Last use is recorded to the minute, with its IP address and client.'
  const ends = `It expires ${ago(previous.expires_at!)}.`
  if (!previous.last_used_at || previous.last_used_at < current.created_at) {
    return `The previous secret has not been used since the rotation. ${ends}`
  }
  return `The previous secret is still in use. Check where it is used and replace it there. ${ends}`
}

const SECRET_COLUMNS: readonly Column<SecretResponse>[] = [
  { title: 'Secret', cell: secret => (secret.current ? 'Current' : 'Previous') },
  { title: 'Last used', cell: secret => <Time at={secret.last_used_at} never="never" /> },
  { title: 'From', class: 'mono', cell: secret => secret.last_used_address ?? '–' },
  {
    title: 'Program',
    wide: true,
    class: 'mono clip',
    cell: secret => <span title={secret.last_used_agent ?? undefined}>{secret.last_used_agent ?? '–'}</span>,
  },
  { title: 'Issued', wide: true, cell: secret => <Time at={secret.created_at} /> },
  { title: 'Ends', wide: true, cell: secret => <Time at={secret.expires_at} never="never" /> },
]

const ScopeList = ({ scopes }: { scopes: readonly string[] }) => (
  <div class="scope-list">
    {SCOPE_GROUPS.map(group => {
      const granted = group.scopes.filter(scope => scopes.includes(scope))
      if (granted.length === 0) return null
      return (
        <div key={group.title}>
          <h3>{group.title}</h3>
          <ul>
            {granted.map(scope => (
              <li key={scope}>
                <code>{scope}</code> <ScopeTags scope={scope} />
                <span class="soft"> {isScope(scope) && SCOPES[scope].description}</span>
              </li>
            ))}
          </ul>
        </div>
      )
    })}
  </div>
)
