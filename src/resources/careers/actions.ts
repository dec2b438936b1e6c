import type { Transaction } from '../../kernel/db/database.ts'
import { siteSlug } from './rules.ts'
import { insertSite, takeSlug } from './store.ts'

/** Gives a new workspace its careers site, under a slug of its name that no workspace had before. */
export async function addSite(tx: Transaction, workspace: string, name: string): Promise<void> {
  const base = siteSlug(name)
  for (let n = 1; ; n++) {
    const slug = n === 1 ? base : `${base}-${n}`
    if (!(await tx.one(takeSlug(workspace, slug)))) continue
    await tx.query(insertSite(workspace, slug))
    return
  }
}
