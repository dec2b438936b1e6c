import { TEAM_SOURCES } from '../../../src/contract/added-sources.ts'
import { SelectField } from '../../ui/form.tsx'
import { isFinal } from '../outcome.ts'
import { t } from '../texts/index.ts'
import type { Source } from './add.ts'

export interface JobStage {
  id: string
  name: string
  type: string
  is_terminal: boolean
}

/** Where people are put: a final stage is a decision. */
export const openStages = (stages: readonly JobStage[]): JobStage[] => stages.filter(stage => !isFinal(stage))

interface Props {
  stages: readonly JobStage[]
  stage: string
  onStage: (id: string) => void
  stageFault?: string | undefined
  source: Source
  onSource: (source: Source) => void
}

/** Where candidates begin, and how they came. */
export const StageAndSource = ({ stages, stage, onStage, stageFault, source, onSource }: Props) => (
  <div class="field-row">
    <SelectField
      label={t.adding.stage}
      value={stage}
      options={openStages(stages).map(({ id, name }) => [id, name] as const)}
      onInput={onStage}
      fault={stageFault}
    />
    <SelectField
      label={t.adding.source}
      value={source}
      options={TEAM_SOURCES.map(one => [one, t.adding.sources[one]] as const)}
      onInput={onSource}
    />
  </div>
)
