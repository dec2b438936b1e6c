import { isManager, type Role } from '../contract/roles.ts'

/** The page after sign-in, if no other was requested. */
export const homeOf = (person: { role: Role }): string => (isManager(person) ? '/console' : '/hiring')
