import { ROLE_SCOPES } from '../contract/scopes.ts'
import { textParam } from '../kernel/http/params.ts'
import { fields } from '../programs/fields.ts'
import { candidatesNamed } from '../resources/applicants/index.ts'
import { selectUsers } from '../resources/users/index.ts'
import { userName } from '../resources/users/shape.ts'
import { get } from './program.ts'
import { limitedTo } from './reach.ts'

const MAX_RESULTS = 8
/** The index holds groups of three letters: a shorter part would read every name of the workspace. */
const SHORTEST_PART = 3
const MAX_PARTS = 6

/** Words of a search, lower case, with the signs that `like` reads as wildcards escaped. */
const partsOf = (q: string): string[] =>
  q
    .toLowerCase()
    .split(/\s+/)
    .filter(part => part !== '')
    .slice(0, MAX_PARTS)
    .map(part => part.replace(/[\\%_]/g, '\\$&'))

/** The people that the command bar offers; jobs come from the API's own search. */
export const searchEndpoints = [
  get({
    path: '/search',
    limited: 'filtered',
    query: { q: textParam('Parts of a name.', 100) },
    returns: {
      candidates: fields('application_id', 'name', 'job_title', 'stage_name', 'status'),
      members: fields('id', 'name', 'email', 'role'),
    },
    handler: async ({ db, session, query: { q = '' } }) => {
      const { workspaceId, role } = session
      const parts = partsOf(q)
      const mayRead = (scope: 'applicants:read' | 'users:read') => ROLE_SCOPES[role].includes(scope)
      const isLong = parts.some(part => part.length >= SHORTEST_PART)
      const [candidates, users] = await Promise.all([
        mayRead('applicants:read') && isLong
          ? db.query(candidatesNamed(workspaceId, parts, MAX_RESULTS, limitedTo(session)))
          : [],
        mayRead('users:read') && parts.length > 0 ? db.query(selectUsers(workspaceId)) : [],
      ])
      const words = q.toLowerCase().split(/\s+/).filter(Boolean)
      const members = users
        .map(user => ({ id: user.id, name: userName(user), email: user.email ?? '', role: user.role }))
        .filter(({ name, email }) => words.every(word => `${name} ${email.split('@')[0]}`.toLowerCase().includes(word)))
      // candidates with their latest application
      return { candidates, members: members.slice(0, MAX_RESULTS) }
    },
  }),
]
