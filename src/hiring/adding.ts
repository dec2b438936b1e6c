import { MAX_ADDED, TEAM_SOURCES } from '../contract/added-sources.ts'
import { API_LIMITS } from '../contract/limits.ts'
import { isLimited } from '../contract/scopes.ts'
import type { Queryable, Transaction } from '../kernel/db/database.ts'
import { ApiError } from '../kernel/errors/api-error.ts'
import { closed } from '../kernel/http/closed.ts'
import type { InputFault } from '../kernel/http/faults.ts'
import { isUuid } from '../kernel/http/params.ts'
import { isHandle } from '../kernel/ids/handles.ts'
import { type Static, Type } from '../kernel/schema/types.ts'
import type { Services } from '../kernel/services/services.ts'
import { splitName } from '../kernel/text/person-name.ts'
import { fields } from '../programs/fields.ts'
import { transferApplication } from '../resources/applications/index.ts'
import { ANOTHER_JOB, resolveReason } from '../resources/decision-reasons/index.ts'
import { addCandidatesWithNotes, checkCandidatesWithNotes, type NewCandidate } from '../resources/hiring-team/index.ts'
import { jobExists } from '../resources/jobs/index.ts'
import { MESSAGE_LIMITS, scheduleMessage } from '../resources/messages/index.ts'
import { poolFor } from '../resources/pool/index.ts'
import { copyResume, readSentResume } from '../resources/resumes/index.ts'
import { readPersonOfProfile } from '../resources/sourced-profiles/index.ts'
import { hasScope, onApplication } from './decisions.ts'
import { post, postFile } from './program.ts'
import type { HiringSession } from './reach.ts'

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))
const handle = Type.Optional(Type.String({ maxLength: 100 }))

/** The email to the person; it leaves when Undo is over. */
const notice = Type.Object(
  {
    subject: Type.String({ minLength: 1, maxLength: MESSAGE_LIMITS.subject, pattern: '\\S' }),
    body: Type.String({ minLength: 1, maxLength: MESSAGE_LIMITS.body, pattern: '\\S' }),
    template_id: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()])),
  },
  closed,
)

/** Lengths beyond these are a fault of the request and not of one line. */
const MAX_TEXT = 2_000

const candidateInput = Type.Object(
  {
    first_name: text(MAX_TEXT),
    last_name: text(MAX_TEXT),
    email: text(MAX_TEXT),
    phone: text(MAX_TEXT),
    linkedin_url: text(MAX_TEXT),
    upload_id: handle,
    stage_id: handle,
    source: Type.Optional(Type.Enum(TEAM_SOURCES)),
    note: text(20_000),
    tags: Type.Optional(Type.Array(Type.String({ maxLength: MAX_TEXT }), { maxItems: 100 })),
    /** a saved profile or one of the pool, which has the details */
    profile_id: handle,
  },
  closed,
)

const candidatesBody = Type.Object(
  {
    candidates: Type.Array(candidateInput, { minItems: 1, maxItems: MAX_ADDED }),
    notice: Type.Optional(notice),
  },
  closed,
)

type CandidateInput = Static<typeof candidateInput>

/** What became of one line. */
interface AddedLine {
  outcome: 'added' | 'known_person' | 'already_in_job' | 'cannot_be_stored' | 'not_found' | 'invalid'
  application_id: string | null
  /** why someone cannot be stored */
  reason: 'stopped' | 'unsubscribed' | null
  faults: { param: string; message: string; reason: string | null }[]
  /** applications of a known person; null: not counted */
  applications: number | null
  /** the email to the person */
  mail: { scheduled_for: string | null } | { blocked: string } | null
}

const LINE = {
  ...fields('outcome', 'application_id', 'reason', 'applications'),
  faults: fields('param', 'message', 'reason'),
  mail: fields('scheduled_for', 'blocked'),
}

const line = (outcome: AddedLine['outcome'], more: Partial<AddedLine> = {}): AddedLine => ({
  outcome,
  application_id: null,
  reason: null,
  faults: [],
  applications: null,
  mail: null,
  ...more,
})

const invalidLine = (faults: readonly InputFault[]) =>
  line('invalid', {
    faults: faults.map(({ param, message, reason, code }) => ({ param, message, reason: reason ?? code ?? null })),
  })

/** People who are limited to jobs learn nothing of what the workspace knows besides: known people are new to them. */
const shownTo = (session: HiringSession, shown: AddedLine): AddedLine =>
  !isLimited(session)
    ? shown
    : {
        ...shown,
        outcome: shown.outcome === 'known_person' ? 'added' : shown.outcome,
        reason: null,
        applications: null,
      }

/** The candidate of a line, or what its line says instead. */
async function candidateOf(
  db: Queryable,
  session: HiringSession,
  { email, upload_id, profile_id, source = 'team:manual', ...rest }: CandidateInput,
): Promise<NewCandidate | AddedLine> {
  if (profile_id !== undefined) return candidateOfProfile(db, session, profile_id, rest)
  const emails = email?.trim() ? [email.trim()] : []
  return { ...rest, emails, source, resume_upload_id: upload_id }
}

/** The profile stays where it is. Its handle tells a repeat from another person. */
async function candidateOfProfile(
  db: Queryable,
  { workspaceId, environment }: HiringSession,
  id: string,
  { stage_id, note, tags }: CandidateInput,
): Promise<NewCandidate | AddedLine> {
  const profile = isHandle('sourced_profile', id)
    ? await readPersonOfProfile(db, workspaceId, id)
    : isHandle('pool_profile', id)
      ? await readPoolPerson(db, environment, id)
      : undefined
  if (!profile) return line('not_found')
  if (profile.suppressed) return line('cannot_be_stored', { reason: 'stopped' })
  if (profile.unsubscribed) return line('cannot_be_stored', { reason: 'unsubscribed' })
  const { full_name, linkedin_url, location, emails, phone, acquired } = profile
  const { first, last } = splitName(full_name ?? '')
  return {
    first_name: first,
    last_name: last ?? full_name ?? undefined,
    emails,
    phone: phone ?? undefined,
    linkedin_url: linkedin_url ?? undefined,
    location: location ?? undefined,
    stage_id,
    note,
    tags,
    source: 'team:sourced',
    external_id: id,
    acquired,
  }
}

async function readPoolPerson(db: Queryable, environment: HiringSession['environment'], id: string) {
  const [profile] = await poolFor(environment).read(db, [id])
  if (!profile) return undefined
  const { full_name, linkedin_url, location_full, provider } = profile
  return {
    full_name,
    linkedin_url,
    location: location_full,
    emails: [],
    phone: null,
    suppressed: false,
    unsubscribed: false,
    acquired: { acquisition: 'pool_search', provider },
  }
}

/** Each candidate is a transaction of its own: what is refused does not keep the others out. */
async function addLine(
  services: Services,
  session: HiringSession,
  jobId: string,
  wanted: CandidateInput,
  mail: Static<typeof notice> | undefined,
): Promise<AddedLine> {
  const { workspaceId: workspace, userId } = session
  try {
    return await services.db.transaction(async tx => {
      const candidate = await candidateOf(tx, session, wanted)
      if ('outcome' in candidate) return candidate
      const [result] = await addCandidatesWithNotes(tx, services.blobs, { workspace, jobId, userId }, [candidate])
      if (!result || result.outcome === 'invalid') return invalidLine(result?.faults ?? [])
      if (result.outcome === 'cannot_be_stored') return line(result.outcome, { reason: result.reason })
      const { outcome, application_id } = result
      const sent = outcome === 'already_in_job' ? null : await notify(tx, services, session, application_id, mail)
      return line(outcome, { application_id, mail: sent })
    })
  } catch (error) {
    // the file of a line is its own fault
    if (error instanceof ApiError && error.code.startsWith('upload_'))
      return invalidLine([{ param: 'upload_id', message: error.message, reason: error.code }])
    throw error
  }
}

async function notify(
  tx: Transaction,
  services: Services,
  { workspaceId: workspace, userId }: HiringSession,
  applicationId: string,
  mail: Static<typeof notice> | undefined,
): Promise<AddedLine['mail']> {
  if (!mail) return null
  const { subject, body, template_id } = mail
  const templateId = typeof template_id === 'string' && isUuid(template_id) ? template_id : null
  const draft = { purpose: 'added_by_us', subject, body, templateId } as const
  const outcome = await scheduleMessage(tx, services, { workspace, applicationId, userId }, draft)
  return 'message' in outcome ? { scheduled_for: outcome.message.scheduled_for } : { blocked: outcome.blocked }
}

/** The name that a browser gives a file is sent in a header, escaped. */
function filenameOf(header: string | string[] | undefined): string {
  try {
    return decodeURIComponent(typeof header === 'string' ? header : '')
  } catch {
    return ''
  }
}

/** People whom the team puts into a job: typed in, from résumés, from profiles and from other jobs. */
export const addingEndpoints = [
  post({
    path: '/jobs/{job}/candidates',
    limited: 'record',
    jobRight: 'decide',
    scope: 'applications:write',
    body: candidatesBody,
    returns: { results: LINE },
    handler: async ({ services, session, params, body }) => {
      const mail = hasScope(session, 'messages:send') ? body.notice : undefined
      const results: AddedLine[] = []
      // one after the other: a person's click must not take the connections of everyone else
      for (const wanted of body.candidates)
        results.push(shownTo(session, await addLine(services, session, params.job, wanted, mail)))
      // in the order of the candidates
      return { results }
    },
  }),
  post({
    path: '/jobs/{job}/candidates/check',
    // says who is known to the workspace
    limited: 'closed',
    jobRight: 'decide',
    scope: 'applications:write',
    body: candidatesBody,
    returns: { results: LINE },
    handler: async ({ db, session, params, body }) => {
      const read = await Promise.all(body.candidates.map(candidate => candidateOf(db, session, candidate)))
      const candidates = read.filter(one => !('outcome' in one)) as NewCandidate[]
      const to = { workspace: session.workspaceId, jobId: params.job }
      const checked = await checkCandidatesWithNotes(db, to, candidates)
      return {
        results: read.map(one => {
          if ('outcome' in one) return one
          const found = checked[candidates.indexOf(one)]
          if (!found || found.outcome === 'invalid') return invalidLine(found?.faults ?? [])
          return line(found.outcome, {
            application_id: 'application_id' in found ? found.application_id : null,
            reason: 'reason' in found ? found.reason : null,
            applications: 'applications' in found ? found.applications : null,
          })
        }),
      }
    },
  }),
  postFile({
    path: '/jobs/{job}/resumes',
    limited: 'record',
    jobRight: 'decide',
    scope: 'applications:write',
    maxBytes: API_LIMITS.resumeFileBytes,
    returns: {
      ...fields('state', 'upload_id'),
      contact: fields('first_name', 'last_name', 'email', 'phone', 'linkedin_url'),
    },
    handler: async ({ services, db, session, params, body, arrived }) =>
      (await db.one(jobExists(session.workspaceId, params.job)))
        ? readSentResume(services, session.workspaceId, {
            content: body,
            filename: filenameOf(arrived.request.headers['x-filename']),
          })
        : undefined,
  }),
  post({
    path: '/applications/{application}/to-job',
    limited: 'record',
    // in both jobs
    jobRight: 'hire',
    scope: 'applications:write',
    body: Type.Object(
      { job_id: Type.String({ maxLength: 100 }), stage_id: handle, keep: Type.Optional(Type.Boolean()) },
      closed,
    ),
    returns: fields('outcome', 'application_id'),
    handler: async ({ services, session, params, body }) => {
      const { workspace, applicationId: id, userId } = onApplication(session, params)
      const { job_id: jobId, stage_id: stageId, keep = false } = body
      const resumeUploadId = await copyResume(services, workspace, id)
      return services.db.transaction(async tx => {
        const { text: why } = await resolveReason(tx, workspace, 'reject', { reason_id: ANOTHER_JOB.id })
        const reason = { id: ANOTHER_JOB.id, text: why }
        const transfer = { workspace, id, userId, jobId, stageId, keep, reason, resumeUploadId }
        return transferApplication(tx, services.blobs, transfer)
      })
    },
  }),
]
