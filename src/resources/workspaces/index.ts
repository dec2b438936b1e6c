export {
  changeSettings,
  changeWorkspace,
  createWorkspace,
  listWorkspaces,
  readSettings,
  requireWorkspace,
} from './actions.ts'
export { workspaceRoutes } from './routes.ts'
export { allWorkspaces, settingsOf, workspaceById } from './store.ts'
