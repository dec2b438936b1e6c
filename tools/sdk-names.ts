/**
 * Where an operation is in the SDKs: `moveApplication` is `client.applications.move`. The namespace is the first part of
 * the path, and the method is the operationId without the noun of the namespace.
 */
export interface SdkMethod {
  operationId: string
  /** in snake_case */
  namespace: string
  method: string
}

/** Names that the rule does not find. */
const EXCEPTIONS: Readonly<Record<string, readonly [string, string]>> = {
  ping: ['meta', 'ping'],
  listVersions: ['meta', 'list_versions'],
  getOpenapi: ['meta', 'get_openapi'],
  getMe: ['me', 'get'],
  listMyAccess: ['me', 'list_access'],
  resolvePeople: ['people', 'resolve_batch'],
}
/** What operationIds call the records of a namespace, where that differs from its name. */
const NOUNS: Readonly<Record<string, readonly string[]>> = {
  people: ['people', 'person'],
  pool: ['pool'],
  lists: ['candidate_lists', 'candidate_list'],
  webhook_endpoints: ['webhook_endpoints', 'webhook_endpoint', 'webhook'],
  webhook_deliveries: ['webhook_deliveries', 'webhook_delivery', 'webhook'],
}

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document
export function sdkMethods(document: any): SdkMethod[] {
  const found: SdkMethod[] = []
  for (const [path, verbs] of Object.entries<Record<string, { operationId: string }>>(document.paths)) {
    for (const { operationId } of Object.values(verbs)) {
      const [namespace, method] = EXCEPTIONS[operationId] ?? byRule(path, operationId)
      const taken = found.find(other => other.namespace === namespace && other.method === method)
      if (taken) throw new Error(`${operationId} and ${taken.operationId} are both ${namespace}.${method}`)
      found.push({ operationId, namespace, method })
    }
  }
  return found
}

function byRule(path: string, operationId: string): [string, string] {
  const [first, second] = path.slice(1).split(/[/:]/)
  const namespace = first === 'webhooks' ? `webhook_${second}` : first!.replaceAll('-', '_').replaceAll('.', '_')
  const id = operationId.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  const nouns = NOUNS[namespace] ?? [namespace, namespace.replace(/s$/, '')]
  for (const noun of nouns) {
    const without = id.replace(`_${noun}`, '')
    if (without !== id && without !== '') return [namespace, without.replace(/^_/, '')]
  }
  return [namespace, id]
}
