/** What a test workspace can be filled with. */
export const SEEDS = ['none', 'small', 'checks'] as const
export type Seed = (typeof SEEDS)[number]
