import { readBody } from '../../kernel/http/body.ts'
import type { Html } from '../../pages/html.ts'
import type { Shown } from '../../programs/page.ts'
import { matchesContentType } from '../../resources/uploads/index.ts'
import { page } from '../area.ts'
import type { SiteVisit } from '../visit.ts'
import { attemptOn, discardUpload, reserveFor, typeOfFile } from './files.ts'
import { requireFormJob, takesApplications } from './job.ts'
import { attempt, countAttemptOf, type FormAttempt } from './limits.ts'
import { waitText } from './pages.ts'
import { formParts, MAX_FILE_BYTES, type Question, questionsIn, RESUME } from './questions.ts'
import { readForForm } from './reading.ts'
import { type FormTarget, issueToken, judgeProof, readToken, readUploadTicket, uploadTicket } from './token.ts'

interface ScriptCall {
  visit: SiteVisit
  form: FormTarget
  questions: readonly Question[]
  body: Readonly<Record<string, unknown>>
  now: number
}

type ScriptReply = Extract<Shown<Html>, { json: object }>

/** A request of the form's script: of this site, within its limit, with JSON in and out. */
const scriptCall = (name: string, counted: FormAttempt, run: (call: ScriptCall) => Promise<ScriptReply>) =>
  page({
    path: `/jobs/{job_slug}/apply/${name}`,
    session: 'none',
    csrf: 'origin',
    form: 'any',
    limit: attempt(counted, attemptOn),
    submit: visit => reply(visit, run),
    refuse: (visit, { wait }) =>
      wait > 0 ? tooMany(visit, wait) : { status: 403, json: { message: visit.texts.apply.refused } },
  })

/** What the script of the form uses. */
export const scriptCalls = [
  scriptCall('uploads', 'form upload', reserve),
  scriptCall('reading', 'form reading', read),
  scriptCall('token', 'form token', renew),
]

async function reply(visit: SiteVisit, run: (call: ScriptCall) => Promise<ScriptReply>): Promise<ScriptReply> {
  const { services, site, texts } = visit
  const job = await requireFormJob(visit)
  const body = await readJson(visit)
  if (!takesApplications(job)) return { status: 409, json: { message: texts.apply.closedTitle } }
  if (job.external_apply_url !== null) return { status: 409, json: { message: texts.apply.elsewhereTitle } }
  const form = { workspace: site.workspace_id, job: job.id }
  return run({ visit, form, questions: questionsIn(formParts(job, texts)), body, now: await services.db.now() })
}

const tooMany = ({ texts }: SiteVisit, wait: number): ScriptReply => ({
  status: 429,
  json: { message: waitText(texts.apply, wait) },
  headers: { 'Retry-After': String(wait) },
})

/** An object; anything else has no fields. */
async function readJson({ request }: SiteVisit): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await readBody(request)
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Reserves an upload for a file question of this form. The script sends the file straight to the store. */
async function reserve({ visit, form, questions, body, now }: ScriptCall): Promise<ScriptReply> {
  const { services, texts } = visit
  const t = texts.apply
  const token = readToken(services.keyring, form, text(body['token']), now)
  if (token === 'expired') return { status: 403, json: { expired: true, message: t.expired } }
  const question = questions.find(({ kind, name }) => kind === 'file' && name === body['field'])
  const size = body['size_bytes']
  if (!question || typeof size !== 'number' || !Number.isInteger(size))
    return { status: 400, json: { message: t.fileFailed } }
  if (size < 1) return { status: 400, json: { message: t.fileEmpty } }
  if (size > MAX_FILE_BYTES) return { status: 400, json: { message: t.fileTooLarge } }
  const filename = text(body['filename']).slice(0, 1000)
  const contentType = typeOfFile(question, filename, text(body['content_type']))
  if (contentType === undefined) return { status: 400, json: { message: t.fileType } }
  if (!matchesContentType(contentType, Buffer.from(text(body['head']), 'base64')))
    return { status: 400, json: { message: t.fileWrong } }
  const proof = judgeProof(token, text(body['work']), now)
  if (proof === 'none') return { status: 403, json: { message: t.tooFast } }
  const reserved = await reserveFor(visit, proof, question, { contentType, sizeBytes: size, filename })
  if ('wait' in reserved) return tooMany(visit, reserved.wait)
  const { url, headers } = reserved.upload
  const ticket = uploadTicket(services.keyring, form, question.name, reserved.upload_id)
  return { json: { ticket, url, headers } }
}

/**
 * Reads a résumé that was uploaded by this form. A file of another type or with a password has to be replaced; whatever
 * else goes wrong, the form goes on without the values.
 */
async function read({ visit, form, questions, body, now }: ScriptCall): Promise<ScriptReply> {
  const { services } = visit
  const nothing = { json: { fields: {} } }
  const token = readToken(services.keyring, form, text(body['token']), now)
  if (token === 'expired') return nothing
  const uploadId = readUploadTicket(services.keyring, form, RESUME, text(body['ticket']))
  if (uploadId === undefined) return nothing
  const proof = judgeProof(token, text(body['work']), now)
  if (proof === 'none') return nothing
  const wait = proof === 'solved' ? undefined : await countAttemptOf(services, 'plain reading', attemptOn(visit))
  if (wait !== undefined) return tooMany(visit, wait)
  const reading = await readForForm(services, form.workspace, uploadId, questions)
  if (reading === 'busy') return { json: { fields: {}, busy: true } }
  if (reading === 'unreadable') return { json: { fields: {}, unreadable: true } }
  if (typeof reading !== 'string') return { json: { fields: reading.fields } }
  await discardUpload(visit, uploadId)
  return { json: { fields: {}, fault: visit.texts.apply[reading] } }
}

/** Another token, for a page that was open for long. */
async function renew({ visit, form, now }: ScriptCall): Promise<ScriptReply> {
  return { json: { token: issueToken(visit.services.keyring, form, now) } }
}
