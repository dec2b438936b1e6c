import { sql } from '../../src/kernel/db/sql.ts'
import type { NewJobInput } from '../../src/resources/jobs/fields.ts'
import { createJob, moveJob } from '../../src/resources/jobs/index.ts'
import type { TestService } from '../harness/service.ts'

/** A workspace with a careers site. */
export interface Site {
  workspace: string
  slug: string
  path: string
  /** a job that is published unless it says otherwise; returns its handle and its path */
  job(
    input: NewJobInput,
    status?: 'draft' | 'published' | 'closed',
  ): Promise<{ id: string; slug: string; path: string }>
  set(values: Record<string, string | boolean>): Promise<void>
}

export interface PageResponse {
  status: number
  headers: Headers
  text: string
}

export async function createSite(service: TestService, name: string): Promise<Site> {
  const { db } = service.services
  const workspace = (await service.workspace('starter', name)).id
  const slug = (await db.one(sql<{ slug: string }>`select slug from career_sites where workspace_id = ${workspace}`))!
    .slug
  return {
    workspace,
    slug,
    path: `/careers/${slug}`,
    async job(input, status = 'published') {
      const id = await db.transaction(async tx => {
        const id = await createJob(tx, workspace, { content: { summary: 'A job.' }, ...input })
        if (status !== 'draft') await moveJob(tx, workspace, id, 'publish')
        if (status === 'closed') await moveJob(tx, workspace, id, 'close')
        return id
      })
      const row = await db.one(
        sql<{ slug: string }>`select slug from jobs where workspace_id = ${workspace} and id = ${id}`,
      )
      return { id, slug: row!.slug, path: `/careers/${slug}/jobs/${encodeURIComponent(row!.slug)}` }
    },
    async set(values) {
      const {
        introduction_md,
        accent_color,
        headline,
        display_name,
        website_url,
        privacy_url,
        imprint_url,
        contact_email,
      } = values
      await db.query(sql`update career_sites set
        introduction_md = coalesce(${introduction_md ?? null}, introduction_md),
        accent_color = coalesce(${accent_color ?? null}, accent_color),
        headline = coalesce(${headline ?? null}, headline),
        display_name = coalesce(${display_name ?? null}, display_name),
        website_url = coalesce(${website_url ?? null}, website_url),
        privacy_url = coalesce(${privacy_url ?? null}, privacy_url),
        imprint_url = coalesce(${imprint_url ?? null}, imprint_url),
        contact_email = coalesce(${contact_email ?? null}, contact_email),
        country = coalesce(${values['country'] ?? null}, country),
        enabled = coalesce(${values['enabled'] ?? null}, enabled)
        where workspace_id = ${workspace}`)
    },
  }
}

/** A page as a browser asks for it. */
export const fetchPage = async (
  service: TestService,
  path: string,
  headers: Record<string, string> = {},
): Promise<PageResponse> => {
  const response = await fetch(service.origin + path, {
    redirect: 'manual',
    headers: { accept: 'text/html,*/*;q=0.8', 'accept-language': 'en', ...headers },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
