/** Kinds of tests and checks for people: in lists, and short on a card. A kind that comes later is a check. */
const KINDS: Readonly<Record<string, readonly [title: string, short: string]>> = {
  skills_test: ['Skills test', 'Test'],
  cognitive_test: ['Cognitive test', 'Test'],
  personality_test: ['Personality test', 'Test'],
  video_interview: ['Video interview', 'Video'],
  work_sample: ['Work sample', 'Work sample'],
  reference_check: ['Reference check', 'References'],
  background_check: ['Background check', 'Background'],
  identity_check: ['Identity check', 'Identity'],
}

const OTHER = ['Other check', 'Check'] as const

export const kindTitle = (kind: string): string => (KINDS[kind] ?? OTHER)[0]
export const kindShort = (kind: string): string => (KINDS[kind] ?? OTHER)[1]

const SHARES: Readonly<Record<string, string>> = { email: 'email', phone: 'phone number', resume: 'résumé' }

/** What the vendor can read of the candidate while an order is open: `name, email, résumé`. */
export const sharedTitle = (shares: readonly string[]): string =>
  ['name', ...shares.map(share => SHARES[share] ?? share)].join(', ')
