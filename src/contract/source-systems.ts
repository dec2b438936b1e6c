/** Name of a partner's own system in `source.system`. */
export const SOURCE_SYSTEM_PATTERN = /^[a-z0-9_]{2,40}$/

/** The same as keywords of a schema. */
export const SOURCE_SYSTEM_KEYWORDS = { pattern: SOURCE_SYSTEM_PATTERN.source, minLength: 2, maxLength: 40 }

/** What jobs created in the product carry as `source.system`. */
export const NATIVE_SYSTEM = 'tahoe_native'

/** Names under which the product itself makes records; a partner that used one could pass for it. */
const RESERVED: ReadonlySet<string> = new Set([
  'api',
  'board',
  'console',
  'hiring',
  'internal',
  'native',
  'partner_api',
  'public_board',
  'service',
  'system',
])

export const isPartnerSystem = (name: string): boolean =>
  SOURCE_SYSTEM_PATTERN.test(name) && !name.startsWith('tahoe') && !RESERVED.has(name)

/** What the reference says about the two members of `source`. */
export const SYSTEM_DESCRIPTION = 'Your system: 2 to 40 characters from a-z, 0-9 and _. Some names are reserved.'
export const EXTERNAL_ID_DESCRIPTION = 'Your id of the record. Together with the system it identifies the record.'

export const SYSTEM_RULE = 'must be 2 to 40 lower-case letters, digits and underscores, and not a reserved name'
