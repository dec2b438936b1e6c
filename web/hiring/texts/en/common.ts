export const common = {
  save: 'Save',
  cancel: 'Cancel',
  close: 'Close',
  remove: 'Remove',
  undo: 'Undo',
  retry: 'Try again',
  loading: 'Loading',
  failed: 'Could not load. Nothing was lost.',
  forbidden: 'You have no access to this. Ask an owner or admin.',
  tooMany: 'More than 10,000. Add a filter.',
  open: 'Open',
  all: 'All',
  filter: 'Filter',
  sort: 'Sort',
  you: 'You',
  refused: (actor: string, candidate: string, stage: string) =>
    `${actor} moved ${candidate} to ${stage}. Your change was not made.`,
}
