export {
  addAttachment,
  attachmentFolder,
  deleteProfile,
  type ImportedProfiles,
  importProfiles,
  revealContactInfo,
} from './actions.ts'
export { sourcedProfileRoutes } from './routes.ts'
export { type ContactValue, readProfile } from './rules.ts'
export { allProfiles, NOT_TO_BE_MAILED, toProfile, workspaceExists } from './store.ts'
