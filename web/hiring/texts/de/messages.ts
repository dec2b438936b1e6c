import type { messages as english } from '../en/messages.ts'

export const messages: typeof english = {}
