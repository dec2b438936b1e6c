import { mailboxKey } from '../../kernel/text/person-keys.ts'
import type { Submission } from '../../resources/applications/index.ts'
import { sessionIn } from '../candidate/session.ts'
import { attemptOn, releaseUploads } from './files.ts'
import { HONEYPOT } from './form-page.ts'
import { type CountedAttempt, countAllAllowed, uncountAll } from './limits.ts'
import type { SentForm } from './sent-form.ts'
import { buildSubmission, checkFiles, countUnconsumed, createOnce, storePastedText } from './store-application.ts'
import type { OpenedForm } from './token.ts'

/**
 * What became of a form: an application (`created`), which the same request made before (`repeated`); nothing, because
 * another one was sent with this form (`consumed`), it cannot be used (`Unusable`), there are too many, or of an error.
 */
export type Outcome = 'created' | 'repeated' | 'consumed' | Unusable | { wait: number } | { error: unknown }

/**
 * The company takes applications at another place; a field that people do not see was filled in; the form was too large to
 * be read as a whole; its token is not valid any more; it came back too soon to have been filled in.
 */
type Unusable = 'external' | 'trapped' | 'cut' | 'expired' | 'too fast'

/** Creates the application of a form that can be used. Beyond its limit (`wait`, in seconds) it is not looked at. */
export function createFrom(sent: SentForm, wait: number | undefined): Promise<Outcome> | Outcome {
  const { externalUrl, entries, isCut, opened } = sent
  if (externalUrl !== null) return 'external'
  if (wait !== undefined) return { wait }
  if (entries.first(HONEYPOT) !== '') return 'trapped'
  if (isCut) return 'cut'
  if (opened === 'expired') return 'expired'
  return opened.proof === 'none' ? 'too fast' : createCounted(sent, opened)
}

/**
 * Creates an application, once for each form that was opened. The application and its email are counted here, and refunded
 * here where there is none: corrections of a form use up the limit of sent forms alone.
 */
async function createCounted(sent: SentForm, { token, proof }: OpenedForm): Promise<Outcome> {
  const { visit } = sent
  const { services } = visit
  const source = attemptOn(visit)
  const applications: CountedAttempt[] = [
    ['application', source],
    ...(proof === 'solved' ? [] : [['plain application', source] as const]),
  ]
  const wait = await countAllAllowed(services, applications)
  if (wait !== undefined) return { wait }
  const mails: CountedAttempt[] = []
  try {
    await storePastedText(sent, proof)
    await checkFiles(sent, token)
    const submission = buildSubmission(sent, (await sessionIn(services, visit.site, visit.request))?.applicantId)
    // counted for everyone, before the person is looked up; beyond the limit the application is stored without an email
    const wanted = readMailKinds(sent, submission)
    const isMailed = (await countAllAllowed(services, wanted)) === undefined
    if (isMailed) mails.push(...wanted)
    const pending = await countUnconsumed(sent)
    const outcome = await createOnce(sent, token, submission, isMailed)
    if (outcome === 'created') await releaseUploads(visit, pending - (await countUnconsumed(sent)))
    else await uncountAll(services, mails.splice(0))
    if (outcome === 'consumed') await uncountAll(services, applications.splice(0))
    return outcome
  } catch (error) {
    // the database may be what is unavailable
    await Promise.allSettled([uncountAll(services, applications), uncountAll(services, mails)])
    return { error }
  }
}

const readMailKinds = ({ visit, form }: SentForm, { candidate }: Submission): CountedAttempt[] => {
  const mailbox = `${form.workspace} ${mailboxKey(candidate.email)}`
  return [
    ['application mail', { account: mailbox, address: visit.address }],
    ['job mail', { account: `${mailbox} ${form.job}`, address: visit.address }],
  ]
}
