/** The statuses of an application. Stored counts number them in this order. */
export const APPLICATION_STATUSES = ['new', 'in_review', 'advanced', 'rejected', 'withdrawn', 'hired'] as const
export type ApplicationStatus = (typeof APPLICATION_STATUSES)[number]

/** These wait for a decision. The others stay in their stage; a board shows them only if asked to. */
export const OPEN_STATUSES = ['new', 'in_review', 'advanced'] as const satisfies readonly ApplicationStatus[]
export type OpenStatus = (typeof OPEN_STATUSES)[number]

const open: readonly ApplicationStatus[] = OPEN_STATUSES
export const isOpen = (status: ApplicationStatus): status is OpenStatus => open.includes(status)
