import { present } from '../errors/present.ts'
/** The kind of server that a connection needs: `any` is for reads that may be old. */
export type ServerRole = 'primary' | 'any'

const FORM = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(.*)$/s

/** As in libpq, where both mean the server that accepts writes. */
const OF_PRIMARY: readonly string[] = ['read-write', 'primary']
const ATTRIBUTE = 'target_session_attrs'

/**
 * The URLs of the servers in `postgres://user:password@a:5432,b:5432/database?target_session_attrs=read-write`, in their
 * order; a URL with one host is one of them. undefined: it is not such a URL.
 */
export function hostUrls(url: string): string[] | undefined {
  const [, head, hosts, path, rest] = FORM.exec(url) ?? []
  if (hosts === undefined || rest === undefined) return undefined
  const urls = hosts.split(',').map(host => `${head}${host}${path}`)
  if (!urls.every(one => URL.canParse(one)) || (urls.length > 1 && hosts.split(',').includes(''))) return undefined
  const query = new URLSearchParams(rest.slice(1))
  const attribute = query.get(ATTRIBUTE)
  if (attribute === null) return urls.map(one => one + rest)
  if (!OF_PRIMARY.includes(attribute)) return undefined
  query.delete(ATTRIBUTE)
  return urls.map(one => (query.size > 0 ? `${one}?${query}` : one))
}

/** The same database, user and parameters at another server. */
export function urlAt(url: string, { name, port }: { name: string; port: number }): string {
  const [, head, , path, rest = ''] = present(FORM.exec(url), 'a URL of the database')
  const query = new URLSearchParams(rest.slice(1))
  for (const place of ['host', 'port', ATTRIBUTE]) query.delete(place)
  const host = name.includes(':') ? `[${name}]` : name
  return `${head}${host}:${port}${path}${query.size > 0 ? `?${query}` : ''}`
}
