export { CONTACT_RULES, cleanProfile } from './clean-profile.ts'
export { isLockedDocument } from './doc.ts'
export { extractText, normalizeText } from './extract.ts'
export {
  detectSandbox,
  type IsolationLimits,
  type ParsedResume,
  type ReadOptions,
  type ReadResume,
  readResumeFile,
  SANDBOX_LIMITS,
} from './isolate.ts'
export { isLockedPdf } from './pdf-password.ts'
export { type Profile, parseProfile } from './profile.ts'
export { type Contact, readContact } from './read-contact.ts'
export type { Sandbox } from './sandbox.ts'
export { UNREADABLE_REASONS, Unreadable, type UnreadableReason } from './unreadable.ts'
