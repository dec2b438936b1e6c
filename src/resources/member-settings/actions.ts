import type { Queryable } from '../../kernel/db/database.ts'
import { invalid } from '../../kernel/errors/api-error.ts'
import { isTimeZone } from '../../kernel/text/dates.ts'
import { DEFAULTS, type MemberSettings, putMemberSettings, settingsOfMember } from './store.ts'

export const readMemberSettings = async (db: Queryable, workspace: string, userId: string): Promise<MemberSettings> =>
  (await db.one(settingsOfMember(workspace, userId))) ?? DEFAULTS

/** Sets what is named, and leaves the rest. */
export function setMemberSettings(db: Queryable, workspace: string, userId: string, set: Partial<MemberSettings>) {
  if (typeof set.time_zone === 'string' && !isTimeZone(set.time_zone))
    invalid('time_zone', 'must be the name of a time zone, such as Europe/Berlin')
  return db.only(putMemberSettings(workspace, userId, set))
}
