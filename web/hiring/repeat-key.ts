import { useRef } from 'preact/hooks'
import { ApiError } from '../ui/api.ts'

/** Not `randomUUID`, which browsers have on encrypted pages alone. */
export const newRepeatKey = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map(n => n.toString(36)).join('-')

/**
 * Runs a change with an Idempotency-Key: the same one while the same body is sent again after a lost response, a new one
 * for another body, after success, and after an error that repeats would only get again.
 */
export function useRepeatKey(): <T>(body: unknown, run: (key: string) => Promise<T>) => Promise<T> {
  const current = useRef<{ body: string; key: string }>(undefined)
  return async (body, run) => {
    const text = JSON.stringify(body)
    if (current.current?.body !== text) current.current = { body: text, key: newRepeatKey() }
    try {
      const result = await run(current.current.key)
      current.current = undefined
      return result
    } catch (error) {
      if (error instanceof ApiError && error.status !== 0) current.current = undefined
      throw error
    }
  }
}
