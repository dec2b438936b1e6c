/** Who changes a job or an application: a partner's key or connected app by its id, a person in our pages, or the service itself. */
export type Author = string | { userId: string } | null

/** The key that events name as their origin. */
export const originKeyOf = (author: Author): string | null => (typeof author === 'string' ? author : null)

export const userOf = (author: Author): string | null =>
  typeof author === 'object' && author !== null ? author.userId : null

/** The author of a call of the API. */
export const authorOf = ({
  originKeyId,
  userId = null,
}: {
  originKeyId: string | null
  userId?: string | null | undefined
}): Author => originKeyId ?? (userId === null ? null : { userId })
