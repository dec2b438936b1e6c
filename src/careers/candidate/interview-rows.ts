import { isTimeZone } from '../../kernel/text/dates.ts'
import { html, type Part } from '../../pages/html.ts'
import type { CandidateInterview } from '../../resources/interviews/index.ts'
import { type SiteVisit, siteLink } from '../visit.ts'
import { formatSpan } from '../wording.ts'

export const TAGS: Readonly<Record<CandidateInterview['status'], string>> = {
  proposed: 'info',
  scheduled: 'accent',
  held: 'good',
  no_show: '',
  canceled: '',
  expired: '',
}

/** The zone that the visitor has chosen, else that of the interview. */
export function zoneOf({ query }: Pick<SiteVisit, 'query'>, { time_zone }: CandidateInterview): string {
  const chosen = query.get('zone')
  return chosen !== null && isTimeZone(chosen) ? chosen : time_zone
}

/** Those of an application, below what is said about it. */
export function interviewRows(
  visit: SiteVisit,
  { id, job_title }: { id: string; job_title: string },
  interviews: readonly CandidateInterview[],
): Part {
  const own = interviews.filter(interview => interview.application_id === id)
  if (own.length === 0) return undefined
  const { interviews: t } = visit.texts
  return html`<ul class="plain checks" aria-label="${t.listTitle(job_title)}">${own.map(interview => {
    const { status, kind, starts_at, ends_at, time_zone } = interview
    const when =
      starts_at === null || ends_at === null ? undefined : formatSpan({ starts_at, ends_at }, time_zone, visit.texts)
    return html`<li class="own-check"><p><strong>${when ?? t.chooseTitle}</strong> <span class="soft">${t.kinds[kind]}</span></p>
<p><span class="tag ${TAGS[status]}">${t.states[status]}</span></p>
<p class="actions"><a class="button ${status === 'proposed' ? '' : 'secondary'}" href="${interviewLink(visit, interview.id)}" aria-label="${t.openOf(job_title)}">${status === 'proposed' ? t.states['proposed'] : t.open}</a></p></li>`
  })}</ul>`
}

/** Keeps the zone that the visitor has chosen. */
export function interviewLink(visit: Pick<SiteVisit, 'site' | 'query'>, id: string, below = '', more = {}): string {
  const zone = visit.query.get('zone')
  return siteLink(visit, `/me/interviews/${id}${below}`, {
    ...(zone !== null && isTimeZone(zone) && { zone }),
    ...more,
  })
}
