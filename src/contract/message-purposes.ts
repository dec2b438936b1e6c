/** What a message to a candidate is for. A template with a purpose is offered first where a message has that purpose. */
export const MESSAGE_PURPOSES = ['rejection', 'invitation', 'times', 'added_by_us', 'offer', 'general'] as const

export type MessagePurpose = (typeof MESSAGE_PURPOSES)[number]

/** What belongs to a decision. A template of one of these is offered for that decision alone. */
const DECISIONS: readonly MessagePurpose[] = ['rejection', 'offer']

/** Templates for a message with a purpose: those with the purpose first, and none of another decision. */
export const templatesFor = <T extends { purpose: MessagePurpose }>(
  templates: readonly T[],
  purpose: MessagePurpose,
): { own: T[]; other: T[] } => ({
  own: templates.filter(one => one.purpose === purpose),
  other: templates.filter(one => one.purpose !== purpose && !DECISIONS.includes(one.purpose)),
})
