import type { Role } from '../contract/scopes.ts'

/** The console is for those who answer for the workspace. */
export const mayUseConsole = ({ role }: { role: Role }): boolean => role === 'owner' || role === 'admin'

/** Where people land who were on their way nowhere in particular. */
export const homeOf = (person: { role: Role }): string => (mayUseConsole(person) ? '/console' : '/account')
