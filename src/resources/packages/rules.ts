import type { InputFault } from '../../kernel/http/faults.ts'
import { isBelow } from '../../kernel/text/hosts.ts'

/** What a package says about invitations has to fit together. */
export const invitationFaults = (p: { invitation: string; candidate_host: string | null }): InputFault[] => {
  if (p.invitation === 'service' && p.candidate_host === null)
    return [{ param: 'candidate_host', message: 'is required if the service invites' }]
  if (p.invitation === 'vendor' && p.candidate_host !== null)
    return [{ param: 'candidate_host', message: 'must be null if the vendor invites' }]
  return []
}

/** An app leads candidates to hosts of its proved domains alone; `domains` is undefined for vendors that are not apps. */
export const hostFaults = (
  { candidate_host: host }: { candidate_host: string | null },
  domains: readonly string[] | undefined,
): InputFault[] =>
  host === null || domains === undefined || domains.some(domain => isBelow(host.toLowerCase(), domain))
    ? []
    : [{ param: 'candidate_host', message: `must be in a domain of the app: ${domains.join(', ') || 'it has none'}` }]

interface Consented {
  invitation: string
  candidate_host: string | null
  privacy_url: string
  shares: readonly string[]
}

/**
 * Whether a change of an offered package needs the consent of an owner or admin again: the vendor would read more of candidates,
 * or lead them somewhere else.
 */
export const needsNewConsent = (before: Consented, after: Consented): boolean =>
  after.shares.some(value => !before.shares.includes(value)) ||
  after.invitation !== before.invitation ||
  after.candidate_host !== before.candidate_host ||
  after.privacy_url !== before.privacy_url
