import { addressFault } from '../../kernel/access/workspace-kind.ts'
import type { Blobs } from '../../kernel/blobs/blobs.ts'
import type { Queryable, Transaction } from '../../kernel/db/database.ts'
import { ApiError, fail } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import { isHandle } from '../../kernel/ids/handles.ts'
import {
  addApplicant,
  addFurtherEmails,
  fillMissingDetails,
  type KnownPerson,
  lockApplicantById,
  lockPerson,
  peopleByKeys,
  unsubscribedAmong,
} from '../applicants/index.ts'
import { type Identifier, lockSuppressionsShared, suppressedAmong } from '../suppressions/index.ts'
import { type CandidateKeys, keysOf, provenanceOf, type TeamCandidate, teamCandidateFaults } from './adding-rules.ts'
import { applicationsByExternalId, applicationsByPhone, applicationsInJob } from './adding-store.ts'
import { claimFile, uploadFaults } from './create.ts'
import { type ApplicationStage, applicationsById, jobForApplying, lockExternalId, selectJobStages } from './store.ts'
import { statusInStage } from './team-decisions.ts'
import { findUpload, firstStageFaults, placeFirstOrders, startStage, storeApplication } from './write-application.ts'

/** The job that candidates are put into, and the member who does it. */
export interface AddingTo {
  workspace: string
  jobId: string
  userId: string
}

/** What becomes of a candidate, or would. Only the first two are stored. */
export type AddedCandidate =
  /** `known_person`: the workspace has a record of them, whose blanks are filled */
  | { outcome: 'added' | 'known_person'; application_id: string; applicant_id: string }
  /** nothing is changed */
  | { outcome: 'already_in_job'; application_id: string }
  /** the person was erased or asked that processing stop, or wants no email */
  | { outcome: 'cannot_be_stored'; reason: 'stopped' | 'unsubscribed' }
  | { outcome: 'invalid'; faults: InputFault[] }

/** The same before anything is written. `same_as`: the place of an earlier candidate who is the same person. */
export type CheckedCandidate =
  | { outcome: 'added' }
  | { outcome: 'known_person'; applicant_id: string; applications: number }
  | { outcome: 'already_in_job'; application_id: string | null; same_as: number | null }
  | Extract<AddedCandidate, { outcome: 'cannot_be_stored' | 'invalid' }>

/** Says what `addCandidates` would do with each of them. Nothing is written or locked. */
export async function checkCandidates(
  db: Queryable,
  to: Omit<AddingTo, 'userId'>,
  candidates: readonly TeamCandidate[],
): Promise<CheckedCandidate[]> {
  const stages = await readOpenJob(db, to)
  const keys = candidates.map(keysOf)
  const [facts, faults] = await Promise.all([
    readFacts(db, to, candidates, keys),
    Promise.all(candidates.map(candidate => faultsOf(db, to.workspace, candidate, stages))),
  ])
  const places = new Map<string, number>()
  return candidates.map((candidate, i): CheckedCandidate => {
    const found = faults[i] ?? []
    if (found.length > 0) return { outcome: 'invalid', faults: found }
    const own = present(keys[i], 'the keys')
    const judged = judge(candidate, i, own, facts)
    if (judged.outcome !== 'added' && judged.outcome !== 'known_person') return judged
    const names = namesOf(candidate, own)
    const same = names.map(name => places.get(name)).find(place => place !== undefined)
    for (const name of names) if (!places.has(name)) places.set(name, i)
    return same === undefined ? judged : { outcome: 'already_in_job', application_id: null, same_as: same }
  })
}

/**
 * Puts candidates into a job: people who did not apply themselves. The job may be a draft or published, and its form asks
 * them nothing. In the order of the list; all locks are taken before, in one order, so that two calls never wait for each
 * other in a circle. Of many calls with one person at the same time one adds and the others find.
 *
 * A person is known by one of the addresses or by the LinkedIn profile. Someone without both is the same candidate of the
 * job if name and number are the same.
 */
export async function addCandidates(
  tx: Transaction,
  blobs: Blobs,
  to: AddingTo,
  candidates: readonly TeamCandidate[],
): Promise<AddedCandidate[]> {
  const { workspace, jobId } = to
  const stages = await readOpenJob(tx, to)
  await tx.query(lockSuppressionsShared())
  for (const key of [...new Set(candidates.flatMap(one => personKeys(keysOf(one))))].sort())
    await tx.query(lockPerson(workspace, key))
  const externals = candidates.flatMap(one => namesOf(one, keysOf(one)).filter(name => !isPersonKey(name)))
  for (const name of [...new Set(externals)].sort()) await tx.query(lockExternalId(workspace, jobId, 'added', name))
  const results: AddedCandidate[] = []
  for (const candidate of candidates) results.push(await addCandidate(tx, blobs, to, candidate, stages))
  return results
}

const UPLOAD = 'resume_upload_id'

async function addCandidate(
  tx: Transaction,
  blobs: Blobs,
  to: AddingTo,
  candidate: TeamCandidate,
  stages: readonly ApplicationStage[],
): Promise<AddedCandidate> {
  const { workspace, jobId, userId } = to
  const faults = await faultsOf(tx, workspace, candidate, stages)
  const { resume_upload_id: uploadId } = candidate
  const upload = uploadId === undefined ? undefined : await findUpload(tx, workspace, uploadId)
  // the same request again, after a lost response
  if (upload?.application_id) {
    const [before] = await tx.query(applicationsById(workspace, [upload.application_id]))
    if (before?.job_id === jobId) return { outcome: 'already_in_job', application_id: before.id }
  }
  if (uploadId !== undefined) faults.push(...uploadFaults(upload))
  if (upload?.consumed) faults.push({ param: UPLOAD, message: 'was already used', code: 'upload_already_used' })
  if (faults.length > 0) return { outcome: 'invalid', faults }
  const keys = keysOf(candidate)
  const judged = judge(candidate, 0, keys, await readFacts(tx, to, [candidate], [keys]))
  if (judged.outcome === 'already_in_job')
    return { outcome: judged.outcome, application_id: present(judged.application_id, 'the application') }
  if (judged.outcome !== 'added' && judged.outcome !== 'known_person') return judged
  const stage = present(startStage(stages, candidate.stage_id), 'the stage')
  const file = uploadId === undefined ? undefined : await claimFile(tx, blobs, workspace, uploadId, upload)
  if (file instanceof ApiError)
    return {
      outcome: 'invalid',
      faults: [{ param: 'resume_upload_id', message: file.message, code: 'resume_rejected' }],
    }
  const applicantId = await storePerson(
    tx,
    workspace,
    candidate,
    judged.outcome === 'known_person' ? judged.applicant_id : undefined,
  )
  const row = await storeApplication(tx, {
    workspace,
    jobId,
    applicantId,
    stage,
    status: statusInStage('new', stage.type),
    source: candidate.source,
    sourceSystem: candidate.external_id === undefined ? null : candidate.source,
    sourceExternalId: candidate.external_id ?? null,
    voiceScreeningOptedOut: false,
    screeningPhone: null,
    unproved: false,
    appliedAt: candidate.applied_at ?? null,
    answers: {},
    file,
    originKeyId: null,
    userId,
  })
  // another writer created it without the lock, and it cannot be read back
  if (!row) return fail('application_conflict')
  await placeFirstOrders(tx, row, stage, { isUnproved: false, originKeyId: null })
  return { outcome: judged.outcome, application_id: row.id, applicant_id: applicantId }
}

/** A new record, or the one that is there: its blanks are filled and nothing is replaced. */
async function storePerson(tx: Transaction, workspace: string, candidate: TeamCandidate, known: string | undefined) {
  const { first_name, last_name, phone, linkedin_url, location, emails = [] } = candidate
  const [email, ...others] = emails
  const details = { first_name, last_name, email, phone, linkedin_url, location }
  if (known === undefined) {
    const id = await addApplicant(tx, workspace, details, provenanceOf(candidate), null)
    await addFurtherEmails(tx, workspace, id, others)
    return id
  }
  const person = (await tx.one(lockApplicantById(workspace, known))) ?? fail('application_conflict')
  await fillMissingDetails(tx, workspace, person, details, null)
  await addFurtherEmails(tx, workspace, known, emails)
  return known
}

/** The stages of a job that candidates can be put into: a draft or published. */
export async function readOpenJob(db: Queryable, { workspace, jobId }: Omit<AddingTo, 'userId'>) {
  if (!isHandle('job', jobId)) fail('not_found')
  const job = (await db.one(jobForApplying(workspace, jobId))) ?? fail('not_found')
  if (job.status === 'closed')
    fail('job_not_accepting_applications', { message: 'The job is closed. Reopen it to add candidates.' })
  return db.query(selectJobStages(workspace, jobId))
}

/** What is wrong with a candidate, besides who they are. */
async function faultsOf(
  db: Queryable,
  workspace: string,
  candidate: TeamCandidate,
  stages: readonly ApplicationStage[],
): Promise<InputFault[]> {
  const faults = [...teamCandidateFaults(candidate), ...firstStageFaults(stages, candidate.stage_id)]
  for (const key of keysOf(candidate).emails) {
    const message = await addressFault(db, workspace, key)
    if (message !== undefined) faults.push({ param: 'email', message, reason: 'real_mailbox' })
  }
  return faults
}

/** What is stored about the people whom candidates name. */
interface Facts {
  suppressed: ReadonlySet<string>
  unsubscribed: ReadonlySet<string>
  people: ReadonlyMap<string, readonly KnownPerson[]>
  /** by the id of a person */
  inJob: ReadonlyMap<string, string>
  /** by the place of a candidate */
  sameNumber: ReadonlyMap<number, string>
  byExternalId: ReadonlyMap<string, string>
}

const personKeys = ({ emails, profile }: CandidateKeys): string[] => [
  ...emails,
  ...(profile === undefined ? [] : [profile]),
]

/** Names of the same candidate in one job: addresses and profile, else the number with the name; and an id elsewhere. */
const namesOf = ({ source, external_id }: TeamCandidate, keys: CandidateKeys): string[] => [
  ...personKeys(keys),
  ...(keys.phone === undefined ? [] : [`phone ${digitsOf(keys.phone.number)} ${keys.phone.name.toLowerCase()}`]),
  ...(external_id === undefined ? [] : [`id ${source} ${external_id}`]),
]
const digitsOf = (number: string): string => number.replace(/\D/g, '').slice(-9)
const isPersonKey = (name: string): boolean => !/^(?:phone|id) /.test(name)

async function readFacts(
  db: Queryable,
  { workspace, jobId }: Omit<AddingTo, 'userId'>,
  candidates: readonly TeamCandidate[],
  keys: readonly CandidateKeys[],
): Promise<Facts> {
  const emails = [...new Set(keys.flatMap(one => one.emails))]
  const profiles = [...new Set(keys.flatMap(({ profile }) => profile ?? []))]
  const identifiers: Identifier[] = [
    ...emails.map(key => ({ kind: 'email' as const, key })),
    ...profiles.map(key => ({ kind: 'linkedin_url' as const, key })),
  ]
  const numbers = keys.flatMap(({ phone }, i) => (phone ? [{ ...phone, i }] : []))
  const systems = Map.groupBy(
    candidates.flatMap(({ source, external_id: id }) => (id === undefined ? [] : [{ source, id }])),
    ({ source }) => source,
  )
  const [suppressed, unsubscribed, people, byPhone, external] = await Promise.all([
    db.query(suppressedAmong(workspace, identifiers)),
    db.query(unsubscribedAmong(workspace, emails)),
    db.query(peopleByKeys(workspace, emails, profiles)),
    numbers.length === 0 ? [] : db.query(applicationsByPhone(workspace, jobId, numbers)),
    Promise.all(
      [...systems].map(async ([system, ids]) => {
        const rows = await db.query(
          applicationsByExternalId(
            workspace,
            jobId,
            ids.map(({ id }) => id),
            system,
          ),
        )
        return rows.map(row => [`${system} ${row.external_id}`, row.id] as const)
      }),
    ),
  ])
  const applications = await db.query(applicationsInJob(workspace, jobId, [...new Set(people.map(({ id }) => id))]))
  return {
    suppressed: new Set(suppressed.flatMap(({ place }) => identifiers[place]?.key ?? [])),
    unsubscribed: new Set(unsubscribed.map(({ email_key }) => email_key)),
    people: Map.groupBy(people, ({ key }) => key),
    inJob: firstOf(applications.map(({ applicant_id, id }) => [applicant_id, id])),
    sameNumber: firstOf(byPhone.map(({ place, id }) => [present(numbers[place], 'the number').i, id])),
    byExternalId: new Map(external.flat()),
  }
}

/** A map that keeps the first value of each key. */
const firstOf = <K, V>(entries: readonly (readonly [K, V])[]): Map<K, V> => new Map(entries.toReversed())

/** What becomes of a candidate without faults. Who may not be stored is not looked for in the job either. */
function judge(candidate: TeamCandidate, place: number, keys: CandidateKeys, facts: Facts): CheckedCandidate {
  const own = personKeys(keys)
  const people = own.flatMap(key => facts.people.get(key) ?? [])
  const person = people[0]
  if (own.some(key => facts.suppressed.has(key)) || people.some(({ suppressed }) => suppressed))
    return { outcome: 'cannot_be_stored', reason: 'stopped' }
  const { source, external_id } = candidate
  const found =
    (external_id === undefined ? undefined : facts.byExternalId.get(`${source} ${external_id}`)) ??
    people.map(({ id }) => facts.inJob.get(id)).find(id => id !== undefined) ??
    facts.sameNumber.get(place)
  if (found !== undefined) return { outcome: 'already_in_job', application_id: found, same_as: null }
  if (person?.unsubscribed || keys.emails.some(key => facts.unsubscribed.has(key)))
    return { outcome: 'cannot_be_stored', reason: 'unsubscribed' }
  return person
    ? { outcome: 'known_person', applicant_id: person.id, applications: person.application_count }
    : { outcome: 'added' }
}
