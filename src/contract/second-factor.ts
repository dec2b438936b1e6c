import { isManager, type Role } from './roles.ts'

/** Who in a workspace must have a second factor: no one, owners and admins, everyone. */
export const SECOND_FACTOR_POLICIES = ['optional', 'required_for_admins', 'required'] as const
export type SecondFactorPolicy = (typeof SECOND_FACTOR_POLICIES)[number]

/** Whether the policy of a workspace asks a member with this role for a second factor. */
export const needsSecondFactor = (policy: SecondFactorPolicy, role: Role): boolean =>
  policy === 'required' || (policy === 'required_for_admins' && isManager({ role }))
