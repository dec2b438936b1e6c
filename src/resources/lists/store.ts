import { none, type Sql, sql, touched } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import { columnsOf, writtenColumns, writtenValues } from '../../kernel/record/record.ts'
import type { ListFields, ProjectFields } from './fields.ts'
import {
  type ListRow,
  listMembershipRecord,
  listRecord,
  type MembershipRow,
  type ProjectRow,
  projectRecord,
} from './shape.ts'

const PROJECT = columnsOf(projectRecord.fields)
const PROJECT_FIELDS = writtenColumns(projectRecord)
const LIST = columnsOf(listRecord.fields)
const LIST_FIELDS = writtenColumns(listRecord)
const MEMBERSHIP = columnsOf(listMembershipRecord.fields)

export const projects = (workspace: string, page: Page): Sql<ProjectRow> =>
  sql<ProjectRow>`select ${PROJECT} from projects where workspace_id = ${workspace} ${page.clause}`

export const projectById = (workspace: string, id: string): Sql<ProjectRow> =>
  sql<ProjectRow>`select ${PROJECT} from projects where workspace_id = ${workspace} and id = ${id}`

export const oldestProject = (workspace: string): Sql<ProjectRow> =>
  sql<ProjectRow>`select ${PROJECT} from projects where workspace_id = ${workspace} order by created_at, id limit 1`

/** Serializes the creation of the first project in a workspace. Rows that only refer to the workspace do not wait. */
export const lockWorkspaceLists = (workspace: string) =>
  sql`select 1 from workspaces where id = ${workspace} for no key update`

export const insertProject = (workspace: string, id: string, fields: ProjectFields): Sql<ProjectRow> =>
  sql<ProjectRow>`
    insert into projects (workspace_id, id, ${PROJECT_FIELDS})
    values (${workspace}, ${id}, ${writtenValues(projectRecord, fields)})
    returning ${PROJECT}`

export const allLists = (workspace: string, page: Page, project?: string): Sql<ListRow> =>
  sql<ListRow>`
    select ${LIST} from lists
    where workspace_id = ${workspace} ${project === undefined ? none : sql`and project_id = ${project}`} ${page.clause}`

export const listById = (workspace: string, id: string): Sql<ListRow> =>
  sql<ListRow>`select ${LIST} from lists where workspace_id = ${workspace} and id = ${id}`

export const lockList = (workspace: string, id: string): Sql<ListRow> =>
  sql<ListRow>`select ${LIST} from lists where workspace_id = ${workspace} and id = ${id} for update`

export const lockListsOfProfile = (workspace: string, profile: string): Sql<ListRow> =>
  sql<ListRow>`
    select ${LIST} from lists
    where workspace_id = ${workspace} and id in (
      select list_id from list_memberships where workspace_id = ${workspace} and sourced_profile_id = ${profile})
    order by id for update`

export const insertList = (workspace: string, id: string, fields: ListFields): Sql<ListRow> =>
  sql<ListRow>`
    insert into lists (workspace_id, id, ${LIST_FIELDS})
    values (${workspace}, ${id}, ${writtenValues(listRecord, fields)})
    returning ${LIST}`

export const changeCandidateCount = (workspace: string, id: string, by: number): Sql<ListRow> =>
  sql<ListRow>`
    update lists set candidate_count = candidate_count + ${by}::integer, updated_at = ${touched()}
    where workspace_id = ${workspace} and id = ${id} returning ${LIST}`

export const updateListRow = (workspace: string, id: string, fields: ListFields): Sql<ListRow> =>
  sql<ListRow>`
    update lists set (${LIST_FIELDS}) = (
        select ${LIST_FIELDS} from jsonb_populate_record(null::lists, ${JSON.stringify(fields)}::jsonb)),
      updated_at = ${touched()}
    where workspace_id = ${workspace} and id = ${id} returning ${LIST}`

export const deleteListRow = (workspace: string, id: string): Sql<{ deleted_at: string }> =>
  sql<{ deleted_at: string }>`
    with gone as (delete from lists where workspace_id = ${workspace} and id = ${id} returning updated_at)
    select ${touched()} as deleted_at from gone`

export const listMembers = (workspace: string, list: string, page: Page): Sql<MembershipRow> =>
  sql<MembershipRow>`
    select ${MEMBERSHIP} from list_memberships where workspace_id = ${workspace} and list_id = ${list} ${page.clause}`

export const allMembers = (workspace: string, page: Page): Sql<MembershipRow> =>
  sql<MembershipRow>`select ${MEMBERSHIP} from list_memberships where workspace_id = ${workspace} ${page.clause}`

export const selectMemberships = (workspace: string, profile: string, page: Page): Sql<MembershipRow> =>
  sql<MembershipRow>`
    select ${MEMBERSHIP} from list_memberships
    where workspace_id = ${workspace} and sourced_profile_id = ${profile} ${page.clause}`

export const listableProfileExists = (workspace: string, id: string) =>
  sql`select 1 from sourced_profiles where workspace_id = ${workspace} and id = ${id}`

/**
 * Profiles that can be members of a list: they belong to the workspace, are not suppressed, and have a name or another
 * field to show. They are locked against deletion until the transaction ends.
 */
export const listableProfiles = (workspace: string, ids: readonly string[]): Sql<{ id: string }> =>
  sql<{ id: string }>`
    select id from sourced_profiles
    where workspace_id = ${workspace} and id = any(${ids}::text[]) and suppressed_at is null
      and coalesce(full_name, headline, job_title, company_name, linkedin_url) is not null
    order by id for key share`

export const listMembersAmong = (workspace: string, list: string, profiles: readonly string[]): Sql<MembershipRow> =>
  sql<MembershipRow>`
    select ${MEMBERSHIP} from list_memberships
    where workspace_id = ${workspace} and list_id = ${list} and sourced_profile_id = any(${profiles}::text[])`

export const insertMembers = (
  workspace: string,
  list: string,
  ids: readonly string[],
  profiles: readonly { id: string; stage: string | null }[],
  at: string,
): Sql<MembershipRow> =>
  sql<MembershipRow>`
    insert into list_memberships (workspace_id, id, list_id, sourced_profile_id, added_at, stage, stage_updated_at)
    select ${workspace}, id, ${list}, profile, ${at}::timestamptz, stage,
      case when stage is not null then ${at}::timestamptz end
    from unnest(${ids}::text[], ${profiles.map(({ id }) => id)}::text[],
      ${profiles.map(({ stage }) => stage)}::text[]) as m (id, profile, stage)
    returning ${MEMBERSHIP}`

/** `stopped`: the profile is suppressed. */
export const lockMembership = (
  workspace: string,
  list: string,
  id: string,
): Sql<MembershipRow & { stopped: boolean }> =>
  sql<MembershipRow & { stopped: boolean }>`
    select ${MEMBERSHIP}, exists (select from sourced_profiles p where p.workspace_id = ${workspace}
        and p.id = m.sourced_profile_id and p.suppressed_at is not null) as stopped
    from list_memberships m
    where workspace_id = ${workspace} and list_id = ${list} and id = ${id} for update of m`

/** The first labels in use in a list, other than the stage keys, and how many there are in all. */
export const customLabels = (
  workspace: string,
  list: string,
  keys: readonly string[],
  limit: number,
): Sql<{ stage: string; total: number }> =>
  sql<{ stage: string; total: number }>`
    select stage, count(*) over ()::integer as total from (
      select distinct stage from list_memberships
      where workspace_id = ${workspace} and list_id = ${list} and stage is not null and stage <> all(${keys}::text[])
    ) labels order by stage limit ${limit}`

export const labelInUse = (workspace: string, list: string, label: string) =>
  sql`
    select 1 from list_memberships
    where workspace_id = ${workspace} and list_id = ${list} and stage = ${label} limit 1`

export const setStage = (workspace: string, id: string, stage: string | null): Sql<MembershipRow> =>
  sql<MembershipRow>`
    update list_memberships
    set stage = ${stage}, stage_updated_at = ${touched('coalesce(stage_updated_at, added_at)')}
    where workspace_id = ${workspace} and id = ${id} returning ${MEMBERSHIP}`

export type RemovedMember = MembershipRow & { removed_at: string }

export const deleteMembers = (workspace: string, list: string, profiles?: readonly string[]): Sql<RemovedMember> =>
  sql<RemovedMember>`
    with gone as (
      delete from list_memberships where workspace_id = ${workspace} and list_id = ${list}
        ${profiles === undefined ? none : sql`and sourced_profile_id = any(${profiles}::text[])`}
      returning *
    )
    select ${MEMBERSHIP}, ${touched('coalesce(stage_updated_at, added_at)')} as removed_at from gone order by added_at, id`
