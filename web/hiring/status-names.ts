/** The statuses of an application as people say them. */
export const STATUS_NAMES: Readonly<Record<string, string>> = {
  new: 'New',
  in_review: 'In review',
  advanced: 'Advanced',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  hired: 'Hired',
}
