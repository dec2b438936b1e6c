import type { ApiError } from '../../ui/api.ts'

/** Someone else changed the same application first. */
export const isConflict = (error: ApiError | undefined): boolean =>
  error?.code === 'stale_resource' || error?.code === 'application_modified_concurrently'
