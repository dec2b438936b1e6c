import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { Sortable } from '../../ui/sortable.tsx'
import { send, useData } from '../api.ts'
import { KEYS } from '../key-table.ts'
import '../css/setup.css'
import { collectFaults, SaveBar, useDraft } from '../setup/draft.tsx'
import { JobPart } from '../setup/job-part.tsx'
import { isNew, newFieldKey } from '../setup/merge.ts'
import {
  counted,
  type Stage,
  StageHeads,
  StageRow,
  type StageSetup,
  type Stages,
  stageName,
  toStage,
} from '../setup/stage-row.tsx'

const MAX_STAGES = 50

/** Where the applications of a removed stage may go: an ended one does not become open again by itself, nor the reverse. */
const placesFor = (removed: Pick<Stage, 'is_terminal'>, stages: readonly Stage[]): Stage[] =>
  stages.filter(stage => removed.is_terminal || !stage.is_terminal)

/** A final stage that is before an open one, with the last open one. */
function misplaced(stages: readonly Stage[]): { final: Stage; open: Stage } | undefined {
  const open = stages.findLast(stage => !stage.is_terminal)
  const final = open && stages.slice(0, stages.indexOf(open)).find(stage => stage.is_terminal)
  return final && { final, open }
}

/** The stage to which the applications of a removed one go: the keys of both. */
type Places = Readonly<Record<string, string>>

/** With `to` for what was to go to a stage that is gone; without one, it has no place. */
const rerouted = (places: Places, gone: string, to?: string): Places =>
  Object.fromEntries(
    Object.entries(places).flatMap(([from, at]) => (at !== gone ? [[from, at]] : to === undefined ? [] : [[from, to]])),
  )

/** Why the stages cannot be saved as they are. */
function problemOf(stored: Stages, items: readonly Stage[], places: Places): string | undefined {
  if (items.some(({ name }) => name.trim() === '')) return 'Every stage needs a name.'
  const unplaced = removedFrom(stored, items).find(
    stage => stage.application_count > 0 && !placesFor(stage, items).some(({ key }) => key === places[stage.id]),
  )
  if (unplaced) return `Choose where the applications of “${unplaced.name}” go.`
  if (stored.job.status === 'published' && items.every(stage => stage.is_terminal))
    return 'A published job needs a stage that is not final.'
  // a partner may have pushed another order, which stays possible
  const wrong = misplaced(stored.stages.map(toStage)) ? undefined : misplaced(items)
  return wrong && `Final stages come last: move “${stageName(wrong.final)}” below “${stageName(wrong.open)}”.`
}

/** With a new stage before the first one that ends the application. */
function withNew(stages: readonly Stage[], key: string): Stage[] {
  const end = stages.findIndex(stage => stage.is_terminal)
  return stages.toSpliced(end < 0 ? stages.length : end, 0, {
    key,
    name: '',
    type: 'custom',
    is_terminal: false,
    order_package_ids: [],
  })
}

/** What is sent of the stages: those without an id are new. */
const inputOf = (stages: readonly Stage[], before: Stages, places: Places) => ({
  stages: stages.map(stage => ({
    ...(isNew(stage) ? {} : { id: stage.key }),
    name: stage.name,
    type: stage.type,
    is_terminal: stage.is_terminal,
    // nothing is ordered for people whose application has ended
    order_package_ids: stage.is_terminal ? [] : [...stage.order_package_ids],
  })),
  moves: removedFrom(before, stages).flatMap(({ id }) => {
    const to = stages.findIndex(({ key }) => key === places[id])
    return to < 0 ? [] : [{ from: id, to }]
  }),
  expected_version: before.version,
})

/** The stages of a job: names, types, order, and which of them end an application. */
export function JobStagesPage({ params: { id: jobId } }: PageProps<'id'>) {
  const ofJob = { job_id: jobId }
  const [places, setPlaces] = useState<Places>({})
  const [removing, setRemoving] = useState<StageSetup>()
  const [added, setAdded] = useState<string>()
  const draft = useDraft({
    read: useData('/jobs/{job_id}/stages', ofJob),
    jobId,
    itemsOf: response => response.stages.map(toStage),
    nameOf: stageName,
    saved: 'Stages saved',
    store: (stages, before) => send('/jobs/{job_id}/stages', ofJob, inputOf(stages, before, places)),
  })
  const { stored, items, setItems } = draft
  const set = (key: string, change: Partial<Stage>) =>
    setItems(before => before.map(stage => (stage.key === key ? { ...stage, ...change } : stage)))
  const add = () => {
    if (items.length >= MAX_STAGES) return
    const key = newFieldKey()
    setAdded(key)
    setItems(before => withNew(before, key))
  }
  const drop = (key: string) => {
    setItems(before => before.filter(stage => stage.key !== key))
    // what was to go there needs another place
    setPlaces(before => rerouted(before, key))
  }
  const remove = (stage: Stage) => {
    const found = stored?.stages.find(({ id }) => id === stage.key)
    if (found && found.application_count > 0) setRemoving(found)
    else drop(stage.key)
  }
  const removeTo = (stage: StageSetup, to: string) => {
    setItems(before => before.filter(({ key }) => key !== stage.id))
    // what was to go to the stage goes on to the same place
    setPlaces(before => ({ ...rerouted(before, stage.id, to), [stage.id]: to }))
    setRemoving(undefined)
  }
  useShortcuts([{ keys: KEYS.create, title: 'Add a stage', run: add }])

  const faults = collectFaults(draft.refused, 'stages', items)
  return (
    <JobPart draft={draft} tab="stages" title="Stages">
      {mayEdit => (
        <Section
          title="Stages"
          description="Candidates pass these from top to bottom. Drag a stage to move it, or focus its handle and press the arrow keys. No one moves on from a final stage; final stages come last."
          actions={mayEdit && <AddButton disabled={items.length >= MAX_STAGES} onClick={add} />}
        >
          <fieldset class="plain" disabled={!mayEdit}>
            <StageHeads />
            <Sortable label="Stages" items={items} nameOf={stageName} onSort={next => setItems(() => next)}>
              {(stage, index, handle) => (
                <StageRow
                  stage={stage}
                  index={index}
                  handle={handle}
                  count={stored?.stages.find(({ id }) => id === stage.key)?.application_count ?? 0}
                  jobId={jobId}
                  packages={stored?.packages ?? []}
                  fault={faults.get(`${stage.key} name`) ?? faults.get(`${stage.key} order_package_ids`)}
                  focused={stage.key === added}
                  onChange={change => set(stage.key, change)}
                  onRemove={items.length > 1 ? () => remove(stage) : undefined}
                />
              )}
            </Sortable>
          </fieldset>
          {stored && (
            <RemovedStages
              removed={removedFrom(stored, items)}
              items={items}
              places={places}
              onPlace={(stage, to) => setPlaces(before => ({ ...before, [stage.id]: to }))}
              onKeep={stage => setItems(before => restored(before, stage, stored.stages))}
            />
          )}
          {stored?.job.status !== 'published' && items.length > 0 && items.every(stage => stage.is_terminal) && (
            <Notice tone="warn">Without a stage that is not final, the job cannot be published.</Notice>
          )}
          <SaveBar draft={draft} problem={stored && problemOf(stored, items, places)} />
          {removing && (
            <RemoveDialog
              stage={removing}
              items={items}
              onClose={() => setRemoving(undefined)}
              onRemove={to => removeTo(removing, to)}
            />
          )}
        </Section>
      )}
    </JobPart>
  )
}

interface RemovedStagesProps {
  removed: readonly StageSetup[]
  items: readonly Stage[]
  places: Places
  onPlace: (stage: StageSetup, to: string) => void
  onKeep: (stage: StageSetup) => void
}

/** Lists the stages that are gone when the draft is saved, and where their applications go. */
const RemovedStages = ({ removed, items, places, onPlace, onKeep }: RemovedStagesProps) =>
  removed.length > 0 && (
    <section class="removed" aria-label="Removed stages">
      {removed.map(stage => (
        <Removal
          key={stage.id}
          stage={stage}
          places={placesFor(stage, items)}
          place={places[stage.id] ?? ''}
          onPlace={to => onPlace(stage, to)}
          onKeep={() => onKeep(stage)}
        />
      ))}
    </section>
  )

const AddButton = (props: { disabled: boolean; onClick: () => void }) => (
  <Button {...props}>
    <Icon name="plus" size={15} /> Add a stage
  </Button>
)

const removedFrom = ({ stages }: Stages, items: readonly Stage[]): StageSetup[] =>
  stages.filter(({ id }) => !items.some(({ key }) => key === id))

/** Back where it was: after the nearest stage that was above it. */
function restored(items: readonly Stage[], stage: StageSetup, stored: readonly StageSetup[]): Stage[] {
  const above = stored.slice(
    0,
    stored.findIndex(({ id }) => id === stage.id),
  )
  const last = above.findLast(({ id }) => items.some(({ key }) => key === id))
  const at = last ? items.findIndex(({ key }) => key === last.id) + 1 : 0
  return items.toSpliced(at, 0, toStage(stage))
}

interface RemovalProps {
  stage: StageSetup
  places: readonly Stage[]
  place: string
  onPlace: (key: string) => void
  onKeep: () => void
}

/** A stage that is removed with the next save, and where its applications go then. */
const Removal = ({ stage, places, place, onPlace, onKeep }: RemovalProps) => (
  <div class="removal">
    <span>
      <strong>{stage.name}</strong> is removed when you save.
    </span>
    {stage.application_count > 0 && (
      <label>
        {stage.application_count === 1 ? 'Its application goes' : `Its ${counted(stage.application_count)} go`} to{' '}
        <select
          aria-label={`Where the applications of ${stage.name} go`}
          value={place}
          onInput={event => onPlace(event.currentTarget.value)}
        >
          {!places.some(({ key }) => key === place) && <option value="">Choose a stage</option>}
          {places.map(option => (
            <option key={option.key} value={option.key} selected={option.key === place}>
              {stageName(option)}
            </option>
          ))}
        </select>
      </label>
    )}
    <Button small onClick={onKeep}>
      Keep it
    </Button>
  </div>
)

interface RemoveDialogProps {
  stage: StageSetup
  /** it, and the others */
  items: readonly Stage[]
  onClose: () => void
  onRemove: (to: string) => void
}

function RemoveDialog({ stage, items, onClose, onRemove }: RemoveDialogProps) {
  const at = items.findIndex(({ key }) => key === stage.id)
  // someone else may have removed it since
  const others = items.filter(({ key }) => key !== stage.id)
  const places = placesFor(stage, others)
  // the nearest one before it
  const suggested = items.slice(0, at).findLast(({ key }) => places.some(place => place.key === key)) ?? places[0]
  const [to, setTo] = useState(suggested?.key ?? '')
  return (
    <Dialog title={`Remove “${stage.name}”`} onClose={onClose}>
      {places.length === 0 ? (
        <p>
          {counted(stage.application_count)} are in this stage, and there is no other stage for them. Add one that is
          not final first.
        </p>
      ) : (
        <>
          <p>
            {counted(stage.application_count)} {stage.application_count === 1 ? 'is' : 'are'} in this stage. Each one
            that moves gets a step in its history, and partners get an event for it.
          </p>
          <SelectField
            label="Move them to"
            value={to}
            options={places.map(place => [place.key, stageName(place)] as const)}
            onInput={setTo}
          />
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" disabled={to === ''} onClick={() => onRemove(to)}>
          Remove the stage
        </Button>
      </DialogActions>
    </Dialog>
  )
}
