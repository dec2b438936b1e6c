import '../css/checks.css'
import { useEffect } from 'preact/hooks'
import { kindTitle, sharedTitle } from '../../../src/contract/check-words.ts'
import { TextField } from '../../ui/form.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { amount } from '../../ui/numbers.ts'
import { usePages } from '../api.ts'
import type { Package } from './words.ts'

export interface Packages {
  rows: readonly Package[] | undefined
  error: Parameters<typeof ErrorNote>[0]['error'] | undefined
  reload: () => void
}

const PAGE_SIZE = 100

const { compare } = new Intl.Collator('en')

/** What can be ordered now, by kind and name; undefined until the last page is there. */
export function usePackages(): Packages {
  const { rows, error, loading, more, loadMore, retry } = usePages('/v1/packages', {
    status: 'active',
    limit: PAGE_SIZE,
  })
  const isNextDue = more && !loading && error === undefined
  useEffect(() => {
    if (isNextDue) loadMore()
  }, [isNextDue, loadMore])
  const sorted = rows?.toSorted((a, b) => compare(kindTitle(a.kind), kindTitle(b.kind)) || compare(a.name, b.name))
  return { rows: more ? undefined : sorted, error, reload: retry }
}

/** Who writes to the candidate, and when. */
export const invitationWords = ({ invitation, vendor }: Package, who: string): string =>
  invitation === 'vendor'
    ? `${vendor.name} reads the email address and sends the invitation.`
    : `When ${vendor.name} has accepted the order, ${who} gets an email with the link.`

interface CheckFieldsProps {
  packages: Packages
  chosen: string
  onChoose: (id: string) => void
  due: string
  onDue: (local: string) => void
  fault: (param: string) => string | undefined
}

/** A package and a due date: for one candidate or many. */
export function CheckFields({ packages, chosen, onChoose, due, onDue, fault }: CheckFieldsProps) {
  const { rows, error, reload } = packages
  const found = rows?.find(({ id }) => id === chosen)
  if (error && !rows) return <ErrorNote error={error} retry={reload} />
  if (!rows) return <Skeleton lines={4} />
  if (rows.length === 0) {
    return (
      <Empty title="No checks are offered">
        A vendor publishes its checks with a key or an app of this workspace. An owner or admin then offers them in the
        console, under Checks.
      </Empty>
    )
  }
  return (
    <>
      <PackageChoice packages={rows} chosen={chosen} onChoose={onChoose} />
      {fault('package_id') && <p class="fault">{fault('package_id')}</p>}
      <TextField
        label="Due (optional)"
        type="datetime-local"
        value={due}
        onInput={onDue}
        fault={fault('due_at')}
        hint={
          found
            ? `Empty: ${amount(found.completion_days, 'day')} after the vendor has accepted.`
            : 'Empty: as the vendor proposes.'
        }
      />
    </>
  )
}

interface PackageChoiceProps {
  packages: readonly Package[]
  chosen: string
  onChoose: (id: string) => void
}

/** By kind; one is chosen with the arrow keys. */
const PackageChoice = ({ packages, chosen, onChoose }: PackageChoiceProps) => (
  <div class="package-choice">
    {[...Map.groupBy(packages, ({ kind }) => kind as string)].map(([kind, group]) => (
      <fieldset key={kind}>
        <legend>{kindTitle(kind)}</legend>
        {group.map(one => (
          <label key={one.id} class={one.id === chosen ? 'package chosen' : 'package'}>
            <input type="radio" name="package" checked={one.id === chosen} onChange={() => onChoose(one.id)} />
            <PackageFacts of={one} />
          </label>
        ))}
      </fieldset>
    ))}
  </div>
)

const PackageFacts = ({ of }: { of: Package }) => (
  <span class="package-facts">
    <b>{of.name}</b>
    <span class="soft small">
      {of.vendor.name}
      {of.duration_minutes !== null && ` · ${amount(of.duration_minutes, 'minute')}`}
    </span>
    {of.description !== null && <span class="small">{of.description}</span>}
    <span class="faint small">Shares: {sharedTitle(of.shares)}</span>
  </span>
)
