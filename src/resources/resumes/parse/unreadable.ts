/** The file itself is at fault: trying again gives the same. */
export class Unreadable extends Error {}
