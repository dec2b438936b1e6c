import { relationById } from '../../kernel/http/include.ts'
import { type SourcedProfileRow, sourcedProfileShape } from './shape.ts'
import { profilesById, toProfile } from './store.ts'

/** The profile of a list member, for `include=sourced_profile`. */
export const profileRelation = relationById<{ sourced_profile_id: string | null }, SourcedProfileRow>({
  scope: 'sourced_profiles:read',
  shape: sourcedProfileShape,
  idOf: row => row.sourced_profile_id,
  read: async ({ db, workspace }, ids) => (await db.query(profilesById(workspace, ids))).map(toProfile),
  keyOf: profile => profile.id,
})
