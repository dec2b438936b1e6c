import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fail } from '../../kernel/errors/api-error.ts'
import type { Services } from '../../kernel/services/services.ts'
import { logoFault } from '../../resources/careers/index.ts'
import { page, plainPage, writesItself } from '../area.ts'
import { type Made, sendMade } from '../cached.ts'
import { renderedJob } from '../description.ts'
import { companyOf } from '../shell.ts'
import type { PlainVisit, SiteVisit } from '../visit.ts'
import { factsLine } from '../wording.ts'
import { ATOM_END, ATOM_ENTRIES, atomEntry, atomHead, atomPosition } from './atom.ts'
import { batches, writtenRows } from './batches.ts'
import { JSON_END, JSON_JOBS, jsonHead, jsonJob } from './jobs-json.ts'
import { XML_END, xmlEntries, xmlHead, xmlJob } from './jobs-xml.ts'
import { cachedPicture } from './pictures.ts'
import { robotsText } from './robots.ts'
import { SITEMAP_END, SITEMAP_JOBS, sitemapHead, sitemapIndex, sitemapJob } from './sitemap.ts'
import {
  appliableJobs,
  type FeedJob,
  feedJobs,
  indexedSites,
  listedJobs,
  type PicturedJob,
  picturedJob,
  placedJobs,
  type SiteVersion,
  siteVersion,
} from './store.ts'

/** Rows with their texts, and rows of a list, that are in memory for one reader. */
const WHOLE_JOBS = 50
const LISTED_JOBS = 500

/** How long readers use a file without asking again. A list on the company's own page follows sooner. */
const FEED_SECONDS = 60
const LIST_SECONDS = 10
const FIXED_SECONDS = 300
const PICTURE_SECONDS = 3600

/** The colour of sites that have chosen none: that of the pages. */
const ACCENT = '#4b47d6'
const MAX_LOGO_BYTES = 2_000_000

const EMBED = readFileSync(join(import.meta.dirname, '../assets/embed.js'))

/** What a site offers to feed readers, search engines and other pages. */
export const feedPages = [
  page({ path: '/feed.atom', session: 'none', show: ofLiveSite(showAtom) }),
  page({ path: '/jobs.xml', session: 'none', show: ofLiveSite(showXml) }),
  page({ path: '/sitemap.xml', session: 'none', show: ofLiveSite(showSitemap) }),
  page({ path: '/jobs.json', session: 'none', show: ofLiveSite(showJson) }),
  page({ path: '/og.png', session: 'none', show: writesItself((visit: SiteVisit) => showPicture(visit, undefined)) }),
  page({
    path: '/jobs/{job_slug}/og.png',
    session: 'none',
    show: async visit => {
      const job = await visit.services.db.one(picturedJob(visit.site.workspace_id, visit.params.job_slug))
      return { write: () => showPicture(visit, job ?? fail('not_found')) }
    },
  }),
  page({ path: '/embed.js', session: 'none', show: writesItself(showEmbedded) }),
]

/** Job boards and search engines copy what they find here: the site of a test workspace offers none of it. */
function ofLiveSite(write: (visit: SiteVisit) => Promise<void>) {
  return writesItself((visit: SiteVisit) => (visit.site.environment === 'test' ? fail('not_found') : write(visit)))
}

/** The same for the sites of all companies. */
export const installationFeeds = [
  plainPage({ path: '/robots.txt', session: 'none', show: writesItself(showRobots) }),
  plainPage({ path: '/sitemap.xml', session: 'none', show: writesItself(showSitemapIndex) }),
]

function showEmbedded(visit: SiteVisit): Promise<void> {
  const text = EMBED.toString()
  const type = 'text/javascript; charset=utf-8'
  return sendMade(visit, { type, version: [text], seconds: FIXED_SECONDS, shared: true }, () => one(text))
}

async function showRobots(visit: PlainVisit): Promise<void> {
  const { db, publicUrl } = visit.services
  const sites = await db.query(indexedSites())
  const text = robotsText(sites.length > 0 ? `${publicUrl}/sitemap.xml` : undefined)
  const made = { type: 'text/plain; charset=utf-8', version: [text], seconds: FIXED_SECONDS }
  await sendMade(visit, made, () => one(text))
}

async function showSitemapIndex(visit: PlainVisit): Promise<void> {
  const { db, publicUrl } = visit.services
  const sites = await db.query(indexedSites())
  if (sites.length === 0) return fail('not_found')
  const text = sitemapIndex(
    publicUrl,
    sites.map(({ slug }) => slug),
  )
  const modified = sites.map(site => site.updated_at).reduce(later)
  await sendMade(visit, { type: XML_TYPE, version: [text], modified, seconds: FIXED_SECONDS }, () => one(text))
}

const later = (a: string, b: string): string => (a > b ? a : b)

const XML_TYPE = 'application/xml; charset=utf-8'

async function* one(text: string): AsyncGenerator<string> {
  yield text
}

interface Version extends SiteVersion {
  changed: string
}

const versionOf = async ({ services, site }: SiteVisit): Promise<Version> => {
  const version = await services.db.only(siteVersion(site.workspace_id))
  return { ...version, changed: later(version.changed ?? '', site.updated_at) }
}

const madeOf = (visit: SiteVisit, type: string, version: Version, seconds: number): Made => ({
  type,
  version: [
    visit.services.publicUrl,
    visit.path,
    visit.search,
    visit.texts.language.code,
    companyOf(visit.site),
    visit.site.updated_at,
    version.jobs,
    version.newest,
  ],
  modified: version.changed,
  seconds,
  translated: true,
})

async function showAtom(visit: SiteVisit): Promise<void> {
  const { services, site } = visit
  const position = atomPosition(visit.query)
  if (position === 'invalid') return fail('not_found')
  const version = await versionOf(visit)
  await sendMade(
    visit,
    madeOf(visit, 'application/atom+xml; charset=utf-8', version, FEED_SECONDS),
    async function* () {
      const jobs = await services.db.query(feedJobs(site.workspace_id, position, ATOM_ENTRIES + 1))
      yield atomHead(visit, jobs, version.changed)
      yield await writtenRows(jobs.slice(0, ATOM_ENTRIES), {
        prepare: renderedJob(site.workspace_id)<FeedJob>,
        write: job => atomEntry(visit, job),
      })
      yield ATOM_END
    },
  )
}

async function showXml(visit: SiteVisit): Promise<void> {
  const { services, site } = visit
  const version = await versionOf(visit)
  await sendMade(visit, madeOf(visit, XML_TYPE, version, FEED_SECONDS), async function* () {
    const placed = await services.db.query(placedJobs(site.workspace_id))
    const entries = placed.reduce((sum, kind) => sum + kind.jobs * xmlEntries(kind, site.country).length, 0)
    yield xmlHead(visit, version.changed, entries)
    yield* batches(services.db, (last, limit) => appliableJobs(site.workspace_id, last, limit), WHOLE_JOBS, {
      prepare: renderedJob(site.workspace_id)<FeedJob>,
      write: job => xmlJob(visit, job),
    })
    yield XML_END
  })
}

async function showSitemap(visit: SiteVisit): Promise<void> {
  const { services, site } = visit
  const version = await versionOf(visit)
  const made = { ...madeOf(visit, XML_TYPE, version, FEED_SECONDS), translated: false }
  await sendMade(visit, made, async function* () {
    yield sitemapHead(visit, version.changed)
    yield* batches(
      services.db,
      (last, limit) => listedJobs(site.workspace_id, last, limit),
      LISTED_JOBS,
      job => sitemapJob(visit, job),
      SITEMAP_JOBS,
    )
    yield SITEMAP_END
  })
}

async function showJson(visit: SiteVisit): Promise<void> {
  const { services, site } = visit
  const version = await versionOf(visit)
  const made = { ...madeOf(visit, 'application/json; charset=utf-8', version, LIST_SECONDS), shared: true }
  await sendMade(visit, made, async function* () {
    yield jsonHead(visit, version.jobs)
    let separator = '\n'
    yield* batches(
      services.db,
      (last, limit) => listedJobs(site.workspace_id, last, limit),
      LISTED_JOBS,
      job => {
        const text = separator + JSON.stringify(jsonJob(visit, job))
        separator = ',\n'
        return text
      },
      JSON_JOBS,
    )
    yield JSON_END
  })
}

/** The picture that link previews show of a site or a job. */
async function showPicture(visit: SiteVisit, job: PicturedJob | undefined): Promise<void> {
  const { services, site, texts } = visit
  const company = companyOf(site)
  const picture = {
    title: job?.title ?? site.headline ?? texts.frame.careersAt(company),
    company,
    line: job ? factsLine(job, texts).join(' · ') : '',
    accent: site.accent_color ?? ACCENT,
  }
  const version = [picture, site.logo_blob_key]
  const made: Made = {
    type: 'image/png',
    version,
    modified: later(site.updated_at, job?.updated_at ?? ''),
    seconds: PICTURE_SECONDS,
    translated: true,
    shared: true,
  }
  await sendMade(visit, made, () =>
    cachedPicture(JSON.stringify(version), async () => ({
      ...picture,
      logo: await logoOf(services, site.logo_blob_key),
    })),
  )
}

/** A logo that cannot be read leaves the picture without one. */
async function logoOf({ blobs, log }: Services, key: string | null): Promise<Buffer | undefined> {
  if (key === null) return undefined
  try {
    const found = await blobs.get(key)
    if (!found) return undefined
    if (found.stat.bytes > MAX_LOGO_BYTES) return void found.stream.destroy()
    const logo = await buffer(found.stream)
    // drawing decodes it, with as many pixels as it says: what was stored by other ways is looked at too
    return logoFault(logo) === undefined ? logo : undefined
  } catch (error) {
    log.warn({ err: error }, 'the logo of a careers site cannot be read')
    return undefined
  }
}
