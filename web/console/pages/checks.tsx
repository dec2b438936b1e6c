import { useState } from 'preact/hooks'
import { kindTitle, sharedTitle } from '../../../src/contract/check-words.ts'
import { ApiError } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Segments } from '../../ui/form.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { DescriptionList } from '../../ui/page.tsx'
import { useFilters } from '../../ui/router.tsx'
import type { Column } from '../../ui/table.tsx'
import { State, type Tone } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Row, read, send, usePages } from '../api.ts'

type Package = Row<'/packages'>

const STATES: Readonly<Record<Package['status'], readonly [title: string, tone: Tone]>> = {
  pending: ['Waits for you', 'warn'],
  active: ['Offered', 'good'],
  withdrawn: ['Off', 'plain'],
}

const invitedBy = ({ invitation, vendor, candidate_host }: Package): string =>
  invitation === 'vendor' ? `${vendor.name}, by email` : `This service, with a link to ${candidate_host}`

const columnsOf = (ask: (one: Package) => void): readonly Column<Package>[] => [
  {
    title: 'Check',
    grow: true,
    cell: one => (
      <div class="two-lines">
        <b>{one.name}</b>
        <span class="faint">
          <span class="narrow-only">{STATES[one.status][0]} · </span>
          {kindTitle(one.kind)} · {one.vendor.name}
        </span>
      </div>
    ),
  },
  { title: 'Candidate data', wide: true, cell: one => sharedTitle(one.shares) },
  { title: 'State', wide: true, cell: one => <State tone={STATES[one.status][1]}>{STATES[one.status][0]}</State> },
  { title: 'Changed', wide: true, cell: one => <Time at={one.updated_at} /> },
  {
    title: 'Action',
    cell: one => (
      <Button
        small
        kind={one.status === 'pending' ? 'primary' : 'secondary'}
        label={`${actionOf(one)}: ${one.name}`}
        onClick={() => ask(one)}
      >
        {actionOf(one)}
      </Button>
    ),
  },
]

const actionOf = ({ status }: Package): string => (status === 'active' ? 'Turn off' : 'Offer')

/** Tests and checks of vendors: which of them recruiters can order. */
export function ChecksPage() {
  const [{ status }, setFilters] = useFilters(['status'])
  const list = usePages('/packages', { status })
  const [asked, setAsked] = useState<Package>()
  return (
    <>
      <ListPage
        title="Checks"
        description="Tests and checks that vendors publish with a key of this workspace. Recruiters can order what you offer."
        columns={columnsOf(setAsked)}
        list={list}
        rowKey={one => one.id}
        empty={
          status === ''
            ? [
                'No vendor has published a check',
                'Give a vendor an API key with the scopes orders:fulfill, orders:candidate:read and events:read. What it publishes appears here.',
              ]
            : ['No check has this state']
        }
      >
        <div class="toolbar">
          <Segments
            label="State"
            value={status}
            onInput={value => setFilters({ status: value })}
            options={[
              ['', 'All'],
              ['pending', 'Waits for you'],
              ['active', 'Offered'],
              ['withdrawn', 'Off'],
            ]}
          />
        </div>
      </ListPage>
      {asked && (
        <ChangeDialog
          of={asked}
          onClose={() => setAsked(undefined)}
          onStale={now => {
            setAsked(now)
            list.reload()
          }}
          onChanged={() => {
            setAsked(undefined)
            list.reload()
          }}
        />
      )}
    </>
  )
}

const CHANGED =
  'This check was changed while you were reading. Nothing was offered. Read what it is now, then offer it.'

interface ChangeProps {
  of: Package
  onClose: () => void
  /** the vendor changed it while it was read */
  onStale: (now: Package) => void
  onChanged: () => void
}

/**
 * To offer a check is to consent to what its vendor reads of candidates, so it is said first; where that changed in the
 * meantime, nothing is offered, and what it is now is shown.
 */
function ChangeDialog({ of, onClose, onStale, onChanged }: ChangeProps) {
  if (of.status === 'active') {
    return (
      <Confirm
        key="off"
        title={`Turn off ${of.name}?`}
        action="Turn off"
        onClose={onClose}
        onConfirm={async () => {
          await send('/packages/{id}/withdraw', { id: of.id })
          toast(`${of.name} is off`)
          onChanged()
        }}
      >
        <p>No one can order it any more. Open orders go on, and stages that order it skip it.</p>
      </Confirm>
    )
  }
  return (
    <Confirm
      key="offer"
      title={`Offer ${of.name}?`}
      action="Offer"
      onClose={onClose}
      onConfirm={async () => {
        try {
          await send('/packages/{id}/offer', { id: of.id }, { expected_updated_at: of.updated_at })
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 'stale_resource') throw error
          onStale(await read('/packages/{id}', { id: of.id }))
          throw new ApiError(409, { code: error.code, message: CHANGED })
        }
        toast(`${of.name} is offered`)
        onChanged()
      }}
    >
      <p>Recruiters can order it for candidates. While an order is open, {of.vendor.name} can read what it shares.</p>
      <DescriptionList
        rows={[
          ['Kind', kindTitle(of.kind)],
          ['Candidate data', sharedTitle(of.shares)],
          ['Invitation', invitedBy(of)],
          [
            'Privacy notice',
            <a key="privacy" href={of.privacy_url} target="_blank" rel="noreferrer">
              {new URL(of.privacy_url).hostname}
            </a>,
          ],
          of.description !== null && ['Description', of.description],
        ]}
      />
    </Confirm>
  )
}
