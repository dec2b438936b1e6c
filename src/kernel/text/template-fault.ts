import { TEMPLATE_VARIABLES, variablesIn } from '../../contract/mail-template.ts'
import { printable } from '../http/faults.ts'

export const ONE_LINE = 'must be one line without control characters'
export const isOneLine = (text: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text.trim())

const VARIABLES = TEMPLATE_VARIABLES.map(name => `{{${name}}}`)

/** Why a text cannot be the template of an email to a candidate; undefined if it can. */
export function templateFault(text: string, oneLine: boolean): string | undefined {
  if (oneLine && !isOneLine(text)) return ONE_LINE
  const unknown = variablesIn(text).find(name => !TEMPLATE_VARIABLES.some(known => known === name))
  const known = `the variables are ${VARIABLES.slice(0, -1).join(', ')} and ${VARIABLES.at(-1)}`
  const faults = [
    ...(unknown === undefined ? [] : [`the unknown variable {{${printable(unknown)}}}`]),
    ...(text.replaceAll(/\{\{[^{}]*\}\}/g, '').includes('{{') ? ['{{ without }}'] : []),
  ]
  return faults.length === 0 ? undefined : `contains ${faults.join(' and ')}; ${known}`
}
