import { AUDITED_FIELDS } from '../../../src/contract/limits.ts'
import { Button } from '../../ui/button.tsx'
import { FilterSpan, Filters, FilterText } from '../../ui/filters.tsx'
import { SelectField } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { RequestLink } from '../../ui/request-link.tsx'
import { Link, useFilters } from '../../ui/router.tsx'
import type { Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { href, type Row, useData, usePages } from '../api.ts'

type AuditResponse = Row<'/audit'>

const FILTERS = ['key_id', 'subject', 'field', 'acting_user', 'after', 'before'] as const

const FIELD_WORDS: Readonly<Record<string, string>> = {
  email: 'Email address',
  phone: 'Phone number',
  resume_text: 'Résumé text',
  resume_file: 'File',
}

const COLUMNS: readonly Column<AuditResponse>[] = [
  {
    title: 'Field',
    grow: true,
    cell: row => (
      <div class="two-lines">
        <span>
          {FIELD_WORDS[row.field] ?? row.field} <span class="faint">of {row.subject.object.replaceAll('_', ' ')}</span>
        </span>
        <Link to={`/audit?subject=${row.subject.id}`} class="mono">
          {row.subject.id}
        </Link>
      </div>
    ),
  },
  {
    title: 'Read by',
    cell: ({ key, acting_user, at }) => (
      <div class="two-lines">
        {key.is_app ? <span>{key.name}</span> : <Link to={`/keys/${key.id}`}>{key.name ?? key.id}</Link>}
        {/* one line, whatever is on it: rows of the list are all of one height */}
        <span class="faint">
          {acting_user && `for ${acting_user.name ?? acting_user.id}`}
          <span class="narrow-only">
            {acting_user && ' · '}
            <Time at={at} />
          </span>
        </span>
      </div>
    ),
  },
  { title: 'Units', wide: true, align: 'end', cell: row => row.units },
  { title: 'Request', wide: true, cell: row => <RequestLink id={row.request_id} /> },
  { title: 'When', wide: true, cell: row => <Time at={row.at} /> },
]

export function AuditPage() {
  const [filters, setFilters] = useFilters(FILTERS)
  const options = useData('/audit/options')
  const list = usePages('/audit', filters)
  const filtered = FILTERS.some(name => filters[name] !== '')
  return (
    <ListPage
      title="Personal-data reads"
      description="Who read whose personal data through the API, and when. The values are not stored."
      actions={
        <>
          <a class="button secondary" href={href('/audit/personal-data-reads.csv', filters)} download>
            <Icon name="download" size={16} />
            Download CSV
          </a>
          <Button onClick={list.reload}>Refresh</Button>
        </>
      }
      columns={COLUMNS}
      list={list}
      rowKey={row => String(row.id)}
      empty={
        filtered
          ? ['No matching reads', 'Change the filters.']
          : [
              'Nothing was read yet',
              'When a key or app reads an email address, a phone number or a résumé, the read appears here.',
            ]
      }
    >
      <Filters values={filters} set={setFilters}>
        <SelectField
          label="Read by"
          value={filters.key_id}
          onInput={key_id => setFilters({ key_id })}
          options={[['', 'Any key or app'], ...(options.data?.readers ?? []).map(r => [r.id, r.name] as const)]}
        />
        <SelectField
          label="Field"
          value={filters.field}
          onInput={field => setFilters({ field })}
          options={[['', 'All fields'], ...AUDITED_FIELDS.map(field => [field, FIELD_WORDS[field] ?? field] as const)]}
        />
        <SelectField
          label="On behalf of"
          value={filters.acting_user}
          onInput={acting_user => setFilters({ acting_user })}
          options={[['', 'Anyone'], ...(options.data?.people ?? []).map(p => [p.id, p.name] as const)]}
        />
        <FilterText
          label="Record"
          value={filters.subject}
          onInput={subject => setFilters({ subject })}
          placeholder="apl_…"
        />
        <FilterSpan after={filters.after} before={filters.before} onInput={setFilters} />
      </Filters>
    </ListPage>
  )
}
