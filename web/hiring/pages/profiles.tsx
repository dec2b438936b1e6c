import { useState } from 'preact/hooks'
import type { SourcedProfile } from '../../../packages/sdk/src/generated.ts'
import '../css/sourcing.css'
import { toQuery } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { ListPage } from '../../ui/list-page.tsx'
import { amount } from '../../ui/numbers.ts'
import { PageHead } from '../../ui/page.tsx'
import { buildHref, Link, navigate, useFilters } from '../../ui/router.tsx'
import type { Column } from '../../ui/table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { ProfilesToJobDialog, useMayAddToJob } from '../adding/profiles-to-job.tsx'
import { send, usePages } from '../api.ts'
import { KEYS } from '../key-table.ts'
import { NotAllowed } from '../not-allowed.tsx'
import { useMay } from '../session.ts'
import { ChooseListDialog } from '../sourcing/list-dialogs.tsx'
import { isFiltered, ListFilters, nothingMatches } from '../sourcing/list-filters.tsx'
import { useLiveReload } from '../sourcing/live-reload.ts'
import { acquisitionName, PersonLines, profileName, StoppedTag } from '../sourcing/people.tsx'
import { selectColumn, useSelection } from '../sourcing/selection.tsx'
import { t } from '../texts/index.ts'

const FILTERS = ['q', 'has_contact_info', 'origin'] as const

const CHOICES = [
  {
    name: 'has_contact_info',
    label: 'Contact details',
    options: [
      ['true', 'Revealed'],
      ['false', 'Not revealed'],
    ],
  },
  {
    name: 'origin',
    label: 'Source',
    options: [
      ['pool', 'Talent pool'],
      ['import', 'Import'],
      ['xray', 'Web search'],
      ['github', 'GitHub'],
    ],
  },
] as const

const COLUMNS: readonly Column<SourcedProfile>[] = [
  {
    title: 'Person',
    grow: true,
    cell: profile => (
      <PersonLines person={profile}>
        <Link to={`/profiles/${profile.id}`}>{profileName(profile)}</Link>{' '}
        {profile.provenance.consent.suppressed && <StoppedTag />}
      </PersonLines>
    ),
  },
  {
    title: 'Contact details',
    wide: true,
    cell: profile => (profile.has_contact_info ? <Tag tone="good">Revealed</Tag> : <span class="faint">–</span>),
  },
  { title: 'Source', wide: true, cell: profile => acquisitionName(profile.provenance.acquisition) },
  { title: 'Changed', wide: true, cell: profile => <Time at={profile.updated_at} /> },
]

/** Candidates that the team found and saved. */
export function ProfilesPage() {
  const may = useMay()
  if (!may('sourced_profiles:read')) {
    return (
      <>
        <PageHead title="Profiles" />
        <NotAllowed title="Profiles are not for your role" />
      </>
    )
  }
  return <Profiles canAdd={may('lists:write')} />
}

/** The API takes so many members in one call. */
const MEMBERS_PER_CALL = 50

async function addToList(list: string, profiles: readonly string[]): Promise<number> {
  let added = 0
  for (let at = 0; at < profiles.length; at += MEMBERS_PER_CALL) {
    const members = profiles.slice(at, at + MEMBERS_PER_CALL).map(sourced_profile_id => ({ sourced_profile_id }))
    added += (await send('/v1/lists/{list_handle}/members', { list_handle: list }, { members })).added
  }
  return added
}

function Profiles({ canAdd }: { canAdd: boolean }) {
  const [filters, setFilters] = useFilters(FILTERS)
  const profiles = usePages('/v1/sourced-profiles', { ...filters, limit: 100 })
  const selection = useSelection()
  const [adding, setAdding] = useState(false)
  const people = profiles.rows?.filter(({ id }) => selection.ids.has(id)) ?? []
  const chosen = people.map(({ id }) => id)
  const canAddToJob = useMayAddToJob()
  const [toJob, setToJob] = useState(false)
  useLiveReload(({ type }) => type.startsWith('sourced_profile.'), profiles.reload)
  const say = () => toast(t.adding.selectFirst, 'bad')
  useShortcuts(
    canAddToJob
      ? [{ keys: KEYS.toJob, title: t.adding.toJob, run: () => (chosen.length > 0 ? setToJob(true) : say()) }]
      : [],
  )
  useShortcuts(
    canAdd
      ? [
          {
            keys: KEYS.addToList,
            title: 'Add to a list',
            run: () =>
              chosen.length > 0 ? setAdding(true) : toast('Select the people to add to a list first.', 'bad'),
          },
        ]
      : [],
  )
  return (
    <>
      <ListPage
        title="Profiles"
        description="Candidates that your team found and saved, most recently changed first."
        actions={
          <>
            <a class="button secondary" href={buildHref(`/api/sourcing/profiles.csv${toQuery(filters)}`)} download>
              <Icon name="download" size={16} />
              CSV
            </a>
            {canAdd && (
              <Link to="/import" class="button secondary">
                Import
              </Link>
            )}
          </>
        }
        columns={
          canAdd || canAddToJob
            ? [selectColumn(selection, profiles.rows, ({ id }) => id, profileName), ...COLUMNS]
            : COLUMNS
        }
        list={profiles}
        rowKey={({ id }) => id}
        onRow={({ id }) => navigate(`/profiles/${id}`)}
        empty={
          isFiltered(filters)
            ? nothingMatches('profiles')
            : [
                'There are no profiles yet',
                <>
                  <Link to="/pool">Search the talent pool</Link> and save people, or{' '}
                  <Link to="/import">import a table</Link>.
                </>,
              ]
        }
      >
        <ListFilters values={filters} set={setFilters} find="Name, title, company" choices={CHOICES} />
        {chosen.length > 0 && (
          <div class="results-bar">
            <span role="status">{chosen.length} selected</span>
            <Button small onClick={selection.clear}>
              Clear
            </Button>
            <span class="spread" />
            {canAddToJob && (
              <Button small onClick={() => setToJob(true)} title={`Key: ${KEYS.toJob}`}>
                {t.adding.toJob}
              </Button>
            )}
            {canAdd && (
              <Button small kind="primary" onClick={() => setAdding(true)}>
                Add to a list
              </Button>
            )}
          </div>
        )}
      </ListPage>
      {toJob && (
        <ProfilesToJobDialog
          people={people.map(one => ({ id: one.id, name: profileName(one), hasAddress: one.has_contact_info }))}
          onClose={() => setToJob(false)}
          onAdded={selection.clear}
        />
      )}
      {adding && (
        <ChooseListDialog
          title={`Add ${amount(chosen.length, 'person', 'people')} to a list`}
          action="Add"
          onClose={() => setAdding(false)}
          onChosen={async list => {
            const added = await addToList(list, chosen)
            setAdding(false)
            selection.clear()
            toast(added === 0 ? 'They are in the list already' : `${amount(added, 'person', 'people')} added`, 'good', {
              title: 'Open list',
              run: () => navigate(`/lists/${list}`),
            })
          }}
        />
      )}
    </>
  )
}
