/** For the schema of an object: a field that is not declared is refused. */
export const closed = { additionalProperties: false } as const
