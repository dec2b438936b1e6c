import type { JobRight } from '../contract/job-rights.ts'
import type { Tier } from '../contract/plans.ts'
import type { Role, Scope } from '../contract/scopes.ts'
import type { Allowed } from '../kernel/access/rate-limit.ts'
import type { LimitedRule, Naming, NeededRight } from '../kernel/access/reach.ts'
import type { Database } from '../kernel/db/database.ts'
import type { BrowserSession } from '../kernel/http/browser-session.ts'
import type { Arrived } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'

/** How a request that changes something proves that it comes from one of our own pages. */
export type Csrf =
  /** by its origin, and by the token of the session if there is one */
  | 'session'
  /** by its origin alone, because it begins a session or needs none */
  | 'origin'
  /** the same for the form of a mailed link, whose page sends no referrer: browsers then send no origin either */
  | 'link'
  /** not at all, for this reason; `test/contract/page-records.test.ts` lists the reasons */
  | { readonly none: string }

export type Presence = 'needed' | 'optional' | 'none'

/** What is checked before the handler of a call or a page runs. It is part of the record; no handler repeats any of it. */
export interface Policy {
  /** default: `needed` */
  readonly session?: Presence
  /** a record that changes something must have it */
  readonly csrf?: Csrf
  /** the roles that may; others are refused with the sentence `refusal` */
  readonly roles?: readonly Role[]
  readonly refusal?: string
  /** refused to people whose role does not have this scope of the API */
  readonly scope?: Scope
  /** what people may do with it who are limited to jobs */
  readonly limited?: LimitedRule
  /** the right that it needs in the jobs that it names */
  readonly jobRight?: NeededRight
  /** needs a second factor that was proved lately, from people who have one */
  readonly sensitive?: true
  /** which limit of the minute it counts against, in areas that count; default: general */
  readonly tier?: Tier | 'uncounted'
  readonly limit?: Limit
  readonly needs?: Need
}

/** A limit of its own, counted by what the request says. */
export interface Limit<V extends Visit = Visit> {
  readonly name: string
  /** returns the seconds to wait if there were too many */
  count(visit: V): Promise<number | undefined>
}

/** A rule that only a few calls have. Throws for who does not satisfy it. */
export interface Need<V extends Visit = Visit> {
  readonly name: string
  check(visit: V): Promise<void>
}

/** A request on its way through the checks. */
export interface Visit extends Arrived {
  services: Services
  session?: BrowserSession | undefined
  /** how the call was counted against the limit of the minute, in areas that count */
  counted?: Allowed
  /** the fields of a form that was sent */
  form?: URLSearchParams
}

/** How a session is found, and what it proves. */
export interface SessionKind<S extends BrowserSession = BrowserSession, V extends Visit = Visit> {
  readonly name: 'user' | 'partner' | 'candidate' | 'none'
  find(visit: V): Promise<S | undefined>
  /** throws for a session that must first be completed, such as by a second factor */
  checkReady?(session: S): void
  /** throws for whom role and scope do not admit */
  checkRights?(session: S, policy: Pick<Policy, 'roles' | 'refusal' | 'scope'>): void
  /** whether the person proved lately who they are */
  isProved?(db: Database, session: S): Promise<boolean> | boolean
  /** by whom calls are counted, and how many of a tier a minute may have */
  allowance?(session: S, tier: Tier): { subject: string; perMinute: number }
  /**
   * Throws if the person may not make this call about the jobs that it names; called again when its body was read. Returns
   * what the person may do there.
   */
  checkReach?(
    db: Database,
    session: S,
    policy: Pick<Policy, 'limited' | 'jobRight'>,
    call: Naming,
    complete: boolean,
  ): Promise<ReadonlySet<JobRight>>
}

/** Pages for everyone: each says `session: 'none'`. */
export const noSession: SessionKind<never> = { name: 'none', find: async () => undefined }

/** A part of the product with one kind of session: the console, a careers site, the partner's page. */
export interface Area<S extends BrowserSession = BrowserSession, V extends Visit = Visit>
  extends Pick<Policy, 'roles' | 'refusal'> {
  /** in cursors, and in the table of who may do what */
  readonly name: string
  /** its paths begin with it */
  readonly path: string
  readonly session: SessionKind<S, V>
  /** calls count against the limits of the minute */
  readonly counted?: true
  /** a form of another site is refused before anyone is asked to sign in */
  readonly originFirst?: true
}

/** The names in a path: `'id'` for `/keys/{id}/rotate`. */
export type NamesIn<P extends string> = P extends `${string}{${infer N}}${infer Rest}` ? N | NamesIn<Rest> : never
