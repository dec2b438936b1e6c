import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { Config } from '../config/config.ts'
import { clock } from '../time/clock.ts'

const CONNECT_MS = 3_000

/**
 * The certificate that callers see: of the service itself, or of the proxy at PUBLIC_URL. undefined: neither uses TLS.
 * Fails if the proxy cannot be reached from here.
 */
export async function readCertificate({
  TLS_CERT,
  PUBLIC_URL,
}: Pick<Config, 'TLS_CERT' | 'PUBLIC_URL'>): Promise<X509Certificate | undefined> {
  if (TLS_CERT) return new X509Certificate(TLS_CERT)
  const { protocol, hostname, port } = new URL(PUBLIC_URL ?? 'http://unknown')
  if (protocol !== 'https:') return undefined
  return certificateAt(hostname.replace(/^\[|\]$/g, ''), port === '' ? 443 : Number(port))
}

/** Trusted or not: only its dates are looked at. */
async function certificateAt(host: string, port: number): Promise<X509Certificate> {
  const names = isIP(host) === 0 ? { servername: host } : {}
  const socket = connect({ host, port, ...names, rejectUnauthorized: false, timeout: CONNECT_MS })
  socket.on('timeout', () => socket.destroy(new Error('no response')))
  try {
    await once(socket, 'secureConnect')
    const found = socket.getPeerX509Certificate()
    if (!found) throw new Error('no certificate')
    return found
  } finally {
    socket.destroy()
  }
}

/** A proxy is asked this often at most: metrics are collected every few seconds, and certificates last for weeks. */
const CACHE_MS = 3_600_000
const FAILED_CACHE_MS = 300_000

/** Reads when the certificate expires, in seconds since 1970; NaN if there is none, or it cannot be seen from here. */
export function expiryReader(config: Pick<Config, 'TLS_CERT' | 'PUBLIC_URL'>): () => Promise<number> {
  let known: { value: Promise<number>; until: number } | undefined
  const read = async () => {
    try {
      const certificate = await readCertificate(config)
      return certificate ? Date.parse(certificate.validTo) / 1000 : Number.NaN
    } catch {
      if (known) known.until = clock.monotonic() + FAILED_CACHE_MS
      return Number.NaN
    }
  }
  return () => {
    if (!known || clock.monotonic() > known.until) known = { value: read(), until: clock.monotonic() + CACHE_MS }
    return known.value
  }
}
