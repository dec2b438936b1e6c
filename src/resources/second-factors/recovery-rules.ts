import { randomBytes } from 'node:crypto'
import { sha256 } from '../../kernel/crypto/signing.ts'

export const RECOVERY_CODES = 10
/** 32 signs, 5 bits each; without i, l, o and 1, which are taken for others. */
const SIGNS = '023456789abcdefghjkmnpqrstuvwxyz'
const LENGTH = 16

/** Sixteen signs are 80 random bits, so that a plain hash of a code cannot be reversed. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const signs = [...randomBytes(LENGTH)].map(byte => SIGNS[byte & 31]).join('')
    return signs.replace(/.{4}(?=.)/g, '$&-')
  })

/** The hash under which the code of a member is stored. Case, spaces and dashes do not count. */
export const recoveryHash = (userId: string, code: string): string =>
  sha256(
    `recovery code ${userId} ${code
      .toLowerCase()
      .replace(/[^0-9a-z]/g, '')
      .slice(0, 64)}`,
  ).toString('hex')
