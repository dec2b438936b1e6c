export {
  addTestWorkspace,
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
export { addToLog, allWorkspaces, anyWorkspace, selectWorkspaceSettings, workspaceById } from './store.ts'
