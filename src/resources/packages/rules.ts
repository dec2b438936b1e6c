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
