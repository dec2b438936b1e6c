export {
  addAttachment,
  attachmentFolder,
  buyContactInfo,
  deleteProfile,
  readPersonOfProfile,
  revealContactInfo,
  savedFromPool,
} from './actions.ts'
export { checkProfiles, type ImportedProfiles, importProfiles } from './import-actions.ts'
export { readTableRow, TABLE_COLUMNS, tableColumns } from './import-rules.ts'
export { profileRelation } from './relations.ts'
export { sourcedProfileRoutes } from './routes.ts'
export { type ContactValue, readProfile } from './rules.ts'
export { allProfiles, notToBeMailed, toProfile } from './store.ts'
