import { join } from 'node:path'
import { fail } from '../../kernel/errors/api-error.ts'
import { asset } from '../../pages/assets.ts'
import type { Shown } from '../../programs/page.ts'
import {
  ANSWER_LENGTH,
  answerInterview,
  type CandidateInterview,
  chooseTime,
  readOwnInterview,
} from '../../resources/interviews/index.ts'
import { page, type Titled } from './area.ts'
import { type InterviewState, interviewPage } from './interview-pages.ts'
import { interviewLink } from './interview-rows.ts'
import { limit, shown } from './own-pages.ts'
import type { OwnVisit } from './pages.ts'

/** Chooses the zone of the browser, where the visitor has not chosen one. */
const ZONE_SCRIPT = asset(join(import.meta.dirname, '../assets/zone.js'))

type Visit = OwnVisit & { params: { id: string } }

const choiceOf = ({ session, params, texts }: Visit) => ({
  workspace: session.workspace,
  applicantId: session.applicantId,
  id: params.id,
  language: texts.language.code,
})

async function read(visit: Visit): Promise<CandidateInterview> {
  const { db, keyring } = visit.services
  const now = await db.now()
  return (await readOwnInterview({ db, keyring, now }, choiceOf(visit))) ?? fail('not_found')
}

async function show(visit: Visit, state: InterviewState = {}, status = 200): Promise<Shown<Titled>> {
  const { interviews: t } = visit.texts
  const interview = await read(visit)
  const title = interview.status === 'proposed' ? t.chooseTitle : t.title
  return shown(title, interviewPage(visit, interview, state), { status, scripts: [ZONE_SCRIPT] })
}

const FORMS = { none: 'none_fits', move: 'move', cancel: 'canceled' } as const

/** Stores what the person wrote and shows what became of it. */
async function answer(visit: Visit & { form: URLSearchParams }, form: keyof typeof FORMS): Promise<Shown<Titled>> {
  const { interviews: t } = visit.texts
  const { db, keyring } = visit.services
  const words = (visit.form.get('words') ?? '').replaceAll('\r\n', '\n').replaceAll('\0', '').trim()
  const refuse = (fault: string) => show(visit, { typed: { form, words, fault } }, 422)
  if (words === '' && form !== 'cancel') return refuse(t.required)
  if ([...words].length > ANSWER_LENGTH) return refuse(t.tooLong)
  const said = { answer: FORMS[form], words: words || null }
  const done = await answerInterview(db, keyring, choiceOf(visit), said)
  if (done === undefined) return fail('not_found')
  if (!done) return show(visit, { fault: t.notPossible }, 409)
  return { to: interviewLink(visit, visit.params.id, '', { done: form }) }
}

const doneTexts = ({ interviews: t }: OwnVisit['texts']): Readonly<Record<string, string>> => ({
  choose: t.planned,
  none: t.none.done,
  move: t.move.done,
  cancel: t.canceled,
})

/** The page of one interview: what is planned, or the times that the person can choose from. */
export const interviewPages = [
  page({
    path: '/me/interviews/{id}',
    session: 'needed',
    show: visit => {
      const said = doneTexts(visit.texts)
      const what = visit.query.get('done') ?? ''
      return show(visit, { done: Object.hasOwn(said, what) ? said[what] : undefined })
    },
  }),
  page({
    path: '/me/interviews/{id}/choose',
    session: 'needed',
    csrf: 'session',
    limit,
    submit: async visit => {
      const { interviews: t } = visit.texts
      const { db, keyring } = visit.services
      const startsAt = visit.form.get('starts_at') ?? ''
      if (Number.isNaN(Date.parse(startsAt))) return show(visit, { fault: t.chooseOne }, 422)
      const wanted = { startsAt, timeZone: visit.form.get('zone') }
      const outcome = await chooseTime(db, keyring, choiceOf(visit), wanted)
      if (outcome === undefined) return fail('not_found')
      if (outcome === 'scheduled') return { to: interviewLink(visit, visit.params.id, '', { done: 'choose' }) }
      return show(visit, { fault: outcome === 'taken' ? t.taken : t.closed }, 409)
    },
  }),
  page({
    path: '/me/interviews/{id}/none',
    session: 'needed',
    csrf: 'session',
    limit,
    submit: visit => answer(visit, 'none'),
  }),
  page({
    path: '/me/interviews/{id}/move',
    session: 'needed',
    csrf: 'session',
    limit,
    submit: visit => answer(visit, 'move'),
  }),
  page({
    path: '/me/interviews/{id}/cancel',
    session: 'needed',
    csrf: 'session',
    limit,
    submit: visit => answer(visit, 'cancel'),
  }),
]
