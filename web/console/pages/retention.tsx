import { useEffect, useState } from 'preact/hooks'
import type { Data } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, TextField, useSubmit } from '../../ui/form.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { count } from '../../ui/numbers.ts'
import { PageHead, Section } from '../../ui/page.tsx'
import { ENTERED, useLeaveGuard } from '../../ui/router.tsx'
import { SmallTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send, useData } from '../api.ts'

type RetentionResponse = Read<'/retention'>
type RetentionRow = Read<'/retention'>['rows'][number]

type Kind = RetentionRow['kind']

const TITLES: Readonly<Record<Kind | 'people', string>> = {
  applications: 'Applications',
  people: 'People, with their last application',
  audit: 'Personal-data reads',
  events: 'Events',
  deliveries: 'Webhook deliveries',
  request_log: 'Requests',
}

const inWords = (value: number, unit: string) => (value === 0 ? 'no end' : `${count.format(value)} ${unit}`)

export function RetentionPage() {
  const { data, error, reload } = useData('/retention')
  const preview = useData('/retention/preview')
  return (
    <>
      <PageHead
        title="Retention"
        description="How long this workspace retains its data. What is older is deleted once a day, permanently."
      />
      {error && !data && <ErrorNote error={error} retry={reload} />}
      {!data && !error && <Skeleton />}
      {data && (
        <div class="narrow">
          <Periods
            settings={data}
            saved={() => {
              reload()
              preview.reload()
            }}
          />
          <Preview {...preview} />
          {preview.data && preview.data.applications.length > 0 && (
            <Section
              title="Applications that would be deleted"
              description="Those without activity for the longest time first, at most 50."
            >
              <Applications rows={preview.data.applications} />
            </Section>
          )}
        </div>
      )}
    </>
  )
}

const hintOf = ({ kind, unit, least, most, endless, fallback, description }: RetentionRow, longest: number | null) => {
  const upTo = kind === 'applications' && longest !== null ? longest : most
  const none = endless && upTo === most ? '; 0 for no end' : ''
  return `How many ${unit} this workspace retains ${description}: ${least} to ${count.format(upTo)}${none}. Empty: ${inWords(fallback, unit)}.`
}

function Periods({ settings, saved }: { settings: RetentionResponse; saved: () => void }) {
  const stored = Object.fromEntries(settings.rows.map(row => [row.kind, row.own === null ? '' : String(row.own)]))
  const [texts, setTexts] = useState(stored)
  const { busy, error, fault, submit } = useSubmit()
  useEffect(() => setTexts(stored), [JSON.stringify(stored)])
  const entered = (kind: string) => (texts[kind] ?? '').trim()
  const changed = settings.rows.filter(({ kind }) => entered(kind) !== stored[kind])
  useLeaveGuard(changed.length > 0 && ENTERED)
  return (
    <Section
      title="Periods"
      description="Applications of people who were hired are never deleted. The hiring funnel still counts what was deleted."
    >
      <Form
        class="panel"
        onSubmit={() =>
          submit(async () => {
            const wanted = changed.map(({ kind }) => [kind, entered(kind) === '' ? null : Number(entered(kind))])
            await send('/retention', Object.fromEntries(wanted))
            toast('Retention saved')
            saved()
          })
        }
      >
        {settings.rows.map(row => (
          <TextField
            key={row.kind}
            label={`${TITLES[row.kind]} (${row.unit})`}
            value={texts[row.kind] ?? ''}
            onInput={text => setTexts({ ...texts, [row.kind]: text })}
            type="number"
            hint={hintOf(row, settings.longest_months)}
            fault={fault(row.kind)}
          />
        ))}
        <FormError error={error} marked />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={changed.length === 0}>
            Save periods
          </Button>
        </div>
      </Form>
    </Section>
  )
}

function Preview({ data, error, loading, reload }: Data<Read<'/retention/preview'>>) {
  return (
    <Section
      title="What would be deleted now"
      description="By the saved periods, if the next run began now. Nothing is deleted here."
      actions={
        <Button busy={loading} onClick={reload}>
          Count again
        </Button>
      }
    >
      {error && !data && <ErrorNote error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={3} />}
      {data?.would_delete.some(({ n }) => n > 0) && (
        <SmallTable
          auto
          name="What would be deleted now"
          columns={[
            { title: 'What', grow: true, cell: ({ kind }) => TITLES[kind] },
            { title: 'Number', align: 'end', cell: ({ n }) => count.format(n) },
            { title: 'Oldest', align: 'end', cell: ({ oldest }) => <Time at={oldest} /> },
          ]}
          rows={data.would_delete}
          rowKey={({ kind }) => kind}
        />
      )}
      {data?.would_delete.every(({ n }) => n === 0) && <Empty title="Nothing would be deleted" />}
    </Section>
  )
}

const Applications = ({ rows }: { rows: Read<'/retention/preview'>['applications'] }) => (
  <SmallTable
    auto
    name="Applications that would be deleted"
    columns={[
      { title: 'Application', grow: true, cell: ({ id }) => <a href={`/hiring/applications/${id}`}>{id}</a> },
      { title: 'Status', cell: ({ status }) => status.replace('_', ' ') },
      { title: 'Last activity', align: 'end', cell: ({ updated_at }) => <Time at={updated_at} /> },
    ]}
    rows={rows}
    rowKey={({ id }) => id}
  />
)
