import type { Keyring } from '../../kernel/crypto/signing.ts'
import type { SealedColumn } from '../../kernel/services/sealed-columns.ts'

/** What a message says. */
export interface MessageText {
  subject: string
  body: string
}

export interface SealedText {
  subject_sealed: Buffer | null
  body_sealed: Buffer | null
}

interface MessageKey {
  workspace: string
  id: string
}

const PARTS = ['subject', 'body'] as const

const contextOf = ({ workspace, id }: MessageKey, part: (typeof PARTS)[number]) => `message ${workspace} ${id} ${part}`

/** A reply has no subject. */
export function sealText(keyring: Keyring, key: MessageKey, { subject, body }: Partial<MessageText>): SealedText {
  const seal = (part: (typeof PARTS)[number], text: string | undefined) =>
    text === undefined ? null : keyring.seal(Buffer.from(text), contextOf(key, part))
  return { subject_sealed: seal('subject', subject), body_sealed: seal('body', body) }
}

/** null: the text was not stored, or is gone with the person. */
export function openText(
  keyring: Keyring,
  key: MessageKey,
  { subject_sealed, body_sealed }: SealedText,
): { subject: string | null; body: string | null } {
  const open = (part: (typeof PARTS)[number], sealed: Buffer | null) =>
    sealed === null ? null : keyring.unseal(sealed, contextOf(key, part)).toString()
  return { subject: open('subject', subject_sealed), body: open('body', body_sealed) }
}

export const messageSealedColumns: readonly SealedColumn[] = PARTS.map(part => ({
  table: 'messages',
  column: `${part}_sealed`,
  identifiedBy: ['workspace_id', 'id'],
  context: row => contextOf({ workspace: String(row['workspace_id']), id: String(row['id']) }, part),
}))
