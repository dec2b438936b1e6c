import type { Queryable } from '../../kernel/db/database.ts'
import { sitePathOf } from '../careers/index.ts'
import { applicationCount, enabledSite, jobById, type StoredJob, stageCount, storedJob, toJob } from './store.ts'

/** The address of the workspace's careers site; null if it has none, or it is switched off. `publicUrl`: its origin. */
export async function readSiteUrl(db: Queryable, workspace: string, publicUrl: string): Promise<string | null> {
  const site = await db.one(enabledSite(workspace))
  return site ? publicUrl + sitePathOf(site.slug) : null
}

/** A job as its single read shows it. */
export async function readJob(db: Queryable, workspace: string, id: string, publicUrl: string) {
  const [job, count, siteUrl] = await Promise.all([
    db.one(jobById(workspace, id)),
    db.only(applicationCount(workspace, id)),
    readSiteUrl(db, workspace, publicUrl),
  ])
  return job && toJob(Object.assign(job, count), siteUrl)
}

/** A job as writers see it, without a lock. */
export async function readStoredJob(db: Queryable, workspace: string, id: string): Promise<StoredJob | undefined> {
  const [job, stages] = await Promise.all([db.one(storedJob(workspace, id)), db.only(stageCount(workspace, id))])
  return job && { ...job, ...stages }
}
