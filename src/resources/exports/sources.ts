import type { Scope } from '../../contract/scopes.ts'
import type { Queryable } from '../../kernel/db/database.ts'
import { raw, type Sql, sql } from '../../kernel/db/sql.ts'
import { WHOLE } from '../../kernel/http/list.ts'
import { presenterFor } from '../../kernel/http/present.ts'
import type { Fields, RowOf, Shape } from '../../kernel/http/shape.ts'
import { applicantShape } from '../applicants/shape.ts'
import { applicantsPage, toApplicant } from '../applicants/store.ts'
import { applicationShape } from '../applications/shape.ts'
import { allTransitions, applicationsPage } from '../applications/store.ts'
import { JOB_STATUSES, jobRowShape } from '../jobs/shape.ts'
import { listJobs, toJobRow } from '../jobs/store.ts'
import { listMembershipShape, listShape } from '../lists/shape.ts'
import { allMembers, lists } from '../lists/store.ts'
import { sourcedProfileShape } from '../sourced-profiles/shape.ts'
import { profiles, toProfile } from '../sourced-profiles/store.ts'
import { type ExportResource, exportedTransitionShape } from './shape.ts'

/** How a resource is read: with the statement and in the shape of its list endpoint, so that the rows look the same. */
export interface Source {
  /** what its list endpoint needs */
  scope: Scope
  rows: (workspace: string) => Sql
  /** JSON texts of a stored row, as a holder of the scopes sees it */
  encoder: (scopes: ReadonlySet<Scope>) => (stored: unknown) => string
}

function source<Stored, F extends Fields>(
  scope: Scope,
  shape: Shape<F>,
  rows: (workspace: string) => Sql<Stored>,
  toRow: (stored: Stored) => RowOf<F>,
): Source {
  return {
    scope,
    rows,
    encoder: scopes => {
      const { encode } = presenterFor(shape as unknown as Shape, scopes)
      return stored => encode(toRow(stored as Stored))
    },
  }
}

const asStored = <T>(row: T): T => row

export const SOURCES: Readonly<Record<ExportResource, Source>> = {
  // drafts included: a copy without them would not notice how a job goes back to draft
  jobs: source('jobs:read', jobRowShape, w => listJobs(w, { statuses: JOB_STATUSES }, WHOLE), toJobRow),
  applications: source('applications:read', applicationShape, w => applicationsPage(w, {}, WHOLE), asStored),
  applicants: source('applicants:read', applicantShape, w => applicantsPage(w, {}, WHOLE), toApplicant),
  sourced_profiles: source('sourced_profiles:read', sourcedProfileShape, w => profiles(w, {}, WHOLE), toProfile),
  lists: source('lists:read', listShape, w => lists(w, WHOLE), asStored),
  list_memberships: source('lists:read', listMembershipShape, w => allMembers(w, WHOLE), asStored),
  stage_transitions: source('applications:internal:read', exportedTransitionShape, allTransitions, asStored),
}

/** Rows in memory at a time, whatever there are in all. */
const PIECE = 500

/** The lines of a file, some hundred at a time, read through a cursor of the snapshot that the session is in. */
export async function* linesOf(
  snapshot: Queryable,
  resource: ExportResource,
  workspace: string,
  scopes: ReadonlySet<Scope>,
): AsyncGenerator<{ text: string; rows: number }> {
  const { rows, encoder } = SOURCES[resource]
  const encode = encoder(scopes)
  const cursor = raw(`export_${resource}`)
  await snapshot.query(sql`declare ${cursor} no scroll cursor for ${rows(workspace)}`)
  const fetch = sql`fetch ${raw(String(PIECE))} from ${cursor}`
  for (;;) {
    const piece = await snapshot.query(fetch)
    let text = ''
    for (const row of piece) text += `${encode(row)}\n`
    if (piece.length > 0) yield { text, rows: piece.length }
    if (piece.length < PIECE) break
  }
  await snapshot.query(sql`close ${cursor}`)
}
