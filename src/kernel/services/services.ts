import type { Authenticator } from '../access/authenticate.ts'
import type { Passwords } from '../access/password.ts'
import type { Limiter } from '../access/rate-limit.ts'
import type { RequestLog } from '../access/request-log.ts'
import type { Usage } from '../access/usage.ts'
import type { WorkspaceSelector } from '../access/workspace.ts'
import type { Blobs } from '../blobs/blobs.ts'
import type { Config } from '../config/config.ts'
import type { Keyring } from '../crypto/signing.ts'
import type { Database } from '../db/database.ts'
import type { Replica } from '../db/replica.ts'
import type { Mailer } from '../mail/mail.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { OwnReceiver } from '../net/own-receiver.ts'
import type { ResolveName, ResolveTxt } from '../net/resolve-name.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'

/** The parts of the outside world that everything else is given, made once at start. */
export interface Services {
  config: Config
  log: Log
  db: Database
  /** a standby for reads that may be old, if there is one */
  replica: Replica | undefined
  keyring: Keyring
  passwords: Passwords
  authenticator: Authenticator
  workspaces: WorkspaceSelector
  limiter: Limiter
  usage: Usage
  requestLog: RequestLog
  blobs: Blobs
  /** the mail server, or the outbox where none is configured; captures the mail of test workspaces */
  mailer: Mailer
  /**
   * A restored copy sends nothing until its operator says that it replaces the original: webhooks and queued emails wait,
   * other emails go to the outbox.
   */
  sendingHeld: boolean
  /** the local outbox, with what it holds from before a mail server was configured */
  outbox: Outbox
  metrics: Metrics
  /** the addresses of a name that webhooks are sent to */
  resolveName: ResolveName
  /** the TXT records by which an owner proves an email domain */
  resolveTxt: ResolveTxt
  /** set only in the demo */
  ownReceiver: OwnReceiver | undefined
  /**
   * The demo, if only this machine reaches the service: webhooks may be sent to http URLs of this machine, and the console
   * shows emails whole.
   */
  isLocalDemo: boolean
  /** the origin in links that leave the process */
  publicUrl: string
}

/** Finds the demo workspace of a store; undefined if there is none. */
export type FindDemo = (services: Pick<Services, 'db' | 'keyring'>) => Promise<string | undefined>
