import { randomUUID } from 'node:crypto'
import type { Blobs } from '../../kernel/blobs/blobs.ts'
import type { Database, Queryable, Transaction } from '../../kernel/db/database.ts'
import { invalid } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { checkInput } from '../../kernel/http/body.ts'
import { asUri } from '../../kernel/http/formats.ts'
import { noneIfBlank } from '../../kernel/text/text.ts'
import { logoFault, readPicture } from './logo-format.ts'
import { MAX_SLUGS, type SiteChanges, siteChanges, siteSlug } from './rules.ts'
import {
  insertSite,
  lockSite,
  replaceLogo,
  type SiteRow,
  type StoredSiteSettings,
  selectSite,
  selectSlugs,
  takeSlug,
  updateSite,
} from './store.ts'

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

export type Site = SiteRow & { earlier_slugs: readonly string[] }

export async function readSite(db: Queryable, workspace: string): Promise<Site> {
  const site = (await db.one(selectSite(workspace))) ?? noWorkspace(workspace)
  const slugs = await db.query(selectSlugs(workspace))
  return { ...site, earlier_slugs: slugs.map(({ slug }) => slug).filter(slug => slug !== site.slug) }
}

/** Takes effect with the next request. `languages` are those that the pages and emails of the site have. */
export function changeSite(
  db: Database,
  workspace: string,
  changes: SiteChanges,
  languages: readonly string[],
): Promise<Site> {
  checkInput(siteChanges(languages), changes)
  return db.transaction(async tx => {
    const now = (await tx.one(lockSite(workspace))) ?? noWorkspace(workspace)
    if (changes.slug !== undefined && changes.slug !== now.slug) await claimSlug(tx, workspace, changes.slug)
    await tx.query(updateSite(workspace, merged(now, changes)))
    return readSite(tx, workspace)
  })
}

const noWorkspace = (id: string): never => {
  throw new UserError(`there is no workspace ${id}`)
}

/** A slug of its own past is the workspace's already; one of another workspace is refused without naming it. */
async function claimSlug(tx: Transaction, workspace: string, slug: string): Promise<void> {
  const own = await tx.query(selectSlugs(workspace))
  if (own.some(row => row.slug === slug)) return
  if (own.length >= MAX_SLUGS)
    invalid('slug', `this workspace has had ${MAX_SLUGS} different ones, which is the most; use one of them`)
  if (!(await tx.one(takeSlug(workspace, slug)))) invalid('slug', 'is taken; choose another')
}

function merged(now: SiteRow, changes: SiteChanges): StoredSiteSettings {
  const text = (name: 'display_name' | 'headline' | 'introduction_md') =>
    changes[name] === undefined
      ? now[name]
      : noneIfBlank(name === 'introduction_md' ? changes[name] : (changes[name]?.trim() ?? null))
  const url = (name: 'website_url' | 'privacy_url' | 'imprint_url') => {
    const given = changes[name]
    return given === undefined ? now[name] : given && asUri(given)
  }
  const confirmations = Object.entries({ ...now.confirmations, ...changes.confirmations }).filter(
    (entry): entry is [string, { subject: string; body: string }] => entry[1] !== null,
  )
  return {
    slug: changes.slug ?? now.slug,
    enabled: changes.enabled ?? now.enabled,
    display_name: text('display_name'),
    headline: text('headline'),
    introduction_md: text('introduction_md'),
    accent_color: changes.accent_color === undefined ? now.accent_color : (changes.accent_color?.toLowerCase() ?? null),
    website_url: url('website_url'),
    privacy_url: url('privacy_url'),
    imprint_url: url('imprint_url'),
    listed: changes.listed ?? now.listed,
    contact_email: changes.contact_email === undefined ? now.contact_email : (changes.contact_email?.trim() ?? null),
    country: changes.country === undefined ? now.country : (changes.country?.toUpperCase() ?? null),
    confirmations: Object.fromEntries(
      confirmations.map(([language, { subject, body }]) => [language, { subject: subject.trim(), body }]),
    ),
  }
}

/** The file gets a key of its own, so that a page that is being read never shows half of each of two logos. */
export async function setLogo(db: Database, blobs: Blobs, workspace: string, file: Buffer): Promise<Site> {
  const fault = logoFault(file)
  if (fault !== undefined) invalid('logo', fault)
  const picture = present(readPicture(file), 'the picture')
  await readSite(db, workspace)
  const blobKey = `logos/${workspace}/${randomUUID()}`
  await blobs.put(blobKey, file, { contentType: picture.mime, bytes: file.length })
  try {
    await db.query(replaceLogo(workspace, { blobKey, ...picture }))
  } catch (error) {
    // a connection that is lost after the commit fails, too: a file without a row is harmless, a row without a file is not
    const site = await db.one(selectSite(workspace)).catch(() => undefined)
    if (site && site.logo_blob_key !== blobKey) await blobs.remove(blobKey)
    throw error
  }
  return readSite(db, workspace)
}

export async function removeLogo(db: Database, workspace: string): Promise<Site> {
  await db.query(replaceLogo(workspace, null))
  return readSite(db, workspace)
}
