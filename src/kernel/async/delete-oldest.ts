/** Deletes the entry that was added first. */
export function deleteOldest(entries: Map<unknown, unknown> | Set<unknown>): void {
  const [oldest] = entries.keys()
  entries.delete(oldest)
}
