export type Role = 'owner' | 'admin' | 'member' | 'viewer'

export const ROLES: readonly Role[] = ['owner', 'admin', 'member', 'viewer']

/** Owners and admins manage the workspace, and work on all of its jobs. */
export const MANAGER_ROLES = ['owner', 'admin'] as const satisfies readonly Role[]

const managers: readonly Role[] = MANAGER_ROLES
export const isManager = ({ role }: { role: Role }): boolean => managers.includes(role)

/** Members and viewers can be limited to the jobs whose team they are on. */
export const LIMITABLE_ROLES = ['member', 'viewer'] as const satisfies readonly Role[]

const limitable: readonly Role[] = LIMITABLE_ROLES
export const canBeLimited = (role: Role): boolean => limitable.includes(role)
