import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import type { Column } from '../../ui/table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Row, send, useData } from '../api.ts'

type OwnSessionResponse = Row<'/sessions'>

/** The browser in a few words; the whole line on hover. */
function browserOf(agent: string | null): string {
  if (agent === null) return 'unknown'
  const name = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(agent)?.[1]
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(agent)?.[1]
  if (!name) return agent.slice(0, 40)
  return `${{ Edg: 'Edge', OPR: 'Opera' }[name] ?? name}${system ? ` on ${system.replace('Mac OS X', 'macOS')}` : ''}`
}

const METHODS: Readonly<Record<OwnSessionResponse['method'], string>> = {
  password: 'a password',
  link: 'an emailed link',
  passkey: 'a passkey',
  company: 'your company',
}
const FACTORS: Readonly<Record<NonNullable<OwnSessionResponse['factor']>, string>> = {
  totp: 'an authenticator app',
  recovery: 'a recovery code',
  passkey: 'a passkey',
}

export function SessionsPage() {
  const read = useData('/sessions')
  const [ending, setEnding] = useState<OwnSessionResponse | 'others'>()
  const others = read.data?.data.filter(session => !session.current).length ?? 0
  const columns: readonly Column<OwnSessionResponse>[] = [
    {
      title: 'Browser',
      grow: true,
      cell: session => (
        <div class="two-lines" title={session.user_agent ?? undefined}>
          <span>
            {browserOf(session.user_agent)} {session.current && <Tag tone="good">this session</Tag>}
          </span>
          <span class="faint">
            <span class="mono">{session.address}</span>
            <span class="narrow-only">
              {' · '}
              <Time at={session.last_seen_at} />
            </span>
          </span>
        </div>
      ),
    },
    {
      title: 'Signed in with',
      wide: true,
      cell: ({ method, factor }) =>
        `${METHODS[method]}${factor && method !== 'passkey' ? ` and ${FACTORS[factor]}` : ''}`,
    },
    { title: 'Since', wide: true, cell: session => <Time at={session.created_at} /> },
    { title: 'Last used', wide: true, cell: session => <Time at={session.last_seen_at} /> },
    {
      title: 'Manage',
      cell: session =>
        session.current ? (
          <span class="faint">–</span>
        ) : (
          <Button small kind="danger" onClick={() => setEnding(session)}>
            End
          </Button>
        ),
    },
  ]
  const end = async (which: OwnSessionResponse | 'others') => {
    if (which === 'others') await send('/sessions/end-others')
    else await send('/sessions/{id}/end', { id: which.id })
    toast(which === 'others' ? 'Signed out everywhere else' : 'Session ended')
    setEnding(undefined)
    read.reload()
  }
  return (
    <>
      <ListPage
        title="Your sessions"
        description="Browsers in which you are signed in. A session expires after 12 hours without use, and after 7 days at the latest."
        actions={
          <Button kind="danger" disabled={others === 0} onClick={() => setEnding('others')}>
            End all others
          </Button>
        }
        columns={columns}
        list={{ ...read, rows: read.data?.data }}
        rowKey={session => session.id}
        empty={['No session']}
      />
      {ending && (
        <Confirm
          title={ending === 'others' ? 'End all other sessions?' : 'End this session?'}
          action={ending === 'others' ? 'End all others' : 'End session'}
          danger
          onClose={() => setEnding(undefined)}
          onConfirm={() => end(ending)}
        >
          <p>
            {ending === 'others'
              ? 'Every other browser is signed out immediately.'
              : `${browserOf(ending.user_agent)} is signed out immediately.`}{' '}
            If this was not you, change your password too.
          </p>
        </Confirm>
      )}
    </>
  )
}
