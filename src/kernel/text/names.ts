import { UserError } from '../errors/user-error.ts'

/**
 * Names of people, apps, keys, templates, workspaces and packages are chosen by one person and shown to others: in emails that the
 * service sends, and where a person is asked to allow something. They are one line, hold nothing invisible that could
 * reorder it, and nothing that a mail program turns into a link.
 */
export const NAME_LENGTHS = {
  person: 60,
  fullName: 121,
  app: 100,
  key: 100,
  template: 100,
  workspace: 200,
  package: 200,
} as const

export type NameKind = keyof typeof NAME_LENGTHS

/** Control and format characters and line breaks; joiners are part of names in several scripts. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/u
/** A scheme, a host that says so, or a host with a path. `Booking.com` alone is a name. */
const LINK = /:\/\/|\bwww\.|\bmailto:|[\p{L}\p{N}]\.\p{L}{2,}\//iu

/** Characters that move or reorder the text around them: control characters, line breaks, overrides of the reading direction. */
const DISORDERING = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** Why a title, a tag or the name of a stage, which others read inside sentences, is refused; undefined if it is not. */
export const lineFault = (text: string): string | undefined =>
  DISORDERING.test(text.trim()) ? 'must be one line without control characters' : undefined

/** Why a text cannot be such a name, as the end of a sentence about it; undefined if it can. */
export function nameFault(text: string, kind: NameKind): string | undefined {
  const name = text.trim()
  if ([...name].length > NAME_LENGTHS[kind]) return `must be at most ${NAME_LENGTHS[kind]} characters`
  if (INVISIBLE.test(name)) return 'must be one line without control characters'
  if (LINK.test(name)) return 'must not contain a link'
  return undefined
}

/** A stored name as it is shown to other people: one from before the rule that breaks it is left out. */
export const shownName = (text: string | null, kind: NameKind): string | null =>
  text !== null && text.trim() !== '' && nameFault(text, kind) === undefined ? text.trim() : null

/** The name, trimmed; throws if it must not be shown to other people. */
export function requireName(what: string, text: string, kind: NameKind): string {
  const fault = nameFault(text, kind)
  if (fault !== undefined) throw new UserError(`the ${what} ${fault}`)
  return text.trim()
}
