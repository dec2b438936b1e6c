import type { ComponentChildren } from 'preact'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'accent' | 'plain'

export const Tag = ({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) => (
  <span class={tone === 'plain' ? 'tag' : `tag ${tone}`}>{children}</span>
)

/** A state, with a dot so that it is easy to find while scrolling. */
export const State = ({ tone, children }: { tone: Tone; children: ComponentChildren }) => (
  <span class={`state ${tone}`}>{children}</span>
)
