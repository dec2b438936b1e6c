import { lookup, Resolver } from 'node:dns/promises'
import { batched } from '../async/batch.ts'
import { getOrCreate } from '../async/get-or-create.ts'

/** The addresses of a host name; none if the name does not exist or the lookup fails. */
export type ResolveName = (hostname: string, opts: { local: boolean }) => Promise<string[]>

const TRY_MS = 1_500
const TRIES = 2

const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })

/**
 * Public names are looked up with the DNS servers directly: the system's own lookup waits in a thread pool of four,
 * where a few names with dead servers would delay all others. `local` names may also be in the machine's hosts
 * file, which only that lookup reads.
 */
export const resolveName: ResolveName = async (hostname, { local }) => {
  if (local) return (await lookup(hostname, { all: true }).catch(() => [])).map(found => found.address)
  // a family without records is a failure of its own; both failing leaves nothing
  const families = await Promise.all([
    resolver.resolve4(hostname).catch(() => []),
    resolver.resolve6(hostname).catch(() => []),
  ])
  return families.flat()
}

/** The TXT records of a domain, each as one text; none if it has none or the lookup fails. */
export type ResolveTxt = (domain: string) => Promise<string[]>

export const resolveTxt: ResolveTxt = async domain =>
  (await resolver.resolveTxt(domain).catch(() => [])).map(parts => parts.join(''))

/**
 * Concurrent lookups of one name share a query. A caller that arrives while a query is in flight waits for the next one,
 * so that it never gets addresses that were looked up before it asked; and no name has more than one query in flight,
 * however many deliveries go to it.
 */
export function joinedLookups(resolve: ResolveName): ResolveName {
  const names = new Map<string, { ask: (hostname: string) => Promise<string[]>; waiting: number }>()
  return async (hostname, opts) => {
    const key = `${opts.local} ${hostname}`
    const name = getOrCreate(names, key, () => ({
      waiting: 0,
      ask: batched(
        async (asked: string[]) => {
          const addresses = await resolve(hostname, opts)
          return asked.map(() => addresses)
        },
        { max: Number.POSITIVE_INFINITY },
      ),
    }))
    name.waiting++
    try {
      return await name.ask(hostname)
    } finally {
      if (--name.waiting === 0) names.delete(key)
    }
  }
}
