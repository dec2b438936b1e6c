export {
  type Actor,
  addMembers,
  createList,
  createProject,
  deleteList,
  removeMembers,
  removeProfileFromLists,
  setMemberStage,
  updateList,
} from './actions.ts'
export { listRoutes } from './routes.ts'
export { withoutLabels } from './rules.ts'
export { allMembers, lists } from './store.ts'
