/** The reason of each side that says nothing by itself: who chooses it writes a text. */
export const FREE_REASONS = { reject: 'other', withdraw: 'withdraw_other' } as const

export type ReasonSide = keyof typeof FREE_REASONS
