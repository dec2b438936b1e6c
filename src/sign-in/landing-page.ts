import type { Role } from '../contract/scopes.ts'

/** The console is for owners and admins. */
export const mayUseConsole = ({ role }: { role: Role }): boolean => role === 'owner' || role === 'admin'

/** The page after sign-in, if no other was requested. */
export const homeOf = (person: { role: Role }): string => (mayUseConsole(person) ? '/console' : '/hiring')
