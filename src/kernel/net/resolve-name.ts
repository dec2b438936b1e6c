import { lookup, Resolver } from 'node:dns/promises'

/** The addresses of a host name; none if the name does not exist or cannot be asked for. */
export type ResolveName = (hostname: string, opts: { local: boolean }) => Promise<string[]>

const TRY_MS = 1_500
const TRIES = 2

const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })

/**
 * Names of the outside are asked of the DNS servers directly: the system's own lookup waits in a thread pool of four,
 * where a few names with dead servers would hold up all others. `local` names may also stand in the machine's hosts
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
