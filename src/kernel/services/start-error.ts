/** A start that cannot succeed, said in one line. */
export class StartError extends Error {}
