import { fail } from '../../kernel/errors/api-error.ts'
import { SessionError } from '../../programs/errors.ts'
import type { Shown } from '../../programs/page.ts'
import { ownApplication, replaceOwnResume } from '../../resources/candidates/index.ts'
import type { Entries } from '../apply/entries.ts'
import { checkUploads, type FileFault, receiveFile, releaseUploads, typeOfFile, type Wait } from '../apply/files.ts'
import { waitText } from '../apply/pages.ts'
import { RESUME } from '../apply/questions.ts'
import { type ArrivingFile, receiveForm } from '../apply/receive.ts'
import { page, type Titled } from './area.ts'
import { done, limit, shown } from './own-pages.ts'
import { isUndecided, type OwnVisit, resumeClosedPage, resumePage } from './pages.ts'

/** Another résumé for an application that was sent. */
export const resumePages = [
  page({
    path: '/me/applications/{id}/resume',
    session: 'needed',
    // the token is among the fields, which the handler reads with the file
    csrf: 'origin',
    form: 'files',
    limit,
    show: async visit => showForm(visit, await applicationOf(visit)),
    submit: visit => replace(visit),
  }),
]

type ResumeVisit = OwnVisit & { params: { id: string } }
type Application = NonNullable<Awaited<ReturnType<typeof ownApplication>>>

const applicationOf = async ({ services, session, params }: ResumeVisit): Promise<Application> =>
  (await ownApplication(services.db, session, params.id)) ?? fail('not_found')

function showForm(visit: OwnVisit, application: Application, fault?: string, status = 422): Shown<Titled> {
  const { replace, add } = visit.texts.candidate.newResume
  const { title } = application.has_resume ? replace : add
  if (!isUndecided(application)) return shown(replace.title, resumeClosedPage(visit, application), { status: 409 })
  return shown(title, resumePage(visit, application, fault), fault === undefined ? {} : { status })
}

type Received = { uploadId: string } | Wait | FileFault | 'refused'

/** The file goes to the store while it arrives; the fields before it prove that the form is ours. */
async function replace(visit: ResumeVisit): Promise<Shown<Titled>> {
  const { services, session, request, texts } = visit
  const application = await applicationOf(visit)
  let received: Received | undefined
  const { entries } = await receiveForm(request, async (file, before) => {
    if (received !== undefined || file.name !== RESUME || file.filename === '') return void file.body.resume()
    received = 'refused'
    received = await takeResume(visit, file, before)
  })
  if (received === 'refused' || !session.isCsrfToken(entries.first('csrf')))
    throw new SessionError('csrf_token_invalid')
  if (received === undefined) return showForm(visit, application, texts.candidate.newResume.missing)
  if (typeof received === 'string') return showForm(visit, application, texts.apply[received as keyof FileTexts])
  if ('wait' in received) return showForm(visit, application, waitText(texts.apply, received.wait), 429)
  const fault = (await checkUploads(visit, new Map([[RESUME, received.uploadId]]))).get(RESUME)
  if (fault !== undefined) return showForm(visit, application, texts.apply[fault])
  const isReplaced = await replaceOwnResume(services, session, application.id, received.uploadId)
  await releaseUploads(visit, 1)
  if (isReplaced) return done(visit, 'resume')
  return showForm(visit, { ...application, status: 'withdrawn' })
}

type FileTexts = Record<Exclude<FileFault, 'pastedTooLong'>, string>

async function takeResume(visit: OwnVisit, file: ArrivingFile, before: Entries): Promise<Received> {
  const contentType = typeOfFile({ name: RESUME }, file.filename, file.contentType)
  const isOurs = visit.session.isCsrfToken(before.first('csrf'))
  if (!isOurs || contentType === undefined) {
    file.body.resume()
    return isOurs ? 'fileType' : 'refused'
  }
  // the person has proved a mailbox: that is worth more than a proof of work
  return receiveFile(visit, 'solved', { name: RESUME }, { ...file, contentType }).catch((error: unknown) => {
    // the request was cut off: there is no one to respond to
    if (file.body.destroyed && !file.body.readableEnded) throw error
    file.body.resume()
    visit.services.log.warn({ err: error }, 'another résumé of a candidate was not stored')
    return 'fileFailed'
  })
}
