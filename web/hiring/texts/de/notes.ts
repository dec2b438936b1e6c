import type { notes as english } from '../en/notes.ts'

export const notes: typeof english = {}
