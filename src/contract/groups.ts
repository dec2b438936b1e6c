/** The groups of endpoints in the order of the reference, with what each is about. */
export const GROUPS: Readonly<Record<string, string>> = {
  Meta: 'The identity, access and audit log of a key, and the OpenAPI description.',
  'Workspaces and users': 'The workspaces that a key has access to, and their members.',
  Installations: 'Apps of many customers: the installation of a key, and the installations of an app.',
  Jobs: 'Requisitions with their sections, application form and pipeline. Push jobs from your system and publish them.',
  Applications: 'Applications from arrival to decision: stage, status, answers, score, résumé, notes and scorecards.',
  Applicants: 'The people who applied, their applications, résumés and contact details.',
  'Sourced profiles': 'Candidates that the workspace found and saved, with the contact details it has revealed.',
  'Shared pool': 'Public professional profiles that all workspaces share. They have no contact details.',
  People: 'Find out which of your records, applicants and profiles are the same person.',
  'Projects and lists': 'Projects and candidate lists, with the members and their stages.',
  Messages: 'Send email to applicants. Every email has an unsubscribe link.',
  'Checks and assessments':
    'Tests and checks by vendors: packages that they offer, orders for candidates, and results.',
  Analytics: 'Hiring-funnel counts. They contain no personal data.',
  Events: 'The change feed, one ordered log of all changes, and the erasure notices.',
  Webhooks: 'Events delivered to your endpoint: signed, retried and logged.',
  'Test workspaces': 'Reset and fill a test workspace, and read the emails that it would have sent.',
  'Full copy': 'Exports: files with the exact state at one point of the feed.',
}
