import { fail } from '../../kernel/errors/api-error.ts'
import { readBody } from '../../kernel/http/body.ts'
import { isOwnPost } from '../../kernel/http/browser-session.ts'
import type { RawRoute } from '../../kernel/http/route-table.ts'
import type { Services } from '../../kernel/services/services.ts'
import { SECURITY_HEADERS, sendRedirect } from '../../pages/send.ts'
import { jobBelow } from '../../resources/careers/index.ts'
import { type PublicFormView, publicFormOf } from '../../resources/jobs/index.ts'
import { isContentOf } from '../../resources/uploads/index.ts'
import { sendSitePage } from '../send.ts'
import { siteLink, sitePage, sitePost, type Visit } from '../visit.ts'
import { attemptOn, discardUpload, reserveFor, typeOfFile } from './files.ts'
import { formPage } from './form-page.ts'
import { type Attempt, countAttemptOf } from './limits.ts'
import { donePage, waitText } from './pages.ts'
import { formParts, MAX_FILE_BYTES, type Question, questionsIn, RESUME } from './questions.ts'
import { readForForm } from './reading.ts'
import { submit } from './submit.ts'
import { type FormOf, issueToken, proofOf, readTicket, readToken, uploadTicket } from './token.ts'

const PATH = '/jobs/{job_slug}/apply'

/** The application form of a job, and what its script uses. */
export const applyRoutes = (services: Services): RawRoute[] => [
  sitePage(services, PATH, visit => showForm(visit)),
  sitePage(services, `${PATH}/done`, async visit => {
    sendSitePage(visit, donePage(visit, await jobOf(visit)))
  }),
  {
    ...sitePost(services, PATH, visit => submit(visit, () => jobOf(visit))),
    bodySeconds: services.config.UPLOAD_TIMEOUT_SECONDS,
  },
  sitePost(services, `${PATH}/uploads`, scriptCall('form upload', reserve)),
  sitePost(services, `${PATH}/reading`, scriptCall('form reading', read)),
  sitePost(services, `${PATH}/token`, scriptCall('form token', renew)),
]

/** A job that the site shows; drafts do not exist. */
async function jobOf({ services, site, params }: Visit): Promise<PublicFormView> {
  const job = await publicFormOf(services.db, site.workspace_id, { slug: params['job_slug']! })
  return job && job.status !== 'draft' ? job : fail('not_found')
}

const isOpen = ({ status, accept_applications }: PublicFormView) => status === 'published' && accept_applications

async function showForm(visit: Visit): Promise<void> {
  const { services, site, response, texts } = visit
  const job = await jobOf(visit)
  // its page says so and leads to others
  if (!isOpen(job)) return sendRedirect(response, siteLink(visit, jobBelow(job.slug)))
  if (job.external_apply_url !== null) return sendRedirect(response, job.external_apply_url)
  const form = { workspace: site.workspace_id, job: job.id }
  const token = issueToken(services.keyring, form, await services.db.now())
  // its token is another one each time, and nothing of a person is in it
  sendSitePage(visit, formPage({ visit, job, parts: formParts(job, texts), token }), {
    zipped: true,
    connectTargets: [services.blobs.addressOrigin()],
  })
}

interface ScriptCall {
  visit: Visit
  job: PublicFormView
  form: FormOf
  questions: readonly Question[]
  body: Readonly<Record<string, unknown>>
  now: number
}

type ScriptReply = { status?: number; body: Readonly<Record<string, unknown>>; wait?: number }

/** A request of the script: of this site, within its limit, with JSON in and out. */
const scriptCall =
  (counted: Attempt, run: (call: ScriptCall) => Promise<ScriptReply>) =>
  async (visit: Visit): Promise<void> => {
    const { services, site, request, response, texts } = visit
    const t = texts.apply
    const send = ({ status = 200, body, wait }: ScriptReply) => {
      const text = JSON.stringify(body)
      response.writeHead(status, {
        ...SECURITY_HEADERS,
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(text),
        'Cache-Control': 'no-store',
        ...(wait !== undefined && { 'Retry-After': String(wait) }),
      })
      response.end(text)
    }
    if (!isOwnPost(services, request)) return send({ status: 403, body: { message: t.refused } })
    const wait = await countAttemptOf(services, counted, attemptOn(visit))
    if (wait !== undefined) return send(tooMany(visit, wait))
    const job = await jobOf(visit)
    const body = await readJson(visit)
    if (!isOpen(job)) return send({ status: 409, body: { message: t.closedTitle } })
    if (job.external_apply_url !== null) return send({ status: 409, body: { message: t.elsewhereTitle } })
    const form = { workspace: site.workspace_id, job: job.id }
    const questions = questionsIn(formParts(job, texts))
    send(await run({ visit, job, form, questions, body, now: await services.db.now() }))
  }

const tooMany = ({ texts }: Visit, wait: number): ScriptReply => ({
  status: 429,
  body: { message: waitText(texts.apply, wait) },
  wait,
})

/** An object; anything else has no fields. */
async function readJson({ request }: Visit): Promise<Readonly<Record<string, unknown>>> {
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
  if (token === 'expired') return { status: 403, body: { expired: true, message: t.expired } }
  const question = questions.find(({ kind, name }) => kind === 'file' && name === body['field'])
  const size = body['size_bytes']
  if (!question || typeof size !== 'number' || !Number.isInteger(size))
    return { status: 400, body: { message: t.fileFailed } }
  if (size < 1) return { status: 400, body: { message: t.fileEmpty } }
  if (size > MAX_FILE_BYTES) return { status: 400, body: { message: t.fileTooLarge } }
  const filename = text(body['filename']).slice(0, 1000)
  const contentType = typeOfFile(question, filename, text(body['content_type']))
  if (contentType === undefined) return { status: 400, body: { message: t.fileType } }
  if (!isContentOf(contentType, Buffer.from(text(body['head']), 'base64')))
    return { status: 400, body: { message: t.fileWrong } }
  const proof = proofOf(token, text(body['work']), now)
  if (proof === 'none') return { status: 403, body: { message: t.tooFast } }
  const reserved = await reserveFor(visit, proof, question, { contentType, sizeBytes: size, filename })
  if ('wait' in reserved) return tooMany(visit, reserved.wait)
  const { url, headers } = reserved.upload
  const ticket = uploadTicket(services.keyring, form, question.name, reserved.upload_id)
  return { body: { ticket, url, headers } }
}

/**
 * Reads a résumé that was uploaded by this form. A file of another type or with a password has to be replaced; whatever
 * else goes wrong, the form goes on without the values.
 */
async function read({ visit, form, questions, body, now }: ScriptCall): Promise<ScriptReply> {
  const { services } = visit
  const nothing = { body: { fields: {} } }
  const token = readToken(services.keyring, form, text(body['token']), now)
  if (token === 'expired') return nothing
  const uploadId = readTicket(services.keyring, form, RESUME, text(body['ticket']))
  if (uploadId === undefined) return nothing
  const proof = proofOf(token, text(body['work']), now)
  if (proof === 'none') return nothing
  const wait = proof === 'solved' ? undefined : await countAttemptOf(services, 'plain reading', attemptOn(visit))
  if (wait !== undefined) return tooMany(visit, wait)
  const reading = await readForForm(services, form.workspace, uploadId, questions)
  if (reading === 'busy') return { body: { fields: {}, busy: true } }
  if (reading === 'unreadable') return { body: { fields: {}, unreadable: true } }
  if (typeof reading !== 'string') return { body: { fields: reading.fields } }
  await discardUpload(visit, uploadId)
  return { body: { fields: {}, fault: visit.texts.apply[reading] } }
}

/** Another token, for a page that was open for long. */
const renew = async ({ visit, form, now }: ScriptCall): Promise<ScriptReply> => ({
  body: { token: issueToken(visit.services.keyring, form, now) },
})
