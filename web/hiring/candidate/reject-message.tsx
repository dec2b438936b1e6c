import '../css/decisions.css'
import { useId, useState } from 'preact/hooks'
import type { MessageFactsResponse } from '../../../src/hiring/api-types.ts'
import { useData } from '../../ui/api.ts'
import { BLOCKED, draftOf, type MessageDraft, MessageFields, type MessageText, NO_TEXT } from './message-form.tsx'

interface Props {
  applicationId: string
  /** `undefined`: no message; `incomplete`: one is wanted and cannot be sent as it is */
  onDraft: (draft: MessageDraft | 'incomplete' | undefined) => void
}

/**
 * For the dialog that rejects an application: a message that goes out with it, if chosen. The dialog rejects first and
 * then sends the draft with `useSendMessage` of `message-form.tsx`, so that no one reads of a rejection that failed.
 */
export function RejectMessage({ applicationId, onDraft }: Props) {
  const { data: facts } = useData<MessageFactsResponse>(`/applications/${applicationId}/message-facts`)
  const [wanted, setWanted] = useState(false)
  const [text, setText] = useState(NO_TEXT)
  const id = useId()
  if (!facts) return null
  const blocked = facts.blocked
    ? BLOCKED[facts.blocked]
    : facts.remaining_today === 0
      ? `You have sent ${facts.limit_per_day} messages today, which is the limit for one person.`
      : undefined
  const change = (next: { wanted: boolean; text: MessageText }) => {
    setWanted(next.wanted)
    setText(next.text)
    onDraft(next.wanted ? (draftOf(next.text, facts) ?? 'incomplete') : undefined)
  }
  return (
    <div class="entry-form">
      <label class="check" for={id}>
        <input
          id={id}
          type="checkbox"
          checked={wanted}
          disabled={blocked !== undefined}
          aria-describedby={blocked ? `${id}-why` : undefined}
          onChange={event => change({ wanted: event.currentTarget.checked, text })}
        />
        Send the candidate a message
      </label>
      {blocked && (
        <p class="small soft" id={`${id}-why`}>
          {blocked}
        </p>
      )}
      {wanted && <MessageFields facts={facts} text={text} onText={next => change({ wanted, text: next })} />}
    </div>
  )
}
