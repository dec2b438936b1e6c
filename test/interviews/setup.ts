import assert from 'node:assert/strict'
import ICAL from 'ical.js'
import { sql } from '../../src/kernel/db/sql.ts'
import { sendNextMails } from '../../src/kernel/mail/queue.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { teamMails } from '../../src/resources/hiring-team/index.ts'
import { type CandidateWorld, startCandidateWorld } from '../careers/candidate-setup.ts'
import { type Person as Member, signedIn } from '../console/setup.ts'
import type { Arrived } from '../harness/smtp.ts'
import { type Person, parse } from '../messages/setup.ts'

export interface InterviewWorld extends CandidateWorld {
  devika: Member
  peng: Member
  tomas: Member
  /** a person who applied for the job */
  candidate(details?: { email?: string | null; first_name?: string; last_name?: string }): Promise<Applied>
  /** lets the time pass in which a change can be undone, and sends all emails that are due */
  deliverAll(): Promise<Sent[]>
}

export interface Applied extends Person {
  applicationId: string
}

export interface Sent {
  to: string
  subject: string
  text: string
  /** undefined: the email has no invitation */
  invite: Invite | undefined
  raw: string
}

export interface Invite {
  method: string
  uid: string
  sequence: number
  startsAt: string
  endsAt: string
  summary: string
  description: string
  location: string
  status: string
  organizer: string
  attendee: string
  file: string
}

/** Two weeks before clocks change in Europe, and one before they do in the United States. */
const BEGINS = '2027-03-01T09:00:00Z'

/** The clock begins at a fixed time; the file resets it. */
export async function startInterviews(settings: Record<string, string> = {}): Promise<InterviewWorld> {
  clock.advance(Date.parse(BEGINS) - clock.now())
  const world = await startCandidateWorld(settings)
  const { service, workspace, job } = world
  const enter = (firstName: string, lastName: string, role: 'admin' | 'member') =>
    signedIn(service, workspace, {
      role,
      firstName,
      lastName,
      email: `${firstName.toLowerCase()}@acme.test`,
      program: 'hiring',
    })
  const devika = await enter('Devika', 'Menondas', 'admin')
  const peng = await enter('Peng', 'Liangmoor', 'member')
  const tomas = await enter('Tomas', 'Ibarrola', 'member')
  const { db } = service.services
  return {
    ...world,
    devika,
    peng,
    tomas,
    candidate: async ({ email, first_name = 'Olga', last_name = 'Kensington' } = {}) => {
      const person = await world.person({ ...(email === undefined ? {} : { email }) })
      await db.query(sql`
        update applicants set first_name = ${first_name}, last_name = ${last_name},
          full_name = ${`${first_name} ${last_name}`}
        where workspace_id = ${workspace} and id = ${person.id}`)
      const found = await db.one(sql<{ id: string }>`
        select id from applications where workspace_id = ${workspace} and applicant_id = ${person.id}`)
      assert.ok(found, 'the person has an application')
      void job
      return { ...person, applicationId: found.id }
    },
    deliverAll: async () => {
      clock.advance(11_000)
      const before = world.mails.arrived.length
      await world.deliver()
      while (await sendNextMails(service.services, teamMails));
      return Promise.all(world.mails.arrived.slice(before).map(readSent))
    },
  }
}

export async function readSent(arrived: Arrived): Promise<Sent> {
  const mail = await parse(arrived)
  const files = mail.attachments.filter(part => part.mimeType === 'application/ics')
  const file = files[0] && new TextDecoder().decode(files[0].content as ArrayBuffer)
  return {
    to: mail.to?.[0]?.address ?? '',
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    invite: file === undefined ? undefined : readInvite(file),
    raw: arrived.raw.toString(),
  }
}

export function readInvite(file: string): Invite {
  const calendar = new ICAL.Component(ICAL.parse(file) as unknown[])
  const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent')!)
  const value = (name: string) => String(event.component.getFirstPropertyValue(name) ?? '')
  return {
    method: String(calendar.getFirstPropertyValue('method')),
    uid: event.uid,
    sequence: event.sequence,
    startsAt: event.startDate.toJSDate().toISOString(),
    endsAt: event.endDate.toJSDate().toISOString(),
    summary: event.summary,
    description: value('description'),
    location: value('location'),
    status: value('status'),
    organizer: value('organizer'),
    attendee: value('attendee'),
    file,
  }
}

const DAY_MS = 86_400_000

/** A time of so many days ahead, at full hours. */
export function inDays(days: number, hour = 10, minutes = 45): { starts_at: string; ends_at: string } {
  const day = new Date(clock.now() + days * DAY_MS)
  day.setUTCHours(hour, 0, 0, 0)
  return { starts_at: day.toISOString(), ends_at: new Date(day.getTime() + minutes * 60_000).toISOString() }
}

export const VIDEO = {
  kind: 'video',
  time_zone: 'Europe/Berlin',
  meeting_url: 'https://meet.acme.test/hall-7',
  invite_candidate: true,
} as const

/** Plans an interview on the pages; fails the test if it is refused. */
export async function plan(by: Member, application: string, body: object): Promise<{ id: string; updated_at: string }> {
  const planned = await by.post(`/applications/${application}/interviews`, { ...VIDEO, ...body })
  assert.equal(planned.status, 200, JSON.stringify(planned.body))
  return planned.body
}

export const readPanel = async (by: Member, application: string) =>
  (await by.get(`/applications/${application}/interviews`)).body
