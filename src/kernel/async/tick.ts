/**
 * Work that is done once for everything that arrived in one tick of the event loop: first the queries that many requests
 * share are collected into one (`collect`), then what is to be sent to the database is written (`flush`). A tick ends as
 * soon as the sockets that were ready have been read, so nothing is delayed that could be sent already.
 */
const collectors: (() => void)[] = []
const flushes: (() => void)[] = []
let scheduled = false

export function onTickEnd(stage: 'collect' | 'flush', run: () => void): void {
  ;(stage === 'collect' ? collectors : flushes).push(run)
  if (scheduled) return
  scheduled = true
  setImmediate(endTick)
}

function endTick(): void {
  // a collector may add to what is flushed; what comes after that belongs to the next tick
  for (const run of collectors.splice(0)) run()
  for (const run of flushes.splice(0)) run()
  scheduled = collectors.length > 0 || flushes.length > 0
  if (scheduled) setImmediate(endTick)
}
