import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostUrls } from '../db/host-urls.ts'
import { parseMailbox } from '../mail/mail.ts'

/*
 * How the text of a setting becomes its value. A parser gets undefined where the setting is not set.
 */

/** The text of a setting is not valid. The message follows the name of the setting. */
export class ParseFault extends Error {}

/** 0, which is the default, or a number from `min` on. */
export const zeroOr = (min: number, max: number) => (text: string | undefined) =>
  text === undefined || text === '0' ? 0 : integer(0, min, max)(text)
export const integer = (fallback: number, min: number, max: number) => (text: string | undefined) => {
  if (text === undefined) return fallback
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new ParseFault(`must be a whole number from ${min} to ${max}`)
  return value
}
export const oneOf =
  <const V extends string>(values: readonly V[], fallback: V) =>
  (text: string | undefined): V => {
    if (text === undefined) return fallback
    const found = values.find(v => v === text)
    if (found === undefined) throw new ParseFault(`must be one of ${values.join(', ')}`)
    return found
  }
export const optionalPort = (text: string | undefined) => (text === undefined ? undefined : integer(0, 0, 65535)(text))
export const string = (fallback: string) => (text: string | undefined) => text ?? fallback
export const optional = (text: string | undefined) => text
export const optionalSwitch = (text: string | undefined) =>
  text === undefined ? undefined : oneOf(['on', 'off'], 'off')(text)
const checkUrl = (text: string, ...protocols: string[]): string => {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  if (!parsed || !protocols.includes(parsed.protocol)) {
    throw new ParseFault(`must be a URL that starts with ${protocols.map(p => `${p}//`).join(' or ')}`)
  }
  return text
}
export const url =
  (...protocols: string[]) =>
  (text: string | undefined) =>
    text === undefined ? undefined : checkUrl(text, ...protocols)
export const databaseUrl = (text: string | undefined) => {
  if (text !== undefined && !hostUrls(text)) {
    throw new ParseFault(
      'must be a URL that starts with postgres:// or postgresql://; several hosts are separated by commas, and target_session_attrs is read-write or left out',
    )
  }
  return text
}
const checkOrigin = (text: string): string => {
  const value = checkUrl(text, 'http:', 'https:').replace(/\/$/, '')
  if (new URL(text).origin !== value)
    throw new ParseFault('must be an origin without a path, such as https://api.example.com')
  return value
}
export const origin = (text: string | undefined) => (text === undefined ? undefined : checkOrigin(text))
export const urls = (text: string | undefined): readonly string[] =>
  text === undefined ? [] : text.split(',').map(one => checkUrl(one.trim(), 'http:', 'https:'))
export const origins = (text: string | undefined): string[] =>
  text === undefined ? [] : text.split(',').map(one => checkOrigin(one.trim()))
export const readableFile = (text: string | undefined) => {
  if (text === undefined) return undefined
  try {
    return readFileSync(text)
  } catch {
    throw new ParseFault(`names a file that cannot be read: ${text}`)
  }
}
export const certificateFile = (text: string | undefined) => {
  const file = readableFile(text)
  try {
    if (file) new X509Certificate(file)
  } catch {
    throw new ParseFault(`names a file that is not a PEM certificate: ${text}`)
  }
  return file
}
export const rsaKeyFile = (text: string | undefined) => {
  const file = readableFile(text)
  try {
    if (file && createPrivateKey(file).asymmetricKeyType !== 'rsa') throw new Error('another kind of key')
  } catch {
    throw new ParseFault(`names a file that is not an RSA private key in PEM: ${text}`)
  }
  return file
}
export const mailbox = (fallback: string) => (text: string | undefined) => {
  if (text !== undefined && !parseMailbox(text))
    throw new ParseFault('must be an email address, or Name <email address>')
  return text ?? fallback
}
export const pattern = (form: RegExp, words: string) => (text: string | undefined) => {
  if (text !== undefined && !form.test(text)) throw new ParseFault(`must be ${words}`)
  return text
}
/** `host` or `host:port`, separated by commas */
export const hosts = (text: string | undefined): readonly string[] => {
  const entries = (text ?? '').split(',').map(part => part.trim().toLowerCase())
  const wrong = entries.find(entry => entry !== '' && !/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/.test(entry))
  if (wrong !== undefined) throw new ParseFault(`must be a list of host or host:port; invalid: ${wrong}`)
  return entries.filter(entry => entry !== '')
}
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export const share = (text: string | undefined) => {
  if (text === undefined) return 1
  if (!/^(0|1|0?\.\d{1,9}|1\.0{1,9})$/.test(text)) throw new ParseFault('must be a number from 0 to 1')
  return Number(text)
}
export const headers = (text: string | undefined): Record<string, string> =>
  Object.fromEntries(
    (text ?? '').split(',').flatMap(pair => {
      if (pair.trim() === '') return []
      const [name = '', value = ''] = pair.split(/=(.*)/s).map(part => part.trim())
      try {
        if (!/^[a-z0-9-]+$/i.test(name) || !/^[\x21-\x7e]+$/.test(value)) throw new URIError()
        return [[name.toLowerCase(), decodeURIComponent(value)]]
      } catch {
        // the value may be a secret: it is not repeated
        throw new ParseFault('must be a list of name=value')
      }
    }),
  )
const ROLES = ['api', 'worker'] as const
export const roles = (text: string | undefined): ReadonlySet<(typeof ROLES)[number]> => {
  const names = (text ?? 'api,worker').split(',')
  const unknown = names.filter(name => !ROLES.some(role => role === name))
  if (unknown.length > 0) throw new ParseFault(`must be a list of ${ROLES.join(', ')}`)
  return new Set(names as (typeof ROLES)[number][])
}
export const processCount = (text: string | undefined) =>
  text === undefined || text === 'auto' ? undefined : integer(1, 1, 64)(text)
export const backupKey = (text: string | undefined) => {
  if (text === undefined) return undefined
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new ParseFault('must be 64 hexadecimal digits (openssl rand -hex 32)')
  return Buffer.from(text, 'hex')
}
export const secretKeys = (text: string | undefined) => {
  if (text === undefined) return undefined
  const keys = text.split(',').map(key => key.trim().toLowerCase())
  if (!keys.every(key => /^[0-9a-f]{64}$/.test(key))) {
    throw new ParseFault('must be 64 hexadecimal digits (openssl rand -hex 32), or several keys separated by commas')
  }
  return [...new Set(keys)].map(key => Buffer.from(key, 'hex'))
}
export const trustProxy = (text: string | undefined) => {
  if (text === undefined || text === 'off') return []
  const ranges = text.split(',').map(part => part.trim())
  const wrong = ranges.filter(range => !isRange(range))
  if (wrong.length > 0) throw new ParseFault(`must be IP addresses or CIDR ranges; invalid: ${wrong.join(', ')}`)
  return ranges
}

const isRange = (text: string) => {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  return (
    family > 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
  )
}

export const host = (text: string | undefined) => {
  if (text !== undefined && isIP(text) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)) {
    throw new ParseFault('must be an IP address or host name of this machine')
  }
  return text ?? '127.0.0.1'
}
