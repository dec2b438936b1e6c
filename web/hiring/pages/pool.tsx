import { useEffect, useRef, useState } from 'preact/hooks'
import type { PoolProfile } from '../../../packages/sdk/src/generated.ts'
import '../css/sourcing.css'
import { toQuery } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Filters, FilterText } from '../../ui/filters.tsx'
import { Form, Segments, TextField } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Empty, ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { amount } from '../../ui/numbers.ts'
import { PageHead } from '../../ui/page.tsx'
import { buildHref, navigate, useFilters } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { ProfilesToJobDialog, useMayAddToJob } from '../adding/profiles-to-job.tsx'
import { type Body, send, usePages, useQuery } from '../api.ts'
import { KEYS } from '../key-table.ts'
import { useMay } from '../session.ts'
import { ChooseListDialog } from '../sourcing/list-dialogs.tsx'
import { profileName } from '../sourcing/people.tsx'
import { isTier, PoolResult } from '../sourcing/pool-result.tsx'
import { MAX_SAVED, useSaved } from '../sourcing/saved-profiles.ts'
import { SelectAll, useSelection } from '../sourcing/selection.tsx'
import { t } from '../texts/index.ts'

const TERMS = ['titles', 'skills', 'companies', 'locations'] as const
const SEARCH = ['q', ...TERMS] as const
const BROWSE = ['title', 'company', 'country'] as const

type Search = Record<(typeof SEARCH)[number], string>

const TERM_FIELDS = {
  titles: { label: 'Titles', placeholder: 'welder, fitter' },
  skills: { label: 'Skills', placeholder: 'TIG, ISO 9606' },
  companies: { label: 'Companies', placeholder: 'Acme' },
  locations: { label: 'Locations', placeholder: 'Lyon, Berlin' },
} as const

const wordsOf = (text: string): string[] => text.split(',').flatMap(word => word.trim() || [])

/** The search as the API takes it; undefined: there is nothing to look for. */
function bodyOf(search: Search, limit: number): object | undefined {
  const terms = Object.fromEntries(
    TERMS.map(name => [name, wordsOf(search[name])] as const).filter(([, words]) => words.length > 0),
  )
  const query = search.q.trim()
  if (query === '' && Object.keys(terms).length === 0) return undefined
  return { ...(query === '' ? {} : { query }), ...(Object.keys(terms).length > 0 ? { terms } : {}), limit }
}

/** The pool: a ranked search, or page after page. */
export function PoolPage() {
  const may = useMay()
  const [{ mode }, setMode] = useFilters(['mode'])
  const searching = may('pool:search') && mode !== 'browse'
  return (
    <>
      <PageHead
        title="Talent pool"
        description="Public professional profiles that all workspaces share. Saving one makes it a profile of yours."
        actions={
          may('pool:search') && (
            <Segments
              label="How to look"
              value={searching ? 'search' : 'browse'}
              options={[
                ['search', 'Search'],
                ['browse', 'Browse'],
              ]}
              onInput={value => setMode({ mode: value === 'browse' ? 'browse' : '' })}
            />
          )
        }
      />
      {searching ? <SearchView /> : <BrowseView />}
    </>
  )
}

/** The API returns the best hundred at most. */
const PAGE = 25
const MAX = 100

function SearchView() {
  const [search, setSearch] = useFilters(SEARCH)
  const [draft, setDraft] = useState<Search>(search)
  const [limit, setLimit] = useState(PAGE)
  const query = useRef<HTMLFormElement>(null)
  const found = useRef<HTMLDivElement>(null)
  /** a search was sent, and its results have not got the focus yet */
  const isSent = useRef(false)
  const given = SEARCH.map(name => search[name]).join('\n')
  // changed elsewhere, as by the back button
  useEffect(() => {
    setDraft(search)
    setLimit(PAGE)
  }, [given])
  useShortcuts([
    {
      keys: KEYS.search,
      title: 'Search the pool',
      run: () => query.current?.querySelector<HTMLElement>('input')?.focus(),
    },
  ])
  const body = bodyOf(search, limit)
  const send = () => {
    isSent.current = true
    // letters that are typed from now on are keys of the results
    found.current?.focus({ preventScroll: true })
    if (SEARCH.some(name => draft[name] !== search[name])) setSearch(draft)
    else focusResults()
  }
  const focusResults = () => {
    // a reader who has gone on stays there
    const isThere = document.activeElement === found.current || document.activeElement === document.body
    const first =
      found.current?.querySelector<HTMLElement>('.row-button') ?? query.current?.querySelector<HTMLElement>('input')
    if (isSent.current && isThere) first?.focus()
    isSent.current = false
  }
  return (
    <>
      <Form element={query} class="pool-search" onSubmit={send}>
        <div class="pool-query">
          <TextField
            label="Who are you looking for?"
            value={draft.q}
            onInput={q => setDraft({ ...draft, q })}
            maxLength={500}
            placeholder="Senior welder with aerospace experience"
            autoComplete="off"
          />
          <Button kind="primary" type="submit">
            <Icon name="search" size={16} />
            Search
          </Button>
        </div>
        <div class="pool-terms">
          {TERMS.map(name => (
            <TextField
              key={name}
              {...TERM_FIELDS[name]}
              value={draft[name]}
              onInput={text => setDraft({ ...draft, [name]: text })}
              autoComplete="off"
            />
          ))}
        </div>
        <p class="hint-line">
          Separate words by commas; one match in each field is enough. Endings, accents and small misspellings do not
          matter.
        </p>
      </Form>
      <div ref={found} class="pool-found" tabIndex={-1}>
        {body ? (
          <Results
            body={body}
            search={search}
            limit={limit}
            onMore={() => setLimit(Math.min(MAX, limit * 2))}
            onShown={focusResults}
          />
        ) : (
          <Empty title="Describe the person">
            Enter a few words, or fill in one of the fields. The best matches come first, each with its score.
          </Empty>
        )}
      </div>
    </>
  )
}

interface ResultsProps {
  body: Body<'/v1/pool/search'>
  search: Search
  limit: number
  onMore: () => void
  onShown: () => void
}

function Results({ body, search, limit, onMore, onShown }: ResultsProps) {
  const { data, error, loading, reload } = useQuery('/v1/pool/search', body)
  useEffect(() => {
    if (data) onShown()
  }, [data])
  const words = [search.q.split(/\s+/), ...TERMS.map(name => wordsOf(search[name]))].flat().filter(Boolean)
  const rows = data?.data
  if (error && !rows) return <ErrorNote error={error} retry={reload} />
  if (!rows) return <Skeleton />
  if (rows.length === 0) {
    return <Empty title="No one matches">Leave out a word or a field, or look for a wider location.</Empty>
  }
  const more = rows.length === limit
  return (
    <>
      {error && <ErrorNote error={error} retry={reload} />}
      <ProfileList
        rows={rows}
        words={words}
        stale={loading}
        found={more ? `The best ${limit} matches` : amount(rows.length, 'match', 'matches')}
        csv={`/sourcing/pool.csv${toQuery(search)}`}
      />
      {more && limit < MAX && (
        <div class="more bare">
          <Button busy={loading} onClick={onMore}>
            Show more
          </Button>
        </div>
      )}
      {more && limit >= MAX && (
        <p class="faint center">A search shows {MAX} people at most. Add words to see others.</p>
      )}
    </>
  )
}

function BrowseView() {
  const [filters, setFilters] = useFilters(BROWSE)
  const { rows, error, loading, more, loadMore, reload, retry } = usePages('/v1/pool/profiles', filters)
  return (
    <>
      <Filters values={filters} set={setFilters}>
        <FilterText
          words
          label="Title"
          value={filters.title}
          onInput={title => setFilters({ title })}
          placeholder="A part of it"
        />
        <FilterText
          words
          label="Company"
          value={filters.company}
          onInput={company => setFilters({ company })}
          placeholder="A part of its name"
        />
        <FilterText
          words
          label="Country"
          value={filters.country}
          onInput={country => setFilters({ country })}
          placeholder="France"
        />
      </Filters>
      {error && !rows ? (
        <ErrorNote error={error} retry={reload} />
      ) : !rows ? (
        <Skeleton />
      ) : rows.length === 0 ? (
        <Empty title="No profiles">No one in the pool fits these filters.</Empty>
      ) : (
        <>
          <ProfileList
            rows={rows}
            words={[]}
            stale={loading}
            found={`${amount(rows.length, 'profile')}${more ? ' so far' : ''}, most recently seen first`}
          />
          {error && <ErrorNote error={error} retry={retry} />}
          {more && (
            <div class="more bare">
              <Button busy={loading} onClick={loadMore}>
                Load more
              </Button>
            </div>
          )}
        </>
      )}
    </>
  )
}

interface ProfileListProps {
  rows: readonly PoolProfile[]
  /** what was searched for: words, and phrases of several */
  words: readonly string[]
  stale: boolean
  found: string
  /** where the same is a table */
  csv?: string
}

/** Saves people to a list, and says what became of each. */
async function saveToList(list_id: string, people: readonly PoolProfile[]): Promise<void> {
  const profiles = people.map(({ id, match_score, match_tier: tier }) => ({
    id,
    ...(match_score !== undefined && { match_score }),
    ...(isTier(tier) && { match_tier: tier }),
  }))
  const { list: into, results } = await send('/sourcing/pool/save', { list_id, profiles })
  const counted = (status: string) => results.filter(result => result.status === status).length
  const [added, already, refused] = [
    counted('added'),
    counted('already_in_list'),
    counted('stopped') + counted('not_found'),
  ]
  const words = [
    `${amount(added, 'person', 'people')} saved to ${into.name}`,
    already > 0 && `${already} already there`,
    refused > 0 && `${refused} cannot be saved`,
  ]
  toast(words.filter(Boolean).join(', '), refused > 0 && added === 0 ? 'bad' : 'good', {
    title: 'Open list',
    run: () => navigate(`/lists/${into.id}`),
  })
}

function ProfileList({ rows, words, stale, found, csv }: ProfileListProps) {
  const may = useMay()
  const selection = useSelection()
  const saved = useSaved(rows)
  const [saving, setSaving] = useState<readonly PoolProfile[]>()
  const list = useRef<HTMLUListElement>(null)
  const chosen = rows.filter(({ id }) => selection.ids.has(id))
  const canSave = may('lists:write')
  const canAdd = useMayAddToJob()
  const canSelect = canSave || canAdd
  const [adding, setAdding] = useState<readonly PoolProfile[]>()

  /** The row with the focus, by its position; -1 if none has it. */
  const position = () => {
    const items = [...(list.current?.children ?? [])]
    return items.findIndex(item => item.contains(document.activeElement))
  }
  const focus = (at: number) => {
    const item = list.current?.children[Math.max(0, Math.min(rows.length - 1, at))]
    item?.querySelector<HTMLElement>('.row-button')?.focus()
  }
  const here = () => rows[position()]
  const toggleHere = () => {
    const row = here()
    if (row) selection.toggle(row.id)
  }
  /** About the selected people, else about the one that has the focus. */
  const ask = (show: (people: readonly PoolProfile[]) => void) => {
    const row = here()
    const wanted = chosen.length === 0 && row ? [row] : chosen
    if (wanted.length > 0) show(wanted)
  }
  useShortcuts([
    { keys: KEYS.next, title: 'Next profile', run: () => focus(position() + 1) },
    { keys: KEYS.previous, title: 'Previous profile', run: () => focus(position() - 1) },
    ...(canSelect ? [{ keys: KEYS.select, title: 'Select the profile', run: toggleHere }] : []),
    ...(canSave ? [{ keys: KEYS.addToList, title: 'Save to a list', run: () => ask(setSaving) }] : []),
    ...(canAdd ? [{ keys: KEYS.toJob, title: t.adding.toJob, run: () => ask(setAdding) }] : []),
  ])
  const save = async (list: string, people: readonly PoolProfile[]) => {
    await saveToList(list, people)
    setSaving(undefined)
    selection.clear()
    saved.reload()
  }
  return (
    <>
      <div class="results-bar">
        {canSelect && (
          <SelectAll
            selection={selection}
            ids={rows.slice(0, MAX_SAVED).map(({ id }) => id)}
            label={rows.length > MAX_SAVED ? `First ${MAX_SAVED}` : 'All'}
          />
        )}
        <span role="status" class="soft">
          {selection.ids.size > 0 ? `${selection.ids.size} selected` : found}
        </span>
        <span class="spread" />
        {canAdd && (
          <Button small disabled={chosen.length === 0} onClick={() => setAdding(chosen)} title={`Key: ${KEYS.toJob}`}>
            {t.adding.toJob}
          </Button>
        )}
        {canSave && (
          <Button small kind="primary" disabled={chosen.length === 0} onClick={() => setSaving(chosen)}>
            Save to a list
          </Button>
        )}
        {csv && (
          <a class="button secondary small" href={buildHref(`/api${csv}`)} download>
            <Icon name="download" size={14} />
            CSV
          </a>
        )}
      </div>
      <ul class={stale ? 'results stale' : 'results'} ref={list}>
        {rows.map(profile => (
          <PoolResult
            key={profile.id}
            profile={profile}
            words={words}
            profileId={saved.ids.get(profile.id)}
            selection={canSelect ? selection : undefined}
            onSave={canSave ? () => setSaving([profile]) : undefined}
          />
        ))}
      </ul>
      {adding && (
        <ProfilesToJobDialog
          people={adding.map(profile => ({ id: profile.id, name: profileName(profile), hasAddress: false }))}
          onClose={() => setAdding(undefined)}
          onAdded={selection.clear}
        />
      )}
      {saving && (
        <ChooseListDialog
          title={saving.length === 1 ? 'Save to a list' : `Save ${saving.length} people to a list`}
          action="Save"
          onClose={() => setSaving(undefined)}
          onChosen={list => save(list, saving)}
        />
      )}
    </>
  )
}
