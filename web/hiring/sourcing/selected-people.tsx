import { Button } from '../../ui/button.tsx'
import { amount } from '../../ui/numbers.ts'
import { onlyOf } from '../../ui/only-of.ts'
import { type List, type Member, type Stage, StageSelect } from './stages.tsx'

interface SelectedPeopleProps {
  list: List
  chosen: readonly Member[]
  onStage: (stage: Stage) => void
  onRemove: () => void
  onClear: () => void
}

/** What can be done with the selected people of a list, on its board and in its table. */
export const SelectedPeople = ({ list, chosen, onStage, onRemove, onClear }: SelectedPeopleProps) => (
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
    <Button small onClick={onRemove}>
      Remove
    </Button>
  </div>
)
