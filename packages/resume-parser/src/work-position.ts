import type { Span } from './dates.ts'

/** A position in a career. */
export interface WorkPosition {
  title: string | null
  company: string | null
  /** a word of an occupation was found in its title */
  certain: boolean
  span: Span
  /** the lines that head it */
  text: string
}
