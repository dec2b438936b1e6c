import { variablesIn } from '../../contract/mail-template.ts'
import { printable } from '../http/faults.ts'

export const ONE_LINE = 'must be one line without control characters'
export const isOneLine = (text: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text.trim())

interface TemplateRules {
  /** those that have a value */
  variables: readonly string[]
  oneLine: boolean
}

/** Why a text cannot be the template of an email to a candidate; undefined if it can. */
export function templateFault(text: string, { variables, oneLine }: TemplateRules): string | undefined {
  if (oneLine && !isOneLine(text)) return ONE_LINE
  const unknown = variablesIn(text).find(name => !variables.includes(name))
  const names = variables.map(name => `{{${name}}}`)
  const known = `the variables are ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  const faults = [
    ...(unknown === undefined ? [] : [`the unknown variable {{${printable(unknown)}}}`]),
    ...(text.replaceAll(/\{\{[^{}]*\}\}/g, '').includes('{{') ? ['{{ without }}'] : []),
  ]
  return faults.length === 0 ? undefined : `contains ${faults.join(' and ')}; ${known}`
}
