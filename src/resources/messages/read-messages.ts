import type { LimitedPerson } from '../../kernel/access/reach.ts'
import type { Queryable } from '../../kernel/db/database.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { Services } from '../../kernel/services/services.ts'
import { messagesToPerson, type SentMessageRow, sendersAmong } from './read-store.ts'
import { openText } from './texts.ts'

export interface MessageToPerson extends Omit<SentMessageRow, 'key_id' | 'subject_sealed' | 'body_sealed'> {
  /** null: the candidate wrote it, or the sender is gone */
  sender: string | null
  /** null: the text was not stored, or is gone; of a reply, there is none */
  subject: string | null
  body: string | null
}

/** A page of the messages to and from the person of an application, with their texts and the names of their senders. */
export async function readMessages(
  { db, keyring }: { db: Queryable } & Pick<Services, 'keyring'>,
  workspace: string,
  applicationId: string,
  page: Page,
  onTeam?: LimitedPerson,
): Promise<MessageToPerson[]> {
  const rows = await db.query(messagesToPerson(workspace, applicationId, page, onTeam))
  const ids = [...new Set(rows.map(({ key_id }) => key_id))]
  const senders = new Map((await db.query(sendersAmong(workspace, ids))).map(({ id, name }) => [id, name]))
  return rows.map(({ key_id, subject_sealed, body_sealed, ...row }) => ({
    ...row,
    ...openText(keyring, { workspace, id: row.id }, { subject_sealed, body_sealed }),
    sender: senders.get(key_id) ?? null,
  }))
}
