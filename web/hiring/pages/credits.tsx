import '../css/candidate.css'
import { isManager } from '../../../src/contract/roles.ts'
import { Empty, ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { count } from '../../ui/numbers.ts'
import { DescriptionList, PageHead, Section } from '../../ui/page.tsx'
import { Link } from '../../ui/router.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { type Row, useData, usePages } from '../api.ts'
import { Withheld } from '../candidate/withheld.tsx'
import { useSession } from '../session.ts'

type Entry = Row<'/credits/entries'>

const KINDS: Readonly<Record<Entry['kind'], string>> = {
  grant: 'Granted',
  resume_unlock: 'Résumé unlocked',
  contact_reveal: 'Contact details revealed',
}

const signed = (amount: number) => (amount > 0 ? `+${count.format(amount)}` : count.format(amount).replace('-', '−'))

const COLUMNS: readonly Column<Entry>[] = [
  { title: 'When', cell: entry => <Time at={entry.created_at} /> },
  {
    title: 'What',
    grow: true,
    cell: entry => (
      <div class="two-lines">
        <span>{KINDS[entry.kind]}</span>
        <span class="faint">
          {entry.note ?? <Subject entry={entry} />}
          <span class="narrow-only"> by {entry.by?.name ?? 'the operator'}</span>
        </span>
      </div>
    ),
  },
  { title: 'Who', wide: true, cell: entry => entry.by?.name ?? <span class="faint">operator</span> },
  { title: 'Credits', align: 'end', cell: entry => signed(entry.amount) },
  { title: 'Balance', align: 'end', wide: true, cell: entry => count.format(entry.balance) },
]

function Subject({ entry }: { entry: Entry }) {
  if (!entry.subject_id) return null
  return entry.kind === 'resume_unlock' ? (
    <Link to={`/applications/${entry.subject_id}`}>Open the application</Link>
  ) : (
    <Link to={`/profiles/${entry.subject_id}`}>Open the profile</Link>
  )
}

/** What the workspace has to spend, and what it was spent on. */
export function CreditsPage() {
  const { user } = useSession()
  return (
    <>
      <PageHead
        title="Credits"
        description="Unlocking old résumés and revealing contact details costs credits. The operator of this installation grants them."
      />
      {isManager(user) ? <Ledger /> : <Withheld title="Balance and ledger are for owners and admins." />}
    </>
  )
}

function Ledger() {
  const { data, error, reload } = useData('/credits')
  const entries = usePages('/credits/entries')
  return (
    <>
      {data ? (
        <DescriptionList
          rows={[
            ['Balance', <b key="balance">{count.format(data.balance)} credits</b>],
            ['Unlock a résumé', `${data.resume_unlock_price} credits, once`],
            ['Reveal contact details', `${data.contact_reveal_price} credits, as your plan says`],
          ]}
        />
      ) : error ? (
        <ErrorNote error={error} retry={reload} />
      ) : (
        <Skeleton lines={1} />
      )}
      <Section title="Ledger" description="Every entry, the latest first. Entries are never changed.">
        <DataTable
          name="Ledger"
          columns={COLUMNS}
          {...entries}
          rowKey={entry => String(entry.sequence)}
          empty={<Empty title="No credits were granted yet">Ask the operator of this installation for some.</Empty>}
        />
      </Section>
    </>
  )
}
