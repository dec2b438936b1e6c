import { withCallerNames } from '../../kernel/access/caller-names.ts'
import type { Keyring } from '../../kernel/crypto/signing.ts'
import type { Queryable } from '../../kernel/db/database.ts'
import { present } from '../../kernel/errors/present.ts'
import type { Services } from '../../kernel/services/services.ts'
import { type InterviewData, readInterviewData } from '../interviews/index.ts'
import { openText } from '../messages/index.ts'
import type { Self } from './actions.ts'
import {
  type ApplicationData,
  emailsTo,
  type OwnFile,
  personRow,
  type Reads,
  type SealedEmail,
  type SentEmail,
  selectApplicationData,
  selectOwnFiles,
  selectPendingData,
  selectProfileData,
  selectReads,
  selectSourcedProfileData,
} from './data-store.ts'
import { type PublicState, publicState } from './rules.ts'

type Json = Record<string, unknown>

/**
 * Everything that is stored about a person in a workspace: the answer to a request for access (GDPR, Art. 15).
 *
 * What members of the company wrote and decided about the person (notes, scorecards, interviews without them, tags, stages, the reason of a rejection)
 * and what vendors concluded (results of tests and checks) is personal data of the person too, but a copy may not harm the
 * rights of others (Art. 15 (4)): of the author, and of people named in it. Someone at the company has to look at the text first, which no download can do. So it says that
 * such records exist and when they were made, and the page tells how to ask for them. A score is computed from the résumé
 * by fixed rules, without anyone's opinion: it is here, with its reasons (Art. 15 (1) (h)).
 */
export interface CandidateData {
  generated_at: string
  workspace: { id: string; name: string }
  person: Json
  contact_values: Json[]
  email_preferences: { unsubscribed_at: unknown; address: Json[] }
  /** a person whose processing was stopped is not let in */
  suppression: null
  applications: ApplicationRecord[]
  /** forms that wait until the person uses or discards them */
  pending_submissions: Json[]
  files: OwnFile[]
  resume_profiles: Json[]
  sourced_profiles: Json[]
  /** those that the person was invited to */
  interviews: InterviewData[]
  emails: SentEmail[]
  recipients: DataRecipient[]
}

/** With the state that candidates see, and the internal records by their times. */
export type ApplicationRecord = Json &
  Pick<
    ApplicationData,
    'answers' | 'consents' | 'equal_opportunity' | 'prescreen' | 'score' | 'phone_screening' | 'checks'
  > & {
    state: PublicState
    internal: Pick<
      ApplicationData,
      'stage_changes' | 'status_changes' | 'notes' | 'scorecards' | 'interviews' | 'tags' | 'check_results'
    >
  }

const applicationRecord = ({
  application: { status, ...application },
  stage_changes,
  status_changes,
  notes,
  scorecards,
  interviews,
  tags,
  check_results,
  ...given
}: ApplicationData): ApplicationRecord => ({
  ...application,
  state: publicState(status),
  ...given,
  internal: { stage_changes, status_changes, notes, scorecards, interviews, tags, check_results },
})

export interface DataRecipient extends Omit<Reads, 'key_id'> {
  /** the name that the company gave to the partner's key */
  name: string
}

/** Who read personal values over the API. Several keys or consents of one name are one recipient. */
async function recipientsOf(db: Queryable, workspace: string, applicantId: string): Promise<DataRecipient[]> {
  const reads = await withCallerNames(db, workspace, await db.query(selectReads(workspace, applicantId)))
  const named = reads.map(({ key_id, key_name, is_app: _, ...read }) => ({ name: key_name ?? key_id, ...read }))
  return [...Map.groupBy(named, ({ name, field }) => JSON.stringify([name, field])).values()]
    .map(together => ({
      ...present(together[0], 'a read'),
      times: together.reduce((sum, { times }) => sum + times, 0),
      first_at: together.map(({ first_at }) => first_at).reduce((a, b) => (a < b ? a : b)),
      last_at: together.map(({ last_at }) => last_at).reduce((a, b) => (a > b ? a : b)),
    }))
    .sort((a, b) => compared(a.first_at, b.first_at) || compared(a.name, b.name) || compared(a.field, b.field))
}

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The subject and text of a message, where they are stored. */
function withText(
  keyring: Keyring,
  workspace: string,
  { id, subject_sealed, body_sealed, ...email }: SealedEmail,
): SentEmail {
  if (id === null) return email
  const { subject, body } = openText(keyring, { workspace, id }, { subject_sealed, body_sealed })
  return { ...email, subject, text: body }
}

export async function personalData(
  { db, keyring }: Pick<Services, 'db' | 'keyring'>,
  { workspace, applicantId }: Self,
  company: string,
): Promise<CandidateData | undefined> {
  const [now, found, applications, pending, files, profiles, sourced, emails, recipients] = await Promise.all([
    db.now(),
    db.one(personRow(workspace, applicantId)),
    db.query(selectApplicationData(workspace, applicantId)),
    db.query(selectPendingData(workspace, applicantId)),
    db.query(selectOwnFiles(workspace, applicantId)),
    db.query(selectProfileData(workspace, applicantId)),
    db.query(selectSourcedProfileData(workspace, applicantId)),
    db.query(emailsTo(workspace, applicantId)),
    recipientsOf(db, workspace, applicantId),
  ])
  if (!found) return undefined
  const interviews = await readInterviewData({ db, keyring, now }, workspace, applicantId)
  const { unsubscribed_at, ...person } = found.person
  return {
    generated_at: new Date(now).toISOString(),
    workspace: { id: workspace, name: company },
    person,
    contact_values: found.contact_values,
    email_preferences: { unsubscribed_at, address: found.unsubscribes },
    suppression: null,
    applications: applications.map(applicationRecord),
    pending_submissions: pending,
    files,
    resume_profiles: profiles,
    sourced_profiles: sourced.map(({ profile, contact_values }) => ({ ...profile, contact_values })),
    interviews,
    emails: emails.map(email => withText(keyring, workspace, email)),
    recipients,
  }
}
