import { present } from '../../kernel/errors/present.ts'
import { isPublicAddress } from '../../kernel/net/public-address.ts'
import type { Services } from '../../kernel/services/services.ts'
import { readUrl, type UrlExceptions, type UrlRefused, type WebhookTarget } from './rules.ts'

/** A target whose IP addresses were resolved and allowed; `port` is the one to connect to. */
export interface CheckedTarget extends WebhookTarget {
  addresses: readonly string[]
}

const UNRESOLVED = 'has a host name that does not resolve'
const NOT_PUBLIC =
  'has a host name that resolves to a private IP address; every IP address must be public, unless the operator of the service allows the host with WEBHOOK_ALLOW_HOSTS'

const HTTPS_PORT = 443
const LOOPBACK = '127.0.0.1'
/** Where a receiver on this machine may listen: a server on localhost may listen on either. */
const LOOPBACK_ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  localhost: [LOOPBACK, '::1'],
  [LOOPBACK]: [LOOPBACK],
  '[::1]': ['::1'],
}

type TargetRules = Pick<Services, 'config' | 'isLocalDemo'>

export const urlExceptions = ({ config, isLocalDemo }: TargetRules): UrlExceptions => ({
  hosts: config.WEBHOOK_ALLOW_HOSTS,
  loopback: isLocalDemo,
})

/** Removes the brackets of an IPv6 address, which only a URL has. Only the operator can allow such an address. */
const withoutBrackets = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

/**
 * Decides whether webhooks may be sent to a URL. It is called at creation, update and enabling, and before each
 * delivery. Every IP address of the host must be public. The caller connects only to the IP addresses returned here, so
 * a DNS change between check and connect has no effect.
 */
export async function checkTarget(
  url: string,
  { resolveName, ownReceiver, ...rules }: TargetRules & Pick<Services, 'resolveName' | 'ownReceiver'>,
): Promise<CheckedTarget | (UrlRefused & { unresolved?: true })> {
  const target = readUrl(url, urlExceptions(rules))
  if ('refused' in target) return target
  // no lookup: the name leads to this machine, whatever a hosts file or a DNS server says
  if (target.insecure) return { ...target, addresses: present(LOOPBACK_ADDRESSES[target.hostname], target.hostname) }
  if (ownReceiver?.hosts.has(target.hostname) && target.port === HTTPS_PORT)
    return { ...target, port: ownReceiver.port, addresses: [LOOPBACK] }
  const addresses = [...new Set(await resolveName(withoutBrackets(target.hostname), { local: target.allowed }))]
  if (addresses.length === 0) return { refused: UNRESOLVED, unresolved: true }
  if (!target.allowed && !addresses.every(isPublicAddress)) return { refused: NOT_PUBLIC }
  return { ...target, addresses }
}
