import type { Field } from '../kernel/http/shape.ts'

/**
 * Texts that the service makes or that the workspace's own team writes, by the component of the shape. Every other free
 * text of a record counts as outside text: it was written by a candidate, a partner system or a website, and may contain
 * instructions for a model. A new text field is outside text until it is listed here.
 */
export const OWN_TEXT: Readonly<Record<string, readonly string[]>> = {
  credential: ['*'],
  resource_access: ['*'],
  personal_data_read: ['*'],
  api_request: ['*'],
  workspace: ['*'],
  user: ['*'],
  project: ['*'],
  pipeline_stage: ['*'],
  application_form: ['*'],
  prescreen_questions: ['*'],
  publish_readiness: ['*'],
  suppression: ['*'],
  suppression_acknowledgement: ['*'],
  upload: ['*'],
  webhook_recovery: ['*'],
  // the vendor or a partner wrote the other texts of an order
  order: ['placed_by'],
  order_summary: ['placed_by'],
  // the other texts of a job may come from a partner system, and so may lists, endpoints and messages
  job: ['slug', 'language', 'voice_screening'],
  job_summary: ['slug', 'language'],
  job_sections: ['slug', 'voice_screening'],
  applicant: ['provenance'],
  sourced_profile: ['provenance'],
  pool_profile: ['provenance'],
  person: ['display_source', 'profiles'],
  profile_pointer: ['id', 'provenance'],
  attachment: ['mime', 'uploaded_at', 'required_scope'],
  application_score: ['gaps', 'model_version'],
  contact_info: ['subject', 'excluded_reason'],
  hiring_funnel: ['stages'],
  event: ['id', 'type', 'api_version', 'created_at', 'workspace_id', 'links'],
  webhook_delivery: ['event_type'],
}

/** Whether all texts below a field of this component are the service's or the team's own. */
export const isOwnText = (component: string, field: string): boolean => {
  const own = OWN_TEXT[component] ?? []
  return own.includes('*') || own.includes(field)
}

/** Whether a value of the field is one of a closed set or has a form that no sentence has. */
export function hasNoFreeText({ schema }: Field): boolean {
  const { type, format } = schema as { type?: unknown; format?: unknown }
  if (schema['enum'] !== undefined || schema['const'] !== undefined) return true
  // handles are declared with an example
  if (schema['examples'] !== undefined) return true
  if (type === 'integer' || type === 'number' || type === 'boolean') return true
  return type === 'string' && (format === 'date-time' || format === 'date' || format === 'uuid')
}

/**
 * Characters that a person does not see and a model reads: tags and variation selectors, which can spell a whole hidden
 * sentence, fillers, zero-width characters, annotations, and marks that reorder text. They are removed from outside text;
 * the API returns them. The two joiners stay: words of several languages need them.
 */
const INVISIBLE =
  /[\uFE00-\uFE0F]|\u034F|\u17B4|\u17B5|[\u180B-\u180F]|[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu

export const visible = (text: string): string => text.replaceAll('\r\n', '\n').replace(INVISIBLE, '')
