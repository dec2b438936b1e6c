export { createTestWorkspace, deleteUnused } from './actions.ts'
export { NEWEST_MAIL, testWorkspaceRoutes } from './routes.ts'
export type { Activity, ActivityNeeds } from './seed-actions.ts'
export { capturedMail, capturedMails, testWorkspacesOf } from './store.ts'
