/** A private note is for its author, the members whom it mentions, owners and admins; it is not in the API. */
export const NOTE_VISIBILITIES = ['team', 'private'] as const

export type NoteVisibility = (typeof NOTE_VISIBILITIES)[number]
