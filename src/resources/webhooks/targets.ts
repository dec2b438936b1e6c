import { isPublicAddress } from '../../kernel/net/public-address.ts'
import type { Services } from '../../kernel/services/services.ts'
import { readUrl, type UrlRefused, type WebhookTarget } from './rules.ts'

/** A target whose addresses were looked up and may be connected to. */
export interface CheckedTarget extends WebhookTarget {
  addresses: readonly string[]
}

const UNRESOLVED = 'has a host name that does not resolve'
const NOT_PUBLIC =
  'has a host name that resolves to a private IP address; every IP address must be public, unless the operator of the service allows the host with WEBHOOK_ALLOW_HOSTS'

/** An IPv6 address, which only the operator can allow, is in brackets only in a URL. */
const withoutBrackets = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

/**
 * The one place that decides whether webhooks may be sent to a URL: at creation, update and enabling, and before each
 * delivery. Every address of the name must be public. The caller connects to the addresses returned and to no
 * other, so that a name that changes between check and connect changes nothing.
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
