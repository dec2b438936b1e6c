import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListDetailResponse, ListMemberResponse } from '../../../src/hiring/sourcing-types.ts'
import { usePages } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ErrorNote, Notice } from '../../ui/notice.tsx'
import { count } from '../../ui/numbers.ts'
import { Link } from '../../ui/router.tsx'
import { Tag } from '../../ui/tag.tsx'
import { removeWithUndo, setStageWithUndo } from './list-changes.ts'
import type { ListViewProps } from './list-table.tsx'
import { nameOf, workOf } from './people.tsx'
import { type Stage, StageSelect, stageParam, stageTitle } from './stages.tsx'

/** Members that were moved and not yet read again: each is shown where it goes to. */
type Moved = ReadonlyMap<string, { member: ListMemberResponse; to: Stage }>

/** Members by stage. A card is dragged, or its stage chosen. */
export function ListBoard({ list, version, onChanged, canWrite }: ListViewProps) {
  const [moved, setMoved] = useState<Moved>(new Map())
  const dragged = useRef<ListMemberResponse>(undefined)
  const forget = (id: string) =>
    setMoved(now => {
      const next = new Map(now)
      next.delete(id)
      return next
    })
  const move = async (member: ListMemberResponse, to: Stage) => {
    if (member.stage === to) return
    setMoved(now => new Map(now).set(member.id, { member: { ...member, stage: to }, to }))
    // a refusal puts it back; otherwise it is forgotten when its new column has been read
    if (!(await setStageWithUndo(list.id, [member], to, onChanged))) forget(member.id)
  }
  return (
    <>
      {list.more_labels > 0 && (
        <Notice>{list.more_labels} more labels are not shown here. The table has everyone.</Notice>
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
            onDrop={() => dragged.current && void move(dragged.current, stage)}
            onMove={(member, to) => void move(member, to)}
            onRemove={member => void removeWithUndo(list.id, [member], onChanged)}
            onSeen={forget}
          />
        ))}
      </section>
    </>
  )
}

interface ColumnProps {
  list: ListDetailResponse
  stage: Stage
  total: number
  custom: boolean
  version: number
  moved: Moved
  canWrite: boolean
  onDrag: (member: ListMemberResponse | undefined) => void
  onDrop: () => void
  onMove: (member: ListMemberResponse, to: Stage) => void
  onRemove: (member: ListMemberResponse) => void
  /** a member that was moved here has been read here */
  onSeen: (id: string) => void
}

function Column(props: ColumnProps) {
  const { list, stage, total, custom, version, moved, canWrite, onDrag, onDrop, onSeen } = props
  const path = `/sourcing/lists/${list.id}/members?limit=50&stage=${encodeURIComponent(stageParam(stage))}`
  const { rows, error, loading, more, loadMore, reload, retry } = usePages<ListMemberResponse>(path)
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

type CardProps = Pick<ColumnProps, 'list' | 'canWrite' | 'onDrag' | 'onMove' | 'onRemove'> & {
  member: ListMemberResponse
}

function Card({ member, list, canWrite, onDrag, onMove, onRemove }: CardProps) {
  const { person, sourced_profile_id } = member
  const name = nameOf(person)
  const movable = canWrite && !person?.suppressed
  return (
    <li
      class="list-card"
      draggable={movable}
      onDragStart={event => {
        event.dataTransfer!.effectAllowed = 'move'
        onDrag(member)
      }}
      onDragEnd={() => onDrag(undefined)}
    >
      <div class="card-head">
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
      {person && <div class="hint-line">{workOf(person) || person.headline}</div>}
      <div class="card-foot">
        {person?.suppressed && <Tag tone="warn">Processing stopped</Tag>}
        {person?.has_contact_info && <Tag tone="good">Contact</Tag>}
        {movable && (
          <StageSelect
            label={`Stage of ${name}`}
            value={member.stage}
            stages={list.stages}
            onChange={stage => onMove(member, stage)}
          />
        )}
      </div>
    </li>
  )
}
