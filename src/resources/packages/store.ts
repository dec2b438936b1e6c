import { textLock } from '../../kernel/db/locks.ts'
import { none, type Sql, sql, touched } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { ColumnsOf } from '../../kernel/record/field.ts'
import { columnsOf, groupColumns, type Written, writtenColumns, writtenValues } from '../../kernel/record/record.ts'
import { type PackageKind, type PackageRow, packageRecord } from './shape.ts'

const COLUMNS = columnsOf(packageRecord.fields)
const FIELDS = writtenColumns(packageRecord)

export type PackageFields = Written<typeof packageRecord>
export type PackageStatus = PackageRow['status']
type Columns = ColumnsOf<typeof packageRecord.fields>
/** A row of the table, which is also a row of responses. */
export type StoredPackage = Columns & PackageRow

const grouped = groupColumns(packageRecord.fields)
export const toPackage = (columns: Columns): StoredPackage => grouped(columns)

export interface PackageFilter {
  /** only packages of this vendor */
  vendor?: string | undefined
  kind?: readonly PackageKind[] | undefined
  status?: readonly PackageStatus[] | undefined
  /** offered for candidates of this country */
  country?: string | undefined
  externalId?: string | undefined
}

export const packagesPage = (workspace: string, f: PackageFilter, page: Page): Sql<Columns> =>
  sql<Columns>`
    select ${COLUMNS} from packages where workspace_id = ${workspace}
      ${f.vendor === undefined ? none : sql`and vendor_id = ${f.vendor}`}
      ${f.kind ? sql`and kind = any(${f.kind}::text[])` : none}
      ${f.status ? sql`and status = any(${f.status}::text[])` : none}
      ${f.country === undefined ? none : sql`and (countries = '[]' or countries ? ${f.country})`}
      ${f.externalId === undefined ? none : sql`and external_id = ${f.externalId}`}
      ${page.clause}`

const ofVendor = (vendor: string | undefined): Sql => (vendor === undefined ? none : sql`and vendor_id = ${vendor}`)

/** `vendor`: only if it is a package of this one. */
export const packageById = (workspace: string, id: string, vendor?: string): Sql<Columns> =>
  sql<Columns>`select ${COLUMNS} from packages where workspace_id = ${workspace} and id = ${id} ${ofVendor(vendor)}`

export const packagesById = (workspace: string, ids: readonly string[]): Sql<Columns> =>
  sql<Columns>`select ${COLUMNS} from packages where workspace_id = ${workspace} and id = any(${ids}::text[])`

/** For a transaction that orders it: it is not withdrawn before the end. */
export const sharePackage = (workspace: string, id: string): Sql<Columns> =>
  sql<Columns>`${packageById(workspace, id)} for share`

export const sharePackages = (workspace: string, ids: readonly string[]): Sql<Columns> =>
  sql<Columns>`${packagesById(workspace, ids)} order by id for share`

export const lockPackage = (workspace: string, id: string, vendor?: string): Sql<Columns> =>
  sql<Columns>`${packageById(workspace, id, vendor)} for update`

export const packageByExternalId = (workspace: string, vendor: string, externalId: string): Sql<Columns> =>
  sql<Columns>`
    select ${COLUMNS} from packages
    where workspace_id = ${workspace} and vendor_id = ${vendor} and external_id = ${externalId} for update`

/** Publications of one vendor take turns, so that the count before each is exact. Ends with the transaction. */
export const lockVendor = (workspace: string, vendor: string) =>
  sql`select pg_advisory_xact_lock(${textLock('packages', workspace, vendor)})`

/** The domains of the app of an installation, unless it has ended. It ends only after the transaction. */
export const lockDomains = (workspace: string, installation: string) =>
  sql<{ domains: string[] }>`
    select a.domains from installations i
    join connected_apps a on a.workspace_id = i.app_workspace_id and a.id = i.app_id
    where i.workspace_id = ${workspace} and i.id = ${installation} and i.ended_at is null for share of i`

export const countPackages = (workspace: string, vendor: string) =>
  sql<{ packages: number }>`
    select count(*)::integer as packages from packages where workspace_id = ${workspace} and vendor_id = ${vendor}`

interface NewPackage {
  workspace: string
  id: string
  vendor: { id: string; name: string }
  status: PackageStatus
  fields: PackageFields
}

export const insertPackage = ({ workspace, id, vendor, status, fields }: NewPackage): Sql<Columns> =>
  sql<Columns>`
    insert into packages (workspace_id, id, vendor_id, vendor_name, status, ${FIELDS})
    values (${workspace}, ${id}, ${vendor.id}, ${vendor.name}, ${status}, ${writtenValues(packageRecord, fields)})
    returning ${COLUMNS}`

export const updatePackage = ({ workspace, id, vendor, status, fields }: NewPackage): Sql<Columns> =>
  sql<Columns>`
    update packages set (${FIELDS}) = (
        select ${FIELDS} from jsonb_populate_record(null::packages, ${JSON.stringify(fields)}::jsonb)),
      vendor_name = ${vendor.name}, status = ${status}, updated_at = ${touched()}
    where workspace_id = ${workspace} and id = ${id} returning ${COLUMNS}`

export const setPackageStatus = (workspace: string, id: string, status: PackageStatus): Sql<Columns> =>
  sql<Columns>`
    update packages set status = ${status}, updated_at = ${touched()}
    where workspace_id = ${workspace} and id = ${id} returning ${COLUMNS}`

export const withdrawVendorPackages = (workspace: string, vendor: string): Sql<{ id: string }> =>
  sql<{ id: string }>`
    with theirs as materialized (
      select id from packages where workspace_id = ${workspace} and vendor_id = ${vendor} and status <> 'withdrawn'
      order by id for update
    )
    update packages p set status = 'withdrawn', updated_at = ${touched('p.updated_at')} from theirs t
    where p.workspace_id = ${workspace} and p.id = t.id returning p.id`
