import cluster from 'node:cluster'
import { present } from '../errors/present.ts'
import type { FromProcess, Questions, ReadyFacts, ToProcess } from './messages.ts'

/** Whether this process was started by a group. */
export const isMember = (): boolean => cluster.isWorker

/** Resolves at SIGTERM, from the group or for this process alone. Also at the end of the group, which bin/hiring.js makes a SIGTERM. */
export function untilGroupStops(): Promise<void> {
  // otherwise Node ends this process in the middle of its requests when the group is gone
  present(cluster.worker, 'the worker').exitedAfterDisconnect = true
  // these reach every process of a terminal or a unit; the group decides what they mean
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  return new Promise(resolve => process.on('SIGTERM', () => resolve()))
}

/** Replies to what the group asks. */
export function serveGroup(replies: { [Q in keyof Questions]: () => Promise<Questions[Q]> }): void {
  process.on('message', ({ id, question }: ToProcess) => {
    replies[question]().then(
      reply => send({ id, reply }),
      () => send({ id, failed: true }), // logged where it failed
    )
  })
}

export const reportReady = (ready: ReadyFacts): void => send({ ready })

function send(message: FromProcess): void {
  // a group that is gone needs no reply
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}
