import { parseInstant } from '../../kernel/http/params.ts'
import { jobBelow } from '../../resources/careers/index.ts'
import { descriptionHtml, type Rendered } from '../description.ts'
import { companyOf } from '../shell.ts'
import { type SiteVisit, sitePath } from '../visit.ts'
import { factsLine, salaryLine } from '../wording.ts'
import type { FeedJob, FeedPosition } from './store.ts'
import { XML, xmlText } from './xml.ts'

export const ATOM_ENTRIES = 50

/** A page of the feed continues after a job: `?after=` its time of publication and handle. */
export function atomPosition(query: URLSearchParams): FeedPosition | 'invalid' | undefined {
  const text = query.get('after')
  if (text === null) return undefined
  const [, published_at, id] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z),(job_[0-9a-z]{1,40})$/.exec(text) ?? []
  // a day that no month has is a time for JavaScript, but not for the store
  if (!published_at || !id || parseInstant(published_at) === undefined) return 'invalid'
  return { published_at, id }
}

/** `jobs`: one more than a page where another follows. */
export function atomHead(visit: SiteVisit, jobs: readonly FeedJob[], changed: string): string {
  const { services, site, texts, query } = visit
  const company = companyOf(site)
  const url = (path: string) => xmlText(services.publicUrl + path)
  const shown = jobs.slice(0, ATOM_ENTRIES)
  const last = jobs.length > ATOM_ENTRIES ? shown.at(-1) : undefined
  const feed = (parameters: Record<string, string>) => {
    const lang = query.get('lang')
    const search = new URLSearchParams({ ...(lang ? { lang } : {}), ...parameters }).toString()
    return url(sitePath(site, '/feed.atom') + (search ? `?${search}` : ''))
  }
  const after = query.get('after')
  return `${XML}<feed xmlns="http://www.w3.org/2005/Atom">
<title>${xmlText(texts.feeds.title(company))}</title>
<subtitle>${xmlText(texts.feeds.siteDescription(company))}</subtitle>
<id>${tagUri(services.publicUrl, site.workspace_id)}</id>
<updated>${changed}</updated>
<author><name>${xmlText(company)}</name><uri>${url(sitePath(site))}</uri></author>
<link rel="alternate" type="text/html" href="${url(sitePath(site))}"/>
<link rel="self" type="application/atom+xml" href="${feed(after === null ? {} : { after })}"/>
<link rel="first" type="application/atom+xml" href="${feed({})}"/>
${last ? `<link rel="next" type="application/atom+xml" href="${feed({ after: `${last.published_at},${last.id}` })}"/>\n` : ''}`
}

export const ATOM_END = '</feed>\n'

export function atomEntry({ services, site, texts }: SiteVisit, job: Rendered<FeedJob>): string {
  const facts = [...factsLine(job, texts), salaryLine(job, texts)].filter(fact => fact !== undefined).join(' · ')
  return `<entry>
<title>${xmlText(job.title)}</title>
<id>${tagUri(services.publicUrl, job.id)}</id>
<link rel="alternate" type="text/html" href="${xmlText(services.publicUrl + sitePath(site, jobBelow(job.slug)))}"/>
<published>${job.published_at}</published>
<updated>${job.updated_at}</updated>
${job.department === null ? '' : `<category term="${xmlText(job.department)}"/>\n`}<summary>${xmlText(job.summary ?? facts)}</summary>
<content type="html">${xmlText(`${facts === '' ? '' : `<p>${xmlText(facts)}</p>`}${descriptionHtml(job, texts).text}`)}</content>
</entry>
`
}

/** The same for ever, also after a change of slugs and titles: RFC 4151. */
function tagUri(publicUrl: string, id: string): string {
  const { hostname } = new URL(publicUrl)
  return `tag:${hostname.startsWith('[') ? 'localhost' : hostname},2026:${id}`
}
