/**
 * Where an operation is in the Python SDK: `moveApplication` is `client.applications.move`. The namespace is the first part
 * of the path, and the method is the operationId without the noun of the namespace. The TypeScript SDK has the same names
 * in its own spelling.
 */
export interface SdkMethod {
  operationId: string
  /** in snake_case */
  namespace: string
  method: string
}

interface Operation {
  operationId: string
  tags: readonly string[]
}

/** Names that the rule does not find. */
const METHODS: Readonly<Record<string, string>> = { resolvePeople: 'resolve_batch' }
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
  for (const [path, verbs] of Object.entries<Record<string, Operation>>(document.paths)) {
    for (const { operationId, tags } of Object.values(verbs)) {
      const namespace = namespaceOf(path, tags)
      const method = METHODS[operationId] ?? methodOf(operationId, namespace)
      const taken = found.find(other => other.namespace === namespace && other.method === method)
      if (taken) throw new Error(`${operationId} and ${taken.operationId} are both ${namespace}.${method}`)
      found.push({ operationId, namespace, method })
    }
  }
  return found
}

function namespaceOf(path: string, tags: readonly string[]): string {
  const [first, second] = path.slice(1).split(/[/:]/)
  if (first === 'webhooks') return `webhook_${second}`
  return tags.includes('Meta') ? 'meta' : first!.replaceAll('-', '_')
}

function methodOf(operationId: string, namespace: string): string {
  const id = operationId.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  const nouns = NOUNS[namespace] ?? [namespace, namespace.replace(/s$/, '')]
  for (const noun of nouns) {
    const without = `${id}_`.replace(`_${noun}_`, '_').slice(0, -1) // whole words only
    if (without !== id) return without
  }
  return id
}
