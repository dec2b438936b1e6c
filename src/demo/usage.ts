// What keys did: requests by the hour, audited reads of personal data, messages.

import { sha256 } from '../kernel/crypto/signing.ts'
import { newHandle } from '../kernel/ids/handles.ts'
import type { Applicant } from './applicants.ts'
import type { Application } from './applications.ts'
import { seeded } from './random.ts'
import { DAY, type Draft, HOUR, iso, type Row } from './rows.ts'
import type { Sourced } from './sourcing.ts'
import type { Workspace } from './workspaces.ts'

const dayOf = (ms: number): string => iso(ms).slice(0, 10)
const monthOf = (ms: number): string => `${iso(ms).slice(0, 7)}-01`

/** Busy by day and quiet by night, for a week up to the present hour. */
export function planRequests(draft: Draft, workspaceId: string, keyId: string): void {
  const random = seeded('requests')
  const present = draft.now - (draft.now % HOUR)
  for (let i = 167; i >= 0; i--) {
    const hour = present - i * HOUR
    const daytime = Math.max(0.1, Math.sin(((new Date(hour).getUTCHours() - 5) / 24) * 2 * Math.PI))
    const requests = Math.round(random.between(60, 140) * daytime * 4)
    draft.add('request_stats', {
      workspace_id: workspaceId,
      key_id: keyId,
      hour: iso(hour),
      requests,
      client_errors: random.int(0, Math.ceil(requests / 40)),
      server_errors: random.chance(0.02) ? 1 : 0,
      limited: random.chance(0.05) ? random.int(1, 9) : 0,
    })
  }
}

/** About so many requests a day: the months before whole, the present one as far as it has come. */
export function planMonths(draft: Draft, workspace: Workspace, perDay: number): void {
  const day = new Date(draft.now).getUTCDate()
  const previous = Date.parse(monthOf(draft.now)) - DAY
  const row = (ms: number, days: number): Row => ({
    workspace_id: workspace.id,
    month: monthOf(ms),
    requests: Math.round(perDay * days),
  })
  draft.add('monthly_usage', row(previous, new Date(previous).getUTCDate()), row(draft.now, day))
}

/** The audit rows of some calls of the last days, and each day's sum. */
export function planReads(
  draft: Draft,
  workspaceId: string,
  keyId: string,
  applications: readonly Application[],
  profiles: readonly Sourced[],
): void {
  const random = seeded('reads')
  const applicants = applications.flatMap(({ applicant }) =>
    applicant?.hasEmail && applicant.hasPhone ? [applicant] : [],
  )
  const resumes = applications.filter(({ access }) => access?.state === 'open')
  const revealed = profiles.filter(profile => profile.contacts.length > 0)
  const used = new Map<string, number>()
  for (let i = 0; i < 32; i++) {
    const at = draft.daysAgo(4.5 * ((32 - i - random.between(0.2, 0.8)) / 32))
    const requestId = newHandle('request', at)
    const reads = random.pick([
      () => ['email', 'phone'].map(field => ['applicant', random.pick(applicants.slice(-40)).id, field] as const),
      () => {
        const profile = random.pick(revealed)
        return profile.contacts.map(({ field }) => ['sourced_profile', profile.id, field] as const)
      },
      () => [['resume', random.pick(resumes).resumeId!, random.pick(['resume_text', 'resume_file'])] as const],
    ])()
    // values of one answer are read at one moment, of one record
    const subject = reads[0]![1]
    for (const [object, , field] of reads) {
      draft.add('personal_data_reads', {
        workspace_id: workspaceId,
        key_id: keyId,
        subject_object: object,
        subject_id: subject,
        field,
        units: 1,
        request_id: requestId,
        acting_user_id: null,
        at: iso(at),
      })
      used.set(dayOf(at), (used.get(dayOf(at)) ?? 0) + 1)
    }
  }
  for (const [day, units] of used)
    draft.add('personal_data_usage', { workspace_id: workspaceId, key_id: keyId, day, used: units })
}

/** A few messages of the last days. A message that the provider refused does not count against the day's cap. */
export function planMessages(
  draft: Draft,
  workspaceId: string,
  keyId: string,
  applications: readonly Application[],
): void {
  const used = new Map<string, number>()
  const writable = (applicant: Applicant | null): applicant is Applicant =>
    applicant?.hasEmail === true && applicant.unsubscribedAt === null && applicant.suppressedAt === null
  const recipients = applications.filter(({ applicant }) => writable(applicant)).slice(-60, -20)
  for (const [i, { id, applicant }] of recipients.filter((_, n) => n % 5 === 0).entries()) {
    const at = draft.daysAgo(4 - i * 0.45)
    const failed = i === 3
    draft.add('messages', {
      workspace_id: workspaceId,
      id: newHandle('message', at),
      key_id: keyId,
      idempotency_key: `demo-message-${i + 1}`,
      fingerprint: `\\x${sha256(`demo message ${i + 1}`).toString('hex')}`,
      application_id: i % 3 === 2 ? null : id,
      applicant_id: applicant!.id,
      status: failed ? 'failed' : 'sent',
      created_at: iso(at),
      sent_at: failed ? null : iso(at + 700),
    })
    if (!failed) used.set(dayOf(at), (used.get(dayOf(at)) ?? 0) + 1)
  }
  for (const [day, count] of used)
    draft.add('message_usage', { workspace_id: workspaceId, key_id: keyId, day, used: count })
}
