import { HiringError } from './errors.ts'

/** A path with its values, and the template that all records have in common: `/jobs/{job_handle}`. */
export interface Path {
  filled: string
  template: string
}

/** A path with encoded values. An id that is missing, or that a URL would resolve, must not lead to another endpoint. */
export function path(template: string, ...values: string[]): Path {
  let given = 0
  const filled = template.replace(/\{\w+\}/g, parameter => {
    const value = values[given++]
    if (!value || value === '.' || value === '..') throw new HiringError(`${parameter} is missing in ${template}`)
    return encodeURIComponent(value)
  })
  return { filled, template }
}

/** Segments that name a record: handles, UUIDs, and request ids. */
const RECORD = /(?<=\/)(?:[a-z]{2,4}_[0-9a-z]{20}|[0-9a-f]{8}-[0-9a-f-]{27})(?=\/|$)/g

/** A path that the caller wrote, or that came from `links`. */
export const toPath = (given: string | Path): Path =>
  typeof given === 'string' ? { filled: given, template: given.replace(/\?.*/, '').replace(RECORD, '{id}') } : given
