import type { Route } from '../kernel/http/route.ts'

/**
 * Where an operation is in the SDKs: `moveApplication` is `client.applications.move`. The namespace is the first part of
 * the path, and the method is the operationId without the noun of the namespace. A test compares both with the SDKs.
 */
export interface SdkNames {
  typescript: string
  python: string
}

/** What the rule does not find. */
const METHODS: Readonly<Record<string, string>> = {
  resolvePeople: 'resolveBatch',
  rotateWebhookSecret: 'rotateSecret',
  redeliverWebhook: 'redeliver',
}
/** Nouns of a namespace in operation ids, where they are not its name. */
const NOUNS: Readonly<Record<string, readonly string[]>> = {
  lists: ['CandidateLists', 'CandidateList'],
  people: ['Person'],
  pool: ['Pool'],
  webhookDeliveries: ['WebhookDeliveries', 'WebhookDelivery'],
}

const pascal = (name: string): string => name.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
const camel = (name: string): string => pascal(name).replace(/^./, letter => letter.toLowerCase())
const snake = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

export function sdkNames({ path, group, operationId }: Pick<Route, 'path' | 'group' | 'operationId'>): SdkNames {
  const [first = '', second = ''] = path.slice(1).split(/[/:]/)
  const namespace = first === 'webhooks' ? `webhook${pascal(second)}` : group === 'Meta' ? 'meta' : camel(first)
  const plural = namespace.replace(/^./, letter => letter.toUpperCase())
  const nouns = NOUNS[namespace] ?? [plural, plural.replace(/s$/, '')]
  const method = METHODS[operationId] ?? withoutNoun(operationId, nouns)
  return {
    typescript: `${namespace}.${method}`,
    python: `${snake(namespace)}.${snake(method)}`,
  }
}

/** `getJobSections` without `Job` is `getSections`; of `listJobs` the plural is tried first. */
function withoutNoun(operationId: string, nouns: readonly string[]): string {
  for (const noun of nouns) {
    const at = operationId.indexOf(noun)
    const next = operationId.charAt(at + noun.length)
    if (at > 0 && (next === '' || next === next.toUpperCase())) {
      return operationId.slice(0, at) + operationId.slice(at + noun.length)
    }
  }
  return operationId
}
