/** Responses of the endpoints that change the parts of a job. The pages import this file. */

/** A job, as the pages that change a part of it name it. */
export interface SetupJob {
  id: string
  title: string
  status: 'draft' | 'published' | 'closed'
}

/** A part of a job with its `version`, which a change sends as `expected_version`. */
export interface StagesResponse {
  job: SetupJob
  version: string
  stages: StageSetup[]
}

export interface StageSetup {
  id: string
  name: string
  type: StageTypeName
  is_terminal: boolean
  application_count: number
}

export type StageTypeName =
  | 'applied'
  | 'screen'
  | 'assessment'
  | 'interview'
  | 'offer'
  | 'hired'
  | 'rejected'
  | 'custom'

export type FormFieldTypeName =
  | 'text'
  | 'textarea'
  | 'select'
  | 'multiselect'
  | 'boolean'
  | 'number'
  | 'date'
  | 'url'
  | 'email'
  | 'phone'
  | 'file'
  | 'section'
  | 'consent'
  | 'eeo'

export interface FormFieldSetup {
  id: string
  label: string
  type: FormFieldTypeName
  required: boolean
  section: string | null
  help_text: string | null
  options: string[]
  max_length: number | null
  candidate_field: 'name' | 'email' | 'phone' | 'linkedin' | 'resume' | null
  condition: { field_id: string; values: string[] } | null
  /** rises when the texts of the question change; a consent names it */
  version: number
  is_default_label: boolean
  is_default_help_text: boolean
}

export interface FormResponse {
  job: SetupJob
  version: string
  is_template: boolean
  has_phone_prescreen: boolean
  /** of a form of the job's own */
  fields: FormFieldSetup[]
  template: FormFieldSetup[]
  /** asked at the end of the form; empty for roles without jobs:screening:read */
  questions: QuestionSetup[]
}

export interface TemplateFormResponse {
  version: string
  fields: FormFieldSetup[]
  /** how many jobs use the template, by status, and how many have a form of their own */
  jobs: { published: number; draft: number; closed: number; own: number }
  /** the latest of those with a form of their own */
  own_forms: SetupJob[]
  /** events of the last change are still being written */
  emitting: boolean
}

export interface QuestionSetup {
  id: string
  kind: 'common' | 'adaptive'
  prompt: string
  response_key: string
  answer_type: 'boolean' | 'number' | 'text' | 'choice' | 'multi_choice'
  choices: string[] | null
  required: boolean
  source: 'template' | 'ai' | 'recruiter'
}

export interface QuestionsResponse {
  job: SetupJob
  version: string
  /** six digits; null: the job has no phone pre-screen */
  dial_in_code: string | null
  questions: QuestionSetup[]
}
