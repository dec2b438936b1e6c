import { rightsInJob } from '../../contract/job-rights.ts'
import { readJobPeople } from '../../kernel/access/reach.ts'
import type { Keyring } from '../../kernel/crypto/signing.ts'
import type { Queryable } from '../../kernel/db/database.ts'
import { type CalendarMethod, type CalendarPerson, writeCalendar } from '../../kernel/mail/icalendar.ts'
import { isAddress, parseMailbox } from '../../kernel/mail/mail.ts'
import { clock } from '../../kernel/time/clock.ts'
import { memberName } from './choice-actions.ts'
import { type Details, initials, interviewUid, openDetails, type Span } from './rules.ts'
import type { InterviewKind } from './shape.ts'
import {
  type InterviewMember,
  type InterviewSubject,
  interviewById,
  interviewsOfMember,
  type StoredInterview,
  selectInterviewMembers,
  selectInterviewSettings,
  selectInterviewSubjects,
  selectTimes,
} from './store.ts'

/** What emails and calendars say about an interview. */
export interface Invitation extends Details {
  id: string
  application_id: string
  state: StoredInterview['state']
  kind: InterviewKind
  /** null: the candidate has not chosen a time */
  span: Span | null
  times: Span[]
  offered_until: string | null
  sequence: number
  /** that of the organizer; the candidate may have chosen a time in another one */
  time_zone: string
  candidate_time_zone: string | null
  /** the candidate chose the time themselves */
  is_chosen: boolean
  job_title: string
  /** null: processing of the person was stopped */
  candidate: { initials: string; name: string | null } | null
  /** names of the interviewers */
  people: string[]
  organizer: Organizer
}

/** null: the member who planned it has left. */
export type Organizer = { name: string | null; email: string } | null

interface Reads {
  db: Queryable
  keyring: Keyring
}

/** undefined: there is no such interview any more. */
export async function readInvitation(reads: Reads, workspace: string, id: string): Promise<Invitation | undefined> {
  const row = await reads.db.one(interviewById(workspace, id))
  return row && (await toInvitations(reads, workspace, [row]))[0]
}

/** As many statements for a calendar as for one interview. */
async function toInvitations(
  { db, keyring }: Reads,
  workspace: string,
  rows: readonly StoredInterview[],
): Promise<Invitation[]> {
  const distinct = (of: (row: StoredInterview) => readonly string[]) => [...new Set(rows.flatMap(of))]
  const [times, subjects, members] = await Promise.all([
    db.query(
      selectTimes(
        workspace,
        distinct(row => [row.id]),
      ),
    ),
    db.query(
      selectInterviewSubjects(
        workspace,
        distinct(row => [row.application_id]),
      ),
    ),
    db.query(
      selectInterviewMembers(
        workspace,
        distinct(row => [...row.people, row.organizer_id]),
      ),
    ),
  ])
  const timesOf = Map.groupBy(times, time => time.interview_id)
  const subjectOf = new Map(subjects.map(subject => [subject.application_id, subject]))
  const named = new Map(members.map(member => [member.id, member]))
  return rows.flatMap(row => {
    const subject = subjectOf.get(row.application_id)
    // deleted in the meantime
    if (!subject) return []
    return [toInvitation(keyring, row, { times: timesOf.get(row.id) ?? [], subject, named })]
  })
}

function toInvitation(
  keyring: Keyring,
  row: StoredInterview,
  about: { times: Span[]; subject: InterviewSubject; named: ReadonlyMap<string, InterviewMember> },
): Invitation {
  const { times, subject, named } = about
  const { first_name, last_name, full_name, job_title } = subject
  const { id, application_id, state, kind, starts_at, ends_at, offered_until, sequence, time_zone } = row
  return {
    ...openDetails(keyring, row),
    ...{ id, application_id, state, kind, offered_until, sequence, time_zone, job_title },
    candidate_time_zone: row.candidate_time_zone,
    span: starts_at === null || ends_at === null ? null : { starts_at, ends_at },
    times,
    is_chosen: row.picked_at !== null,
    candidate:
      full_name === null && first_name === null && last_name === null
        ? null
        : { initials: initials(first_name ?? full_name, last_name), name: full_name },
    people: row.people.flatMap(user => {
      const member = named.get(user)
      return (member && memberName(member)) ?? []
    }),
    organizer: organizerOf(named.get(row.organizer_id)),
  }
}

const organizerOf = (member: InterviewMember | undefined): Organizer =>
  member?.email && isAddress(member.email) ? { name: memberName(member), email: member.email } : null

/** The member who planned an interview that may be gone. */
export async function readOrganizer(db: Queryable, workspace: string, user: string): Promise<Organizer> {
  const [member] = await db.query(selectInterviewMembers(workspace, [user]))
  return organizerOf(member)
}

interface Installation {
  publicUrl: string
  /** the sender of every email */
  sender: string
}

/** The entry that is written into a calendar. */
export interface EntryTexts {
  summary: string
  description?: string
  location?: string | null
  url?: string
}

/** Answers of calendar programs go to the organizer, in whose name the service sends. */
function organizerIn(organizer: Organizer, { sender }: Installation) {
  const from = parseMailbox(sender)
  if (organizer === null) return from ? { address: from.address, ...(from.name && { name: from.name }) } : undefined
  return {
    address: organizer.email,
    ...(organizer.name !== null && { name: organizer.name }),
    ...(from && from.address !== organizer.email && { sentBy: from.address }),
  }
}

/** `invite.ics` of an email. */
export function writeInvite(
  method: Extract<CalendarMethod, 'REQUEST' | 'CANCEL'>,
  entry: Pick<Invitation, 'id' | 'sequence' | 'organizer'> & { span: Span; attendee: CalendarPerson } & EntryTexts,
  installation: Installation,
): { method: 'REQUEST' | 'CANCEL'; content: string } {
  const { id, sequence, span, organizer, attendee, summary, description, location, url } = entry
  const content = writeCalendar(
    method,
    [
      {
        uid: interviewUid(id, installation.publicUrl),
        sequence,
        startsAt: span.starts_at,
        endsAt: span.ends_at,
        summary,
        ...(description && { description }),
        ...(location && { location }),
        ...(url !== undefined && { url }),
        organizer: organizerIn(organizer, installation) ?? { address: attendee.address },
        attendee,
        isCanceled: method === 'CANCEL',
      },
    ],
    { stampedAt: clock.now() },
  )
  return { method, content }
}

/** Where people meet: the place, else the link. */
export const locationOf = ({ place, meeting_url }: Pick<Details, 'place' | 'meeting_url'>): string | null =>
  place ?? meeting_url

/** How an interview is named for members. Full names only where the workspace has chosen them. */
export const titleForTeam = (
  { title, candidate, job_title }: Pick<Invitation, 'title' | 'candidate' | 'job_title'>,
  fullNames: boolean,
): string => {
  const name = (fullNames ? candidate?.name : candidate?.initials) || undefined
  return `${title ?? 'Interview'}${name ? ` ${name}` : ''}, ${job_title}`
}

export const namesAreFull = async (db: Queryable, workspace: string): Promise<boolean> =>
  (await db.one(selectInterviewSettings(workspace)))?.full_names_in_calendars ?? false

/** The page of the candidate for members. */
export const teamUrl = (publicUrl: string, applicationId: string): string =>
  new URL(`/hiring/applications/${applicationId}`, publicUrl).href

export function entryForTeam(invitation: Invitation, fullNames: boolean, publicUrl: string): EntryTexts {
  const { place, meeting_url, internal_text, people, application_id } = invitation
  const url = teamUrl(publicUrl, application_id)
  const lines = [
    people.length > 0 ? `Interviewers: ${people.join(', ')}` : null,
    place !== null && meeting_url !== null ? meeting_url : null,
    internal_text,
    url,
  ]
  return {
    summary: titleForTeam(invitation, fullNames),
    description: lines.filter(line => line !== null).join('\n\n'),
    location: locationOf({ place, meeting_url }),
    url,
  }
}

/**
 * The calendar of a member, as the file that a calendar program reads from time to time: without interviews for jobs in
 * which they may not interview any more.
 */
export async function writeMemberCalendar(
  reads: Reads,
  workspace: string,
  userId: string,
  installation: Installation,
): Promise<string> {
  const { db } = reads
  const [rows, fullNames, people] = await Promise.all([
    db.query(interviewsOfMember(workspace, userId)),
    namesAreFull(db, workspace),
    readJobPeople(db, workspace, [userId]),
  ])
  const person = people.get(userId)
  const theirs = rows.filter(({ job_id }) => person && rightsInJob(person, job_id).has('feedback'))
  const invitations = await toInvitations(reads, workspace, theirs)
  const entries = invitations.flatMap(invitation => {
    // nothing of people whose processing was stopped
    if (!invitation.span || invitation.candidate === null) return []
    const { summary, description, location, url } = entryForTeam(invitation, fullNames, installation.publicUrl)
    return [
      {
        uid: interviewUid(invitation.id, installation.publicUrl),
        sequence: invitation.sequence,
        startsAt: invitation.span.starts_at,
        endsAt: invitation.span.ends_at,
        summary,
        ...(description && { description }),
        ...(location && { location }),
        ...(url !== undefined && { url }),
        organizer: organizerIn(invitation.organizer, installation) ?? { address: 'no-reply@localhost' },
        isCanceled: false,
      },
    ]
  })
  return writeCalendar('PUBLISH', entries, { stampedAt: clock.now(), name: 'Interviews' })
}
