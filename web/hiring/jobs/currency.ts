import { useEffect, useRef } from 'preact/hooks'
import { useQuery } from '../api.ts'
import type { JobValues } from './fields.ts'

const CURRENCY = 'compensation.currency'

/**
 * The first amount of a job fills in the currency of its places, and a change of the places changes what was filled in. A
 * currency that a person entered stays, and so does a field that a person cleared.
 * @returns what to call when a person edits the currency
 */
export function useCurrency(values: JobValues, set: (field: typeof CURRENCY, value: string) => void): () => void {
  const { locations } = values
  const { data, loading } = useQuery('/job-currency', { locations: [...locations] })
  const filled = useRef('')
  const isEdited = useRef(false)
  const hasAmount = values['compensation.salary_min'] !== '' || values['compensation.salary_max'] !== ''
  const suggestion = loading || !data ? undefined : (data.currency ?? '')
  useEffect(() => {
    if (suggestion === undefined || !hasAmount || isEdited.current) return
    const now = values[CURRENCY]
    if (now === suggestion || (now !== '' && now !== filled.current)) return
    filled.current = suggestion
    set(CURRENCY, suggestion)
  }, [suggestion, hasAmount])
  return () => {
    isEdited.current = true
  }
}
