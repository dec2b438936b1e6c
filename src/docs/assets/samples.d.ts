/** A call as the samples show it. */
export interface SampleCall {
  method: 'GET' | 'POST'
  /** with its parameters in braces */
  path: string
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string | number | boolean>>
  body?: unknown
  idempotencyKey?: string
  isPublic: boolean
  isList: boolean
  isFile: boolean
  /** `jobs.list` */
  typescript: string
  python: string
}

/** What the samples of one reader are filled with. */
export interface SampleReader {
  baseUrl?: string
  apiKey?: string
}

export type SampleLanguage = 'sh' | 'ts' | 'python'

export const LANGUAGES: readonly { id: SampleLanguage; title: string }[]

export function sampleCode(language: SampleLanguage, call: SampleCall, reader?: SampleReader): string
