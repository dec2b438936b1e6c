/** Between the candidate's page and the frame that draws a PDF. The frame has an origin of its own and no session. */
export interface FileMessage {
  type: 'file'
  bytes: ArrayBuffer
  theme: 'light' | 'dark' | null
}

/** What the frame asked for; null: it is not to be had */
export interface DataMessage {
  type: 'data'
  id: number
  bytes: ArrayBuffer | null
}

/** By how many steps the pages are larger than at first */
export interface ZoomMessage {
  type: 'zoom'
  steps: number
}

export type FrameMessage =
  | { type: 'ready' }
  /** `pages` of `total` are drawn as they come into sight */
  | { type: 'shown'; pages: number; total: number }
  | { type: 'failed'; reason: 'password' | 'unreadable' }
  /** a font or character map of pdf.js, which the frame cannot fetch */
  | { type: 'need'; id: number; url: string }
  /** a key that was pressed in the frame and means something outside */
  | { type: 'key'; key: string }
