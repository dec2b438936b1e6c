import { shortAge } from '../../ui/age.ts'
import { count } from '../../ui/numbers.ts'
import type { BoardCard } from './card-list.ts'

/** Roles that may not read names see what is left of a person: an application. */
export const cardName = ({ name, id }: Pick<BoardCard, 'id' | 'name'>): string =>
  name === undefined ? `Candidate ${id.slice(-4)}` : (name ?? 'Name unknown')

export { sourceName as sourceTitle } from '../source-names.ts'

export const formatAge = (since: string): string => shortAge(Date.now() - Date.parse(since))

/** In two words; `STOPPED_REASON` is shown on hover. */
export const STOPPED = 'Do not contact'
export const STOPPED_REASON = 'The person asked for processing to stop.'

/** Why nothing is done about one person. */
export const cannotChange = (what: 'moved' | 'rejected', card: Pick<BoardCard, 'id' | 'name'>): string =>
  `${cardName(card)} cannot be ${what}: the person asked for processing to stop.`

/** Says how many of several are left out, before anything is sent. */
export const leftOutWords = (what: 'moved' | 'rejected' | 'moved or rejected', n: number): string =>
  n === 1
    ? `1 of them asked for processing to stop, and is not ${what}.`
    : `${count.format(n)} of them asked for processing to stop, and are not ${what}.`

interface ResumeTitle {
  title: string
  tone: 'plain' | 'warn' | 'bad'
  hover?: string
}

/** What is to be known about the résumé, in two words; of a person whose processing was stopped it is not used. */
export function resumeTitle({ resume, stopped }: BoardCard): ResumeTitle {
  if (stopped) return { title: STOPPED, tone: 'warn', hover: STOPPED_REASON }
  if (!resume) return { title: 'No résumé', tone: 'plain' }
  if (resume.access === 'locked') return { title: 'Résumé locked', tone: 'warn' }
  if (resume.parse_status === 'failed') return { title: 'Résumé not readable', tone: 'bad' }
  if (resume.parse_status !== 'parsed') return { title: 'Reading résumé', tone: 'plain' }
  return { title: resume.access === 'view_only' ? 'Résumé, view only' : 'Résumé', tone: 'plain' }
}

export const scoreTone = (score: number): 'good' | 'warn' | 'plain' =>
  score >= 75 ? 'good' : score >= 50 ? 'plain' : 'warn'
