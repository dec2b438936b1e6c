/**
 * Wakes the sequencer of this process when a transaction here has committed events. Other processes' commits are found
 * by polling: a NOTIFY in each writer would halve what the database can commit.
 */
const listeners = new Set<() => void>()

export const announce = (): void => {
  for (const listener of listeners) listener()
}

export function onAppend(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
