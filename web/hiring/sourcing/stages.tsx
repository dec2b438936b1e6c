import { useState } from 'preact/hooks'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField, useSubmit } from '../../ui/form.tsx'
import { amount } from '../../ui/numbers.ts'
import { type Read, type Row, send } from '../api.ts'

export type List = Read<'/sourcing/lists/{list_id}'>
export type Member = Row<'/sourcing/lists/{list_id}/members'>

export type Stage = string | null

/** A stage in the words of a page; labels are shown as they were written. */
export const stageTitle = (stage: Stage): string =>
  stage === null ? 'No stage' : stage.charAt(0).toUpperCase() + stage.slice(1)

/** In the address and in requests. */
export const stageParam = (stage: Stage): string => stage ?? 'none'

/** Changes the stage of members, and says what did not change. */
export async function sendStage(list: string, memberIds: readonly string[], stage: Stage): Promise<string | undefined> {
  const { results } = await send(
    '/sourcing/lists/{list_id}/stage',
    { list_id: list },
    { member_ids: [...memberIds], stage: stageParam(stage) },
  )
  const stopped = results.filter(({ status }) => status === 'stopped').length
  const gone = results.filter(({ status }) => status === 'not_found').length
  const faults = [
    stopped > 0 && `${amount(stopped, 'person', 'people')} asked for processing to stop and cannot be moved`,
    gone > 0 && `${amount(gone, 'member')} are no longer in the list`,
  ].filter(Boolean)
  return faults.length > 0 ? `${faults.join('; ')}.` : undefined
}

const NEW = '+'

interface SelectProps {
  label: string
  value: Stage
  stages: List['stages']
  onChange: (stage: Stage) => void
}

/** Every stage of a list; the last choice is a label that the list does not have yet. */
export function StageSelect({ label, value, stages, onChange }: SelectProps) {
  const [asking, setAsking] = useState(false)
  const known = stages.some(({ stage }) => stage === value) ? stages : [...stages, { stage: value }]
  return (
    <>
      <select
        class="stage-select"
        aria-label={label}
        value={stageParam(value)}
        onChange={event => {
          const chosen = event.currentTarget.value
          event.currentTarget.value = stageParam(value)
          if (chosen === NEW) setAsking(true)
          else onChange(chosen === 'none' ? null : chosen)
        }}
      >
        {known.map(({ stage }) => (
          <option key={stageParam(stage)} value={stageParam(stage)} selected={stage === value}>
            {stageTitle(stage)}
          </option>
        ))}
        <option value={NEW}>New label…</option>
      </select>
      {asking && (
        <LabelDialog
          onClose={() => setAsking(false)}
          onLabel={text => {
            setAsking(false)
            onChange(text)
          }}
        />
      )}
    </>
  )
}

const MAX_LABEL = 40

function LabelDialog({ onClose, onLabel }: { onClose: () => void; onLabel: (label: string) => void }) {
  const [text, setText] = useState('')
  const { error, submit } = useSubmit()
  const label = text.trim()
  const valid = label !== '' && [...label].length <= MAX_LABEL
  return (
    <FormDialog
      title="New label"
      onClose={onClose}
      action="Use label"
      error={error}
      unmarked
      disabled={!valid}
      onSubmit={() => {
        if (valid) submit(async () => onLabel(label))
      }}
    >
      <TextField
        label="Label"
        value={text}
        onInput={setText}
        maxLength={MAX_LABEL}
        hint={`At most ${MAX_LABEL} characters. Other members of the list can then have it, too.`}
      />
    </FormDialog>
  )
}
