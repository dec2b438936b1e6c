export {
  addMembers,
  createList,
  createProject,
  deleteList,
  type ListActor,
  removeMembers,
  removeProfileFromLists,
  restoreMembers,
  setListArchived,
  setMemberStage,
  updateList,
  updateProject,
} from './actions.ts'
export {
  type ListStageCount,
  listStageCounts,
  namedMemberships,
  type ShownList,
  type ShownMember,
  shownList,
  shownLists,
  shownMembers,
  shownProjects,
} from './pages-store.ts'
export { listRoutes } from './routes.ts'
export { NO_STAGE, STAGE_KEYS, withoutLabels } from './rules.ts'
export { allLists, allMembers, listableProfileExists, lockList } from './store.ts'
