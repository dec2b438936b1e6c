import { UserError } from '../kernel/errors/user-error.ts'
import type { VerbInput } from './verb.ts'

/** `a, b,c` */
export const listed = (text: string): string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

/** The value of a required argument. `readInput` has refused a command without it. */
export function argumentAt(input: VerbInput, index: number): string {
  const text = input.args[index]
  if (text === undefined) throw new UserError(`argument ${index + 1} is missing`)
  return text
}

/** The value of a required option. `readInput` has refused a command without it. */
export function requiredOption(input: VerbInput, option: string): string {
  const text = input.option(option)
  if (text === undefined) throw new UserError(`--${option} is missing`)
  return text
}

export const wholeNumber = (input: VerbInput, option: string, min: number, max: number): number | undefined =>
  input.option(option) === undefined ? undefined : requiredNumber(input, option, min, max)

export function requiredNumber(input: VerbInput, option: string, min: number, max: number): number {
  const text = requiredOption(input, option)
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new UserError(`--${option} must be a whole number from ${min} to ${max}`)
  return value
}

export function onOrOff(input: VerbInput, option: string): boolean | undefined {
  const text = input.option(option)
  if (text === undefined) return undefined
  if (text !== 'on' && text !== 'off') throw new UserError(`--${option} must be on or off`)
  return text === 'on'
}
