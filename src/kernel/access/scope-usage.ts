import type { Scope } from '../../contract/scopes.ts'
import { type Sql, sql } from '../db/sql.ts'

const DAY_MS = 86_400_000
const KNOWN = 10_000

interface ScopeUse {
  workspace: string
  installation: string
  scope: Scope
  /** `2026-11-01` */
  day: string
}

/** The scopes that installations used since the last flush. A process stores each once a day. */
export class ScopeUsage {
  #waiting: ScopeUse[] = []
  /** what waits or was stored, with the day */
  readonly #known = new Set<string>()

  record(workspace: string, installation: string, scopes: readonly Scope[], at: number): void {
    const days = Math.floor(at / DAY_MS)
    for (const scope of scopes) {
      const name = `${installation} ${scope} ${days}`
      if (this.#known.has(name)) continue
      if (this.#known.size >= KNOWN) this.#known.clear()
      this.#known.add(name)
      this.#waiting.push({ workspace, installation, scope, day: new Date(days * DAY_MS).toISOString().slice(0, 10) })
    }
  }

  async flush(store: (statement: Sql) => Promise<void>): Promise<void> {
    const uses = this.#waiting
    if (uses.length === 0) return
    this.#waiting = []
    try {
      await store(storeScopeUsage(uses))
    } catch (error) {
      this.#waiting = [...uses, ...this.#waiting]
      throw error
    }
  }
}

/** In one order, so that two processes cannot deadlock. A scope that the installation does not have is left out. */
const storeScopeUsage = (uses: readonly ScopeUse[]) =>
  sql`
    insert into scope_usage as s (workspace_id, installation_id, scope, last_used_on)
    select i.workspace_id, i.id, u.scope, max(u.day)
    from unnest(${uses.map(u => u.workspace)}::text[], ${uses.map(u => u.installation)}::text[],
      ${uses.map(u => u.scope)}::text[], ${uses.map(u => u.day)}::date[]) as u (workspace_id, installation_id, scope, day)
    join installations i on i.workspace_id = u.workspace_id and i.id = u.installation_id and u.scope = any(i.scopes)
    group by i.workspace_id, i.id, u.scope order by i.workspace_id, i.id, u.scope
    on conflict (workspace_id, installation_id, scope) do update set last_used_on = excluded.last_used_on
      where s.last_used_on < excluded.last_used_on`
