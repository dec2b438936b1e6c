import type { ApplicationStatus } from '../contract/application-status.ts'
import { ROLE_SCOPES } from '../contract/scopes.ts'
import { textParam } from '../kernel/http/params.ts'
import { fields } from '../programs/fields.ts'
import {
  candidatesById,
  explainMatch,
  findSimilarNames,
  type Match,
  RANKS,
  rankFound,
  selectRebuild,
} from '../resources/candidate-search/index.ts'
import { selectUsers } from '../resources/users/index.ts'
import { userName } from '../resources/users/shape.ts'
import { findCandidates } from './find-candidates.ts'
import { type Call, get } from './program.ts'
import { type HiringSession, limitedTo } from './reach.ts'

const MAX_CANDIDATES = 6
const MAX_MEMBERS = 5
/** With fewer hits, names that are similar are offered, too. */
const FEW = 3
/** Shorter texts are similar to too many names. */
const SHORTEST_SIMILAR = 4

interface FoundCandidate {
  application_id: string
  name: string | null
  title: string | null
  company: string | null
  job_title: string
  stage_name: string | null
  status: ApplicationStatus
  match: Match
}

const NOTHING = { candidates: [] as FoundCandidate[], more: false, phone_refused: false }

/** People, the best first: each with the application by which they were found best. */
async function searchCandidates(call: Pick<Call, 'services' | 'db' | 'session' | 'arrived' | 'now'>, q: string) {
  const { db, session } = call
  const { workspaceId: workspace, userId } = session
  const reader = limitedTo(session)
  const { kind, found, isPhoneRefused } = await findCandidates(call, q)
  const people = found.length === 0 ? [] : await db.query(rankFound(workspace, userId, found, MAX_CANDIDATES + 1))
  const ranked = people.slice(0, MAX_CANDIDATES)
  if (kind === 'words' && people.length < FEW && q.trim().length >= SHORTEST_SIMILAR) {
    const similar = await db.query(findSimilarNames(workspace, q, reader))
    const known = new Set(found.map(row => row.application_id))
    const others = similar.filter(row => !known.has(row.application_id))
    if (others.length > 0)
      ranked.push(...(await db.query(rankFound(workspace, userId, others, MAX_CANDIDATES - ranked.length))))
  }
  const rows =
    ranked.length === 0
      ? []
      : await db.query(
          candidatesById(
            workspace,
            ranked.map(({ id }) => id),
            reader,
          ),
        )
  const byId = new Map(rows.map(row => [row.id, row]))
  const candidates = ranked.flatMap(({ id, rank }): FoundCandidate[] => {
    const row = byId.get(id)
    if (!row) return []
    const { full_name: name, title, company, job_title, stage_name, status, skills, tags } = row
    const match: Match =
      rank === RANKS.key && (kind === 'email' || kind === 'phone')
        ? { by: kind }
        : rank === RANKS.similarName
          ? { by: 'similar_name' }
          : explainMatch(q, { name, title, company, skills: skills ?? [], tags, jobTitle: job_title })
    return [{ application_id: id, name, title, company, job_title, stage_name, status, match }]
  })
  return { candidates, more: people.length > MAX_CANDIDATES, phone_refused: isPhoneRefused }
}

const may = (session: HiringSession, scope: 'applicants:read' | 'users:read') =>
  ROLE_SCOPES[session.role].includes(scope)

async function searchMembers({ db, session }: Pick<Call, 'db' | 'session'>, q: string) {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  if (!may(session, 'users:read') || words.length === 0) return []
  const users = await db.query(selectUsers(session.workspaceId))
  return users
    .map(user => ({ id: user.id, name: userName(user), email: user.email ?? '', role: user.role }))
    .filter(({ name, email }) => words.every(word => `${name} ${email.split('@')[0]}`.toLowerCase().includes(word)))
    .slice(0, MAX_MEMBERS)
}

/** The people that the command bar offers; jobs and saved profiles come from the API's own search. */
export const searchEndpoints = [
  get({
    path: '/search',
    limited: 'filtered',
    query: { q: textParam('Words, or a whole email address or phone number.', 100) },
    returns: {
      candidates: {
        ...fields('application_id', 'name', 'title', 'company', 'job_title', 'stage_name', 'status'),
        match: fields('by', 'text'),
      },
      ...fields('more', 'phone_refused', 'rebuilding'),
      members: fields('id', 'name', 'email', 'role'),
    },
    handler: async call => {
      const { db, session, query } = call
      const q = query.q ?? ''
      const isSearched = q.trim() !== '' && may(session, 'applicants:read')
      const [found, members, rebuild] = await Promise.all([
        isSearched ? searchCandidates(call, q) : NOTHING,
        searchMembers(call, q),
        isSearched ? db.one(selectRebuild(session.workspaceId)) : undefined,
      ])
      // the best match first; `rebuilding`: some people may be missing
      return { ...found, rebuilding: rebuild !== undefined, members }
    },
  }),
]
