import { randomUUID } from 'node:crypto'
import { auditLookups, type PersonalRead } from '../../kernel/access/budget.ts'
import type { Caller } from '../../kernel/access/caller.ts'
import type { Queryable, Transaction } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import type { Services } from '../../kernel/services/services.ts'
import type { ZipEntry } from '../../kernel/text/zip-stream.ts'
import { resumeAccess } from '../resumes/shape.ts'
import { lockSuppressionsShared } from '../suppressions/index.ts'
import type { Self } from './actions.ts'
import {
  type CopiedFile,
  dropCopyMailAhead,
  dropCopyRequest,
  insertCopyRequest,
  queueCopyMail,
  selectCopiedFiles,
  selectOpinions,
  selectReachable,
  waitingCopyMail,
} from './copy-store.ts'
import { type CandidateData, personalData } from './data-actions.ts'
import { selectMailSender } from './store.ts'

/*
 * A person asked a member of the team for their data (GDPR, Art. 15). Either the person is mailed the link to their own
 * page, which has everything and asks no one; or a member downloads a copy and looks through it first: notes and scorecards
 * are in it, in a folder of their own.
 */

/** The email leaves so long after the click, and can be taken back until then. */
const UNDO_SECONDS = 10

export type CannotSend = 'stopped' | 'no_address' | 'no_site'

/** Why no link can be mailed to the person; null: it can. undefined: there is no such applicant. */
export async function readCannotSend(db: Queryable, self: Self): Promise<CannotSend | null | undefined> {
  const [person, site] = await Promise.all([
    db.one(selectReachable(self.workspace, self.applicantId)),
    db.one(selectMailSender(self.workspace)),
  ])
  if (!person) return undefined
  if (person.suppressed) return 'stopped'
  if (person.email_key === null) return 'no_address'
  return site?.enabled ? null : 'no_site'
}

const CANNOT_SEND: Readonly<Record<CannotSend, string>> = {
  stopped: 'the processing of this person’s data was stopped, so they cannot be emailed',
  no_address: 'no email address of this person is known',
  no_site: 'the careers site is off, so there is no page for the person to open',
}

/** Mails the person the link to their data page, in ten seconds. One that has not left is not sent twice. */
export async function sendDataLink(
  tx: Transaction,
  { userId, ...self }: Self & { userId: string },
): Promise<{ id: string; due_at: string } | undefined> {
  const { workspace, applicantId } = self
  await tx.query(lockSuppressionsShared())
  const cannot = await readCannotSend(tx, self)
  if (cannot === undefined) return undefined
  if (cannot !== null) throw new UserError(CANNOT_SEND[cannot])
  const waiting = await tx.one(waitingCopyMail(workspace, applicantId))
  if (waiting) return waiting
  const mail = await tx.only(queueCopyMail(workspace, applicantId, UNDO_SECONDS))
  await tx.query(insertCopyRequest({ workspace, applicantId, kind: 'data_sent', userId }, mail.id))
  return mail
}

/** false: it has left. undefined: there is no such person. */
export async function undoDataLink(tx: Transaction, { workspace, applicantId }: Self): Promise<boolean | undefined> {
  const mail = await tx.one(dropCopyMailAhead(workspace, applicantId))
  if (mail) await tx.query(dropCopyRequest(workspace, mail.id))
  else if (!(await tx.one(selectReachable(workspace, applicantId)))) return undefined
  return mail !== undefined
}

/** The person's own copy without what the team is never shown. */
function forTeam(data: CandidateData, closed: ReadonlySet<string>) {
  const { pending_submissions: _, suppression: __, applications, files, resume_profiles, ...rest } = data
  return {
    ...rest,
    applications: applications.map(
      ({ equal_opportunity: _e, consents: _c, prescreen: _p, phone_screening: _s, internal: _i, ...application }) =>
        application,
    ),
    files: files.filter(({ kind }) => kind !== 'pending'),
    resume_profiles: resume_profiles.filter(({ application_id }) => !closed.has(String(application_id))),
  }
}

const CHECK_FIRST = 'check-before-you-pass-it-on'

const LOCKED = `
- Résumés that were locked some time after the application: unlock them first`

const README = (hasLocked: boolean) => `Everything that is stored about one person, as JSON and files.

data.json                      what the person gave, and what follows from it
files/                         résumés and files of the person
${CHECK_FIRST}/   notes, scorecards, decisions and reports of checks

Check the folder "${CHECK_FIRST}" before you pass it on. It has what
colleagues and vendors wrote. That is data of the person, too, but it can be about other
people, whose rights a copy must not harm (GDPR, Art. 15 (4)). The person's own data page
lists these records by number and time alone.

Not in this copy, but on the person's own data page:
- Answers to equal-opportunity and pre-screening questions, consents, and forms that the
  person has not confirmed: the team is never shown these${hasLocked ? LOCKED : ''}

----

Alles, was über eine Person gespeichert ist, als JSON und Dateien. Prüfen Sie den Ordner
"${CHECK_FIRST}", bevor Sie ihn weitergeben: Notizen, Bewertungen,
Entscheidungen und Berichte können auch andere Personen betreffen (DSGVO, Art. 15 Abs. 4).
Nicht enthalten ist, was das Team nie sieht: Angaben zur Chancengleichheit, Antworten auf
Vorabfragen, Einwilligungen und Formulare, die die Person nicht bestätigt hat${hasLocked ? ', und gesperrte Lebensläufe' : ''}.
`

const json = (path: string, value: unknown): ZipEntry => ({
  path,
  read: async function* () {
    yield Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
  },
})

/** A name that is a file name on every system; the id before it makes it unique. */
const fileName = ({ id, filename }: CopiedFile) =>
  `${id.slice(-8)}-${filename.replaceAll(/[^\p{L}\p{N}._ -]+/gu, '_').slice(-100)}`

const pathOf = (file: CopiedFile) =>
  `${file.kind === 'report' ? `${CHECK_FIRST}/reports` : 'files'}/${file.application_id}/${fileName(file)}`

/** Everything about the person as files of an archive; what is in it is recorded first. undefined: there is no such person. */
export async function copyForTeam(
  { db, keyring, blobs }: Pick<Services, 'db' | 'keyring' | 'blobs'>,
  { workspace, applicantId }: Self,
  reader: { userId: string; caller: Caller; requestId: string; company: string },
): Promise<Iterable<ZipEntry> | undefined> {
  const cannot = await readCannotSend(db, { workspace, applicantId })
  if (cannot === 'stopped') throw new UserError('the processing of this person’s data was stopped, so it is not shown')
  const data = await personalData({ db, keyring }, { workspace, applicantId }, reader.company)
  if (!data) return undefined
  const [all, opinions] = await Promise.all([
    db.query(selectCopiedFiles(workspace, applicantId)),
    db.only(selectOpinions(workspace, applicantId)),
  ])
  const access = (file: CopiedFile) => resumeAccess(file.applied_at, file.resume_unlocked_at, data.generated_at)
  const resumes = all.filter(({ kind }) => kind === 'resume')
  const closed = new Set(resumes.filter(file => !access(file).can_view).map(file => file.application_id))
  const files = all.filter(file => file.kind !== 'resume' || access(file).can_download)
  const reads: PersonalRead[] = [
    ...[...new Set(['email', ...data.contact_values.map(({ field }) => String(field))])]
      .filter(field => field === 'email' || field === 'phone')
      .map(field => ({ object: 'applicant', id: applicantId, field })),
    ...files.flatMap(({ kind, id }) => (kind === 'resume' ? [{ object: 'resume', id, field: 'resume_file' }] : [])),
  ]
  await db.transaction(async tx => {
    await tx.query(
      insertCopyRequest({ workspace, applicantId, kind: 'data_downloaded', userId: reader.userId }, randomUUID()),
    )
    await auditLookups(tx, reader.caller, workspace, reader.requestId, reads)
  })
  const hasLocked = resumes.some(file => !files.includes(file))
  return entriesOf({ blobs }, forTeam(data, closed), opinions, files, hasLocked)
}

function* entriesOf(
  { blobs }: Pick<Services, 'blobs'>,
  data: object,
  { notes, scorecards, decisions }: { notes: object[]; scorecards: object[]; decisions: object[] },
  files: readonly CopiedFile[],
  hasLocked: boolean,
): Generator<ZipEntry> {
  yield {
    path: 'README.txt',
    read: async function* () {
      yield Buffer.from(README(hasLocked))
    },
  }
  yield json('data.json', data)
  yield json(`${CHECK_FIRST}/notes.json`, notes)
  yield json(`${CHECK_FIRST}/scorecards.json`, scorecards)
  yield json(`${CHECK_FIRST}/decisions.json`, decisions)
  for (const file of files)
    yield {
      path: pathOf(file),
      // a file that was removed since is empty: an archive that breaks off would have nothing
      read: async () => (await blobs.get(file.blob_key))?.stream ?? none(),
    }
}

async function* none(): AsyncGenerator<Buffer> {}
