export {
  addAttachment,
  attachmentFolder,
  deleteProfile,
  type Imported,
  importProfiles,
  revealContactInfo,
} from './actions.ts'
export { sourcedProfileRoutes } from './routes.ts'
export { type ContactValue, readProfile } from './rules.ts'
export { NOT_TO_BE_MAILED, profiles, toProfile, workspaceExists } from './store.ts'
