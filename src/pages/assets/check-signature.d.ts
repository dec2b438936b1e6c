export const TOLERANCE_SECONDS: number

export interface SignatureInput {
  header: string
  body: string
  secret: string
  nowSeconds: number
  /** the body as it was sent, where it is known: tells an altered body from a wrong secret */
  original?: string | undefined
}

export interface Finding {
  tone: 'good' | 'warn' | 'bad'
  text: string
}

export interface Verdict {
  /** a receiver that follows the rules would accept it */
  accepted: boolean
  findings: Finding[]
}

export function checkSignature(input: SignatureInput): Promise<Verdict>

/** `t=1731650000,v1=<64 hex>[,v1=<64 hex>]`, with or without the header's name before it. */
export function readHeader(text: string): { t: string; signatures: string[] } | { fault: string }

/** The id of the event in a body, by which what was sent can be looked up. */
export function eventIdOf(body: string): string | undefined
