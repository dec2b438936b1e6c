import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ErrorNote, Notice } from '../../ui/notice.tsx'
import { count } from '../../ui/numbers.ts'
import { Link } from '../../ui/router.tsx'
import { Tag } from '../../ui/tag.tsx'
import { usePages } from '../api.ts'
import { removeWithUndo, setStageWithUndo } from './list-changes.ts'
import type { ListViewProps } from './list-table.tsx'
import { describeWork, profileName, StoppedTag } from './people.tsx'
import { SelectedPeople } from './selected-people.tsx'
import { type List, type Member, type Stage, stageParam, stageTitle } from './stages.tsx'

/** Members that were moved and not yet read again: each is shown where it goes to. */
type Moved = ReadonlyMap<string, { member: Member; to: Stage }>

/** Members by stage. A card is dragged, with the others that are selected; or the stage of the selected ones is chosen. */
export function ListBoard({ list, version, onChanged, canWrite }: ListViewProps) {
  const [moved, setMoved] = useState<Moved>(new Map())
  const [chosen, setChosen] = useState<ReadonlyMap<string, Member>>(new Map())
  const dragged = useRef<Member>(undefined)
  const clear = () => setChosen(new Map())
  const toggle = (member: Member) =>
    setChosen(now => {
      const next = new Map(now)
      if (!next.delete(member.id)) next.set(member.id, member)
      return next
    })
  const forget = (id: string) =>
    setMoved(now => {
      const next = new Map(now)
      next.delete(id)
      return next
    })
  const move = async (members: readonly Member[], to: Stage) => {
    const going = members.filter(({ stage, person }) => stage !== to && !person?.suppressed)
    clear()
    if (going.length === 0) return
    setMoved(now => new Map([...now, ...going.map(one => [one.id, { member: { ...one, stage: to }, to }] as const)]))
    // a refusal puts them back; otherwise each is forgotten when its new column has been read
    if (!(await setStageWithUndo(list.id, going, to, onChanged))) for (const { id } of going) forget(id)
  }
  const drop = (to: Stage) => {
    const member = dragged.current
    if (member) void move(chosen.has(member.id) ? [...chosen.values()] : [member], to)
  }
  return (
    <>
      {list.more_labels > 0 && (
        <Notice>{list.more_labels} more labels are not shown here. The table has everyone.</Notice>
      )}
      {canWrite && chosen.size > 0 && (
        <SelectedPeople
          list={list}
          chosen={[...chosen.values()]}
          onStage={to => void move([...chosen.values()], to)}
          onRemove={() => {
            void removeWithUndo(list.id, [...chosen.values()], onChanged)
            clear()
          }}
          onClear={clear}
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must be able to scroll it */}
      <section class="list-board" aria-label="Board" tabIndex={0}>
        {list.stages.map(({ stage, members, custom }) => (
          <Column
            key={stageParam(stage)}
            list={list}
            stage={stage}
            total={members}
            custom={custom}
            version={version}
            moved={moved}
            canWrite={canWrite}
            onDrag={member => {
              dragged.current = member
            }}
            onDrop={() => drop(stage)}
            chosen={chosen}
            onToggle={toggle}
            onRemove={member => void removeWithUndo(list.id, [member], onChanged)}
            onSeen={forget}
          />
        ))}
      </section>
    </>
  )
}

interface ColumnProps {
  list: List
  stage: Stage
  total: number
  custom: boolean
  version: number
  moved: Moved
  canWrite: boolean
  onDrag: (member: Member | undefined) => void
  onDrop: () => void
  chosen: ReadonlyMap<string, Member>
  onToggle: (member: Member) => void
  onRemove: (member: Member) => void
  /** a member that was moved here has been read here */
  onSeen: (id: string) => void
}

function Column(props: ColumnProps) {
  const { list, stage, total, custom, version, moved, canWrite, onDrag, onDrop, onSeen } = props
  const query = { list_id: list.id, limit: 50, stage: stageParam(stage) }
  const { rows, error, loading, more, loadMore, reload, retry } = usePages('/sourcing/lists/{list_id}/members', query)
  const [over, setOver] = useState(false)
  const read = useRef(version)
  useEffect(() => {
    if (read.current === version) return
    read.current = version
    reload()
  }, [version, reload])
  useEffect(() => {
    for (const { id } of rows ?? []) if (moved.get(id)?.to === stage) onSeen(id)
  }, [rows])
  const here = rows?.filter(({ id }) => (moved.get(id)?.to ?? stage) === stage) ?? []
  const arriving = [...moved.values()].filter(({ member, to }) => to === stage && !here.some(m => m.id === member.id))
  const shown = [...arriving.map(({ member }) => member), ...here]
  const title = stageTitle(stage)
  return (
    <section
      class={over ? 'list-column over' : 'list-column'}
      aria-label={title}
      onDragOver={event => {
        if (!canWrite) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={event => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={event => {
        event.preventDefault()
        setOver(false)
        onDrop()
      }}
    >
      <h2>
        {title} {custom && <Tag>label</Tag>}
        <span class="faint">{count.format(total)}</span>
      </h2>
      {error && <ErrorNote error={error} retry={rows ? retry : reload} />}
      {!rows && !error && <div class="card-skeleton" role="status" aria-label="Loading" />}
      <ul>
        {shown.map(member => (
          <Card key={member.id} member={member} {...props} onDrag={onDrag} />
        ))}
      </ul>
      {rows && shown.length === 0 && <p class="hint-line center">No one</p>}
      {more && (
        <Button small busy={loading} onClick={loadMore}>
          Load more
        </Button>
      )}
    </section>
  )
}

type CardProps = Pick<ColumnProps, 'canWrite' | 'chosen' | 'onDrag' | 'onToggle' | 'onRemove'> & {
  member: Member
}

function Card({ member, canWrite, chosen, onDrag, onToggle, onRemove }: CardProps) {
  const { person, sourced_profile_id } = member
  const name = profileName(person)
  const movable = canWrite && !person?.suppressed
  return (
    <li
      class={chosen.has(member.id) ? 'list-card selected' : 'list-card'}
      draggable={movable}
      onDragStart={event => {
        if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move'
        onDrag(member)
      }}
      onDragEnd={() => onDrag(undefined)}
    >
      <div class="card-head">
        {canWrite && (
          <input
            type="checkbox"
            class="card-select"
            aria-label={`Select ${name}`}
            checked={chosen.has(member.id)}
            onChange={() => onToggle(member)}
          />
        )}
        {person ? <Link to={`/profiles/${sourced_profile_id}`}>{name}</Link> : <span>Candidate</span>}
        {canWrite && (
          <button
            type="button"
            class="copy"
            aria-label={`Remove ${name}`}
            title="Remove"
            onClick={() => onRemove(member)}
          >
            <Icon name="close" size={12} />
          </button>
        )}
      </div>
      {person && <div class="hint-line">{describeWork(person) || person.headline}</div>}
      {(person?.suppressed || person?.has_contact_info) && (
        <div class="card-foot">
          {person.suppressed && <StoppedTag />}
          {person.has_contact_info && <Tag tone="good">Contact</Tag>}
        </div>
      )}
    </li>
  )
}
