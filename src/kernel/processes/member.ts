import cluster from 'node:cluster'
import type { FromProcess, Questions, ReadyFacts, ToProcess } from './messages.ts'

/** Whether this process was started by a group. */
export const isMember = (): boolean => cluster.isWorker

/** Replies to what the group asks. Resolves when the group, or a signal to this process alone, says that it shall stop. */
export function serveGroup(replies: { [Q in keyof Questions]: () => Promise<Questions[Q]> }): Promise<void> {
  // otherwise Node ends this process in the middle of its requests when the group is gone
  cluster.worker!.exitedAfterDisconnect = true
  return new Promise(resolve => {
    process.on('message', (message: ToProcess) => {
      if ('stop' in message) return resolve()
      const { id, question } = message
      replies[question]().then(
        reply => send({ id, reply }),
        () => send({ id, failed: true }), // logged where it failed
      )
    })
    process.on('SIGTERM', resolve)
    // Ctrl-C reaches every process of the terminal; the group stops its own in order
    process.on('SIGINT', () => {})
  })
}

export const reportReady = (ready: ReadyFacts): void => send({ ready })

function send(message: FromProcess): void {
  // a group that is gone needs no reply
  if (process.connected) process.send!(message, undefined, undefined, () => {})
}
