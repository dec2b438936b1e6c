/** With more workspaces than this, all are looked at, not each by itself. */
const MAX_WORKSPACES = 1_000
/** PostgreSQL takes less than 8,000 bytes. Handles are ASCII. */
const MAX_CHARACTERS = 7_900

/** A payload of events that belong to no workspace: these are looked for whenever the leader is woken. */
const OF_NO_WORKSPACE = '-'

/**
 * The workspaces in which events were committed, as far as the leader was notified: it publishes these without a look at all
 * shards of a cluster. Nothing depends on them, since a look at all shards follows from time to time. Bounded: where they
 * do not fit, the next look is at all shards.
 */
export class AppendedHints {
  readonly #workspaces = new Set<string>()
  #everywhere = false

  /** null: of no workspace */
  add(workspaces: Iterable<string | null>): void {
    for (const workspace of workspaces) {
      if (this.#everywhere) return
      if (workspace !== null) this.#workspaces.add(workspace)
      if (this.#workspaces.size > MAX_WORKSPACES) this.addAll()
    }
  }

  /** There may be events in any workspace. */
  readonly addAll = (): void => {
    this.#everywhere = true
    this.#workspaces.clear()
  }

  /** Returns the workspaces added since the last call, oldest first. */
  take(): readonly string[] | 'all' {
    const taken = this.#everywhere ? 'all' : [...this.#workspaces]
    this.#everywhere = false
    this.#workspaces.clear()
    return taken
  }

  /** Adds the payload of a notification; processes of earlier releases send none, which means all. */
  addPayload(payload: string): void {
    if (payload === '') this.addAll()
    else if (payload !== OF_NO_WORKSPACE) this.add(payload.split(','))
  }

  /** Returns what was added since the last call, for another process. */
  takePayload(): string {
    const taken = this.take()
    if (taken === 'all') return ''
    const payload = taken.join(',') || OF_NO_WORKSPACE
    return payload.length > MAX_CHARACTERS ? '' : payload
  }
}
