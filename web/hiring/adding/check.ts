import { useEffect, useState } from 'preact/hooks'
import { MAX_ADDED } from '../../../src/contract/added-sources.ts'
import { send } from '../api.ts'
import { useSession } from '../session.ts'
import type { Candidate, Line } from './add.ts'

/** After the last letter. */
const PAUSE_MS = 400

/** What a candidate is recognized by. */
export type Recognized = Pick<Candidate, 'first_name' | 'last_name' | 'email' | 'phone' | 'linkedin_url' | 'profile_id'>

const isRecognizable = ({ email, phone, linkedin_url, profile_id }: Recognized): boolean =>
  [email, phone, linkedin_url, profile_id].some(text => text !== undefined && text !== '')

/**
 * What would become of each of them, while they are typed: who is known, or in the job already. People who are limited to
 * jobs learn none of this. What is not known yet is undefined.
 */
export function useCheck(job: string, candidates: readonly Recognized[]): readonly (Line | undefined)[] {
  const { limited } = useSession()
  const [checked, setChecked] = useState<ReadonlyMap<string, Line>>(new Map())
  const keys = candidates.map(one => JSON.stringify(one))
  const asked = limited ? [] : candidates.filter(isRecognizable).slice(0, MAX_ADDED)
  const question = JSON.stringify(asked)
  useEffect(() => {
    if (asked.length === 0) return
    let isOver = false
    const ask = async () => {
      const body = { candidates: [...asked] }
      // a hint: the service says the same when they are added
      const found = await send('/jobs/{job}/candidates/check', { job }, body, { query: true }).catch(() => undefined)
      if (found && !isOver) setChecked(new Map(found.results.map((line, i) => [JSON.stringify(asked[i]), line])))
    }
    const timer = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [job, question])
  return keys.map(key => checked.get(key))
}
