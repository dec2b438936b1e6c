import type { Sql } from '../kernel/db/sql.ts'
import type { OutboxMail } from '../kernel/mail/outbox.ts'
import type { Services } from '../kernel/services/services.ts'
import { membersAmong, messagesToStoppedPeople } from './outbox-store.ts'
import { type Call, get } from './program.ts'

const SHOWN = 200

const OWNERS = {
  roles: ['owner'],
  refusal: 'Only owners can read the outbox, because it contains sign-in links.',
} as const

/** Whether mails stay on this machine, where people look for them. */
export const hasOutbox = ({ config, sendingHeld }: Pick<Services, 'config' | 'sendingHeld'>): boolean =>
  config.SMTP_URL === undefined || sendingHeld

/** The outbox holds links that sign people in, owners too: it is for owners. With a mail server it is not there. */
export const outboxEndpoints = [
  get({
    path: '/outbox',
    ...OWNERS,
    handler: async call => {
      if (!hasOutbox(call.services)) return undefined
      return { data: (await ownMails(call, await call.services.outbox.list(SHOWN))).map(toResponse) }
    },
  }),
  get({
    path: '/outbox/{id}',
    ...OWNERS,
    handler: async call => {
      if (!hasOutbox(call.services)) return undefined
      const found = await call.services.outbox.read(call.params.id)
      const [mail] = found ? await ownMails(call, [found]) : []
      return mail && toDetail(mail, call.services)
    },
  }),
]

/**
 * Messages that this workspace sent, and emails to people who are all its members. A link for a person who is a member
 * elsewhere too would open that workspace. What is in the mail decides nothing, its address least of all.
 * Messages to people whose processing was stopped are not shown.
 */
async function ownMails({ db, session }: Pick<Call, 'db' | 'session'>, mails: OutboxMail[]): Promise<OutboxMail[]> {
  const userIds = mails.flatMap(({ audience }) => (audience && 'userIds' in audience ? audience.userIds : []))
  const ids = mails.map(({ id }) => id)
  const read = async (statement: Sql<{ id: string }>) => new Set((await db.query(statement)).map(({ id }) => id))
  const [members, stopped] = await Promise.all([
    read(membersAmong(session.workspaceId, userIds)),
    read(messagesToStoppedPeople(session.workspaceId, ids)),
  ])
  return mails.filter(({ id, audience }) => {
    if (audience === null || stopped.has(id)) return false
    if ('workspaceId' in audience) return audience.workspaceId === session.workspaceId
    return audience.userIds.every(userId => members.has(userId))
  })
}

const toResponse = ({ id, at, from, to, subject }: OutboxMail) => ({
  id,
  at: new Date(at).toISOString(),
  from,
  to,
  subject,
})

const hiddenTokens = (text: string): string => text.replaceAll(/(\/link\?token=)[\w-]+/g, '$1[hidden]')

/** Without its token a link leads nowhere, so it is none. */
const withoutLinks = (html: string): string =>
  hiddenTokens(html).replaceAll(/ href="[^"]*\/link\?token=\[hidden\][^"]*"/g, '')

/**
 * A link to the pages of a candidate opens data that no member may read, such as what was said about equal opportunity. The
 * demo of one machine shows it: its people are invented, and the file with the link is on the same machine.
 */
function toDetail(mail: OutboxMail, { isLocalDemo }: Pick<Services, 'isLocalDemo'>) {
  const { text, html } = mail
  if (!mail.id.startsWith('candidate-') || isLocalDemo) return { ...toResponse(mail), text, html, hides_links: false }
  const hidden = { text: hiddenTokens(text), html: html === null ? null : withoutLinks(html) }
  return { ...toResponse(mail), ...hidden, hides_links: hidden.text !== text }
}
