import { generateKeyPairSync, sign } from 'node:crypto'

const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_ID = 0x06
const UTF8_STRING = 0x0c
const UTC_TIME = 0x17
const CONTEXT_0 = 0xa0
const CONTEXT_3 = 0xa3
const DNS_NAME = 0x82

/** One value of DER, the binary form of certificates: tag, length, content. */
function der(tag: number, ...content: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(content.map(part => (typeof part === 'string' ? Buffer.from(part) : part)))
  const { length } = body
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...head]), body])
}

const bytes = (hex: string) => Buffer.from(hex, 'hex')
const ECDSA_WITH_SHA256 = der(SEQUENCE, der(OBJECT_ID, bytes('2a8648ce3d040302')))
const COMMON_NAME = der(OBJECT_ID, bytes('550403'))
const SUBJECT_ALT_NAME = der(OBJECT_ID, bytes('551d11'))
const VALIDITY = der(SEQUENCE, der(UTC_TIME, '200101000000Z'), der(UTC_TIME, '491231235959Z'))

/** A certificate for one host name, signed by its own key, which is not stored anywhere. Both in PEM. */
export function selfSigned(host: string): { certificate: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, host))))
  const hosts = der(OCTET_STRING, der(SEQUENCE, der(DNS_NAME, host)))
  const signed = der(
    SEQUENCE,
    der(CONTEXT_0, der(INTEGER, bytes('02'))),
    der(INTEGER, bytes('01')),
    ECDSA_WITH_SHA256,
    name,
    VALIDITY,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(CONTEXT_3, der(SEQUENCE, der(SEQUENCE, SUBJECT_ALT_NAME, hosts))),
  )
  const signature = der(BIT_STRING, bytes('00'), sign('sha256', signed, privateKey))
  const certificate = der(SEQUENCE, signed, ECDSA_WITH_SHA256, signature)
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
