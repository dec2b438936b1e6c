/** What an endpoint is as a tool for AI assistants, besides what its declaration says already. */
export interface ReadTool {
  /** fields that a model rarely needs; the API returns them */
  omit?: readonly string[]
  /** rows of the list are shown whole, because no other tool returns one */
  whole?: true
  /** what the summary of the endpoint does not say to a model */
  note?: string
}

/** What a client should know before it runs a write. */
export interface WriteTool extends ReadTool {
  /**
   * - `creates`: a repeat creates another record
   * - `changes`: can be reversed, the history of the record shows it, and a repeat changes nothing further
   * - `overwrites`: overwrites or ends something, or cannot be taken back, so clients ask their user first
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
