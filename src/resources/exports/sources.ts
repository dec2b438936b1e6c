import { JOB_STATUSES } from '../../contract/job-status.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Queryable } from '../../kernel/db/database.ts'
import { raw, type Sql, sql } from '../../kernel/db/sql.ts'
import { ALL_ROWS } from '../../kernel/http/list.ts'
import { presenterFor } from '../../kernel/http/present.ts'
import { type Fields, guardedPaths, type RowOf, type Shape } from '../../kernel/http/shape.ts'
import { applicantsPage, toApplicant } from '../applicants/index.ts'
import { applicantShape } from '../applicants/shape.ts'
import { allApplications, allTransitions, toExportedApplication, toExportedRow } from '../applications/index.ts'
import { applicationShape } from '../applications/shape.ts'
import { allJobs, listJobs, readSiteUrl, toJob, toJobRow } from '../jobs/index.ts'
import { jobRowShape, jobShape } from '../jobs/shape.ts'
import { allLists, allMembers } from '../lists/index.ts'
import { listMembershipShape, listShape } from '../lists/shape.ts'
import { allProfiles, toProfile } from '../sourced-profiles/index.ts'
import { sourcedProfileShape } from '../sourced-profiles/shape.ts'
import { type ExportResource, type ExportView, exportedTransitionShape } from './shape.ts'

/** Who reads the file, and where its URLs lead. */
export interface Reader {
  scopes: ReadonlySet<Scope>
  /** whether links name the workspace */
  namesWorkspace: boolean
  publicUrl: string
}

/** How a resource is read: with the statement and the shape of its endpoint, so that rows look like its responses. */
export interface Source {
  /** the scope that its endpoint needs */
  scope: Scope
  /** the additional scopes that guarded fields of its rows need */
  guards: readonly Scope[]
  rows: (workspace: string) => Sql
  /** the JSON text of a stored row as the reader sees it */
  encoder: (reader: Reader, workspace: string, siteUrl: string | null) => (stored: unknown) => string
}

function source<Stored, F extends Fields>(
  scope: Scope,
  shape: Shape<F>,
  rows: (workspace: string) => Sql<Stored>,
  toRow: (stored: Stored, siteUrl: string | null) => RowOf<F>,
): Source {
  return {
    scope,
    guards: guardedPaths(shape.fields).flatMap(({ guard }) => ('scope' in guard ? [guard.scope] : [])),
    rows,
    encoder: ({ scopes, namesWorkspace }, workspace, siteUrl) => {
      const { encode } = presenterFor(shape as unknown as Shape, scopes)
      return stored => encode(toRow(stored as Stored, siteUrl), namesWorkspace ? workspace : undefined)
    },
  }
}

const asStored = <T>(row: T): T => row

/** Without `full`, the list returns the same fields as the single read, or the resource has no single read. */
const SOURCES: Readonly<Record<ExportResource, { list: Source; full?: Source }>> = {
  jobs: {
    // with drafts: without them a copy would miss that a job returned to draft
    list: source('jobs:read', jobRowShape, w => listJobs(w, { statuses: JOB_STATUSES }, ALL_ROWS), toJobRow),
    full: source('jobs:read', jobShape, allJobs, toJob),
  },
  applications: {
    list: source('applications:read', applicationShape, allApplications, toExportedRow),
    full: source('applications:read', applicationShape, allApplications, toExportedApplication),
  },
  applicants: { list: source('applicants:read', applicantShape, w => applicantsPage(w, {}, ALL_ROWS), toApplicant) },
  sourced_profiles: {
    list: source('sourced_profiles:read', sourcedProfileShape, w => allProfiles(w, {}, ALL_ROWS), toProfile),
  },
  lists: { list: source('lists:read', listShape, w => allLists(w, ALL_ROWS), asStored) },
  list_memberships: { list: source('lists:read', listMembershipShape, w => allMembers(w, ALL_ROWS), asStored) },
  stage_transitions: {
    list: source('applications:internal:read', exportedTransitionShape, allTransitions, asStored),
  },
}

export const findSource = (resource: ExportResource, view: ExportView): Source =>
  SOURCES[resource][view] ?? SOURCES[resource].list

/** The number of rows in memory at one time. */
const ROWS_PER_BATCH = 500

/** The lines of a file, a batch at a time, read through a cursor in the snapshot of the session. */
export async function* exportLines(
  snapshot: Queryable,
  { resource, view }: { resource: ExportResource; view: ExportView },
  workspace: string,
  reader: Reader,
): AsyncGenerator<{ text: string; rows: number }> {
  const { rows, encoder } = findSource(resource, view)
  const encode = encoder(reader, workspace, await readSiteUrl(snapshot, workspace, reader.publicUrl))
  const cursor = raw(`export_${resource}`)
  await snapshot.query(sql`declare ${cursor} no scroll cursor for ${rows(workspace)}`)
  const fetch = sql`fetch ${raw(String(ROWS_PER_BATCH))} from ${cursor}`
  for (;;) {
    const batch = await snapshot.query(fetch)
    let text = ''
    for (const row of batch) text += `${encode(row)}\n`
    if (batch.length > 0) yield { text, rows: batch.length }
    if (batch.length < ROWS_PER_BATCH) break
  }
  await snapshot.query(sql`close ${cursor}`)
}
