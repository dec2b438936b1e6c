import type { Role } from '../contract/scopes.ts'

/** The console is for owners and admins. */
export const mayUseConsole = ({ role }: { role: Role }): boolean => role === 'owner' || role === 'admin'

/** Where people land who were on their way nowhere in particular. */
export const homeOf = (person: { role: Role }): string => (mayUseConsole(person) ? '/console' : '/account')
