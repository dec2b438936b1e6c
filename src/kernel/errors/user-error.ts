/** An action that cannot be done as requested, explained in one line for a person: the command line and the console show it. */
export class UserError extends Error {}
