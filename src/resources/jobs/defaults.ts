import { DETAIL_LENGTHS } from '../../contract/limits.ts'
import type { Transaction } from '../../kernel/db/database.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { insertFormTemplate, type StoredFormField, type StoredStage, writeStages } from './sections-store.ts'

/** The stages of every new job. */
const DEFAULT_STAGES: readonly Omit<StoredStage, 'id' | 'order_package_ids'>[] = [
  { name: 'Applied', position: 0, type: 'applied', is_terminal: false },
  { name: 'Screen', position: 1, type: 'screen', is_terminal: false },
  { name: 'Interview', position: 2, type: 'interview', is_terminal: false },
  { name: 'Offer', position: 3, type: 'offer', is_terminal: false },
  { name: 'Hired', position: 4, type: 'hired', is_terminal: true },
  { name: 'Rejected', position: 5, type: 'rejected', is_terminal: true },
]

export const NON_TERMINAL_DEFAULT_STAGES = DEFAULT_STAGES.filter(stage => !stage.is_terminal).length

/** The default stages with new handles, for one job. */
export const defaultStages = (): StoredStage[] =>
  DEFAULT_STAGES.map(stage => ({ ...stage, id: newHandle('pipeline_stage'), order_package_ids: [] }))

export async function addDefaultStages(tx: Transaction, workspace: string, job: string): Promise<void> {
  await tx.query(writeStages(workspace, job, defaultStages()))
}

const templateField = (
  id: string,
  position: number,
  label: string,
  type: StoredFormField['type'],
  candidateField: StoredFormField['candidate_field'],
  opts: Partial<StoredFormField> = {},
): StoredFormField => ({
  id,
  position,
  label,
  type,
  required: false,
  section: null,
  help_text: null,
  options: [],
  max_length: null,
  candidate_field: candidateField,
  condition: null,
  version: 1,
  ...opts,
})

/** The ids are fixed, so that two processes that create the template at the same time create one. */
const TEMPLATE: readonly StoredFormField[] = [
  templateField('name', 0, 'Full name', 'text', 'name', { required: true, max_length: 200 }),
  templateField('email', 1, 'Email address', 'email', 'email', { required: true, max_length: DETAIL_LENGTHS.email }),
  templateField('phone', 2, 'Phone', 'phone', 'phone', { max_length: DETAIL_LENGTHS.phone }),
  templateField('linkedin', 3, 'LinkedIn profile', 'url', 'linkedin', { max_length: DETAIL_LENGTHS.url }),
  templateField('resume', 4, 'Résumé', 'file', 'resume', { help_text: 'PDF, Word, RTF or plain text, up to 5 MB.' }),
  templateField('cover_letter', 5, 'Cover letter', 'textarea', null, { max_length: 5000 }),
]

/** Labels that the default form had before, by what they ask for: forms that were stored with them keep them. */
const FORMER_LABELS: Readonly<Record<string, string>> = { email: 'E-mail address' }

/** Which texts of a field are those of the default form. A form of a job's own has other ids for the same questions. */
export function defaultTexts(field: Pick<StoredFormField, 'id' | 'label' | 'help_text' | 'candidate_field'>): {
  is_default_label: boolean
  is_default_help_text: boolean
} {
  const { id, label, help_text, candidate_field } = field
  const asked = candidate_field ?? id
  const original = TEMPLATE.find(t => (t.candidate_field ?? t.id) === asked)
  return {
    is_default_label: original?.label === label || (original !== undefined && FORMER_LABELS[asked] === label),
    is_default_help_text: help_text !== null && original?.help_text === help_text,
  }
}

/** The form of a workspace that has no job yet. */
export const defaultTemplate = (): readonly StoredFormField[] => TEMPLATE

/** Creates the template application form of a workspace if it has none yet. */
export async function ensureTemplateForm(tx: Transaction, workspace: string): Promise<void> {
  await tx.query(insertFormTemplate(workspace, TEMPLATE))
}
