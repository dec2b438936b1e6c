import type { InputFault } from '../../kernel/http/faults.ts'
import { isBelow } from '../../kernel/text/hosts.ts'
import type { PackageKind } from './shape.ts'

/** What a package says about invitations has to fit together. */
export const invitationFaults = (p: { invitation: string; candidate_host: string | null }): InputFault[] => {
  if (p.invitation === 'service' && p.candidate_host === null)
    return [{ param: 'candidate_host', message: 'is required if the service invites' }]
  if (p.invitation === 'vendor' && p.candidate_host !== null)
    return [{ param: 'candidate_host', message: 'must be null if the vendor invites' }]
  return []
}

/** Findings of these stay with the vendor: the service stores the outcome alone. */
const OUTCOME_ONLY: readonly PackageKind[] = ['background_check', 'identity_check']

export const keepsOutcomeOnly = (kind: PackageKind): boolean => OUTCOME_ONLY.includes(kind)

/** What was a check whose findings stay with the vendor does not become one that takes them, where no one is asked. */
export const kindFaults = (before: { kind: PackageKind }, after: { kind: PackageKind }): InputFault[] =>
  keepsOutcomeOnly(before.kind) && after.kind !== before.kind
    ? [{ param: 'kind', message: `cannot change from ${before.kind}: publish another package` }]
    : []

interface Places {
  candidate_host: string | null
  privacy_url: string
  info_url: string | null
}

/** An app leads people to its proved domains alone; `domains` is undefined for vendors that are no app. */
export function hostFaults(places: Places, domains: readonly string[] | undefined): InputFault[] {
  if (domains === undefined) return []
  const hostOf = (url: string | null) => url && new URL(url).hostname
  const hosts = {
    candidate_host: places.candidate_host?.toLowerCase() ?? null,
    privacy_url: hostOf(places.privacy_url),
    info_url: hostOf(places.info_url),
  }
  return Object.entries(hosts)
    .filter(([, host]) => host !== null && !domains.some(domain => isBelow(host, domain)))
    .map(([param]) => ({ param, message: `must be in a domain of the app: ${domains.join(', ') || 'it has none'}` }))
}

interface Consented {
  name: string
  kind: PackageKind
  invitation: string
  candidate_host: string | null
  privacy_url: string
  shares: readonly string[]
}

/**
 * Whether a change of an offered package needs the consent of an owner or admin again: the vendor would read more of candidates,
 * lead them somewhere else, or show them and recruiters something else.
 */
export const needsNewConsent = (before: Consented, after: Consented): boolean =>
  after.shares.some(value => !before.shares.includes(value)) ||
  after.name !== before.name ||
  after.kind !== before.kind ||
  after.invitation !== before.invitation ||
  after.candidate_host !== before.candidate_host ||
  after.privacy_url !== before.privacy_url
