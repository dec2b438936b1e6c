import type { Environment } from '../../kernel/access/key-format.ts'
import { type Sql, sql, touched } from '../../kernel/db/sql.ts'
import type { LogoFormat } from './logo-format.ts'

/** The careers site of a workspace as its pages need it. */
export interface SiteRow {
  workspace_id: string
  workspace_name: string
  environment: Environment
  slug: string
  enabled: boolean
  display_name: string | null
  headline: string | null
  introduction_md: string | null
  accent_color: string | null
  logo_blob_key: string | null
  logo_mime: string | null
  /** in pixels; null: there is none, or it was stored before sizes were */
  logo_width: number | null
  logo_height: number | null
  website_url: string | null
  privacy_url: string | null
  imprint_url: string | null
  /** whether the sitemap of the installation names the site */
  listed: boolean
  /** that replies of candidates go to */
  contact_email: string | null
  /** two letters; of locations that name no country */
  country: string | null
  /** by language */
  confirmations: Readonly<Record<string, { subject: string; body: string }>>
  updated_at: string
}

const SITE_COLUMNS = sql`c.workspace_id, w.name as workspace_name, w.environment, c.slug, c.enabled, c.display_name, c.headline,
  c.introduction_md, c.accent_color, c.logo_blob_key, c.logo_mime, c.logo_width, c.logo_height, c.website_url, c.privacy_url, c.imprint_url,
  c.listed, c.contact_email, c.country, c.confirmations, c.updated_at`

/** By its slug or an earlier one. */
export const siteBySlug = (slug: string): Sql<SiteRow> => sql<SiteRow>`
  select ${SITE_COLUMNS} from career_slugs s
  join career_sites c on c.workspace_id = s.workspace_id
  join workspaces w on w.id = c.workspace_id and w.closing_at is null
  where s.slug = ${slug}`

export const selectSite = (workspace: string): Sql<SiteRow> => sql<SiteRow>`
  select ${SITE_COLUMNS} from career_sites c join workspaces w on w.id = c.workspace_id
  where c.workspace_id = ${workspace}`

/** Changes of one site take turns. */
export const lockSite = (workspace: string): Sql<SiteRow> => sql<SiteRow>`${selectSite(workspace)} for update of c`

/** Takes the slug if no workspace ever had it. */
export const takeSlug = (workspace: string, slug: string): Sql<{ slug: string }> => sql<{ slug: string }>`
  insert into career_slugs (slug, workspace_id) values (${slug}, ${workspace}) on conflict do nothing returning slug`

/** Every slug that the workspace has or had. */
export const selectSlugs = (workspace: string): Sql<{ slug: string }> => sql<{ slug: string }>`
  select slug from career_slugs where workspace_id = ${workspace} order by slug`

export const insertSite = (workspace: string, slug: string) =>
  sql`insert into career_sites (workspace_id, slug) values (${workspace}, ${slug})`

export type StoredSiteSettings = Omit<
  SiteRow,
  | 'workspace_id'
  | 'workspace_name'
  | 'environment'
  | 'logo_blob_key'
  | 'logo_mime'
  | 'logo_width'
  | 'logo_height'
  | 'updated_at'
>

export const updateSite = (workspace: string, s: StoredSiteSettings) => sql`
  update career_sites set slug = ${s.slug}, enabled = ${s.enabled}, display_name = ${s.display_name},
    headline = ${s.headline}, introduction_md = ${s.introduction_md}, accent_color = ${s.accent_color},
    website_url = ${s.website_url}, privacy_url = ${s.privacy_url}, imprint_url = ${s.imprint_url},
    listed = ${s.listed}, contact_email = ${s.contact_email},
    country = ${s.country},
    confirmations = ${JSON.stringify(s.confirmations)}::jsonb, updated_at = ${touched()}
  where workspace_id = ${workspace}`

/** Sets or removes the logo; the file of the one before is deleted by a worker. */
export const replaceLogo = (workspace: string, logo: (LogoFormat & { blobKey: string }) | null) => sql`
  with before as (
    select workspace_id, logo_blob_key from career_sites where workspace_id = ${workspace} for update
  ), deletion as (
    insert into blob_deletions (blob_key)
    select logo_blob_key from before where logo_blob_key is not null on conflict do nothing
  )
  update career_sites c set logo_blob_key = ${logo?.blobKey ?? null}, logo_mime = ${logo?.mime ?? null},
    logo_width = ${logo?.width ?? null}, logo_height = ${logo?.height ?? null}, updated_at = ${touched()}
  -- joined, so that the row is locked and read before it is changed
  from before where c.workspace_id = before.workspace_id`

/** The site of a workspace that is closed does not exist; that of a test workspace is in no list. */
const OPEN = sql`exists (
  select from workspaces w where w.id = c.workspace_id and w.closing_at is null and w.environment = 'live')`

/** The site that `/careers` leads to: that of the demo, or the only one that is switched on. */
export const frontSite = (demo: string | undefined): Sql<{ slug: string }> => sql<{ slug: string }>`
  select c.slug from career_sites c
  where c.enabled and ${OPEN} and (c.workspace_id = ${demo ?? null}
    or (select count(*) from (select 1 from career_sites c where c.enabled and ${OPEN} limit 2) s) = 1)`
