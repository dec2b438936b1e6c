import { isPublicAddress } from '../../kernel/net/public-address.ts'
import type { Services } from '../../kernel/services/services.ts'
import { readUrl, type UrlRefused, type WebhookTarget } from './rules.ts'

/** A target whose IP addresses were resolved and allowed. */
export interface CheckedTarget extends WebhookTarget {
  addresses: readonly string[]
}

const UNRESOLVED = 'has a host name that does not resolve'
const NOT_PUBLIC =
  'has a host name that resolves to a private IP address; every IP address must be public, unless the operator of the service allows the host with WEBHOOK_ALLOW_HOSTS'

/** Removes the brackets of an IPv6 address, which only a URL has. Only the operator can allow such an address. */
const withoutBrackets = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

/**
 * Decides whether webhooks may be sent to a URL. It is called at creation, update and enabling, and before each
 * delivery. Every IP address of the host must be public. The caller connects only to the IP addresses returned here, so
 * a DNS change between check and connect has no effect.
 */
export async function checkTarget(
  url: string,
  { config, resolveName }: Pick<Services, 'config' | 'resolveName'>,
): Promise<CheckedTarget | (UrlRefused & { unresolved?: true })> {
  const target = readUrl(url, config.WEBHOOK_ALLOW_HOSTS)
  if ('refused' in target) return target
  const addresses = [...new Set(await resolveName(withoutBrackets(target.hostname), { local: target.allowed }))]
  if (addresses.length === 0) return { refused: UNRESOLVED, unresolved: true }
  if (!target.allowed && !addresses.every(isPublicAddress)) return { refused: NOT_PUBLIC }
  return { ...target, addresses }
}
