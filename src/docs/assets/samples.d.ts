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

/** How a language writes values. */
export interface LiteralStyle {
  words: Readonly<Record<string, string>>
  text(value: string): string
  key(name: string): string
  spaced: boolean
  indent: string
}

export const TS_LITERALS: LiteralStyle
export const PYTHON_LITERALS: LiteralStyle

export function literal(value: unknown, language: LiteralStyle, indent?: string): string

export function clientCode(language: 'ts' | 'python', reader?: SampleReader, workspace?: string): string

export function pythonArguments(args: readonly string[]): string

export function fillSample(language: SampleLanguage, code: string, reader?: SampleReader): string

export function sampleCode(language: SampleLanguage, call: SampleCall, reader?: SampleReader): string
