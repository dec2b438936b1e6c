import type { roles as english } from '../en/roles.ts'

export const roles: typeof english = {}
