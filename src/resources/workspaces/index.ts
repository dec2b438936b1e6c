export {
  changeLimits,
  changeSettings,
  changeWorkspace,
  createWorkspace,
  type Limit,
  listWorkspaces,
  readLimits,
  readSettings,
  requireWorkspace,
} from './actions.ts'
export { workspaceRoutes } from './routes.ts'
export { addToLog, allWorkspaces, logOf, settingsOf, workspaceById } from './store.ts'
