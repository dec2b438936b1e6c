import { API_LIMITS } from '../contract/limits.ts'
import { ROLE_SCOPES } from '../contract/scopes.ts'
import type { Transaction } from '../kernel/db/database.ts'
import { ApiError, fail } from '../kernel/errors/api-error.ts'
import { present } from '../kernel/errors/present.ts'
import { closed } from '../kernel/http/closed.ts'
import { booleanParam, textParam } from '../kernel/http/params.ts'
import { newHandle } from '../kernel/ids/handles.ts'
import { Type } from '../kernel/schema/types.ts'
import { oneLine } from '../programs/body-rules.ts'
import { fields } from '../programs/fields.ts'
import {
  addMembers,
  createProject,
  deleteList,
  type ListActor,
  type ListStageCount,
  listableProfileExists,
  listStageCounts,
  lockList,
  NO_STAGE,
  namedMemberships,
  removeMembers,
  restoreMembers,
  type ShownList,
  type ShownMember,
  STAGE_KEYS,
  setListArchived,
  setMemberStage,
  shownList,
  shownLists,
  shownMembers,
  shownProjects,
  updateList,
  updateProject,
} from '../resources/lists/index.ts'
import { poolFor } from '../resources/pool/index.ts'
import { importProfiles, readProfile, savedFromPool } from '../resources/sourced-profiles/index.ts'
import { PROFILE_MATCH_TIERS } from '../resources/sourced-profiles/shape.ts'
import type { UserSession } from '../sign-in/sessions.ts'
import { get, list, post } from './program.ts'

/** The changes of people have no origin key. */
export const actorOf = ({ workspaceId }: UserSession): ListActor => ({ workspace: workspaceId, originKeyId: null })

const mayReadProfiles = ({ role }: UserSession) => ROLE_SCOPES[role].includes('sourced_profiles:read')

/** As many as a page shows at a time, so that all that are selected fit. */
const MAX_CHANGED = 200
const ids = Type.Array(Type.String({ maxLength: 60 }), { minItems: 1, maxItems: MAX_CHANGED })

/** The texts that the reader saw, so that a change made since is not overwritten. */
const seen = Type.Optional(
  Type.Object({ name: Type.String(), description: Type.Union([Type.String(), Type.Null()]) }, closed),
)
const named = {
  name: Type.Optional(Type.String()),
  description: Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Null()])),
  archived: Type.Optional(Type.Boolean()),
}

const nameIn = (body: { name?: string } | null) => ({ name: body?.name })

const LIST = {
  ...fields('id', 'name', 'description', 'archived', 'candidate_count', 'created_at', 'updated_at'),
  project: fields('id', 'name', 'archived'),
}
const MEMBER = {
  ...fields('id', 'sourced_profile_id', 'stage', 'added_at'),
  person: {
    ...fields('full_name', 'headline', 'job_title', 'company_name', 'location_full', 'linkedin_url'),
    ...fields('has_contact_info', 'suppressed'),
  },
}

export const sourcingEndpoints = [
  get({
    path: '/sourcing/projects',
    limited: 'closed',
    scope: 'lists:read',
    returns: { data: fields('id', 'name', 'description', 'archived', 'list_count', 'updated_at') },
    handler: async ({ db, session }) => ({
      data: await db.query(shownProjects(session.workspaceId)),
    }),
  }),
  post({
    path: '/sourcing/projects',
    limited: 'closed',
    scope: 'lists:write',
    body: oneLine(Type.Object({ name: Type.String(), description: named.description }, closed), nameIn),
    handler: async ({ db, session, body }) => {
      const { id } = await db.transaction(tx => createProject(tx, actorOf(session), body))
      return { id }
    },
  }),
  post({
    path: '/sourcing/projects/{project_id}',
    limited: 'closed',
    scope: 'lists:write',
    body: oneLine(Type.Object(named, closed), nameIn),
    handler: async ({ db, session, params, body }) => {
      const id = params.project_id
      const changed = await db.transaction(tx => updateProject(tx, actorOf(session), id, body))
      return changed && { id }
    },
  }),
  list({
    path: '/sourcing/lists',
    limited: 'closed',
    scope: 'lists:read',
    query: {
      project_id: textParam('Only lists of this project.', 60),
      archived: booleanParam('Only lists that are archived.'),
      q: textParam('A part of the name.'),
    },
    order: { by: 'updated_at', tiebreaker: 'id', direction: 'desc', table: 'l' },
    returns: LIST,
    handler: async ({ db, session, query, page }) => {
      const { project_id: project, archived, q } = query
      return (await db.query(shownLists(session.workspaceId, { project, archived, q }, page))).map(toList)
    },
  }),
  get({
    path: '/sourcing/lists/{list_id}',
    limited: 'closed',
    scope: 'lists:read',
    returns: { ...LIST, stages: fields('stage', 'members', 'custom'), more_labels: true },
    handler: async ({ db, session, params }) => {
      const id = params.list_id
      const [list, stages] = await Promise.all([
        db.one(shownList(session.workspaceId, id)),
        db.query(listStageCounts(session.workspaceId, id)),
      ])
      return list && { ...toList(list), ...stagesShown(stages) }
    },
  }),
  list({
    path: '/sourcing/lists/{list_id}/members',
    limited: 'closed',
    scope: 'lists:read',
    query: {
      stage: textParam('A stage key, `none`, or a label of the list.', 60),
      q: textParam('A part of the name, title or company.'),
    },
    order: { by: 'added_at', tiebreaker: 'id', direction: 'desc', table: 'm' },
    returns: MEMBER,
    handler: async ({ db, session, params, query, page }) => {
      const id = params.list_id
      if (!(await db.one(shownList(session.workspaceId, id)))) fail('not_found')
      const readable = mayReadProfiles(session)
      const stage = query.stage === NO_STAGE ? null : query.stage
      // names decide nothing for whom they are hidden from
      const q = readable ? query.q : undefined
      const rows = await db.query(shownMembers(session.workspaceId, id, { stage, q }, page))
      return rows.map(row => toMember(row, readable))
    },
  }),
  post({
    path: '/sourcing/lists/{list_id}',
    limited: 'closed',
    scope: 'lists:write',
    body: oneLine(Type.Object({ ...named, seen }, closed), nameIn),
    handler: async ({ db, session, params, body: { archived, seen: before, ...input } }) => {
      const id = params.list_id
      return db.transaction(async tx => {
        const list = await tx.one(lockList(session.workspaceId, id))
        if (!list) return undefined
        if (before && (before.name !== list.name || before.description !== list.description)) fail('stale_resource')
        await updateList(tx, actorOf(session), id, input)
        if (archived !== undefined) await setListArchived(tx, actorOf(session), id, archived)
        return { id }
      })
    },
  }),
  post({
    path: '/sourcing/lists/{list_id}/delete',
    limited: 'closed',
    scope: 'lists:write',
    handler: ({ db, session, params }) =>
      onList(db, session, params.list_id, async (tx, id) => {
        await deleteList(tx, actorOf(session), id)
        return { id }
      }),
  }),
  post({
    path: '/sourcing/lists/{list_id}/remove',
    limited: 'closed',
    scope: 'lists:write',
    body: Type.Object({ profile_ids: ids }, closed),
    returns: fields('id', 'candidate_count'),
    handler: ({ db, session, params, body }) =>
      onList(db, session, params.list_id, async (tx, id) => {
        const { candidate_count } = await removeMembers(tx, actorOf(session), id, body.profile_ids)
        return { id, candidate_count }
      }),
  }),
  post({
    path: '/sourcing/lists/{list_id}/restore',
    limited: 'closed',
    scope: 'lists:write',
    body: Type.Object(
      {
        members: Type.Array(
          Type.Object(
            {
              sourced_profile_id: Type.String({ maxLength: 60 }),
              stage: Type.Union([Type.String(), Type.Null()]),
            },
            closed,
          ),
          { minItems: 1, maxItems: MAX_CHANGED },
        ),
      },
      closed,
    ),
    handler: ({ db, session, params, body }) =>
      onList(db, session, params.list_id, async (tx, id) => {
        const restored = await restoreMembers(tx, actorOf(session), id, body.members)
        // people who cannot be in the list any more
        return restored && { missing: restored.results.filter(({ membership }) => membership === null).length }
      }),
  }),
  post({
    path: '/sourcing/lists/{list_id}/stage',
    limited: 'closed',
    scope: 'lists:write',
    body: Type.Object({ member_ids: ids, stage: Type.String() }, closed),
    returns: { results: fields('member_id', 'status') },
    handler: ({ db, session, params, body }) =>
      onList(db, session, params.list_id, (tx, id) => changeStages(tx, session, id, body.member_ids, body.stage)),
  }),
  get({
    path: '/sourcing/profiles/{profile_id}/lists',
    limited: 'closed',
    scope: 'lists:read',
    returns: {
      data: { ...fields('id', 'stage', 'added_at'), list: fields('id', 'name', 'project_name', 'archived') },
    },
    handler: async ({ db, session, params }) => {
      const [profile, rows] = await Promise.all([
        db.one(listableProfileExists(session.workspaceId, params.profile_id)),
        db.query(namedMemberships(session.workspaceId, params.profile_id)),
      ])
      if (!profile) return undefined
      return {
        data: rows.map(({ id, list_id, list_name: name, project_name, archived, stage, added_at }) => ({
          id,
          list: { id: list_id, name, project_name, archived },
          stage,
          added_at,
        })),
      }
    },
  }),
  post({
    path: '/sourcing/pool/saved',
    limited: 'closed',
    scope: 'sourced_profiles:read',
    body: Type.Object({ pool_ids: ids }, closed),
    returns: { saved: fields('pool_id', 'profile_id') },
    handler: async ({ db, session, body }) => {
      const pool = await poolFor(session.environment).keys(db, body.pool_ids)
      const rows = await savedFromPool(db, session.workspaceId, pool)
      return { saved: rows.map(({ pool_id, id }) => ({ pool_id, profile_id: id })) }
    },
  }),
  post({
    path: '/sourcing/pool/save',
    limited: 'closed',
    scope: 'lists:write',
    body: Type.Object(
      {
        list_id: Type.String(),
        profiles: Type.Array(
          Type.Object(
            {
              id: Type.String({ maxLength: 60 }),
              match_score: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
              match_tier: Type.Optional(Type.Union(PROFILE_MATCH_TIERS.map(tier => Type.Literal(tier)))),
            },
            closed,
          ),
          { minItems: 1, maxItems: API_LIMITS.maxPageSize },
        ),
      },
      closed,
    ),
    returns: { list: LIST, results: fields('pool_id', 'status', 'profile_id') },
    handler: ({ db, session, body }) =>
      onList(db, session, body.list_id, (tx, id) => savePoolProfiles(tx, session, id, body.profiles)),
  }),
]

/** Runs a change of a list; undefined, which is a 404, if there is none. */
async function onList<T>(
  db: { transaction<R>(work: (tx: Transaction) => Promise<R>): Promise<R> },
  session: UserSession,
  id: string,
  change: (tx: Transaction, id: string) => Promise<T>,
): Promise<T | undefined> {
  return db.transaction(async tx => ((await tx.one(shownList(session.workspaceId, id))) ? change(tx, id) : undefined))
}

/** In the order of their ids, so that two people who choose the same members do not wait for each other in a circle. */
async function changeStages(
  tx: Transaction,
  session: UserSession,
  list: string,
  members: readonly string[],
  stage: string,
) {
  const results = new Map<string, 'changed' | 'not_found' | 'stopped'>()
  for (const id of [...new Set(members)].sort()) {
    try {
      const after = await setMemberStage(tx, actorOf(session), list, id, stage, { newLabels: true })
      results.set(id, after ? 'changed' : 'not_found')
    } catch (error) {
      // refused before anything was written, so the other members can still be changed
      if (!(error instanceof ApiError) || error.code !== 'applicant_suppressed') throw error
      results.set(id, 'stopped')
    }
  }
  return { results: members.map(member_id => ({ member_id, status: present(results.get(member_id), member_id) })) }
}

interface FoundProfile {
  id: string
  match_score?: number
  match_tier?: string
}

/** What became of a profile of the pool. `stopped`: the person must not be stored. */
interface SavedProfile {
  pool_id: string
  status: 'added' | 'already_in_list' | 'not_found' | 'stopped'
  profile_id: string | null
}

const FROM_POOL = { origin: 'pool', acquisition: 'pool_search', provider: null, keepKnown: true }

/**
 * Makes sourced profiles of profiles of the pool and adds them to a list. A profile that the workspace already has stays
 * as it is: what the team knows about a person is not replaced by what the pool says.
 */
async function savePoolProfiles(tx: Transaction, session: UserSession, listId: string, found: readonly FoundProfile[]) {
  const actor = actorOf(session)
  const stored = await poolFor(session.environment).read(
    tx,
    found.map(({ id }) => id),
  )
  const inPool = new Map(stored.map(row => [row.id, row]))
  const wanted = [...new Map(found.map(profile => [profile.id, profile])).values()].filter(({ id }) => inPool.has(id))
  const rows = wanted.map(({ id, match_score, match_tier }) =>
    readProfile(
      JSON.stringify({ ...inPool.get(id), match_score, match_tier, external_id: id }),
      newHandle('sourced_profile'),
    ),
  )
  const { fates } = await importProfiles(tx, actor, FROM_POOL, rows)
  const profiles = new Map(wanted.map(({ id }, i) => [id, fates[i]?.profile_id ?? null]))
  const members = [...new Set(profiles.values())].flatMap(id => (id === null ? [] : [{ sourced_profile_id: id }]))
  const added = members.length === 0 ? undefined : await addMembers(tx, actor, listId, members)
  const statuses = new Map(added?.results.map(({ sourced_profile_id, status }) => [sourced_profile_id, status]))
  const results = found.map(({ id }): SavedProfile => {
    const profile_id = profiles.get(id)
    if (profile_id === undefined) return { pool_id: id, status: 'not_found', profile_id: null }
    if (profile_id === null) return { pool_id: id, status: 'stopped', profile_id: null }
    const status = statuses.get(profile_id)
    return { pool_id: id, status: status === 'added' || status === 'already_in_list' ? status : 'stopped', profile_id }
  })
  return { list: toList(await tx.only(shownList(session.workspaceId, listId))), results }
}

/** A list shows so many labels: those that most members have. */
const MAX_LABELS = 50

/** Every stage in its order, also those without members, and then the labels of the list. */
function stagesShown(counts: readonly ListStageCount[]) {
  const membersIn = new Map(counts.map(({ stage, members }) => [stage, members]))
  const keys: readonly (string | null)[] = [null, ...STAGE_KEYS]
  const labels = counts.filter(({ stage }) => !keys.includes(stage))
  const stages = [
    ...keys.map(stage => ({ stage, members: membersIn.get(stage) ?? 0, custom: false })),
    ...labels.slice(0, MAX_LABELS).map(row => ({ ...row, custom: true })),
  ]
  // `more_labels` are left out, because there are too many
  return { stages, more_labels: Math.max(0, labels.length - MAX_LABELS) }
}

const toList = (list: ShownList) => ({
  id: list.id,
  name: list.name,
  description: list.description,
  project:
    list.project_id === null
      ? null
      : { id: list.project_id, name: present(list.project_name, 'project_name'), archived: list.project_archived },
  /** it is, or its project */
  archived: list.archived,
  candidate_count: list.candidate_count,
  created_at: list.created_at,
  updated_at: list.updated_at,
})

function toMember(row: ShownMember, readable: boolean) {
  const { id, sourced_profile_id, stage, added_at } = row
  const { full_name, headline, job_title, company_name, location_full, linkedin_url, has_contact_info, suppressed } =
    row
  const person = {
    full_name,
    headline,
    job_title,
    company_name,
    location_full,
    linkedin_url,
    has_contact_info,
    suppressed,
  }
  return { id, sourced_profile_id, stage, added_at, person: readable ? person : null }
}
