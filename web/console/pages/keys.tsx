import { isScope, SCOPES } from '../../../src/contract/scopes.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ActiveOrAll, ListPage } from '../../ui/list-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Link, navigate, useFilters } from '../../ui/router.tsx'
import type { Column } from '../../ui/table.tsx'
import { State, Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { type Row, useData } from '../api.ts'
import { useSession } from '../session.ts'

type KeyResponse = Row<'/keys'>

const TONES = { active: 'good', expired: 'warn', revoked: 'plain' } as const

export const KeyState = ({ state }: { state: KeyResponse['state'] }) => <State tone={TONES[state]}>{state}</State>

export const personalScopes = (scopes: readonly string[]): number =>
  scopes.filter(scope => isScope(scope) && SCOPES[scope].personal).length

const COLUMNS: readonly Column<KeyResponse>[] = [
  {
    title: 'Name',
    grow: true,
    cell: key => (
      <div class="two-lines">
        <Link to={`/keys/${key.id}`}>{key.name}</Link>
        <span class="faint">
          <span class="narrow-only">
            used <Time at={key.last_used_at} never="never" />
          </span>
          <span class="mono wide-only">{key.id}</span>
        </span>
      </div>
    ),
  },
  {
    title: 'State',
    cell: key => (
      <div class="two-lines">
        <KeyState state={key.state} />
        {key.state === 'active' && key.previous_secret_expires_at && <span class="faint">rotating</span>}
      </div>
    ),
  },
  { title: 'Label', wide: true, cell: key => <Tag>{key.environment}</Tag> },
  {
    title: 'Scopes',
    wide: true,
    cell: key => {
      const personal = personalScopes(key.scopes)
      return (
        <div class="two-lines">
          <span>
            {key.scopes.length}
            {key.scopes.length < key.granted_scopes.length && ` of ${key.granted_scopes.length}`}
          </span>
          {personal > 0 && <span class="faint">{personal} grant access to personal data</span>}
        </div>
      )
    },
  },
  {
    title: 'Belongs to',
    wide: true,
    cell: key => key.owner?.name ?? <span class="faint">No owner (read-only)</span>,
  },
  { title: 'Last used', wide: true, cell: key => <Time at={key.last_used_at} never="never" /> },
  { title: 'Created', wide: true, cell: key => <Time at={key.created_at} /> },
]

export function KeysPage() {
  const { key_management_refused: refused } = useSession()
  const [{ show }, setFilters] = useFilters(['show'])
  const read = useData('/keys')
  const all = read.data?.data
  const shown = show === 'all' ? all : all?.filter(key => key.state === 'active')
  const hidden = (all?.length ?? 0) - (shown?.length ?? 0)
  return (
    <ListPage
      title="API keys"
      description="Partner systems use these keys to call the API. The scopes of a key are fixed when it is created."
      actions={
        <Button kind="primary" disabled={refused !== null} onClick={() => navigate('/keys/new')}>
          <Icon name="plus" size={16} />
          Create key
        </Button>
      }
      columns={COLUMNS}
      list={{ ...read, rows: shown }}
      rowKey={key => key.id}
      onRow={key => navigate(`/keys/${key.id}`)}
      empty={
        hidden > 0
          ? [
              'No key is active',
              `${hidden} expired or revoked ${hidden === 1 ? 'key is' : 'keys are'} listed under All.`,
            ]
          : ['No keys yet', 'A key lets a partner system read and write what you choose.']
      }
    >
      {refused && (
        <Notice tone="warn">
          <p>{refused}</p>
        </Notice>
      )}
      <ActiveOrAll label="Which keys" value={show} onInput={value => setFilters({ show: value })} />
    </ListPage>
  )
}
