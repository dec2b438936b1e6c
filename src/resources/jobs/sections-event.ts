export type JobSection = 'pipeline_stages' | 'application_form' | 'prescreen_questions'

export const sectionsEvent = (
  workspaceId: string,
  job: { id: string; updated_at: string; status: string },
  section: JobSection,
  originKeyId: string | null,
) => ({
  type: 'job.sections_updated' as const,
  workspaceId,
  id: job.id,
  updatedAt: job.updated_at,
  values: { status: job.status },
  changed: [section],
  originKeyId,
})
