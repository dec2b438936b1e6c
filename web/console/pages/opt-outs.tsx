import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Confirm, FormDialog } from '../../ui/dialog.tsx'
import { Filters, FilterText } from '../../ui/filters.tsx'
import { Field, TextField, useSubmit } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { amount } from '../../ui/numbers.ts'
import { useFilters } from '../../ui/router.tsx'
import type { Column } from '../../ui/table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Row, type Sent, send, usePages } from '../api.ts'

type OptOut = Row<'/opt-outs'>
type OptOutsAdded = Sent<'/opt-outs'>

const FILTERS = ['email'] as const

const REASONS: Readonly<Record<OptOut['source'], string>> = {
  opt_out: 'Added by the workspace',
  link: 'Unsubscribed by a link',
  one_click: 'Unsubscribed in their mail program',
  product: 'Unsubscribed on their page',
}

/** Lines of one call: a request has at most 256 KB. */
const LINES_PER_CALL = 2_000
const MAX_LINES_SHOWN = 20

const columnsOf = (remove: (email: string) => void): readonly Column<OptOut>[] => [
  {
    title: 'Email address',
    grow: true,
    cell: row => (
      <div class="two-lines">
        {row.email ?? <span class="faint">Not shown: processing was stopped</span>}
        <span class="faint narrow-only">
          {REASONS[row.source]} · <Time at={row.at} />
        </span>
      </div>
    ),
  },
  {
    title: 'Reason',
    wide: true,
    cell: row => <Tag tone={row.source === 'opt_out' ? 'accent' : 'plain'}>{REASONS[row.source]}</Tag>,
  },
  { title: 'Since', wide: true, cell: row => <Time at={row.at} /> },
  {
    title: 'Remove',
    cell: ({ email, source }) =>
      email !== null &&
      source === 'opt_out' && (
        <Button small onClick={() => remove(email)}>
          Remove
        </Button>
      ),
  },
]

export function OptOutsPage() {
  const [filters, setFilters] = useFilters(FILTERS)
  const list = usePages('/opt-outs', filters)
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<string>()
  const [added, setAdded] = useState<OptOutsAdded>()
  return (
    <>
      <ListPage
        title="Opt-out list"
        description="Email addresses that no message of this workspace is sent to, whichever key or person asks for it."
        actions={
          <Button kind="primary" onClick={() => setAdding(true)}>
            <Icon name="plus" size={16} />
            Add addresses
          </Button>
        }
        columns={columnsOf(setRemoving)}
        list={list}
        rowKey={row => row.ref}
        empty={
          filters.email === ''
            ? [
                'No address is on the list',
                'Add the addresses that you do not want to write to. People who unsubscribe appear here, too.',
              ]
            : [
                'This address is not on the list',
                'Enter the whole address. The spelling of upper and lower case does not matter.',
              ]
        }
      >
        <div role="status">{added && <Added {...added} />}</div>
        <Filters values={filters} set={setFilters}>
          <FilterText
            label="Email address"
            value={filters.email}
            onInput={email => setFilters({ email })}
            placeholder="ada@example.com"
          />
        </Filters>
      </ListPage>
      {adding && (
        <AddDialog
          onClose={() => setAdding(false)}
          onAdded={response => {
            setAdding(false)
            setAdded(response)
            list.reload()
          }}
        />
      )}
      {removing !== undefined && (
        <Confirm
          title={`Remove ${removing}?`}
          action="Remove"
          onClose={() => setRemoving(undefined)}
          onConfirm={async () => {
            await send('/opt-outs/remove', { email: removing })
            setRemoving(undefined)
            toast('Removed from the list')
            list.reload()
          }}
        >
          <p>Messages can be sent to this address again.</p>
        </Confirm>
      )}
    </>
  )
}

function Added({ added, already_listed, invalid_lines, invalid_count }: OptOutsAdded) {
  const shown = invalid_lines.slice(0, MAX_LINES_SHOWN).join(', ')
  return (
    <Notice tone={invalid_count > 0 ? 'warn' : 'good'}>
      <p>
        {amount(added, 'address', 'addresses')} added.{' '}
        {already_listed > 0 && `${amount(already_listed, 'address', 'addresses')} needed no entry. `}
        {invalid_count > 0 && `No email address on line ${shown}${invalid_count > MAX_LINES_SHOWN ? ' …' : ''}.`}
      </p>
    </Notice>
  )
}

/** Sends the lines in calls that are small enough, one after the other. */
async function addLines(text: string): Promise<OptOutsAdded> {
  const lines = text.split(/\r\n|\r|\n/)
  const total: OptOutsAdded = { added: 0, already_listed: 0, invalid_lines: [], invalid_count: 0 }
  for (let from = 0; from < lines.length; from += LINES_PER_CALL) {
    const chunk = lines.slice(from, from + LINES_PER_CALL)
    if (chunk.every(line => line.trim() === '') && from > 0) continue
    // only the first line of all can be a header row: before the others comes an empty one
    const ahead = from === 0 ? 0 : 1
    const addresses = `${'\n'.repeat(ahead)}${chunk.join('\n')}`
    const done = await send('/opt-outs', { addresses })
    total.added += done.added
    total.already_listed += done.already_listed
    total.invalid_count += done.invalid_count
    total.invalid_lines.push(...done.invalid_lines.map(line => line - ahead + from))
  }
  return total
}

function AddDialog({ onClose, onAdded }: { onClose: () => void; onAdded: (response: OptOutsAdded) => void }) {
  const [text, setText] = useState('')
  const [file, setFile] = useState<File>()
  const { busy, error, fault, submit } = useSubmit()
  return (
    <FormDialog
      title="Add addresses"
      onClose={onClose}
      action="Add"
      busy={busy}
      error={error}
      onSubmit={() => submit(async () => onAdded(await addLines(file ? await file.text() : text)))}
    >
      <TextField
        label="Email addresses"
        value={text}
        onInput={setText}
        rows={6}
        hint="One on each line."
        fault={fault('addresses')}
        required={!file}
      />
      <Field label="Or a file" hint="A text or CSV file with one address on each line. A header row is allowed.">
        {control => (
          <input
            {...control}
            type="file"
            accept=".txt,.csv,text/plain,text/csv"
            onChange={event => setFile(event.currentTarget.files?.[0])}
          />
        )}
      </Field>
    </FormDialog>
  )
}
