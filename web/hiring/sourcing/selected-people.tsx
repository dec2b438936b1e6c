import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { amount } from '../../ui/numbers.ts'
import { onlyOf } from '../../ui/only-of.ts'
import { ProfilesToJobDialog, useMayAddToJob } from '../adding/profiles-to-job.tsx'
import { KEYS } from '../key-table.ts'
import { t } from '../texts/index.ts'
import { profileName } from './people.tsx'
import { type List, type Member, type Stage, StageSelect } from './stages.tsx'

interface SelectedPeopleProps {
  list: List
  chosen: readonly Member[]
  onStage: (stage: Stage) => void
  onRemove: () => void
  onClear: () => void
}

/** What can be done with the selected people of a list, on its board and in its table. */
export function SelectedPeople({ list, chosen, onStage, onRemove, onClear }: SelectedPeopleProps) {
  const canAdd = useMayAddToJob()
  const [toJob, setToJob] = useState(false)
  // people who asked for processing to stop are in lists, and in no job
  const people = chosen.flatMap(({ person, sourced_profile_id: id }) =>
    person && !person.suppressed ? { id, name: profileName(person), hasAddress: person.has_contact_info } : [],
  )
  const ask = () => setToJob(true)
  useShortcuts(canAdd && people.length > 0 ? [{ keys: KEYS.toJob, title: t.adding.toJob, run: ask }] : [])
  return (
    <div class="results-bar">
      <span role="status">{amount(chosen.length, 'person', 'people')} selected</span>
      <Button small onClick={onClear}>
        Clear
      </Button>
      <span class="spread" />
      <span class="inline">
        <span class="soft">Stage</span>
        <StageSelect
          label="Stage of the selected people"
          value={onlyOf([...new Set(chosen.map(({ stage }) => stage))]) ?? null}
          stages={list.stages}
          onChange={onStage}
        />
      </span>
      {canAdd && (
        <Button small disabled={people.length === 0} onClick={ask} title={`Key: ${KEYS.toJob}`}>
          {t.adding.toJob}
        </Button>
      )}
      <Button small onClick={onRemove}>
        Remove
      </Button>
      {toJob && <ProfilesToJobDialog people={people} onClose={() => setToJob(false)} onAdded={onClear} />}
    </div>
  )
}
