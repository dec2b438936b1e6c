import { containing, none, type Sql, sql, touched } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import { columnsOf, writtenColumns } from '../../kernel/record/record.ts'
import type { ProjectFields } from './fields.ts'
import { type ListRow, listMembershipRecord, listRecord, type MembershipRow, projectRecord } from './shape.ts'

const PROJECT_FIELDS = writtenColumns(projectRecord)
const LIST = columnsOf(listRecord.fields, 'l')
const MEMBERSHIP = columnsOf(listMembershipRecord.fields, 'm')

export interface ShownProject {
  id: string
  name: string
  description: string | null
  archived: boolean
  /** lists that are not archived */
  list_count: number
  updated_at: string
}

/** A page shows all projects; a workspace with more than this many has to use the API. */
const MAX_PROJECTS = 500

export const shownProjects = (workspace: string): Sql<ShownProject> =>
  sql<ShownProject>`
    select p.id, p.name, p.description, p.archived_at is not null as archived, p.updated_at,
      (select count(*)::integer from lists l where l.workspace_id = ${workspace} and l.project_id = p.id
        and l.archived_at is null) as list_count
    from projects p where p.workspace_id = ${workspace}
    order by p.updated_at desc, p.id desc limit ${MAX_PROJECTS}`

export const lockProject = (workspace: string, id: string): Sql<ProjectFields & { archived: boolean }> =>
  sql<ProjectFields & { archived: boolean }>`
    select ${PROJECT_FIELDS}, archived_at is not null as archived
    from projects where workspace_id = ${workspace} and id = ${id} for update`

export const updateProjectRow = (workspace: string, id: string, fields: ProjectFields) =>
  sql`
    update projects set (${PROJECT_FIELDS}) = (
        select ${PROJECT_FIELDS} from jsonb_populate_record(null::projects, ${JSON.stringify(fields)}::jsonb)),
      updated_at = ${touched()}
    where workspace_id = ${workspace} and id = ${id}`

export const archiveProject = (workspace: string, id: string, archived: boolean) =>
  sql`
    update projects set archived_at = ${archived ? sql`app_now()` : sql`null`}
    where workspace_id = ${workspace} and id = ${id}`

export const archiveList = (workspace: string, id: string, archived: boolean) =>
  sql`
    update lists set archived_at = ${archived ? sql`app_now()` : sql`null`}
    where workspace_id = ${workspace} and id = ${id}`

/** `archived`: it is, or its project. */
export type ShownList = ListRow & { archived: boolean; project_name: string | null; project_archived: boolean }

export interface ListFilter {
  project?: string | undefined
  /** true: only these; otherwise those that are not, nor their project */
  archived?: boolean | undefined
  q?: string | undefined
}

const SHOWN_LIST = sql`
  ${LIST}, l.archived_at is not null or p.archived_at is not null as archived, p.name as project_name,
  p.archived_at is not null as project_archived
  from lists l left join projects p on p.workspace_id = l.workspace_id and p.id = l.project_id`

export const shownLists = (workspace: string, { project, archived, q }: ListFilter, page: Page): Sql<ShownList> =>
  sql<ShownList>`
    select ${SHOWN_LIST}
    where l.workspace_id = ${workspace}
      and (l.archived_at is not null or p.archived_at is not null) = ${archived ?? false}
      ${project === undefined ? none : sql`and l.project_id = ${project}`}
      ${q === undefined ? none : sql`and lower(l.name) like lower(${containing(q)})`}
      ${page.clause}`

export const shownList = (workspace: string, id: string): Sql<ShownList> =>
  sql<ShownList>`select ${SHOWN_LIST} where l.workspace_id = ${workspace} and l.id = ${id}`

export interface ListStageCount {
  /** null: no stage */
  stage: string | null
  members: number
}

export const listStageCounts = (workspace: string, list: string): Sql<ListStageCount> =>
  sql<ListStageCount>`
    select stage, count(*)::integer as members from list_memberships
    where workspace_id = ${workspace} and list_id = ${list}
    group by stage order by count(*) desc, stage`

/** What a row of a list says about a person. */
export interface MemberPerson {
  full_name: string | null
  headline: string | null
  job_title: string | null
  company_name: string | null
  location_full: string | null
  linkedin_url: string | null
  has_contact_info: boolean
  suppressed: boolean
}

export type ShownMember = MembershipRow & MemberPerson

export interface MemberFilter {
  /** null: those without a stage */
  stage?: string | null | undefined
  q?: string | undefined
}

export const shownMembers = (
  workspace: string,
  list: string,
  { stage, q }: MemberFilter,
  page: Page,
): Sql<ShownMember> =>
  sql<ShownMember>`
    select ${MEMBERSHIP}, p.full_name, p.headline, p.job_title, p.company_name, p.location_full, p.linkedin_url,
      p.has_contact_info and p.suppressed_at is null as has_contact_info, p.suppressed_at is not null as suppressed
    from list_memberships m
    join sourced_profiles p on p.workspace_id = m.workspace_id and p.id = m.sourced_profile_id
    where m.workspace_id = ${workspace} and m.list_id = ${list}
      ${stage === undefined ? none : stage === null ? sql`and m.stage is null` : sql`and m.stage = ${stage}`}
      ${
        q === undefined
          ? none
          : sql`and lower(coalesce(full_name, '') || E'\n' || coalesce(job_title, '') || E'\n' || coalesce(company_name, ''))
              like lower(${containing(q)})`
      }
      ${page.clause}`

export type NamedMembership = MembershipRow & { list_name: string; project_name: string | null; archived: boolean }

/** The lists that a profile is in, those that it was added to last first. */
export const namedMemberships = (workspace: string, profile: string): Sql<NamedMembership> =>
  sql<NamedMembership>`
    select ${MEMBERSHIP}, l.name as list_name, p.name as project_name,
      l.archived_at is not null or p.archived_at is not null as archived
    from list_memberships m
    join lists l on l.workspace_id = m.workspace_id and l.id = m.list_id
    left join projects p on p.workspace_id = l.workspace_id and p.id = l.project_id
    where m.workspace_id = ${workspace} and m.sourced_profile_id = ${profile}
    order by m.added_at desc, m.id desc limit 200`
