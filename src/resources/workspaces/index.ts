export {
  addTestWorkspace,
  changeLimits,
  changeSettings,
  changeWorkspace,
  createWorkspace,
  listWorkspaces,
  readLimits,
  readSettings,
  readWorkspaceLog,
  requireOpen,
  requireWorkspace,
  type WorkspaceLimit,
} from './actions.ts'
export { workspaceRoutes } from './routes.ts'
export { addToLog, allWorkspaces, anyWorkspace, selectWorkspaceSettings, workspaceById } from './store.ts'
