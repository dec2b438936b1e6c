/**
 * Identifiers of people in the one form that is compared, stored and hashed. Two spellings of one address or profile
 * have the same key; a text that identifies nobody has none.
 */

const EMAIL = /^[^\s@<>()[\],;:"\\\p{Cc}]+@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,}$/u

/** Lower case, trimmed; undefined for what is no e-mail address. */
export function emailKey(text: string): string | undefined {
  const key = text.normalize('NFC').trim().toLowerCase()
  if (key.length > 254 || key.indexOf('@') > 64) return undefined
  return EMAIL.test(key) && !key.includes('..') && !key.startsWith('.') && !key.includes('.@') ? key : undefined
}

/** `in/<slug>` of a profile address, whatever its country host, query, spelling or trailing slash. */
export function linkedinKey(url: string): string | undefined {
  const text = url.trim()
  let parsed: URL
  try {
    parsed = new URL(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  } catch {
    return undefined
  }
  if (!isLinkedinHost(parsed.hostname)) return undefined
  const [kind, slug] = parsed.pathname.split('/').filter(part => part !== '')
  if (kind?.toLowerCase() !== 'in' || !slug) return undefined
  let name: string
  try {
    name = decodeURIComponent(slug)
  } catch {
    return undefined
  }
  const key = name.normalize('NFC').trim().toLowerCase()
  return key === '' || key.length > 200 || /[\s/?#%\p{Cc}]/u.test(key) ? undefined : `in/${key}`
}

const isLinkedinHost = (host: string): boolean => /^(?:[a-z0-9-]+\.)?linkedin\.com\.?$/i.test(host)

/** An address that several people share: it reaches somebody, but identifies nobody. */
const ROLE_NAMES = new Set(
  `abuse accounting accounts admin administrator all apply billing bounce bounces careers contact customerservice
  do-not-reply donotreply enquiries everyone feedback finance hello help helpdesk hi hiring hostmaster hr info
  information inquiries invoices it jobs legal mail mailer-daemon marketing media news newsletter no-reply noreply
  notifications office orders people postmaster press privacy recruiting recruitment root sales security service
  staff subscribe support talent team tech unsubscribe webmaster welcome work`.split(/\s+/),
)

export function isRoleAddress(key: string): boolean {
  const name = key.slice(0, key.lastIndexOf('@')).replace(/\+.*$/, '')
  return ROLE_NAMES.has(name) || ROLE_NAMES.has(name.replace(/[._-]/g, ''))
}
