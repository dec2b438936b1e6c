import type { Params } from './params.ts'

/** Describes an endpoint as a tool for AI assistants, besides what its declaration says already. */
export interface ReadTool {
  /** fields that a model rarely needs; the API returns them */
  omit?: readonly string[]
  /** rows of the list are shown whole, because no other tool returns one */
  whole?: true
  /** what the summary of the endpoint does not say to a model */
  note?: string
  /** arguments that are added to a call that has one and not the other: the best match of `q` first, unless it has an `order` */
  usual?: { with: string; without: string; add: Readonly<Record<string, string>> }
  /** further tools that call the endpoint with some arguments fixed */
  presets?: readonly PresetTool[]
}

/** An endpoint with some of its arguments fixed: one call for a frequent task. */
export interface PresetTool {
  name: string
  summary: string
  description: string
  /** the parameters that are left to the model */
  query: Params
  /** sent with every call */
  fixed: Readonly<Record<string, string>>
  /** fields that are left out, of the rows and of related records */
  omit: readonly string[]
}

/** For lists that are searched with `q`. */
export const BEST_FIRST: ReadTool = {
  usual: { with: 'q', without: 'order', add: { sort: 'relevance' } },
  note: 'With q the best match is first, unless sort or order is given.',
}

/** A client should know this before it runs a write. */
export interface WriteTool extends ReadTool {
  /**
   * - `creates`: a repeat creates another record
   * - `changes`: can be reversed, the history of the record shows it, and a repeat changes nothing further
   * - `overwrites`: overwrites or ends something, or cannot be undone, so clients ask their user first
   */
  effect: 'creates' | 'changes' | 'overwrites'
  /** reaches people or systems outside the service */
  openWorld?: true
}

/** The endpoint is not a tool, and why. */
export interface LeftOut {
  leftOut: string
}

export type ToolRow = ReadTool & Partial<WriteTool>
