import { type Sql, sql } from '../../kernel/db/sql.ts'

/** The careers site of a workspace as its pages need it. */
export interface SiteRow {
  workspace_id: string
  workspace_name: string
  slug: string
  enabled: boolean
  display_name: string | null
  headline: string | null
  introduction_md: string | null
  accent_color: string | null
  logo_blob_key: string | null
  logo_mime: string | null
  website_url: string | null
  privacy_url: string | null
  /** by language */
  confirmations: Readonly<Record<string, { subject: string; body: string }>>
  updated_at: string
}

export const SITE_COLUMNS = sql`c.workspace_id, w.name as workspace_name, c.slug, c.enabled, c.display_name, c.headline,
  c.introduction_md, c.accent_color, c.logo_blob_key, c.logo_mime, c.website_url, c.privacy_url, c.confirmations,
  c.updated_at`

/** By its slug or an earlier one. */
export const siteBySlug = (slug: string): Sql<SiteRow> => sql<SiteRow>`
  select ${SITE_COLUMNS} from career_slugs s
  join career_sites c on c.workspace_id = s.workspace_id
  join workspaces w on w.id = c.workspace_id
  where s.slug = ${slug}`

/** Takes the slug if no workspace ever had it. */
export const takeSlug = (workspace: string, slug: string): Sql<{ slug: string }> => sql<{ slug: string }>`
  insert into career_slugs (slug, workspace_id) values (${slug}, ${workspace}) on conflict do nothing returning slug`

export const insertSite = (workspace: string, slug: string) =>
  sql`insert into career_sites (workspace_id, slug) values (${workspace}, ${slug})`

/** The site that `/careers` leads to: that of the demo, or the only one that is switched on. */
export const frontSite = (demo: string | undefined): Sql<{ slug: string }> => sql<{ slug: string }>`
  select slug from career_sites
  where enabled and (workspace_id = ${demo ?? null}
    or (select count(*) from (select 1 from career_sites where enabled limit 2) s) = 1)`
