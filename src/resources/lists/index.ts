export {
  addMembers,
  createList,
  createProject,
  deleteList,
  type ListActor,
  removeMembers,
  removeProfileFromLists,
  setMemberStage,
  updateList,
} from './actions.ts'
export { listRoutes } from './routes.ts'
export { withoutLabels } from './rules.ts'
export { allLists, allMembers } from './store.ts'
