import type { Role } from '../contract/scopes.ts'

export const CONSOLE_ROLES: readonly Role[] = ['owner', 'admin']

export const mayUseConsole = ({ role }: { role: Role }): boolean => CONSOLE_ROLES.includes(role)

/** The page after sign-in, if no other was requested. */
export const chooseLandingPage = (person: { role: Role }): string => (mayUseConsole(person) ? '/console' : '/hiring')
