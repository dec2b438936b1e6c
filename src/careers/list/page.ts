import { join } from 'node:path'
import { getOrCreate } from '../../kernel/async/get-or-create.ts'
import { asset } from '../../pages/assets.ts'
import { type Html, html } from '../../pages/html.ts'
import { excerpt } from '../../pages/markdown.ts'
import { pageHead } from '../head.ts'
import { markDetectedLanguage } from '../language.ts'
import { jobRows } from '../rows.ts'
import { companyOf, shell } from '../shell.ts'
import type { ListedJob } from '../store.ts'
import type { Texts } from '../texts/en.ts'
import { type SiteVisit, siteLink, sitePath } from '../visit.ts'
import {
  countJobs,
  countOptions,
  FILTER_NAMES,
  type FilterName,
  isNarrowed,
  type JobKind,
  type ListQuery,
  PAGE_SIZE,
} from './filters.ts'
import { type PlaceOption, placeGroups } from './locations.ts'

const SCRIPT = asset(join(import.meta.dirname, '../assets', 'list.js'))

/** What the page shows of the open jobs. */
export interface ShownJobs {
  kinds: readonly JobKind[]
  jobs: readonly ListedJob[]
  /** whether no job has every word of the search, and these have some */
  isNear: boolean
}

/** The list of a site, with its rendered introduction. The form works by itself; the script only replaces what follows it while someone types. */
export function listPage(visit: SiteVisit, wanted: ListQuery, list: ShownJobs, introduction: Html | undefined): Html {
  const { site, texts } = visit
  const company = companyOf(site)
  const heading = site.headline ?? texts.frame.careersAt(company)
  const anyOpen = list.kinds.length > 0 || isNarrowed(wanted)
  return shell({
    ...visit,
    title: texts.list.title,
    current: 'jobs',
    scripts: [SCRIPT],
    head: pageHead(visit, {
      below: '',
      title: texts.frame.careersAt(company),
      description: introduction ? excerpt(introduction) : `${texts.frame.careersAt(company)}: ${texts.list.title}`,
    }),
    body: html`<div class="hero"><div class="wide">
${site.headline !== null && html`<p class="eyebrow">${texts.frame.careersAt(company)}</p>`}
<h1${site.headline !== null && markDetectedLanguage(site.headline, texts)}>${heading}</h1>
${introduction && list.jobs.length > 0 && html`<p class="actions"><a class="button large" href="#positions">${texts.list.seeOpen(countJobs(list.kinds))}</a></p>`}
${introduction && html`<div class="prose introduction"${markDetectedLanguage(introduction.text, texts)}>${introduction}</div>`}
</div></div>
<section class="wide board" aria-labelledby="positions">
<h2 id="positions" class="visually-hidden">${texts.list.title}</h2>
${anyOpen ? [searchForm(visit, wanted, list.kinds), results(visit, wanted, list)] : nothingOpen(texts)}
</section>`,
  })
}

const nothingOpen = ({ list }: Texts): Html =>
  html`<div class="empty"><p class="empty-title">${list.noneOpen}</p><p>${list.noneOpenText}</p></div>`

function searchForm(visit: SiteVisit, { q, filters }: ListQuery, kinds: readonly JobKind[]): Html {
  const { texts, site } = visit
  const lang = visit.query.get('lang')
  return html`<form class="search" role="search" action="${sitePath(site)}" data-list data-failed="${texts.list.failed}">
${lang !== null && html`<input type="hidden" name="lang" value="${texts.language.code}">`}
<div class="search-words"><label class="visually-hidden" for="q">${texts.list.search}</label>
<input id="q" name="q" type="search" value="${q}" placeholder="${texts.list.searchHint}" maxlength="200" dir="auto" autocomplete="off" enterkeyhint="search">
<button class="button">${texts.list.submit}</button></div>
<div class="filters">${FILTER_NAMES.map(name => {
    const options = countOptions(kinds, filters, name)
    return name === 'location'
      ? locationField(visit, filters.location, kinds, options)
      : filterField(texts, name, filters[name], options)
  })}</div>
</form>`
}

const orders = new Map<string, Intl.Collator>()

/** A filter that would leave the list as it is is not offered. */
function filterField(
  texts: Texts,
  name: Exclude<FilterName, 'location'>,
  chosen: string | undefined,
  options: Map<string, number>,
): Html | undefined {
  // a value of a link that no job has any more can still be seen and changed
  if (chosen !== undefined && !options.has(chosen)) options.set(chosen, 0)
  if (chosen === undefined && options.size < 2) return undefined
  const names: Readonly<Record<string, string>> =
    name === 'workplace' ? texts.job.workplaces : name === 'type' ? texts.job.types : {}
  const rows = [...options].map(([value, jobs]) => ({ value, jobs, label: names[value] ?? value }))
  const order = getOrCreate(orders, texts.language.code, () => new Intl.Collator(texts.language.code))
  rows.sort((a, b) => order.compare(a.label, b.label))
  return selectField(texts, name, optionRows(rows, chosen))
}

/** The same for places, by country. */
function locationField(
  { site, texts }: SiteVisit,
  chosen: string | undefined,
  kinds: readonly JobKind[],
  options: Map<string, number>,
): Html | undefined {
  const locations = new Set(kinds.flatMap(kind => kind.locations))
  const groups = placeGroups(locations, options, site.country, texts)
  const offered = groups.flatMap(group => group.options)
  if (chosen === undefined && offered.length < 2) return undefined
  const unknown = chosen === undefined || offered.some(({ value }) => value === chosen) ? [] : [chosen]
  return selectField(texts, 'location', [
    ...groups.map(({ label, options: rows }) =>
      label === undefined
        ? html`${optionRows(rows, chosen)}`
        : html`<optgroup label="${label}">${optionRows(rows, chosen)}</optgroup>`,
    ),
    ...optionRows(
      unknown.map(value => ({ value, label: value, jobs: 0 })),
      chosen,
    ),
  ])
}

const optionRows = (rows: readonly PlaceOption[], chosen: string | undefined): Html[] =>
  rows.map(
    ({ value, jobs, label }) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${label} (${jobs})</option>`,
  )

const selectField = (texts: Texts, name: FilterName, options: readonly Html[]): Html =>
  html`<div><label for="${name}">${texts.list.filters[name]}</label>
<select id="${name}" name="${name}"><option value="">${texts.list.all[name]}</option>${options}</select></div>`

function results(visit: SiteVisit, wanted: ListQuery, { kinds, jobs, isNear }: ShownJobs): Html {
  const { texts } = visit
  const all = countJobs(kinds)
  const matching = countJobs(kinds, wanted.filters)
  const narrowed = isNarrowed(wanted)
  const count = !narrowed
    ? texts.list.open(matching)
    : wanted.q === undefined
      ? texts.list.matching(matching, all)
      : isNear && matching > 0
        ? texts.list.near(matching)
        : texts.list.found(matching)
  return html`<div class="results-top"><p id="count" role="status">${count}</p>
<p id="clear">${narrowed && jobs.length > 0 && html`<a href="${siteLink(visit)}">${texts.list.clear}</a>`}</p></div>
<div id="results">${
    jobs.length === 0
      ? html`<div class="empty"><p class="empty-title">${texts.list.noneMatch}</p><p>${texts.list.noneMatchText}</p><p class="actions"><a class="button secondary" href="${siteLink(visit)}">${texts.list.clear}</a></p></div>`
      : [groups(visit, jobs, kinds, wanted), pages(visit, wanted, matching)]
  }</div>`
}

/** By department, in the order of the rows; of a search as they are. */
function groups(
  visit: SiteVisit,
  jobs: readonly ListedJob[],
  kinds: readonly JobKind[],
  { q, filters }: ListQuery,
): Html[] {
  // in groups, what fits best would not come first
  if (q !== undefined) return [jobRows(visit, jobs, { withDepartment: true })]
  const departments = Map.groupBy(jobs, job => job.department)
  // a heading above the only group says nothing
  if (departments.size === 1 && departments.has(null)) return [jobRows(visit, jobs)]
  return [...departments].map(([department, rows]) => {
    const inIt = countJobs(
      kinds.filter(kind => kind.department === department),
      filters,
    )
    return html`<section class="group"><h3>${department ?? visit.texts.list.otherDepartment} <span>${inIt}</span></h3>
${jobRows(visit, rows)}</section>
`
  })
}

function pages(visit: SiteVisit, { page }: ListQuery, matching: number): Html | undefined {
  const { texts, site } = visit
  const last = Math.ceil(matching / PAGE_SIZE)
  if (last <= 1) return undefined
  const link = (to: number, rel: 'prev' | 'next', text: string) => {
    const query = new URLSearchParams(visit.query)
    if (to === 1) query.delete('page')
    else query.set('page', String(to))
    const search = query.toString()
    return html`<a class="button secondary" rel="${rel}" href="${sitePath(site)}${search && `?${search}`}">${text}</a>`
  }
  const first = (page - 1) * PAGE_SIZE + 1
  return html`<nav class="pages" aria-label="${texts.list.pages}">${page > 1 && link(page - 1, 'prev', texts.list.previous)}
<p>${texts.list.pageOf(page, last)}<span class="soft"> · ${texts.list.showing(first, Math.min(page * PAGE_SIZE, matching), matching)}</span></p>
${page < last && link(page + 1, 'next', texts.list.next)}</nav>`
}
