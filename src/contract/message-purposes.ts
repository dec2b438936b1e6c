/** What a message to a candidate is for. A template with a purpose is offered first where a message has that purpose. */
export const MESSAGE_PURPOSES = ['rejection', 'invitation', 'times', 'added_by_us', 'offer', 'general'] as const

export type MessagePurpose = (typeof MESSAGE_PURPOSES)[number]
