import { useEffect, useState } from 'preact/hooks'
import { useShortcuts } from '../../ui/keys.ts'
import { Empty } from '../../ui/notice.tsx'
import { Link, useFilters } from '../../ui/router.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { usePages } from '../api.ts'
import { KEYS } from '../key-table.ts'
import { useMay } from '../session.ts'
import { removeWithUndo, setStageWithUndo } from './list-changes.ts'
import { isFiltered, ListFilters, nothingMatches } from './list-filters.tsx'
import { PersonLines, profileName, StoppedTag } from './people.tsx'
import { SelectedPeople } from './selected-people.tsx'
import { selectColumn, useSelection } from './selection.tsx'
import { type List, type Member, StageSelect, stageParam, stageTitle } from './stages.tsx'

export interface ListViewProps {
  list: List
  /** raised by every change */
  version: number
  onChanged: () => void
  canWrite: boolean
}

const FILTERS = ['q', 'stage'] as const

/** As many as one request changes. */
const MAX_CHANGED = 200

export function ListTable({ list, version, onChanged, canWrite }: ListViewProps) {
  const mayFind = useMay()('sourced_profiles:read')
  const [filters, setFilters] = useFilters(FILTERS)
  const members = usePages('/sourcing/lists/{list_id}/members', { ...filters, list_id: list.id })
  const selection = useSelection()
  const [shown, setShown] = useState(version)
  useEffect(() => {
    if (version === shown) return
    setShown(version)
    members.reload()
  }, [version, shown, members.reload])
  const chosen = members.rows?.filter(({ id }) => selection.ids.has(id)).slice(0, MAX_CHANGED) ?? []
  const remove = () => {
    if (chosen.length === 0) return
    void removeWithUndo(list.id, chosen, onChanged)
    selection.clear()
  }
  useShortcuts(canWrite ? [{ keys: KEYS.remove, title: 'Remove the selected people', run: remove }] : [])
  const columns: Column<Member>[] = [
    ...(canWrite
      ? [
          selectColumn<Member>(
            selection,
            members.rows?.slice(0, MAX_CHANGED),
            ({ id }) => id,
            ({ person }) => profileName(person),
          ),
        ]
      : []),
    {
      title: 'Person',
      grow: true,
      cell: ({ person, sourced_profile_id }) => (
        <PersonLines person={person}>
          {person ? <Link to={`/profiles/${sourced_profile_id}`}>{profileName(person)}</Link> : 'Candidate'}{' '}
          {person?.suppressed && <StoppedTag />}
        </PersonLines>
      ),
    },
    {
      title: 'Stage',
      cell: member =>
        canWrite && !member.person?.suppressed ? (
          <StageSelect
            label={`Stage of ${profileName(member.person)}`}
            value={member.stage}
            stages={list.stages}
            onChange={stage => void setStageWithUndo(list.id, [member], stage, onChanged)}
          />
        ) : (
          stageTitle(member.stage)
        ),
    },
    { title: 'Added', wide: true, cell: ({ added_at }) => <Time at={added_at} /> },
  ]
  const [emptyTitle, emptySentence] = isFiltered(filters) ? nothingMatches('people') : ['No one is in this list yet']
  return (
    <>
      <ListFilters
        values={filters}
        set={setFilters}
        find={mayFind ? 'Name, title, company' : undefined}
        choices={[
          {
            name: 'stage',
            label: 'Stage',
            options: list.stages.map(
              ({ stage, members: inIt }) => [stageParam(stage), `${stageTitle(stage)} (${inIt})`] as const,
            ),
          },
        ]}
      />
      {canWrite && chosen.length > 0 && (
        <SelectedPeople
          list={list}
          chosen={chosen}
          onStage={stage => {
            void setStageWithUndo(list.id, chosen, stage, onChanged)
            selection.clear()
          }}
          onRemove={remove}
          onClear={selection.clear}
        />
      )}
      <DataTable
        name="People in the list"
        columns={columns}
        {...members}
        rowKey={({ id }) => id}
        empty={<Empty title={emptyTitle}>{emptySentence}</Empty>}
      />
    </>
  )
}
