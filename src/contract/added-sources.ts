/** How a candidate whom the team adds came to it. The person who adds them chooses one. */
export const TEAM_SOURCES = ['team:manual', 'team:referral', 'team:agency', 'team:event'] as const

export type TeamSource = (typeof TEAM_SOURCES)[number]

/** Sources of applications that the team makes. The others are set by the product. */
export const ADDED_SOURCES = [...TEAM_SOURCES, 'team:sourced', 'team:transfer', 'import:file'] as const

export type AddedSource = (typeof ADDED_SOURCES)[number]

/** Candidates in one request of the hiring pages. */
export const MAX_ADDED = 20
