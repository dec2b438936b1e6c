/**
 * A webhook receiver that this process runs itself, on loopback; only the demo has one. URLs with one of its host names
 * lead to its port and nowhere else, and its certificate is trusted in addition to the usual ones.
 */
export interface OwnReceiver {
  hosts: ReadonlySet<string>
  port: number
  /** PEM */
  certificate: Buffer
}
