export {
  changeLimits,
  changeSettings,
  changeWorkspace,
  createWorkspace,
  type Limit,
  listWorkspaces,
  readLimits,
  readSettings,
  readWorkspaceLog,
  requireOpen,
  requireWorkspace,
} from './actions.ts'
export { workspaceRoutes } from './routes.ts'
export { addToLog, allWorkspaces, anyWorkspace, settingsOf, workspaceById } from './store.ts'
