import { isDeepStrictEqual } from 'node:util'
import { CONTACT_RULES, cleanProfile } from '../../../packages/resume-parser/src/index.ts'
import { runCooperatively } from '../../kernel/async/cooperative.ts'
import type { Database } from '../../kernel/db/database.ts'
import {
  type CleanProfile,
  lockProfile,
  markClean,
  type ProfileOfOlderRules,
  profilesOfOlderRules,
} from './parsing-store.ts'

const BATCH = 50

/** Cleans some of the profiles that older rules for contacts made; false when there are none. */
export function cleanStoredProfiles(db: Database): Promise<boolean> {
  return db.transaction(async tx => {
    const rows: ProfileOfOlderRules[] = []
    for (const { workspace_id, id } of await tx.query(profilesOfOlderRules(CONTACT_RULES, BATCH))) {
      const row = await tx.one(lockProfile(workspace_id, id, CONTACT_RULES))
      if (row) rows.push(row)
    }
    if (rows.length === 0) return false
    for (const clean of await runCooperatively(cleaned(rows))) tx.defer(markClean(CONTACT_RULES, clean))
    return true
  })
}

function* cleaned(rows: readonly ProfileOfOlderRules[]): Generator<void, CleanProfile[], void> {
  const result: CleanProfile[] = []
  for (const { workspace_id, id, parsed, raw_text } of rows) {
    const clean = cleanProfile(parsed, raw_text)
    result.push({ workspace_id, id, parsed: isDeepStrictEqual(clean, parsed) ? null : JSON.stringify(clean) })
    yield
  }
  return result
}
